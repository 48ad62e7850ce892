"""SciPy's sparse matrices while a function is recorded.

A matrix in CSR, CSC or COO is to the recording what an object of the user's is: it is made of
attributes, three arrays, which are traced. SciPy's methods work on the numbers in C; in their
places are those here, which record operations on the three arrays (`ops.linalg.sparse`). What has
no counterpart is refused where an array of the matrix, or an operand, is symbolic.
"""

from __future__ import annotations

import functools
import operator
import types
from collections.abc import Callable
from typing import Any

import numpy as np

import ops
from autograph.staging.arrays.array import GraphArray
from autograph.staging.arrays.sparse_formats import (
    asformat,
    astype,
    compressed,
    copied,
    elements,
    is_symbolic,
    kind_of,
    made,
    numbered,
    operand,
    tocoo,
    with_values,
)
from autograph.staging.ground.errors import located
from autograph.staging.ground.sparse_kinds import (
    format_of,
    is_matrix,
    is_sparse,
    parts_of,
    shape_of,
)
from ops.control import effects
from ops.core.lengths import length
from ops.core.operands import dims_of
from ops.core.types import type_of
from ops.linalg import sparse

_FIXED_AT_ZERO = (
    *(np.sin, np.sinh, np.arcsin, np.arcsinh, np.tan, np.tanh, np.arctan, np.arctanh, np.sqrt),
    *(np.expm1, np.log1p, np.deg2rad, np.rad2deg, np.sign, np.floor, np.ceil, np.trunc, np.rint),
)
_OF_PYTHON = (
    *(f"__{prefix}{name}__" for name in ("add", "sub", "mul", "truediv") for prefix in ("r", "i")),
    *("__add__", "__sub__", "__mul__", "__truediv__", "__matmul__", "__rmatmul__", "__pow__"),
    *("__neg__", "__abs__", "__round__", "__getitem__", "__setitem__", "__iter__", "__str__"),
    *("__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__"),
)
# These ask for nothing but the shape and the format.
_AS_THEY_ARE = ("get_shape", "getformat", "getmaxprint")


def _is_scalar(x: Any) -> bool:
    return (
        type_of(x) is not None and not np.ndim(x) if not isinstance(x, GraphArray) else not x.ndim
    )


def _refuse_matrix(matrix: Any, what: str) -> None:
    if is_matrix(type(matrix)):
        raise NotImplementedError(
            f"{what} of a {type(matrix).__name__}, which is an np.matrix; use "
            f"{type(matrix).__name__[:3]}_array(A) for A"
        )


# -- methods, with SciPy's arguments ---------------------------------------------------------------


def _matmul(self: Any, other: Any) -> Any:
    other = operand(other)
    if _is_scalar(other):
        raise ValueError("Scalar operands are not allowed, use '*' instead")
    return _product(self, other)


def _product(self: Any, other: Any) -> Any:
    count, length = shape_of(self)
    lengths = np.shape(other)
    if len(lengths) not in (1, 2):
        raise ValueError("could not interpret dimensions")
    if lengths[0] != length:
        of_other, of_result = ("1?", "1?") if len(lengths) == 1 else ("m", "m")
        raise ValueError(
            f"matmul: dimension mismatch with signature (n,k={length}),"
            f"(k={lengths[0]},{of_other})->(n,{of_result})"
        )
    values, rows, columns = elements(self)
    return sparse.sparse_product(values, rows, columns, count, other)


def _rmatmul(self: Any, other: Any) -> Any:
    other = operand(other)
    if _is_scalar(other):
        raise ValueError("Scalar operands are not allowed, use '*' instead")
    return _product(_transpose(self), other.T).T


def _dot(self: Any, other: Any) -> Any:
    return _scaled(self, other) if _is_scalar(other) else _matmul(self, other)


def _mul(self: Any, other: Any) -> Any:
    if is_matrix(type(self)) and not _is_scalar(other):
        return _product(self, operand(other))
    return _multiply(self, other)


def _rmul(self: Any, other: Any) -> Any:
    if is_matrix(type(self)) and not _is_scalar(other):
        return _rmatmul(self, other)
    return _multiply(self, other)


def _scaled(self: Any, other: Any) -> Any:
    values = parts_of(self)["data"]
    return asformat(with_values(self, values * other), _format_of_multiples(type(self)))


def _format_of_multiples(kind: Any) -> str | None:
    """The format of a matrix times a number: older versions of SciPy give CSR for COO."""
    return format_of(type(kind(np.ones((1, 1))) * 2.0)) if format_of(kind) == "coo" else None


def _multiply(self: Any, other: Any) -> Any:
    other = operand(other)
    if _is_scalar(other):
        return _scaled(self, other)
    shape = shape_of(self)
    if np.broadcast_shapes(shape, np.shape(other)) != shape:
        raise ValueError("inconsistent shapes")
    values, rows, columns = elements(self)
    there = ops.broadcast_to(other, shape)[rows, columns]
    kind = kind_of(type(self), "coo")
    return made(kind, shape, [values * there, ops.copy(rows), ops.copy(columns)])


