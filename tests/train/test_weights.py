import sys

import numpy as np
import pytest

import autograph as ag
import ops
from autograph import nn, train
from autograph.errors import LoadError, MissingLibraryError

KEY = ops.random.key(0)


def model(seed=0, hidden=5):
    return nn.MLP.make(ops.random.key(seed), [3, hidden, 2], np.tanh)


def test_weights_are_the_same_after(tmp_path):
    path = tmp_path / "model.safetensors"
    train.save_weights(path, model(1))
    found = train.load_weights(path, model(2))
    assert ag.tree.structure(found) == ag.tree.structure(model())
    for ours, theirs in zip(ag.tree.leaves(found), ag.tree.leaves(model(1))):
        np.testing.assert_array_equal(ours, theirs)
        assert ours.dtype == theirs.dtype
    assert [each.name for each in tmp_path.iterdir()] == ["model.safetensors"]


def test_other_libraries_read_the_file(tmp_path):
    from safetensors import safe_open

    train.save_weights(tmp_path / "w", model(1))
    with safe_open(tmp_path / "w", "numpy") as file:
        assert sorted(file.keys()) == sorted(
            f"layers[{i}].{n}" for i in (0, 1) for n in ("bias", "weight")
        )
        np.testing.assert_array_equal(
            file.get_tensor("layers[0].weight"), model(1).layers[0].weight
        )


def test_files_that_are_not_what_is_wanted(tmp_path):
    path = tmp_path / "w"
    train.save_weights(path, model())
    whole = path.read_bytes()
    for cut in (0, 4, 40, len(whole) - 1):
        path.write_bytes(whole[:cut])
        with pytest.raises(LoadError, match="no whole file"):
            train.load_weights(path, model())
    path.write_bytes(whole)
    with pytest.raises(LoadError, match=r"layers\[0\].weight has shape \(5, 3\) .* not \(6, 3\)"):
        train.load_weights(path, model(hidden=6))
    with pytest.raises(
        LoadError, match=r"there is none for weight .*nothing takes layers\[0\].bias"
    ):
        train.load_weights(path, nn.Dense.make(KEY, 3, 2))
    with pytest.raises(FileNotFoundError):
        train.load_weights(tmp_path / "nothing", model())


def test_a_failed_save_leaves_the_file_before(tmp_path, monkeypatch):
    path = tmp_path / "w"
    train.save_weights(path, model(1))
    before = path.read_bytes()
    monkeypatch.setattr("os.fsync", lambda handle: (_ for _ in ()).throw(OSError("full")))
    with pytest.raises(OSError, match="full"):
        train.save_weights(path, model(2))
    assert path.read_bytes() == before
    assert [each.name for each in tmp_path.iterdir()] == ["w"]


def test_without_the_library(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "safetensors", None)
    monkeypatch.setitem(sys.modules, "safetensors.numpy", None)
    with pytest.raises(MissingLibraryError, match="pip install safetensors"):
        train.save_weights(tmp_path / "w", model())


def test_names_as_pytorch_has_them():
    weights = {
        f"layers.{i}.{name}": getattr(layer, name)
        for i, layer in enumerate(model(1).layers)
        for name in ("weight", "bias")
    }
    found = train.with_weights(model(2), weights)
    np.testing.assert_array_equal(found.layers[1].weight, model(1).layers[1].weight)
    doubles = {name: weight.astype(float) for name, weight in weights.items()}
    assert train.with_weights(model(2), doubles).layers[0].bias.dtype == np.float32
    with pytest.raises(LoadError, match="nothing takes more"):
        train.with_weights(model(2), {**weights, "more": np.ones(2)})
