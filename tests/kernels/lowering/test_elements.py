"""What operators say about one element of their result is what they compute."""

import numpy as np
import pytest

import ops
from ops.core.registry import REGISTRY
from ops.core.types import type_of
from ops.elementwise.conversion import WHERE_WRAPS
from tests.kernels.lowering.element_check import cases_of, check, values
from tests.ops.samples import SAMPLES, drawn, name_of


def subscripts(shape, *indices, dtypes="int8 float64"):
    """Cases of getitem: subscripts as Python has them, in which NumPy arrays are operands."""
    return [
        case
        for index in indices
        for operands, spec in [ops.core.subscripts.encode_index(index, shape)]
        for case in cases_of("getitem", ((shape, *operands), {"index": spec}), dtypes=dtypes)
    ]


RESHAPED = [
    ((6,), (2, 3)),
    ((2, 3), (6,)),
    ((2, 3, 4), (6, 4)),
    ((2, 3, 4), (4, 3, 2)),
    ((2, 1, 3), (1, 2, 3, 1)),
    ((4, 6, 5), (2, 12, 5)),
    ((4, 6, 5), (8, 15)),
    ((1,), ()),
    ((), (1, 1)),
    ((0, 3), (5, 0)),
    ((2, 3, 4, 5), (6, 20)),
]

SHAPED = [
    *cases_of("reshape", *(((old,), {"shape": new}) for old, new in RESHAPED)),
    *cases_of("reshape", ((2.5,), {"shape": (1, 1)}), dtypes="float64"),
    *cases_of(
        "transpose",
        (((2, 3, 4),), {"axes": (2, 0, 1)}),
        (((2, 3, 4),), {"axes": (1, 2, 0)}),
        (((2, 3),), {"axes": (1, 0)}),
        (((),), {"axes": ()}),
    ),
    *cases_of(
        "broadcast_to",
        (((3, 1),), {"shape": (2, 3, 4)}),
        (((3,),), {"shape": (3,)}),
        (((),), {"shape": (2, 2)}),
    ),
    *cases_of("refine", (((2, 3),), {"shape": (2, 3)})),
    *cases_of("as_long_as", (((2, 3), (2,)), {})),
    *cases_of("copy", (((2, 3),), {})),
    *cases_of("contiguous", (((2, 3),), {"order": "F"})),
    *cases_of("recompute", (((2, 3),), {"key": 1})),
    *cases_of("stop_gradient", (((2, 3),), {})),
    *cases_of("saved", (((2, 3), (2, 3)), {})),
]

ALL = "bool int8 uint8 int32 uint32 int64 uint64 float32 float64"

WITHIN = np.array([0, 1, 2, 100, 0.5, 1.75, -0.25])  # what all dtypes hold

CONVERTED = [
    *(
        case
        for dtype in ALL.split()
        for given in ALL.split()
        for exact in [np.dtype(given).kind == "f" and np.dtype(dtype).kind in "iu"]
        for case in cases_of(
            "cast",
            ((WITHIN.astype(given) if exact else (19,),), {"dtype": dtype, "weak": False}),
            dtypes=given,
        )
    ),
    *cases_of(
        "cast",
        ((2.75,), {"dtype": "int8", "weak": False}),
        ((-0.75,), {"dtype": "uint8", "weak": False}),
        ((200,), {"dtype": "uint8", "weak": False}),
        ((True,), {"dtype": "float32", "weak": False}),
        ((np.float32(7.5),), {"dtype": "int64", "weak": True}),
        ((np.int8(7),), {"dtype": "float32", "weak": True}),
        ((np.float64(0.5),), {"dtype": "bool", "weak": True}),
        dtypes="float64",
    ),
    *cases_of("integers", ((np.array([1.75, -1.75, 2.0**53, -(2.0**63)]),), {}), dtypes="float64"),
    *cases_of("integers", (((7,),), {}), dtypes="bool int8 int64"),
    *cases_of(
        "where",
        (((3, 1), (3, 4), (4,)), {}),
        (((4,), (), (4,)), {}),
        (((3, 1), 3, (4,)), {}),
        (((3, 1), 100, np.arange(4, dtype="int8")), {}),
        (((4,), np.arange(4, dtype="int8"), np.arange(4, dtype="uint8")), {}),
        ((True, (2, 3), 0.5), {}),
    ),
    *(cases_of("where", (((3, 1), 300, np.arange(4, dtype="int8")), {})) if WHERE_WRAPS else []),
    *cases_of("real", (((3, 4),), {}), ((True,), {}), ((2.5,), {})),
    *cases_of("imag", (((3, 4),), {}), ((True,), {}), ((2.5,), {})),
    *cases_of("conjugate", (((3, 4),), {}), dtypes="int8 int64 float32 float64"),
    *cases_of("bitcast", (((19,),), {"dtype": "int64"}), dtypes="int64 uint64 float64"),
    *cases_of("bitcast", (((19,),), {"dtype": "uint64"}), dtypes="int64 uint64 float64"),
    *cases_of("bitcast", (((19,),), {"dtype": "float64"}), dtypes="int64 uint64 float64"),
    *cases_of("bitcast", (((19,),), {"dtype": "float32"}), dtypes="int32 uint32 float32"),
    *cases_of("bitcast", (((19,),), {"dtype": "uint8"}), dtypes="bool int8"),
    *cases_of(
        "full",
        (((),), {"shape": (2, 3), "dtype": "float32"}),
        (((),), {"shape": (2,), "dtype": "int8"}),
        ((3,), {"shape": (2,), "dtype": "int8"}),
        ((2.5,), {"shape": (2,), "dtype": "int8"}),
        ((2.5,), {"shape": (), "dtype": "float32"}),
        ((True,), {"shape": (2,), "dtype": "float64"}),
    ),
]

