"""How SciPy's sparse matrices are made, and changed into other formats, while a function is
recorded; see `autograph.staging.arrays.sparse`."""

from __future__ import annotations

import operator
import sys
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

import ops
from autograph.staging.arrays.array import GraphArray
from autograph.staging.ground.errors import located
from autograph.staging.ground.recorder import recorder
from autograph.staging.ground.sparse_kinds import (
    format_of,
    is_matrix,
    is_of_scipy,
    is_sparse,
    new,
    parts_of,
    shape_of,
)
from ops.arrays.indexing import added
from ops.core.lengths import lengths_of
from ops.core.operands import dims_of
from ops.core.records import NamedTuple
from ops.linalg import sparse


class StoredElements(NamedTuple):
    """The stored elements of a matrix."""

    values: Any
    rows: Any
    columns: Any


def elements(matrix: Any) -> StoredElements:
    """The elements of a matrix in any of the three formats.

    Raises:
        NotImplementedError: the matrix has lanes.
    """
    values, first, second = parts_of(matrix).values()
    if np.ndim(values) != 1:
        raise NotImplementedError(
            "a sparse matrix that differs between lanes; use its data as what has lanes"
        )
    match format_of(type(matrix)):
        case "csr":
            return StoredElements(values, sparse.rows_of(second, values), first)
        case "csc":
            return StoredElements(values, first, sparse.rows_of(second, values))
    return StoredElements(values, first, second)


def made(kind: type, shape: tuple[int, int], parts: Sequence[Any]) -> Any:
    """A new matrix, whose class may be met here for the first time."""
    matrix = new(kind, shape, parts)
    recorder().outside.classes.add(matrix)
    return matrix


def with_values(matrix: Any, values: Any, copy: bool = True) -> Any:
    """A matrix with zeros at the same places."""
    _, *places = parts_of(matrix).values()
    places = [ops.copy(place) for place in places] if copy else places
    return made(type(matrix), shape_of(matrix), [values, *places])


def is_symbolic(x: Any) -> bool:
    """Whether something symbolic is in an argument of a method."""
    if isinstance(x, (list, tuple)):
        return any(map(is_symbolic, x))
    if is_sparse(x):
        return any(isinstance(part, GraphArray) for part in parts_of(x).values())
    return isinstance(x, GraphArray)


def operand(x: Any) -> Any:
    """An operand, as an array or a number.

    Raises:
        NotImplementedError: it is sparse itself.
    """
    if is_of_scipy(type(x)):
        raise NotImplementedError(
            "operations on two sparse matrices, where zeros of the result are known only at run "
            "time; use A @ (B @ x) for (A @ B) @ x and A @ x + B @ x for (A + B) @ x, or make the "
            "matrix outside of the function"
        )
    return ops.array(x) if isinstance(x, (list, tuple)) else x


def kind_of(kind: type, wanted: str) -> type:
    """The class of matrices in another format, of the same family."""
    module: Any = sys.modules["scipy.sparse"]
    return getattr(module, wanted + kind.__name__[3:])


def _index_dtype(kind: type, places: Sequence[Any], largest: int, given: bool = False) -> Any:
    """The dtype of rows and columns below ``largest``. Numbers of 64 bits stay such, but in a
    matrix of the older family that they are given for."""
    narrow = given and is_matrix(kind)
    fit = narrow or all(np.can_cast(place.dtype, np.int32) for place in places)
    return np.int32 if fit and largest <= np.iinfo(np.int32).max else np.int64


def copied(self: Any) -> Any:
    return with_values(self, ops.copy(parts_of(self)["data"]))


def astype(self: Any, dtype: Any, casting: str = "unsafe", copy: bool = True) -> Any:
    values = parts_of(self)["data"]
    if values.dtype == np.dtype(dtype):
        return copied(self) if copy else self
    return with_values(self, values.astype(dtype, casting=casting))


def tocoo(self: Any, copy: bool = True) -> Any:
    kind = kind_of(type(self), "coo")
    if kind is type(self) and not copy:
        return self
    return made(kind, shape_of(self), [ops.copy(part) for part in elements(self)])


