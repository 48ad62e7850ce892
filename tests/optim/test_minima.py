"""`optim.minimize` and `optim.least_squares`."""

from dataclasses import dataclass

import numpy as np
import pytest

import autograph as ag
from autograph import optim
from autograph.errors import ConvergenceError, OperandShapeError, OperandTypeError

MINIMA = ["lbfgs", "newton-cg", "trust-region"]
SQUARES = ["gauss-newton", "levenberg-marquardt", "dogleg"]


def rosenbrock(x, a=1.0):
    return np.sum(100.0 * (x[1:] - x[:-1] ** 2) ** 2 + (a - x[:-1]) ** 2)


def parts(x, a=1.0):
    return {"valley": 10.0 * (x[1:] - x[:-1] ** 2), "ends": (a - x[0], a - x[1:-1])}


@pytest.mark.costly
@pytest.mark.parametrize("method", MINIMA)
def test_minima(method):
    start = np.array([0.5, 0.2, 2.0, 1.0, -0.3])
    found = ag.to_graph(lambda x: optim.minimize(rosenbrock, x, method=method))(start)
    np.testing.assert_allclose(found, np.ones(5), rtol=1e-6)


@pytest.mark.parametrize("method", SQUARES)
def test_least_squares(method):
    start = np.array([0.5, 0.2, 2.0, 1.0])
    found = ag.to_graph(lambda x: optim.least_squares(parts, x, method=method))(start)
    np.testing.assert_allclose(found, np.ones(4), rtol=1e-6)


@pytest.mark.costly
@pytest.mark.parametrize("method", MINIMA)
def test_derivatives_of_minima(method):
    place = lambda a: optim.minimize(lambda x: rosenbrock(x, a), np.zeros(2), method=method)
    function = lambda a: place(a)[1]  # a**2
    assert ag.grad(function)(1.5) == pytest.approx(3.0, rel=1e-6)
    if method == "trust-region":  # the others have the same derivatives
        assert ag.grad(ag.grad(function))(1.5) == pytest.approx(2.0, rel=1e-5)
        assert ag.jvp(function, (1.5,), (1.0,))[1] == pytest.approx(3.0, rel=1e-6)


T = np.linspace(0.0, 2.0, 7)
Y = 2.0 * np.exp(-1.3 * T) + 0.1 * np.cos(9.0 * T)


def fitted(y, method, tol=1e-11):
    """Residuals are not zero: the second derivatives of the model count."""
    model = lambda p: p["size"] * np.exp(-p["rate"] * T) - y
    return optim.least_squares(model, {"size": 1.0, "rate": 1.0}, method=method, tol=tol)


@pytest.mark.costly
@pytest.mark.parametrize("method", SQUARES)
def test_derivatives_of_fits(method):
    function = lambda y: fitted(y, method)["rate"]
    found = ag.grad(function)(Y)
    wanted = [(function(Y + e) - function(Y - e)) / 2e-4 for e in 1e-4 * np.eye(len(Y))]
    np.testing.assert_allclose(found, wanted, rtol=1e-5)
    along = np.cos(T)
    second = ag.grad(lambda y: ag.grad(function)(y) @ along)(Y)
    slope = ag.grad(function)
    wanted = (slope(Y + 1e-4 * along) - slope(Y - 1e-4 * along)) / 2e-4
    np.testing.assert_allclose(second, wanted, rtol=1e-4, atol=1e-7)


@dataclass
class Line:
    slope: float
    level: float
    name: str = "line"


@pytest.mark.parametrize("method", MINIMA)
def test_unknowns_of_any_structure(method):
    x = np.arange(4.0)
    y = 3.0 * x - 1.0
    off = lambda line: np.sum((line.slope * x + line.level - y) ** 2)
    found = optim.minimize(off, Line(0.0, 0.0), method=method)
    assert (type(found), found.name) == (Line, "line")
    np.testing.assert_allclose([found.slope, found.level], [3.0, -1.0], rtol=1e-6)


@pytest.mark.costly
@pytest.mark.parametrize("method", MINIMA)
def test_a_number(method):
    place = lambda a: optim.minimize(lambda x: np.cosh(x - a), 0.0, method=method)
    assert place(1.5) == pytest.approx(1.5, rel=1e-6)
    assert ag.grad(place)(1.5) == pytest.approx(1.0, rel=1e-6)


def test_a_number_that_fits():
    place = lambda a: optim.least_squares(lambda x: np.array([x * x - a, 0.1 * (x - 1.0)]), 1.0)
    h = 1e-5
    wanted = (place(2.0 + h) - place(2.0 - h)) / (2 * h)
    assert ag.grad(place)(2.0) == pytest.approx(wanted, rel=1e-5)


@pytest.mark.parametrize("method", SQUARES)
def test_fewer_residuals_than_unknowns(method):
    found = optim.least_squares(lambda x: np.array([np.sum(x) - 3.0]), np.zeros(3), method=method)
    np.testing.assert_allclose(found, np.ones(3), rtol=1e-6)


@pytest.mark.parametrize("method", MINIMA)
def test_float32(method):
    start = np.array([0.5, 0.2], np.float32)
    found = optim.minimize(lambda x: np.sum((x - 2.0) ** 2), start, method=method)
    assert found.dtype == np.float32
    np.testing.assert_allclose(found, [2.0, 2.0], rtol=1e-4)


def test_many_unknowns_by_products():
    n = 300
    scale = np.linspace(1.0, 50.0, n)

    def place(a):
        chain = lambda x: np.sum(scale * (x - a) ** 2) + np.sum(np.diff(x) ** 4)
        return optim.minimize(chain, np.zeros(n), linear="cg", tol=1e-10)

    np.testing.assert_allclose(place(0.7), np.full(n, 0.7), rtol=1e-8)
    assert ag.grad(lambda a: np.sum(place(a)))(0.7) == pytest.approx(n, rel=1e-6)


def test_what_does_not_converge():
    with pytest.raises(ConvergenceError, match="minimize by lbfgs has not converged"):
        optim.minimize(lambda x: np.sum(np.exp(-x)), np.zeros(2), max_steps=20)
    with pytest.raises(ConvergenceError, match="least_squares by dogleg has not converged"):
        optim.least_squares(parts, np.array([-1.2, 1.0]), method="dogleg", max_steps=2)
    _, info = optim.minimize(rosenbrock, np.array([-1.2, 1.0]), max_steps=3, info=True)
    assert (bool(info.converged), int(info.steps)) == (False, 3)


@pytest.mark.parametrize("method", MINIMA)
def test_no_saddle_is_found(method):
    saddle = lambda x: x[0] ** 2 - x[1] ** 2 + 0.25 * x[1] ** 4
    found = optim.minimize(saddle, np.array([1.0, 1e-3]), method=method)
    np.testing.assert_allclose(np.abs(found), [0.0, 2.0**0.5], atol=1e-6)


def test_lanes():
    place = lambda a: optim.minimize(lambda x: rosenbrock(x, a), np.zeros(2), info=True)
    many = np.array([0.5, 1.0, 2.0])
    found, info = ag.vmap(place)(many)
    np.testing.assert_allclose(found, np.stack([many, many**2], axis=1), rtol=1e-6)
    assert info.converged.all()
    assert len(set(info.steps)) > 1


def test_what_is_given_is_checked():
    with pytest.raises(OperandTypeError, match="no minimum"):
        optim.minimize(lambda x: x, np.ones(2))
    with pytest.raises(OperandShapeError, match="no numbers"):
        optim.least_squares(lambda x: np.zeros(0), np.ones(2))
