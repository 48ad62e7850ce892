"""Places that are clamped by a distance known only at run time are neighbours between the ends."""

import numpy as np
import pytest

pytest.importorskip("llvmlite")
import autograph as ag
from autograph.kernels.ir import ir
from autograph.kernels.passes.host import for_host

X = np.random.default_rng(0).normal(size=(23, 71))


def sums(x, r):
    n = len(x)
    c = np.zeros(n + 1)
    for i in range(n):
        c[i + 1] = c[i] + x[i]
    out = np.zeros(n)
    for i in range(n):
        low, high = max(i - r, 0), min(i + r + 1, n)
        out[i] = c[high] - c[low]
    return out


def of_rows(x, r):
    h, w = x.shape
    out = np.zeros((h, w))
    for i in range(h):
        up = max(0, i - r)
        down = min(h - 1, i + r)
        for j in range(w):
            left = max(0, j - r)
            right = min(w - 1, j + r)
            out[i, j] = x[down, right] - x[up, left] + (right - left)
    return out


def mirrored(x, r):
    n = len(x)
    out = np.zeros(n)
    for i in range(n):
        k = r - i if i < r else i - r
        out[i] = x[min(k, n - 1)]
    return out


def strict(x, r):
    n = len(x)
    out = np.zeros(n)
    for i in range(n):
        a = i - r
        if a <= 0:
            a = 0
        b = i + r
        if b > n - 2:
            b = n - 2
        out[i] = x[a] + 2.0 * x[b]
    return out


def backwards(x, r):
    n = len(x)
    out = np.zeros(n)
    for i in range(n):
        out[i] = x[max(n - 1 - i - r, 0)] - x[min(n - i + r, n - 1)]
    return out


PROGRAMS = [sums, of_rows, mirrored, strict, backwards]


def outcome(function, *args):
    try:
        return function(*args)
    except (IndexError, OverflowError) as error:
        return type(error)


@pytest.mark.parametrize("program", PROGRAMS)
def test_distances(program):
    compiled = ag.to_graph(program)
    for width in (71, 40, 33):  # the first by itself, the others as any length
        x = X[:, :width].copy() if program is of_rows else X[0, :width].copy()
        for r in (
            0,
            1,
            3,
            31,
            width // 2,
            width - 1,
            width,
            width + 1,
            500,
            -1,
            -2,
            2**41,
            -(2**41),
        ):
            wanted, found = outcome(program, x, r), outcome(compiled, x, r)
            if isinstance(wanted, type):
                assert found is wanted
            else:
                np.testing.assert_allclose(found, wanted, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("program", [sums, of_rows])
def test_they_have_three_parts(program):
    x = X if program is of_rows else X[0]
    (function,) = ag.to_graph(program).kernels(x, 3).values()
    kernel = for_host(function.kernel)
    eaches = [s for s in ir.walk(kernel.body) if isinstance(s, ir.Each) and s.mode == "vector"]
    assert any(not isinstance(s.count, ir.Number) for s in eaches)
