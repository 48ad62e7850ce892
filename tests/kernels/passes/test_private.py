"""Loops of independent trips are shared by threads, with memory of their own for arrays that each
trip fills before it reads them."""

import numpy as np
import pytest

pytest.importorskip("llvmlite")
import autograph as ag
from autograph.kernels.ir import ir
from autograph.kernels.passes.improving import improved
from tests.kernels.kernel_check import check

X = np.random.default_rng(0).normal(size=(40, 500))
EDGES = np.linspace(-2.0, 2.0, 41)


def rings(x, edges):
    """A mask that both branches fill."""
    sums = np.zeros(40)
    for k in range(40):
        if k < 39:
            inside = (x[0] >= edges[k]) & (x[0] < edges[k + 1])
        else:
            inside = (x[0] >= edges[k]) & (x[0] <= edges[k + 1])
        sums[k] = np.sum(x[1][inside]) + np.sum(inside)
    return sums


def filled_by_halves(x, edges):
    out = np.zeros(40)
    for k in range(40):
        row = np.empty(500)
        row[:250] = np.sin(x[k, 250:])
        row[250:] = np.cos(x[k, :250])
        out[k] = np.sum(row * row[::-1]) + edges[k]
    return out


def filled_one_by_one(x, edges):
    out = np.zeros(40)
    row = np.zeros(500)
    for k in range(40):
        for j in range(500):
            row[j] = x[k, j] * edges[k]
        for j in range(499):
            out[k] += row[j] * row[j + 1]
    return out


def runs(x, edges):
    """Loops that end when they end."""
    out = np.zeros(40)
    for k in range(40):
        j, total = 0, 0.0
        while j < 500 and total < 50.0:
            total += abs(x[k, j])
            j += 1
        out[k] = j + edges[k]
    return out


def segments(x, places):
    out = np.zeros(len(places) - 1)
    for k in range(len(places) - 1):
        total = 0.0
        for j in range(places[k], places[k + 1]):
            total += x[k, j] * x[0, j]
        out[k] = total
    return out


def kept_where_not_filled(x, edges):
    """What a trip does not write is of one before."""
    out = np.zeros(40)
    row = np.zeros(500)
    for k in range(40):
        for j in range(k, 500):
            row[j] = x[k, j]
        for j in range(500):
            out[k] += row[j]
    return out


def kept_in_a_branch(x, edges):
    out = np.zeros(40)
    row = np.zeros(500)
    for k in range(40):
        if edges[k] > 0.5:
            row = np.sin(x[k])
        out[k] = np.sum(row * x[0])
    return out


def read_after_the_loop(x, edges):
    out = np.zeros(40)
    row = np.zeros(500)
    for k in range(40):
        for j in range(500):
            row[j] = x[k, j]
        for j in range(500):
            out[k] += row[j] * edges[k]
    return out, row


def one_element_for_all(x, edges):
    out = np.zeros(40)
    for k in range(40):
        for j in range(500):
            out[k % 7] += x[k, j]
    return out


PLACES = np.sort(np.random.default_rng(1).integers(0, 500, 41))
SHARED = [rings, filled_by_halves, filled_one_by_one, runs, segments]
IN_ORDER = [kept_where_not_filled, kept_in_a_branch, read_after_the_loop, one_element_for_all]


def arguments(function, dtype="f8"):
    return X.astype(dtype), PLACES if function is segments else EDGES.astype(dtype)


def threads_share(function, *args):
    kernels = ag.to_graph(function).kernels(*args).values()
    found = [s for kernel in kernels for s in ir.walk(improved(kernel.kernel).body)]
    return any(isinstance(s, ir.Each) and s.mode == "parallel" for s in found)


@pytest.mark.parametrize("function", [*SHARED, *IN_ORDER])
def test_as_python(function):
    check(function, *arguments(function), kernels=None, ulps=64, scale=500.0)


@pytest.mark.parametrize("function", [filled_one_by_one, runs, segments, kept_where_not_filled])
def test_of_single_precision(function):
    """Those that add up in the order that is written."""
    check(function, *arguments(function, "f4"), kernels=None, ulps=0)


@pytest.mark.parametrize("function", SHARED)
def test_independent_trips_are_shared(function, monkeypatch):
    monkeypatch.setattr("autograph.kernels.passes.nests._WORTH_THREADS", 0)
    assert threads_share(function, *arguments(function))


@pytest.mark.parametrize("function", IN_ORDER)
def test_trips_that_depend_on_each_other_stay_in_order(function, monkeypatch):
    monkeypatch.setattr("autograph.kernels.passes.nests._WORTH_THREADS", 0)
    assert not threads_share(function, *arguments(function))


def test_short_loops_stay_on_their_thread():
    assert not threads_share(segments, X, PLACES[:5])


def test_on_threads():
    """So long that threads run it."""
    x = np.random.default_rng(2).normal(size=(40, 40000))
    found = ag.to_graph(rings)(x, EDGES)
    np.testing.assert_allclose(found, rings(x, EDGES), rtol=1e-12, atol=1e-9)


def test_a_place_outside_ends_all_threads():
    places = np.arange(0, 20000 * 8, 8)

    def sums(x, places):
        out = np.zeros(len(places) - 1)
        for k in range(len(places) - 1):
            for j in range(places[k], places[k + 1]):
                out[k] += x[j] * x[j]
        return out

    compiled, x = ag.to_graph(sums), np.ones(20000 * 8)
    np.testing.assert_array_equal(compiled(x, places), np.full(19999, 8.0))
    with pytest.raises(IndexError):
        compiled(x[:-99], places)


def test_texts_of_kernels_whose_statements_moved_have_their_places():
    def best(scores, ways):
        return np.argmax(scores[:, None] + ways, axis=0), np.max(scores[:, None] + ways, axis=0)

    def steps(scores, ways):
        for _ in range(3):
            places, scores = best(scores, ways)
        return places, scores

    text = str(ag.to_graph(steps).kernels(np.ones(24), np.ones((24, 24))))
    assert "test_private.py" in text
