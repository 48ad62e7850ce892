"""Reading and writing parts of arrays.

A subscript is a static *spec*, a tuple with one entry per item, plus the operands it refers to:

==============================  ====================================================================
``('slice', start, stop, step)``  a slice; each bound is an int, None, or the `Bound` at an operand
``('none',)``                     a new axis
``('ellipsis',)``                 as many whole axes as are left
``('int', k)``                    the element at k
``('arg', j)``                    the element or elements at operand j, an integer scalar or array
``('mask', j)``                   the elements where operand j, a boolean array, is true
``('bool', flag)``                a new axis of length 1, or 0 if ``flag`` is False
``('window', j, length, size)``   ``length`` elements of an axis of ``size``, from operand j on
==============================  ====================================================================

Shapes of results are NumPy's for every mixture; only the run knows the length of a slice with
operands as bounds, or of an axis that is itself of unknown length, and the number of elements that
a mask selects. Windows are checked at run time: a start that is negative or too large is an
IndexError.
"""

from __future__ import annotations

import operator
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from ops.conversion import where
from ops.creation import zeros_like
from ops.elementwise import equal
from ops.lengths import count, lengths_of, positions
from ops.registry import (
    Linear,
    Symbolic,
    broadcast_shapes,
    concrete,
    dims_of,
    dtype_of,
    may_not_broadcast,
    ndim_of,
    operand_type,
)
from ops.structural import reshape, sum_to
from ops.types import ArrayType, Type, type_of

