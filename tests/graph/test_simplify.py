"""Each simplification, and what has to stay as it is."""

import time
from textwrap import dedent

import numpy as np
import pytest
from build_graphs import (
    BOOL,
    FLOAT,
    INT,
    VECTOR,
    call,
    cond,
    for_loop,
    graph_of,
    named,
    unpack,
    while_loop,
)
from interpret import interpret

import ops
from autograph.errors import Location
from autograph.graph.builder import Builder
from autograph.graph.graph import Constant, Module, walk
from autograph.graph.verify import verify
from autograph.transforms.simplify import simplify, simplify_module
from ops import effects, regions
from ops.indexing import getitem, index_add
from ops.types import array

SCALAR, COMPLEX, FLAGS = array("f8"), array("c16", (3,)), array("?", (3,))
NO_PACK, NO_STACK = Constant(None, regions.PACK), Constant(None, regions.STACK)


def simplified(function, **inputs):
    graph = graph_of(function, "f", **inputs)
    verify(graph)
    result = simplify(graph)
    verify(result)
    assert simplify(result) is result
    return result


def check_text(function, expected, **inputs):
    """Compare the lines of the simplified graph after the header."""
    _, *lines = str(simplified(function, **inputs)).splitlines()
    assert dedent("\n".join(lines)) == dedent(expected).strip("\n")


def check_kept(function, **inputs):
    """There is nothing to simplify."""
    graph = graph_of(function, "f", **inputs)
    verify(graph)
    assert simplify(graph) is graph


def check(message):
    """An effect."""
    effects.check(Constant(True), error="ValueError", message=message)


# -- constants -------------------------------------------------------------------------------------


def lifted(value):
    return Constant(value)


@pytest.mark.parametrize(
    ("function", "text"),
    [
        (lambda: lifted(2) + 3, "5"),
        (lambda: lifted(2) * 3 - 0.5, "5.5"),
        (lambda: lifted(1) / 4, "0.25"),
        (lambda: lifted(2) < 3, "True"),
        (lambda: ops.sqrt(lifted(4.0)), "f64(2.0)"),
        (lambda: lifted(np.float32(2)) * 0.5, "f32(1.0)"),
        (lambda: lifted(np.float64(1)) / 0.0, "f64(inf)"),
        (lambda: -lifted(0.0), "-0.0"),
        (lambda: ops.cast(lifted(2.5), dtype="int64", weak=True), "2"),
    ],
)
def test_scalar_constants_are_folded(function, text):
    check_text(function, f"return {text}")


@pytest.mark.parametrize(
    "function",
    [
        lambda: lifted(1) / 0,
        lambda: ops.cast(lifted(float("nan")), dtype="int64", weak=True),
        lambda: ops.power(lifted(10), 10**8),
        lambda: lifted(np.ones(3)) + 1,
        lambda: lifted(np.array(1.0)) + 1,
        lambda: full((2,), 1.0),
    ],
    ids=["raises", "raises at cast", "huge", "array", "0-d array", "gives an array"],
)
def test_not_folded(function):
    check_kept(lambda: function())


def full(shape, value):
    """An array made in the graph; a constant array would be the user's."""
    return ops.full(shape, lifted(value))


# -- identities ------------------------------------------------------------------------------------


def ones():
    return ops.broadcast_to(full((1,), 1.0), (3,))


