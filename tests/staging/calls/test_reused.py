"""Functions that are called several times are recorded once, and nothing tells."""

import functools

import numpy as np
import pytest

import autograph as ag
from autograph.graph.graph import called, walk
from tests.kernels import kernel_check
from tests.support.call_counts import count_calls

check = functools.partial(kernel_check.check, kernels=None)

X = np.array([0.3, -1.0, 2.5])
TABLE = np.linspace(-1.0, 1.0, 3)


def polynomial(x, scale=1.0):
    """More than a few nodes, so that it gets a name where it is called again."""
    y = x * scale
    y = np.sin(y) * TABLE + 0.1 * np.exp(-y * y)
    y = np.sin(y) * TABLE + 0.2 * np.exp(-y * y)
    y = np.sin(y) * TABLE + 0.3 * np.exp(-y * y)
    return np.sin(y) * TABLE + 0.4 * np.exp(-y * y)


def names_of(function, *args):
    return list(ag.to_graph(function).graph(*args).graphs)


# -- one graph for all calls -----------------------------------------------------------------------


def in_three_places(x, n):
    y = polynomial(x)
    for _ in range(n):
        y = y + polynomial(y)
    return polynomial(y)


def test_it_is_recorded_once_and_called():
    assert names_of(in_three_places, X, 3) == ["polynomial"]
    check(in_three_places, X, 3)


def test_what_is_called_once_is_built_in():
    def once(x):
        return polynomial(x) + 1.0

    assert names_of(once, X) == []
    check(once, X)


def test_what_is_little_is_built_in():
    def little(x):
        return x + 1.0

    assert names_of(lambda x: little(little(little(x))), X) == []


def test_gradients_in_several_lines():
    def loss(x):
        return np.sum(polynomial(x))

    def descended(x, n):
        gradient = ag.grad(loss)
        x = x - 0.1 * gradient(x)
        for _ in range(n):
            step = gradient(x)
            x = x - 0.1 * step
        return x, loss(x), ag.value_and_grad(loss)(x)

    graph = ag.to_graph(descended).graph(X, 2)
    assert list(graph.graphs) == ["loss_grad"]
    assert list(called(graph.main)).count("loss_grad") == 2
    found, value, (again, gradient) = ag.to_graph(descended)(X, 2)
    expected = X
    for _ in range(3):
        expected = expected - 0.1 * ag.grad(loss)(expected)
    np.testing.assert_allclose(found, expected, rtol=1e-13)
    np.testing.assert_allclose([value, again], loss(expected), rtol=1e-13)
    np.testing.assert_allclose(gradient, ag.grad(loss)(expected), rtol=1e-13)


def test_derivatives_of_what_calls_it():
    def total(x):
        return np.sum(in_three_places(x, 2))

    ag.check_grads(total, (X,), order=2)
    tangent = np.array([1.0, -0.5, 0.25])
    found = ag.jvp(total, (X,), (tangent,))[1]
    np.testing.assert_allclose(found, ag.grad(total)(X) @ tangent, rtol=1e-12)


def test_lanes_of_what_calls_it():
    xs = np.stack([X, 0.5 * X])
    found = ag.vmap(in_three_places, (0, None))(xs, 2)
    np.testing.assert_allclose(found, [in_three_places(x, 2) for x in xs], rtol=1e-12)


def test_what_it_raises_is_raised():
    def divided(x, n):
        y = polynomial(x)
        for _ in range(10):
            y = y * 0.5 + TABLE
        if n < 0:
            raise ValueError("too few")
        return y

    def several(x, n):
        total = divided(x, n)
        for k in range(n + 2):
            total = total + divided(total, n - k)
        return total

    check(several, X, -2)
    check(several, X, 1)


# -- what it sees and changes ----------------------------------------------------------------------


def test_it_changes_its_argument():
    def changed(x):
        x[0] = x[0] + 1.0
        return polynomial(x)

    def several(x):
        x = x.copy()
        return changed(x) + changed(x) + changed(x) + x

    check(several, X)


def test_it_returns_its_argument():
    def same(x):
        polynomial(x)
        return x

    def several(x):
        y, z = same(x), same(x)
        y[0] = 5.0
        return z + same(y)

    check(several, X.copy())


def test_it_changes_an_array_outside():
    kept = np.zeros(3)

    def added(x):
        kept[:] = kept + polynomial(x)
        return kept * 2.0

    def several(x):
        return added(x) + added(x) + added(x)

    expected = several(X)
    kept[:] = 0.0
    np.testing.assert_allclose(ag.to_graph(several)(X), expected, rtol=1e-14)


def test_an_array_outside_that_others_change():
    kept = np.ones(3)

    def scaled(x):
        return polynomial(x) * kept

    def several(x):
        y = scaled(x)
        kept[1] = 7.0
        y = y + scaled(x)
        return y + scaled(x)

    expected = several(X)
    kept[:] = 1.0
    np.testing.assert_allclose(ag.to_graph(several)(X), expected, rtol=1e-14)


def test_variables_that_are_others_later():
    def several(x):
        scale, total = 1.0, 0.0 * x

        def scaled(x):
            return polynomial(x, scale)

        for scale in (1.0, 2.0, x[0]):
            total = total + scaled(x)
        return total + scaled(x)

    check(several, X)


