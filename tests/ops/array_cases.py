"""One line per use of an operator on arrays: ours, NumPy's, the arguments.

Arguments are shapes for arrays filled at random, or the values themselves.
"""

from typing import NamedTuple

import numpy as np

import ops
from ops.core.numpy_table import FUNCTIONS


class Case(NamedTuple):
    name: str
    ours: object
    oracle: object
    shapes: tuple
    smooth: bool = True  # whether it is differentiable at random arguments


def api(function, *shapes, smooth=True, **options):
    """A function of NumPy's, called through the table."""
    ours = FUNCTIONS[function]
    words = [*map(str, shapes), *(f"{k}={v}" for k, v in options.items())]
    name = f"{function.__name__} {' '.join(words)}"
    return Case(
        name,
        lambda *args: ours(*args, **options),
        lambda *args: function(*args, **options),
        shapes,
        smooth,
    )


def of_list(function, *shapes, **options):
    """The same for functions of a sequence of arrays."""
    case = api(function, *shapes, **options)
    return case._replace(
        ours=lambda *args: case_call(FUNCTIONS[function], args, options),
        oracle=lambda *args: case_call(function, args, options),
    )


def case_call(function, args, options):
    return function(args, **options)


def subscripted(text, shape, *operands):
    """``x[index]``, with the index given as source text; ``i`` and ``j`` are operands."""
    names = ["x", "i", "j"]

    def index(args):
        return eval(f"np.s_[{text}]", {"np": np, **dict(zip(names, args))})

    return Case(
        f"x[{text}]",
        lambda *args: ops.subscript(args[0], index(args)),
        lambda *args: args[0][index(args)],
        (shape, *operands),
    )


def written(text, shape, value, *operands):
    """``x[index] = value``."""
    names = ["x", "v", "i", "j"]

    def index(args):
        return eval(f"np.s_[{text}]", {"np": np, **dict(zip(names, args))})

    def oracle(x, value, *rest):
        x = np.array(x)
        x[index((x, value, *rest))] = value
        return x

    return Case(
        f"x[{text}] = {value}",
        lambda x, value, *rest: ops.assigned(x, index((x, value, *rest)), value),
        oracle,
        (shape, value, *operands),
    )


def accumulated(text, shape, value, *operands):
    """``np.add.at(x, index, value)``."""
    names = ["x", "v", "i", "j"]

    def index(args):
        return eval(f"np.s_[{text}]", {"np": np, **dict(zip(names, args))})

    def oracle(x, value, *rest):
        x = np.array(x)
        np.add.at(x, index((x, value, *rest)), value)
        return x

    return Case(
        f"x[{text}] += {value}",
        lambda x, value, *rest: ops.added(x, index((x, value, *rest)), value),
        oracle,
        (shape, value, *operands),
    )


I2, I3, I23 = np.array([0, 1]), np.array([2, 0, -1]), np.array([[0, 1, 0], [1, 1, 0]])
MASK3 = np.array([True, False, True])

REDUCTIONS = [
    api(f, shape, **options)
    for f in (np.sum, np.prod, np.mean, np.var, np.std, np.max, np.min)
    for shape, options in [
        ((3, 4), {}),
        ((3, 4), {"axis": 0}),
        ((3, 4), {"axis": -1, "keepdims": True}),
        ((2, 3, 2), {"axis": (0, 2)}),
        ((), {}),
    ]
    if not (f is np.std and shape == ())
] + [
    *(api(f, (3, 4), smooth=False) for f in (np.all, np.any, np.argmax, np.argmin)),
    *(api(f, (3, 4), axis=1, smooth=False) for f in (np.all, np.any, np.argmax, np.argmin)),
    api(np.argmax, (3, 4), axis=0, keepdims=True, smooth=False),
    api(np.count_nonzero, (3, 4), axis=0, smooth=False),
    api(np.sum, (0, 3), axis=0),
    api(np.prod, (0, 3), axis=0),
    api(np.max, (0, 3), axis=1),
    api(np.prod, (1, 5), axis=1),
    api(np.prod, (7,)),
    api(np.var, (3, 4), axis=0, ddof=1),
    api(np.sum, (3, 4), dtype=np.float64),
    api(np.cumsum, (3, 4)),
    api(np.cumsum, (3, 4), axis=1),
    api(np.cumprod, (3, 4)),
    api(np.cumprod, (3, 5), axis=1),
    api(np.cumprod, (1, 2), axis=0),
    api(np.median, (3, 4)),
    api(np.median, (3, 4), axis=1, keepdims=True),
    api(np.median, (3, 4), axis=0),
    api(np.trapezoid, (3, 4)),
    api(np.trapezoid, (3, 4), (3,), axis=0),
    api(np.trapezoid, (3, 4), dx=0.5),
    api(np.ptp, (3, 4), axis=0),
    api(np.average, (3, 4), axis=0, weights=np.arange(12.0).reshape(3, 4)),
    api(np.sort, (3, 4)),
    api(np.sort, (3, 4), axis=None),
    api(np.argsort, (3, 4), axis=0, smooth=False),
]

