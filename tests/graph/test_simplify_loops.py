"""Loops lose state that is dead or constant, and what is the same in each trip moves out."""

import numpy as np
import pytest

import ops
from autograph.graph.graph import Constant
from ops.control import regions
from ops.core.types import array
from tests.support.build_graphs import (
    BOOL,
    FLOAT,
    INT,
    cond,
    for_loop,
    unpack,
    while_loop,
)
from tests.support.interpret import interpret
from tests.support.simplified import check, check_kept, check_text, simplified

SCALAR = array("f8")
NO_PACK = Constant(None, regions.PACK)


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
