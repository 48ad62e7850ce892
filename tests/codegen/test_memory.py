"""Updates in place: that they happen where they can, and nowhere else."""

import time

import numpy as np
import pytest

import ops
from autograph.graph.graph import Constant, Module
from ops.arrays.indexing import assigned, index_add, subscript
from ops.control import regions
from ops.control.regions import STACK
from ops.core.types import array
from tests.codegen.compare import check, program_of, text_of
from tests.support.build_graphs import (
    FLOAT,
    INT,
    call,
    cond,
    for_loop,
    graph_of,
    named,
    unpack,
    while_loop,
)

VECTOR, MATRIX = array("f8", (6,)), array("f8", (6, 6))
X, M = np.arange(6.0), np.arange(36.0).reshape(6, 6)


def add_at(x, index, value):
    operands, spec = ops.arrays.indexing.encode_index(index, x.shape)
    return index_add(x, value, *operands, index=spec)


def statements(graph):
    return [line.strip() for line in text_of(graph).splitlines()[2:]]


def check_text(function, expected, *args, **inputs):
    graph = graph_of(function, "f", **inputs)
    check(graph, *args)
    assert statements(graph) == expected


def test_input_is_copied_once():
    def f(x):
        x = assigned(x, 0, 1.0)
        x = add_at(x, 1, 2.0)
        return assigned(x, slice(2, 4), 3.0)

    check_text(
        f,
        ["x = x.copy()", "x[0] = 1.0", "x[1] += 2.0", "x[2:4] = 3.0", "return x"],
        X,
        x=VECTOR,
    )


def test_fresh_array_is_not_copied():
    def f(x):
        return assigned(named(x + 1, "y"), 0, 1.0)

    check_text(f, ["y = x + 1", "y[0] = 1.0", "return y"], X, x=VECTOR)


def test_temporary_is_not_copied():
    def f(x):
        return assigned(x + 1, 0, 1.0)

    check_text(f, ["t_0 = x + 1", "t_0[0] = 1.0", "return t_0"], X, x=VECTOR)


def test_array_that_is_needed_unchanged():
    def f(x):
        y = named(x + 1, "y")
        return assigned(y, 0, 1.0), y

    check_text(f, ["y = x + 1", "t_0 = y.copy()", "t_0[0] = 1.0", "return t_0, y"], X, x=VECTOR)


def test_constant_is_copied():
    weights = np.arange(6.0)
    graph = graph_of(lambda s: assigned(Constant(weights), 0, s), "f", s=FLOAT)
    check(graph, 9.0)
    assert statements(graph)[0] == "t_0 = c_0.copy()"


def test_values_read_before_the_write():
    def f(x):
        y = named(x + 1, "y")
        return assigned(y, 0, 5.0), subscript(y, slice(0, 2)) * 2.0

    check(graph_of(f, x=VECTOR), X)


def test_deferred_read_is_written_out_first():
    def f(x):
        y = named(x + 1, "y")
        total = ops.sin(y)
        return total + assigned(y, 0, 5.0)

    check_text(
        f,
        ["y = x + 1", "t_0 = np.sin(y)", "y[0] = 5.0", "return t_0 + y"],
        X,
        x=VECTOR,
    )


def test_view_that_is_needed_is_copied_instead():
    def f(m):
        m = named(m + 1, "m")
        row = named(subscript(m, 2), "row")
        return assigned(m, 2, 0.0), row

    check_text(
        f,
        ["m = m + 1", "row = m[2].copy()", "m[2] = 0.0", "return m, row"],
        M,
        m=MATRIX,
    )


def test_large_view_is_not_copied():
    def f(x):
        x = named(x + 1, "x")
        wide = named(ops.broadcast_to(x, (6, 6)), "wide")
        return assigned(x, 2, 0.0), wide

    graph = graph_of(f, x=VECTOR)
    check(graph, X)
    assert "x = x.copy()" in statements(graph)


def test_view_of_a_view():
    def f(m):
        m = named(m + 1, "m")
        column = subscript(ops.transpose(m), 1)
        return assigned(m, (slice(None), 1), 0.0), column

    check(graph_of(f, m=MATRIX), M)


def test_overlapping_parts():
    def f(x):
        x = named(x + 1, "x")
        return assigned(x, slice(1, 6), subscript(x, slice(0, 5)))

    def g(x):
        x = named(x + 1, "x")
        return add_at(x, slice(None), subscript(x, 0))

    check(graph_of(f, x=VECTOR), X)
    check(graph_of(g, x=VECTOR), X)


def test_swap():
    def f(x, i, j):
        x = named(x + 0.0, "x")
        a, b = subscript(x, i), subscript(x, j)
        return assigned(assigned(x, i, b), j, a)

    check(graph_of(f, x=VECTOR, i=INT, j=INT), X, 1, 4)


