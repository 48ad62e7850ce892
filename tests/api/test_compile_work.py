"""How the work of compiling grows with a static list or number: counted in calls of Python
functions, which are the same on any machine."""

from __future__ import annotations

import importlib.util

import numpy as np
import pytest

import autograph as ag
from tests.support.call_counts import count_calls

_CASES = []


def grows(sizes, times, arguments):
    """A decorator: from the first size to the second, the work becomes at most so many times as
    much."""

    def add(function):
        _CASES.append(pytest.param(function, sizes, times, arguments, id=function.__name__))
        return function

    return add


def numbers(n):
    return ([float(i) for i in range(n)],)


def table(n):
    """Rows of numbers of two types, which are recorded element by element."""
    return ([[j, *(float(i * j % 7) for i in range(1, n))] for j in range(n)],)


@grows((12, 24), 2.5, numbers)
def subset_count(a, t=5.0):
    if not a:
        return 1 if t == 0 else 0
    return subset_count(a[1:], t - a[0]) + subset_count(a[1:], t)


@grows((12, 24), 2.5, lambda n: (np.arange(float(n)),))
def windows(x):
    if len(x) < 2:
        return np.sum(x)
    return windows(x[1:]) + windows(x[:-1])


@grows((12, 24), 2.5, lambda n: (list(range(n)), 4))
def subset_sum(a, target):
    def reached(i, rest):
        if rest == 0:
            return True
        if i == len(a) or rest < 0:
            return False
        return reached(i + 1, rest - a[i]) or reached(i + 1, rest)

    return reached(0, target)


@grows((8, 16), 5.0, table)  # four times as many elements
def squares(m):
    return [[v * v for v in row] for row in m]


@grows((12, 24), 2.5, numbers)
def bubble_sort(a):
    n = len(a)
    for i in range(n):
        for j in range(n - i - 1):
            if a[j] > a[j + 1]:
                a[j], a[j + 1] = a[j + 1], a[j]
    return a


@grows((12, 24), 2.5, numbers)
def longest_rise(a):
    best = [1] * len(a)
    for i in range(len(a)):
        for j in range(i):
            if a[j] < a[i]:
                best[i] = max(best[i], best[j] + 1)
    return max(best)


@grows((24, 48), 2.5, numbers)
def groups(a):
    found = {}
    for i in range(len(a)):
        found.setdefault(i % 3, []).append(a[i])
    return found


@grows((24, 48), 2.5, numbers)
def memo(a):
    known = {}

    def term(k):
        if k not in known:
            known[k] = a[k] if k < 2 else term(k - 1) + term(k - 2)
        return known[k]

    return term(len(a) - 1)


@grows((24, 48), 2.5, numbers)
def joined(a):
    text = ""
    for v in a:
        text += f"{v},"
    return text


@grows((12, 24), 2.5, lambda n: (np.arange(5.0), list(range(n))))
def unrolled_in_a_loop(x, weights):
    total = 0.0
    for v in x:
        for weight in weights:
            total = total + v * weight
    return total


@grows((12, 24), 2.5, lambda n: (n,))
def partitions(m):
    memo = [[0 for _ in range(m)] for _ in range(m + 1)]
    for i in range(m + 1):
        memo[i][0] = 1
    for n in range(m + 1):
        for k in range(1, m):
            memo[n][k] += memo[n][k - 1]
            if n - k > 0:
                memo[n][k] += memo[n - k - 1][k]
    return memo[m][m - 1]


def work(function, arguments):
    """How many Python functions are called to compile a function."""
    compiled = ag.to_graph(function)
    return count_calls(lambda: compiled.graph(*arguments))["call"]


@pytest.mark.costly
@pytest.mark.parametrize("function, sizes, times, arguments", _CASES)
def test_the_work_grows_as_the_program_does(function, sizes, times, arguments, monkeypatch):
    monkeypatch.delenv("AUTOGRAPH_KERNELS", raising=False)
    work(function, arguments(3))  # what is done once for a function
    less, more = (work(function, arguments(size)) for size in sizes)
    assert more <= times * less, f"{less} calls become {more}"
    expected = function(*arguments(4))
    assert repr(ag.to_graph(function)(*arguments(4))) == repr(expected)


# -- what would take too long ----------------------------------------------------------------------


def shortest_paths(d):
    n = len(d)
    for k in range(n):
        for i in range(n):
            for j in range(n):
                if d[i][k] + d[k][j] < d[i][j]:
                    d[i][j] = d[i][k] + d[k][j]
    return d


def positive(m):
    return [[v for v in row if v > 2] for row in m]


def subsets(a):
    found = [[]]
    for x in a:
        found = found + [[*s, x] for s in found]
    return len(found)


def arrangements(a):
    if len(a) <= 1:
        return 1
    return sum(arrangements(a[:i] + a[i + 1 :]) for i in range(len(a)))


