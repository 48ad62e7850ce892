"""What branches say of places tells which trips of loops are independent of each other."""

import numpy as np
import pytest

pytest.importorskip("llvmlite")
from autograph.kernels.ir import ir
from tests.kernels.kernel_check import check, host_statements

X = np.random.default_rng(1).random((9, 50))


def with_borders(x, width):
    n, m = x.shape
    y = np.zeros((n, m))
    for i in range(1, n):
        for j in range(m):
            best = y[i - 1, j]
            if j > 0 and y[i - 1, j - 1] < best:
                best = y[i - 1, j - 1]
            if not (j >= m - 1 or y[i - 1, j + 1] >= best):
                best = y[i - 1, j + 1]
            y[i, j] = x[i, j] + best
    return y


def of_some_columns(x, width):
    n, m = x.shape
    y = np.zeros((n, m))
    for i in range(1, n):
        for j in range(width):
            best = y[i - 1, j]
            if j > 0 and y[i - 1, j - 1] < best:
                best = y[i - 1, j - 1]
            if j < width - 1 and y[i - 1, j + 1] < best:
                best = y[i - 1, j + 1]
            y[i, j] = x[i, j] + best
    return y


def inside(x, width):
    n, m = x.shape
    y = x.copy()
    for i in range(1, n):
        for j in range(1, width - 1):
            y[i, j] = min(y[i - 1, j - 1], y[i - 1, j + 1]) + x[i, j]
    return y


@pytest.mark.parametrize("function", [with_borders, of_some_columns, inside])
@pytest.mark.parametrize("width", [0, 1, 2, 31, 50])
def test_trips_are_independent(function, width):
    check(function, X, width)
    rows = [s for s in host_statements(function, X, 50) if isinstance(s, ir.For)]
    assert any(isinstance(x, ir.Each) for s in rows for x in ir.walk(s.body))


def next_in_row(x, width):
    """The place of the next trip is written unless the row ends."""
    n, m = x.shape
    y = x.copy()
    for i in range(n):
        for j in range(width):
            y[i, j] *= 2.0
            if j + 1 < m:
                y[i, j + 1] += y[i, j]
    return y


def around_the_end(x, width):
    """Where the row ends, the first place of the next row is touched."""
    n, m = x.shape
    y = x.copy().reshape(-1)
    for i in range(n - 1):
        for j in range(width):
            y[i * m + j] += 1.0
            if j < width or j == 3:
                y[i * m + j + 1] *= y[i * m + j]
    return y


@pytest.mark.parametrize("function", [next_in_row, around_the_end])
@pytest.mark.parametrize("width", [0, 1, 50])
def test_trips_are_not(function, width):
    check(function, X, width)


def test_places_outside():
    with pytest.raises(IndexError):
        of_some_columns(X, 51)
    check(of_some_columns, X, 51)
