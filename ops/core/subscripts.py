"""Subscripts, and the shapes of the parts of arrays that they select.

A subscript is a static *spec*, a tuple with one entry per item, plus the operands it refers to:

==============================  ====================================================================
``('slice', start, stop, step)``  a slice; each bound is an int, None, or the `Bound` at an operand
``('none',)``                     a new axis
``('ellipsis',)``                 as many whole axes as are left
``('int', k)``                    the element at k
``('arg', j)``                    the element or elements at operand j, an integer scalar or array
``('arg', j, 'distinct')``        the elements at operand j, known to be in range and to differ
``('arg', j, 'range')``           the same as without: operand j was 0, 1, 2 ... up to the length of
                                the axis, along one axis, when the subscript was encoded, which
                                kernels bet on and check
``('mask', j)``                   the elements where operand j, a boolean array, is true
``('bool', flag)``                a new axis of length 1, or 0 if ``flag`` is False
``('window', j, length, size)``   ``length`` elements of an axis of ``size``, from operand j on
==============================  ====================================================================

Shapes of results are NumPy's for every mixture; only the run knows the length of a slice with
operands as bounds, or of an axis that is itself of unknown length, and the number of elements that
a mask selects. Windows are checked at run time: a start that is negative or too large is an
IndexError, see `ops.arrays.indexing`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ops.core.operands import (
    Symbolic,
    broadcast_shapes,
    concrete,
    dims_of,
    dtype_of,
    index_of,
    ndim_of,
    operand_type,
)
from ops.core.records import NamedTuple, dataclass
from ops.core.symbolic_lengths import is_length, is_symbolic
from ops.core.types import ArrayType, type_of

__all__ = [
    "Window",
    "encode_index",
    "spec_text",
]

Spec = tuple[tuple, ...]

_CONSUMING = ("slice", "int", "arg", "window")  # one axis


class Bound(NamedTuple):
    """A bound of a slice that is the operand at ``position``."""

    position: int


@dataclass(frozen=True)
class Window:
    """``length`` elements from ``start`` on: in a subscript, a slice whose start is symbolic."""

    start: Any
    length: int


# -- from a subscript to a spec --------------------------------------------------------------------


def encode_index(index: Any, shape: tuple[int | None, ...]) -> tuple[tuple[Any, ...], Spec]:
    """A Python subscript as (operands, spec).

    Args:
        index: what stands between the brackets: integers, slices, None, Ellipsis, integer and
            boolean arrays, lists, `Window`, or a tuple of those.
        shape: that of the array.

    Raises:
        IndexError: an index is out of range, or nothing that can be an index.
        TypeError: a bound of a slice is not an integer.
    """
    items = [_simplified(item) for item in (index if isinstance(index, tuple) else (index,))]
    consumed = sum(_axes_consumed(item) for item in items)
    if consumed > len(shape):
        raise _too_many(len(shape), consumed)
    operands: list[Any] = []
    spec: list[tuple] = []
    axis = 0
    for item in items:
        sizes = shape[axis : axis + _axes_consumed(item)]
        for entry, operand in _encode(item, axis, sizes):
            if entry[0] == "slice":
                entry = ("slice", *(_bound(b, operands) for b in entry[1:]))
            elif operand is not None:
                entry = (entry[0], len(operands), *entry[1:])
                operands.append(operand)
            spec.append(entry)
        axis += len(shape) - consumed if item is Ellipsis else len(sizes)
    return tuple(operands), tuple(spec)


def _bound(bound: Any, operands: list[Any]) -> int | Bound | None:
    """A bound of a slice in a spec; a symbolic one is added to the operands."""
    if bound is None:
        return None
    if is_length(bound):
        return bound
    if not isinstance(bound, Symbolic):
        return index_of(bound)
    if operand_type(bound).dtype.kind not in "iu" or dims_of(bound):
        raise TypeError("slice indices must be integers or None")
    operands.append(bound)
    return Bound(len(operands) - 1)


def _simplified(item: Any) -> Any:
    """An item of a subscript, with integers as ints and sequences as arrays."""
    item = concrete(item)
    if item is None or item is Ellipsis or isinstance(item, (slice, Window, Symbolic)):
        return item
    if isinstance(item, (bool, np.bool_)):
        return bool(item)
    if isinstance(item, (int, np.integer)):
        return int(item)
    if isinstance(item, (list, tuple, range)):
        found = np.asarray(item)
        item = found if found.size else found.astype(np.intp)
    if type_of(item) is None or dtype_of(item).kind not in "biu":
        raise IndexError(
            "only integers, slices (`:`), ellipsis (`...`), numpy.newaxis (`None`) and integer or "
            f"boolean arrays are valid indices, not {item!r}"
        )
    if item.dtype.kind == "b" and item.ndim == 0:
        return _simplified(bool(item))
    return item


def _axes_consumed(item: Any) -> int:
    if item is None or item is Ellipsis or isinstance(item, bool):
        return 0
    mask = not isinstance(item, (int, slice, Window)) and dtype_of(item).kind == "b"
    return ndim_of(item) if mask else 1


def _encode(item: Any, axis: int, sizes: tuple[int | None, ...]) -> list[tuple[tuple, Any]]:
    """The entries that one item becomes, each with its operand or None."""
    if item is None:
        return [(("none",), None)]
    if item is Ellipsis:
        return [(("ellipsis",), None)]
    if isinstance(item, slice):
        return [(("slice", item.start, item.stop, item.step), None)]
    if isinstance(item, Window):
        length: int = item.length if is_length(item.length) else index_of(item.length)
        return [(("window", length, sizes[0]), item.start)]
    if isinstance(item, bool):
        return [(("bool", item), None)]
    if isinstance(item, int):
        _check_range(item, item, axis, sizes[0])
        return [(("int", item), None)]
    if dtype_of(item).kind == "b":
        return _encode_mask(item, axis, sizes)
    if not isinstance(item, Symbolic) and item.size:
        _check_range(int(item.min()), int(item.max()), axis, sizes[0])
        if _is_range(item, sizes[0]):
            return [(("arg", "range"), item)]
    return [(("arg",), item)]


def _is_range(item: np.ndarray, size: int | None) -> bool:
    """Whether an index array is 0, 1, 2 ... to below ``size``, more than 1, along one axis."""
    if size is None or not item.size == size == max(item.shape, default=0) > 1:
        return False
    return np.array_equal(item.reshape(-1), np.arange(size))


def _encode_mask(mask: Any, axis: int, sizes: tuple[int | None, ...]) -> list[tuple[tuple, Any]]:
    symbolic = isinstance(mask, Symbolic)
    for i, (n, size) in enumerate(zip(dims_of(mask), sizes)):
        if n != size and None not in (n, size):
            raise IndexError(
                f"boolean index did not match indexed array along axis {axis + i}; size of axis "
                f"is {size} but size of corresponding boolean axis is {n}"
            )
    if symbolic or None in sizes:
        return [(("mask",), mask)]
    return [(("arg",), positions) for positions in mask.nonzero()]


def _check_range(low: int, high: int, axis: int, size: int | None) -> None:
    for k in (low, high):
        if size is not None and not -size <= k < size:
            raise IndexError(f"index {k} is out of bounds for axis {axis} with size {size}")


def _too_many(ndim: int, count: int) -> IndexError:
    return IndexError(
        f"too many indices for array: array is {ndim}-dimensional, but {count} were indexed"
    )


# -- the shape of a part ---------------------------------------------------------------------------


def axes_of(entry: tuple, operands: Sequence[ArrayType]) -> int:
    """How many axes an entry of a spec stands for, other than an ellipsis."""
    return operands[entry[1]].ndim if entry[0] == "mask" else int(entry[0] in _CONSUMING)


def arranged(
    ndim: int, operands: Sequence[ArrayType], spec: Spec
) -> tuple[list[tuple[int, int]], int | None]:
    """The axes of the part of an array that a subscript selects.

    Integer arrays, and the positions that masks select, broadcast together. Their axes stand where
    the first of them stands if all of them, and the integers among them, are next to each other,
    else they come first.

    Returns:
        For each axis, but those of index arrays, the position in the spec of what it comes from
        (past the end for axes that are left over), and the axis of the array at that point; and
        before how many of them those of index arrays stand, None if there are no index arrays.

    Raises:
        IndexError: there are too many indices, or several ellipses.
    """
    consumed = sum(axes_of(entry, operands) for entry in spec)
    if consumed > ndim:
        raise _too_many(ndim, consumed)
    if sum(entry[0] == "ellipsis" for entry in spec) > 1:
        raise IndexError("an index can only have a single ellipsis ('...')")
    whole = ndim - consumed
    axes: list[tuple[int, int]] = []
    place, adjacent, after_index = None, True, False
    axis = 0
    for position, entry in enumerate(spec):
        is_index = entry[0] in ("int", "arg", "mask", "bool")
        if is_index and place is None:
            place = len(axes)
        elif is_index and not after_index:
            adjacent = False
        after_index = is_index
        if entry[0] == "ellipsis":
            axes += [(position, axis + i) for i in range(whole)]
            axis += whole
        elif not is_index:
            axes.append((position, axis))
        axis += axes_of(entry, operands)
    axes += [(len(spec), i) for i in range(axis, ndim)]
    if not has_index_array(operands, spec):
        return axes, None
    return axes, place if adjacent else 0


def indexed_shape(
    shape: tuple[int | None, ...], operands: Sequence[ArrayType], spec: Spec
) -> tuple[int | None, ...]:
    """The shape of the part of an array that a subscript selects.

    Raises:
        IndexError: an index is out of range, has the wrong dtype, or there are too many; index
            arrays do not broadcast.
    """
    axes, place = arranged(len(shape), operands, spec)
    _check_integers(shape, operands, spec)
    dims: list[int | None] = []
    for position, axis in axes:
        kind, *rest = spec[position] if position < len(spec) else ("ellipsis",)
        if kind == "none":
            dims.append(1)
        elif kind == "ellipsis":
            dims.append(shape[axis])
        elif kind == "slice":
            dims.append(_slice_length(rest, shape[axis]))
        else:
            dims.append(_window_length(operands, *rest))
    index_shapes = [s for entry in spec if (s := _index_shape(entry, operands)) is not None]
    if place is not None:
        try:
            block = broadcast_shapes(*index_shapes)
        except ValueError:
            listed = " ".join(map(str, index_shapes))
            raise IndexError(
                "shape mismatch: indexing arrays could not be broadcast together with shapes "
                f"{listed}"
            ) from None
        dims[place:place] = block
    return tuple(dims)


def _check_integers(shape: tuple, operands: Sequence[ArrayType], spec: Spec) -> None:
    """Raise IndexError for an integer that is known to be out of range."""
    axis, whole = 0, len(shape) - sum(axes_of(entry, operands) for entry in spec)
    for entry in spec:
        if entry[0] == "int":
            _check_range(entry[1], entry[1], axis, shape[axis])
        axis += whole if entry[0] == "ellipsis" else axes_of(entry, operands)


def _index_shape(entry: tuple, operands: Sequence[ArrayType]) -> tuple | None:
    """The shape of what an entry adds to the index arrays, or None."""
    kind, *rest = entry
    if kind == "arg":
        return _integers(operands[rest[0]]).shape
    if kind == "mask":
        return (None,)
    return (int(rest[0]),) if kind == "bool" else None


def has_index_array(operands: Sequence[ArrayType], spec: Spec) -> bool:
    """Whether the subscript contains an integer array that is not a scalar, or a boolean."""
    return any(
        entry[0] in ("bool", "mask") or (entry[0] == "arg" and operands[entry[1]].ndim)
        for entry in spec
    )


def may_repeat(operands: Sequence[ArrayType], spec: Spec) -> bool:
    """Whether the subscript may select an element more than once.

    It does not if one of the index arrays is known to be distinct and is not repeated to fit the
    others.
    """
    arrays = [e for e in spec if e[0] == "arg" and operands[e[1]].ndim]
    if not arrays:
        return False
    block = broadcast_shapes(*(operands[e[1]].shape for e in arrays))
    return not any(e[2:] == ("distinct",) and operands[e[1]].shape == block for e in arrays)


def _slice_length(bounds: Sequence[int | Bound | None], size: int | None) -> int | None:
    if size is None or any(isinstance(bound, Bound) for bound in bounds):
        return None
    start, stop, step = slice_range(bounds, size)
    if step < 0:
        start, stop, step = -start, -stop, -step
    return (stop - start + step - 1) // step if start < stop else 0


def slice_range(bounds: Sequence[Any], size: Any) -> tuple[Any, Any, int]:
    """Where a slice starts and ends, and its step; ``slice.indices``, also of symbolic lengths."""
    start, stop, step = bounds
    step = 1 if step is None else step
    if isinstance(step, int) and step == 0:
        raise ValueError("slice step cannot be zero")
    if not is_length(size) and not is_symbolic(bounds):
        return slice(*bounds).indices(size)
    least, most = (0, size) if step > 0 else (-1, size - 1)

    def bound(given: Any, default: Any) -> Any:
        if given is None:
            return default
        place = given + size if given < 0 else given
        return least if place < least else most if place > most else place

    first, last = (least, most) if step > 0 else (most, least)
    return bound(start, first), bound(stop, last), step


def _integers(type: ArrayType) -> ArrayType:
    if type.dtype.kind not in "iu":
        raise IndexError(f"arrays used as indices must be of integer type, not {type.dtype}")
    return type


def _window_length(operands: Sequence[ArrayType], j: int, length: int, size: int) -> int:
    if _integers(operands[j]).shape != ():
        raise TypeError("the start of a slice has to be a scalar")
    if size is None or not 0 <= length <= size:
        raise IndexError(f"a slice of {length} elements does not fit an axis of size {size}")
    return length


# -- as source text --------------------------------------------------------------------------------


def spec_text(spec: Spec, operands: Sequence[str]) -> str:
    """The subscript as source text, what stands between the brackets."""
    return ", ".join(_entry_text(entry, operands) for entry in spec) or "()"


def _entry_text(entry: tuple, operands: Sequence[str]) -> str:
    kind: str = entry[0]
    rest: tuple[Any, ...] = entry[1:]
    if kind == "slice":
        start, stop, step = ("" if b is None else _bound_text(b, operands) for b in rest)
        return f"{start}:{stop}:{step}" if step else f"{start}:{stop}"
    if kind == "window":
        j, length, size = rest
        return f"window({operands[j]}, {length!r}, {size!r})"
    if kind in ("arg", "mask"):
        number: int = rest[0]
        return operands[number]
    return {"none": "None", "ellipsis": "..."}.get(kind) or str(rest[0])


def _bound_text(bound: int | Bound | None, operands: Sequence[str]) -> str:
    return operands[bound.position] if isinstance(bound, Bound) else repr(bound)


def tuple_text(spec: Spec, operands: Sequence[str]) -> str:
    """The subscript as a tuple, to be passed to a function."""
    parts = [
        f"slice({', '.join(_bound_text(bound, operands) for bound in entry[1:])})"
        if entry[0] == "slice"
        else _entry_text(entry, operands)
        for entry in spec
    ]
    return f"({', '.join(parts)}{',' if len(parts) == 1 else ''})"