STRUCTURE = [
    *(
        Case(
            f"reshape {shape} {new}",
            lambda x, new=new: ops.reshape(x, new),
            lambda x, new=new: np.reshape(x, new),
            (shape,),
        )
        for shape, new in [((3, 4), (2, -1)), ((0, 4), (4, 0)), ((), (1, 1)), ((2, 3), 6)]
    ),
    api(np.transpose, (2, 3)),
    api(np.transpose, (2, 3, 4), axes=(2, 0, 1)),
    api(np.transpose, (2, 3, 4), axes=(0, 2, 1)),
    api(np.ravel, (2, 3)),
    api(np.squeeze, (1, 3, 1)),
    api(np.squeeze, (1, 3, 1), axis=0),
    api(np.expand_dims, (2, 3), axis=(0, -1)),
    api(np.swapaxes, (2, 3, 4), axis1=0, axis2=-1),
    api(np.moveaxis, (2, 3, 4), source=[0, 1], destination=[-1, 0]),
    api(np.broadcast_to, (3, 1), shape=(2, 3, 4)),
    api(np.broadcast_to, (), shape=(3,)),
    api(np.copy, (2, 3)),
    of_list(np.concatenate, (2, 3), (1, 3)),
    of_list(np.concatenate, (2, 3), (2, 2), axis=-1),
    of_list(np.concatenate, (2, 3), (2,), axis=None),
    of_list(np.concatenate, (2, 0), (2, 2), axis=1),
    of_list(np.stack, (2, 3), (2, 3), axis=-1),
    of_list(np.stack, (), ()),
    of_list(np.vstack, (3,), (2, 3)),
    of_list(np.hstack, (3,), (2,)),
    of_list(np.hstack, (2, 3), (2, 1)),
    of_list(np.dstack, (2, 3), (2, 3)),
    of_list(np.column_stack, (3,), (3, 2)),
    api(np.atleast_1d, ()),
    api(np.atleast_2d, (3,)),
    api(np.atleast_3d, (3,)),
    api(np.atleast_3d, (3, 2)),
    api(np.flip, (2, 3)),
    api(np.flip, (2, 3), axis=1),
    api(np.flipud, (2, 3)),
    api(np.fliplr, (2, 3)),
    api(np.roll, (2, 3), shift=2),
    api(np.roll, (2, 3), shift=(1, -4), axis=(0, 1)),
    api(np.roll, (0, 3), shift=1, axis=0),
    api(np.repeat, (2, 3), repeats=2),
    api(np.repeat, (2, 3), repeats=3, axis=1),
    api(np.repeat, (2, 3), repeats=[2, 0, 1], axis=1),
    api(np.tile, (2, 3), reps=2),
    api(np.tile, (3,), reps=(2, 2)),
    api(np.pad, (2, 3), pad_width=1),
    api(np.pad, (2, 3), pad_width=((1, 0), (0, 2))),
    api(np.pad, (2, 3), pad_width=(1, 2), constant_values=3),
    *(api(np.pad, (3, 4), pad_width=2, mode=m) for m in ("edge", "reflect", "symmetric", "wrap")),
    api(np.take, (3, 4), indices=[2, 0, 2], axis=1),
    api(np.take, (3, 4), indices=I23),
    api(np.take_along_axis, (3, 4), indices=np.array([[0], [3], [1]]), axis=1),
    api(np.diag, (3,)),
    api(np.diag, (3,), k=-1),
    api(np.diag, (3, 4), k=1),
    api(np.diagonal, (2, 3, 4), offset=-1, axis1=1, axis2=2),
    api(np.trace, (3, 3)),
    api(np.tril, (3, 4), k=1),
    api(np.triu, (2, 3, 3)),
    api(np.triu, (3,)),
    api(np.diff, (3, 4)),
    api(np.diff, (3, 4), n=2, axis=0),
    api(np.zeros_like, (2, 3)),
    api(np.ones_like, (2, 3)),
    api(np.full_like, (2, 3), fill_value=2),
]

