"""Products, and running sums, products and extrema along an axis."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.lib.array_utils import normalize_axis_index

from ops.arrays.creation import full_like, ones_like, zeros_like
from ops.arrays.indexing import index_add, subscript
from ops.arrays.joining import concatenate
from ops.arrays.rearrange import flip, index_along_axis, take_along_axis
from ops.arrays.reduction import rows_along, total_from
from ops.core import kernels
from ops.core.batching import along_axes
from ops.core.lengths import length, lengths_of, positions
from ops.core.numpy_table import covers
from ops.core.operands import dims_of, dtype_of, known_length, ndim_of
from ops.core.reads import along
from ops.core.registry import Custom, Linear, Op
from ops.core.subscripts import encode_index
from ops.core.types import ArrayType, may_agree, numpy_dtype
from ops.elementwise import add, equal, isnan, logical_and, logical_not, multiply, not_equal
from ops.elementwise.conversion import astype, where
from ops.structure.broadcasting import sum
from ops.structure.lanes import with_same_attributes
from ops.structure.permuting import moveaxis, transpose
from ops.structure.reducing import (
    Axes,
    all_axes,
    combined_axes,
    keep,
    kept_moves,
    reduction_code,
    total_dtype,
    total_infer,
    total_prepare,
)
from ops.structure.reshaping import expand_dims, reshape

__all__ = [
    "cummax",
    "cummin",
    "cumprod",
    "cumsum",
    "cumulative_prod",
    "cumulative_sum",
    "prod",
    "products_of_others",
    "recurrence",
]

# -- products --------------------------------------------------------------------------------------


def _products_of_others(x: Any, axis: Axes) -> Any:
    """For each element, the product of all the others that it is multiplied with.

    There is no division, so zeros do no harm, neither here nor in derivatives of this.
    """
    shape = lengths_of(x)
    axes = all_axes(axis, len(shape))
    order = (*(i for i in range(len(shape)) if i not in axes), *axes)
    rows = rows_along(x, axis)
    known = isinstance(dims_of(rows)[-1], int)
    others = _others(rows) if known else products_of_others(rows)
    others = reshape(others, tuple(shape[i] for i in order))
    return transpose(others, np.argsort(order)) if order != tuple(sorted(order)) else others


def others_multiplied(x):
    """For each element of ``x``, the product of the others along the last axis."""
    before, after = np.ones_like(x), np.ones_like(x)
    before[..., 1:] = np.cumprod(x[..., :-1], axis=-1)
    after[..., :-1] = np.cumprod(x[..., :0:-1], axis=-1)[..., ::-1]
    return before * after


def _change_of_others(change: Any, x: Any) -> Any:
    """The derivative of `products_of_others`, a symmetric matrix, times ``change``.

    It holds, for two different elements, the product of all others.
    """
    along = positions(length(x, axis=ndim_of(x) - 1))
    same = equal(expand_dims(along, 1), along)
    rows = where(same, dtype_of(x).type(1), expand_dims(x, -2))
    terms = multiply(expand_dims(change, -2), products_of_others(rows))
    return sum(where(same, dtype_of(x).type(0), terms), axis=-1)


products_of_others = Custom(
    "products_of_others",
    lambda x: (x,),
    "others_multiplied({0})",
    vjp=lambda cts, args, outs: (_change_of_others(cts[0], args[0]),),
    jvp=lambda tangents, args, outs: (_change_of_others(tangents[0], args[0]),),
    linear=(),
    zeros="lost",
    helpers=[others_multiplied],
    unknown_lengths=True,
    batch=with_same_attributes(),
    reads=along(lambda x, attrs: (-1,)),
    doc="For each element of ``x``, the product of the others along the last axis.",
)


def _others(x: Any) -> Any:
    """`_products_of_others` along the last axis, by halving: the others of an element are its
    partner and the others of the pair. O(n) multiplications, O(log n) operators."""
    n = known_length(x, -1)
    if n < 2:
        return ones_like(x)
    half = n // 2
    left, right, rest = (_part(x, *ends) for ends in ((0, half), (half, 2 * half), (2 * half, n)))
    others = _others(concatenate([multiply(left, right), rest], axis=-1))
    of_pairs, of_rest = _part(others, 0, half), _part(others, half, None)
    return concatenate([multiply(of_pairs, right), multiply(of_pairs, left), of_rest], axis=-1)


def _part(x: Any, start: int, stop: int | None) -> Any:
    return subscript(x, (..., slice(start, stop)))


def _prod_vjp(cts: Sequence, args: Sequence, outs: Sequence, axis: Axes, **_: Any) -> tuple:
    x = astype(args[0], dtype_of(outs[0]))
    return (multiply(keep(cts[0], x, axis), _products_of_others(x, axis)),)


def _prod_jvp(
    tangents: Sequence, args: Sequence, outs: Sequence, axis: Axes, keepdims: bool, dtype: Any
) -> tuple:
    x = astype(args[0], dtype_of(outs[0]))
    change = multiply(tangents[0], _products_of_others(x, axis))
    return (sum(change, axis, dtype, keepdims),)


prod = Custom(
    "prod",
    total_infer,
    reduction_code("prod"),
    vjp=_prod_vjp,
    jvp=_prod_jvp,
    linear=(),
    zeros="moved",
    moves=kept_moves,
    unknown_lengths=True,
    prepare=total_prepare,
    batch=along_axes("axis"),
    native=kernels.Fold("*", lambda dtype: 1, combined_axes),
    doc="The product of the elements along ``axis``; the arguments are those of `sum`.",
)

prod_from = covers(np.prod, "a axis dtype out keepdims initial where", method=True)(
    total_from(prod, multiply, 1)
)

# -- running totals --------------------------------------------------------------------------------


def _running_infer(x: ArrayType, axis: Axes, dtype: str | None) -> tuple[ArrayType]:
    return (ArrayType(total_dtype(x, dtype), x.shape),)


def _running_prepare(x: Any, axis: int | None = None, dtype: Any = None) -> tuple:
    if axis is None:
        x, axis = reshape(x, -1), 0
    elif not ndim_of(x):
        x = reshape(x, 1)
    axis = normalize_axis_index(axis, ndim_of(x))
    return (x,), {"axis": (axis,), "dtype": None if dtype is None else numpy_dtype(dtype).name}


def _running(combine: Callable, of_bools: Callable) -> kernels.Scan:
    """How running totals are computed natively."""

    def following(total: Any, x: Any) -> Any:
        return of_bools(total, x) if x.dtype == bool else combine(total, x)

    return kernels.Scan(following, lambda x, axis, **_: axis[0], associative=True)


def _cumsum_transpose(ct: Any, x: Any, axis: tuple[int], dtype: str | None) -> Any:
    return flip(cumsum(flip(ct, axis), axis[0]), axis)


cumsum = Linear(
    "cumsum",
    _running_infer,
    reduction_code("cumsum"),
    transposes=[_cumsum_transpose],
    zeros="moved",
    unknown_lengths=True,
    prepare=_running_prepare,
    batch=along_axes("axis"),
    native=_running(operator.add, operator.or_),
    doc="The running sums along an axis, or of all elements in C order if ``axis`` is None.",
    keeps_shape=True,
)

covers(np.cumsum, "a axis dtype out", method=True)(cumsum)


# -- linear recurrences ----------------------------------------------------------------------------


def recurred(a, b):
    """``y[0] = b[0]``, ``y[j] = a[j] * y[j - 1] + b[j]`` along the last axis.

    Doubling the distance that is bridged needs log2(n) steps; there is no division.
    """
    factors, y, distance = np.array(a), np.array(b), 1
    while distance < y.shape[-1]:
        y[..., distance:] += factors[..., distance:] * y[..., :-distance]
        factors[..., distance:] = factors[..., distance:] * factors[..., :-distance]
        distance *= 2
    return y


def _shifted(x: Any, first: float) -> Any:
    """Each element of the last axis in the place behind, ``first`` in the first place."""
    head = full_like(x, first, shape=(*lengths_of(x)[:-1], 1))
    return subscript(concatenate([head, x], -1), (..., slice(None, -1)))


def _recurrence_vjp(cts: Sequence, args: Sequence, outs: Sequence) -> tuple:
    a, _ = args
    ct = flip(recurrence(_shifted(flip(a, -1), 1), flip(cts[0], -1)), -1)
    return multiply(ct, _shifted(outs[0], 0)), ct


def _recurrence_jvp(tangents: Sequence, args: Sequence, outs: Sequence) -> tuple:
    change = add(tangents[1], multiply(tangents[0], _shifted(outs[0], 0)))
    return (recurrence(args[0], change),)


def _recurrence_infer(a: ArrayType, b: ArrayType) -> tuple[ArrayType]:
    if a.dtype != b.dtype or not a.ndim:
        raise TypeError(f"recurrence: {a} and {b} are not arrays of one dtype")
    if not may_agree(a.shape, b.shape):
        raise ValueError(f"recurrence: the shapes of {a} and {b} differ")
    return (b,)


recurrence = Custom(
    "recurrence",
    _recurrence_infer,
    "recurred({0}, {1})",
    vjp=_recurrence_vjp,
    jvp=_recurrence_jvp,
    linear=(1,),
    zeros="lost",
    helpers=[recurred],
    unknown_lengths=True,
    batch=with_same_attributes(),
    native=kernels.Scan(lambda total, a, b: a * total + b, lambda x: x.ndim - 1),
    doc="""``y[0] = b[0]`` and ``y[j] = a[j] * y[j - 1] + b[j]`` along the last axis.

    The steps are taken by recursive doubling (Kogge and Stone, A parallel algorithm for the
    efficient solution of a general class of recurrence equations, 1973).

    Args:
        a, b: arrays of one dtype and shape. ``a[0]`` does not matter.

    Raises:
        TypeError, ValueError: the dtypes or the shapes differ, or there is no axis.
    """,
)

# -- running products ------------------------------------------------------------------------------


def _cumprod_vjp(cts: Sequence, args: Sequence, outs: Sequence, axis: tuple[int], **_: Any):
    x, out, ct = (moveaxis(z, axis, -1) for z in (args[0], outs[0], cts[0]))
    x = astype(x, dtype_of(out))
    ct = flip(recurrence(_shifted(flip(x, -1), 1), flip(ct, -1)), -1)
    return (moveaxis(multiply(ct, _shifted(out, 1)), -1, axis),)


def _cumprod_jvp(tangents: Sequence, args: Sequence, outs: Sequence, axis: tuple[int], **_: Any):
    x, out, t = (moveaxis(z, axis, -1) for z in (args[0], outs[0], tangents[0]))
    x, t = astype(x, dtype_of(out)), astype(t, dtype_of(out))
    return (moveaxis(recurrence(x, multiply(t, _shifted(out, 1))), -1, axis),)


def _cumprod_moves(numbers: Any, x: Any, axis: tuple[int], **_: Any) -> tuple:
    """Each element goes into those of the result from its own place on."""
    return (flip(cumsum(flip(numbers, axis), axis[0]), axis),)


cumprod = Custom(
    "cumprod",
    _running_infer,
    reduction_code("cumprod"),
    vjp=_cumprod_vjp,
    jvp=_cumprod_jvp,
    linear=(),
    zeros="moved",
    moves=_cumprod_moves,
    unknown_lengths=True,
    prepare=_running_prepare,
    batch=along_axes("axis"),
    native=_running(operator.mul, operator.and_),
    doc="The running products along an axis, or of all elements in C order if ``axis`` is None.",
)

covers(np.cumprod, "a axis dtype out", method=True)(cumprod)


# From NumPy 2.1 on.
@covers(getattr(np, "cumulative_sum", None), "x axis dtype out include_initial")
def cumulative_sum(
    x: Any, axis: int | None = None, dtype: Any = None, include_initial: bool = False
) -> Any:
    """The running sums along an axis, which may be left out if there is only one.

    Args:
        x: an array.
        axis: the axis.
        dtype: the dtype in which to add and of the result.
        include_initial: begin with a 0.

    Raises:
        ValueError: there are several axes and none is given.
    """
    return _cumulative(cumsum, 0, x, axis, dtype, include_initial)


# From NumPy 2.1 on.
@covers(getattr(np, "cumulative_prod", None), "x axis dtype out include_initial")
def cumulative_prod(
    x: Any, axis: int | None = None, dtype: Any = None, include_initial: bool = False
) -> Any:
    """The running products along an axis; the arguments are those of `cumulative_sum`."""
    return _cumulative(cumprod, 1, x, axis, dtype, include_initial)


def _cumulative(op: Op, first: int, x: Any, axis: Any, dtype: Any, include_initial: bool) -> Any:
    if axis is None:
        if ndim_of(x) > 1:
            raise ValueError(
                "For arrays which have more than one dimension ``axis`` argument is required."
            )
        axis = 0
    result = op(x, axis, dtype)
    if not include_initial:
        return result
    axis = normalize_axis_index(axis, ndim_of(result))
    lengths = lengths_of(result)
    head = full_like(result, first, shape=(*lengths[:axis], 1, *lengths[axis + 1 :]))
    return concatenate([head, result], axis)


# -- running extrema -------------------------------------------------------------------------------


def extrema_so_far(combine, x, axis):
    """``combine.accumulate(x, axis)``, by doubling the distance where the library lacks it."""
    if np.__name__ == "numpy":
        return combine.accumulate(x, axis=axis)
    result, distance = np.moveaxis(np.array(x), axis, 0), 1
    while distance < len(result):
        result[distance:] = combine(result[distance:], result[:-distance])
        distance *= 2
    return np.moveaxis(result, 0, axis)


def _running_extremum(name: str, ufunc: str, combine: Callable, doc: str) -> Custom:
    def prepare(x: Any, axis: int = 0) -> tuple:
        if not ndim_of(x):
            raise TypeError("cannot accumulate on a scalar")
        return (x,), {"axis": normalize_axis_index(axis, ndim_of(x))}

    def following(total: Any, x: Any) -> Any:
        stays = combine(total, x)
        return kernels.select(stays | (total != total) if x.dtype.kind == "f" else stays, total, x)

    def sources(out: Any, axis: int) -> Any:
        """For each element of the result the position of the first element that it is."""
        rows = moveaxis(out, axis, -1)
        before = concatenate([subscript(rows, (..., slice(0, 1))), rows], -1)
        before = subscript(before, (..., slice(None, -1)))
        new = not_equal(rows, before)
        if dtype_of(out).kind in "fc":
            new = logical_and(new, logical_not(isnan(before)))
        n = dims_of(rows)[-1]
        along = positions(length(rows, axis=ndim_of(rows) - 1)) if n is None else np.arange(n)
        return moveaxis(cummax(where(new, along, np.intp(0)), -1), -1, axis)

    def vjp(cts: Sequence, args: Sequence, outs: Sequence, axis: int) -> tuple:
        (x,) = args
        places = index_along_axis(x, sources(outs[0], axis), axis)
        operands, spec = encode_index(places, dims_of(x))
        return (index_add(zeros_like(cts[0]), cts[0], *operands, index=spec),)

    def jvp(tangents: Sequence, args: Sequence, outs: Sequence, axis: int) -> tuple:
        return (take_along_axis(tangents[0], sources(outs[0], axis), axis),)

    return Custom(
        name,
        lambda x, axis: (x,),
        f"extrema_so_far(np.{ufunc}, {{0}}, {{axis}})",
        vjp=vjp,
        jvp=jvp,
        linear=(),
        zeros="moved",
        helpers=[extrema_so_far],
        unknown_lengths=True,
        prepare=prepare,
        batch=along_axes("axis"),
        native=kernels.Scan(following, lambda x, axis: axis, associative=True),
        doc=doc,
        precision="exact",
    )


cummax = _running_extremum(
    "cummax",
    "maximum",
    operator.gt,
    """The largest element so far along an axis, by default the first; NaN from the first NaN on.

    In derivatives the first of several equal elements counts.

    Args:
        x: an array.
        axis: the axis.

    Raises:
        TypeError: ``x`` is a scalar.
    """,
)

cummin = _running_extremum(
    "cummin",
    "minimum",
    operator.lt,
    "The smallest element so far along an axis; the rest is as for `cummax`.",
)