def _truediv(self: Any, other: Any) -> Any:
    other = operand(other)
    if not _is_scalar(other):
        return _multiply(self, 1 / other)
    values = parts_of(self)["data"]
    if np.can_cast(values.dtype, np.float64):
        values = values.astype(np.float64)
    return with_values(self, values * (1 / other))


def _rtruediv(self: Any, other: Any) -> Any:
    return NotImplemented


def _imul(self: Any, other: Any) -> Any:
    if not _is_scalar(other):
        return NotImplemented
    self.data *= other
    return self


def _itruediv(self: Any, other: Any) -> Any:
    if not _is_scalar(other):
        return NotImplemented
    self.data *= 1.0 / other
    return self


def _inplace(self: Any, other: Any) -> Any:
    return NotImplemented


def _sum_with(self: Any, other: Any, of_dense: Callable[[Any, Any], Any]) -> Any:
    if not isinstance(other, GraphArray) and _is_scalar(other) and other == 0:
        return copied(self)
    other = operand(other)
    if _is_scalar(other):
        raise NotImplementedError("adding a nonzero scalar to a sparse array is not supported")
    _refuse_matrix(self, "the sum with a dense matrix")
    return of_dense(_toarray(self), ops.broadcast_to(other, shape_of(self)))


def _add(self: Any, other: Any) -> Any:
    return _sum_with(self, other, operator.add)


def _sub(self: Any, other: Any) -> Any:
    return _sum_with(self, other, operator.sub)


def _rsub(self: Any, other: Any) -> Any:
    if not isinstance(other, GraphArray) and _is_scalar(other) and other == 0:
        return _neg(self)
    return _sum_with(self, other, lambda own, other: other - own)


def _neg(self: Any) -> Any:
    return with_values(self, -parts_of(self)["data"])


def _power(self: Any, n: Any, dtype: Any = None) -> Any:
    if not _is_scalar(n):
        raise NotImplementedError("input is not scalar")
    values = _distinct(self)
    return with_values(self, (values if dtype is None else values.astype(dtype)) ** n)


def _pow(self: Any, n: Any) -> Any:
    if is_matrix(type(self)):
        raise NotImplementedError("powers of a sparse matrix; use a loop of products A @ x")
    return _power(self, n)


def _distinct(self: Any) -> Any:
    """The values of a matrix in which no place occurs twice, or of which the run checks that."""
    values, rows, columns = elements(self)
    places = ops.sort(numbered(rows, columns, shape_of(self)))
    message = "an element that is stored in parts; use A.sum_duplicates() before"
    effects.check(ops.all(places[1:] != places[:-1]), error="NotImplementedError", message=message)
    return values


