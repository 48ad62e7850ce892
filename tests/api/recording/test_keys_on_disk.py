"""Under which keys recordings are on disk: what tells calls apart, and what has no key."""

import numpy as np
import pytest

import autograph as ag
from autograph import cache, versions
from autograph.api import pipeline
from autograph.api.recording import on_disk
from autograph.api.recording.described_calls import NewCall
from autograph.staging.border.signature import CallParts, flatten_call
from ops.core import numpy_table


@pytest.fixture
def key(monkeypatch, tmp_path):
    """The key of a call; None if its recording is not kept."""
    monkeypatch.setenv("AUTOGRAPH_CACHE_DIR", str(tmp_path))
    monkeypatch.setenv("AUTOGRAPH_CACHE_PROGRAMS", "1")
    monkeypatch.setattr(versions, "VERIFY", False)
    cache._checked.cache_clear()

    def key(function, *args, **kwargs):
        call = NewCall(*flatten_call(CallParts(args, kwargs)))
        place = on_disk.place_of(function, call, function._options)
        return None if place is None else place._key

    yield key
    cache._checked.cache_clear()


def twice(x):
    return x * 2.0


class Scaled:
    def __init__(self, factor):
        self.factor = factor

    def times(self, x):
        return x * self.factor


class Other(Scaled):
    pass


X = np.ones(3)


def test_the_key_tells_what_is_called_and_with_what(key):
    keys = [
        *(key(ag.to_graph(twice), X), key(ag.grad(twice), X), key(ag.value_and_grad(twice), X)),
        *(key(ag.grad(twice, 0), (X,)), key(ag.grad(twice, (0,)), X), key(ag.vmap(twice), X)),
        *(key(ag.grad(ag.grad(twice)), X), key(ag.to_graph(twice, unroll_limit=3), X)),
        *(key(ag.to_graph(twice), X[:2]), key(ag.to_graph(twice), X.astype(np.float32))),
        *(
            key(ag.to_graph(twice), x=X),
            key(ag.to_graph(twice), [X]),
            key(ag.to_graph(twice), (X,)),
        ),
        *(key(ag.to_graph(twice), 1), key(ag.to_graph(twice), 1.0), key(ag.to_graph(twice), True)),
        *(key(ag.to_graph(twice), np.float64(1)), key(ag.to_graph(twice), np.array(1.0))),
        *(
            key(ag.to_graph(twice), "a"),
            key(ag.to_graph(twice), "b"),
            key(ag.to_graph(twice), None),
        ),
        *(key(ag.to_graph(twice), {"a": X, "b": X}), key(ag.to_graph(twice), {"b": X, "a": X})),
        *(key(ag.to_graph(twice), {1: X}), key(ag.to_graph(twice), {"1": X})),
        key(ag.to_graph(lambda x: x * 2.0), X),
        key(ag.to_graph(lambda x: x * 2.0), X),  # another column, or line
    ]
    for value in (Scaled(1.0), Scaled([1.0]), Scaled(X), Scaled("a"), Other(1.0), twice, Scaled):
        keys.append(key(ag.to_graph(twice), value))
    scaled = [Scaled(1.0), Scaled(2.0), Scaled([1.0, 2.0]), Other(1.0)]
    keys += [key(ag.to_graph(value.times), X) for value in scaled]
    assert None not in keys and len(set(keys)) == len(keys)
    assert key(ag.grad(twice), X) == keys[1] == key(ag.grad(twice), X * 2.0)


def test_what_may_be_anything_has_no_key(key):
    f = ag.to_graph(twice)
    for value in (np.random.default_rng(0), {1, 2}, object(), np.ma.ones(3)):
        assert key(f, value) is None
    assert key(ag.to_graph(twice, backend="numpy"), X) is None
    assert key(ag.to_graph(twice, static_argnums=0), 1) is None
    assert key(ag.to_graph(lambda x: x, donate_argnums=0), X) is None
    assert key(ag.grad(ag.custom_vjp(twice)), X) is None
    same = [X]
    assert key(f, [same, same]) != key(f, [[X], [X]])


def test_the_key_tells_versions_and_settings(key, monkeypatch):
    f = ag.grad(twice)
    first = key(f, X)
    assert first == key(f, X)
    for where, name, value in [
        *((on_disk.np, "__version__", "0.0"), (on_disk.sys, "version", "0.0")),
        (on_disk.compiler, "host", lambda: ("a", "b", "c", "d")),
        (on_disk, "machine_memory", lambda: 1 << 20),
        (on_disk.libraries, "converted_places", lambda: ("a",)),
        (versions, "files", lambda *folders: "others"),
    ]:
        with monkeypatch.context() as changed:
            changed.setattr(where, name, value)
            assert key(f, X) not in (first, None)
    with monkeypatch.context() as changed:
        changed.setenv("AUTOGRAPH_RECURSION_DEPTH", "77")
        assert key(f, X) not in (first, None)
    entry = numpy_table.Coverage((np.sort,), twice, None, None)
    for where, name, value in [
        (pipeline, "GRAPH_PASSES", pipeline.GRAPH_PASSES[:-1]),
        (pipeline, "PROGRAM_PASSES", pipeline.PROGRAM_PASSES[:-1]),
        (versions, "VERIFY", True),
        (versions, "files", lambda *folders: None),
        (on_disk, "knows_processes", lambda: True),
    ]:
        with monkeypatch.context() as changed:
            changed.setattr(where, name, value)
            assert key(f, X) is None
    numpy_table.ENTRIES.append(entry)
    assert key(f, X) is None
    numpy_table.ENTRIES.remove(entry)
    monkeypatch.setenv("AUTOGRAPH_CACHE_RECORDINGS", "0")
    assert key(f, X) is None
