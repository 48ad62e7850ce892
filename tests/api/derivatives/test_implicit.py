"""Roots, fixed points, minima, and solutions by loops of the user's, with implicit derivatives."""

from dataclasses import dataclass

import numpy as np
import pytest

import autograph as ag
from autograph.errors import (
    AutographError,
    ConvergenceError,
    OperandShapeError,
    OperandTypeError,
    OptionError,
)

A = np.array([3.0, 5.0])
B = np.linspace(-1.0, 2.0, 5)


def square_root(a):
    return ag.root(lambda x: x * x - a, 1.0)


def cosine(a):
    return ag.fixed_point(lambda x: a * np.cos(x), 0.5)


def pair(a):
    """x with x[0]^2 + x[1] = a[0] and x[0] + x[1]^2 = a[1]."""
    return ag.root(lambda x: np.array([x[0] ** 2 + x[1] - a[0], x[0] + x[1] ** 2 - a[1]]), A / A)


def bisect(a):
    low, high = 0.0, 4.0
    while high - low > 1e-15 * high:
        middle = 0.5 * (low + high)
        if middle == low or middle == high:
            break
        if middle**3 + middle > a:
            high = middle
        else:
            low = middle
    return 0.5 * (low + high)


cubic = ag.implicit(bisect, lambda x, a: x**3 + x - a)


def orders(function, a, count):
    found = []
    for _ in range(count + 1):
        found.append(float(function(a)))
        function = ag.grad(function)
    return found


def test_orders_one_to_three_of_numbers():
    wanted = [2.0, 0.25, -1.0 / 32.0, 3.0 / 256.0]
    np.testing.assert_allclose(orders(square_root, 4.0, 3), wanted, rtol=1e-12)
    x = orders(cubic, 10.0, 3)  # 2, and the derivatives of the inverse of x^3 + x at 2
    f, ff, fff = 13.0, 12.0, 6.0
    wanted = [2.0, 1.0 / f, -ff / f**3, (3.0 * ff**2 - f * fff) / f**5]
    np.testing.assert_allclose(x, wanted, rtol=1e-9)
    x = orders(cosine, 1.0, 2)[:2]
    assert x[1] == pytest.approx(np.cos(x[0]) / (1.0 + np.sin(x[0])), rel=1e-10)


@pytest.mark.costly
@pytest.mark.parametrize(
    "function", [square_root, pytest.param(cosine, marks=pytest.mark.slow), cubic]
)
def test_both_modes_to_third_order(function):
    ag.check_grads(function, (0.9,), order=3, rtol=1e-4)
    value, slope = ag.jvp(function, (0.9,), (2.0,))
    assert value == ag.to_graph(function)(0.9)
    assert slope == pytest.approx(2.0 * ag.grad(function)(0.9), rel=1e-12)


def test_systems():
    x = pair(A)
    jacobian = np.array([[2.0 * x[0], 1.0], [1.0, 2.0 * x[1]]])
    for mode in (ag.jacrev, ag.jacfwd):
        np.testing.assert_allclose(mode(pair)(A), np.linalg.inv(jacobian), rtol=1e-10)
    ag.check_grads(lambda a: np.sum(pair(a) ** 2), (A,), order=2)


@pytest.mark.slow
def test_systems_to_third_order():
    ag.check_grads(lambda a: np.sum(pair(a) ** 2), (A,), order=3, rtol=1e-4)


def coupled(a, linear):
    near = lambda x: 0.1 * np.roll(x, 1) + 0.1 * np.roll(x, -1)
    return ag.root(lambda x: x**3 + x + near(x) - a, np.zeros(5), linear=linear)


@pytest.mark.parametrize(
    "linear",
    ["gmres", *(pytest.param(name, marks=pytest.mark.slow) for name in ("cg", "bicgstab"))],
)
def test_linear_equations_by_products(linear):
    np.testing.assert_allclose(coupled(B, linear), coupled(B, "lu"), rtol=1e-9, atol=1e-12)
    for mode in (ag.jacrev, ag.jacfwd):
        found, wanted = (mode(lambda b: coupled(b, name))(B) for name in (linear, "lu"))
        np.testing.assert_allclose(found, wanted, rtol=1e-8, atol=1e-10)
    found, wanted = (
        ag.hessian(lambda b: np.sum(coupled(b, name) ** 3))(B) for name in (linear, "lu")
    )
    np.testing.assert_allclose(found, wanted, rtol=1e-7, atol=1e-9)


