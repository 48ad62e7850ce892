"""`ag.odeint`: states beside SciPy's, and derivatives beside exact ones and differences."""

from dataclasses import dataclass

import numpy as np
import pytest

import autograph as ag

reference = pytest.importorskip("scipy.integrate")

TIMES = np.linspace(0.0, 10.0, 23)
PROBLEMS = {
    "orbit": (
        lambda y, t: np.concatenate([y[2:], -y[:2] / np.sum(y[:2] ** 2) ** 1.5]),
        np.array([1.0, 0.0, 0.0, 1.2]),
        TIMES,
    ),
    "growth": (lambda y, t: y * (1.0 - y), np.array([0.01, 0.5]), np.linspace(1.0, 9.0, 5)),
    "forced": (lambda y, t: np.cos(5.0 * t) - y, np.zeros(1), np.linspace(0.0, 4.0, 9)),
    "backwards": (lambda y, t: np.cos(5.0 * t) - 0.1 * y, np.ones(1), np.linspace(4.0, -1.0, 9)),
    "nothing moves": (lambda y, t: np.zeros_like(y), np.ones(2), np.linspace(0.0, 1.0, 3)),
    "van der Pol": (
        lambda y, t: np.stack([y[1], 20.0 * (1.0 - y[0] ** 2) * y[1] - y[0]]),
        np.array([2.0, 0.0]),
        np.linspace(0.0, 30.0, 7),
    ),
}
SCIPY = {"dopri5": ("RK45", 6), "bosh3": ("RK23", 3)}


@pytest.mark.costly
@pytest.mark.parametrize("method", SCIPY)
@pytest.mark.parametrize("name", PROBLEMS)
def test_the_steps_of_scipy(name, method):
    f, y, times = PROBLEMS[name]
    theirs, stages = SCIPY[method]
    for rtol in (1e-4, 1e-8):
        found = reference.solve_ivp(
            lambda t, y: f(y, t),
            *(times[[0, -1]], y, theirs),
            t_eval=times,
            rtol=rtol,
            atol=1e-9,
        )
        solve = lambda y: ag.odeint(f, y, times, rtol=rtol, atol=1e-9, method=method, info=True)
        for run in (solve, ag.to_graph(solve)):
            ours = run(y)
            np.testing.assert_allclose(ours.ys, found.y.T, rtol=1e-8, atol=1e-10)
            assert ours.converged
            # SciPy's count, with the first slope and the first step.
            assert found.nfev == stages * ours.steps + 2
            np.testing.assert_allclose(ours.y, ours.ys[-1], rtol=1e-13, atol=1e-14)
            assert ours.t == times[-1]


@pytest.mark.costly
@pytest.mark.parametrize("method", ["tsit5", "rodas4", "rk4"])
@pytest.mark.parametrize("name", ["orbit", "backwards"])
def test_other_methods(name, method):
    f, y, times = PROBLEMS[name]
    exact = reference.solve_ivp(
        lambda t, y: f(y, t), times[[0, -1]], y, "DOP853", t_eval=times, rtol=1e-12, atol=1e-13
    )
    step = 1e-3 if method == "rk4" else None
    solve = lambda y: ag.odeint(f, y, times, rtol=1e-9, atol=1e-9, method=method, step=step)
    np.testing.assert_allclose(ag.to_graph(solve)(y), exact.y.T, rtol=1e-6, atol=1e-7)


# -- derivatives -----------------------------------------------------------------------------------

GROWTH = np.array([1.1, 0.1, 0.2, 1.0, 2.5])  # the rate, the start, and the times


def growth(p, **options):
    f = lambda y, t, rate: rate * y * (1.0 - y)
    return ag.odeint(f, p[1], p[2:], p[0], rtol=1e-11, atol=1e-11, **options)


def growth_exactly(p):
    e = np.exp(p[0] * (p[2:] - p[2]))
    return p[1] * e / (1.0 + p[1] * (e - 1.0))


@pytest.mark.slow
@pytest.mark.parametrize("method", ["dopri5", "tsit5", "rodas4"])
def test_derivatives_by_all_there_is(method):
    solve = lambda p: growth(p, method=method)
    wanted = ag.jacfwd(growth_exactly)(GROWTH)
    for mode in (ag.jacfwd, ag.jacrev):
        # The derivative by a time is that of the polynomial of a step.
        np.testing.assert_allclose(mode(solve)(GROWTH), wanted, rtol=2e-6, atol=2e-7)


