"""`stop_gradient`: values that derivatives take for constants."""

import collections

import numpy as np

import autograph as ag
from tests.support.oracle import assert_same, check

X = np.array([0.5, -1.2, 2.0])
Point = collections.namedtuple("Point", "x y")


def test_values_are_what_they_were():
    tree = {"b": X, "a": [1, 2.0, None, "text"], "p": Point(True, np.float32(1.0))}
    assert ag.stop_gradient(tree) is tree
    assert ag.stop_gradient(X) is X
    check(lambda x: ag.stop_gradient(x) * 2.0, X)
    check(lambda x, y: ag.stop_gradient({"x": x, "n": 3, "y": [y, "text"]}), X, 2.0)


def test_derivatives_take_them_for_constants():
    f = lambda x: x * ag.stop_gradient(x) + ag.stop_gradient(x) ** 2
    assert ag.value_and_grad(f)(3.0) == (18.0, 3.0)
    assert ag.jvp(f, (3.0,), (2.0,)) == (18.0, 6.0)
    assert ag.vjp(f, 3.0)[1](1.0) == (3.0,)
    assert ag.grad(ag.grad(f))(3.0) == 0.0
    assert ag.jvp(ag.grad(f), (3.0,), (1.0,)) == (3.0, 0.0)
    assert ag.grad(ag.stop_gradient)(3.0) == 0.0
    assert_same(ag.jvp(ag.stop_gradient, (X,), (X,)), (X, np.zeros(3)), "tangent")


def test_the_gradient_of_a_stopped_gradient():
    """What is stopped is stopped for all derivatives, not only for the innermost."""
    g = lambda x: ag.stop_gradient(ag.grad(lambda y: y**3)(x)) * x
    assert ag.grad(g)(2.0) == 12.0
    h = lambda x: ag.grad(lambda y: y * ag.stop_gradient(x**2))(x) * x
    assert ag.grad(h)(3.0) == 9.0


def test_nested():
    def f(x, y):
        tree = {"w": x, "rest": [y, 3, None, "text"], "point": Point(x * y, True)}
        stopped = ag.stop_gradient(tree)
        assert stopped["rest"][1:] == [3, None, "text"] and stopped["point"].y is True
        return np.sum(stopped["w"] * tree["w"]) + stopped["rest"][0] * y + stopped["point"].x[0]

    x_bar, y_bar = ag.grad(f, argnums=(0, 1))(X, 2.0)
    assert_same(x_bar, X, "x")
    assert y_bar == 2.0


def test_in_control_flow():
    def f(x):
        total = 0.0
        for i in range(3):
            total = total + x * ag.stop_gradient(x) * i
        while total < 100.0:
            total = total + ag.stop_gradient(total)
        return total if x > 0.0 else ag.stop_gradient(x)

    assert ag.value_and_grad(f)(2.0) == (192.0, 6.0)
    assert ag.value_and_grad(f)(-2.0) == (-2.0, 0.0)
    assert ag.jvp(f, (2.0,), (1.0,)) == (192.0, 6.0)


def test_lists_of_unknown_length_and_what_may_be_none():
    def f(x):
        xs, n = [], 0
        while n < x:
            xs.append(x * n)
            n = n + 1
        maybe = x if x > 2.0 else None
        stopped, maybe = ag.stop_gradient((xs, maybe))
        total = 0.0 if maybe is None else maybe * x
        for item in stopped:
            total = total + item * x
        return total

    check(f, 3.0)
    assert ag.grad(f)(3.0) == 9.0 + 3.0
    assert ag.grad(f)(2.0) == 2.0


def test_float32_stays_float32():
    f = lambda x: np.sum(ag.stop_gradient(x) * x)
    assert_same(ag.grad(f)(np.float32(X)), np.float32(X), "gradient")


class Box:
    def __init__(self, content):
        self.content = content


def test_objects():
    f = lambda x: ag.stop_gradient([Box(x)])[0].content * x
    check(f, 2.0)
    assert ag.grad(f)(2.0) == 2.0
