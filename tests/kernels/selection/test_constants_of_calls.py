"""Array constants in functions that are called, once for each length of a recursion or from several
places, are arguments of these: the calls are parts of kernels."""

import numpy as np
import pytest

import autograph as ag
from autograph.kernels.native import available
from tests.kernels.kernel_check import assert_kernels, check

pytest.importorskip("llvmlite")
if not available():
    pytest.skip("there are no native kernels here", allow_module_level=True)


def permanent(a):
    n = a.shape[0]
    if n == 1:
        return a[0, 0]
    total = 0.0
    for j in range(n):
        total = total + a[0, j] * permanent(np.delete(a[1:], j, axis=1))
    return total


A = np.random.default_rng(0).random((4, 4))


def test_minors_by_delete_are_one_kernel():
    check(permanent, A, kernels=1)  # and the arrays of it are its arguments


def test_gradients_of_minors_are_one_kernel():
    gradient = ag.grad(permanent)
    ag.check_grads(permanent, (A,), order=2)
    gradient(A)
    assert_kernels(gradient, (A,), 1)


def test_minors_of_many_matrices():
    many = np.stack([A, A.T, A[::-1] + 1.0])
    found = ag.vmap(permanent)(many)
    np.testing.assert_allclose(found, [permanent(a) for a in many], rtol=1e-13)
    found = ag.vmap(ag.grad(permanent))(many)
    np.testing.assert_allclose(found, [ag.grad(permanent)(a) for a in many], rtol=1e-13)


WEIGHTS = np.array([0.25, 0.5, -1.0, 2.0])


def smoothed(x, n):
    """Of the next smaller part at each trip, with an array from outside."""
    if n == 0:
        return np.sum(x)
    total = 0.0
    for k in range(2):
        total = total + smoothed(x[1:] * WEIGHTS[n - 1] + np.sum(WEIGHTS) * k, n - 1)
    return total


def test_arrays_from_outside_that_change_between_calls(monkeypatch):
    compiled = ag.to_graph(lambda x: smoothed(x, 3))
    x = np.arange(5.0)
    assert compiled(x) == pytest.approx(smoothed(x, 3), rel=1e-14)
    monkeypatch.setitem(globals(), "WEIGHTS", WEIGHTS + 1.0)
    assert compiled(x) == pytest.approx(smoothed(x, 3), rel=1e-14)
    WEIGHTS[1] = 7.0
    assert compiled(x) == pytest.approx(smoothed(x, 3), rel=1e-14)
    ag.check_grads(compiled, (x,), order=2)


def chosen(x, k):
    """Looks up what is kept when recorded, in a branch and a loop."""
    kept = np.arange(len(x))
    total = 0.0
    while total < 3.0:
        if x[0] > total:
            total += np.sum(x * (kept != k)) + 1.0
        else:
            total += np.sum(x[kept[::-1]] * WEIGHTS[:3]) ** 2 + 1.0
    return total


def twice_chosen(x):
    total = 0.0
    for k in range(3):
        total += chosen(x, k) * chosen(x + total, 2 - k)
    return total


def test_constants_in_branches_and_loops_of_what_is_called():
    check(twice_chosen, np.array([0.5, 2.0, -1.0]), kernels=1, ulps=16)


def bounded(a, places):
    """Goes one place too far."""
    n = a.shape[0]
    if n == 1:
        return a[0]
    total = 0.0
    for j in range(n + 1):
        total += bounded(np.delete(a, places[j]), places)
    return total


@pytest.mark.parametrize("last", [0, -2])
def test_places_that_a_table_says(last):
    check(bounded, np.array([1.0, 2.0, 4.0]), np.array([0, 1, 0, last]), kernels=None)


def test_places_that_are_outside():
    with pytest.raises(IndexError):
        ag.to_graph(bounded)(np.array([1.0, 2.0, 4.0]), np.array([0, 1, 0, 5]))
