"""Programs of gradients do no more than programs written by hand, and compile in linear time."""

from __future__ import annotations

import importlib.util
import itertools
import re

import numpy as np
import pytest

import autograph as ag
from autograph.graph.graph import walk
from tests.support.call_counts import count_calls
from tests.support.oracle import check_grad

RNG = np.random.default_rng(0)


def body(text):
    """The lines of the last function of a program, without comments."""
    lines = [line.partition(" # ")[0].rstrip() for line in str(text).splitlines()]
    start = max(i for i, line in enumerate(lines) if line.startswith("def "))
    return [line.strip() for line in lines[start + 1 :] if line.strip()]


def size(module):
    return sum(1 for graph in (module.main, *module.graphs.values()) for _ in walk(graph))


def nested(function, order):
    for _ in range(order):
        function = ag.grad(function)
    return function


# -- straight lines --------------------------------------------------------------------------------


def network(params, x, y):
    """Three layers."""
    h = x
    for w, b in params[:-1]:
        h = np.tanh(h @ w + b)
    w, b = params[-1]
    return np.sum((h @ w + b - y) ** 2)


def rectified(params, x, y):
    h = x
    for w, b in params[:-1]:
        h = np.maximum(h @ w + b, 0.0)
    w, b = params[-1]
    scores = h @ w + b
    return np.mean(np.log(np.sum(np.exp(scores), axis=1)) - scores[np.arange(8), y])


PARAMS = [(RNG.normal(size=(n, m)), RNG.normal(size=m)) for n, m in [(5, 7), (7, 6), (6, 3)]]
BATCH = RNG.normal(size=(8, 5))


@pytest.mark.parametrize("transform", [ag.grad, ag.value_and_grad], ids=lambda t: t.__name__)
@pytest.mark.parametrize(
    "function, targets", [(network, RNG.normal(size=(8, 3))), (rectified, RNG.integers(0, 3, 8))]
)
def test_a_network_has_the_matrix_products_of_one_written_by_hand(transform, function, targets):
    """Three forwards; backwards one for each matrix, and one for each layer but the first."""
    program = transform(function).program(PARAMS, BATCH, targets)
    assert str(program).count(" @ ") == 3 + 3 + 2
    # No zeros but those of the scores that are not picked, no layer twice.
    assert len(re.findall(r"np\.(zeros|ones|full)", str(program))) == 0
    activation = "np.tanh" if function is network else "np.maximum"
    assert str(program).count(activation) == 2


def test_the_third_derivative_of_the_sine_is_one_line():
    (line,) = body(nested(np.sin, 3).program(1.0))
    assert line.startswith("return ") and line.count("np.cos") == 1 and "sin" not in line
    assert nested(np.sin, 3)(0.5) == -np.cos(0.5)


@pytest.mark.parametrize("order", range(1, 7))
def test_derivatives_of_a_product_are_short(order):
    """x**3 exp(x) has order + 1 terms at most."""
    program = nested(lambda x: x * x * x * np.exp(x), order).program(0.5)
    assert str(program).count("np.exp") == 1
    assert size(nested(lambda x: x * x * x * np.exp(x), order).graph(0.5)) <= 12 * 2**order


# -- zeros -----------------------------------------------------------------------------------------


def unused_state(x):
    a, b = x, x
    for _ in range(4):
        a = np.sin(a)
        b = b * np.cos(a)
    return np.sum(a)


def unused_state_of_a_while(x):
    a, b, n = x, x * 2.0, 0
    while n < 4:
        a, b, n = np.sin(a), b @ b * a, n + 1
    return np.sum(a)


def unused_result_of_a_branch(x):
    if x[0] > 0.0:
        a, b = np.sin(x), np.exp(x)
    else:
        a, b = np.cos(x), x * x
    return np.sum(a)


def auxiliary(x):
    a, b = x, x
    for _ in range(4):
        a = np.sin(a)
        b = b * np.cos(a)
    return np.sum(a), b


def constant_in_one_branch(x):
    y = np.sin(x) if x[0] > 0.0 else np.ones(3)
    return np.sum(y * x)


def integers_beside(x):
    total, count = 0.0, 0
    for i in range(3):
        total = total + x[i] * x[i]
        count = count + i
    return total * count


