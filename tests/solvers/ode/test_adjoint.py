"""`ag.odeint(..., gradient="adjoint")`: derivatives by further differential equations."""

import numpy as np
import pytest

import autograph as ag
from autograph.errors import IntegrationError

P = np.array([1.1, 0.1, 0.2, 1.0, 2.5])  # the rate, the start, and the times
WEIGHTS = np.array([1.0, 2.0, 3.0])


def growth(p):
    f = lambda y, t, rate: rate * y * (1.0 - y)
    states = ag.odeint(f, p[1], p[2:], p[0], gradient="adjoint", rtol=1e-10, atol=1e-10)
    return np.sum(states**2 * WEIGHTS)


def exactly(p):
    e = np.exp(p[0] * (p[2:] - p[2]))
    return np.sum((p[1] * e / (1.0 + p[1] * (e - 1.0))) ** 2 * WEIGHTS)


@pytest.mark.slow
def test_both_modes():
    wanted = ag.grad(exactly)(P)
    assert ag.to_graph(growth)(P) == pytest.approx(exactly(P), rel=1e-8)
    value, slope = ag.value_and_grad(growth)(P)
    assert value == ag.to_graph(growth)(P)
    np.testing.assert_allclose(slope, wanted, rtol=1e-7, atol=1e-8)
    np.testing.assert_allclose(ag.jacfwd(growth)(P), wanted, rtol=1e-7, atol=1e-8)


@pytest.mark.slow
@pytest.mark.parametrize(
    "second",
    [ag.hessian, lambda f: ag.jacrev(ag.grad(f)), lambda f: ag.jacfwd(ag.jacfwd(f))],
    ids=["forward over reverse", "reverse over reverse", "forward over forward"],
)
def test_second_derivatives(second):
    np.testing.assert_allclose(second(growth)(P), ag.hessian(exactly)(P), rtol=1e-6, atol=1e-6)


W = np.array([[0.0, 1.0], [-1.5, -0.3]])


def network(w, b, x, gradient, method="dopri5"):
    """Captured parameters, one of which is a matrix, and a state that is a dict."""

    def change(y, t):
        return {"x": np.tanh(w @ y["x"]) + b * y["s"] * np.cos(t), "s": -y["s"] * np.sum(y["x"])}

    states = ag.odeint(
        *(change, {"x": x, "s": 1.0}, np.array([0.0, 1.0, 2.0])),
        gradient=gradient,
        rtol=1e-9,
        atol=1e-9,
        method=method,
    )
    return np.sum(states["x"] ** 2) + np.sum(states["s"])


@pytest.mark.parametrize("method", ["dopri5", pytest.param("rodas4", marks=pytest.mark.slow)])
def test_what_the_right_hand_side_captures(method):
    args = (W, 0.3, np.array([1.0, 0.5]))
    slopes = [
        ag.grad(lambda w, b, x: network(w, b, x, gradient, method), argnums=(0, 1, 2))(*args)
        for gradient in ("adjoint", "steps")
    ]
    for found, wanted in zip(*slopes):
        np.testing.assert_allclose(found, wanted, rtol=1e-6, atol=1e-7)


@pytest.mark.slow
def test_in_lanes_and_loops():
    def twice(rate):
        y = 1.0
        for _ in range(2):
            f = lambda y, t: -rate * y
            y = ag.odeint(f, y, [0.0, 0.5], gradient="adjoint")[-1]
        return y

    rates = np.array([0.5, 1.0])
    found = ag.vmap(ag.grad(twice))(rates)
    np.testing.assert_allclose(found, -np.exp(-rates), rtol=1e-6)


@pytest.mark.slow
def test_a_right_hand_side_without_parameters():
    run = lambda y: ag.odeint(lambda y, t: -y, y, [0.0, 1.0], gradient="adjoint")[-1]
    assert ag.grad(run)(2.0) == pytest.approx(np.exp(-1.0), rel=1e-6)
    back = lambda y: ag.odeint(lambda y, t: -y, y, [1.0, 0.0], gradient="adjoint")[-1]
    assert ag.grad(back)(2.0) == pytest.approx(np.exp(1.0), rel=1e-6)


@pytest.mark.slow
def test_the_way_back_that_leads_elsewhere_is_an_error():
    def run(y, count):
        times = np.linspace(0.0, 1.0, count)
        f = lambda y, t: -60.0 * (y - np.cos(t))
        return ag.odeint(f, y, times, gradient="adjoint", rtol=1e-7, atol=1e-7)[-1]

    with pytest.raises(IntegrationError, match=r"back to 0.0, come to another state"):
        ag.grad(lambda y: run(y, 2))(0.5)
    wanted = np.exp(-60.0)
    assert ag.grad(lambda y: run(y, 30))(0.5) == pytest.approx(wanted, rel=1e-3, abs=1e-9)
