"""Forward mode as graph to graph: every construct, what its graph holds, to third order."""

import math

import numpy as np
import pytest

import autograph as ag
from autograph.graph.graph import walk
from autograph.graph.verify import verify
from tests.transforms.programs import factorial_like, newton_sqrt, power, tree

X = np.array([0.5, -1.2, 2.0])


def graph(function, *args):
    """The graph of the derivative of a function along some direction by its floats."""
    return tangent_of(function).graph(*args)


def tangent_of(function):
    """``jvp`` along ones, as a function of the arguments."""

    def derivative(*args):
        moves = tuple(1.0 if isinstance(a, float) else None for a in args)
        moves = tuple(
            np.ones(a.shape) if isinstance(a, np.ndarray) else m for a, m in zip(args, moves)
        )
        return ag.jvp(function, args, moves)[1]

    return ag.to_graph(derivative)


def names(module):
    graphs = (module.main, *module.graphs.values())
    return {node.op.name for graph in graphs for node in walk(graph)}


# -- programs --------------------------------------------------------------------------------------


def straight(x):
    return np.sin(x) * x / (1.0 + x * x)


def several_results(x):
    return {"a": (x * x, 3), "b": [np.exp(x), "text"]}


def branchy(x):
    if x > 1.0:
        y = x * x
    elif x > 0.0:
        y = np.exp(x)
    else:
        y = 3.0
    return y * y


def halving(x):
    y = x
    while y > 1.0:
        y = y * 0.5 + 0.01 * y * y / x
    return y * y


def with_the_index(x, n):
    y = 0.0
    for i in range(n):
        y = y + i * np.sin(x * i)
    return y


def nested(x):
    y = x
    for i in range(3):
        k = 0
        while k < i:
            if y > 0.5:
                y = y * np.sin(y + k)
            k += 1
    return y


def growing(x):
    ys = []
    y = x
    while y > 0.1:
        ys.append(y * y)
        y = y * 0.5
    return np.sum(np.array(ys)) + len(ys)


def in_place(x):
    y = np.zeros(4)
    for i in range(3):
        y[i + 1] = y[i] * x[i] + x[i]
    y[0] += x[1]
    return y


def left_early(x):
    total = 0.0
    for v in x:
        if v < -1.0:
            continue
        if v > 1.5:
            return total * v
        total += v * v * v
    return total


def even(x, n):
    return x if n == 0 else np.sin(odd(x * 1.1, n - 1))


def odd(x, n):
    return x * x if n == 0 else x * even(x - 0.5, n - 1)


PROGRAMS = [
    (straight, (0.7,)),
    (straight, (X,)),
    (several_results, (0.7,)),
    (branchy, (2.0,)),
    (branchy, (0.5,)),
    (branchy, (-0.5,)),
    (newton_sqrt, (2.0,)),
    (halving, (0.5,)),
    (halving, (1.5,)),
    (halving, (30.0,)),
    (power, (1.3, 0)),
    (power, (1.3, 1)),
    (power, (1.3, 5)),
    (with_the_index, (0.7, 4)),
    (nested, (0.7,)),
    (growing, (3.0,)),
    (growing, (0.05,)),
    (in_place, (X,)),
    (left_early, (X,)),
    (factorial_like, (4.5,)),
    (tree, (0.3, 3)),
    (even, (0.8, 0)),
    (even, (0.8, 3)),
]


@pytest.mark.parametrize(("function", "args"), PROGRAMS)
def test_two_orders_in_all_combinations_of_modes(function, args):
    ag.check_grads(function, args, order=2)


@pytest.mark.parametrize(("function", "args"), PROGRAMS)
def test_graphs_are_valid_and_leave_nothing_for_later(function, args):
    """The memory does not grow with the number of trips: nothing is pushed."""
    if function is not several_results:
        module = graph(function, *args)
        verify(module)
        assert not names(module) & {"push", "pop", "pack", "unpack"}


def by_x(function, rest):
    return lambda x: function(x, *rest)


@pytest.mark.parametrize(
    ("function", "args"),
    [(f, a) for f, a in PROGRAMS if type(a[0]) is float and f is not several_results],
)
def test_third_order_in_mixed_modes(function, args):
    """Forward over reverse over forward is reverse over reverse over reverse."""
    x, *rest = args
    f = by_x(function, rest)
    forward = lambda f: lambda x: ag.jvp(f, (x,), (1.0,))[1]
    reverse = lambda f: ag.grad(f)
    expected = reverse(reverse(reverse(f)))(x)
    for a, b, c in [
        (forward, reverse, forward),
        (reverse, forward, reverse),
        (forward, forward, reverse),
        (forward, forward, forward),
    ]:
        assert ag.to_graph(a(b(c(f))))(x) == pytest.approx(expected, rel=1e-9, abs=1e-9)


