"""Loops that are recorded again start from what they were found to change: nests are recorded a
number of times that grows as the square of their depth, not as two to the power of it."""

import linecache

import numpy as np
import pytest

import autograph as ag
from autograph.staging.control.recorded_loop import RecordedLoop
from tests.support.oracle import check

# What is changed in the innermost body, and what it is before the loops.
BODIES = {
    "an array": ("y", "y = np.zeros(3)", "y[0] += x[1] * 0.5"),
    "a list": ("xs", "xs = [1.0, 2.0]", "xs[0] = xs[0] + 1.0"),
    "a growing list": ("len(xs)", "xs = []", "xs.append(x[0])"),
    "a dict": ("d", "d = {'a': 1.0}", "d['a'] = d['a'] + 1.0"),
    "an object": ("o.v", "o = Held(); o.v = 1.0", "o.v = o.v + 1.0"),
    "all": (
        "(y, xs, d)",
        "y, xs, d = np.zeros(3), [1, 2.0], {'a': 1}",
        "y[1] += xs[0]; xs[0] = x[0] * d['a']; d['a'] = d['a'] + 1",
    ),
}
DEPTHS = (1, 3, 5)


class Held:
    pass


def nest(kinds, depth, name):
    """A function with loops of some kinds in each other."""
    result, before, body = BODIES[name]
    lines, indent = ["def f(x, n):", f"    {before}"], "    "
    for level in range(depth):
        if kinds[level % len(kinds)] == "for":
            lines.append(f"{indent}for i{level} in range(n):")
        else:
            lines += [f"{indent}i{level} = 0", f"{indent}while i{level} < n:"]
            lines.append(f"{indent}    i{level} += 1")
        indent += "    "
    lines += [f"{indent}{body}", f"{indent}x = x * 0.5", f"    return x, {result}"]
    text = "\n".join(lines) + "\n"
    file = f"<nest of {depth} {kinds} with {name}>"
    linecache.cache[file] = len(text), None, text.splitlines(True), file
    namespace = {"np": np, "Held": Held}
    exec(compile(text, file, "exec"), namespace)
    return namespace["f"]


@pytest.fixture
def passes(monkeypatch):
    """Counts how often loops are recorded."""
    found, record = [0], RecordedLoop.record

    def counted(self):
        found[0] += 1
        return record(self)

    monkeypatch.setattr(RecordedLoop, "record", counted)
    return found


@pytest.mark.parametrize("kinds", [("for",), ("for", "while")], ids="-".join)
@pytest.mark.parametrize("name", BODIES)
def test_passes_over_a_nest(passes, kinds, name):
    counts = []
    for depth in DEPTHS:
        passes[0] = 0
        ag.to_graph(nest(kinds, depth, name)).graph(np.ones(3), 2)
        counts.append(passes[0])
    if name != "all":  # each loop once to see what it changes, and again after each such pass
        assert counts == [depth * (depth + 3) // 2 for depth in DEPTHS]
    else:  # whose numbers become floats besides
        assert counts[-1] <= 5 * counts[-2]
    function = nest(kinds, 3, name)
    x = np.array([0.5, 1.0, 2.0])
    check(function, x, 2)


def inner_promotes_outer(x, n):
    s, t = 0, 0
    for _ in range(n):
        for i in range(n):
            for _ in range(n):
                s = s + t
            t = t + x[i]
    return s, t


def becomes_wide_by_several_rounds(x, n):
    a, b, c, d = 0, 0, 0, 0
    for _ in range(n):
        a = b
        for _ in range(n):
            b = c
            for _ in range(n):
                c = d
                d = d + x[0]
    return a, b, c, d


def list_begins_empty(x, n):
    found = []
    for i in range(n):
        for j in range(n):
            found.append(x[0] * i + j)
            for k in range(n):
                found.append(x[1] - k)
    return np.array(found)


def lists_of_each_trip(x, n):
    total = 0
    for i in range(n):
        held = [i, 1.0]
        rows = np.zeros(2)
        for j in range(n):
            for k in range(n):
                held[0] = held[0] + x[k]
                rows[1] += held[0] * j
            total = total + held[0] + rows[1]
    return total


def forgets_a_length(x, n):
    kept = x
    for _ in range(n):
        for _ in range(n):
            kept = kept[kept > 0.6]
    return kept


def fill(items, x, n, writes):
    for i in range(n):
        if writes:
            items[0] = items[0] + x[i]
        else:
            x = x * 0.5 + np.ones(items[1])[0]
    return x


def changed_by_one_call_only(x, n):
    """The loop of `fill` changes the first list, of the second one it needs what it holds."""
    y = fill([1.0, 3], x, n, True)
    return fill([1.0, 3], y, n, False) + y


def changed_by_every_other_call(x, n):
    first, second = [1.0, 3], [2.0, 3]
    for _ in range(n):
        x = fill(first, x, n, True) + fill(second, x, n, False)
    return x, first, second


def changed_by_the_second_call_only(x, n):
    first, second = [1.0, 3], [2.0, 3]
    y = fill(first, x, n, False) + fill(second, x, n, True) + fill(first, x, n, False)
    return y, first, second


class Accumulator:
    def __init__(self):
        self.total = 0
        self.seen = []

    def take(self, x, n):
        for i in range(n):
            self.total = self.total + x[i]
            for j in range(n):
                self.seen.append(self.total * j)


def objects_of_each_trip(x, n):
    result = 0.0
    for i in range(n):
        one = Accumulator()
        one.take(x * i, n)
        for _ in range(n):
            one.take(x, n)
        result = result + one.total + sum(one.seen)
    return result


PROGRAMS = [
    *(inner_promotes_outer, becomes_wide_by_several_rounds, list_begins_empty),
    *(lists_of_each_trip, forgets_a_length, changed_by_one_call_only, changed_by_every_other_call),
    *(changed_by_the_second_call_only, objects_of_each_trip),
]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
@pytest.mark.parametrize("trips", [0, 3])
def test_as_python(program, trips):
    x = np.array([0.5, 1.0, 2.0])
    check(program, x, trips)
