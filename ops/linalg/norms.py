"""Norms of vectors and matrices, and condition numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.lib.array_utils import normalize_axis_index

from ops.arrays.indexing import subscript
from ops.arrays.reduction import any, max, min, unwrapped
from ops.core import kernels
from ops.core.batching import along_axes
from ops.core.numpy_table import covers
from ops.core.operands import Symbolic, dims_of, dtype_of, literal, ndim_of, operand_type
from ops.core.registry import Custom
from ops.core.texts import array_text
from ops.core.types import ArrayType
from ops.elementwise import (
    absolute,
    divide,
    equal,
    isnan,
    logical_and,
    logical_not,
    multiply,
    not_equal,
    power,
    sqrt,
)
from ops.elementwise.conversion import astype, cast, where
from ops.linalg.common import check_square, conj, lapack_dtype, real_dtype, real_part, zero
from ops.linalg.singular import svdvals
from ops.linalg.systems import inverse_or_nan
from ops.structure.broadcasting import sum
from ops.structure.permuting import moveaxis
from ops.structure.reducing import Axes, all_axes, keep, kept_moves, normalise, reduced_shape
from ops.structure.reshaping import expand_dims

__all__ = [
    "cond",
    "euclidean_norm",
    "matrix_norm",
    "norm",
    "vector_norm",
]

# -- the root of the sum of squares ----------------------------------------------------------------


def _euclidean_infer(x: ArrayType, axis: Axes, keepdims: bool) -> tuple[ArrayType]:
    dtype = real_dtype(x.dtype) if x.dtype.kind in "fc" else np.dtype(np.float64)
    return (ArrayType(dtype, reduced_shape(x.shape, axis, keepdims)),)


def _euclidean_code(args: Sequence[str], types: Sequence[ArrayType], attrs: dict[str, Any]) -> str:
    text, axis = array_text(args[0], types[0]), attrs["axis"]
    keepdims = ", keepdims=True" if attrs["keepdims"] else ""
    if axis is None or axis == tuple(range(types[0].ndim)):
        return f"np.linalg.norm({text}{keepdims})"
    if len(axis) in (1, 2):
        return f"np.linalg.norm({text}, axis={axis if len(axis) == 2 else axis[0]}{keepdims})"
    squares = f"np.square(np.abs({text}))"
    return f"np.sqrt(np.sum({squares}, axis={axis}, keepdims={attrs['keepdims']}))"


def _euclidean_expansion(x: Any, axis: Axes, keepdims: bool) -> Any:
    x = x if dtype_of(x).kind == "f" else cast(x, np.float64)
    return sqrt(sum(multiply(x, x), axis, keepdims=keepdims))


def _direction(x: Any, out: Any, axis: Axes) -> Any:
    """The conjugate of ``x`` divided by its norm, and 0 where that is 0."""
    size = keep(out, x, axis)
    none = equal(size, 0)
    inverse = divide(1.0, where(none, dtype_of(size).type(1), size))
    return multiply(conj(x), where(none, zero(size), inverse))


def _euclidean_vjp(
    cts: Sequence, args: Sequence, outs: Sequence, axis: Axes, keepdims: bool
) -> tuple:
    (x,) = args
    return (multiply(keep(cts[0], x, axis), _direction(x, outs[0], axis)),)


def _euclidean_jvp(
    tangents: Sequence, args: Sequence, outs: Sequence, axis: Axes, keepdims: bool
) -> tuple:
    change = multiply(tangents[0], _direction(args[0], outs[0], axis))
    return (sum(real_part(change), axis, keepdims=keepdims),)


euclidean_norm = Custom(
    "euclidean_norm",
    _euclidean_infer,
    _euclidean_code,
    vjp=_euclidean_vjp,
    jvp=_euclidean_jvp,
    linear=(),
    zeros="moved",
    moves=kept_moves,
    unknown_lengths=True,
    prepare=lambda x, axis=None, keepdims=False: (
        (x,),
        {"axis": normalise(x, axis), "keepdims": bool(keepdims)},
    ),
    batch=along_axes("axis"),
    native=kernels.Expansion(_euclidean_expansion),
    doc="""The square root of the sum of the squared absolute values along ``axis``.

    It has no derivative where all are 0, and the one that is given there is 0.
    """,
    slow=True,
)

# -- norms -----------------------------------------------------------------------------------------


def _as_inexact(x: Any) -> Any:
    return x if dtype_of(x).kind in "fc" else cast(x, np.float64)


def _axes(x: Any, axis: Any) -> tuple[int, ...]:
    """The axes that NumPy's argument stands for.

    Raises:
        TypeError: it is neither None nor an integer nor a tuple of integers.
        ValueError: they are two that are the same.
    """
    ndim = ndim_of(x)
    if axis is None:
        return tuple(range(ndim))
    if not isinstance(axis, tuple):
        try:
            axis = (int(axis),)
        except Exception as error:
            raise TypeError("'axis' must be None, an integer or a tuple of integers") from error
    axes = tuple(normalize_axis_index(i, ndim) for i in axis)
    if len(set(axes)) < len(axes):
        raise ValueError("Duplicate axes given.")
    return axes


@covers(np.linalg.norm, "x ord axis keepdims")
def norm(x: Any, ord: Any = None, axis: Any = None, keepdims: bool = False) -> Any:
    """A norm of vectors or matrices, as ``np.linalg.norm``.

    At an array of zeros, where the norms have no derivative, it is 0; so it is for zeros among the
    elements of vectors in norms of order 1, and extrema share it evenly.

    Args:
        x: an array.
        ord: for vectors a number, by default 2; for matrices 1, -1, inf, -inf, 2, -2, ``nuc``, or
            ``fro``, the default.
        axis: the axis of the vectors, or the two axes of the matrices; None for all.
        keepdims: keep these axes with length 1.

    Raises:
        ValueError: there is no norm of this order.
        NotImplementedError: the order is a float known only at run time.
        TypeError: the dtype is one of those that LAPACK has no singular values for.
    """
    _check_order(ord)
    x = _as_inexact(x)
    ndim = ndim_of(x)
    if axis is None and (
        ord is None or (ord in ("f", "fro") and ndim == 2) or (_is(ord, 2) and ndim == 1)
    ):
        return euclidean_norm(x, None, keepdims)
    axes = _axes(x, axis)
    if len(axes) == 1:
        return _vector_norm(x, ord, axes, keepdims)
    if len(axes) != 2:
        raise ValueError("Improper number of dimensions to norm.")
    return _matrix_norm(x, ord, axes, keepdims)


def _check_order(ord: Any) -> None:
    if isinstance(ord, Symbolic) and literal(ord) is None and dtype_of(ord).kind == "f":
        raise NotImplementedError(
            "a norm of an order known only at run time; use a number that is written in the "
            "function, or captured by it"
        )


def _is(ord: Any, number: float) -> bool:
    return not isinstance(ord, str) and ord == number


def _vector_norm(x: Any, ord: Any, axis: tuple[int, ...], keepdims: bool) -> Any:
    if isinstance(ord, str):
        raise ValueError(f"Invalid norm order '{ord}' for vectors")
    if ord is None or ord == 2:
        return euclidean_norm(x, axis, keepdims)
    size = absolute(x)
    if ord == np.inf:
        return _largest(size, axis, keepdims)
    if ord == -np.inf:
        return min(size, axis, keepdims)
    if ord == 0:
        return sum(astype(not_equal(x, 0), dtype_of(size)), axis, keepdims=keepdims)
    if ord == 1:
        return sum(size, axis, keepdims=keepdims)
    total = sum(power(size, ord), axis, keepdims=keepdims)
    none = equal(total, 0)  # where the root has no derivative
    root = power(where(none, dtype_of(total).type(1), total), 1 / ord)
    return unwrapped(where(none, zero(total) if ord > 0 else power(total, 1 / ord), root))


def _largest(x: Any, axis: Any, keepdims: bool) -> Any:
    """The maximum, which for no elements is 0."""
    if 0 in (operand_type(x).shape[i] for i in all_axes(normalise(x, axis), ndim_of(x))):
        return sum(x, axis, keepdims=keepdims)
    return max(x, axis, keepdims)


def _matrix_norm(x: Any, ord: Any, axes: tuple[int, int], keepdims: bool) -> Any:
    if ord in (None, "fro", "f"):
        return euclidean_norm(x, axes, keepdims)
    if ord in (2, -2, "nuc"):
        s = svdvals(moveaxis(x, axes, (-2, -1)))
        if ord == "nuc":
            result = sum(s, -1)
        else:
            result = _largest(s, -1, False) if ord == 2 else min(s, -1)
        return expand_dims(result, axes) if keepdims else result
    if ord not in (1, -1, np.inf, -np.inf):
        raise ValueError("Invalid norm order for matrices.")
    summed, compared = axes if abs(ord) == 1 else axes[::-1]
    totals = sum(absolute(x), summed)
    left = compared - (compared > summed)
    result = _largest(totals, left, False) if ord > 0 else min(totals, left)
    return expand_dims(result, axes) if keepdims else result


@covers(np.linalg.matrix_norm, "x keepdims ord")
def matrix_norm(x: Any, /, *, keepdims: bool = False, ord: Any = "fro") -> Any:
    """The norm of matrices, over the last two axes; see `norm`."""
    return norm(x, ord, (-2, -1), keepdims)


@covers(np.linalg.vector_norm, "x axis keepdims ord")
def vector_norm(x: Any, /, *, axis: Any = None, keepdims: bool = False, ord: Any = 2) -> Any:
    """The norm of vectors, along one axis, several taken together, or all; see `norm`."""
    _check_order(ord)
    if axis is None or isinstance(axis, tuple):
        axes = normalise(x, axis)
        if isinstance(ord, str):
            raise ValueError(f"Invalid norm order '{ord}' for vectors")
        return _vector_norm(_as_inexact(x), ord, all_axes(axes, ndim_of(x)), keepdims)
    return norm(x, ord, axis, keepdims)


# -- condition numbers -----------------------------------------------------------------------------


@covers(np.linalg.cond, "x p")
def cond(x: Any, p: Any = None) -> Any:
    """The condition number of matrices: their norm times that of their inverse.

    Args:
        x: ``(..., m, n)``, square unless ``p`` is None, 2 or -2.
        p: the order of the norm, as for `norm`; by default 2.

    Returns:
        Infinity for singular matrices.

    Raises:
        LinAlgError: there are no elements, or the matrices are not square.
    """
    if 0 in dims_of(x)[-2:]:
        raise np.linalg.LinAlgError("cond is not defined on empty arrays")
    _check_order(p)
    if p is None or p in (2, -2):
        s = svdvals(x)
        first, last = subscript(s, (..., 0)), subscript(s, (..., -1))
        result = divide(last, first) if p == -2 else divide(first, last)
    else:
        check_square(operand_type(x))
        lapack_dtype(operand_type(x))
        result = multiply(matrix_norm(x, ord=p), matrix_norm(inverse_or_nan(x), ord=p))
    regular = logical_not(any(isnan(x), (-2, -1)))
    inf = dtype_of(result).type(np.inf)
    return unwrapped(where(logical_and(isnan(result), regular), inf, result))