def mixed(n):
    """A list of numbers of several types, which are recorded one by one."""
    return ([k if k % 2 else k / 2 for k in range(n)],)


def merged(a):
    if len(a) < 2:
        return a
    left, right = merged(a[: len(a) // 2]), merged(a[len(a) // 2 :])
    out, i, j = [], 0, 0
    while i < len(left) and j < len(right):
        if left[i] <= right[j]:
            out.append(left[i])
            i += 1
        else:
            out.append(right[j])
            j += 1
    return out + left[i:] + right[j:]


def orders(a):
    found = []

    def order(k):
        if k == len(a):
            found.append(list(a))
            return
        for i in range(k, len(a)):
            a[k], a[i] = a[i], a[k]
            order(k + 1)
            a[k], a[i] = a[i], a[k]

    order(0)
    return len(found)


def sublists(a):
    if not a:
        return [[]]
    rest = sublists(a[1:])
    return rest + [[a[0], *s] for s in rest]


@pytest.mark.parametrize(
    "function, arguments",
    [
        (merged, mixed(40)),
        (sublists, mixed(40)),
        (shortest_paths, table(20)),
        (positive, table(40)),
        (subsets, mixed(40)),
        (arrangements, mixed(60)),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_what_is_recorded_is_limited(function, arguments):
    compiled = ag.to_graph(function, recording_limit=1000)
    with pytest.raises(ag.errors.UnrollLimitError, match="more than 1000 operations") as raised:
        compiled(*arguments)
    assert raised.value.id == "AG0375"
    assert raised.value.location.file == __file__


def test_orders_are_recorded_once():
    """Lists of lists are in pools: what was written out before, and refused, is a recursion."""
    assert ag.to_graph(orders, recording_limit=1000)(*numbers(5)) == 120


def queens(n):
    def place(row, columns, rising, falling):
        if row == n:
            return 1
        count = 0
        for i in range(n):
            if i not in columns and row + i not in rising and row - i not in falling:
                count += place(row + 1, columns | {i}, rising | {row + i}, falling | {row - i})
        return count

    return place(0, set(), set(), set())


def test_recording_for_any_number_is_given_up_where_it_takes_much_more_than_for_one():
    """The third number is tried as any: that came to 20,000 operations before it was refused."""
    compiled = ag.to_graph(queens)
    assert [compiled(4), compiled(5)] == [2, 10]
    assert count_calls(lambda: compiled(6))["call"] < 770_000


def calls_to_refuse(function, arguments):
    """How many Python functions are called until a function is refused."""
    compiled = ag.to_graph(function, recording_limit=1000)

    def refused():
        with pytest.raises(ag.errors.UnrollLimitError, match="AG0375"):
            compiled(*arguments)

    return count_calls(refused)["call"]


def test_the_limit_does_not_depend_on_how_often_recording_starts():
    """Every number that is needed starts it again."""
    assert calls_to_refuse(shortest_paths, table(12)) < 135_000


@pytest.mark.costly
@pytest.mark.parametrize(
    "function, arguments",
    [(merged, mixed), (sublists, mixed)],
    ids=lambda value: value.__name__,
)
def test_the_work_until_it_is_refused_does_not_grow(function, arguments):
    """What has lists of lists is recorded twice: the second time they are in pools."""
    assert max(calls_to_refuse(function, arguments(n)) for n in (20, 40)) < 810_000


def test_the_line_with_the_most_operations_is_named():
    def scaled(x, table):
        first = [row[0] * x for row in table]
        every = [v * x for row in table for v in row]
        return first, every

    with pytest.raises(ag.errors.UnrollLimitError, match="AG0375") as raised:
        ag.to_graph(scaled, recording_limit=1500)(2.0, *table(40))
    assert raised.value.location.line == scaled.__code__.co_firstlineno + 2


def test_the_first_operations_of_each_line_are_free(tmp_path):
    lines = [f"    x = x * {n}.0 + 1.0" for n in range(100)]
    path = tmp_path / "long_program.py"
    path.write_text("\n".join(["def long_program(x):", *lines, "    return x", ""]))
    spec = importlib.util.spec_from_file_location("long_program", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    compiled = ag.to_graph(module.long_program, recording_limit=100)  # of which two are free
    assert compiled(0.5) == module.long_program(0.5)


def test_the_limit_can_be_raised():
    doubled = lambda m: [[v * 2 for v in row] for row in m]
    expected = doubled(*table(8))
    with pytest.raises(ag.errors.UnrollLimitError, match="AG0375"):
        ag.to_graph(doubled, recording_limit=20)(*table(8))
    assert ag.to_graph(doubled, recording_limit=2000)(*table(8)) == expected
    assert ag.to_graph(doubled)(*table(8)) == expected


def test_lists_of_static_items_are_not_operations():
    table = [i * 2 for i in range(20_000)]
    found = ag.to_graph(lambda x: x * len([v for v in table if v % 3]))(2.0)
    assert found == 2.0 * len([v for v in table if v % 3])