def test_loop_copies_its_input_once():
    def f(x):
        def body(i, x):
            return assigned(x, i, subscript(x, i) * 2)

        return for_loop(6, body, x, names=["x"])

    check_text(
        f,
        ["x = x.copy()", "for i in range(6):", "x[i] = x[i] * 2", "return x"],
        X,
        x=VECTOR,
    )


def test_loop_on_a_fresh_array_copies_nothing():
    def f(n):
        zeros = named(ops.full((6,), n * 0.0), "x")
        return for_loop(n, lambda i, x: assigned(x, i, i * i), zeros, names=["x"])

    graph = graph_of(f, n=INT)
    check(graph, 4)
    check(graph, 0)
    assert ".copy()" not in text_of(graph)


def test_nested_loops_copy_once():
    def f(m):
        def outer(i, m):
            def inner(j, m):
                return assigned(m, (i, j), subscript(m, (i, j)) + i * j)

            return for_loop(6, inner, m, names=["m"])

        return for_loop(6, outer, m, names=["m"])

    check_text(
        f,
        [
            "m = m.copy()",
            "for i in range(6):",
            "for i_1 in range(6):",
            "m[i, i_1] = m[i, i_1] + i * i_1",
            "return m",
        ],
        M,
        m=MATRIX,
    )


def test_inner_loop_copies_what_the_outer_needs():
    def f(m):
        def outer(i, m, total):
            changed = for_loop(6, lambda j, m: assigned(m, (i, j), 0.0), m, names=["m"])
            return [changed, total + changed * m]

        return for_loop(6, outer, m, m, names=["m", "total"])

    check(graph_of(f, m=MATRIX), M)


def test_loop_over_rows():
    def f(m):
        def body(i, m, s):
            row = named(subscript(m, i), "row")
            return [assigned(m, i, row * 2), s + ops.sum(row)]

        return for_loop(6, body, m, 0.0, names=["m", "s"])

    graph = graph_of(f, m=MATRIX)
    check(graph, M)
    assert "row = m[i].copy()" in statements(graph)
    assert statements(graph).count("m = m.copy()") == 1


def test_two_variables_that_start_from_one_array():
    def f(x):
        x = named(x + 1, "x")

        def body(i, a, b):
            return [assigned(a, i, 0.0), b + a]

        return for_loop(3, body, x, x, names=["a", "b"])

    check(graph_of(f, x=VECTOR), X)


def test_variables_that_swap():
    def f(x):
        a, b = named(x + 1, "a"), named(x + 2, "b")
        return for_loop(3, lambda i, a, b: [b, assigned(a, i, 0.0)], a, b, names=["a", "b"])

    check(graph_of(f, x=VECTOR), X)


def test_variables_that_become_one():
    def f(x):
        def body(i, a, b):
            a = assigned(a, i, subscript(b, i) + 7.0)
            return [a, a]

        return for_loop(3, body, x + 1, x + 2, names=["a", "b"])

    check(graph_of(f, x=VECTOR), X)


def test_captured_array_is_changed_anew_on_every_trip():
    def f(x):
        x = named(x + 1, "x")
        return for_loop(3, lambda i, s: s + assigned(x, i, 0.0), named(x * 0, "s"), names=["s"])

    check(graph_of(f, x=VECTOR), X)


def test_state_that_is_pushed_is_kept():
    def f(x):
        def forward(i, stack, x):
            return [regions.push(stack, regions.pack(x)), assigned(x, i, -1.0)]

        def backward(i, stack, total):
            rest, top = regions.pop(stack)
            return [rest, total + unpack(top, VECTOR)[0]]

        stack, x = for_loop(3, forward, Constant(None, STACK), x, names=["stack", "x"])
        return for_loop(3, backward, stack, x, names=["stack", "total"])[1]

    check(graph_of(f, x=VECTOR), X)


def test_elements_that_are_pushed_are_copied():
    def f(x):
        def forward(i, stack, x):
            y = subscript(x, i)
            return [regions.push(stack, regions.pack(y)), assigned(x, i, y * 2)]

        def backward(i, stack, total):
            rest, top = regions.pop(stack)
            return [rest, total + unpack(top, array("f8"))[0]]

        stack, x = for_loop(3, forward, Constant(None, STACK), x, names=["stack", "x"])
        return for_loop(3, backward, stack, x, names=["stack", "total"])[1]

    graph = graph_of(f, x=VECTOR)
    check(graph, X)
    assert statements(graph).count("x = x.copy()") == 1
    assert statements(graph)[3:6] == [
        "t_0 = x[i].copy()",
        "stack = pushed(stack, (t_0,))",
        "x[i] = t_0 * 2",
    ]


def test_pack_that_holds_the_array():
    def f(x):
        x = named(x + 1, "x")
        pack = regions.pack(Constant(1.0), x)
        y = assigned(x, 0, 9.0)
        return unpack(pack, FLOAT, VECTOR)[1] + y

    check(graph_of(f, x=VECTOR), X)