IDENTITIES = [
    (lambda x: x * 1, VECTOR),
    (lambda x: 1.0 * x, VECTOR),
    (lambda x: x * True, VECTOR),
    (lambda x: x * 1, FLOAT),
    (lambda x: x * 1, INT),
    (lambda x: x * ones(), VECTOR),
    (lambda x: ones() * x, VECTOR),
    (lambda x: x / 1, VECTOR),
    (lambda x: x / 1.0, FLOAT),
    (lambda x: x - 0, VECTOR),
    (lambda x: x - 0.0, FLOAT),
    (lambda x: x - 0, COMPLEX),
    (lambda x: x**1, VECTOR),
    (lambda x: x**1, INT),
    (lambda x: -ops.negative(x), VECTOR),
    (lambda x: ops.cast(x, dtype="float64"), VECTOR),
    (lambda x: ops.cast(x, dtype="float64", weak=True), FLOAT),
    (lambda x: ops.reshape(x, (3,)), VECTOR),
    (lambda x: ops.broadcast_to(x, (3,)), VECTOR),
    (lambda x: ops.transpose(x), VECTOR),
    (lambda x: ops.reshape(ops.reshape(x, (3, 1)), (3,)), VECTOR),
    (lambda x: ops.transpose(ops.transpose(x)), array("f8", (3, 3))),
]


@pytest.mark.parametrize(("function", "type"), IDENTITIES)
def test_identities(function, type):
    # The result is not returned as it is, so it may be the operand.
    (node,) = simplified(lambda x: ops.exp(function(x)), x=type).nodes
    assert node.op is ops.exp
    assert node.inputs[0].name == "x"


@pytest.mark.parametrize(
    ("function", "type"),
    [
        (lambda x: x + 0, VECTOR),  # -0.0 + 0 is 0.0
        (lambda x: x - -0.0, VECTOR),
        (lambda x: x * 0, VECTOR),
        (lambda x: x * 1.0, COMPLEX),  # inf * (1 + 0j) has a NaN in it
        (lambda x: x / 1, COMPLEX),
        (lambda x: x * 1.0, array("i8", (3,))),
        (lambda x: x * np.float64(1), array("f4", (3,))),
        (lambda x: x * np.float64(1), FLOAT),
        (lambda x: x * True, BOOL),
        (lambda x: x / 1, INT),
        (lambda x: x * np.ones(3), VECTOR),
        (lambda x: x * full((2, 1), 1.0), VECTOR),
        (lambda x: ops.cast(x, dtype="float64"), FLOAT),
        (lambda x: ops.reshape(x, ()), FLOAT),
        (lambda x: ops.transpose(x), array("f8", (3, 3))),
        (lambda x: -ops.negative(x), BOOL),
    ],
)
def test_what_only_looks_like_an_identity(function, type):
    check_kept(lambda x: ops.exp(function(x)), x=type)


def test_compositions_of_views():
    def f(x, y):
        a = ops.reshape(ops.reshape(ops.reshape(x, (6,)), (3, 2)), (1, 6))
        b = ops.transpose(ops.transpose(y, (1, 2, 0)), (0, 2, 1))
        c = ops.broadcast_to(ops.broadcast_to(x, (5, 2, 3)), (4, 5, 2, 3))
        return ops.exp(a), ops.exp(b), ops.exp(c)

    check_text(
        f,
        """
        t0: f64[1,6] = reshape(x, shape=(1, 6))
        t1: f64[3,2,4] = transpose(y, axes=(1, 0, 2))
        t2: f64[4,5,2,3] = broadcast_to(x, shape=(4, 5, 2, 3))
        t3: f64[1,6] = exp(t0)
        t4: f64[3,2,4] = exp(t1)
        t5: f64[4,5,2,3] = exp(t2)
        return t3, t4, t5
        """,
        x=array("f8", (2, 3)),
        y=array("f8", (2, 3, 4)),
    )


SPEC = (("arg", 0),)


@pytest.mark.parametrize("swapped", [False, True])
def test_adding_a_part_of_zeros(swapped):
    def f(acc, v, i):
        part = index_add(full((3,), 0.0), v, i, index=SPEC)
        return part + acc if swapped else acc + part

    check_text(
        f,
        """
        t0: f64[3] = index_add(acc, v, i, index=(('arg', 0),))
        return t0
        """,
        acc=VECTOR,
        v=FLOAT,
        i=INT,
    )


