"""Loops that run so long that they ask, now and then, whether the user wants to stop."""

import numpy as np
import pytest

pytest.importorskip("llvmlite")
import autograph as ag
from autograph.kernels.ir import ir
from autograph.kernels.llvm.polling import SPAN, looks, weight
from autograph.kernels.passes.host import for_host
from tests.kernels.kernel_check import check


def primes(n):
    flags = np.ones(n + 1, dtype=bool)
    flags[:2] = False
    i = 2
    while i * i <= n:
        if flags[i]:
            for j in range(i * i, n + 1, i):
                flags[j] = False
        i += 1
    return np.sum(flags)


def test_vectors_outlive_the_question():
    """What a vector register holds before the question, it holds after it."""
    check(primes, 100_000)


def row_without(x, v):
    """Two loops of few trips, of which the run decides how many."""
    for i in range(9):
        found = False
        for j in range(9):
            if x[i, j] == v or x[j, i] == v:
                found = True
                break
        if not found:
            return i
    return -1


def first_at_least(x, v):
    k = 0
    while x[0, k] < v:
        k += 1
    return k


def test_few_trips_do_not_ask():
    x = np.random.default_rng(0).integers(0, 12, (9, 9))
    for v in range(12):
        assert ag.to_graph(row_without)(x, v) == row_without(x, v)
    (kernel,) = ag.to_graph(row_without).kernels(x, 3).values()
    outer, inner = (s for s in ir.walk(for_host(kernel.kernel).body) if isinstance(s, ir.While))
    assert looks(outer) and not looks(inner)
    (kernel,) = ag.to_graph(first_at_least).kernels(x, 3).values()
    (loop,) = (s for s in ir.walk(for_host(kernel.kernel).body) if isinstance(s, ir.While))
    assert not looks(loop)  # it has found it, or gives up, after as many trips as x has places


def sorted_by_insertion(x):
    for i in range(1, len(x)):
        v, p = x[i], i
        while p > 0 and x[p - 1] > v:
            x[p] = x[p - 1]
            p -= 1
        x[p] = v
    return x


def runs(x):
    i = k = 0
    while i < len(x):
        j = i
        while j < len(x) and x[j] == x[i]:
            j += 1
        k += 1
        i = j
    return k


def rows_up_to(x, v):
    """Places of a column, in steps of a row."""
    total = 0
    for j in range(x.shape[1]):
        i = 0
        while i < x.shape[0] and x[i, j] != v:
            i += 1
        total += i
    return total


def collatz(x):
    """No place of an array is passed."""
    total = 0
    for i in range(len(x)):
        n = x[i]
        while n != 1:
            n = n // 2 if n % 2 == 0 else 3 * n + 1
            total += 1
    return total


def followed(x):
    """Nor here: the same place may be read again and again."""
    total = 0
    for i in range(len(x)):
        k = i
        while x[k] != k:
            k = x[k]
            total += 1
    return total


def from_the_end(x):
    """The place is a number of which only the sign differs from the one that changes."""
    total = 0
    for i in range(len(x)):
        k = 1
        while k < len(x) and x[-k - 1] > x[i]:
            k += 1
        total += k
    return total


def standing(x, n):
    """The place does not change."""
    total = 0
    for i in range(len(x)):
        k = 0
        while k < n and x[i] > 0:
            k += 1
        total += k
    return total


def counted_down(x):
    total = 0
    for i in range(len(x)):
        n, fuel = x[i], 70
        while n != 1 and fuel > 0:
            n = n // 2 if n % 2 == 0 else 3 * n + 1
            fuel -= 1
        total += fuel
    return total


def counted_up(x):
    total = 0
    for i in range(len(x)):
        n, trips = x[i], -3
        while n != 1 and trips <= 60:
            n = n // 2 if n % 2 == 0 else 3 * n + 1
            trips += 1
        total += trips
    return total


def past_the_limit(x):
    """It goes away from the number that it is compared with."""
    total = 0
    for i in range(len(x)):
        k, v = 5, x[i]
        while k > 3 and v > 0:
            k += 1
            v -= k % 2
        total += k
    return total


X = np.random.default_rng(0).integers(1, 9, 300)


@pytest.mark.parametrize(
    ("function", "arguments", "inner_looks"),
    [
        (sorted_by_insertion, (X,), False),
        (runs, (np.sort(X),), False),
        (rows_up_to, (X.reshape(30, 10), 5), False),
        (from_the_end, (X,), False),
        (counted_down, (X,), False),
        (counted_up, (X,), False),
        (past_the_limit, (X,), True),
        (collatz, (X,), True),
        (followed, (np.maximum(np.arange(300) - X, 0),), True),
        (standing, (X, 7), True),
    ],
    ids=lambda x: getattr(x, "__name__", None),
)
def test_loops_whose_trips_are_counted_or_pass_the_places_of_an_array_do_not_ask(
    function, arguments, inner_looks
):
    compiled = ag.to_graph(function)
    expected = function(*(np.copy(x) if isinstance(x, np.ndarray) else x for x in arguments))
    (kernel,) = compiled.kernels(*arguments).values()
    np.testing.assert_array_equal(compiled(*arguments), expected)
    loops = [s for s in ir.walk(for_host(kernel.kernel).body) if isinstance(s, ir.While)]
    inner = [s for s in loops if not any(isinstance(x, ir.While) for x in ir.walk(s.body))]
    assert [looks(s) for s in inner] == [inner_looks] * len(inner) and inner


def test_loops_around_them_ask_as_often_as_if_they_came_to_some_of_the_places():
    (kernel,) = ag.to_graph(runs).kernels(np.sort(X)).values()
    outer, _ = (s for s in ir.walk(for_host(kernel.kernel).body) if isinstance(s, ir.While))
    assert looks(outer) and 300 < weight(outer) < 300 * 20
    (kernel,) = ag.to_graph(runs).kernels(np.zeros(100_000)).values()
    outer, _ = (s for s in ir.walk(for_host(kernel.kernel).body) if isinstance(s, ir.While))
    assert SPAN // 100 < weight(outer) < SPAN // 50
    (kernel,) = ag.to_graph(runs).kernels(np.zeros(10_000_000)).values()
    outer, inner = (s for s in ir.walk(for_host(kernel.kernel).body) if isinstance(s, ir.While))
    assert looks(inner) and weight(outer) == 1


def seen_before(x):
    seen = set()
    count = 0
    for i in range(len(x)):
        v = int(x[i])
        if v in seen:
            count += 1
        else:
            seen.add(v)
    return count


def test_searches_in_tables_do_not_ask():
    compiled = ag.to_graph(seen_before)
    assert compiled(X) == seen_before(X) == 292
    (kernel,) = compiled.kernels(X).values()
    loops = [s for s in ir.walk(for_host(kernel.kernel).body) if isinstance(s, ir.While)]
    searches = [s for s in loops if s.brief]
    assert searches and not any(map(looks, searches))
