"""Elements that trips leave for the next ones, and tables whose lengths are sums, products or
halves of what the run knows, are what they are in Python."""

import numpy as np
import pytest

pytest.importorskip("llvmlite")
import autograph as ag
from autograph.kernels.ir import ir
from autograph.kernels.passes.host import for_host

DTYPES = [np.float64, np.float32, np.int64]


def draw(*shape, dtype=np.float64, seed=0):
    return np.random.default_rng(seed).integers(-50, 50, shape).astype(dtype)


def decayed(a):
    for j in range(1, len(a)):
        a[j] = a[j] - a[j - 1] / 2
    return a


def second_order(a):
    for j in range(2, len(a)):
        a[j] += a[j - 1] - a[j - 2]
    return a


def third_and_ahead(a):
    for j in range(3, len(a) - 1):
        a[j] = a[j - 3] + a[j + 1] - a[j]
    return a


def backwards(a):
    for j in range(len(a) - 3, -1, -1):
        a[j] += a[j + 1] + a[j + 2]
    return a


def written_twice(a):
    for j in range(1, len(a)):
        a[j] = a[j - 1] + 1
        a[j] = a[j] + a[j - 1]
    return a


def disturbed(a):
    """What the trip before has written is written again before it is read."""
    for j in range(1, len(a) // 2):
        a[2 * j - 2] -= 3
        a[j] = a[j - 1] + 1
    return a


def sometimes(a):
    for j in range(1, len(a) - 1):
        if a[j] > 0:
            a[j + 1] -= 7
        a[j] = a[j - 1] + a[j + 1]
    return a


def from_both_ends(a):
    n = len(a)
    for j in range(1, n):
        a[j] += a[j - 1]
        a[n - 1 - j] += 1
    return a


LINES = [
    decayed,
    second_order,
    third_and_ahead,
    backwards,
    written_twice,
    disturbed,
    sometimes,
    from_both_ends,
]


@pytest.mark.parametrize("function", LINES)
@pytest.mark.parametrize("dtype", DTYPES)
def test_lines_of_any_length(function, dtype):
    compiled = ag.to_graph(function)
    for length in (40, 41, 2, 3, 4, 5, 6, 9):
        a = draw(length, dtype=dtype)
        found, expected = compiled(a.copy()), function(a.copy())
        assert found.dtype == expected.dtype
        np.testing.assert_array_equal(found, expected)


def states(function, *args):
    """How many scalars the innermost loops carry, at most."""
    (kernel,) = ag.to_graph(function).kernels(*args).values()
    loops = [s for s in ir.walk(for_host(kernel.kernel).body) if isinstance(s, ir.For)]
    return max((len(s.state) for s in loops), default=0)


@pytest.mark.parametrize("function", [decayed, second_order, third_and_ahead, backwards])
def test_what_a_trip_leaves_stays_in_scalars(function):
    assert states(function, draw(40)) > 0


@pytest.mark.parametrize("function", [disturbed, from_both_ends])
def test_what_may_change_is_read_again(function):
    assert states(function, draw(41)) == 0


def swept(a):
    for i in range(1, a.shape[0] - 1):
        for j in range(1, a.shape[1] - 1):
            above = a[i - 1, j - 1] + a[i - 1, j] + a[i - 1, j + 1]
            a[i, j] = (above + a[i, j - 1] + a[i, j + 1] + a[i + 1, j]) / 7
    return a


def swept_back(a):
    for i in range(a.shape[0] - 2, 0, -1):
        for j in range(a.shape[1] - 2, 0, -1):
            a[i, j] = (a[i, j + 1] + a[i + 1, j] + a[i - 1, j]) / 4
    return a


def warped(a):
    x, y = a[0], a[:, 0]
    table = np.full((len(x) + 1, len(y) + 1), np.inf)
    table[0, 0] = 0.0
    for i in range(len(x)):
        for j in range(len(y)):
            best = min(table[i, j + 1], table[i + 1, j], table[i, j])
            table[i + 1, j + 1] = abs(x[i] - y[j]) + best
    return table


def three_tables(a):
    n, m = a.shape
    best = np.zeros((n + 1, m + 1))
    over, down = best.copy(), best.copy()
    for i in range(n):
        for j in range(m):
            over[i + 1, j + 1] = max(best[i + 1, j] - 3.0, over[i + 1, j] - 1.0)
            down[i + 1, j + 1] = max(best[i, j + 1] - 3.0, down[i, j + 1] - 1.0)
            here = best[i, j] + a[i, j]
            best[i + 1, j + 1] = max(here, over[i + 1, j + 1], down[i + 1, j + 1])
    return best


def packed(a):
    """A knapsack, in which places are read known only at run time."""
    weights = np.abs(a[0].astype(np.int64))
    table = np.zeros((len(weights) + 1, a.shape[0] * 2 + 1))
    for i in range(len(weights)):
        for j in range(a.shape[0] * 2 + 1):
            table[i + 1, j] = table[i, j]
            if weights[i] <= j:
                table[i + 1, j] = max(table[i, j], table[i, j - weights[i]] + i)
    return table


def halves(a):
    n = a.shape[1] // 2
    out = np.zeros((n, 2 * n + 1))
    for i in range(n):
        for j in range(2 * n):
            out[i, j + 1] = out[i, j] * 0.5 + a[0, j] * a[0, i]
    return out


def inner_rows(a):
    n, m = a.shape
    out = np.zeros((n - 1, m + 2))
    for i in range(n - 2):
        for j in range(m):
            out[i + 1, j + 1] = a[i, j] + 0.5 * out[i, j + 2] - 0.25 * out[i + 1, j]
    return out


TABLES = [swept, swept_back, warped, three_tables, packed, halves, inner_rows]


@pytest.mark.costly
@pytest.mark.parametrize("function", TABLES)
@pytest.mark.parametrize("dtype", DTYPES)
def test_tables_of_any_length(function, dtype):
    compiled = ag.to_graph(function)
    for shape in ((20, 23), (24, 19), (2, 3), (3, 2), (5, 4), (9, 13)):
        a = draw(*shape, dtype=dtype)
        found, expected = compiled(a.copy()), function(a.copy())
        assert found.dtype == expected.dtype
        np.testing.assert_array_equal(found, expected)


@pytest.mark.costly
@pytest.mark.parametrize("function", TABLES)
def test_rows_of_any_length_are_understood(function):
    """As many loops are changed as where the lengths are known."""
    compiled = ag.to_graph(function)
    for shape in ((20, 23), (24, 29)):
        compiled(draw(*shape))
    (kernel,) = compiled.kernels(draw(34, 39)).values()
    assert kernel.kernel.symbols
    (static,) = ag.to_graph(function).kernels(draw(34, 39)).values()
    assert most_at_once(kernel.kernel) == most_at_once(static.kernel) > 1


def most_at_once(kernel):
    """How many elements trips of a loop write at most, or the lanes of a vector."""
    found = ir.walk(for_host(kernel).body)
    loops = [s for s in found if isinstance(s, ir.For | ir.Each)]
    lanes = lambda s: 8 if getattr(s, "mode", "") == "vector" else 1
    return max(
        lanes(s) * sum(isinstance(x, ir.Store) for x in s.body)
        for s in loops
        if sum(isinstance(x, ir.Load) for x in ir.walk(s.body)) > 1
    )


def test_a_table_that_no_memory_holds():
    def wide(a, b):
        table = np.zeros((len(a) + 1, len(b) + 1))
        for i in range(len(a)):
            for j in range(len(b)):
                table[i + 1, j + 1] = a[i] + table[i, j]
        return table[-1, -1]

    compiled = ag.to_graph(wide)
    for n in (3, 4):
        assert compiled(np.ones(n, np.int8), np.ones(n, np.int8)) == n
    lines = np.broadcast_to(np.int8(1), (2**31,)), np.broadcast_to(np.int8(1), (2**31 - 1,))
    with pytest.raises((MemoryError, ValueError)):
        compiled(*lines)