def test_adding_several_parts_of_zeros():
    def f(acc, v, i, j):
        first, second = (index_add(full((3,), 0.0), v, k, index=SPEC) for k in (i, j))
        return acc + (first + second)

    check_text(
        f,
        """
        t0: f64[3] = index_add(acc, v, i, index=(('arg', 0),))
        t1: f64[3] = index_add(t0, v, j, index=(('arg', 0),))
        return t1
        """,
        acc=VECTOR,
        v=FLOAT,
        i=INT,
        j=INT,
    )


@pytest.mark.parametrize("type", [array("f4", (3,)), array("f8"), array("f8", (2, 3))])
def test_adding_a_part_of_zeros_of_another_type(type):
    def f(acc, v, i):
        return acc + index_add(full((3,), 0.0), v, i, index=SPEC)

    check_kept(f, acc=type, v=FLOAT, i=INT)


def test_adding_a_part_of_something_else():
    def f(acc, v, i):
        return acc + index_add(full((3,), 2.0), v, i, index=SPEC)

    check_kept(f, acc=VECTOR, v=FLOAT, i=INT)


# -- packs and stacks ------------------------------------------------------------------------------


def test_unpacking_a_pack():
    check_text(lambda x, v: unpack(regions.pack(x, v), FLOAT, VECTOR), "return x, v", **XV)


XV = {"x": FLOAT, "v": VECTOR}


def test_unpacking_cotangents():
    def f(x, v):
        return regions.unpack_ct(regions.pack(x, v), types=(FLOAT, VECTOR))

    check_text(f, "return x, v", **XV)


def test_unpacking_cotangents_of_which_one_is_zero():
    def f(x, v):
        return regions.unpack_ct(regions.pack(NO_PACK, v), types=(FLOAT, VECTOR))

    check_kept(f, **XV)


def test_popping_what_was_pushed():
    def f(stack, pack):
        return regions.pop(regions.push(stack, pack))

    check_text(f, "return stack, pack", stack=regions.STACK, pack=regions.PACK)


def test_popping_something_else():
    check_kept(lambda stack: regions.pop(stack), stack=regions.STACK)


@pytest.mark.parametrize("zero_first", [False, True])
def test_adding_a_zero_cotangent(zero_first):
    def f(pack):
        return regions.add_ct(*((NO_PACK, pack) if zero_first else (pack, NO_PACK)))

    check_text(f, "return pack", pack=regions.PACK)


# -- common subexpressions -------------------------------------------------------------------------


def test_common_subexpressions():
    def f(x, y):
        return ops.exp(named(x * y, "first")) + named(x * y, "second")

    check_text(
        f,
        """
        first: float = multiply(x, y)
        t0: f64[] = exp(first)
        t1: f64[] = add(t0, first)
        return t1
        """,
        x=FLOAT,
        y=FLOAT,
    )


def test_the_first_location_is_kept():
    with Builder("f") as builder:
        x = builder.input(FLOAT, "x")
        with builder.at(Location("user.py", 1)):
            y = x + 1
        with builder.at(Location("user.py", 2)):
            z = x + 1
        graph = simplify(builder.finish([y, z]))
    (node,) = graph.nodes
    assert node.location.line == 1


def test_expressions_known_from_around_a_region():
    def f(p, x):
        y = x * 3.0
        z = cond(p, lambda: ops.exp(x * 3.0), lambda: ops.sin(x * 4.0))
        return y + z * (x * 4.0)

    check_text(
        f,
        """
        t0: float = multiply(x, 3.0)
        t1: f64[] = cond(p)
            then() captures t0
                t2: f64[] = exp(t0)
                return t2
            else() captures x
                t3: float = multiply(x, 4.0)
                t4: f64[] = sin(t3)
                return t4
        t5: float = multiply(x, 4.0)
        t6: f64[] = multiply(t1, t5)
        t7: f64[] = add(t0, t6)
        return t7
        """,
        p=BOOL,
        x=FLOAT,
    )