@pytest.mark.parametrize("flag", [1.0, -1.0])
def test_branches(flag):
    def f(x, s):
        x = named(x + 1, "x")
        return cond(s > 0, lambda: assigned(x, 0, s), lambda: x, ["x"])

    graph = graph_of(f, x=VECTOR, s=FLOAT)
    check(graph, X, flag)
    assert statements(graph) == ["x = x + 1", "if s > 0:", "x[0] = s", "return x"]


@pytest.mark.parametrize("flag", [1.0, -1.0])
def test_branch_result_that_may_be_an_input(flag):
    def f(x, s):
        y = cond(s > 0, lambda: x, lambda: x + 1, ["y"])
        return assigned(y, 0, 9.0)

    graph = graph_of(f, x=VECTOR, s=FLOAT)
    check(graph, X, flag)
    assert "y = y.copy()" in statements(graph)


def test_what_a_call_returns_may_be_its_argument():
    same = graph_of(lambda x: x, "same", x=VECTOR)

    def main(x):
        y = named(x + 1, "y")
        z = named(call("same", [VECTOR], y), "z")
        return assigned(y, 0, 9.0) + assigned(z, 1, 8.0)

    check(Module(graph_of(main, x=VECTOR), {"same": same}), X)


def test_while_loop():
    def f(x):
        def body(n, x):
            return [n + 1, assigned(x, n, subscript(x, n) + 1)]

        return while_loop(lambda n, x: n < 4, body, 0, x, names=["n", "x"])[1]

    graph = graph_of(f, x=VECTOR)
    check(graph, X)
    assert statements(graph).count("x = x.copy()") == 1


def test_test_that_looks_at_the_array():
    def f(x):
        def test(n, x):
            return subscript(x, n) < 3.0

        def body(n, x):
            return [n + 1, assigned(x, n, 10.0)]

        return while_loop(test, body, 0, x, names=["n", "x"])

    check(graph_of(f, x=VECTOR), X)


def test_operand_in_the_variable_that_the_result_gets():
    def f(x):
        y = named(ops.sin(x), "y")
        other = named(ops.cos(x), "z")
        result = named(assigned(other, slice(0, 6), y), "y")
        return result * 2, result

    check(graph_of(f, x=VECTOR), X)


def test_scalars_are_replaced():
    def f(s):
        return assigned(s, (), 5.0)

    check(graph_of(f, s=array("f8")), np.float64(1.0))


def test_repeated_indices_accumulate():
    where = np.array([0, 0, 3])

    def f(x):
        return add_at(named(x + 1, "x"), where, 2.0)

    graph = graph_of(f, x=VECTOR)
    check(graph, X)
    assert "np.add.at(x, (c_0,), 2.0)" in statements(graph)


def test_filling_an_array_takes_linear_time():
    n = 100_000
    graph = graph_of(
        lambda x: for_loop(n, lambda i, x: assigned(x, i, 1.0), x, names=["x"]),
        "f",
        x=array("f8", (n,)),
    )
    function, x = program_of(graph).function, np.zeros(n)
    start = time.process_time()
    function(x)
    assert time.process_time() - start < 1.0  # a copy on every trip would take several seconds


def test_planning_is_fast_enough():
    def f(x):
        for k in range(500):
            x = assigned(x, k % 6, float(k))
        return x

    graph = graph_of(f, x=VECTOR)
    start = time.process_time()
    program_of(graph)
    assert time.process_time() - start < 5.0


def test_read_only_view_is_copied():
    def f(x):
        x = named(x + 1, "x")
        return assigned(named(ops.broadcast_to(x, (6, 6)), "wide"), 2, 0.0)

    check_text(
        f,
        ["x = x + 1", "wide = np.broadcast_to(x, (6, 6)).copy()", "wide[2] = 0.0", "return wide"],
        X,
        x=VECTOR,
    )


@pytest.mark.parametrize(
    "function",
    [
        lambda x: ops.positive(x),
        lambda x: ops.absolute(x),
        lambda x: ops.conjugate(x),
        lambda x: ops.cast(x, dtype="float64"),
        lambda x: ops.copy(x),
        lambda x: ops.where(True, x, 0.0),
        lambda x: ops.maximum(x, x),
        lambda x: ops.rint(x),
        lambda x: ops.concatenate([x]),
        lambda x: ops.sum(ops.reshape(x, (1, 6)), axis=0),
        lambda x: ops.cumsum(x),
        lambda x: ops.sort(x),
    ],
)
def test_operators_that_are_no_views_give_new_memory(function):
    """Planning believes `Op.view`: where it is false, the result is the program's own to change."""
    graph = graph_of(function, "f", x=VECTOR)
    assert not graph.nodes[-1].op.view
    x = np.arange(6.0)
    assert not np.shares_memory(program_of(graph).function(x), x)
