"""Functions with custom derivatives under `vmap`, `checkpoint` and the Jacobians, in any order.

The oracle of `vmap` is a loop over the lanes.
"""

import functools

import numpy as np
import pytest

import autograph as ag
from autograph.errors import NonDifferentiableError
from tests.support.oracle import assert_same

X = np.array([0.5, -1.2, 2.0])


@ag.custom_vjp
def by_vjp(x):
    return np.sin(x)


by_vjp.defvjp(lambda x: (by_vjp(x), x), lambda x, ct: (3.0 * np.cos(x) * ct,))


@ag.custom_jvp
def by_jvp(x):
    return np.sin(x)


by_jvp.defjvp(lambda p, t: (by_jvp(*p), 3.0 * np.cos(p[0]) * t[0]))


@ag.custom_vjp
def steps_by_vjp(x):
    """How often x can be doubled, and what that gives; the derivative is 100 times as large."""
    n = 0
    while np.abs(x) < 10.0:
        x, n = 2.0 * x, n + 1
    return x if n > 2 else -x


def steps_forward(x):
    factor, y = 1.0, x
    while np.abs(y) < 10.0:
        y, factor = 2.0 * y, 2.0 * factor
    return steps_by_vjp(x), (factor, x)


def steps_backward(residuals, ct):
    factor, x = residuals
    if x > 0.0:
        return (100.0 * factor * ct * x,)
    return (-100.0 * factor * ct,)


steps_by_vjp.defvjp(steps_forward, steps_backward)


@ag.custom_jvp
def steps_by_jvp(x):
    return steps_by_vjp(x)


@steps_by_jvp.defjvp
def steps_rule(primals, tangents):
    (x,), (x_dot,) = primals, tangents
    y, y_dot = x, x_dot
    while np.abs(y) < 10.0:
        y, y_dot = 2.0 * y, 2.0 * y_dot
    if x > 0.0:
        return steps_by_jvp(x), 100.0 * y_dot * x
    return steps_by_jvp(x), -100.0 * y_dot


BOTH = pytest.mark.parametrize("f", [by_vjp, by_jvp, steps_by_vjp, steps_by_jvp])
BY_JVP = pytest.mark.parametrize("f", [by_jvp, steps_by_jvp])


def lanes(function, *args):
    return np.stack([function(*lane) for lane in zip(*args)])


@BOTH
def test_lanes_of_the_function(f):
    assert_same(ag.vmap(f)(X), lanes(f, X), "vmap")


@BOTH
def test_lanes_of_the_gradient(f):
    assert_same(ag.vmap(ag.grad(f))(X), lanes(ag.grad(f), X), "gradients")
    second = ag.grad(ag.grad(f))
    assert_same(ag.vmap(second)(X), lanes(second, X), "second derivatives")


@BOTH
def test_the_gradient_of_lanes(f):
    total = lambda x: np.sum(ag.vmap(f)(x) * np.array([1.0, 2.0, 3.0]))
    expected = lanes(ag.grad(f), X) * np.array([1.0, 2.0, 3.0])
    assert_same(ag.grad(total)(X), expected, "gradient")
    squared = lambda x: np.sum(ag.grad(total)(x) ** 2)
    slopes = 2.0 * expected * np.array([1.0, 2.0, 3.0]) * lanes(ag.grad(ag.grad(f)), X)
    assert_same(ag.grad(squared)(X), slopes, "gradient of the gradient")
    through_gradient = lambda x: np.sum(ag.vmap(ag.grad(f))(x))
    assert_same(ag.grad(through_gradient)(X), lanes(ag.grad(ag.grad(f)), X), "other order")


@BY_JVP
def test_tangents_of_lanes_and_lanes_of_tangents(f):
    expected = lanes(lambda x, t: ag.jvp(f, (x,), (t,))[1], X, X)
    assert_same(ag.jvp(ag.vmap(f), (X,), (X,))[1], expected, "tangents")
    along = lambda x, t: ag.jvp(f, (x,), (t,))[1]
    assert_same(ag.vmap(along)(X, X), expected, "lanes")


@pytest.mark.parametrize("f", [by_vjp, steps_by_vjp])
def test_forward_mode_of_lanes_is_refused(f):
    for derivative in (
        lambda: ag.jvp(ag.vmap(f), (X,), (X,)),
        lambda: ag.vmap(lambda x: ag.jvp(f, (x,), (1.0,))[1])(X),
    ):
        with pytest.raises(NonDifferentiableError, match=r"AG0523") as raised:
            derivative()
        sites = [raised.value.location, *(site for _, site in raised.value.others)]
        assert sites[-1].line == f.wrapped.__code__.co_firstlineno


