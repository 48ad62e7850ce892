"""`custom_vjp`: a derivative in reverse mode that the user writes, honoured wherever it is taken.

Many rules here give a wrong derivative on purpose: that is how one sees that they are followed.
"""

import numpy as np
import pytest

import autograph as ag
from autograph.errors import CustomRuleError, NonDifferentiableError
from tests.support.oracle import assert_same, check, check_grad
from tests.transforms.programs import in_a_branch, in_a_for, in_a_while, recursive, sine_with_slope

X = np.array([0.5, -1.2, 2.0])


def scaled(slope=3.0):
    """``sin`` with a derivative that is ``slope`` times as large."""

    @ag.custom_vjp
    def sine(x):
        return np.sin(x)

    sine.defvjp(lambda x: (sine(x), x), lambda x, ct: (slope * np.cos(x) * ct,))
    return sine


sine = scaled()


# -- what it is ------------------------------------------------------------------------------------


def test_without_a_derivative_it_is_the_function():
    assert_same(sine(1.0), np.sin(1.0), "plain")
    assert_same(sine(X), np.sin(X), "plain")
    assert sine.__name__ == "sine"
    assert_same(ag.to_graph(sine)(X), np.sin(X), "compiled")
    check(lambda x: sine(x) * 2.0, X)


def test_the_program_without_derivatives_knows_nothing_of_it():
    plain = ag.to_graph(lambda x: np.sin(x) * 2.0).graph(X)
    custom = ag.to_graph(lambda x: sine(x) * 2.0).graph(X)
    strip = lambda module: [line.partition("#")[0].rstrip() for line in str(module).splitlines()]
    assert strip(plain) == strip(custom)


def test_without_a_derivative_no_rule_is_needed():
    @ag.custom_vjp
    def f(x):
        return x * x

    assert f(3.0) == 9.0
    assert ag.to_graph(lambda x: f(x) + 1.0)(3.0) == 10.0
    with pytest.raises(CustomRuleError, match=r"AG0520.*rule of its derivative is missing"):
        ag.grad(f)(3.0)


# -- orders and transforms -------------------------------------------------------------------------


def test_gradient():
    assert ag.grad(sine)(0.7) == pytest.approx(3.0 * np.cos(0.7))
    assert_same(ag.grad(lambda x: np.sum(sine(x)))(X), 3.0 * np.cos(X), "gradient")
    value, slope = ag.value_and_grad(lambda x: 2.0 * sine(x))(0.7)
    assert (value, slope) == pytest.approx((2.0 * np.sin(0.7), 6.0 * np.cos(0.7)))


def test_pullback():
    out, pull = ag.vjp(sine, X)
    assert_same(out, np.sin(X), "out")
    for ct in (np.ones(3), X):
        assert_same(pull(ct), (3.0 * np.cos(X) * ct,), "cotangents")


def test_higher_orders_differentiate_the_rules():
    second = ag.grad(ag.grad(sine))
    assert second(0.7) == pytest.approx(-3.0 * np.sin(0.7))
    assert ag.grad(second)(0.7) == pytest.approx(-3.0 * np.cos(0.7))


def test_a_rule_that_calls_another_custom_function_follows_its_rule():
    inner = scaled(5.0)

    @ag.custom_vjp
    def f(x):
        return np.exp(x)

    f.defvjp(lambda x: (f(x), x), lambda x, ct: (inner(x) * ct,))
    assert ag.grad(f)(0.7) == pytest.approx(np.sin(0.7))
    assert ag.grad(ag.grad(f))(0.7) == pytest.approx(5.0 * np.cos(0.7))
    assert ag.grad(ag.grad(ag.grad(f)))(0.7) == pytest.approx(-5.0 * np.sin(0.7))


def test_a_rule_that_calls_the_function_itself():
    """The derivative of exp is exp: each order finds the rule again."""

    @ag.custom_vjp
    def f(x):
        return np.exp(x)

    f.defvjp(lambda x: (f(x), x), lambda x, ct: (2.0 * f(x) * ct,))
    derivative = f
    for order in range(1, 5):
        derivative = ag.grad(derivative)
        assert derivative(0.5) == pytest.approx(2.0**order * np.exp(0.5))


def test_custom_functions_in_each_other():
    @ag.custom_vjp
    def outer(x):
        return sine(x) ** 2

    def forward(x):
        y, pull = ag.vjp(sine, x)
        return y * y, (y, pull(1.0)[0])

    outer.defvjp(forward, lambda residuals, ct: (2.0 * residuals[0] * residuals[1] * ct,))
    expected = 6.0 * np.sin(0.7) * np.cos(0.7)
    assert ag.grad(outer)(0.7) == pytest.approx(expected)
    second = 2.0 * (9.0 * np.cos(0.7) ** 2 - 3.0 * np.sin(0.7) ** 2)
    assert ag.grad(ag.grad(outer))(0.7) == pytest.approx(second)


def test_forward_mode_is_refused():
    message = r"AG0523.*'sine' has a rule for reverse mode only"
    with pytest.raises(NonDifferentiableError, match=message) as raised:
        ag.jvp(lambda x: sine(x) * 2.0, (0.7,), (1.0,))
    assert raised.value.location.line == test_forward_mode_is_refused.__code__.co_firstlineno + 3
    assert raised.value.others[0][1].function == "sine"
    with pytest.raises(NonDifferentiableError, match="AG0523"):
        ag.grad(lambda x: ag.jvp(sine, (x,), (1.0,))[1])(0.7)


