"""Where an operator raises, its kernel gives up; what has no element; what kernels they make."""

import numpy as np
import pytest

from autograph.kernels.ir.builder import KernelBuilder, flat_index, split_index
from autograph.kernels.ir.interpreter import GaveUp
from autograph.kernels.ir.ir import Load, walk
from ops.core import kernels
from ops.core.index_maps import reshaped
from ops.core.registry import REGISTRY
from ops.core.types import array, type_of
from tests.kernels.lowering.element_check import computed_by_elements, computed_by_kernel

RESHAPED = [
    ((6,), (2, 3)),
    ((2, 3), (6,)),
    ((2, 3, 4), (6, 4)),
    ((2, 3, 4), (4, 3, 2)),
    ((2, 1, 3), (1, 2, 3, 1)),
    ((4, 6, 5), (2, 12, 5)),
    ((4, 6, 5), (8, 15)),
    ((2, 3, 4, 5), (6, 20)),
]

# -- what has no result ----------------------------------------------------------------------------

WITHOUT_RESULT = [
    ("getitem", [np.arange(3), np.array([0, 3])], {"index": (("arg", 0),)}),
    ("getitem", [np.arange(3), np.int64(-4)], {"index": (("arg", 0),)}),
    ("getitem", [np.arange(3), np.uint8(3)], {"index": (("arg", 0),)}),
    ("getitem", [np.arange(5), np.int64(-1)], {"index": (("window", 0, 2, 5),)}),
    ("getitem", [np.arange(5), np.int64(4)], {"index": (("window", 0, 2, 5),)}),
    ("index_update", [np.arange(5), 1, np.int64(5)], {"index": (("arg", 0),)}),
    (
        "index_update",
        [np.zeros((2, 3)), 1, np.arange(2), np.array([0, 3])],
        {"index": (("arg", 0, "range"), ("arg", 1))},
    ),
    ("index_update", [np.arange(5), np.ones(2), np.int64(4)], {"index": (("window", 0, 2, 5),)}),
    ("index_update", [np.arange(5, dtype="int8"), 300], {"index": (("int", 0),)}),
    ("index_update", [np.arange(5), np.float64("nan")], {"index": (("ellipsis",),)}),
    ("index_add", [np.arange(5, dtype="uint8"), -1], {"index": (("ellipsis",),)}),
    ("index_add", [np.arange(5, dtype="int8"), np.int64(200)], {"index": (("int", 1),)}),
    ("cast", [float("nan")], {"dtype": "int64", "weak": True}),
    ("cast", [2.0**63], {"dtype": "int64", "weak": False}),
    ("cast", [-1], {"dtype": "uint64", "weak": False}),
    ("cast", [128], {"dtype": "int8", "weak": False}),
    ("cast", [-129.5], {"dtype": "int8", "weak": False}),
    ("integers", [np.array([1.0, np.inf])], {}),
    ("float_ldexp", [1.0, 2000], {}),
    ("in_64_bits", [np.arange(2), np.array([True, False])], {"message": "beyond"}),
    ("choose", [np.array([0, 2]), np.arange(2), np.arange(2)], {"mode": "raise"}),
]


def refused(name, args, attrs):
    try:
        REGISTRY[name].apply(args, attrs)
    except OverflowError:
        return True
    return False


# Where integers wrap around in older versions of NumPy 2.
LATER = [
    ("full", [300], {"shape": (2,), "dtype": "int8"}),
    ("where", [True, 300, np.arange(3, dtype="int8")], {}),
    ("where", [np.array([True, False]), np.arange(2, dtype="uint8"), -1], {}),
]
WITHOUT_RESULT += [case for case in LATER if refused(*case)]


@pytest.mark.parametrize("name, args, attrs", WITHOUT_RESULT, ids=str)
def test_the_kernel_gives_up_where_the_operator_raises(name, args, attrs):
    op = REGISTRY[name]
    with pytest.raises((IndexError, OverflowError, ValueError)):
        op.apply(args, attrs)
    (type,) = op.infer(*map(type_of, args), **attrs)
    with pytest.raises(kernels.GiveUp), np.errstate(all="ignore"):
        computed_by_elements(op, args, attrs, np.empty(type.shape, type.dtype))
    with pytest.raises(GaveUp):
        computed_by_kernel(op, args, attrs, np.empty(type.shape, type.dtype))


WITHOUT_ELEMENT = [
    ("getitem", [(4,), ("bool", 4)], {"index": (("mask", 0),)}),
    ("getitem", [(0, 3), ("int64", 2)], {"index": (("slice", None, None, None), ("arg", 0))}),
    ("index_add", [(4,), (2,), ("int64", 2)], {"index": (("arg", 0),)}),
    ("index_update", [(4,), (4,), ("bool", 4)], {"index": (("mask", 0),)}),
    (
        "index_add",
        [(2, 4), (), ("int64", 2, 1), ("int64", 3)],
        {"index": (("arg", 0, "range"), ("arg", 1))},
    ),
    ("repeat", [(4,), ("int64", 4)], {"axis": 0, "total": 6}),
    ("reshape", [(None,)], {"shape": (-1,)}),
    ("bitcast", [(4,)], {"dtype": "bool"}),
]


@pytest.mark.parametrize("name, operands, attrs", WITHOUT_ELEMENT, ids=str)
def test_what_no_element_says(name, operands, attrs):
    types = [
        array(x[0], x[1:]) if x and isinstance(x[0], str) else array("float64", x) for x in operands
    ]
    assert not REGISTRY[name].has_element(types, attrs)


def test_a_kernel_checks_what_it_bets_on():
    """An index array that was 0, 1, 2 ... and is no more."""
    op, attrs = REGISTRY["index_add"], {"index": (("arg", 0, "range"),)}
    args = [np.zeros(3), np.array([1.0, 2.0, 3.0]), np.array([0, 2, 2])]
    np.testing.assert_array_equal(op.apply(args, attrs), [1, 0, 5])
    with pytest.raises(GaveUp):
        computed_by_kernel(op, args, attrs, np.empty(3))


# -- what kernels they make ------------------------------------------------------------------------


@pytest.mark.parametrize("old, new", RESHAPED)
def test_reshaping_reads_memory_in_order_without_arithmetic(old, new):
    op, types = REGISTRY["reshape"], [array("float64", old)]
    b = KernelBuilder("case")
    x, y = b.input("float64", types[0].size), b.output("float64", types[0].size)
    with b.each(types[0].size) as number:
        b.store(
            y,
            number,
            op.element(
                lambda i, index: b.load(x, flat_index(index, old)),
                split_index(number, new),
                types,
                {"shape": new},
            ),
        )
    (load,) = (s for s in walk(b.finish().body) if isinstance(s, Load))
    assert load.index is number


def test_reshaping_that_only_adds_axes_of_length_1_needs_no_arithmetic():
    index = (np.int64(1), 0, np.int64(2), 0)
    assert reshaped(index, (2, 1, 3, 1), (2, 3)) == (1, 2)
    i, j = kernels.Scalar("i"), kernels.Scalar("j")
    assert reshaped((i, j), (2, 3), (1, 2, 1, 3)) == (0, i, 0, j)
    assert [str(k) for k in reshaped((i,), (6,), (2, 3))] == ["quotient(i, 3)", "rest(i, 3)"]
    assert [str(k) for k in reshaped((i, j), (4, 6), (4, 2, 3))] == [
        "i",
        "quotient(j, 3)",
        "rest(j, 3)",
    ]
    assert [str(k) for k in reshaped((i, j), (2, 3), (6,))] == ["((i * 3) + j)"]
