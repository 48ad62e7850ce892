"""What is computed twice is computed once, and memory is shared only as it was before."""

import numpy as np
import pytest

import ops
from autograph.errors import Location
from autograph.graph.builder import Builder
from autograph.graph.graph import Constant
from autograph.transforms.simplify.simplify import simplify
from ops.arrays.indexing import getitem
from ops.control import regions
from ops.core.types import array
from tests.support.build_graphs import (
    BOOL,
    FLOAT,
    VECTOR,
    call,
    cond,
    for_loop,
    named,
    unpack,
)
from tests.support.simplified import check, check_kept, check_text, simplified

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