@pytest.mark.parametrize("kind", ["vjp", "jvp"])
def test_arguments_that_all_lanes_share(kind):
    """Their cotangents are the sums of those of the lanes."""
    if kind == "vjp":
        f = ag.custom_vjp(lambda x, w: np.sum(x * w))
        f.defvjp(lambda x, w: (f(x, w), (x, w)), lambda r, ct: (r[1] * ct, 10.0 * r[0] * ct))
    else:
        f = ag.custom_jvp(lambda x, w: np.sum(x * w))
        f.defjvp(lambda p, t: (f(*p), np.sum(t[0] * p[1]) + 10.0 * np.sum(p[0] * t[1])))
    xs = np.arange(6.0).reshape(2, 3)
    total = lambda xs, w: np.sum(ag.vmap(f, in_axes=(0, None))(xs, w) * np.array([1.0, 2.0]))
    xs_bar, w_bar = ag.grad(total, argnums=(0, 1))(xs, X)
    assert_same(xs_bar, np.stack([X, 2.0 * X]), "xs")
    assert_same(w_bar, 10.0 * (xs[0] + 2.0 * xs[1]), "w")


def test_what_is_apart_may_differ_between_lanes():
    @functools.partial(ag.custom_vjp, nondiff_argnums=(0,))
    def clipped(limit, x):
        return x

    def backward(limit, residuals, ct):
        return (np.minimum(ct, limit),)

    clipped.defvjp(lambda limit, x: (x, None), backward)
    f = lambda limit, x: 10.0 * clipped(limit, x) * x
    limits = np.array([1.0, 5.0, 100.0])
    expected = lanes(ag.grad(f, argnums=1), limits, X)
    assert_same(ag.vmap(ag.grad(f, argnums=1))(limits, X), expected, "lanes of gradients")
    total = lambda x: np.sum(ag.vmap(f)(limits, x))
    assert_same(ag.grad(total)(X), expected, "gradient of lanes")


def test_lanes_of_lanes():
    xs = np.stack([X, 2.0 * X])
    total = lambda xs: np.sum(ag.vmap(ag.vmap(by_vjp))(xs) ** 2)
    assert_same(ag.grad(total)(xs), 6.0 * np.sin(xs) * np.cos(xs), "gradient")


@pytest.mark.costly
@BOTH
def test_jacobians_and_hessians(f):
    g = lambda x: np.stack([f(x[0]) * x[1], f(x[2])])
    expected = np.stack([ag.grad(lambda x, i=i: g(x)[i])(X) for i in range(2)])
    assert_same(ag.jacrev(g)(X), expected, "jacrev")
    if f in (by_jvp, steps_by_jvp):
        assert_same(ag.jacfwd(g)(X), expected, "jacfwd")
    # The Hessian is a forward pass over a reverse one. It needs the tangent of f where the gradient
    # holds the value of f.
    total = lambda x: f(x[0]) + x[1] ** 2 + f(2.0 * x[2])
    if f in (by_jvp, steps_by_jvp):
        total = lambda x: np.sum(g(x)) * x[0]
    rows = [ag.grad(lambda x, i=i: ag.grad(total)(x)[i])(X) for i in range(3)]
    assert_same(ag.hessian(total)(X), np.stack(rows), "hessian")


@pytest.mark.costly
@BOTH
def test_what_is_computed_again_follows_the_rules(f):
    square = lambda x: f(x) ** 2
    again = ag.checkpoint(square)
    for x in X:
        assert ag.value_and_grad(again)(x) == pytest.approx(ag.value_and_grad(square)(x))
        assert ag.grad(ag.grad(again))(x) == pytest.approx(ag.grad(ag.grad(square))(x))
    assert ag.grad(ag.checkpoint(f))(0.7) == pytest.approx(ag.grad(f)(0.7))
    inside = ag.custom_vjp(ag.checkpoint(lambda x: x * x))
    inside.defvjp(lambda x: (inside(x), x), ag.checkpoint(lambda x, ct: (f(x) * ct,)))
    assert ag.grad(inside)(0.7) == pytest.approx(f(0.7))
    assert ag.grad(ag.grad(inside))(0.7) == pytest.approx(ag.grad(f)(0.7))


def test_a_result_that_is_the_same_in_all_lanes_beside_one_that_is_not():
    @ag.custom_vjp
    def pair(x, y):
        return x * y[0], y[-1]

    def backward(residuals, cotangents):
        x, y = residuals
        by_product, by_last = cotangents
        return by_product * y[0], np.stack([by_product * x, by_last])

    def tangent(primals, tangents):
        (x, y), (dx, dy) = primals, tangents
        return pair(x, y), (dx * y[0] + x * dy[0], dy[-1])

    pair.defvjp(lambda x, y: (pair(x, y), (x, y)), backward)
    pair.defjvp(tangent)
    product = lambda x, y: pair(x, y)[0] * pair(x, y)[1]
    x, y = np.array([1.0, 2.0, 3.0]), np.array([2.0, 5.0])
    total = lambda x, y: np.sum(ag.vmap(product, (0, None))(x, y))
    for mode in (ag.grad, ag.jacfwd):
        by_x, by_y = mode(total, argnums=(0, 1))(x, y)
        np.testing.assert_allclose(by_x, [10.0] * 3)
        np.testing.assert_allclose(by_y, [5.0 * np.sum(x), 2.0 * np.sum(x)])
