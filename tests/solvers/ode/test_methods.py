"""The coefficients of the methods: orders of the steps, of the values within them, of the errors;
and the small linear equations."""

import numpy as np
import pytest

import autograph as ag
from autograph.solvers.ode import linear, steps
from autograph.solvers.ode.methods import METHODS

reference = pytest.importorskip("scipy.integrate")


def slope(t, y):
    return np.array([y[1], -np.sin(y[0]) + np.cos(2.0 * t)])


def linearized(t, y):
    return np.array([[0.0, 1.0], [-np.cos(y[0]), 0.0]]), np.array([0.0, -2.0 * np.sin(2.0 * t)])


def errors(method, count):
    """Of the last state, of the states within steps, and what the method says of one step."""
    exact = reference.solve_ivp(
        slope, (0, 1), [1.0, 0.5], "DOP853", rtol=1e-13, atol=1e-14, dense_output=True
    ).sol
    y, h, inside, estimates = np.array([1.0, 0.5]), 1.0 / count, 0.0, []
    for i in range(count):
        t = i * h
        stiff = linearized if method.couplings else None
        step = steps.one(method, slope, stiff, t, y, slope(t, y), h, t + h)
        inside = max(
            inside, np.max(np.abs(steps.within(method, y, step, 0.3) - exact(t + 0.3 * h)))
        )
        polynomial = steps.polynomial(method, step)
        for s in (0.3, 1.0):
            same = steps.within(method, y, step, s)
            np.testing.assert_allclose(steps.evaluated(y, polynomial, s), same, rtol=1e-13)
        np.testing.assert_allclose(same, step.y, rtol=1e-13)
        estimates.append(0.0 if step.error is None else np.max(np.abs(step.error)))
        y = step.y
    return np.max(np.abs(y - exact(1.0))), inside, max(estimates)


WITHIN = {"dopri5": 5, "tsit5": 5, "bosh3": 3, "rk4": 4, "rodas4": 4}


@pytest.mark.parametrize("name", METHODS)
def test_orders(name):
    method = METHODS[name]
    coarse, fine = np.array(errors(method, 10)), np.array(errors(method, 20))
    found = np.log2(coarse[:2] / fine[:2])
    assert found[0] > method.order - 0.2
    assert found[1] == pytest.approx(WITHIN[name], abs=0.35)
    if method.error:
        assert np.log2(coarse[2] / fine[2]) > method.exponent - 0.4


@pytest.mark.parametrize("name", METHODS)
def test_conditions(name):
    method = METHODS[name]
    if method.couplings:
        return
    for node, row in zip(method.nodes, method.stages):
        assert sum(row) == pytest.approx(node, abs=1e-14)
    assert sum(method.error) == pytest.approx(0.0, abs=1e-14)


@pytest.mark.parametrize("n", [1, 2, 5, linear.SMALL, linear.SMALL + 1])
def test_linear_equations(n):
    rng = np.random.default_rng(n)
    a, b = rng.normal(size=(n, n)), rng.normal(size=n)
    a[0, 0] = 0.0 if n > 1 else 1.0  # it has to exchange rows
    kept = a.copy()
    solve = lambda a, b: linear.solved(linear.factored(a), b)
    np.testing.assert_allclose(solve(a, b), np.linalg.solve(a, b), rtol=1e-8)
    np.testing.assert_array_equal(a, kept)
    np.testing.assert_allclose(ag.to_graph(solve)(a, b), np.linalg.solve(a, b), rtol=1e-8)


@pytest.mark.slow
def test_linear_equations_have_derivatives():
    rng = np.random.default_rng(0)
    a, b = rng.normal(size=(3, 3)), rng.normal(size=3)
    solve = lambda a, b: np.sum(linear.solved(linear.factored(a), b) ** 2)
    ag.check_grads(solve, (a, b), order=2)