@pytest.mark.parametrize(
    ("first", "second"),
    [(1, 1.0), (0.0, -0.0), (1, True), (np.float32(1), np.float64(1)), (np.ones(3), np.ones(3))],
)
def test_constants_that_only_look_equal(first, second):
    check_kept(lambda x: ops.exp(x + first) + ops.exp(x + second), x=array("f4", (3,)))


def test_constants_that_are_the_same():
    data, nan = np.ones(3), float("nan")
    graph = simplified(lambda x: ((x * data) * nan) / ((x * data) * float("nan")), x=VECTOR)
    assert [node.op.name for node in graph.nodes] == ["multiply", "multiply", "divide"]


def test_attributes_that_differ():
    def f(x):
        return ops.exp(ops.sum(x, axis=0)), ops.exp(ops.sum(x, axis=1))

    check_kept(f, x=array("f8", (3, 3)))


def test_attributes_that_only_look_equal():
    def f(x):
        first, second = (getitem(x, index=(("int", k),)) for k in (1, True))
        return ops.exp(first) + ops.exp(second)

    check_kept(f, x=VECTOR)


def test_effects_are_not_common():
    def f(x):
        check("twice")
        check("twice")
        return x

    check_kept(f, x=FLOAT)


# -- memory ----------------------------------------------------------------------------------------


def test_results_do_not_come_to_share_memory_with_arguments():
    data = np.ones(3)
    check_kept(lambda x: x * 1, x=VECTOR)
    check_kept(lambda: Constant(data) * 1)
    check_kept(lambda x: ops.reshape(x * 1, (3, 1)), x=VECTOR)
    check_kept(lambda x, p: cond(p, lambda: x * 1, lambda: x * 2), x=VECTOR, p=BOOL)
    check_kept(lambda x: for_loop(3, lambda i, y: y * 1, x, names=["y"]), x=VECTOR)


def test_results_do_not_come_to_share_memory_with_each_other():
    check_kept(lambda x: (x + 1, x + 1), x=VECTOR)
    check_kept(lambda x: (x + 1, ops.reshape(x + 1, (3, 1))), x=VECTOR)


def test_results_of_different_trips_do_not_come_to_share_memory():
    def f(x):
        return for_loop(3, lambda i, y, z: (x + 1, y), x, x, names=["y", "z"])

    check_kept(f, x=VECTOR)
    check_kept(lambda x: (ops.exp(x + 1), *f(x)), x=VECTOR)


def test_what_a_call_returns_may_be_its_argument():
    check_kept(lambda x: call("g", [VECTOR], x) * 1, x=VECTOR)


def test_reshaping_twice_may_copy():
    def f(x):
        return ops.reshape(ops.reshape(ops.transpose(x), (6,)), (3, 2))

    check_kept(f, x=array("f8", (2, 3)))


def test_only_one_holder_of_a_common_subexpression_is_returned():
    check_text(
        lambda x: (ops.exp(x + 1), x + 1),
        """
        t0: f64[3] = add(x, 1)
        t1: f64[3] = exp(t0)
        return t1, t0
        """,
        x=VECTOR,
    )


def test_what_goes_through_packs_is_the_same_array():
    check_text(lambda v: (v, *unpack(regions.pack(v), VECTOR)), "return v, v", v=VECTOR)


# -- dead code -------------------------------------------------------------------------------------


def test_dead_code():
    def f(x, p):
        y = ops.exp(x)
        cond(p, lambda: y, lambda: ops.sin(y))
        while_loop(lambda n: n < 3, lambda n: n + 1, x, names=["n"])
        return x

    check_text(f, "return x", x=FLOAT, p=BOOL)