def thrice(linear):
    """The derivatives of orders one to three of the sum of a root's cubes by one number."""
    scale = np.array([1.0, 2.0, 0.5])
    total = lambda a: np.sum(
        ag.root(lambda x: a * x + 0.3 * x**3 - scale, scale, linear=linear) ** 3
    )
    return orders(total, 1.3, 3)


@pytest.mark.parametrize(
    "linear",
    ["cg", *(pytest.param(name, marks=pytest.mark.slow) for name in ("gmres", "bicgstab"))],
)
def test_three_orders_by_products(linear):
    np.testing.assert_allclose(thrice(linear), thrice("lu"), rtol=1e-8)


def test_second_derivatives_in_lanes_by_products():
    def slopes(linear):
        return ag.grad(lambda a: np.sum(coupled(a * B, linear) ** 3))

    def forwards(linear):
        return lambda a: ag.jvp(slopes(linear), (a,), (1.0,))[1]

    for second in (lambda linear: ag.grad(slopes(linear)), forwards):
        found, wanted = (ag.vmap(second(linear))(A) for linear in ("cg", "lu"))
        np.testing.assert_allclose(found, wanted, rtol=1e-8)


def test_one_way_only():
    # The Jacobian is not symmetric, and its transpose is what reverse mode solves with.
    def chain(a, linear):
        return ag.root(lambda x: x + 0.5 * np.roll(x, 1) ** 2 - a, 0.1 * B, linear=linear)

    wanted = ag.jacfwd(lambda b: chain(0.1 * b, "lu"))(B)
    for linear in ("gmres", "bicgstab"):
        found = ag.jacrev(lambda b: chain(0.1 * b, linear))(B)
        np.testing.assert_allclose(found, wanted, rtol=1e-8, atol=1e-10)


@dataclass
class State:
    level: float
    flows: np.ndarray
    name: str = "state"


def test_unknowns_and_what_is_captured_of_any_structure():
    params = {"gain": 0.5, "supply": np.array([1.0, 2.0])}

    def balance(params):
        def residual(state):
            level = state.level - params["gain"] * np.sum(state.flows)
            flows = state.flows + 0.1 * state.flows**3 - params["supply"] * np.cos(state.level)
            return State(level, flows)

        return ag.root(residual, State(0.0, np.zeros(2)))

    found = balance(params)
    assert type(found) is State
    assert found.name == "state"
    loss = lambda params: balance(params).level + np.sum(balance(params).flows ** 2)
    ag.check_grads(loss, (params,), order=2)


def test_lanes_each_with_its_own_steps():
    a = np.array([1e-4, 1.0, 4.0, 1e6])
    np.testing.assert_allclose(ag.vmap(square_root)(a), np.sqrt(a), rtol=1e-12)
    np.testing.assert_allclose(ag.vmap(ag.grad(square_root))(a), 0.5 / np.sqrt(a), rtol=1e-10)
    second = ag.vmap(ag.grad(ag.grad(square_root)))(a)
    np.testing.assert_allclose(second, -0.25 * a**-1.5, rtol=1e-9)
    found = ag.grad(lambda a: np.sum(ag.vmap(square_root)(a)))(a)
    np.testing.assert_allclose(found, 0.5 / np.sqrt(a), rtol=1e-10)
    many = np.stack([A, 1.5 * A, 2.0 * A])
    wanted = [ag.jacrev(pair)(a) for a in many]
    np.testing.assert_allclose(ag.vmap(ag.jacrev(pair))(many), wanted, rtol=1e-9)
    np.testing.assert_allclose(ag.jacrev(ag.vmap(pair))(many)[1, :, 1], wanted[1], rtol=1e-9)


@pytest.mark.slow
def test_in_loops_branches_recursion_and_each_other():
    def steps(a):
        x = a
        for _ in range(3):
            x = square_root(x) if x > 1.0 else x
        return x

    assert steps(256.0) == pytest.approx(2.0)
    assert ag.grad(steps)(256.0) == pytest.approx(0.125 * 256.0 ** (-7 / 8), rel=1e-10)

    def until(a):
        while a > 1.01:
            a = square_root(a)
        return a

    ag.check_grads(until, (50.0,), order=2)

    def again(a, count):
        return a if count == 0 else again(square_root(a), count - 1)

    assert ag.grad(again)(16.0, 2) == pytest.approx(0.25 * 16.0**-0.75, rel=1e-10)
    inner = lambda a: ag.root(lambda x: square_root(x + 1.0) + x - a, 1.0)
    ag.check_grads(inner, (5.0,), order=3, rtol=1e-4)


