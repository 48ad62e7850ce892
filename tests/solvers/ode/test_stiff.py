"""Stiff systems: their states beside SciPy's Radau, and derivatives beside differences."""

import numpy as np
import pytest

import autograph as ag

reference = pytest.importorskip("scipy.integrate")

RATES = np.array([0.04, 1e4, 3e7])
END = np.array([0.0, 1.0, 1e3])


def robertson(rates):
    def change(y, t):
        a, b, c = rates[0] * y[0], rates[1] * y[1] * y[2], rates[2] * y[1] ** 2
        return np.stack([b - a, a - b - c, c])

    return ag.odeint(
        *(change, np.array([1.0, 0.0, 0.0]), END),
        rtol=1e-8,
        atol=np.array([1e-10, 1e-14, 1e-10]),
        method="rodas4",
    )


def van_der_pol(mu):
    change = lambda y, t: np.stack([y[1], mu * (1.0 - y[0] ** 2) * y[1] - y[0]])
    return ag.odeint(
        *(change, np.array([2.0, 0.0]), np.array([0.0, 800.0, 1600.0])),
        rtol=1e-8,
        atol=1e-8,
        method="rodas4",
        info=True,
    )


@pytest.mark.slow
def test_robertsons_reactions():
    change = lambda t, y: [
        RATES[1] * y[1] * y[2] - RATES[0] * y[0],
        RATES[0] * y[0] - RATES[1] * y[1] * y[2] - RATES[2] * y[1] ** 2,
        RATES[2] * y[1] ** 2,
    ]
    wanted = reference.solve_ivp(
        change, (0, 1e3), [1.0, 0.0, 0.0], "Radau", t_eval=END, rtol=1e-11, atol=1e-14
    ).y.T
    run = ag.to_graph(robertson)
    np.testing.assert_allclose(run(RATES), wanted, rtol=1e-6)
    jacobian = ag.jacfwd(lambda rates: robertson(rates)[-1])(RATES)
    np.testing.assert_allclose(ag.jacrev(lambda k: robertson(k)[-1])(RATES), jacobian, rtol=1e-9)
    for i in range(3):
        step = 1e-4 * RATES * np.eye(3)[i]
        difference = (run(RATES + step)[-1] - run(RATES - step)[-1]) / (2e-4 * RATES[i])
        np.testing.assert_allclose(jacobian[:, i], difference, rtol=1e-4)


@pytest.mark.slow
def test_van_der_pols_equation():
    wanted = reference.solve_ivp(
        lambda t, y: [y[1], 1e3 * (1.0 - y[0] ** 2) * y[1] - y[0]],
        *((0, 1600), [2.0, 0.0], "Radau"),
        t_eval=[0.0, 800.0, 1600.0],
        rtol=1e-10,
        atol=1e-12,
    ).y.T
    run = ag.to_graph(van_der_pol)
    found = run(1e3)
    np.testing.assert_allclose(found.ys, wanted, rtol=1e-5)
    assert found.steps < 2000
    difference = (run(1000.1).ys - run(999.9).ys) / 0.2
    slope = ag.jacfwd(lambda mu: van_der_pol(mu).ys)(1e3)
    np.testing.assert_allclose(slope[1:], difference[1:], rtol=2e-3)


def test_an_explicit_method_says_what_is_better():
    change = lambda y, t: -1e6 * (y - np.cos(t))
    with pytest.raises(ag.errors.IntegrationError, match=r"1000 steps\n.*method='rodas4'"):
        ag.to_graph(lambda y: ag.odeint(change, y, [0.0, 1.0], max_steps=1000))(1.0)
    found = ag.to_graph(lambda y: ag.odeint(change, y, [0.0, 1.0], method="rodas4"))(1.0)
    assert found[-1] == pytest.approx(np.cos(1.0), abs=1e-5)


def test_many_unknowns():
    """Heat that spreads, in more unknowns than are solved for by loops."""
    n = 24
    x = np.linspace(0.0, 1.0, n + 2)[1:-1]

    def heat(conductivity):
        def change(u, t):
            padded = np.concatenate([np.zeros(1), u, np.zeros(1)])
            return conductivity * (n + 1) ** 2 * (padded[2:] - 2.0 * u + padded[:-2])

        run = ag.odeint(change, np.sin(np.pi * x), [0.0, 0.2], method="rodas4")
        return run[-1]

    decay = 4.0 * (n + 1) ** 2 * np.sin(0.5 * np.pi / (n + 1)) ** 2
    wanted = np.exp(-0.2 * decay) * np.sin(np.pi * x)
    np.testing.assert_allclose(ag.to_graph(heat)(1.0), wanted, rtol=1e-5)
    np.testing.assert_allclose(ag.jacfwd(heat)(1.0), -0.2 * decay * wanted, rtol=1e-4)
