"""Slices that move with a loop, of any length: ``x[i : i + n - 4]`` is a window of a known one."""

import numpy as np
import pytest

pytest.importorskip("llvmlite")
import autograph as ag


def draw(n, m):
    rng = np.random.default_rng(n)
    return rng.normal(size=(n, m)), rng.normal(size=(3, 5))


def convolved(x, w):
    n, m = x.shape
    p, q = w.shape
    out = np.zeros((n - p + 1, m - q + 1))
    for i in range(p):
        for j in range(q):
            out += w[i, j] * x[i : i + n - p + 1, j : j + m - q + 1]
    return out


def halves(x, w):
    half = len(x) // 2
    out = np.zeros((half, x.shape[1]))
    for i in range(3):
        out += w[0, i] * x[i : i + half]
    return out


def spread(x, w):
    n = len(x)
    out = np.zeros((n + 4, x.shape[1]))
    for i in range(5):
        out[i : i + n] += w[0, i] * x
    return out


def past_the_end(x, w):
    n, total = len(x), 0.0
    for i in range(n):
        total += np.sum(x[i : i + n - 1]) * w[0, 0]
    return total


SHAPES = [(9, 12), (11, 14), (13, 15), (6, 7)]


@pytest.mark.costly
@pytest.mark.parametrize("function", [convolved, halves, spread, past_the_end])
def test_windows_of_any_length(function):
    compiled = ag.to_graph(function)
    batched = ag.vmap(function)
    for shape in SHAPES:
        x, w = draw(*shape)
        np.testing.assert_allclose(compiled(x, w), function(x, w), rtol=1e-12)
        several = batched(np.stack([x, -x]), np.stack([w, w]))
        np.testing.assert_allclose(several[1], function(-x, w), rtol=1e-12)


@pytest.mark.costly
@pytest.mark.parametrize("function", [convolved, halves, spread])
def test_derivatives_of_windows_of_any_length(function):
    loss = lambda x, w: np.sum(np.sin(function(x, w)))
    gradient = ag.grad(loss, argnums=(0, 1))
    for shape in SHAPES:
        x, w = draw(*shape)
        given, step = gradient(x, w), 1e-6
        assert [g.shape for g in given] == [x.shape, w.shape]
        ahead, behind = loss(x + step * x, w + step * w), loss(x - step * x, w - step * w)
        slope = np.sum(given[0] * x) + np.sum(given[1] * w)
        np.testing.assert_allclose(slope, (ahead - behind) / (2 * step), rtol=1e-5)


def test_a_convolution_of_any_length_is_one_of_windows():
    compiled = ag.to_graph(convolved)
    for shape in SHAPES[:2]:
        compiled(*draw(*shape))
    graph = str(compiled.graph(*draw(*SHAPES[2])))
    assert "('window', 0, n - 2, n)" in graph
    assert "?" not in graph
