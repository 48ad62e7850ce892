"""Arrays that functions of libraries make of known numbers: indexed, and written."""

import numpy as np
import pytest

import autograph as ag
from tests.support.oracle import Programs

programs = Programs()


@programs.test
def test_arrays_of_numpys_own(call):
    call.run()


X = np.array([0.2, 0.9, 0.4, 0.3])


@programs(X)
def an_edge_of_a_histogram(x):
    counts, edges = np.histogram(x, bins=4, range=(0, 1))
    best, place = -1, 0
    for i in range(4):
        if counts[i] > best:
            best, place = counts[i], i
    return edges[place], edges[np.argmax(counts)], edges[1:][place], x > edges[place]


@programs(X)
@programs(1 - X)
def edges_that_are_written(x):
    counts, edges = np.histogram(x, bins=3, range=(0, 1))
    _, rows, columns = np.histogram2d(x, x, bins=2, range=[[0, 1], [0, 2]])
    if x[0] > 0.5:
        edges[0] = -1.0
        rows[1] = x[1]
    return counts, edges, rows, columns


@programs(0.3)
@programs(1.1)
def nodes_of_a_quadrature(a):
    x, w = np.polynomial.legendre.leggauss(5)
    i = 0
    while x[i] < a - 1:
        i += 1
    if a > 1:
        w[i] = 0.0
    return x[i], w, np.polynomial.hermite.hermgauss(3)[0][i % 3]


@programs(X)
def what_other_functions_make(x):
    i = np.argmax(x)
    return np.fft.fftfreq(4)[i], np.flatnonzero([1, 0, 1])[i], np.diff([3.0, 1.0, 2.0])[i]


def test_rows_of_a_matrix_of_scipys():
    linalg = pytest.importorskip("scipy.linalg")

    def f(x):
        table = linalg.hilbert(3)
        return table[np.argsort(x[:3])], table[x[:3] > 0.3]

    for found, expected in zip(ag.to_graph(f)(X), f(X)):
        np.testing.assert_array_equal(found, expected)


def test_elements_of_what_scipy_makes():
    special = pytest.importorskip("scipy.special")

    def f(x):
        nodes, weights = special.roots_legendre(4)
        return weights[np.argmax(x)] * x[1] + nodes[x > 0.5].sum()

    assert ag.to_graph(f)(X) == f(X)
    np.testing.assert_array_equal(ag.grad(f)(X), [0, special.roots_legendre(4)[1][1], 0, 0])


def test_elements_by_several_indices():
    linalg = pytest.importorskip("scipy.linalg")

    def program(x):
        matrix = linalg.pascal(4)
        i = int(x[0])
        before = matrix[i, i - 3], matrix[-i, 1], matrix[np.array([0, i]), 1]
        matrix[3, 0] = 9
        total = 0.0
        for k in range(i):
            total += matrix[k, (k + i) % 4]
        return *before, matrix[i, 0], total

    compiled = ag.to_graph(program)
    for x in (np.array([3.0]), np.array([1.0])):
        assert repr(compiled(x)) == repr(program(x))
    with pytest.raises(IndexError):
        compiled(np.array([4.0]))
