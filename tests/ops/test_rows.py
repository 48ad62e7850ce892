"""Arrays that grow by rows: values, memory, derivatives through loops."""

import time

import numpy as np
import pytest

import ops
from autograph.backends import numpy as numpy_backend
from autograph.codegen.driver import generate
from autograph.graph.builder import Builder
from autograph.graph.graph import Constant, Module
from autograph.graph.verify import verify
from autograph.transforms.simplify.simplify import simplify_module
from autograph.transforms.vjp import vjp
from ops.core.types import array
from tests.support import strict_device
from tests.support.build_graphs import INT, cond, for_loop, graph_of, while_loop
from tests.support.interpret import interpret

F = array("f8")
VECTOR = array("f8", (2,))


def program_of(graph, backend=numpy_backend):
    module = simplify_module(Module(graph))
    verify(module)
    return generate(module, backend)


def derivative_of(graph):
    """The graph of the derivative of a graph of one scalar result by its first input."""
    with Builder("derivative") as builder:
        inputs = [builder.input(v.type, v.name) for v in graph.inputs]
        _, pull = vjp(graph, inputs, [True] + [False] * (len(inputs) - 1))
        one = Constant(graph.outputs[0].type.dtype.type(1))
        (ct, *_) = pull([one])
        result = builder.finish([Constant(np.float64(0.0)) if ct is None else ct])
    verify(result)
    return result


def check_derivatives(graph, x, *rest, orders=2):
    """Derivatives by a scalar, each against differences of the one below."""
    for _ in range(orders):
        below = program_of(graph).function
        graph = derivative_of(graph)
        step = 1e-6
        expected = (below(x + step, *rest) - below(x - step, *rest)) / (2 * step)
        assert program_of(graph).function(x, *rest) == pytest.approx(expected, rel=1e-6, abs=1e-6)
        assert interpret(graph, x, *rest)[0] == pytest.approx(expected, rel=1e-6, abs=1e-6)


# -- values ----------------------------------------------------------------------------------------


def test_the_operators_on_arrays():
    rows = np.arange(6.0).reshape(3, 2)
    assert np.array_equal(ops.append_row(rows, np.ones(2)), np.vstack([rows, np.ones(2)]))
    assert np.array_equal(ops.drop_row(rows), rows[:2])
    assert ops.length(rows) == 3
    assert ops.length(rows, axis=1) == 2
    assert ops.no_rows("float32", (2,)).shape == (0, 2)
    assert ops.no_rows("float32", (2,)).dtype == np.float32
    assert np.array_equal(ops.rows_of([1.0, 2.0]), [1.0, 2.0])
    assert ops.refine(rows, shape=(None, 2)) is rows


def test_types():
    unknown, row = array("f8", (None, 2)), array("f8", (2,))
    assert str(unknown) == "f64[?,2]"
    assert ops.append_row.infer(unknown, row) == (unknown,)
    assert ops.append_row.infer(array("f8", (3, 2)), row) == (unknown,)
    assert ops.drop_row.infer(unknown) == (unknown,)
    assert ops.refine.infer(unknown, shape=(5, 2)) == (array("f8", (5, 2)),)
    assert ops.refine.infer(array("f8", (5, 2)), shape=(None, 2)) == (unknown,)


@pytest.mark.parametrize(
    ("error", "rows", "row"),
    [
        (ValueError, array("f8", (None, 2)), array("f8", (3,))),
        (ValueError, array("f8"), array("f8")),
        (TypeError, array("f8", (None,)), array("c16")),
    ],
)
def test_a_row_that_does_not_fit(error, rows, row):
    with pytest.raises(error, match="does not fit"):
        ops.append_row.infer(rows, row)


def test_refining_a_length_that_is_known_otherwise():
    with pytest.raises(ValueError, match="cannot have the shape"):
        ops.refine.infer(array("f8", (5,)), shape=(4,))