def test_newton_analytically():
    first, second, third = 0.5 * 2**-0.5, -0.25 * 2**-1.5, 0.375 * 2**-2.5
    d1 = lambda x: ag.jvp(newton_sqrt, (x,), (1.0,))[1]
    d2 = lambda x: ag.jvp(d1, (x,), (1.0,))[1]
    value, slope = ag.jvp(newton_sqrt, (2.0,), (1.0,))
    assert (value, slope) == pytest.approx((math.sqrt(2), first), rel=1e-12)
    assert ag.jvp(d1, (2.0,), (1.0,)) == pytest.approx((first, second), rel=1e-9)
    assert ag.jvp(d2, (2.0,), (1.0,)) == pytest.approx((second, third), rel=1e-7)
    assert ag.grad(d2)(2.0) == pytest.approx(third, rel=1e-7)


# -- what the graph holds --------------------------------------------------------------------------


def loops(module):
    return [n for n in walk(module.main) if n.op.name in ("while_loop", "for_loop")]


def test_a_loop_carries_tangents_of_its_active_state_only():
    def f(x, n):
        y, k, c = x, 0, 2.0
        while k < n:
            y = y * c
            c = c + 1.0
            k += 1
        return y

    (loop,) = loops(graph(f, 1.5, 4))
    assert sorted(v.name for v in loop.outputs) == ["c", "k", "y_dot"]  # y itself is linear in x
    assert ag.jvp(f, (1.5, 4), (1.0, None)) == (1.5 * 120, 120.0)


def test_activity_that_reaches_a_variable_after_some_trips():
    def f(x, n):
        a = b = c = 0.0
        for _ in range(n):
            a, b, c = b, c + 1.0, x
        return a

    for n, slope in enumerate([0.0, 0.0, 0.0, 1.0, 1.0]):
        assert ag.jvp(f, (2.0, n), (1.0, None))[1] == slope


def test_a_recursive_function_is_transformed_once_for_each_choice_of_moving_arguments():
    calls = graph(factorial_like, 4.5).graphs
    assert sorted(calls) == ["factorial_like_jvp"]
    (call,) = (n for n in walk(calls["factorial_like_jvp"]) if n.op.name == "call")
    assert len(call.inputs) == len(call.outputs) == 2

    def scaled(x, c):
        return x if x < 1.0 else c * scaled(x * 0.5, c)

    by_both = lambda x, c: scaled(x, c) + ag.jvp(scaled, (x, c), (1.0, None))[1]
    calls = ag.to_graph(lambda x: ag.jvp(scaled, (x, 3.0), (1.0, None))[1]).graph(5.0).graphs
    assert sorted(calls) == ["scaled_jvp_dc"]
    ag.check_grads(by_both, (5.0, 3.0), order=2)


def test_a_while_loop_tests_the_values_alone():
    (loop,) = loops(graph(newton_sqrt, 2.0))
    test, _ = loop.regions
    assert not any(v.name.endswith("_dot") for n in walk(test) for v in n.inputs if v.name)


def test_no_more_than_one_product_by_each_operand():
    def layers(w, x):
        for _ in range(3):
            x = np.tanh(w @ x)
        return x

    def derivative(w, x, t):
        return ag.jvp(layers, (w, x), (t, None))

    module = ag.to_graph(derivative).graph(np.eye(3), X, np.eye(3))
    assert sum(n.op.name == "matmul" for n in walk(module.main)) == 3


def test_effects_happen_once(capsys):
    def f(x):
        print("x is", x)
        return x * x

    assert ag.jvp(f, (3.0,), (1.0,)) == (9.0, 6.0)
    assert capsys.readouterr().out == "x is 3.0\n"


def test_a_tangent_of_zero_stays_zero_where_the_derivative_is_infinite():
    value, slope = ag.jvp(lambda x, y: np.sqrt(x) + y, (0.0, 2.0), (None, 1.0))
    assert (value, slope) == (2.0, 1.0)


def f(x):
    return x * x if x < 1.0 else x * f(x - 1.0)


def f_jvp(x):
    return x if x < 1.0 else 3.0 * f_jvp(x * 0.5)