def test_forward_mode_is_refused_only_where_it_is_needed():
    """The rule of ``sine`` calls ``sine``, but the gradient does not need the value of that."""
    assert ag.jvp(ag.grad(sine), (0.7,), (1.0,))[1] == pytest.approx(-3.0 * np.sin(0.7))
    exponential = ag.custom_vjp(lambda x: np.exp(x))
    exponential.defvjp(lambda x: (exponential(x),) * 2, lambda y, ct: (y * ct,))
    for derivative in (
        lambda x: ag.jvp(ag.grad(exponential), (x,), (1.0,)),
        ag.grad(lambda x: ag.jvp(sine, (x,), (1.0,))[1]),
        lambda x: ag.jvp(lambda x: ag.jvp(sine, (x,), (1.0,))[1], (x,), (1.0,)),
    ):
        with pytest.raises(NonDifferentiableError, match="AG0523"):
            derivative(0.7)
    value_only = lambda x: ag.grad(lambda x: ag.jvp(sine, (x,), (1.0,))[0])(x)
    assert value_only(0.7) == pytest.approx(3.0 * np.cos(0.7))


def test_forward_mode_of_what_does_not_move_is_not_refused():
    f = lambda x, y: sine(y) * x
    assert ag.jvp(f, (2.0, 0.7), (1.0, None))[1] == pytest.approx(np.sin(0.7))
    assert ag.jvp(lambda x: sine(ag.stop_gradient(x)) * x, (0.7,), (1.0,))[1] == pytest.approx(
        np.sin(0.7)
    )


# -- control flow ----------------------------------------------------------------------------------


@ag.custom_vjp
def branching(x):
    if x > 0.0:
        return np.sin(x)
    return np.cos(x)


def branching_forward(x):
    if x > 0.0:
        return branching(x), x
    return branching(x), 2.0 * x


def branching_backward(x, ct):
    if x > 0.0:
        return (2.0 * ct * x,)
    return (3.0 * ct * x,)


branching.defvjp(branching_forward, branching_backward)


def test_control_flow_in_the_function_and_in_the_rules():
    assert ag.value_and_grad(branching)(2.0) == pytest.approx((np.sin(2.0), 4.0))
    assert ag.value_and_grad(branching)(-2.0) == pytest.approx((np.cos(2.0), -12.0))
    assert ag.grad(ag.grad(branching))(2.0) == 2.0
    assert ag.grad(ag.grad(branching))(-2.0) == 6.0
    assert ag.grad(ag.grad(ag.grad(branching)))(-2.0) == 0.0


@pytest.mark.parametrize("function", [in_a_while, in_a_for, in_a_branch, recursive])
@pytest.mark.parametrize("x", [0.2, 0.9, 7.0])
def test_in_control_flow(function, x):
    step = 1e-30
    expected = function(np.complex128(complex(x, step)), sine_with_slope(3.0)).imag / step
    assert ag.grad(function)(x, sine) == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("function", [in_a_while, in_a_for, in_a_branch, recursive])
def test_in_control_flow_to_second_order(function):
    right = scaled(1.0)
    for x in (0.2, 0.9):
        check_grad(lambda x: function(x, right), x)


def test_a_recursive_custom_function():
    @ag.custom_vjp
    def factorial(x):
        if x <= 1.0:
            return x
        return x * factorial(x - 1.0)

    factorial.defvjp(lambda x: (factorial(x), x), lambda x, ct: (100.0 * x * ct,))
    assert ag.value_and_grad(factorial)(4.0) == (24.0, 400.0)
    assert ag.value_and_grad(lambda x: x * factorial(x))(4.0) == (96.0, 24.0 + 1600.0)
    assert ag.grad(ag.grad(factorial))(4.0) == 100.0


def test_a_recursive_function_called_with_and_without_a_derivative():
    """What is recorded of it for the one is not right for the other."""

    def recursive(x, n):
        if n == 0:
            return sine(x)
        return 2.0 * recursive(x, n - 1)

    slope = 8.0 * 3.0 * np.cos(0.5)
    for both in (
        lambda x, n: (recursive(x, n), ag.grad(recursive)(x, n)),
        lambda x, n: (ag.grad(recursive)(x, n), recursive(x, n))[::-1],
    ):
        assert ag.to_graph(both)(0.5, 3) == pytest.approx((8.0 * np.sin(0.5), slope))


def test_the_derivative_of_a_function_that_is_recursive_inside_a_recursive_one():
    """It refers to values of the other, which is still being recorded."""

    def outer(x, n):
        if n <= 0:
            return x

        def inner(y, k):
            if k <= 0:
                return y * x
            return inner(y, k - 1) * y

        return ag.grad(inner)(x, n) + outer(0.5 * x, n - 1)

    def expected(x, n):
        return (n + 1) * x**n * x + expected(0.5 * x, n - 1) if n > 0 else x

    assert ag.to_graph(outer)(2.0, 3) == pytest.approx(expected(2.0, 3))


def test_the_derivative_of_a_function_that_calls_the_one_around_it_is_refused():
    """What the one around it refers to is not known while that is being recorded."""

    def outer(x, n):
        if n <= 0:
            return x

        def inner(y, k):
            if k <= 0:
                return outer(y, n - 1) * x
            return inner(y, k - 1) * x

        return ag.grad(inner)(x, 2)

    with pytest.raises(NonDifferentiableError, match=r"AG0511"):
        ag.to_graph(outer)(2.0, 3)
