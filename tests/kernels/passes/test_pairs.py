"""Loops over pairs, ``for i: for j > i``: several rows run together although each is one element
longer or shorter than the one before."""

from __future__ import annotations

import numpy as np
import pytest

import autograph as ag
from autograph.kernels.ir import ir
from tests.kernels.passes.test_loops_of_nests import loops

D = 5  # rows of what is summed up


def upper(x, out):
    n = out.shape[0]
    for i in range(n):
        for j in range(i + 1, n):
            s = 0.0
            for k in range(D):
                s += x[k, i] * x[k, j]
            out[i, j] = s
    return out


def both(x, out):
    n = out.shape[0]
    for i in range(n - 1):
        for j in range(i + 1, n):
            out[i, j] = np.sum(x[:, i] * x[:, j])
            out[j, i] = out[i, j]
    return out


def lower_in_place(x, out):
    n = out.shape[0]
    for i in range(n):
        for j in range(i + 1):
            s = out[i, j] * 0.5
            for k in range(D):
                s += np.abs(x[k, i] - x[k, j])
            out[i, j] = s
    return out


def rows_backwards(x, out):
    n = out.shape[0]
    for i in range(n - 1, -1, -1):
        for j in range(i, n):
            s = 0.0
            for k in range(D):
                s = max(s, x[k, i] - x[k, j])
            out[i, j] += s
    return out


def moved_to_the_left(x, out):
    n = out.shape[0]
    for i in range(n):
        for j in range(n - i):
            s = 0.0
            for k in range(D):
                s += x[k, i] * x[k, i + j]
            out[i, j] = s
    return out


def some_of_them(x, out):
    n = out.shape[0]
    for i in range(n):
        for j in range(i):
            s = 0.0
            for k in range(D):
                s += x[k, i] * x[k, j]
            if s > 0:
                out[i, j] = s
    return out


def strict_rows(x, out):
    n = out.shape[0]
    for i in range(n):
        out[i, :i] *= 2.0
        for k in range(D):
            out[i, :i] += x[k, i] * x[k, :i]
    return out


def products(x, out):
    n = out.shape[0]
    for i in range(n - 1):
        out[i + 1 :, i] = out[i, i + 1 :] = x[:, i] @ x[:, i + 1 :]
    return out


PROGRAMS = [
    upper,
    both,
    lower_in_place,
    rows_backwards,
    moved_to_the_left,
    some_of_them,
    strict_rows,
    products,
]


def arguments(n):
    rng = np.random.default_rng(n)
    return rng.normal(size=(D, n)), rng.normal(size=(n, n))


def compare(function, compiled, n):
    x, out = arguments(n)
    expected = function(x, out.copy())
    given = out.copy()
    result = compiled(x, given)
    np.testing.assert_allclose(result, expected, rtol=1e-13, atol=1e-14)
    np.testing.assert_array_equal(given, result)


@pytest.mark.parametrize("n", [7, 23])
@pytest.mark.parametrize("function", PROGRAMS)
def test_pairs_are_what_python_computes(function, n):
    compare(function, ag.to_graph(function), n)


@pytest.mark.costly
@pytest.mark.parametrize("function", PROGRAMS)
def test_pairs_of_any_length(function):
    compiled = ag.to_graph(function)
    for n in (23, 9, 10, 11, 12, 5, 3, 2, 1, 0):
        compare(function, compiled, n)


@pytest.mark.costly
@pytest.mark.parametrize(
    "function",
    [upper, both, lower_in_place, strict_rows, pytest.param(products, marks=pytest.mark.slow)],
)
def test_rows_of_pairs_run_together(function):
    x, out = np.random.default_rng(0).normal(size=(D + 80, 60)), np.zeros((60, 60))
    found = loops(function, x, out)
    eaches = [s for s in found if isinstance(s, ir.Each)]
    assert max(len(s.state) for s in found if isinstance(s, ir.For)) == 4
    assert any(isinstance(s.count, ir.Number) and s.count.value == 3 for s in eaches)


def test_pairs_of_long_rows_shared_by_threads():
    x, out = np.random.default_rng(0).normal(size=(D, 301)), np.zeros((301, 301))
    np.testing.assert_allclose(
        ag.to_graph(upper)(x, out.copy()), np.triu(x.T @ x, 1), rtol=1e-12, atol=1e-13
    )
