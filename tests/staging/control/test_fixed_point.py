"""What is recorded again and again until it settles."""

import numpy as np
import pytest

import autograph as ag
from autograph.staging.control.fixed_point import FixedPoint
from autograph.staging.control.recorded_loop import RecordedLoop
from tests.support.oracle import check


class Ladder(FixedPoint):
    """One that has to be widened some times."""

    def __init__(self, steps):
        super().__init__(0)
        self.steps = steps
        self.passes = 0

    def record(self):
        self.passes += 1
        self.steps -= 1
        return self.steps < 0


@pytest.mark.parametrize("steps", [0, 1, 5])
def test_until_nothing_is_widened(steps):
    ladder, discarded = Ladder(steps), []
    assert ladder.settles(lambda: discarded.append(ladder.passes))
    assert ladder.passes == steps + 1
    assert discarded == list(range(1, steps + 1))  # every pass but the last


def test_it_gives_up():
    ladder = Ladder(FixedPoint.most_passes)
    assert not ladder.settles()
    assert ladder.passes == FixedPoint.most_passes


def counted_passes(monkeypatch):
    """The passes over loops from now on, a list that grows."""
    passes, record = [], RecordedLoop.record
    monkeypatch.setattr(RecordedLoop, "record", lambda loop: passes.append(loop) or record(loop))
    return passes


def sums(xs, n):
    out, total, last, whole = np.zeros(8), 0.0, 1, 0
    for i in range(n):
        total = total + xs[i]
        last = total * 0.5 if i > 2 else last
        whole += i
        out[i] = total + last
    return out, total, last, whole


def test_numbers_are_widened_in_the_pass_that_finds_arrays(monkeypatch):
    passes = counted_passes(monkeypatch)
    for n in (0, 2, 5):
        check(sums, np.arange(8.0), n)
    compiled = ag.to_graph(sums)
    passes.clear()
    compiled(np.arange(8.0), 5)
    assert len(passes) == 2