ZEROS = [
    (unused_state, 0),
    (unused_state_of_a_while, 0),
    (unused_result_of_a_branch, 0),
    (constant_in_one_branch, 0),
    (integers_beside, 1),  # the sum of the cotangents of the parts
]


@pytest.mark.parametrize("function, count", ZEROS, ids=lambda a: getattr(a, "__name__", ""))
def test_zero_cotangents_are_no_arrays(function, count):
    x = np.array([0.3, 0.5, -0.2])
    text = str(ag.grad(function).program(x))
    assert len(re.findall(r"np\.zeros|np\.full", text)) == count
    check_grad(function, x)


def test_what_is_not_differentiated_has_no_cotangent():
    """Neither a state nor a branch's result whose cotangent is zero leaves residuals."""
    x = np.array([0.3, 0.5, -0.2])
    for function in (unused_state, unused_state_of_a_while):
        text = str(ag.grad(function).program(x))
        assert "d_b" not in text and "@" not in text
        assert re.findall(r"stack = pushed\(stack, \((.*)\)\)", text) == ["a,"]
    assert "np.exp" not in str(ag.grad(unused_result_of_a_branch).program(x))
    text = str(ag.grad(auxiliary, has_aux=True).program(x))
    assert "d_b" not in text
    assert re.findall(r"stack = pushed\(stack, \((.*)\)\)", text) == ["a,"]
    gradient, aux = ag.grad(auxiliary, has_aux=True)(x)
    np.testing.assert_array_equal(aux, auxiliary(x)[1])
    np.testing.assert_allclose(gradient, ag.grad(unused_state)(x))


def test_a_result_that_is_not_differentiated_but_kept():
    """In the derivative of a derivative the value of the function has no cotangent."""

    def f(x):
        if x > 0.5:
            y = np.sin(x) * x
        else:
            y = np.exp(x)
        return y

    text = str(nested(f, 2).program(0.7))
    assert "0.0) *" not in text
    check_grad(f, 0.7)


# -- loops -----------------------------------------------------------------------------------------


def newton(a):
    x = a
    while abs(x * x - a) > 1e-9:
        x = 0.5 * (x + a / x)
    return x


def counted(x):
    y = x
    for i in range(4):
        y = np.sin(y) * x + i
    return y


def branching(x):
    y = x
    for _ in range(4):
        y = np.sin(y) * x if y < x else np.cos(y)
    return y


def around(x):
    y = x
    while y < 9.0:
        for i in range(2):
            y = y * x + i
    return y


LOOPS = [(newton, 2.0), (counted, 0.6), (branching, 0.6), (around, 1.3)]


@pytest.mark.parametrize("order", [2, 3])
@pytest.mark.parametrize("function, x", LOOPS, ids=lambda a: getattr(a, "__name__", ""))
def test_trips_are_counted_once_and_residuals_stacked_once(function, x, order):
    """What the first derivative and the second both need of a trip is on one stack."""
    module = nested(function, order).graph(x)
    graphs = (module.main, *module.graphs.values())
    loops = [n for g in graphs for n in walk(g) if n.op.name in ("while_loop", "for_loop")]
    assert loops
    for loop in loops:
        steps = [*steps_of(loop)]
        assert len(steps) == len(set(steps))


def steps_of(loop):
    """What each counter and stack of a loop starts with, and what is added or pushed."""
    *_, loop_body = loop.regions
    count = len(loop.outputs)
    for start, value, result in zip(
        loop.inputs[-count:], loop_body.inputs[-count:], loop_body.outputs
    ):
        node = result.producer
        if node is not None and node.op.name in ("push", "add") and node.inputs[0] is value:
            yield node.op.name, *(getattr(v, "data", id(v)) for v in (start, node.inputs[1]))


@pytest.mark.costly
@pytest.mark.parametrize("function, x", LOOPS, ids=lambda a: getattr(a, "__name__", ""))
def test_values_of_higher_derivatives(function, x):
    ag.check_grads(function, (x,), order=3)


