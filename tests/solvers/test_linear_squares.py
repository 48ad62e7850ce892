"""Linear least squares of a sparse matrix by its elements, and of the whole one."""

import numpy as np
import pytest

from autograph.solvers import linear_squares
from autograph.solvers.dogleg import dogleg
from autograph.solvers.gauss_newton import gauss_newton
from autograph.solvers.levenberg_marquardt import levenberg_marquardt

RNG = np.random.default_rng(0)
WHOLE = np.where(RNG.random((30, 12)) < 0.3, RNG.normal(size=(30, 12)), 0.0)
WHOLE[:, 4] = 0.0
R = RNG.normal(size=30)
ROWS, COLUMNS = np.nonzero(WHOLE)
ELEMENTS = WHOLE[ROWS, COLUMNS]
DENSE = linear_squares.of_matrix()


def sparse(tol=1e-13):
    return linear_squares.of_elements(ROWS, COLUMNS, WHOLE.shape, tol)


def test_products():
    v = RNG.normal(size=12)
    np.testing.assert_allclose(sparse().product(ELEMENTS, v), WHOLE @ v, rtol=1e-12)
    np.testing.assert_allclose(sparse().transposed(R, ELEMENTS), R @ WHOLE, rtol=1e-12, atol=1e-14)
    norms = sparse().norms(ELEMENTS)
    np.testing.assert_allclose(norms, DENSE.norms(WHOLE), rtol=1e-12)
    assert norms[4] == 1.0


def test_steps():
    step, is_exact = sparse().shortest(R, ELEMENTS)
    np.testing.assert_allclose(step, DENSE.shortest(R, WHOLE)[0], rtol=1e-9, atol=1e-12)
    assert is_exact
    scale = 1.0 + RNG.random(12)
    found = sparse().damped(R, ELEMENTS, scale, 0.3, 1e9)
    wanted = DENSE.damped(R, WHOLE, scale, 0.3, 1e9)
    for one, other in zip(found[:2], wanted):
        np.testing.assert_allclose(one, other, rtol=1e-9, atol=1e-12)
    assert found[2]
    normal = WHOLE.T @ WHOLE + 0.3 * np.diag(scale**2)
    np.testing.assert_allclose(found[0], np.linalg.solve(normal, -R @ WHOLE), rtol=1e-9, atol=1e-12)
    assert not sparse().damped(R, ELEMENTS, scale, 0.3, 1e-9)[2]


@pytest.mark.parametrize("method", [gauss_newton, levenberg_marquardt, dogleg])
def test_steps_that_are_not_found_tell_nothing(method):
    """Where conjugate gradients do not reach their tolerance, no step counts as the last one."""
    exact = sparse()
    inexact = exact._replace(
        shortest=lambda r, j: (exact.shortest(r, j)[0], False),
        damped=lambda *args: (*exact.damped(*args)[:2], False),
    )
    problem = lambda x: WHOLE @ x + R, lambda x: ELEMENTS
    _, converged, steps = method(*problem, exact, np.zeros(12), 1e-8, 50)
    assert converged and steps < 50
    assert not method(*problem, inexact, np.zeros(12), 1e-8, 50)[1]


def test_conjugate_gradients_that_end_too_early():
    hard = 10.0 ** -np.arange(12.0)[COLUMNS // 2] * ELEMENTS
    unscaled = linear_squares.of_elements(ROWS, COLUMNS, WHOLE.shape, 1e-300)
    assert not unscaled.damped(R, hard, np.ones(12), 0.0, 1e300)[2]
