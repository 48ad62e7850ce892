"""Constants are folded, and operators that change nothing are left out."""

import numpy as np
import pytest

import ops
from autograph.graph.graph import Constant
from ops.arrays.indexing import index_add, index_update
from ops.control import regions
from ops.core.types import array
from tests.support.build_graphs import (
    BOOL,
    FLOAT,
    INT,
    VECTOR,
    unpack,
)
from tests.support.simplified import check_kept, check_text, simplified

COMPLEX = array("c16", (3,))
NO_PACK = Constant(None, regions.PACK)


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


WHOLE = ("slice", None, None, None)

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
    (lambda x: index_update(full((3,), 0.0), x, index=(("ellipsis",),)), VECTOR),
    (lambda x: index_update(full((3,), 0.0), x, index=(WHOLE,)), VECTOR),
    (lambda x: index_update(full((3, 3), 0.0), x, index=(WHOLE,)), array("f8", (3, 3))),
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
        (lambda x: index_update(full((3,), 0.0), x, index=(WHOLE,)), FLOAT),
        (lambda x: index_update(full((3,), 0.0), x, index=(WHOLE,)), array("f4", (3,))),
        (lambda x: index_update(full((2, 3), 0.0), x, index=(WHOLE,)), VECTOR),
        (lambda x: index_update(full((3,), 0.0), x, index=(("int", 0),)), FLOAT),
        (lambda x: index_update(full((3,), 0.0), x, index=(("slice", None, None, -1),)), VECTOR),
    ],
)
def test_what_only_looks_like_an_identity(function, type):
    check_kept(lambda x: ops.exp(function(x)), x=type)


def test_what_replaces_all_of_an_array_is_another_one():
    """A result is no argument, and no other result, only because it has its elements."""
    check_kept(lambda x: index_update(full((3,), 0.0), x, index=(WHOLE,)), x=VECTOR)

    def twice(x):
        y = ops.exp(x)
        return y, index_update(full((3,), 0.0), y, index=(WHOLE,))

    check_kept(twice, x=VECTOR)


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