def test_dropping_a_row_of_none():
    with pytest.raises(IndexError, match="pop from empty list"):
        ops.drop_row(np.zeros((0, 2)))

    def drop(rows):
        return ops.drop_row(rows)

    program = program_of(graph_of(drop, rows=array("f8", (None,))))
    with pytest.raises(IndexError, match="pop from empty list"):
        program.function(np.zeros(0))


def test_a_row_appended_in_one_branch_only():
    def branch(rows, x):
        return cond(
            ops.greater(x, 0.0), lambda: ops.append_row(rows, x), lambda: ops.add(rows, 0.0)
        )

    function = program_of(graph_of(branch, rows=array("f8", (None,)), x=F)).function
    rows = np.array([1.0, 2.0])
    assert np.array_equal(function(rows, np.float64(3.0)), [1.0, 2.0, 3.0])
    assert np.array_equal(function(rows, np.float64(-3.0)), [1.0, 2.0])


# -- memory ----------------------------------------------------------------------------------------


def squares(x, n):
    empty = ops.refine(
        ops.getitem(ops.reshape(x, 1), index=(("slice", 0, 0, None),)), shape=(None,)
    )
    (rows,) = [
        for_loop(n, lambda i, rows: ops.append_row(rows, ops.multiply(x, i)), empty, names=["rows"])
    ]
    return ops.sum(ops.multiply(rows, rows))


def test_appending_in_a_loop_is_done_in_place():
    program = program_of(graph_of(squares, x=F, n=INT))
    assert "grown(" in program.text
    assert program.function(np.float64(2.0), 5) == 4 * 30
    assert program.function(np.float64(2.0), 0) == 0


def test_appending_takes_constant_time_also_backwards():
    forward = program_of(graph_of(squares, x=F, n=INT)).function
    backward = program_of(derivative_of(graph_of(squares, x=F, n=INT))).function
    for function in (forward, backward):
        function(np.float64(2.0), 10)
        times = []
        for n in (20_000, 80_000):
            start = time.perf_counter()
            function(np.float64(2.0), n)
            times.append(time.perf_counter() - start)
        assert times[1] < 10 * times[0]  # 16 times, and seconds, if it were quadratic


def test_the_argument_is_not_grown_in_place():
    def grow(rows, x, n):
        return for_loop(n, lambda i, rows: ops.append_row(rows, x), rows, names=["rows"])

    function = program_of(graph_of(grow, rows=array("f8", (None,)), x=F, n=INT)).function
    space = np.arange(10.0)
    assert np.array_equal(function(space[:3], np.float64(9.0), 2), [0, 1, 2, 9, 9])
    assert np.array_equal(space, np.arange(10.0))


def test_an_array_that_is_needed_later_is_not_grown_in_place():
    def fork(x, n):
        rows = for_loop(
            n, lambda i, rows: ops.append_row(rows, x), ops.rows_of([x, x]), names=["rows"]
        )
        return ops.append_row(rows, 1.0), ops.append_row(rows, 2.0), rows

    first, second, rows = program_of(graph_of(fork, x=F, n=INT)).function(np.float64(0.0), 1)
    assert np.array_equal(first, [0, 0, 0, 1])
    assert np.array_equal(second, [0, 0, 0, 2])
    assert np.array_equal(rows, [0, 0, 0])


def test_what_was_dropped_survives_what_is_appended():
    def swap(x):
        rows = ops.append_row(ops.append_row(ops.rows_of([x]), ops.add(x, 1.0)), ops.add(x, 2.0))
        last = ops.subscript(rows, -1)
        rows = ops.append_row(ops.drop_row(rows), ops.multiply(x, 10.0))
        return rows, last

    x = np.arange(2.0)
    rows, last = program_of(graph_of(swap, x=VECTOR)).function(x)
    assert np.array_equal(rows, [x, x + 1, x * 10])
    assert np.array_equal(last, x + 2)