def test_minima():
    rng = np.random.default_rng(0)
    x, y = rng.normal(size=(20, 3)), rng.normal(size=20)

    def ridge(weight, x):
        return ag.argmin(lambda w: np.sum((x @ w - y) ** 2) + weight * np.sum(w**2), np.zeros(3))

    normal = x.T @ x + 0.3 * np.eye(3)
    best = np.linalg.solve(normal, x.T @ y)
    np.testing.assert_allclose(ridge(0.3, x), best, rtol=1e-9)
    np.testing.assert_allclose(ag.jacfwd(ridge)(0.3, x), -np.linalg.solve(normal, best), rtol=1e-9)
    ag.check_grads(lambda weight, x: np.sum(ridge(weight, x) ** 2), (0.3, x), order=2, rtol=1e-4)


def test_minima_of_functions_that_are_not_convex():
    def rosenbrock(a):
        value = lambda x: np.sum(100.0 * (x[1:] - x[:-1] ** 2) ** 2 + (a - x[:-1]) ** 2)
        return ag.argmin(value, np.array([-1.2, 1.0]))

    np.testing.assert_allclose(rosenbrock(1.0), [1.0, 1.0], rtol=1e-8)
    np.testing.assert_allclose(ag.jacrev(rosenbrock)(1.0), [1.0, 2.0], rtol=1e-6)
    np.testing.assert_allclose(ag.jacfwd(ag.jacfwd(rosenbrock))(1.0), [0.0, 2.0], atol=1e-5)
    inflection = lambda a: ag.argmin(lambda x: x**3 * (x - a), 0.0 * a + 0.5)
    assert inflection(1.0) == pytest.approx(0.75)  # begins where the curvature is 0
    assert ag.grad(inflection)(1.0) == pytest.approx(0.75)
    valley = ag.argmin(lambda x: np.sum(x**4), np.array([1.0, 0.0]), tol=1e-3, info=True)
    assert np.max(np.abs(valley[0])) < 1e-2  # with a singular Hessian
    double = lambda a: ag.argmin(lambda x: x**4 - 2.0 * a * x**2, 0.1)
    assert double(1.0) == pytest.approx(1.0)
    assert ag.grad(double)(4.0) == pytest.approx(0.25, rel=1e-8)


def test_a_scalar_root_of_many_starts_is_one_kernel(monkeypatch):
    pytest.importorskip("llvmlite")
    monkeypatch.delenv("AUTOGRAPH_KERNELS", raising=False)
    slopes = ag.vmap(ag.grad(square_root))
    a = np.linspace(1.0, 9.0, 50)
    np.testing.assert_allclose(slopes(a), 0.5 / np.sqrt(a), rtol=1e-10)
    assert len(slopes.kernels(a)) == 1


def test_types():
    assert type(square_root(4.0)) is np.float64
    assert type(ag.to_graph(square_root)(4.0)) is np.float64
    assert ag.root(lambda x: x - 3, 1) == 3.0
    single = np.float32(2.0)
    found = ag.to_graph(lambda a: ag.root(lambda x: x * x - a, np.float32(1.0)))(single)
    assert type(found) is np.float32
    assert found == pytest.approx(np.sqrt(single), rel=1e-6)
    array = ag.fixed_point(lambda x: 0.5 * x + 1.0, np.zeros((2, 3)))
    np.testing.assert_allclose(array, np.full((2, 3), 2.0))


def test_values_are_not_changed_by_derivatives():
    for function, a in ((square_root, 3.0), (cosine, 0.9), (cubic, 7.3)):
        plain = ag.to_graph(function)(a)
        assert ag.value_and_grad(function)(a)[0] == plain
        assert ag.jvp(function, (a,), (1.0,))[0] == plain


# -- what does not converge ------------------------------------------------------------------------