def test_effects_stay_in_order():
    def then():
        check("b")
        return x_holder[0] + 1

    def f(x, p):
        x_holder.append(x)
        check("a")
        cond(p, then, lambda: x)
        check("c")

        def body(i, y):
            check("d")
            return y * 2

        for_loop(2, body, x, names=["y"])
        return x

    x_holder = []
    check_text(
        lambda x, p: f(x, p),
        """
        check(True, error='ValueError', message='a')
        cond(p)
            then()
                check(True, error='ValueError', message='b')
                return
            else()
                return
        check(True, error='ValueError', message='c')
        for_loop(2)
            body(i: int)
                check(True, error='ValueError', message='d')
                return
        return x
        """,
        x=FLOAT,
        p=BOOL,
    )


def test_what_an_effect_needs_stays():
    def f(x):
        y = ops.exp(x)
        effects.check(y < 3, error="ValueError", message="too large")
        return x

    check_kept(f, x=FLOAT)


# -- branches --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("predicate", "text"),
    [(True, "exp"), (False, "sin"), (0.0, "sin"), (np.float64("nan"), "exp"), (2, "exp")],
)
def test_known_predicate(predicate, text):
    check_text(
        lambda x: cond(predicate, lambda: ops.exp(x), lambda: ops.sin(x), names=["y"]),
        f"y: f64[] = {text}(x)\nreturn y",
        x=FLOAT,
    )


def test_a_predicate_in_the_users_array_is_not_known():
    flag = np.array(True)
    check_kept(lambda x: cond(Constant(flag), lambda: x, lambda: x + 1), x=FLOAT)


def test_unused_results_and_results_that_branches_agree_on():
    def f(p, x):
        then, orelse = lambda: (x * 2, x, 3, x + 1), lambda: (x * 3, x, 3, x)
        _, z, k, y = cond(p, then, orelse, names=["u", "z", "k", "y"])
        return y, z, k

    check_text(
        f,
        """
        y: float = cond(p)
            then() captures x
                t0: float = add(x, 1)
                return t0
            else() captures x
                return x
        return y, x, 3
        """,
        p=BOOL,
        x=FLOAT,
    )


def test_branches_that_give_different_zeros():
    check_kept(lambda p: cond(p, lambda: 0.0, lambda: -0.0), p=BOOL)


# -- loops -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("count", [0, -2, np.int64(0)])
def test_for_loop_without_trips(count):
    check_text(lambda x: for_loop(count, lambda i, y: y + i, x, names=["y"]), "return x", x=FLOAT)


def test_what_gives_the_count_stays():
    check_kept(lambda n, x: for_loop(n + 1, lambda i, y: y + i, x, names=["y"]), n=INT, x=FLOAT)


def test_one_trip_is_a_loop():
    check_kept(lambda x: for_loop(1, lambda i, y: y + i, x, names=["y"]), x=FLOAT)


def test_while_loop_without_trips():
    def f(x):
        return while_loop(lambda y: Constant(3) < 2, lambda y: y + 1, x, names=["y"])

    check_text(f, "return x", x=FLOAT)


def test_a_false_test_with_an_effect_runs_once():
    def test(y):
        check("tested")
        return Constant(False)

    check_kept(lambda x: while_loop(test, lambda y: y + 1, x, names=["y"]), x=FLOAT)


def test_dead_and_constant_state():
    def body(i, y, dead, fixed, helper):
        return y * fixed + helper, dead + y, fixed, helper + 1

    def f(n, x):
        names, zero = ["y", "dead", "fixed", "helper"], np.float64(0)
        y, _, fixed, _ = for_loop(n, body, x, zero, ops.exp(x), 0, names=names)
        return y, fixed

    check_text(
        f,
        """
        fixed: f64[] = exp(x)
        y: f64[], helper: int = for_loop(n, x, 0)
            body(i: int, y: f64[], helper: int) captures fixed
                t0: f64[] = multiply(y, fixed)
                t1: f64[] = add(t0, helper)
                t2: int = add(helper, 1)
                return t1, t2
        return y, fixed
        """,
        n=INT,
        x=SCALAR,
    )


def test_state_that_the_test_needs_stays():
    def f(x):
        y, _ = while_loop(lambda y, n: n < 3, lambda y, n: (y * 2, n + 1), x, 0, names=["y", "n"])
        return y

    check_kept(f, x=FLOAT)