NESTED, SHORT = np.array([[0, -1, 2], [1, -4, 3]]), np.array([2, 0, -3], "int8")
SUBSCRIPTS = [
    *subscripts(
        (4, 5, 3),
        (),
        ...,
        1,
        -1,
        (2, -3),
        (..., -2),
        slice(1, 3),
        (slice(None, None, 2), slice(None, None, -1)),
        (slice(-1, None, -2), slice(4, 0, -3), slice(0, 0)),
        (None, 1, None, slice(2, 4), None),
        (..., None, slice(1, None)),
        NESTED,
        (NESTED, SHORT),
        (NESTED, slice(1, 3), SHORT),
        (slice(None), SHORT, slice(1, 3)),
        (slice(None), SHORT, SHORT),
        (SHORT, 1, slice(None)),
        (slice(None), 1, SHORT),
        (1, slice(None), SHORT),
        (NESTED, None, SHORT),
        (True, 1),
        (False,),
        (SHORT, True),
        (NESTED.astype("uint8") % 4,),
        (np.int32(-1), slice(1, 2), np.uint8(2)),
        (slice(None), np.int64(3)),
        ops.core.subscripts.Window(np.int64(1), 2),
        (slice(None), ops.core.subscripts.Window(np.int8(2), 3), SHORT),
    ),
    *subscripts((0, 3), (slice(None), 1), slice(None)),
    *subscripts((3,), 1),
]


def writes(shape, *cases, dtypes="int8 float64"):
    """Cases of index_update and index_add: subscripts, and the shapes of values, or numbers."""
    return [
        case
        for index, value in cases
        for operands, spec in [ops.core.subscripts.encode_index(index, shape)]
        for name in ("index_update", "index_add")
        for case in cases_of(name, ((shape, value, *operands), {"index": spec}), dtypes=dtypes)
    ]


WRITTEN = writes(
    (4, 5, 3),
    (1, (5, 3)),
    ((), (5, 1)),
    ((1, -1), (3,)),
    ((1, -1, 2), ()),
    ((1, -1, 2), 7),
    (slice(1, 3), (2, 1, 3)),
    ((slice(None), slice(4, 0, -3)), (4, 2, 3)),
    ((slice(None), slice(None, None, 2), 1), (3,)),
    ((slice(None), slice(0, 0)), 1),
    ((None, slice(1, 2), None, slice(1, None)), (1, 1, 4, 1)),
    ((..., None, slice(1, 3)), (4, 5, 1, 2)),
    ((np.int32(-1), slice(1, 2), np.uint8(2)), (1,)),
    ((slice(None), ops.core.subscripts.Window(np.int8(2), 3), 0), (4, 3)),
)

ROWS, COLUMNS = np.arange(4), np.array([2, 0, -1, 1])
WRITTEN += writes(
    (4, 5),
    ((ROWS, COLUMNS), (4,)),
    ((ROWS, COLUMNS), 7),
    ((ROWS, slice(1, 3)), (4, 2)),
    ((slice(1, 3), np.arange(5)), (2, 5)),
    ((ROWS[:, None], np.arange(5)), (4, 5)),
    ((ROWS[:, None], COLUMNS[:, None]), (1, 1)),
    ((ROWS, ROWS), (4,)),
)
ALONG = np.array([[[1, 0, 3]], [[2, 2, 0]]])
WRITTEN += writes(
    (2, 4, 3),
    ((np.arange(2)[:, None, None], ALONG, np.arange(3)), (2, 1, 3)),
    ((slice(None), ROWS, COLUMNS % 3), (2, 4)),
)

