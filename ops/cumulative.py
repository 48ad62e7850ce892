"""Products, and running sums and products along an axis."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.lib.array_utils import normalize_axis_index

from ops.conversion import astype, where
from ops.creation import ones_like, zeros_like
from ops.elementwise import add, equal, multiply
from ops.joining import concatenate, split
from ops.lengths import RunLength, length, lengths_of, positions
from ops.numpy_table import covers
from ops.rearrange import flip
from ops.reduction import (
    Axes,
    all_axes,
    group_size,
    keep,
    reduction_code,
    sum,
    total_dtype,
    total_infer,
    total_prepare,
)
from ops.registry import Custom, Linear, dtype_of, ndim_of, shape_of
from ops.structural import expand_dims, moveaxis, reshape, transpose
from ops.types import ArrayType

__all__ = [
    "cumprod",
    "cumsum",
    "prod",
    "products_of_others",
]

# -- products --------------------------------------------------------------------------------------


def _products_of_others(x: Any, axis: Axes) -> Any:
    """For each element, the product of all the others that it is multiplied with.

    There is no division, so zeros do no harm, neither here nor in derivatives of this.
    """
    shape = lengths_of(x)
    axes = all_axes(axis, len(shape))
    kept = tuple(i for i in range(len(shape)) if i not in axes)
    order = (*kept, *axes)
    size = group_size(x, axis)
    size = size if isinstance(size, int) else RunLength(size)
    rows = reshape(transpose(x, order), (*(shape[i] for i in kept), size))
    others = _others(rows) if isinstance(size, int) else products_of_others(rows)
    return transpose(reshape(others, tuple(shape[i] for i in order)), np.argsort(order))


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
    helpers=[others_multiplied],
    unknown_lengths=True,
    doc="For each element of ``x``, the product of the others along the last axis.",
)


def _others(x: Any) -> Any:
    """`_products_of_others` along the last axis, by halving: the others of an element are its
    partner and the others of the pair. O(n) multiplications, O(log n) operators."""
    n = shape_of(x)[-1]
    if n < 2:
        return ones_like(x)
    half = n // 2
    left, right, rest = split(x, [half, 2 * half], axis=-1)
    others = _others(concatenate([multiply(left, right), rest], axis=-1))
    of_pairs, of_rest = split(others, [half], axis=-1)
    return concatenate([multiply(of_pairs, right), multiply(of_pairs, left), of_rest], axis=-1)


def _prod_vjp(cts: Sequence, args: Sequence, outs: Sequence, axis: Axes, **_: Any) -> tuple:
    (x,) = args
    return (multiply(keep(cts[0], x, axis), _products_of_others(x, axis)),)


def _prod_jvp(
    tangents: Sequence, args: Sequence, outs: Sequence, axis: Axes, keepdims: bool, dtype: Any
) -> tuple:
    change = multiply(tangents[0], _products_of_others(args[0], axis))
    return (sum(change, axis, dtype, keepdims),)


prod = Custom(
    "prod",
    total_infer,
    reduction_code("prod"),
    vjp=_prod_vjp,
    jvp=_prod_jvp,
    unknown_lengths=True,
    prepare=total_prepare,
    doc="The product of the elements along ``axis``; the arguments are those of `sum`.",
)

covers(np.prod, "a axis dtype out keepdims initial where", method=True)(prod)


# -- running totals --------------------------------------------------------------------------------


def _running_infer(x: ArrayType, axis: Axes, dtype: str | None) -> tuple[ArrayType]:
    return (ArrayType(total_dtype(x, dtype), x.shape),)


def _running_prepare(x: Any, axis: int | None = None, dtype: Any = None) -> tuple:
    if axis is None:
        x, axis = reshape(x, -1), 0
    axis = normalize_axis_index(axis, ndim_of(x))
    return (x,), {"axis": (axis,), "dtype": None if dtype is None else np.dtype(dtype).name}


def _cumsum_transpose(ct: Any, x: Any, axis: tuple[int], dtype: str | None) -> Any:
    return flip(cumsum(flip(ct, axis), axis[0]), axis)


cumsum = Linear(
    "cumsum",
    _running_infer,
    reduction_code("cumsum"),
    transposes=[_cumsum_transpose],
    unknown_lengths=True,
    prepare=_running_prepare,
    doc="The running sums along an axis, or of all elements in C order if ``axis`` is None.",
)

covers(np.cumsum, "a axis dtype out", method=True)(cumsum)


def _doublings(x: Any) -> list[tuple[int, Any]]:
    """The running products along the last axis by doubling: O(log n) operators.

    Each step is (distance, operand), and multiplies every element of its operand by the one that
    far before it. There is no division, so zeros do no harm.
    """
    steps = []
    distance = 1
    while distance < shape_of(x)[-1]:
        steps.append((distance, x))
        head, tail, shifted = _cut(x, distance)
        x = concatenate([head, multiply(tail, shifted)], -1)
        distance *= 2
    return steps


def _cut(x: Any, distance: int) -> tuple[Any, Any, Any]:
    """The first elements, the others, and for each of those the one ``distance`` before it."""
    head, tail = split(x, [distance], -1)
    shifted, _ = split(x, [shape_of(x)[-1] - distance], -1)
    return head, tail, shifted


def _cumprod_vjp(cts: Sequence, args: Sequence, outs: Sequence, axis: tuple[int], **_: Any):
    ct = moveaxis(cts[0], axis, -1)
    for distance, x in reversed(_doublings(moveaxis(args[0], axis, -1))):
        _, tail, shifted = _cut(x, distance)
        ct_head, ct_tail, _ = _cut(ct, distance)
        direct = concatenate([ct_head, multiply(ct_tail, shifted)], -1)
        end = zeros_like(ct_head)
        ct = add(direct, concatenate([multiply(ct_tail, tail), end], -1))
    return (moveaxis(ct, -1, axis),)


def _cumprod_jvp(tangents: Sequence, args: Sequence, outs: Sequence, axis: tuple[int], dtype: Any):
    tangent = moveaxis(tangents[0], axis, -1)
    for distance, x in _doublings(moveaxis(args[0], axis, -1)):
        _, tail, shifted = _cut(x, distance)
        t_head, t_tail, t_shifted = _cut(tangent, distance)
        t_product = add(multiply(t_tail, shifted), multiply(tail, t_shifted))
        tangent = concatenate([t_head, t_product], -1)
    return (astype(moveaxis(tangent, -1, axis), dtype_of(outs[0])),)


cumprod = Custom(
    "cumprod",
    _running_infer,
    reduction_code("cumprod"),
    vjp=_cumprod_vjp,
    jvp=_cumprod_jvp,
    unknown_lengths=True,
    prepare=_running_prepare,
    doc="The running products along an axis, or of all elements in C order if ``axis`` is None.",
)

covers(np.cumprod, "a axis dtype out", method=True)(cumprod)
