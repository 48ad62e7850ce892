"""The samples run, the network learns, and solvers and splines are those of SciPy."""

import re
import shutil
import time

import numpy as np
import pytest

import autograph as ag
from samples import integrate, interpolate
from tests.support.processes import printed
from tests.support.tree import ROOT

pytest.importorskip("sklearn")
reference = pytest.importorskip("scipy.integrate")  # SciPy comes with it
splines = pytest.importorskip("scipy.interpolate")

PNG_SIGNATURE = b"\x89PNG\r\n\x1a\n"


@pytest.fixture
def samples(tmp_path):
    """A copy of the samples, which write beside themselves."""
    copy = tmp_path / "samples"
    shutil.copytree(ROOT / "samples", copy, ignore=shutil.ignore_patterns("out", "__pycache__"))
    return copy


def run(samples, sample, *arguments):
    """What a sample prints."""
    return printed(samples / sample, *arguments, timeout=300)


def accuracy(printed):
    return float(re.search(r"held out: ([\d.]+)%", printed)[1])


@pytest.mark.slow
def test_digits_briefly(samples):
    printed = run(samples, "digits.py", "--epochs", "3", "--show")
    for function in ("logits", "loss", "epoch"):
        assert f"def {function}(" in printed
    assert "ops.for_loop(batches" in printed
    assert accuracy(printed) > 80
    assert (samples / "out" / "digits.png").read_bytes().startswith(PNG_SIGNATURE)


@pytest.mark.slow
def test_digits(samples):
    start = time.perf_counter()
    printed = run(samples, "digits.py")
    assert time.perf_counter() - start < 60
    assert accuracy(printed) >= 97


@pytest.mark.costly
@pytest.mark.parametrize("name", ["g", "newton_sqrt", "rnn", "factorial"])
def test_control_flow(samples, name):
    printed = run(samples, "control_flow.py", name)
    stages = re.split(r"^-{8} (.*?) -+\n", printed, flags=re.MULTILINE)
    titles, texts = stages[1::2], stages[2::2]
    assert titles == [
        f"{name}: {stage}"
        for stage in (
            "the user's source",
            "converted",
            "the graph",
            "the program of the gradient",
            "results",
        )
    ]
    source, converted, graph, program, results = texts
    assert source.strip().startswith(f"def {name}(")
    assert "ops." in converted and "# control_flow.py:" in converted
    assert graph.strip().startswith(f"graph {name}(")
    compile(program, "program", "exec")
    plain, compiled, gradient = re.findall(r"^.*?:\s+(.*)$", results, re.MULTILINE)
    assert plain == compiled
    assert gradient.strip()


# -- differential equations ------------------------------------------------------------------------

START, TIMES = np.array([1.0, 0.0, 0.0, 1.2]), np.linspace(0.0, 10.0, 23)
PROBLEMS = {
    "orbit": (integrate.orbit, START, TIMES),
    "growth": (lambda t, y: y * (1.0 - y), np.array([0.01, 0.5]), np.linspace(1.0, 9.0, 5)),
    "forced": (lambda t, y: np.cos(5.0 * t) - y, np.zeros(1), np.linspace(0.0, 4.0, 9)),
    "nothing moves": (lambda t, y: np.zeros_like(y), np.ones(2), np.linspace(0.0, 1.0, 3)),
    "van der Pol": (
        lambda t, y: np.stack([y[1], 20.0 * (1.0 - y[0] ** 2) * y[1] - y[0]]),
        np.array([2.0, 0.0]),
        np.linspace(0.0, 30.0, 7),
    ),
}


@pytest.mark.costly
@pytest.mark.parametrize("name", PROBLEMS)
@pytest.mark.parametrize("rtol", [1e-4, 1e-9])
def test_the_steps_of_scipy(name, rtol):
    f, y, times = PROBLEMS[name]
    found = reference.solve_ivp(f, times[[0, -1]], y, t_eval=times, rtol=rtol, atol=1e-9)
    solve = lambda y: integrate.solve_ivp(f, times, y, rtol, 1e-9)
    plain, tried = solve(y)
    np.testing.assert_allclose(plain, found.y.T, rtol=1e-9, atol=1e-11)
    assert found.nfev == 6 * tried + 2  # SciPy's count, with the first slope and the first step
    compiled, again = ag.to_graph(solve)(y)
    np.testing.assert_allclose(compiled, plain, rtol=1e-9, atol=1e-11)
    assert again == tried


def test_derivatives_of_a_solution():
    """Growth has a solution in closed form."""
    f, y, times = PROBLEMS["growth"]

    def exact(y):
        e = np.exp(times - times[0])[:, None]
        return y * e / (1.0 + y * (e - 1.0))

    solve = lambda y: integrate.solve_ivp(f, times, y, 1e-10, 1e-12)[0]
    expected = ag.jacfwd(exact)(y)
    np.testing.assert_allclose(ag.jacfwd(solve)(y), expected, atol=1e-7)
    np.testing.assert_allclose(ag.jacrev(solve)(y), expected, atol=1e-7)


def test_each_lane_takes_its_own_steps():
    starts = np.array([[1.0, 0.0, 0.0, speed] for speed in (0.5, 0.9, 1.3)])
    solve = lambda y: integrate.solve_ivp(integrate.orbit, TIMES, y)
    states, tried = ag.vmap(solve)(starts)
    assert len(set(tried)) == 3
    for start, found, count in zip(starts, states, tried):
        expected, steps = solve(start)
        np.testing.assert_allclose(found, expected, rtol=1e-7, atol=1e-9)
        assert count == steps


def test_a_step_that_is_too_small():
    """The solution is infinite at time 1."""
    f = lambda t, y: y * y
    for solve in (integrate.solve_ivp, ag.to_graph(lambda *args: integrate.solve_ivp(f, *args))):
        args = (np.array([0.0, 2.0]), np.array([1.0]))
        with pytest.raises(RuntimeError, match="too small"):
            solve(f, *args) if solve is integrate.solve_ivp else solve(*args)


# -- interpolation ---------------------------------------------------------------------------------


@pytest.mark.costly
@pytest.mark.parametrize("n", [3, 4, 20])
def test_the_spline_of_scipy(n):
    rng = np.random.default_rng(n)
    x, y = np.linspace(0.0, 1.0, n) + 0.3 / n * rng.random(n), rng.normal(size=n)
    at = np.concatenate([rng.random((3, 5)).ravel() * 1.4 - 0.2, x])
    expected = splines.CubicSpline(x, y, bc_type="natural")
    value = lambda x, y, at: interpolate.evaluate(interpolate.spline(x, y), at)
    np.testing.assert_allclose(value(x, y, at), expected(at), rtol=1e-10, atol=1e-12)
    np.testing.assert_allclose(ag.to_graph(value)(x, y, at), expected(at), rtol=1e-10, atol=1e-12)
    for order in (1, 2):
        value = ag.grad(value, argnums=2)
        found = ag.vmap(value, in_axes=(None, None, 0))(x, y, at)
        np.testing.assert_allclose(found, expected(at, order), rtol=1e-8, atol=1e-8)


def test_derivatives_by_the_points():
    x, y = np.linspace(0.0, 1.0, 7), np.random.default_rng(0).normal(size=7)
    total = lambda x, y: np.sum(
        interpolate.evaluate(interpolate.spline(x, y), np.array([0.2, 0.9]))
    )
    ag.check_grads(total, (x, y), order=1)


@pytest.mark.costly
@pytest.mark.parametrize("name", ["integrate.py", "interpolate.py"])
def test_they_run(samples, name):
    assert run(samples, name).count("\n") >= 2
