"""Rows of a recurrence that run together while the nest keeps the best element so far: the same
bits as in the order of all elements, of the first of several that are equal, and among NaN."""

import numpy as np
import pytest

pytest.importorskip("llvmlite")
import autograph as ag
from autograph.kernels import program
from autograph.kernels.ir import ir
from autograph.kernels.passes.host import for_host

A, B = np.random.default_rng(0).integers(-3, 3, size=(2, 23, 31)).astype(float)


@pytest.fixture(autouse=True)
def native_code_has_to_be_made(monkeypatch):
    monkeypatch.setattr(program, "VERIFY", True)


def greatest(a, b, best):
    for i in range(1, 23):
        for j in range(1, 30):
            a[i, j] = max(a[i, j - 1] * 0.5, a[i - 1, j], b[i, j])
            if a[i, j] > best:
                best = a[i, j]
    return best


def where_first(a, b, best):
    row, column = -1, -1
    for i in range(1, 22):
        for j in range(1, 30):
            a[i, j] = b[i, j] - 0.5 * a[i, j - 1] + a[i - 1, j + 1]
            if best < a[i, j]:
                best, row, column = a[i, j], i, j
    return best, row, column


def least(a, b, best):
    noted = 0
    for i in range(1, 23):
        for j in range(1, 30):
            a[i, j] = b[i, j] - 0.5 * a[i, j - 1] + a[i - 1, j]
            if a[i, j] < best:
                noted = j
                best = a[i, j]
    return best, noted


def of_other_elements(a, b, best):
    for i in range(1, 23):
        for j in range(1, 30):
            a[i, j] = 0.5 * a[i, j - 1] + a[i - 1, j]
            if best > b[i, j]:
                best = b[i, j]
    return best


def last_of_equals(a, b, best):
    row = -1
    for i in range(1, 23):
        for j in range(1, 30):
            a[i, j] = b[i, j] - 0.5 * a[i, j - 1] + a[i - 1, j]
            if a[i, j] >= best:
                best, row = a[i, j], 32 * i + j
    return best, row


def used_in_the_row(a, b, best):
    for i in range(1, 23):
        for j in range(1, 30):
            a[i, j] = b[i, j] - 0.5 * a[i, j - 1] + a[i - 1, j] + best * 0.01
            if a[i, j] > best:
                best = a[i, j]
    return best


def two_of_them(a, b, best):
    low = best
    for i in range(1, 23):
        for j in range(1, 30):
            a[i, j] = b[i, j] - 0.5 * a[i, j - 1] + a[i - 1, j]
            if a[i, j] > best:
                best = a[i, j]
            if a[i, j] < low:
                low = a[i, j]
    return best, low


TOGETHER = [greatest, where_first, least, of_other_elements]
ALONE = [last_of_equals, used_in_the_row, two_of_them]
BEGIN = [0.0, -0.0, np.inf, -np.inf, np.nan, 1.0]


def numbers(kind):
    a, b = A.copy(), B.copy()
    if kind == "zeros":
        a[:], b[:] = 0.0, 0.0
        b[3:9, ::3], b[12:, ::4] = -0.0, -1.0
        a[0] = -0.0
    elif kind == "nan":
        b[5, 7] = b[9, 3] = b[17, 20] = np.nan
    elif kind == "float32":
        a, b = a.astype(np.float32), (b / 3).astype(np.float32)
    return a, b


@pytest.mark.parametrize("function", [*TOGETHER, *ALONE])
@pytest.mark.parametrize("kind", ["equals", "zeros", "nan", "float32"])
def test_the_same_bits(function, kind):
    compiled = ag.to_graph(function)
    for begin in BEGIN:
        (a, b), (c, d) = numbers(kind), numbers(kind)
        with np.errstate(invalid="ignore"):
            expected, found = function(a, b, begin), compiled(c, d, begin)
        for x, y in ((a, c), (np.array(expected), np.array(found))):
            np.testing.assert_array_equal(x, y)
            signs = [np.signbit(z) & ~np.isnan(z) for z in (x, y)]
            np.testing.assert_array_equal(*signs)


@pytest.mark.parametrize("function", [*TOGETHER, *ALONE])
def test_which_run_together(function):
    kernels = ag.to_graph(function).kernels(A.copy(), B.copy(), 0.0).values()
    statements = [s for k in kernels for s in ir.walk(for_host(k.kernel).body)]
    loops = [s for s in statements if isinstance(s, ir.For)]
    counts = {int(s.count.value) for s in loops if isinstance(s.count, ir.Number)}
    # In fours, or in twos where rows carry much.
    assert bool(counts & {5, 10}) == (function in TOGETHER)


def alignment(x, y, gap):
    table = np.zeros((len(x) + 1, len(y) + 1))
    best = 0.0  # Python's number, until it is NumPy's
    for i in range(1, len(x) + 1):
        for j in range(1, len(y) + 1):
            score = 2.0 if x[i - 1] == y[j - 1] else -1.0
            down, right = table[i - 1, j] + gap, table[i, j - 1] + gap
            table[i, j] = max(0.0, table[i - 1, j - 1] + score, down, right)
            if table[i, j] > best:
                best = table[i, j]
    return best, table


@pytest.mark.costly
@pytest.mark.parametrize("rows", range(12))
def test_any_number_of_rows(rows):
    x, y = np.random.default_rng(rows).integers(0, 4, size=(2, 40))
    compiled = ag.to_graph(alignment)
    for columns in (0, 1, 9, 12, 40):
        found = compiled(x[:rows], y[:columns], -0.5)
        expected = alignment(x[:rows], y[:columns], -0.5)
        assert type(found[0]) is type(expected[0])
        assert found[0] == expected[0]
        assert np.array_equal(found[1], expected[1])


def test_derivative():
    x, y = np.random.default_rng(1).integers(0, 4, size=(2, 12))
    ag.check_grads(lambda gap: alignment(x, y, gap)[0], (-0.47,))