def numbered(rows: Any, columns: Any, shape: tuple[int, int]) -> Any:
    """A number for each place, in the order of rows and columns.

    Raises:
        NotImplementedError: the numbers do not fit into 64 bits.
    """
    if shape[0] * shape[1] > np.iinfo(np.int64).max:
        raise NotImplementedError(
            "sorting the elements of a sparse matrix of this shape; use blocks of it"
        )
    return rows.astype(np.int64) * shape[1] + columns


def compressed(wanted: str) -> Callable[..., Any]:
    def convert(self: Any, copy: bool = False) -> Any:
        """In ``wanted``, "csr" or "csc", with the elements of COO that are at one place summed."""
        kind = kind_of(type(self), wanted)
        if kind is type(self):
            return copied(self) if copy else self
        values, rows, columns = elements(self)
        shape = shape_of(self)
        major, minor = (rows, columns) if wanted == "csr" else (columns, rows)
        shape = shape if wanted == "csr" else shape[::-1]
        count, length = shape
        dtype = _index_dtype(kind, (major, minor), max(dims_of(values)[0] or 0, *shape))
        if format_of(type(self)) == "coo":
            places, inverse = np.unique(numbered(major, minor, shape), return_inverse=True)
            values = added(ops.zeros(lengths_of(places), values.dtype), inverse, values)
            major, minor = places // length, places % length
        else:
            order = np.argsort(major, kind="stable")
            values, major, minor = values[order], major[order], minor[order]
        starts = sparse.starts_of(major.astype(dtype), count)
        return made(kind, shape_of(self), [values, minor.astype(dtype), starts])

    return convert


def asformat(self: Any, format: Any, copy: bool = False) -> Any:
    if format is None:
        return copied(self) if copy else self
    converted = {"coo": tocoo, "csr": compressed("csr"), "csc": compressed("csc")}.get(format)
    if converted is None:
        raise NotImplementedError(f"sparse matrices in the format {format!r}; use CSR, CSC or COO")
    return converted(self, copy=copy)


def constructor(function: type) -> Callable[..., Any]:
    """What stands for a class of sparse matrices that is called."""

    def construct(*args: Any, **kwargs: Any) -> Any:
        if not is_symbolic((args, tuple(kwargs.values()))):
            return function(*args, **kwargs)
        with located():
            return _constructed(function, *args, **kwargs)

    return construct


def _constructed(
    kind: type, arg1: Any, shape: Any = None, dtype: Any = None, copy: bool = False, **_: Any
) -> Any:
    if is_sparse(arg1):
        made_of = asformat(arg1, str(format_of(kind)), copy=copy)
        made_of = made(kind, shape_of(made_of), list(parts_of(made_of).values()))
    else:
        made_of = made(kind, *_given(kind, arg1, shape, copy))
    return made_of if dtype is None else astype(made_of, dtype, copy=False)


def _given(kind: type, arg1: Any, shape: Any, copy: bool) -> tuple[tuple[int, int], Sequence[Any]]:
    """The shape and the parts of a new matrix of the arrays that are given for it."""
    of_places = isinstance(arg1, tuple) and len(arg1) == 2 and isinstance(arg1[1], (tuple, list))
    compressed = isinstance(arg1, tuple) and len(arg1) == 3 and format_of(kind) != "coo"
    name = kind.__name__
    if not of_places and not compressed:
        raise NotImplementedError(
            f"{name} of a dense array, whose zeros are known only at run time; use "
            f"{name}((data, (rows, columns)), shape=...)"
        )
    if shape is None:
        raise NotImplementedError(
            f"{name} without a shape, which the indices would tell; use {name}(..., shape=...)"
        )
    if len(shape) != 2:
        raise NotImplementedError("sparse arrays that have not two axes; use two axes")
    lengths = operator.index(shape[0]), operator.index(shape[1])
    parts = [*map(operand, (arg1[0], *arg1[1]) if of_places else arg1)]
    values, *places = (ops.copy(part) for part in parts) if copy else parts
    dtype = _index_dtype(kind, places, max(lengths), given=True)
    parts = [values, *(place.astype(dtype, copy=False) for place in places)]
    if of_places and format_of(kind) != "coo":
        triplets = made(kind_of(kind, "coo"), lengths, parts)
        parts = list(parts_of(asformat(triplets, str(format_of(kind)))).values())
    return lengths, parts