__all__ = [
    "Window",
    "added",
    "assigned",
    "encode_index",
    "getitem",
    "index_add",
    "index_update",
    "spec_text",
    "subscript",
    "update_statement",
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
    if not isinstance(bound, Symbolic):
        return operator.index(bound)
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
        return [(("window", operator.index(item.length), sizes[0]), item.start)]
    if isinstance(item, bool):
        return [(("bool", item), None)]
    if isinstance(item, int):
        _check_range(item, item, axis, sizes[0])
        return [(("int", item), None)]
    if dtype_of(item).kind == "b":
        return _encode_mask(item, axis, sizes)
    if not isinstance(item, Symbolic) and item.size:
        _check_range(int(item.min()), int(item.max()), axis, sizes[0])
    return [(("arg",), item)]


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


def _consumed(entry: tuple, operands: Sequence[ArrayType]) -> int:
    """How many axes an entry of a spec stands for, other than an ellipsis."""
    return operands[entry[1]].ndim if entry[0] == "mask" else int(entry[0] in _CONSUMING)


def indexed_shape(
    shape: tuple[int | None, ...], operands: Sequence[ArrayType], spec: Spec
) -> tuple[int | None, ...]:
    """The shape of the part of an array that a subscript selects.

    Integer arrays, and the positions that masks select, broadcast together. Their axes stand where
    the first of them stands if all of them, and the integers among them, are next to each other,
    else they come first.

    Raises:
        IndexError: an index is out of range, has the wrong dtype, or there are too many; index
            arrays do not broadcast.
    """
    consumed = sum(_consumed(entry, operands) for entry in spec)
    if consumed > len(shape):
        raise _too_many(len(shape), consumed)
    if sum(entry[0] == "ellipsis" for entry in spec) > 1:
        raise IndexError("an index can only have a single ellipsis ('...')")
    whole = len(shape) - consumed
    fancy = has_index_array(operands, spec)
    dims: list[int] = []
    index_shapes: list[tuple[int, ...]] = []
    place, adjacent, after_index = None, True, False
    axis = 0
    for entry in spec:
        kind, *rest = entry
        size = shape[axis] if kind in _CONSUMING else None
        is_index = kind in ("int", "arg", "mask", "bool")
        if kind == "int":
            _check_range(rest[0], rest[0], axis, size)
        elif kind == "arg":
            index_shapes.append(_integers(operands[rest[0]]).shape)
        elif kind == "mask":
            index_shapes.append((None,))
        elif kind == "bool":
            index_shapes.append((int(rest[0]),))
        elif kind == "none":
            dims.append(1)
        elif kind == "ellipsis":
            dims.extend(shape[axis : axis + whole])
            axis += whole
        elif kind == "slice":
            dims.append(_slice_length(rest, size))
        else:
            dims.append(_window_length(operands, *rest))
        if is_index and fancy:
            if place is None:
                place = len(dims)
            elif not after_index:
                adjacent = False
        after_index = is_index
        axis += _consumed(entry, operands)
    if ("ellipsis",) not in spec:
        dims.extend(shape[axis:])
    if fancy:
        try:
            block = broadcast_shapes(*index_shapes)
        except ValueError:
            listed = " ".join(map(str, index_shapes))
            raise IndexError(
                "shape mismatch: indexing arrays could not be broadcast together with shapes "
                f"{listed}"
            ) from None
        place = place if adjacent else 0
        dims[place:place] = block
    return tuple(dims)


def has_index_array(operands: Sequence[ArrayType], spec: Spec) -> bool:
    """Whether the subscript contains an integer array that is not a scalar, or a boolean."""
    return any(
        entry[0] in ("bool", "mask") or (entry[0] == "arg" and operands[entry[1]].ndim)
        for entry in spec
    )


def _may_repeat(operands: Sequence[ArrayType], spec: Spec) -> bool:
    """Whether the subscript may select an element more than once."""
    return any(entry[0] == "arg" and operands[entry[1]].ndim for entry in spec)


def _slice_length(bounds: Sequence[int | Bound | None], size: int | None) -> int | None:
    if size is None or any(isinstance(bound, Bound) for bound in bounds):
        return None
    return len(range(*slice(*bounds).indices(size)))


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
    kind, *rest = entry
    if kind == "slice":
        start, stop, step = ("" if b is None else _bound_text(b, operands) for b in rest)
        return f"{start}:{stop}:{step}" if step else f"{start}:{stop}"
    if kind == "window":
        j, length, size = rest
        return f"window({operands[j]}, {length}, {size})"
    if kind in ("arg", "mask"):
        return operands[rest[0]]
    return {"none": "None", "ellipsis": "..."}.get(kind) or str(rest[0])


def _bound_text(bound: int | Bound | None, operands: Sequence[str]) -> str:
    return operands[bound.position] if isinstance(bound, Bound) else str(bound)


def _tuple_text(spec: Spec, operands: Sequence[str]) -> str:
    """The subscript as a tuple, to be passed to a function."""
    parts = [
        f"slice({', '.join(_bound_text(bound, operands) for bound in entry[1:])})"
        if entry[0] == "slice"
        else _entry_text(entry, operands)
        for entry in spec
    ]
    return f"({', '.join(parts)}{',' if len(parts) == 1 else ''})"


def update_statement(
    spec: Spec,
    operands: Sequence[str],
    operand_types: Sequence[ArrayType],
    target: str,
    value: str,
    add: bool = False,
) -> str:
    """The statement that does in place what `index_update` does, or `index_add` if ``add``.

    Args:
        spec, operands, operand_types: the subscript, its operands as text, and their types.
        target: the array, as text.
        value: the value, as text.
    """
    if not add:
        return f"{target}[{spec_text(spec, operands)}] = {value}"
    if _may_repeat(operand_types, spec):
        return f"np.add.at({target}, {_tuple_text(spec, operands)}, {value})"
    return f"{target}[{spec_text(spec, operands)}] += {value}"


def window(start, length, size):
    """The slice of ``length`` elements from ``start`` on of an axis of the given size."""
    if not 0 <= start <= size - length:
        raise IndexError(
            f"a slice of {length} elements from {start} on does not fit an axis of size {size}"
        )
    return slice(int(start), int(start) + length)


def updated(x, index, value):
    """A copy of ``x`` with ``x[index] = value``."""
    x = np.array(x)
    x[index] = value
    return x


def increased(x, index, value):
    """A copy of ``x`` with ``x[index] += value``."""
    x = np.array(x)
    x[index] += value
    return x


def accumulated(x, index, value):
    """A copy of ``x`` with ``value`` added at ``index``, repeatedly where an index repeats."""
    x = np.array(x)
    np.add.at(x, index, value)
    return x


# -- operators -------------------------------------------------------------------------------------


def _getitem_infer(x: ArrayType, *operands: ArrayType, index: Spec) -> tuple[ArrayType]:
    _check_subscriptable(x)
    return (ArrayType(x.dtype, indexed_shape(x.shape, operands, index)),)


def _check_subscriptable(x: ArrayType) -> None:
    if x.weak:
        raise TypeError(f"'{x}' object is not subscriptable")


def _may_be_out_of_range(x: ArrayType, operands: Sequence[ArrayType], spec: Spec) -> bool:
    """Whether only the run knows if the subscript is right."""
    for entry in spec:
        kind, *rest = entry
        if kind in ("arg", "window") or (kind == "int" and not x.is_static):
            return True
        if kind == "mask" and not (x.is_static and operands[rest[0]].is_static):
            return True
        if kind == "slice" and isinstance(rest[2], Bound):
            return True  # the step may be zero
    return False


def _getitem_raises(types: Sequence[Type], attrs: dict[str, Any]) -> bool:
    return _may_be_out_of_range(types[0], types[1:], attrs["index"])


def _update_raises(types: Sequence[Type], attrs: dict[str, Any]) -> bool:
    x, value, *operands = types
    if _may_be_out_of_range(x, operands, attrs["index"]):
        return True
    part = ArrayType(x.dtype, indexed_shape(x.shape, operands, attrs["index"]))
    return bool(value.shape) and may_not_broadcast([part, value], attrs)


def _getitem_transpose(ct: Any, x: Any, *operands: Any, index: Spec) -> Any:
    return index_add(zeros_like(ct, shape=lengths_of(x)), ct, *operands, index=index)


getitem = Linear(
    "getitem",
    _getitem_infer,
    lambda args, types, attrs: f"{args[0]}[{spec_text(attrs['index'], args[1:])}]",
    transposes=[_getitem_transpose],
    helpers=[window],
    raises=_getitem_raises,
    view=True,
    unknown_lengths=True,
    doc="""``x[index]``; `subscript` takes the index as Python has it.

    Args:
        x: an array.
        operands: what the spec refers to.
        index: the spec, see the module's documentation.
    """,
)


def _update_infer(
    x: ArrayType, value: ArrayType, *operands: ArrayType, index: Spec
) -> tuple[ArrayType]:
    _check_subscriptable(x)
    part = indexed_shape(x.shape, operands, index)
    shape = value.shape
    while len(shape) > len(part) and shape[0] == 1:
        shape = shape[1:]
    try:
        whole = broadcast_shapes(shape, part)
        fits = len(whole) == len(part) and all(n in (m, None) for m, n in zip(whole, part))
    except ValueError:
        fits = False
    if not fits:
        raise ValueError(
            f"could not broadcast input array from shape {value.shape} into shape {part}"
        )
    return (x,)


def _add_infer(
    x: ArrayType, value: ArrayType, *operands: ArrayType, index: Spec
) -> tuple[ArrayType]:
    types = _update_infer(x, value, *operands, index=index)
    if not value.weak and not np.can_cast(value.dtype, x.dtype, "same_kind"):
        raise TypeError(f"cannot add {value.dtype} to an array of {x.dtype} in place")
    return types


def _update_code(args: Sequence[str], types: Sequence[Type], attrs: dict[str, Any]) -> str:
    index = _tuple_text(attrs["index"], args[2:])
    return f"updated({args[0]}, {index}, {args[1]})"


def _add_code(args: Sequence[str], types: Sequence[Type], attrs: dict[str, Any]) -> str:
    index = _tuple_text(attrs["index"], args[2:])
    helper = "accumulated" if _may_repeat(types[2:], attrs["index"]) else "increased"
    return f"{helper}({args[0]}, {index}, {args[1]})"


def _part_of(ct: Any, value: Any, operands: Sequence[Any], index: Spec) -> Any:
    """The cotangent of a value that was added to a part of an array, from that of the array."""
    return sum_to(getitem(ct, *operands, index=index), lengths_of(value))


def _written_part_of(ct: Any, x: Any, value: Any, *operands: Any, index: Spec) -> Any:
    """The same for a value that was written. What another write to the same place replaced gets
    nothing."""
    if _may_repeat([operand_type(o) for o in operands], index):
        part = getitem(ct, *operands, index=index)
        number = _numbered(part)
        last = index_update(zeros_like(ct, np.int64), number, *operands, index=index)
        survives = equal(getitem(last, *operands, index=index), number)
        return sum_to(where(survives, part, dtype_of(part).type(0)), lengths_of(value))
    return _part_of(ct, value, operands, index)


def _numbered(x: Any) -> Any:
    """The integers 0, 1, 2 ... in the shape of ``x``, in C order."""
    if operand_type(x).is_static:
        return np.arange(operand_type(x).size).reshape(dims_of(x))
    return reshape(positions(count(lengths_of(x))), lengths_of(x))


index_update = Linear(
    "index_update",
    _update_infer,
    _update_code,
    transposes=[
        lambda ct, x, value, *operands, index: index_update(
            ct, dtype_of(ct).type(0), *operands, index=index
        ),
        _written_part_of,
    ],
    helpers=[window, updated],
    raises=_update_raises,
    unknown_lengths=True,
    doc="""A copy of ``x`` with ``x[index] = value``; `assigned` takes the index as Python has it.

    The value is converted to the dtype of ``x``. Of several writes to one place the last counts.

    Args:
        x: an array.
        value: an array or number that broadcasts to the part.
        operands: what the spec refers to.
        index: the spec, see the module's documentation.
    """,
)

index_add = Linear(
    "index_add",
    _add_infer,
    _add_code,
    transposes=[
        lambda ct, x, value, *operands, index: ct,
        lambda ct, x, value, *operands, index: _part_of(ct, value, operands, index),
    ],
    helpers=[window, increased, accumulated],
    raises=_update_raises,
    unknown_lengths=True,
    doc="""A copy of ``x`` with ``value`` added to the part at ``index``.

    Where an index array repeats a place, all its values are added, as ``np.add.at`` does. The
    arguments are those of `index_update`.
    """,
)


# -- subscripts as Python has them -----------------------------------------------------------------


def subscript(x: Any, index: Any) -> Any:
    """``x[index]``. See `encode_index` for what ``index`` may be, and for the errors."""
    operands, spec = encode_index(index, dims_of(x))
    return getitem(x, *operands, index=spec)


def assigned(x: Any, index: Any, value: Any) -> Any:
    """A copy of ``x`` with ``x[index] = value``.

    See `encode_index` for what ``index`` may be, and for the errors.
    """
    operands, spec = encode_index(index, dims_of(x))
    return index_update(x, value, *operands, index=spec)


def added(x: Any, index: Any, value: Any) -> Any:
    """A copy of ``x`` after ``np.add.at(x, index, value)``. See `encode_index` for the errors."""
    operands, spec = encode_index(index, dims_of(x))
    return index_add(x, value, *operands, index=spec)