def test_numbers_of_other_kinds():
    def several(x):
        a = polynomial(x) + polynomial(x)
        b, c = polynomial(x.astype(np.float32)), polynomial(x[:2].sum())
        b = b.astype(np.float32)  # which is as exact as it is
        return a, b, c, polynomial(x, 2.0), polynomial(x, scale=2.0)

    check(several, X)


def test_what_it_prints(capsys):
    def told(x):
        print(x[0] > 0.0)
        return polynomial(x)

    def several(x):
        return told(x) + told(-x) + told(x)

    expected = several(X)
    printed = capsys.readouterr().out
    np.testing.assert_allclose(ag.to_graph(several)(X), expected, rtol=1e-14)
    assert capsys.readouterr().out == printed


def test_it_counts_its_calls():
    calls = []

    def counted(x):
        calls.append(1)
        return polynomial(x)

    def several(x):
        return counted(x) + counted(x) + counted(x), len(calls)

    _, expected = several(X)
    calls.clear()
    assert ag.to_graph(several)(X)[1] == expected


@pytest.mark.parametrize("n", [0, 1, 4])
def test_in_recursive_functions(n):
    def deeper(x, n):
        if n == 0:
            return polynomial(x)
        return polynomial(deeper(x, n - 1)) + polynomial(x)

    check(deeper, X, n)
    assert "polynomial" in names_of(deeper, X, n)


def test_lists_of_its_results_are_not_shared():
    def pair(x):
        return [polynomial(x), polynomial(-x)]

    def several(x):
        first, second, third = pair(x), pair(x), pair(x)
        first.append(second)
        return len(first), len(third), first[0] + second[1]

    check(several, X)


def test_its_nodes_are_in_one_place():
    graph = ag.to_graph(in_three_places).graph(X, 3)
    nodes = [node for g in (graph.main, *graph.graphs.values()) for node in walk(g)]
    assert sum(node.op.name == "sin" for node in nodes) == 4


def compiling(times):
    """How many functions are called to compile a program that calls a function so many times."""

    def several(x):
        for scale in [0.5] * times:
            x = scale * polynomial(x)
        return x

    return count_calls(lambda: ag.to_graph(several).program(X))["call"]


def test_more_calls_are_little_more_work():
    compiling(2)  # the first time more is imported
    assert compiling(8) < 2.0 * compiling(2)


# -- transforms ------------------------------------------------------------------------------------


def drag(v, d):
    """Much to compile: branches and loops."""
    re = 1e3 * abs(v) * d + 1e-9
    total = 0.0 * v
    for k, limit in enumerate((1.0, 3.0, 10.0, 30.0, 100.0, 300.0)):
        if re < limit:
            total = total + 24 / re * (1 + 0.1 * k * re**0.687) + k * np.log10(re + 1)
            for n in range(3):
                total = total - 0.01 * n * np.exp(-re / limit)
        else:
            total = total + 0.4 * k + np.tanh(re / limit) * 0.1
            if d > 0.02 * k:
                total = total * 1.1 + 6 / (1 + np.sqrt(re))
    return total * v * abs(v)


def along(v, d):
    s = 0.0 * d
    s = s + drag(v * 1.0, d + s * 1e-6)
    s = s + drag(v * 1.1, d=d + s * 1e-6)
    s = s + drag(v * 1.2, d + s * 1e-6)
    s = s + drag(v * 1.3, d=d + s * 1e-6)
    s = s + drag(v * 1.4, d + s * 1e-6)
    return s + drag(v * 1.5, d=d + s * 1e-6)


def test_calls_with_names_are_calls():
    def named(x):
        return polynomial(x, scale=2.0) + polynomial(polynomial(x, scale=2.0), scale=2.0)

    assert names_of(named, X) == ["polynomial"]
    check(named, X)
    assert len(names_of(along, 0.31, 0.05)) == 1
    check(along, 0.31, 0.05)


def test_arguments_that_have_no_name():
    def with_one(scale=3.0, /, x=None, **others):
        y = polynomial(x, scale)
        return np.sin(y) * TABLE + len(others) + sum(others.values())

    def several(x):
        y = with_one(x=x) + with_one(2.0, x) + with_one(2.0, x=x, scale=5.0)
        return y + with_one(x=y) + with_one(2.0, y, scale=x[0], other=2.0)

    check(several, X)


def test_a_gradient_has_what_is_large_once():
    gradient = ag.grad(along, argnums=(0, 1))
    graphs = gradient.graph(0.31, 0.05).graphs
    assert sum(name.endswith("_fwd") for name in graphs) == 1
    ag.check_grads(along, (0.31, 0.05), order=2, modes=("rev",), rtol=1e-3)
    found = ag.jvp(along, (0.31, 0.05), (1.0, 0.5))[1]
    first, second = gradient(0.31, 0.05)
    np.testing.assert_allclose(found, first + 0.5 * second, rtol=1e-12)


def test_lanes_of_a_gradient_that_has_what_is_large_once():
    vs = np.array([0.1, 0.31, 0.45])
    found = ag.vmap(ag.grad(along), (0, None))(vs, 0.05)
    expected = [ag.grad(along)(v, 0.05) for v in vs]
    np.testing.assert_allclose(found, expected, rtol=1e-12)


def test_a_gradient_has_what_is_little_in_its_place():
    def total(x):
        return np.sum(in_three_places(x, 2))

    assert not ag.grad(total).graph(X).graphs
