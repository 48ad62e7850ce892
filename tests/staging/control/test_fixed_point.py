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


def flooded(high, out):
    stack = []
    for i in range(high.shape[0]):
        for j in range(high.shape[1]):
            if high[i, j] > 0.8:
                stack.append((i, j))
                while stack:
                    y, x = stack.pop()
                    if y + 1 < high.shape[0] and out[y + 1, x] == 0:
                        out[y + 1, x] = 255
                        stack.append((y + 1, x))
    return out


def test_a_list_of_numbers_and_an_array_are_found_in_one_pass(monkeypatch):
    """Each loop of a nest is recorded once to see what it changes, and once in each pass over those
    around it after that."""
    high = np.random.default_rng(0).random((6, 5))
    compiled = ag.to_graph(flooded)
    passes = counted_passes(monkeypatch)
    found = compiled(high, np.zeros((6, 5), np.uint8))
    assert len(passes) == 2 + 3 + 4
    np.testing.assert_array_equal(found, flooded(high, np.zeros((6, 5), np.uint8)))


def changed_in_a_list(x, n):
    kept, total = [x, 2 * x], np.zeros(3)
    for i in range(n):
        kept[0] += total
        total += 1.0
        kept[1] = kept[0] * i
    return kept[0], kept[1], total, x


class Counter:
    def __init__(self, h):
        self.h, self.steps = h, 0


def changed_in_an_object(x, n):
    counter, total = Counter(x), np.zeros(3)
    for _ in range(n):
        counter.h[0] += 1.0
        total[1] += counter.h[0]
        counter.steps += 1
        counter.h = counter.h + total
    return counter.h, counter.steps, total, x


def test_arrays_in_containers_change_as_their_variables_do():
    for n in (0, 1, 3):
        for f in (changed_in_a_list, changed_in_an_object):
            ours, pythons = np.arange(3.0), np.arange(3.0)
            found, expected = ag.to_graph(f)(ours, n), f(pythons, n)
            for a, b in zip((*found, ours), (*expected, pythons)):
                np.testing.assert_array_equal(a, b)
