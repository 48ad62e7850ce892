"""Solutions where it is hard to tell that there is none, or no derivative, and in one another."""

import numpy as np
import pytest

import autograph as ag
import ops
from autograph.errors import ConvergenceError, OperandTypeError


def slope(f, a, h=1e-5):
    return (f(a + h) - f(a - h)) / (2 * h)


@pytest.mark.parametrize(
    ("f", "start"),
    [
        (lambda x: -x * x, 0.0),
        (lambda x: x**4 - x**2, 0.0),
        (lambda x: x**3, 1.0),
        (lambda x: x[0] ** 2 - x[1] ** 2 + x[1] ** 4, np.zeros(2)),
        (lambda x: x[0] ** 2 + x[1] ** 3, np.ones(2)),
    ],
)
def test_maxima_saddles_and_inflections_are_no_minima(f, start):
    with pytest.raises(ConvergenceError, match="saddle or maximum"):
        ag.argmin(f, start)
    _, info = ag.argmin(f, start, info=True)
    assert not info.converged


def test_flat_narrow_and_degenerate_minima_are():
    assert ag.argmin(lambda x: (x - 1.0) ** 4, 0.0) == pytest.approx(1.0, abs=1e-6)
    assert ag.argmin(lambda x: -np.cos(1e6 * x), 1e-7) == pytest.approx(0.0, abs=1e-12)
    assert ag.argmin(lambda x: 1e-12 * (x - 3.0) ** 2, 0.0) == pytest.approx(3.0)
    x = ag.argmin(lambda x: (x[0] + x[1] - 1.0) ** 2, np.array([0.3, -0.4]))  # a valley
    assert np.sum(x) == pytest.approx(1.0)
    long = ag.argmin(lambda x: 1e8 * x[0] ** 2 + 1e-6 * (x[1] - 2.0) ** 2, np.ones(2))
    np.testing.assert_allclose(long, [0.0, 2.0], atol=1e-9)
    starts = np.array([-1.0, 0.0, 2.0])
    lanes = lambda s: ag.argmin(lambda x: x**4 - 2.0 * x**2, s, info=True)
    found, info = ag.vmap(lanes)(starts)
    np.testing.assert_array_equal(info.converged, [True, False, True])
    np.testing.assert_allclose(found[[0, 2]], [-1.0, 1.0])


@pytest.mark.parametrize(
    "solve",
    [
        lambda: ag.fixed_point(lambda x: x * x, 2.0),
        lambda: ag.fixed_point(np.exp, 2.0),
        lambda: ag.fixed_point(lambda x: 2.0 * x, np.ones(3), max_steps=5000),
        lambda: ag.root(lambda x: x - 1.0, np.inf),
        lambda: ag.root(lambda x: 1.0 / x, 1.0, max_steps=2000),
        lambda: ag.argmin(lambda x: x * x, np.inf),
        lambda: ag.argmin(lambda x: -x * x, 1.0, max_steps=5000),
        lambda: ag.root(lambda x: x - 1.0, np.nan),
        lambda: ag.argmin(lambda x: x * x, np.nan),
    ],
)
def test_infinity_and_nan_are_no_solutions(solve):
    with np.errstate(all="ignore"), pytest.raises(ConvergenceError):
        solve()
    with np.errstate(all="ignore"), pytest.raises(ConvergenceError):
        ag.to_graph(solve)()


def test_no_unknowns():
    for solve in (ag.root, ag.fixed_point, ag.argmin):
        with pytest.raises(OperandTypeError, match="holds no numbers"):
            solve(lambda x: np.sum(x), np.zeros(0))


def test_what_has_no_minimum_is_named_with_the_users_line():
    with pytest.raises(OperandTypeError, match="which has no minimum") as error:
        ag.argmin(lambda x: x * x, np.ones(2))
    assert "ag.argmin(lambda x: x * x" in str(error.value)


def test_unknowns_in_lists():
    found = lambda a: ag.root(
        lambda x: [x[0] * x[0] - a, {"y": x[1]["y"] - x[0]}], [1.0, {"y": 1.0}]
    )
    assert found(4.0) == [2.0, {"y": 2.0}]
    assert ag.grad(lambda a: found(a)[1]["y"])(4.0) == pytest.approx(0.25)


@pytest.mark.costly
@pytest.mark.parametrize("linear", ["lu", "cg", "gmres", "bicgstab"])
def test_a_lane_without_a_solution_has_a_flag_and_the_others_have_theirs(linear):
    def found(a):
        def residual(x):
            return ops.array([3 * x[0] + x[1] - a, x[0] + 2 * x[1] + (x[1] ** 2 + 50) * (a > 5)])

        return ag.root(residual, np.zeros(2), linear=linear, info=True)

    x, info = ag.vmap(found)(np.array([1.0, 6.0]))
    np.testing.assert_array_equal(info.converged, [True, False])
    np.testing.assert_allclose(x[0], [0.4, -0.2])
    for mode in (ag.jacrev, ag.jacfwd):
        slopes = ag.vmap(mode(lambda a: found(a)[0]))(np.array([1.0, 6.0]))
        np.testing.assert_allclose(slopes[0], [0.4, -0.2])
        assert np.all(np.isnan(slopes[1]))


def test_a_lane_with_a_singular_jacobian_has_a_flag():
    def found(a):
        def residual(x):
            return ops.array([x[0] * x[0] + x[1] - a, x[0] * x[1] * a - 1.0])

        return ag.root(residual, np.ones(2), info=True)

    x, info = ag.vmap(found)(np.array([2.0, 0.0, 3.0]))
    np.testing.assert_array_equal(info.converged, [True, False, True])
    np.testing.assert_allclose(x[0, 0] ** 2 + x[0, 1], 2.0)
    assert not found(0.0)[1].converged


def inner(a, y):
    return ag.root(lambda x: x**3 + x - a * y, 1.0)


def outer(a):
    return ag.root(lambda y: y - inner(a, y) - a * a, 1.0)


def nearest(a):
    return ag.argmin(lambda y: (inner(a, y) - 2.0) ** 2 + 0.1 * y * y, 0.5)


def lower(a, x):
    return ag.argmin(lambda y: (y - a * x) ** 2 + y**4, 0.0)


def upper(a):
    return ag.argmin(lambda x: (x - lower(a, x)) ** 2 + (x - 1.0) ** 2, 0.5)


@pytest.mark.slow
@pytest.mark.parametrize("f", [outer, nearest, upper])
def test_solutions_of_equations_with_solutions_in_them(f):
    assert ag.grad(f)(1.3) == pytest.approx(slope(f, 1.3), rel=1e-6)
    second = ag.grad(ag.grad(f))(1.3)
    assert second == pytest.approx(slope(ag.grad(f), 1.3), rel=1e-5)
    assert ag.jacfwd(ag.grad(f))(1.3) == pytest.approx(second, rel=1e-8)


def test_solutions_of_random_programs():
    """Those of what is drawn, too: E = sqrt(a) * a / 8."""
    f = lambda a, key: ag.root(lambda x: x * x - a, 1.0) * ops.random.bernoulli(key, a / 8.0)
    keys = ops.random.split(ops.random.key(0), 20_000)
    found = ag.vmap(ag.score_gradient(f), in_axes=(None, 0))(4.0, keys)
    error = np.std(found) / np.sqrt(len(found))
    assert abs(np.mean(found) - 0.375) < 4 * error