MASK = values("bool", (4, 5), 3)
MASKED = [
    *cases_of("index_update", (((2, 3), (1, 1, 3)), {"index": ()})),
    *cases_of("index_update", (((4, 5), 3, MASK), {"index": (("mask", 0),)})),
    *cases_of("index_update", (((4, 5, 3), (3,), MASK), {"index": (("mask", 0),)})),
    *cases_of("index_update", (((4, 5), (1,), MASK[:, 0]), {"index": (("mask", 0),)})),
    *cases_of(
        "index_add",
        (
            ((2, 4, 5), (2, 1), MASK),
            {"index": (("slice", None, None, None), ("mask", 0))},
        ),
    ),
]

PARTS = [
    *cases_of(
        "pad_zeros",
        (((3, 4),), {"widths": ((1, 2), (0, 3))}),
        (((3,),), {"widths": ((0, 0),)}),
        (((0,),), {"widths": ((1, 1),)}),
    ),
    *cases_of(
        "concatenate",
        (((2, 3), (4, 3), (1, 3)), {"axis": 0}),
        (((2, 3), (2, 0), (2, 1), (2, 2), (2, 1)), {"axis": 1}),
        (((2,), np.array([1, 2], "int8")), {"axis": 0}),
        (((0,),), {"axis": 0}),
    ),
    *cases_of(
        "roll",
        (((5,), 2), {"axis": None}),
        (((2, 3), -4), {"axis": None}),
        (((2, 3), np.int8(-4)), {"axis": (1,)}),
        (((2, 3), 1, 5), {"axis": (0, 1)}),
        (((2, 3), 1, -2), {"axis": (1, 1)}),
        (((), 2), {"axis": None}),
    ),
    *cases_of(
        "repeat",
        (((2, 3), 2), {"axis": 1, "total": 6}),
        (((2, 3), 3), {"axis": 0, "total": 6}),
        (((0, 3), 3), {"axis": 0, "total": 0}),
    ),
    *cases_of(
        "tile",
        (((2, 3),), {"reps": (2, 1)}),
        (((2, 3),), {"reps": (3, 2)}),
        (((0,),), {"reps": (2,)}),
    ),
    *cases_of(
        "diagonal",
        (((4, 3),), {"offset": 0, "axis1": 0, "axis2": 1}),
        (((2, 4, 3),), {"offset": -1, "axis1": 1, "axis2": 2}),
        (((3, 2, 5),), {"offset": 2, "axis1": 2, "axis2": 0}),
        (((3, 2, 5),), {"offset": 2, "axis1": 0, "axis2": 2}),
    ),
    *cases_of(
        "sliding_windows",
        (((5, 4),), {"window_shape": (2, 3), "axis": (0, 1)}),
        (((5,),), {"window_shape": (2, 2), "axis": (0, 0)}),
    ),
    *cases_of(
        "strided_windows",
        (((2, 7),), {"window": (3,), "strides": (2,), "dilation": (1,)}),
        (((7, 6),), {"window": (2, 2), "strides": (1, 2), "dilation": (3, 1)}),
    ),
    *cases_of(
        "window_sum",
        (((2, 7),), {"window": (3,), "strides": (2,), "dilation": (1,)}),
        (((6, 7),), {"window": (2, 2), "strides": (1, 2), "dilation": (3, 1)}),
    ),
    *cases_of(
        "window_max",
        (((2, 7),), {"window": (3,), "strides": (2,), "dilation": (1,)}),
        (((6, 7),), {"window": (2, 2), "strides": (1, 2), "dilation": (3, 1)}),
    ),
    *cases_of(
        "overlap_add",
        (((2, 3, 3),), {"lengths": (8,), "strides": (2,), "dilation": (1,)}),
        (((2, 3, 2, 2),), {"lengths": (5, 7), "strides": (1, 2), "dilation": (3, 1)}),
        dtypes="int8 float32 float64",
    ),
    *cases_of("add_same", (((2, 3), (2, 3)), {})),
    *cases_of(
        "choose",
        ((NESTED % 3, (3,), (2, 1), 5), {"mode": "raise"}),
        ((NESTED, (3,), (2, 1)), {"mode": "wrap"}),
        ((NESTED, (3,), (2, 1), (2, 3)), {"mode": "clip"}),
    ),
]