@pytest.mark.slow
def test_second_derivatives():
    total = lambda states: np.sum(states**2 * np.array([1.0, 2.0, 3.0]))
    wanted = ag.hessian(lambda p: total(growth_exactly(p)))(GROWTH)
    function = lambda p: total(growth(p))
    for second in (ag.hessian, lambda f: ag.jacrev(ag.grad(f)), lambda f: ag.jacfwd(ag.jacfwd(f))):
        np.testing.assert_allclose(second(function)(GROWTH), wanted, rtol=1e-5, atol=1e-6)


@pytest.mark.slow
def test_beside_differences():
    f, y, times = PROBLEMS["orbit"]
    place = lambda y: np.sum(ag.odeint(f, y, times[:8], rtol=1e-10, atol=1e-10)[-1] ** 3)
    ag.check_grads(place, (y,), order=2, rtol=1e-3, atol=1e-4)


@pytest.mark.slow
def test_values_are_not_changed_by_derivatives():
    plain = ag.to_graph(lambda p: growth(p)[-1])(GROWTH)
    assert ag.value_and_grad(lambda p: growth(p)[-1])(GROWTH)[0] == plain
    assert ag.jvp(lambda p: growth(p)[-1], (GROWTH,), (GROWTH,))[0] == plain


# -- states, times, lanes --------------------------------------------------------------------------


@dataclass
class Tank:
    level: float
    salt: np.ndarray
    name: str = "tank"


@pytest.mark.slow
def test_states_of_any_structure():
    def change(tank, t, flow):
        return Tank(flow["in"] - 0.5 * tank.level, -flow["out"] * tank.salt * np.cos(t))

    def run(flow):
        return ag.odeint(change, Tank(1.0, np.ones((2, 2))), [0.0, 0.5, 1.0], flow)

    flow = {"in": 0.3, "out": np.array([[1.0, 2.0], [3.0, 4.0]])}
    for found in (run(flow), ag.to_graph(run)(flow)):
        assert type(found) is Tank
        assert found.name == "tank"
        wanted = 0.6 + 0.4 * np.exp(-0.5 * np.array([0.0, 0.5, 1.0]))
        np.testing.assert_allclose(found.level, wanted, rtol=1e-7)
        assert found.salt.shape == (3, 2, 2)
        np.testing.assert_allclose(found.salt[2], np.exp(-flow["out"] * np.sin(1.0)), rtol=1e-6)
    slope = ag.grad(lambda flow: run(flow).level[-1] + np.sum(run(flow).salt[-1]))(flow)
    assert slope["in"] == pytest.approx(2.0 * (1.0 - np.exp(-0.5)), rel=1e-6)
    wanted = -np.sin(1.0) * np.exp(-flow["out"] * np.sin(1.0))
    np.testing.assert_allclose(slope["out"], wanted, rtol=1e-5)


def test_types():
    decay = lambda y, t: -y
    assert ag.odeint(decay, 1, [0.0, 1.0]).dtype == np.float64
    single = ag.to_graph(lambda y, t: ag.odeint(decay, y, t))
    found = single(np.ones(2, np.float32), np.array([0.0, 1.0], np.float32))
    assert found.dtype == np.float32
    np.testing.assert_allclose(found[-1], np.exp(-1.0), rtol=1e-3)
    # As in NumPy, what is computed with times of float64 is float64.
    assert ag.odeint(decay, np.ones(2, np.float32), [0.0, 1.0]).dtype == np.float64
    assert ag.odeint(decay, 1.0, np.arange(3)).shape == (3,)


def test_times_that_are_the_same():
    decay = lambda y, t: -y
    np.testing.assert_array_equal(ag.odeint(decay, np.ones(2), [3.0]), np.ones((1, 2)))
    found = ag.to_graph(lambda y: ag.odeint(decay, y, [0.0, 0.0, 1.0, 1.0]))(1.0)
    np.testing.assert_allclose(found, [1.0, 1.0, np.exp(-1.0), np.exp(-1.0)], rtol=1e-7)
    assert ag.grad(lambda y: ag.odeint(decay, y, [3.0])[0])(2.0) == 1.0