def f_fwd(x):
    return x if x < 1.0 else 2.0 * f_fwd(x * 0.25)


def test_users_functions_with_the_names_of_derivatives():
    ag.check_grads(lambda x: f_jvp(x) * f(x) * f_fwd(x), (3.7,), order=2)


def test_in_loops_and_branches_of_compiled_functions():
    def root(p):
        x = 1.5
        while abs(x**3 - p) > 1e-12:
            value, slope = ag.jvp(lambda x: x**3 - p, (x,), (1.0,))
            x = x - value / slope
        return x

    assert ag.to_graph(root)(2.0) == pytest.approx(2.0 ** (1 / 3))
    ag.check_grads(root, (2.0,), order=2)

    def descent(x):
        while np.sum(x * x) > 1e-3:
            out, pull = ag.vjp(lambda x: np.sum(x * x * np.cos(x)), x)
            if out > 0.01:
                (slope,) = pull(1.0)
            else:
                slope = 2.0 * x
            x = x - 0.1 * slope
        return x

    ag.check_grads(descent, (X * 0.3,), order=2)


# -- packs and stacks ------------------------------------------------------------------------------


@pytest.mark.parametrize("function", [newton_sqrt, halving, nested, growing, factorial_like])
def test_the_tangent_of_what_a_loop_leaves_for_its_backward_pass(function):
    """Forward over reverse: packs of tangents next to packs."""
    gradient = ag.grad(function)
    module = ag.to_graph(lambda x: ag.jvp(gradient, (x,), (1.0,))).graph(2.5)
    verify(module)
    step = 1e-5
    expected = (gradient(2.5 + step) - gradient(2.5 - step)) / (2 * step)
    assert ag.jvp(gradient, (2.5,), (1.0,))[1] == pytest.approx(expected, rel=1e-6)


def test_residuals_of_unknown_length():
    def f(x):
        ys = []
        y = x
        while y > 0.1:
            ys.append(y * x)
            y = y * 0.5
        a = np.array(ys)
        total = 0.0
        for _ in range(2):
            total = total + np.sum(np.exp(a) * a)
        return total

    ag.check_grads(f, (1.5,), order=3)


# -- broadcasting, types ---------------------------------------------------------------------------


@pytest.mark.costly
@pytest.mark.parametrize("shapes", [((3,), (1,)), ((3,), ()), ((2, 1), (3,)), ((0,), (1,))])
def test_operands_that_are_broadcast(shapes):
    rng = np.random.default_rng(0)
    a, b = (np.asarray(rng.normal(size=s)) for s in shapes)
    for f in (np.add, np.subtract, np.multiply, np.arctan2, np.maximum):
        in_order = lambda a, b, f=f: f(a, b)
        swapped = lambda a, b, f=f: f(b, a)  # Python 3.10 knows no columns: a line of its own
        for g in (in_order, swapped):
            ag.check_grads(g, (a, b), order=2)
            out, tangent = ag.jvp(g, (a, b), (np.ones_like(a), None))
            assert tangent.shape == out.shape
            out, tangent = ag.jvp(g, (a, b), (None, np.ones_like(b)))
            assert tangent.shape == out.shape


def test_the_same_array_as_both_operands():
    ag.check_grads(lambda x: x * x + np.arctan2(x, x) + x @ x, (X,), order=2)


def test_an_operator_with_several_results():
    def f(a):
        sign, logdet = np.linalg.slogdet(a)
        return sign * logdet * logdet

    ag.check_grads(f, (np.array([[2.0, 0.5], [0.3, -1.0]]),), order=2)


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64", "complex64", "complex128"])
def test_tangents_have_the_dtypes_of_the_values(dtype):
    def f(x, n):
        y = np.sqrt(x * n + 2) / 3 + x**2 * 0.5
        return y, np.abs(y), np.real(y), np.sum(y), y[0], np.where(n > 1, y, 0), n

    x = np.array([0.5, 1.5], dtype)
    out, tangent = ag.jvp(f, (x, 2), (x, None))
    for a, b in zip(out[:-1], tangent[:-1]):
        assert type(a) is type(b) and a.dtype == b.dtype and a.shape == b.shape
    assert tangent[-1] is None


@pytest.mark.parametrize("x", [1.0, -1.0])
def test_an_integer_that_may_be_none_has_no_tangent(x):
    def f(x):
        n = None if x > 0 else np.int64(3)
        return x * 2, n

    out, tangent = ag.jvp(f, (x,), (1.0,))
    assert out == f(x)
    assert tangent == (2.0, None)