EDGES = np.array([-3, 0, 0, 1, 5, 5, 9])
SEARCHED = [
    *(
        case
        for side in ("left", "right")
        for case in [
            *cases_of("searchsorted", ((EDGES, (19,)), {"side": side})),
            *cases_of("searchsorted", ((np.append(EDGES, np.nan), (19,)), {"side": side})),
            *cases_of("searchsorted", ((EDGES[:0], (2,)), {"side": side})),
            *cases_of("searchsorted", ((EDGES[:1], 3), {"side": side})),
        ]
    ),
    *cases_of("searchsorted", ((np.array([EDGES, EDGES + 1]), (2, 9)), {"side": "left"})),
    *cases_of("erf", ((0.25,), {}), ((-1.5,), {}), dtypes="float64"),
    *cases_of("erfc", ((0.25,), {}), ((5.5,), {}), dtypes="float64"),
    *cases_of(
        "float_ldexp",
        ((0.75, 11), {}),
        ((float("inf"), 2**40), {}),
        ((1.5, -(2**40)), {}),
        dtypes="float64",
    ),
]

KEYS = np.array([[[1, 2], [2**32 - 1, 7]]], "uint32")
BITS = np.random.default_rng(1).integers(0, 2**64, (2, 8), "uint64")
BOUNDS = np.array([-(2**63), -5, 0, 3, 7, 2**40, 5, -1])
RANDOM = [
    *cases_of("random_blocks", ((KEYS[0, 0], 5), {"length": 3, "domain": 0}), dtypes="uint32"),
    *cases_of(
        "random_blocks",
        ((KEYS, np.array([[0], [2**32 - 2]])), {"length": 4, "domain": 2}),
        dtypes="uint32",
    ),
    *cases_of("random_integers", ((BITS, BITS[::-1], BOUNDS, np.int64(6)), {}), dtypes="int64"),
    *cases_of(
        "random_integers",
        ((BITS, BITS[::-1], np.uint64(3), np.uint64(2**64 - 1)), {}),
        dtypes="int64",
    ),
]

SOME = "bool int8 int64 uint32 float32 float64"
AXES = [None, (0,), (1,), (0, 2), (2, 0)]
REDUCED = [
    *(
        case
        for name in ("sum", "prod", "max", "min", "any", "all")
        for axis in AXES
        for keepdims in (False, True)
        for case in cases_of(
            name,
            (
                ((2, 3, 4),),
                {"axis": axis, "keepdims": keepdims}
                | ({"dtype": None} if name in ("sum", "prod") else {}),
            ),
            dtypes=SOME,
        )
    ),
    *cases_of("sum", (((2, 3),), {"axis": (1,), "keepdims": False, "dtype": "float32"})),
    *cases_of("sum", (((2, 0),), {"axis": (1,), "keepdims": False, "dtype": None})),
    *cases_of("prod", (((2, 0),), {"axis": (1,), "keepdims": False, "dtype": "int8"})),
    *cases_of("any", (((2, 0),), {"axis": (1,), "keepdims": False})),
    *cases_of("all", (((2, 0),), {"axis": None, "keepdims": False})),
    *cases_of("max", (((),), {"axis": None, "keepdims": False})),
    *cases_of(
        "unbroadcast",
        (((2, 3, 4),), {"shape": (1, 3, 1)}),
        (((2, 3, 4),), {"shape": (2, 3, 4)}),
        (((1, 3),), {"shape": (1, 1)}),
        dtypes="float32 float64",
    ),
]


def samples_of_kernels():
    """Those uses of operators for which there is a native form, with numbers that kernels have."""
    for sample in SAMPLES:
        name, operands, attrs = sample
        op, args = REGISTRY[name], drawn(operands, np.random.default_rng(3))
        types = [type_of(x) for x in args]
        is_native = op.fold is not None or op.has_element(types, attrs)
        is_static = None not in attrs.get("shape", ())
        if is_native and is_static and all(type.dtype.kind in "biuf" for type in types):
            yield pytest.param(name, args, attrs, id=name_of(sample))


@pytest.mark.parametrize("name, args, attrs", [*samples_of_kernels()])
def test_samples(name, args, attrs):
    check(name, args, attrs)


@pytest.mark.parametrize("name, args, attrs", [*SHAPED, *CONVERTED])
def test_structure_and_conversions(name, args, attrs):
    check(name, args, attrs)


@pytest.mark.parametrize("name, args, attrs", SUBSCRIPTS)
def test_subscripts(name, args, attrs):
    check(name, args, attrs)


@pytest.mark.parametrize("name, args, attrs", REDUCED)
def test_folds(name, args, attrs):
    check(name, args, attrs)


@pytest.mark.parametrize("name, args, attrs", [*WRITTEN, *MASKED])
def test_writes(name, args, attrs):
    check(name, args, attrs)


@pytest.mark.parametrize("name, args, attrs", [*PARTS, *SEARCHED, *RANDOM])
def test_parts(name, args, attrs):
    check(name, args, attrs)