def test_states_that_are_equal_are_one():
    def f(x):
        a = b = c = x
        for _ in range(3):
            a, b, c = a * b, b * a, c + 1.0
        return a + b + c

    (loop,) = (n for n in ag.to_graph(f).graph(2.0).main.nodes if n.op.name == "for_loop")
    assert len(loop.outputs) == 2
    assert ag.to_graph(f)(2.0) == f(2.0)


def test_states_that_start_equal_are_two():
    def f(x):
        a = b = x
        for i in range(3):
            a, b = b * a, a + b
        return a - b

    (loop,) = (n for n in ag.to_graph(f).graph(2.0).main.nodes if n.op.name == "for_loop")
    assert len(loop.outputs) == 2
    assert ag.to_graph(f)(2.0) == f(2.0)


def test_arrays_that_are_returned_stay_apart():
    def f(x):
        a = b = x
        for _ in range(3):
            a, b = a + 1.0, b + 1.0
        return a, b

    a, b = ag.to_graph(f)(np.ones(2))
    assert a.tolist() == b.tolist() == [4.0, 4.0]
    assert not np.shares_memory(a, b)


# -- the size of programs, and the work of the compiler --------------------------------------------


def recursive(x, n):
    return x if n < 1 else np.sin(recursive(x, n - 1)) * x


def straight(x):
    return np.sin(x) * np.exp(x) / (1.0 + x * x)


SCALAR = [(straight, 0.7), (newton, 2.0), (counted, 0.6), (branching, 0.6)]


@pytest.mark.costly
@pytest.mark.parametrize("function, x", SCALAR, ids=lambda a: getattr(a, "__name__", ""))
def test_nested_derivatives_grow_by_a_constant_factor(function, x):
    """A backward pass has about twice the operators of what it goes back through."""
    sizes = [size(nested(function, order).graph(x)) for order in range(1, 6)]
    assert all(b <= 3 * a for a, b in itertools.pairwise(sizes[1:]))


def test_nested_derivatives_of_a_recursive_function():
    sizes = [size(nested(recursive, order).graph(0.7, 3)) for order in range(1, 5)]
    assert all(b <= 3 * a for a, b in itertools.pairwise(sizes))


SOURCES = {
    "straight": ("    y = np.tanh(y * x + {}.5)\n", 1),
    "branches": ("    if y > {}.5:\n        y = np.sin(y) * x\n    else:\n        y = y + x\n", 4),
    "loops": ("    for i in range(3):\n        y = np.sin(y) * x + {}.0\n", 2),
}


def written(name, times, folder):
    """A function of so many statements."""
    text, _ = SOURCES[name]
    statements = "".join(text.format(k) for k in range(times))
    path = folder / f"{name}_{times}.py"
    path.write_text(f"import numpy as np\n\n\ndef f(x):\n    y = x\n{statements}    return y\n")
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.f


def work(function, *args):
    """How many functions of Python's are called to compile and run a function."""
    counts = count_calls(lambda: function(*args))
    return counts["call"] + counts["c_call"]


@pytest.mark.slow
@pytest.mark.parametrize("name, order", [("straight", 2), ("branches", 1), ("loops", 2)])
def test_the_compiler_works_in_proportion_to_the_program(name, order, tmp_path):
    small, large = 10, 40
    functions = [nested(written(name, times, tmp_path), order) for times in (small, large)]
    nested(written(name, 1, tmp_path), order)(0.5)  # what is done once
    costs = [work(function, 0.5) for function in functions]
    assert costs[1] / costs[0] < 1.25 * large / small


def test_the_number_of_trips_costs_the_compiler_nothing():
    def f(x, n):
        for _ in range(n):
            x = np.sin(x)
        return x

    texts, costs = [], []
    for trips in (3, 3000):

        def g(x, trips=trips):
            for _ in range(trips):
                x = np.sin(x)
            return x

        costs.append(work(lambda g=g: ag.grad(g).program(0.5)))
        text = "\n".join(body(ag.grad(g).program(0.5)))
        texts.append(text.replace(f"range({trips})", "range(n)"))
    assert texts[0] == texts[1]
    assert costs[1] <= 1.05 * costs[0]
    assert "range(n)" in texts[0]
    assert len(body(ag.grad(f).program(0.5, 3000))) < 20
