"""Reverse mode as graph to graph: what the gradient's graph holds, its value to third order."""

import math

import numpy as np
import pytest

import autograph as ag
from autograph.graph.graph import walk
from autograph.graph.verify import verify
from tests.transforms.programs import factorial_like, newton_sqrt, power, tree


def count(module, name):
    """How many nodes of an operator a module has, regions included."""
    graphs = (module.main, *module.graphs.values())
    return sum(node.op.name == name for graph in graphs for node in walk(graph))


def nested(x):
    y = x
    for i in range(3):
        k = 0
        while k < i:
            y = y * np.sin(y + k)
            k += 1
    return y


def branchy(x):
    if x > 1.0:
        y = x * x
    elif x > 0.0:
        y = np.exp(x)
    else:
        y = x
    return y * y


SCALAR_FUNCTIONS = [
    (newton_sqrt, (2.0,)),
    (power, (1.3, 0)),
    (power, (1.3, 1)),
    (power, (1.3, 5)),
    (nested, (0.7,)),
    (branchy, (2.0,)),
    (branchy, (0.5,)),
    (branchy, (-0.5,)),
    (factorial_like, (4.5,)),
    (tree, (0.3, 3)),
]


@pytest.mark.parametrize(("function", "args"), SCALAR_FUNCTIONS)
def test_three_orders_against_differences_of_the_order_below(function, args):
    x, *rest = args
    order_below = function
    derivative = function
    for _ in range(3):
        derivative = ag.grad(derivative)
        step = 1e-5
        expected = (order_below(x + step, *rest) - order_below(x - step, *rest)) / (2 * step)
        assert derivative(x, *rest) == pytest.approx(expected, rel=1e-5, abs=1e-5)
        verify(derivative.graph(x, *rest))
        order_below = derivative


def test_newton_analytically():
    first, second, third = 0.5 * 2**-0.5, -0.25 * 2**-1.5, 0.375 * 2**-2.5
    gradient = ag.grad(newton_sqrt)
    assert gradient(2.0) == pytest.approx(first, rel=1e-12)
    assert ag.grad(gradient)(2.0) == pytest.approx(second, rel=1e-10)
    assert ag.grad(ag.grad(gradient))(2.0) == pytest.approx(third, rel=1e-8)


def test_a_loop_that_needs_no_residuals_pushes_none():
    def f(x, n):
        y = x
        for _ in range(n):
            y = 3.0 * y + 1.0
        return y

    module = ag.grad(f).graph(2.0, 4)
    assert count(module, "push") == count(module, "pack") == 0
    assert ag.grad(f)(2.0, 4) == 81.0


def test_the_index_of_a_loop_is_recomputed_not_stored():
    def f(x, n):
        y = 0.0
        for i in range(n):
            y = y + i * x
        return y

    module = ag.grad(f).graph(2.0, 4)
    assert count(module, "push") == 0
    assert ag.grad(f)(2.0, 4) == 6.0


def test_values_from_outside_a_loop_are_not_pushed():
    def f(w, x, n):
        for _ in range(n):
            x = np.tanh(w @ x)
        return np.sum(x)

    module = ag.grad(f).graph(np.eye(3), np.ones(3), 4)
    (pack,) = (node for node in walk(module.main) if node.op.name == "pack")
    assert len(pack.inputs) == 1  # x, which is tanh(w @ x) of the trip before, not w


def test_three_layers_have_no_more_products_than_by_hand():
    def loss(params, x, y):
        (w1, b1), (w2, b2), (w3, b3) = params
        h = np.tanh(x @ w1 + b1)
        h = np.tanh(h @ w2 + b2)
        return np.mean((h @ w3 + b3 - y) ** 2)

    rng = np.random.default_rng(0)
    sizes = [(5, 4), (4, 3), (3, 2)]
    params = [(rng.normal(size=s), np.zeros(s[1])) for s in sizes]
    module = ag.grad(loss).graph(params, rng.normal(size=(7, 5)), rng.normal(size=(7, 2)))
    assert count(module, "matmul") == 3 + 5


def test_the_gradient_of_a_recursion_calls_itself_once_per_level():
    calls = ag.grad(factorial_like).graph(4.5).graphs
    assert sorted(calls) == ["factorial_like_bwd", "factorial_like_fwd"]
    for graph in calls.values():
        assert sum(node.op.name == "call" for node in walk(graph)) == 1


def test_unused_results_of_a_branch_get_zero_cotangents():
    def f(x):
        if x > 0.0:
            a, b = np.sin(x), x * x
        else:
            a, b = x, 2.0 * x
        return a + 0.0 * b

    assert ag.grad(f)(0.5) == pytest.approx(math.cos(0.5))
    assert ag.grad(f)(-0.5) == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("function", "x", "first", "second"),
    [
        (lambda x: np.where(x > 0.0, np.log(x), 0.0), 0.0, 0.0, 0.0),
        (lambda x: np.where(x > 0.0, np.log(x), 0.0), 2.0, 0.5, -0.25),
        (lambda x: np.where(x != 0.0, np.sin(x) / x, 1.0), 0.0, 0.0, 0.0),
        (lambda x: np.where(x > 0.0, np.sqrt(x), x), 0.0, 1.0, 0.0),
        (lambda x: np.where(x > 0.0, 1.0 / x, 3.0 * x), -1.0, 3.0, 0.0),
        (lambda x: np.where(x < 1.0, np.arccos(x), 0.0), 1.0, 0.0, 0.0),
        (lambda x: np.where(x > 0.0, x**0.5, 0.0), 0.0, 0.0, 0.0),
    ],
)
def test_nothing_leaks_from_the_branch_of_where_that_is_not_taken(function, x, first, second):
    with np.errstate(all="ignore"):
        gradient = ag.grad(function)
        assert gradient(x) == pytest.approx(first)
        assert ag.grad(gradient)(x) == pytest.approx(second)


def test_a_norm_guarded_by_where_has_a_gradient_at_zero():
    def f(v):
        square = np.sum(v * v)
        return np.where(square > 0.0, np.sqrt(square), 0.0)

    with np.errstate(all="ignore"):
        assert np.array_equal(ag.grad(f)(np.zeros(3)), np.zeros(3))
        v = np.array([3.0, 0.0, 4.0])
        assert np.allclose(ag.grad(f)(v), v / 5.0)


def test_in_place_updates_are_differentiated():
    def f(x):
        y = x.copy()
        for i in range(1, len(x)):
            y[i] = y[i - 1] * y[i]
        y[0] += 2.0
        return np.sum(y)

    x = np.array([2.0, 3.0, 5.0])
    # y = (2 + x0, x0 x1, x0 x1 x2)
    expected = [1 + x[1] + x[1] * x[2], x[0] + x[0] * x[2], x[0] * x[1]]
    assert np.allclose(ag.grad(f)(x), expected)


def test_integers_and_floats_of_every_width_keep_their_types():
    def f(x, n):
        return np.sum(x * n)

    gradient = ag.grad(f)(np.ones(2, np.float32), np.int32(3))
    assert gradient.dtype == np.float32
    assert type(ag.grad(lambda x: x * 2.0)(1.0)) is float