CHOICES = [
    Case("where", ops.where, np.where, (MASK3, (2, 3), (2, 1))),
    Case(
        "where scalar", lambda x: ops.where(MASK3, x, 1), lambda x: np.where(MASK3, x, 1), ((3,),)
    ),
    api(np.clip, (3, 4), a_min=-0.3, a_max=None),
    api(np.clip, (3, 4), (4,), (3, 1)),
    api(np.round, (3, 4)),
    api(np.round, (3, 4), decimals=2),
    api(np.nan_to_num, (3, 4)),
    api(np.sinc, (3, 4)),
    api(np.interp, (9,), xp=np.array([-2.0, 0.0, 0.5, 3.0]), fp=np.array([1.0, 0.0, 4.0, 2.0])),
    api(np.searchsorted, np.array([-1.0, 0.5, 2.0]), (3, 4), side="right", smooth=False),
    Case(
        "select",
        lambda x, y: ops.select([ops.greater(x, 1), ops.greater(x, 0)], [y, x], 1),
        lambda x, y: np.select([x > 1, x > 0], [y, x], 1),
        ((3, 4), (4,)),
    ),
    api(np.matrix_transpose, (2, 3, 4)),
    api(np.isclose, (3, 4), (3, 4), smooth=False),
    api(np.linspace, (), (), num=5),
    api(np.linspace, (), (), num=4, endpoint=False),
]

PRODUCTS = [
    *(
        api(np.dot, x, y)
        for x, y in [((3,), (3,)), ((2, 3), (3,)), ((3,), (3, 4)), ((2, 3), (3, 4)), ((), (2, 3))]
    ),
    api(np.dot, (2, 3, 4), (4,)),
    api(np.dot, (2, 3, 4), (2, 4, 3)),
    *(
        Case(f"matmul {x} {y}", ops.matmul, np.matmul, (x, y))
        for x, y in [
            ((3,), (3,)),
            ((2, 3), (3,)),
            ((3,), (3, 4)),
            ((2, 3), (3, 4)),
            ((5, 2, 3), (3, 4)),
            ((5, 2, 3), (3,)),
            ((3,), (5, 3, 4)),
            ((2, 3), (5, 3, 4)),
            ((5, 2, 3), (5, 3, 4)),
            ((5, 1, 2, 3), (6, 3, 4)),
            ((2, 0), (0, 3)),
            ((0, 3), (3, 2)),
        ]
    ),
    api(np.inner, (2, 3), (4, 3)),
    api(np.outer, (2,), (2, 2)),
    api(np.vdot, (2, 3), (2, 3)),
    api(np.tensordot, (2, 3, 4), (3, 4, 5)),
    api(np.tensordot, (2, 3, 4), (4, 2), axes=([0, 2], [1, 0])),
    api(np.tensordot, (2,), (3,), axes=0),
    api(np.kron, (2, 3), (3,)),
    api(np.cross, (4, 3), (4, 3)),
]

EINSUMS = [
    Case(
        f"einsum {subscripts}",
        lambda *args, s=subscripts: ops.einsum(s, *args),
        lambda *args, s=subscripts: np.einsum(s, *args),
        shapes,
    )
    for subscripts, *shapes in [
        ("ij,jk->ik", (2, 3), (3, 4)),
        ("ij,jk", (2, 3), (3, 4)),
        ("ba", (2, 3)),
        ("ii", (3, 3)),
        ("iij->ji", (3, 3, 2)),
        ("ij->", (2, 3)),
        ("i,j->ji", (2,), (3,)),
        ("bij,bjk->bik", (5, 2, 3), (5, 3, 4)),
        ("...ij,...jk->...ik", (5, 2, 3), (3, 4)),
        ("ij,j", (2, 1), (3,)),
        ("ijk,jl,kl->il", (2, 3, 4), (3, 5), (4, 5)),
        ("i,i,i->i", (3,), (3,), (3,)),
    ]
]

