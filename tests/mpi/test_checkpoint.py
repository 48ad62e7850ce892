"""Checkpoints of several processes, of which one is killed at a time that nothing knows of."""

import random
import re

import numpy as np

from tests.mpi.launch import launch


def steps(outcome, word):
    return list(map(int, re.findall(rf"{word} (\d+)", outcome.output)))


def test_nothing_is_lost_but_the_steps_since_the_last_checkpoint(tmp_path):
    random.seed(18)
    saved, counts = 0, [2, 3, 1, 4, 2]  # each time other processes go on
    for count in counts:
        outcome = launch(count, "training.py", tmp_path, random.uniform(0.05, 0.6))
        assert outcome.code != 0
        assert "AssertionError" not in outcome.errors
        (begin,) = steps(outcome, "begins")
        assert begin in (saved, saved + 1)  # written, but not said any more
        saved = max(steps(outcome, "saved"), default=begin)
    assert saved > len(counts)
    outcome = launch(3, "training.py", tmp_path, 0)
    assert outcome.code == 0, outcome.errors
    assert steps(outcome, "saved") == [steps(outcome, "begins")[0] + 1]
    assert len(list(tmp_path.iterdir())) == 4  # three parts and the manifest


def test_a_training_goes_on_with_other_processes(tmp_path):
    """Two, three, then one: the weights are those of a training of two that was not interrupted."""

    def weights(count, folder, epochs):
        outcome = launch(count, "fitting.py", folder, epochs)
        assert outcome.code == 0, outcome.errors
        first, second, length, size = re.search("weights (.*)", outcome.output)[1].split()
        assert (int(length), int(size)) == (epochs, 12)
        return float(first), float(second)

    whole = weights(2, tmp_path / "whole", 6)
    for count, epochs in ((2, 2), (3, 4), (1, 6)):
        found = weights(count, tmp_path / "parts", epochs)
    assert np.allclose(found, whole, rtol=1e-12)