def _of_values(function: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """A function of each element by itself, and 0 at 0."""
    return lambda self: with_values(self, function(_distinct(self)))


def _part(function: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """A linear function of the elements."""
    return lambda self: with_values(self, function(parts_of(self)["data"]))


def _conjugate(self: Any, copy: bool = True) -> Any:
    values = parts_of(self)["data"]
    if values.dtype.kind == "c":
        return with_values(self, np.conjugate(values), copy)
    return copied(self) if copy else self


def _transpose(self: Any, axes: Any = None, copy: bool = False) -> Any:
    if axes is not None and tuple(axes) not in ((1, 0), (-1, 0), (1, -2), (-1, -2)):
        raise NotImplementedError("the axes of a sparse matrix in this order; use A.T")
    values, first, second = parts_of(self).values()
    kind, shape = type(self), shape_of(self)[::-1]
    own = format_of(kind)
    if own == "coo":
        first, second = second, first
    turned = kind_of(kind, {"csr": "csc", "csc": "csr", "coo": "coo"}[str(own)])
    arrays = (values, first, second)
    return made(turned, shape, [ops.copy(x) for x in arrays] if copy else arrays)


def _toarray(self: Any, order: Any = None, out: Any = None) -> Any:
    if out is not None:
        raise NotImplementedError("A.toarray(out=...); use the array that it gives")
    values, rows, columns = elements(self)
    by_columns = order == "F" or (order is None and format_of(type(self)) == "csc")
    if by_columns:
        return sparse.dense(values, columns, rows, shape_of(self)[::-1]).T
    return sparse.dense(values, rows, columns, shape_of(self))


def _todense(self: Any, order: Any = None, out: Any = None) -> Any:
    _refuse_matrix(self, "A.todense()")
    return _toarray(self, order, out)


def _summed(self: Any, axis: Any = None, dtype: Any = None, out: Any = None) -> Any:
    if out is not None:
        raise NotImplementedError("A.sum(out=...); use the array that it gives")
    values = parts_of(self)["data"]
    if axis is None or axis == (0, 1):
        return np.sum(values, dtype=dtype)
    _refuse_matrix(self, "A.sum(axis=...)")
    (axis,) = axis if isinstance(axis, tuple) else (axis,)
    axis = operator.index(axis) + 2 * (axis < 0)
    if axis not in (0, 1):
        raise ValueError("axis out of range")
    of_small = {"b": np.int_, "i": np.int_, "u": np.uint}.get(values.dtype.kind, values.dtype)
    _, *places = elements(self)
    sums = sparse.summed(values.astype(of_small), places[1 - axis], shape_of(self)[1 - axis])
    return sums if dtype is None else sums.astype(dtype)


def _trace(self: Any, offset: int = 0) -> Any:
    return np.sum(_diagonal(self, offset))


def _diagonal(self: Any, k: int = 0) -> Any:
    count, length = shape_of(self)
    k = operator.index(k)
    values, rows, columns = elements(self)
    if k <= -count or k >= length:
        return ops.zeros(0, values.dtype)
    size = min(count + min(k, 0), length - max(k, 0))
    on_it = columns - rows == k
    places = ops.where(on_it, (columns if k < 0 else rows), 0)
    return sparse.summed(ops.where(on_it, values, values.dtype.type(0)), places, size)


def _getitem(self: Any, key: Any) -> Any:
    is_place = isinstance(key, tuple) and len(key) == 2 and all(map(_is_integer, key))
    if not is_place:
        raise NotImplementedError(
            "a part of a sparse matrix, whose number of elements is known only at run time; use "
            "A.toarray() if it is small, or take the part outside of the function"
        )
    row, column = map(_from_start, key, shape_of(self))
    values, rows, columns = elements(self)
    return np.sum(ops.where((rows == row) & (columns == column), values, values.dtype.type(0)))


def _is_integer(x: Any) -> bool:
    found = x.type if isinstance(x, GraphArray) else type_of(x)
    return found is not None and found.dtype.kind in "iu" and not found.shape


def _from_start(i: Any, length: int) -> Any:
    message = f"index out of range for an axis of length {length}"
    effects.check((i >= -length) & (i < length), error="IndexError", message=message)
    return ops.where(i < 0, i + length, i)


def _getnnz(self: Any, axis: Any = None) -> Any:
    values = parts_of(self)["data"]
    if axis is None:
        return values.shape[0] if dims_of(values)[0] is not None else length(values)
    _, *places = elements(self)
    axis = operator.index(axis) + 2 * (axis < 0)
    return sparse.summed(ops.ones_like(places[0]), places[1 - axis], shape_of(self)[1 - axis])


_METHODS: dict[str, Callable[..., Any]] = {
    "__matmul__": _matmul,
    "__rmatmul__": _rmatmul,
    "dot": _dot,
    "__mul__": _mul,
    "__rmul__": _rmul,
    "multiply": _multiply,
    "__truediv__": _truediv,
    "__rtruediv__": _rtruediv,
    "__imul__": _imul,
    "__itruediv__": _itruediv,
    "__add__": _add,
    "__radd__": _add,
    "__sub__": _sub,
    "__rsub__": _rsub,
    "__iadd__": _inplace,
    "__isub__": _inplace,
    "__neg__": _neg,
    "__abs__": _of_values(abs),
    "__pow__": _pow,
    "power": _power,
    "conj": _conjugate,
    "conjugate": _conjugate,
    "_real": _part(np.real),
    "_imag": _part(np.imag),
    "copy": copied,
    "astype": astype,
    "transpose": _transpose,
    "toarray": _toarray,
    "todense": _todense,
    "sum": _summed,
    "trace": _trace,
    "diagonal": _diagonal,
    "__getitem__": _getitem,
    "getnnz": _getnnz,
    "_getnnz": _getnnz,
    "tocoo": tocoo,
    "tocsr": compressed("csr"),
    "tocsc": compressed("csc"),
    "asformat": asformat,
    **{function.__name__: _of_values(function) for function in _FIXED_AT_ZERO},
}


def _refused(name: str) -> Callable[..., Any]:
    def refuse(self: Any, *args: Any, **kwargs: Any) -> Any:
        raise NotImplementedError(
            f"{name} of a sparse matrix in a compiled function; use its data, indices and other "
            "arrays, or call it outside of the function"
        )

    return refuse


def _methods(kind: type) -> dict[str, Callable[..., Any]]:
    found: dict[str, Callable[..., Any]] = {}
    for name in dir(kind):
        known = name in _METHODS or name in _OF_PYTHON or not name.startswith("_")
        method = getattr(kind, name) if known and name not in _AS_THEY_ARE else None
        if isinstance(method, types.FunctionType):
            found[name] = _of_symbolic(_METHODS.get(name) or _refused(name), method)
    return found


_kept: Any = functools.lru_cache(maxsize=16)
methods: Callable[[type], dict[str, Callable[..., Any]]] = _kept(_methods)
"""What stands, while a function is recorded, for the methods of a class of sparse matrices."""


def _of_symbolic(ours: Callable[..., Any], theirs: Callable[..., Any]) -> Callable[..., Any]:
    """A method: ours where something symbolic is in it, and SciPy's otherwise."""

    def method(self: Any, *args: Any, **kwargs: Any) -> Any:
        if not (is_sparse(self) and is_symbolic((self, *args, *kwargs.values()))):
            return theirs(self, *args, **kwargs)
        with located():
            return ours(self, *args, **kwargs)

    return method
