"""The derivative of writing to rows that an index array names, some of them twice."""

from __future__ import annotations

import numpy as np
import pytest

import autograph as ag
from autograph.graph.graph import walk
from ops.core.types import ArrayType

ROWS, COLUMNS = np.array([0, 2, 0]), np.array([1, 0, 1])
X = np.random.default_rng(0).normal(size=(3, 3))
V = np.random.default_rng(1).normal(size=(3, 3))


def rows(x, v):
    x = x.copy()
    x[ROWS] = v
    return np.sum(np.sin(x))


def whole_slices(x, v):
    x = x.copy()
    x[ROWS, :] = v
    return np.sum(np.sin(x))


def an_ellipsis(x, v):
    x = x.copy()
    x[ROWS, ...] = v
    return np.sum(np.sin(x))


def parts_of_rows(x, v):
    x = x.copy()
    x[ROWS, 1:] = v[:, 1:]
    return np.sum(np.sin(x))


def elements(x, v):
    x = x.copy()
    x[ROWS, COLUMNS] = v[:, 0]
    return np.sum(np.sin(x))


def columns(x, v):
    x = x.copy()
    x[:, ROWS] = v
    return np.sum(np.sin(x))


def a_new_axis(x, v):
    x = x.copy()
    x[None, ROWS] = v
    return np.sum(np.sin(x))


def one_row_for_all(x, v):
    x = x.copy()
    x[ROWS] = v[0]
    return np.sum(np.sin(x))


def in_a_loop(x, v):
    for k in range(2):
        x = x.copy()
        x[np.array([k, k + 1, k])] = v * x[k]
    return np.sum(np.sin(x))


def apart(x, v):
    y = np.stack([x, v, x * v])
    y[ROWS, :, ROWS] = np.cos(y[COLUMNS, :, COLUMNS])
    return np.sum(y**2)


FUNCTIONS = [
    *(rows, whole_slices, an_ellipsis, parts_of_rows, elements, columns, a_new_axis),
    *(one_row_for_all, in_a_loop, apart),
]


@pytest.mark.parametrize("function", FUNCTIONS)
def test_what_is_written_last_counts(function):
    ag.check_grads(function, (X, V), order=2, modes=("fwd", "rev"))
    gradient = ag.grad(function, argnums=(0, 1))
    lanes = ag.vmap(gradient)(np.stack([X, X + 1.0]), np.stack([V, 2.0 * V]))
    for found, expected in zip(lanes, zip(gradient(X, V), gradient(X + 1.0, 2.0 * V))):
        np.testing.assert_allclose(found, expected, rtol=1e-12)


def test_which_is_last_is_asked_of_rows_not_of_elements():
    def f(x, v, places):
        x = x.copy()
        x[places] = v
        return np.sum(np.sin(x))

    graph = ag.grad(f, argnums=1).graph(X, V, ROWS).main
    values = [value for node in walk(graph) for value in node.outputs]
    arrays = [v.type for v in values if isinstance(v.type, ArrayType) and v.type.shape]
    numbers = [type for type in arrays if type.dtype.kind == "i"]
    assert numbers and all(type.shape == (3,) for type in numbers)