def test_state_that_other_state_needs_stays():
    def f(n, x):
        body = lambda i, a, b: (b, a * b)
        return for_loop(n, body, x, ops.sin(x), names=["a", "b"])[0]

    check_kept(f, n=INT, x=SCALAR)


def test_state_that_is_set_to_its_first_value():
    def f(n, x):
        y = ops.exp(x)
        z, _ = for_loop(n, lambda i, z, w: (z + w, y), x, y, names=["z", "w"])
        return z

    check_text(
        f,
        """
        w: f64[] = exp(x)
        z: f64[] = for_loop(n, x)
            body(i: int, z: f64[]) captures w
                t0: f64[] = add(z, w)
                return t0
        return z
        """,
        n=INT,
        x=SCALAR,
    )


def test_loop_invariants_move_out_of_nested_loops():
    def f(n, x):
        def inner(j, y):
            return y + ops.exp(x) * ops.sin(y) + ops.exp(i_holder[-1] + x)

        def outer(i, y):
            i_holder.append(i)
            return for_loop(n, inner, y, names=["y"])

        i_holder = []
        return for_loop(n, outer, x, names=["y"])

    check_text(
        f,
        """
        t0: f64[] = exp(x)
        y: f64[] = for_loop(n, x)
            body(i: int, y: f64[]) captures x, n, t0
                t1: f64[] = add(i, x)
                t2: f64[] = exp(t1)
                y_1: f64[] = for_loop(n, y)
                    body(i: int, y: f64[]) captures t0, t2
                        t3: f64[] = sin(y)
                        t4: f64[] = multiply(t0, t3)
                        t5: f64[] = add(y, t4)
                        t6: f64[] = add(t5, t2)
                        return t6
                return y_1
        return y
        """,
        n=INT,
        x=SCALAR,
    )


def test_invariants_move_out_of_the_test():
    check_text(
        lambda x, a: while_loop(lambda y: y < ops.exp(a), lambda y: y + 1, x, names=["y"]),
        """
        t0: f64[] = exp(a)
        y: float = while_loop(x)
            test(y: float) captures t0
                t1: bool[] = less(y, t0)
                return t1
            body(y: float)
                t2: float = add(y, 1)
                return t2
        return y
        """,
        x=FLOAT,
        a=FLOAT,
    )


def test_invariant_branches_move_out_of_loops():
    def f(n, p, x):
        def body(i, y):
            return y + cond(p, lambda: ops.exp(x), lambda: for_loop(i0, trip, x, names=["z"]))

        i0, trip = Constant(4), lambda j, z: z * x
        return for_loop(n, body, x, names=["y"])

    graph = simplified(f, n=INT, p=BOOL, x=SCALAR)
    assert [node.op.name for node in graph.nodes] == ["cond", "for_loop"]


def loop_with(invariant):
    """A loop that does nothing but add ``invariant(x, n, p)``."""

    def f(x, n, p):
        return for_loop(n, lambda i, y: y + invariant(x, n, p), Constant(0.0), names=["y"])

    return f


@pytest.mark.parametrize(
    "invariant",
    [
        lambda x, n, p: 1.0 / x,
        lambda x, n, p: x % x,
        lambda x, n, p: x**x,
        lambda x, n, p: 1 << n,
        lambda x, n, p: ops.cast(x, dtype="int64", weak=True),
        lambda x, n, p: cond(p, lambda: x, lambda: 1.0 / x),
        lambda x, n, p: while_loop(lambda y: y < x, lambda y: y * 2.0, x, names=["z"]),
        lambda x, n, p: unpack(regions.pack(x, NO_PACK), FLOAT, regions.PACK)[0] / x,
    ],
    ids=["/", "%", "**", "<<", "int", "inside cond", "while", "unpacked"],
)
def test_what_may_raise_or_not_end_stays_in_its_loop(invariant):
    graph = simplified(loop_with(invariant), x=FLOAT, n=INT, p=BOOL)
    assert [node.op.name for node in graph.nodes] == ["for_loop"]
    # Zero does not go into the divisions, and Python would not have made a trip.
    assert interpret(graph, 0.0, 0, False) == (0.0,)