@pytest.mark.slow
def test_each_lane_takes_its_own_steps():
    f, _, times = PROBLEMS["orbit"]
    starts = np.array([[1.0, 0.0, 0.0, speed] for speed in (0.5, 0.9, 1.3)])
    solve = lambda y: ag.odeint(f, y, times, rtol=1e-6, atol=1e-9, info=True)
    found = ag.vmap(lambda y: solve(y)[0:5:4])(starts)
    assert len(set(found[1])) == 3
    for lane, start in enumerate(starts):
        alone = solve(start)
        np.testing.assert_allclose(found[0][lane], alone.ys, rtol=1e-7, atol=1e-9)
        assert found[1][lane] == alone.steps
    slopes = ag.vmap(ag.jacrev(lambda y: solve(y).y[0]))(starts)
    wanted = [ag.jacfwd(lambda y: solve(y).y[0])(start) for start in starts]
    np.testing.assert_allclose(slopes, wanted, rtol=1e-6)


@pytest.mark.slow
def test_in_loops_and_branches():
    def run(rate):
        y = 1.0
        for i in range(3):
            if y > 0.4:
                y = ag.odeint(lambda y, t: -rate * y, y, [0.0, 0.5])[-1]
        return y

    assert ag.to_graph(run)(1.0) == pytest.approx(np.exp(-1.0), rel=1e-6)
    assert ag.grad(run)(1.0) == pytest.approx(-np.exp(-1.0), rel=1e-6)
    found = ag.vmap(ag.grad(run))(np.array([0.1, 1.0]))
    np.testing.assert_allclose(found, [-1.5 * np.exp(-0.15), -np.exp(-1.0)], rtol=1e-6)


def test_it_is_one_kernel(monkeypatch):
    pytest.importorskip("llvmlite")
    monkeypatch.delenv("AUTOGRAPH_KERNELS", raising=False)
    f, y, times = PROBLEMS["orbit"]
    solve = ag.to_graph(lambda y: ag.odeint(f, y, times)[-1])
    solve(y)
    assert len(solve.kernels(y)) == 1
    lanes = ag.vmap(lambda y: ag.odeint(f, y, times)[-1])
    assert len(lanes.kernels(np.stack([y, y]))) >= 1


def test_the_longest_and_the_first_step():
    decay = lambda y, t: -y
    run = lambda **options: ag.odeint(decay, 1.0, [0.0, 1.0], info=True, **options)
    assert run(hmax=0.01).steps == pytest.approx(100, abs=2)
    assert run(step=1e-3).steps > run().steps - 2
    assert run(method="rk4", step=0.1).steps == 10
    assert run(method="rk4", step=0.3).steps == 4


# -- dense output ----------------------------------------------------------------------------------


@pytest.mark.costly
@pytest.mark.parametrize("method", ["dopri5", pytest.param("rodas4", marks=pytest.mark.slow)])
@pytest.mark.parametrize(
    "ends", [(0.0, 2.0), pytest.param((2.0, -1.0), marks=pytest.mark.slow)], ids=["on", "back"]
)
def test_between_the_times(method, ends):
    def run(rate, at):
        found = ag.odeint(
            lambda y, t: {"y": -rate * y["y"]},
            {"y": np.array([1.0, 2.0])},
            np.array(ends),
            dense=True,
            rtol=1e-9,
            atol=1e-9,
            max_steps=200,
            method=method,
        )
        return found.between(at)["y"]

    at = np.linspace(*ends, 12)
    wanted = np.exp(-0.7 * (at - ends[0]))[:, None] * np.array([1.0, 2.0])
    for function in (run, ag.to_graph(run)):
        np.testing.assert_allclose(function(0.7, at), wanted, rtol=1e-7)
        np.testing.assert_allclose(function(0.7, at[3]), wanted[3], rtol=1e-7)
    slope = ag.jacrev(run)(0.7, at)
    np.testing.assert_allclose(slope, -(at - ends[0])[:, None] * wanted, rtol=1e-6, atol=1e-7)
    by_time = ag.jacfwd(run, argnums=1)(0.7, at[3])
    np.testing.assert_allclose(by_time, -0.7 * wanted[3], rtol=1e-5)
    lanes = ag.vmap(lambda rate: run(rate, at))(np.array([0.7, 0.1]))
    np.testing.assert_allclose(lanes[0], wanted, rtol=1e-7)


def test_dense_output_leaves_a_compiled_function():
    found = ag.to_graph(
        lambda: ag.odeint(lambda y, t: -y, 1.0, [0.0, 3.0], dense=True, max_steps=100).between
    )()
    exact = np.exp(-np.array([0.5, 2.5]))
    np.testing.assert_allclose(found(np.array([0.5, 2.5])), exact, rtol=1e-7)