@pytest.mark.parametrize("compiled", [lambda f: f, ag.to_graph, ag.grad, lambda f: ag.vmap(f)])
def test_no_root_is_an_error(compiled):
    nowhere = lambda a: ag.root(lambda x: x * x + a, 1.0)
    a = np.array([-4.0, 4.0]) if compiled not in (ag.to_graph, ag.grad) else 4.0
    if compiled(nowhere) is nowhere:
        a = 4.0
    with pytest.raises(ConvergenceError, match="AG0552") as raised:
        compiled(nowhere)(a)
    assert isinstance(raised.value, ArithmeticError)


def test_the_error_names_the_users_line():
    def nowhere(a):
        return ag.fixed_point(lambda x: a * x + 1.0, 1.0, max_steps=50)

    with pytest.raises(ConvergenceError, match="50 steps") as raised:
        ag.to_graph(nowhere)(2.0)
    text = "\n".join(raised.value.__notes__) if hasattr(raised.value, "__notes__") else ""
    assert "solvers" not in text + str(raised.value)


def test_a_flag_in_its_place():
    def maybe(a):
        return ag.root(lambda x: x * x - a, 1.0, info=True)

    x, info = ag.to_graph(maybe)(4.0)
    assert (x, bool(info.converged)) == (2.0, True)
    assert info.steps == maybe(4.0)[1].steps
    assert not ag.to_graph(maybe)(-4.0)[1].converged
    assert ag.grad(lambda a: maybe(a)[0])(4.0) == pytest.approx(0.25)
    assert np.isnan(ag.grad(lambda a: maybe(a)[0])(-4.0))
    found = ag.vmap(ag.grad(lambda a: maybe(a)[0]))(np.array([4.0, -4.0, 1.0]))
    np.testing.assert_allclose(found, [0.25, np.nan, 0.5])


def test_a_solution_that_is_none():
    coarse = ag.implicit(lambda a: np.round(np.sqrt(a), 2), lambda x, a: x * x - a)
    assert ag.to_graph(coarse)(2.0) == 1.41
    with pytest.raises(ConvergenceError, match=r"distance of 0\.004"):
        ag.grad(coarse)(2.0)
    loose = ag.implicit(lambda a: np.round(np.sqrt(a), 2), lambda x, a: x * x - a, tol=0.01)
    assert ag.grad(loose)(2.0) == pytest.approx(0.5 / 1.41)


def test_a_root_without_a_derivative():
    flat = ag.implicit(lambda a: a, lambda x, a: (x - a) ** 2)
    with pytest.raises(ConvergenceError, match="singular"):
        ag.grad(flat)(2.0)


@pytest.mark.costly
@pytest.mark.parametrize("linear", ["cg", "gmres", "bicgstab"])
def test_linear_equations_without_a_solution(linear):
    both = lambda x, a: np.stack([x[0] + x[1] - a, 2.0 * x[0] + 2.0 * x[1] - a - 3.0])
    line = ag.implicit(lambda a: np.stack([a, 0.0 * a]), both, linear=linear)
    assert ag.to_graph(line)(3.0).tolist() == [3.0, 0.0]
    for mode in (ag.jacrev, ag.jacfwd):
        with pytest.raises(ConvergenceError):
            mode(lambda a: line(a) * np.array([1.0, -1.0]))(3.0)


# -- what is refused -------------------------------------------------------------------------------


def test_refused():
    with pytest.raises(OptionError, match="AG0553"):
        ag.root(lambda x: x, 1.0, linear="qr")
    with pytest.raises(OptionError, match="tol"):
        ag.root(lambda x: x, 1.0, tol=-1.0)
    with pytest.raises(OptionError, match="tol"):
        ag.implicit(np.sqrt, lambda x, a: x * x - a, tol="small")
    with pytest.raises(OperandTypeError, match="complex"):
        ag.root(lambda x: x * x + 1.0, 1.0j)
    with pytest.raises(OperandTypeError):
        ag.root(lambda x: x, "one")
    with pytest.raises(OperandShapeError, match="shape"):
        ag.root(lambda x: x[:1], np.ones(2))
    with pytest.raises(AutographError):
        ag.root(lambda x: np.sum(x), np.ones(2))
    with pytest.raises(OperandTypeError, match="keyword"):
        cubic(a=2.0)


def test_conditions_that_do_not_fit():
    wrong = ag.implicit(np.sqrt, lambda x, a: (x * x - a, 1.0))
    with pytest.raises(OperandShapeError, match="condition"):
        ag.grad(wrong)(2.0)