@pytest.mark.parametrize(
    ("constant", "hoisted"), [(Constant(5), True), (Constant(300), False), (None, False)]
)
def test_a_python_int_may_not_fit_an_integer_array(constant, hoisted):
    def f(x, n):
        summand = n if constant is None else constant
        return for_loop(n, lambda i, y: y + ops.sum(x + summand), 0, names=["y"])

    def int_loop(x, n):
        summand = n if constant is None else constant
        return for_loop(
            n, lambda i, y: y + ops.sum(x + summand), Constant(np.int64(0)), names=["y"]
        )

    graph = simplified(int_loop, x=array("i1", (3,)), n=INT)
    assert (graph.nodes[0].op.name == "add") is hoisted


def test_effects_stay_in_their_loop():
    def body(i):
        check("once per trip")
        return ()

    check_kept(lambda n: for_loop(n, body, names=[]), n=INT)


def test_invariants_stay_in_their_branch():
    check_kept(lambda p, x: cond(p, lambda: ops.exp(x), lambda: x), p=BOOL, x=SCALAR)


def test_invariants_of_a_loop_in_a_branch_stay_in_the_branch():
    def f(p, x):
        loop = lambda: for_loop(3, lambda i, y: y * ops.exp(x), x, names=["y"])
        return cond(p, loop, lambda: x)

    (node,) = simplified(f, p=BOOL, x=SCALAR).nodes
    assert [node.op.name for node in node.regions[0].nodes] == ["exp", "for_loop"]


# -- modules ---------------------------------------------------------------------------------------


def silent(x):
    return x * 2 * 1


def loud(x):
    check("loud")
    return x


def calls(callee):
    def f(x):
        call(callee, [FLOAT], x)
        return x

    return f


def module(main, **functions):
    graphs = {name: graph_of(function, name, x=FLOAT) for name, function in functions.items()}
    result = Module(graph_of(main, "main", x=FLOAT), graphs)
    verify(result)
    smaller = simplify_module(result)
    verify(smaller)
    assert simplify_module(smaller) is smaller
    return smaller


def test_calls_without_effects_are_dead_code():
    smaller = module(calls("a"), a=calls("b"), b=silent)
    assert not smaller.main.nodes
    assert not smaller.graphs


def test_calls_with_effects_stay():
    smaller = module(calls("a"), a=calls("b"), b=loud, unused=silent)
    assert len(smaller.main.nodes) == 1
    assert sorted(smaller.graphs) == ["a", "b"]


def test_recursive_calls():
    def f(x):
        return cond(x < 1, lambda: x * 1, lambda: call("f", [FLOAT], x - 1) + x)

    smaller = module(lambda x: call("f", [FLOAT], x), f=f)
    assert interpret(smaller, 4.0) == (10.0,)
    assert "multiply" not in str(smaller)


def test_an_effect_that_can_not_happen():
    def f(x):
        return cond(False, lambda: call("loud", [FLOAT], x), lambda: x)

    smaller = module(calls("f"), f=f, loud=loud)
    assert not smaller.main.nodes


def test_calls_of_unknown_graphs_stay():
    check_kept(calls("anything"), x=FLOAT)


# -- size ------------------------------------------------------------------------------------------


def test_long_chains_take_little_time():
    def f(x):
        y = x
        for k in range(5000):
            y = ops.add(y * 1.0, Constant(0.5) * k)
        return y

    graph = graph_of(f, x=VECTOR)
    start = time.perf_counter()
    smaller = simplify(graph)
    assert time.perf_counter() - start < 2
    assert len([*walk(smaller)]) == 5000
