"""What was found of a loop's variables is taken for known where the loop sees the same, and only
there: each of these programs records one loop in several surroundings."""

import numpy as np
import pytest

import autograph as ag
from autograph.staging.control.foreseen import SettledLoops
from autograph.staging.control.recorded_loop import RecordedLoop
from tests.support.oracle import check


def grown(x, c, n):
    y = x
    for _ in range(n):
        if isinstance(x, int):
            y = y + c
    return y


def of_other_numbers(n):
    return [grown(1, c, n) for c in (1, 1.5, 1, 2.5, 1)]


def of_other_types(n, a, b):
    return [grown(1, c, n) for c in (a, b, a, b)]


def of_other_kinds(n):
    return [grown(x, c, n) for x, c in ((1, 1.5), (1.0, 1), (1, 1), (1, 1.5))]


def of_other_lists(n):
    found = []
    for xs in ([1], [1.5], [1, 2.5], [1]):
        last = None
        for _ in range(n):
            last = xs[0] if last is None else last + xs[-1]
            xs.append(last)
        found.append((last, xs))
    return found


def of_what_it_has_changed(n):
    xs, found = [1], []
    for c in (1, 1, 0.5, 1):
        for _ in range(n):
            xs[0] = xs[0] + c
        found.append(xs[0])
    return found


def of_other_functions(n):
    def added(f):
        y = 0
        for i in range(n):
            y = f(y, i)
        return y

    return [added(f) for f in (lambda y, i: y + i, lambda y, i: y + 0.5, lambda y, i: y + i)]


def of_other_objects(n):
    class Held:
        step = 1

    found = []
    for step in (1, 0.5, 1):
        Held.step = step
        held, y = Held(), 0
        for _ in range(n):
            y = y + held.step
        found.append(y)
    return found


def of_a_recursion(n):
    def walk(k, c):
        y = 0
        for _ in range(n):
            y = y + (c if k == 0 else walk(k - 1, c))
        return y

    return walk(2, 1), walk(1, 0.5), walk(2, 1)


def of_what_loops_around_change(n):
    x, ys = 0, []
    for i in range(n):
        best = None
        for j in range(n):
            if best is None or x + j > best[0]:
                best = (x + j, j)
        x = x * 0.5 + best[0]
        ys.append(best[1])
    return x, ys


PROGRAMS = [
    (of_other_numbers, (3,)),
    (of_other_types, (3, 1, 1.5)),
    (of_other_types, (3, np.float32(1.0), 2)),
    (of_other_kinds, (2,)),
    (of_other_lists, (3,)),
    (of_what_it_has_changed, (3,)),
    (of_other_functions, (4,)),
    (of_other_objects, (3,)),
    (of_a_recursion, (2,)),
    (of_what_loops_around_change, (4,)),
]


@pytest.mark.parametrize("function, arguments", PROGRAMS)
def test_nothing_is_taken_from_other_surroundings(function, arguments):
    check(function, *arguments)


def fits(grid, row, value):
    for k in range(4):
        if grid[row, k] == value:
            return False
    return True


def counts(grid):
    found = 0
    for row in range(4):
        for value in (1, 2, 1, 2):
            if fits(grid, row, value):
                found += 1
    return found


def test_what_is_known_is_not_found_again(monkeypatch):
    """Of loops in other loops, which are recorded again with those."""
    passes, hits = [0], [0]
    record, of = RecordedLoop.record, SettledLoops.of

    def counted(self):
        passes[0] += 1
        return record(self)

    def found(self, loop, look):
        known = of(self, loop, look)
        hits[0] += known is not None
        return known

    grid = np.arange(16).reshape(4, 4) % 5
    monkeypatch.setattr(RecordedLoop, "record", counted)
    monkeypatch.setattr(SettledLoops, "of", found)
    assert ag.to_graph(counts)(grid) == counts(grid)
    assert hits[0] >= 2
    with_known, passes[0] = passes[0], 0
    monkeypatch.setattr(SettledLoops, "of", lambda self, loop, look: None)
    assert ag.to_graph(counts)(grid) == counts(grid)
    assert with_known < passes[0]


def amid(x, n):
    """Of which the first pass knows how long the result is, and the second does not."""
    xs = [x]
    for i in range(n):
        xs.append(x + i)
        if x + i > 2.0:
            return np.array(xs)
    return np.zeros(1)


def test_what_was_seen_too_early_is_seen_again():
    check(amid, 0.5, 6)
    check(amid, 0.5, 1)