INDEXING = [
    subscripted("1", (3, 4)),
    subscripted("-1, 2", (3, 4)),
    subscripted("()", (3, 4)),
    subscripted("1:, ::2", (3, 4)),
    subscripted("::-1, None", (3, 4)),
    subscripted("5:, ..., 0", (3, 4)),
    subscripted("..., None, 1:3", (2, 3, 4)),
    subscripted("[2, 0, 2]", (3, 4)),
    subscripted("[]", (3, 4)),
    subscripted("i", (3, 4), I3),
    subscripted("i, i", (3, 4), I3),
    subscripted("i, :, j", (3, 4, 3), I23, I3),
    subscripted(":, i, j", (2, 3, 4), I23, I3),
    subscripted("0, :, i", (2, 3, 4), I3),
    subscripted("i, ..., i", (3, 4), I3),
    subscripted("None, i, None, 0", (3, 4), I3),
    subscripted(":, i, None, 0", (2, 3, 4), I3),
    subscripted("i", (3, 4), np.array(1)),
    subscripted("i, :, j", (2, 3, 4), np.array(1), np.array(0)),
    subscripted(":, i, j", (2, 3, 4), np.array(1), I2),
    subscripted("np.array([True, False, True])", (3, 4)),
    subscripted(":, np.array([[True, False, True], [False, True, True]])", (4, 2, 3)),
    subscripted("i, np.array([True, False, True])", (2, 3), I2),
    written("1", (3, 4), (4,)),
    written("1:, ::2", (3, 4), (2, 1)),
    written("0, 0", (3, 4), ()),
    written("0", (3, 4), (1, 1, 4)),
    written("()", (), ()),
    written("i", (3, 4), (4,), np.array([2, 0, 2])),
    written("i", (3, 4), (3, 4), np.array([2, 0, 2])),
    written("i, :, j", (2, 2, 3), (2, 1), I2, np.array([0, -1])),
    written("i", (3, 4), (), np.array(1)),
    written("np.array([True, False, True])", (3, 4), (2, 4)),
    accumulated("1:", (3, 4), (4,)),
    accumulated("i", (3, 4), (3, 4), np.array([2, 0, 2])),
    accumulated(":, i", (2, 3), (), np.array([[0, 0], [1, 0]])),
    accumulated("i, 0", (3, 4), (), np.array(1)),
]


def dominant(function, name, *shapes):
    """A function of 3 by 3 matrices with a large diagonal, which are regular."""

    shift = 12.0 * np.eye(3)
    ours = FUNCTIONS[function]
    return Case(
        f"{name} {shapes}",
        lambda x, *rest: ours(ops.add(x, shift), *rest),
        lambda x, *rest: function(x + shift, *rest),
        shapes,
    )


LINALG = [
    dominant(np.linalg.cholesky, "cholesky", (3, 3)),
    dominant(np.linalg.cholesky, "cholesky", (2, 3, 3)),
    dominant(np.linalg.solve, "solve", (3, 3), (3,)),
    dominant(np.linalg.solve, "solve", (3, 3), (3, 2)),
    dominant(np.linalg.solve, "solve", (2, 3, 3), (3,)),
    dominant(np.linalg.solve, "solve", (3, 3), (2, 3, 1)),
    dominant(np.linalg.inv, "inv", (3, 3)),
    dominant(np.linalg.inv, "inv", (2, 3, 3)),
    dominant(np.linalg.det, "det", (2, 3, 3)),
    *(
        api(np.linalg.norm, (3, 4), **options)
        for options in [
            {},
            {"axis": 0},
            {"ord": "fro"},
            {"ord": 1},
            {"ord": -1, "keepdims": True},
            {"ord": np.inf},
            {"ord": -np.inf},
            {"ord": 1, "axis": 1},
            {"ord": 3, "axis": 1, "keepdims": True},
            {"ord": np.inf, "axis": 0},
            {"ord": 0, "axis": 0},
        ]
    ),
    api(np.linalg.norm, (4,), ord=2),
]

CASES = [*LINALG, *REDUCTIONS, *STRUCTURE, *CHOICES, *PRODUCTS, *EINSUMS, *INDEXING]
