import os
import random
import subprocess
import sys
import time

import numpy as np
import pytest

import autograph as ag
from autograph import train
from autograph.errors import LoadError, NonFiniteError, OptionError
from tests.support.tree import ROOT
from tests.train.training import data, digest, run, start, step


@pytest.mark.slow
def test_it_goes_on_with_the_very_same_numbers(tmp_path):
    expected = digest(run(None))
    assert digest(run(tmp_path / "whole")) == expected

    class Stop(Exception):
        pass

    for most in (1, 7, 12, 13, 20):
        folder, steps = tmp_path / str(most), 0

        def stopping(state, batch):
            nonlocal steps
            steps += 1
            if steps > most:
                raise Stop
            return step(state, batch)

        batches = train.Batches(data(), 8, seed=3)
        with pytest.raises(Stop):
            train.fit(
                stopping,
                start(),
                batches,
                epochs=6,
                folder=folder,
                monitor="loss",
                every=2,
                progress=False,
            )
        assert digest(run(folder)) == expected


@pytest.mark.slow
def test_killed_at_any_time_it_goes_on(tmp_path):
    expected = digest(run(None, 40))
    random.seed(19)
    command = [sys.executable, "-m", "tests.train.training", str(tmp_path), "40"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    for _ in range(4):
        process = subprocess.Popen(
            command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True
        )
        assert process.stdout is not None and process.stdout.readline() == "begins\n"
        time.sleep(random.uniform(0.5, 2.5))
        process.kill()
        process.communicate()
    ended = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert ended.stdout.split() == ["begins", expected], ended.stderr


def test_what_is_best_is_kept(tmp_path):
    """Of metrics of an evaluation that fall, rise, and fall too late."""
    losses = [3.0, 2.0, 1.0, 4.0, 5.0, 6.0, 0.0]

    def plain(state, batch):
        return state + 1, {"loss": 0.0}

    def evaluate(state):
        return {"test": losses[state - 1]}

    batches = train.Batches(np.zeros(2), 2)
    options = {"evaluate": evaluate, "monitor": "test", "folder": tmp_path, "progress": False}
    fitted = train.fit(plain, 0, batches, epochs=7, patience=3, **options)
    assert (fitted.state, fitted.best, len(fitted.history)) == (6, 3, 6)
    assert train.load_checkpoint(tmp_path / "best", 0) == 3
    again = train.fit(plain, 0, train.Batches(np.zeros(2), 2), epochs=7, patience=3, **options)
    assert (again.state, again.best, again.history) == (6, 3, fitted.history)
    batches = train.Batches(np.zeros(2), 2)
    options |= {"larger": True, "folder": None}
    fitted = train.fit(plain, 0, batches, epochs=7, patience=3, **options)
    assert (fitted.state, fitted.best) == (7, 6)


def test_what_is_shown(capsys):
    batches = train.Batches(np.zeros(4), 2)
    train.fit(lambda s, b: (s + 1.0, {"loss": s}), 0.0, batches, epochs=2, monitor="loss")
    shown = capsys.readouterr().err
    assert "epoch 1: loss 0.5  best" in shown and "epoch 2: loss 2.5\n" in shown


def fit(step, **options):
    batches = train.Batches(np.zeros(4), 2)
    return train.fit(step, 0.0, batches, epochs=1, progress=False, **options)


REFUSED = {
    "patience": (lambda: fit(step, patience=2), OptionError, "patience without a metric"),
    "monitor": (
        lambda: fit(lambda s, b: (s, {"loss": 1.0}), monitor="accuracy"),
        OptionError,
        "no metric 'accuracy'",
    ),
    "a metric": (lambda: fit(lambda s, b: (s, {"y": b})), OptionError, "the metric 'y' is"),
    "NaN": (
        lambda: fit(lambda s, b: (s, {"loss": np.nan}), monitor="loss"),
        NonFiniteError,
        "is NaN in epoch 0",
    ),
    "lengths": (
        lambda: train.Batches({"x": np.ones(3), "y": np.ones(2)}, 1),
        OptionError,
        r"data\['x'\]: \(3,\), data\['y'\]: \(2,\)",
    ),
    "nothing": (lambda: train.Batches([], 1), OptionError, "no rows"),
    "size": (lambda: train.Batches(np.ones(3), 4), OptionError, "mini-batches of 4 of 3 rows"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refusals(name):
    call, kind, message = REFUSED[name]
    with pytest.raises(kind, match=message):
        call()


def test_a_checkpoint_of_another_state(tmp_path):
    train.save_checkpoint(tmp_path, {"a": np.ones(2), "b": [1, 2.0]})
    for like, message in (
        ({"a": np.ones(2)}, r"it has besides \['b'\]\[0\], \['b'\]\[1\]"),
        ({"a": np.ones(2), "b": [1, 2.0], "c": 1}, r"it lacks \['c'\]"),
        ({"a": np.ones(3), "b": [1, 2.0]}, r"\['a'\] has shape \(2,\) .* not \(3,\)"),
        ({"a": np.ones(2), "b": [1.0, 2.0]}, r"\['b'\]\[0\] has .*int64 .* float64"),
    ):
        with pytest.raises(LoadError, match=message):
            train.load_checkpoint(tmp_path, like)
    (part,) = tmp_path.glob("*.part")
    part.write_bytes(part.read_bytes()[:-3])
    with pytest.raises(LoadError, match="damaged"):
        train.load_checkpoint(tmp_path, {"a": np.ones(2), "b": [1, 2.0]})
    with pytest.raises(LoadError, match="no checkpoint"):
        train.load_checkpoint(tmp_path / "nowhere", 0)


def test_arrays_that_are_divided(tmp_path):
    mesh = ag.Mesh.lanes(data=2)
    state = {"w": ag.put(np.arange(4.0), mesh, ag.P("data")), "step": 3}
    train.save_checkpoint(tmp_path, state)
    like = {"w": ag.put(np.zeros(4), ag.Mesh.lanes(data=4), ag.P("data")), "step": 0}
    found = train.load_checkpoint(tmp_path, like)
    assert found["w"].mesh.size == 4 and found["step"] == 3
    np.testing.assert_array_equal(np.asarray(found["w"]), np.arange(4.0))
    whole = train.load_checkpoint(tmp_path, {"w": np.zeros(4), "step": 0})
    np.testing.assert_array_equal(whole["w"], np.arange(4.0))
