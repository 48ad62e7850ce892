"""Arrays of lengths known only at run time, which loops carry but leave where they are, are known
memory; others are not."""

import numpy as np
import pytest

pytest.importorskip("llvmlite")
from autograph.kernels.ir import ir, uses
from tests.kernels.kernel_check import check, host_statements

X = np.random.default_rng(0).random((12, 40))


def seams(x, count):
    """The length is another one in each trip."""
    h, w = x.shape
    width, total = w, 0.0
    for _ in range(count):
        cost = np.zeros((h, width))
        cost[0] = x[0, :width]
        for i in range(1, h):
            for j in range(width):
                best = cost[i - 1, j]
                if j > 0 and cost[i - 1, j - 1] < best:
                    best = cost[i - 1, j - 1]
                if j < width - 1 and cost[i - 1, j + 1] < best:
                    best = cost[i - 1, j + 1]
                cost[i, j] = x[i, j] + best
        total += np.min(cost[h - 1])
        width -= 1
    return total


def sums_in_turn(x, count):
    """Two arrays that one trip has, and one that lasts."""
    n = int(x[0, 0] * 0) + x.shape[1] - count
    kept = np.zeros(n)
    for t in range(count):
        one, other = np.zeros(n + t), np.zeros(n + t)
        for i in range(n):
            one[i] = x[t, i] + i
        for i in range(1, n):
            other[i] = one[i - 1] * other[i - 1] + 1.0 / (1 + i)
            one[i] = one[i] * 0.5
        for i in range(n):
            kept[i] += one[i] + other[i]
    return kept


def after_no_trip(x, count):
    n = int(x[0, 0] * 0) + count
    y = np.ones(n)
    for i in range(count - 40):
        y[i] = x[0, i]
    while n < count:
        y[0] = 7.0
        n += 1
    return y


def in_a_branch(x, count):
    n = int(x[0, 0] * 0) + count
    y, z = np.zeros(n), np.ones(n)
    for i in range(n):
        if x[0, i] > 0.5:
            y[i] = x[1, i]
        else:
            z[i] = y[i - 1] if i > 0 else 2.0
    return y, z


@pytest.mark.parametrize("function", [seams, sums_in_turn, after_no_trip, in_a_branch])
@pytest.mark.parametrize("count", [1, 9])
def test_arrays_that_stay(function, count):
    check(function, X, count)
    statements = list(host_statements(function, X, count))
    carried = {v for s in statements if isinstance(s, ir.For | ir.While) for v in s.state}
    bases = {b.base: b.kind for s in statements for b in uses.buffers(s) if b.base is not None}
    assert carried.isdisjoint(bases)
    assert "reserved" in bases.values()


def exchanged(x, count):
    n = int(x[0, 0] * 0) + count
    y, z = np.zeros(n), np.ones(n)
    for i in range(n):
        y[i] = z[n - 1 - i] + x[0, i]
        y, z = z, y
    return y, z


def grown(x, count):
    seen, total = [x[0, 0]], 0.0
    for i in range(count):
        if x[1, i] > 0.3:
            seen.append(x[2, i])
        seen[i // 2 % len(seen)] *= 2.0
        total += seen[-1]
    return total, np.array(seen)


def shorter(x, count):
    y = x[0, : int(x[0, 0] * 0) + count + 5] * 2.0
    for i in range(count):
        y = y[1:] + x[1, i]
    return y


@pytest.mark.parametrize("function", [exchanged, grown, shorter])
@pytest.mark.parametrize("count", [0, 1, 9])
def test_arrays_that_do_not(function, count):
    check(function, X, count)


def test_loops_carry_nothing_that_stays():
    for s in host_statements(seams, X, 3):
        if isinstance(s, ir.For | ir.While):
            assert all(v is not x for v, x in zip(s.state, s.following))