def test_a_stack_that_shrinks_and_grows_is_changed_in_place():
    def walk(x, n):
        def body(i, rows, total):
            last = ops.subscript(rows, -1)
            rows = ops.drop_row(rows)
            rows = ops.append_row(ops.append_row(rows, ops.multiply(last, 0.5)), ops.sin(last))
            return rows, ops.add(total, last)

        rows, total = for_loop(n, body, ops.rows_of([x]), ops.multiply(x, 0.0), names=["s", "t"])
        return ops.add(total, ops.sum(rows))

    graph = graph_of(walk, x=F, n=INT)
    assert program_of(graph).text.count("= grown(") == 2

    def expected(x, n):
        rows, total = [x], 0.0
        for _ in range(n):
            last = rows.pop()
            rows += [last * 0.5, np.sin(last)]
            total += last
        return total + sum(rows)

    for n in (0, 1, 7):
        assert program_of(graph).function(np.float64(1.3), n) == pytest.approx(expected(1.3, n))
        check_derivatives(graph, np.float64(1.3), n)


# -- derivatives -----------------------------------------------------------------------------------


def recurrence(x, n):
    """Each row is computed from the one before and from the number of rows."""

    def body(i, rows, x):
        last = ops.subscript(rows, -1)
        return ops.append_row(rows, ops.sin(ops.multiply(last, x))), ops.multiply(x, 1.1)

    rows, x = for_loop(n, body, ops.rows_of([x]), x, names=["rows", "x"])
    return ops.mean(ops.multiply(rows, rows))


def until_small(x, n):
    """The run decides how many rows there are."""

    def test(rows, y):
        return ops.greater(y, 0.1)

    def body(rows, y):
        return ops.append_row(rows, ops.multiply(y, x)), ops.multiply(y, ops.sin(x))

    empty = ops.refine(
        ops.getitem(ops.reshape(x, 1), index=(("slice", 0, 0, None),)), shape=(None,)
    )
    rows, y = while_loop(test, body, empty, ops.multiply(x, 1.0), names=["rows", "y"])
    return ops.add(ops.sum(ops.multiply(rows, ops.cumsum(rows))), y)


def some(x, n):
    """One branch appends, the other does not."""

    def body(i, rows):
        y = ops.multiply(x, ops.add(i, 1))
        return cond(
            ops.greater(ops.cos(y), 0.0),
            lambda: ops.append_row(rows, ops.multiply(y, y)),
            lambda: ops.multiply(rows, x),
        )

    rows = for_loop(n, body, ops.rows_of([x]), names=["rows"])
    return ops.sum(ops.divide(1.0, ops.add(1.0, rows)))


def vectors(x, n):
    """Rows that are vectors, read again by a symbolic index."""
    row = ops.multiply(x, np.array([1.0, 2.0]))

    def collect(i, rows):
        return ops.append_row(rows, ops.multiply(row, ops.add(i, x)))

    rows = for_loop(n, collect, ops.rows_of([row]), names=["rows"])

    def read(i, total):
        return ops.add(total, ops.sum(ops.multiply(ops.subscript(rows, i), ops.subscript(rows, 0))))

    return for_loop(n, read, ops.multiply(x, 0.0), names=["total"])


@pytest.mark.parametrize("function", [squares, recurrence, until_small, some, vectors])
@pytest.mark.parametrize("n", [0, 1, 5])
def test_derivatives_through_loops(function, n):
    check_derivatives(graph_of(function, x=F, n=INT), np.float64(0.7), n, orders=3)


def test_the_gradient_of_a_loop_that_appends_grows_in_place():
    text = program_of(derivative_of(graph_of(recurrence, x=F, n=INT))).text
    assert "grown(" in text
    assert "appended(" not in text


def test_on_a_device():
    program = program_of(derivative_of(graph_of(recurrence, x=F, n=INT)), strict_device)
    expected = program_of(derivative_of(graph_of(recurrence, x=F, n=INT))).function
    result = program.function(strict_device.from_host(np.float64(0.7)), 5)
    assert strict_device.to_host(result) == pytest.approx(expected(np.float64(0.7), 5))
