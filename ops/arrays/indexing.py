"""Reading and writing parts of arrays.

`ops.core.subscripts` describes the subscripts. Windows are checked at run time: a start that is
negative or too large is an IndexError.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ops.arrays.batched_subscripts import subscript_for_lanes
from ops.arrays.creation import zeros_like
from ops.arrays.written_numbers import may_not_hold, value_conditions
from ops.core import kernels
from ops.core.batching import Size
from ops.core.conditions import Conditions, Message
from ops.core.index_maps import is_invertible, is_plain, part_position, subscripted
from ops.core.lengths import length, lengths_of, positions
from ops.core.op import Errors
from ops.core.operands import (
    broadcast_shapes,
    dims_of,
    dtype_of,
    may_not_broadcast,
    ndim_of,
    operand_type,
)
from ops.core.reads import Scattered
from ops.core.registry import Linear, Op
from ops.core.subscripts import (
    Bound,
    Spec,
    encode_index,
    has_index_array,
    indexed_shape,
    may_repeat,
    spec_text,
    tuple_text,
)
from ops.core.types import ArrayType
from ops.elementwise import add, equal, greater_equal, less, logical_or
from ops.elementwise.conversion import astype, fitting, promote, where
from ops.structure.broadcasting import sum_to
from ops.structure.lanes import with_lanes
from ops.structure.permuting import transpose
from ops.structure.reshaping import count, expand_dims, reaxed, reshape, spread

__all__ = [
    "added",
    "assigned",
    "getitem",
    "index_add",
    "index_update",
    "subscript",
    "update_statement",
]

# -- as source text --------------------------------------------------------------------------------


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
    if may_repeat(operand_types, spec):
        return f"np.add.at({target}, {tuple_text(spec, operands)}, {value})"
    return f"{target}[{spec_text(spec, operands)}] += {value}"


def window(start, length, size):
    """The slice of ``length`` elements from ``start`` on of an axis of the given size."""
    if not 0 <= start <= size - length:
        error = IndexError(
            f"a slice of {length} elements from {start} on does not fit an axis of size {size}"
        )
        # No IndexError of the user's, see `autograph.api.calls.bets`.
        error.__autograph_slice__ = "fewer elements"
        raise error
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


# -- many lanes ------------------------------------------------------------------------------------


def _getitem_batch(size: Size, batched: Sequence[bool], args: Sequence[Any], index: Spec) -> Any:
    x, *operands = args
    ndim = ndim_of(x) - batched[0]
    operands, spec, order = subscript_for_lanes(
        size, batched[0], ndim, batched[1:], operands, index
    )
    part = getitem(x, *operands, index=spec)
    return part if order == tuple(range(len(order))) else transpose(part, order)


def _batched_write(
    op: Op, size: Size, batched: Sequence[bool], args: Sequence[Any], index: Spec
) -> Any:
    """The rule of `index_update` and of `index_add`."""
    x, value, *operands = args
    x = with_lanes(size, batched[0], x)
    ndim = ndim_of(x) - 1
    if any(entry[0] == "mask" and batched[entry[1] + 2] for entry in index):
        return _write_where(op, x, value, operands, batched, index)
    operands, spec, order = subscript_for_lanes(size, True, ndim, batched[2:], operands, index)
    straight = order == tuple(range(len(order)))
    if ndim_of(value) and (batched[1] or not straight):
        value = value if batched[1] else expand_dims(value, 0)
        value = _of_rank(value, len(order))
        value = value if straight else transpose(value, np.argsort(order))
    return op(x, value, *operands, index=spec)


def _of_rank(value: Any, ndim: int) -> Any:
    """A value to write, with lanes, with axes of length 1 put in behind these, or left out."""
    extra = ndim_of(value) - ndim
    if extra <= 0:
        return spread(value, -extra)
    lanes, *lengths = lengths_of(value)
    return reaxed(value, (lanes, *lengths[extra:]))


def _write_where(
    op: Op, x: Any, value: Any, operands: Sequence[Any], batched: Sequence[bool], index: Spec
) -> Any:
    """What a mask that differs between lanes selects, set to or increased by a value that is the
    same for all of these elements.

    Args:
        x: the array, with lanes.
    """
    plain = (("slice", None, None, None), ("ellipsis",))
    if len(operands) > 1 or any(e[0] != "mask" and e not in plain for e in index):
        raise NotImplementedError("how many elements a mask selects differs between lanes")
    (mask,) = operands
    here = next(i for i, entry in enumerate(index) if entry[0] == "mask")
    selected, left = ndim_of(mask) - 1, ndim_of(x) - ndim_of(mask)
    before = here if ("ellipsis",) not in index[:here] else left - (len(index) - here - 1)
    behind = left - before
    if ndim_of(value):
        lanes, *lengths = lengths_of(value if batched[1] else expand_dims(value, 0))
        lengths = lengths[-left - 1 :]
        place = len(lengths) - behind - 1
        if place >= 0:  # it has an axis for the elements that are selected
            if lengths[place] != 1:
                raise NotImplementedError("how many elements a mask selects differs between lanes")
            lengths[place : place + 1] = [1] * selected
        value = reaxed(value, (lanes, *[1] * (ndim_of(x) - 1 - len(lengths)), *lengths))
    mask = spread(spread(mask, before), behind, before + selected + 1)
    value = astype(value if op is index_update else add(x, value), dtype_of(x))
    return where(mask, value, x)


# -- operators -------------------------------------------------------------------------------------


# Entries of a subscript that select all elements, and put in axes of length 1.
_WHOLE = (("slice", None, None, None), ("ellipsis",), ("none",))


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
        if rest[1:] == ["distinct"]:
            continue
        if kind in ("arg", "window") or (kind == "int" and not x.is_static):
            return True
        if kind == "mask" and not (x.is_static and operands[rest[0]].is_static):
            return True
        if kind == "slice" and isinstance(rest[2], Bound):
            return True  # the step may be zero
    return False


def _is_view(types: Sequence[ArrayType], attrs: dict[str, Any]) -> bool:
    """Whether a part lies where the array does: what arrays of places and masks take is copied."""
    return not has_index_array(types[1:], attrs["index"])


def _getitem_raises(types: Sequence[ArrayType], attrs: dict[str, Any]) -> bool:
    return _may_be_out_of_range(types[0], types[1:], attrs["index"])


def _getitem_errors(types: Sequence[ArrayType], attrs: dict[str, Any]) -> Errors:
    steps = any(e[0] == "slice" and isinstance(e[3], Bound) for e in attrs["index"])
    places = not has_index_array(types[1:], attrs["index"])
    known = places or all(type.is_static for type in types)
    return (IndexError,) if known and not steps else (IndexError, ValueError)


def _update_raises(types: Sequence[ArrayType], attrs: dict[str, Any]) -> bool:
    x, value, *operands = types
    if _may_be_out_of_range(x, operands, attrs["index"]) or may_not_hold(x, value):
        return True
    part = ArrayType(x.dtype, indexed_shape(x.shape, operands, attrs["index"]))
    return bool(value.shape) and may_not_broadcast([part, value], attrs)


def _update_errors(types: Sequence[ArrayType], attrs: dict[str, Any]) -> Errors:
    x, value, *operands = types
    if may_not_hold(x, value):
        return IndexError, ValueError, OverflowError
    return (IndexError, ValueError) if value.shape else _getitem_errors((x, *operands), attrs)


def _getitem_transpose(ct: Any, x: Any, *operands: Any, index: Spec) -> Any:
    if all(e in _WHOLE for e in index):  # such as x[:, None]: no element is left out
        return reaxed(ct, lengths_of(x))
    return index_add(zeros_like(ct, shape=lengths_of(x)), ct, *operands, index=index)


def _has_element(types: Sequence[ArrayType], attrs: dict[str, Any]) -> bool:
    x, *operands = types
    if not is_plain(attrs["index"]):
        return False
    # Where nothing is selected no place is checked, though NumPy does.
    empty = 0 in indexed_shape(x.shape, operands, attrs["index"])
    return not (empty and _getitem_raises(types, attrs))


def _getitem_element(
    read: Callable, index: tuple, types: Sequence[ArrayType], attrs: dict[str, Any]
) -> Any:
    def operand(j: int, at: tuple) -> Any:
        return read(j + 1, at)

    return read(0, subscripted(operand, index, types[0].shape, types[1:], attrs["index"]))


def _subscript_conditions(x: Any, *operands: Any, index: tuple) -> Conditions | None:
    """Of subscripts by integers only."""
    found = []
    for axis, (kind, *rest) in enumerate(index):
        if kind not in ("arg", "int"):
            return None
        size: Any = dims_of(x)[axis]
        if size is None:
            size = length(x, axis=axis)
        elif kind == "int":
            continue  # it is right, as is known
        place = operands[rest[0]] if kind == "arg" else rest[0]
        if dims_of(place):
            return None
        outside = logical_or(less(add(place, size), 0), greater_equal(place, size))
        text: Any = Message(
            f"index {{}} is out of bounds for axis {axis} with size {{}}", (place, size)
        )
        found.append((IndexError(text), outside))
    return found


def _update_conditions(x: Any, value: Any, *operands: Any, index: tuple) -> Conditions | None:
    of_subscript = _subscript_conditions(x, *operands, index=index)
    of_value = value_conditions(x, value)
    return None if of_subscript is None or of_value is None else [*of_subscript, *of_value]


_MANY = 1000  # elements of a result, from which on it matters how they are taken


def _getitem_text(args: Sequence[str], types: Sequence[ArrayType], attrs: dict[str, Any]) -> str:
    """Subscript an array. NumPy takes many rows or elements faster by another name, with the same
    errors and order in memory where there are no further axes, and something to be taken."""
    x, *operands = types
    if attrs["index"] == (("arg", 0),) and x.is_static and x.shape[0] and len(x.shape) <= 2:
        (places,) = operands
        integers = places.dtype.kind in "iu" and np.can_cast(places.dtype, np.intp)
        row = places.is_static and len(places.shape) == 1
        if integers and row and places.size * math.prod(x.shape[1:]) >= _MANY:
            return f"{args[0]}.take({args[1]}, axis=0)"
    return f"{args[0]}[{spec_text(attrs['index'], args[1:])}]"


getitem = Linear(
    "getitem",
    _getitem_infer,
    _getitem_text,
    transposes=[_getitem_transpose],
    zeros="moved",
    helpers=[window],
    raises=_getitem_raises,
    errors=_getitem_errors,
    conditions=_subscript_conditions,
    view=_is_view,
    unknown_lengths=True,
    batch=_getitem_batch,
    native=kernels.Element(_getitem_element, when=_has_element),
    doc="""``x[index]``; `subscript` takes the index as Python has it.

    Args:
        x: an array.
        operands: what the spec refers to.
        index: the spec, see the module's documentation.
    """,
    writable=True,
    put=lambda whole, part, *operands, index: index_update(whole, part, *operands, index=index),
    precision="exact",
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


def _update_code(args: Sequence[str], types: Sequence[ArrayType], attrs: dict[str, Any]) -> str:
    index = tuple_text(attrs["index"], args[2:])
    return f"updated({args[0]}, {index}, {args[1]})"


def _add_code(args: Sequence[str], types: Sequence[ArrayType], attrs: dict[str, Any]) -> str:
    index = tuple_text(attrs["index"], args[2:])
    helper = "accumulated" if may_repeat(types[2:], attrs["index"]) else "increased"
    return f"{helper}({args[0]}, {index}, {args[1]})"


def _part_of(ct: Any, value: Any, operands: Sequence[Any], index: Spec) -> Any:
    """The cotangent of a value that was added to a part of an array, from that of the array."""
    return sum_to(getitem(ct, *operands, index=index), lengths_of(value))


def _written_part_of(ct: Any, x: Any, value: Any, *operands: Any, index: Spec) -> Any:
    """The same for a value that was written. What another write to the same place replaced gets
    nothing."""
    if may_repeat([operand_type(o) for o in operands], index):
        part = getitem(ct, *operands, index=index)
        index, whole = _without_whole_axes(index, ndim_of(ct))
        lengths = lengths_of(ct)
        places = zeros_like(ct, np.int64, lengths[: len(lengths) - whole])
        number = _numbered(getitem(places, *operands, index=index))
        last = index_update(places, number, *operands, index=index)
        survives = equal(getitem(last, *operands, index=index), number)
        survives = reshape(survives, (*lengths_of(survives), *[1] * whole))
        return sum_to(where(survives, part, dtype_of(part).type(0)), lengths_of(value))
    return _part_of(ct, value, operands, index)


def _without_whole_axes(index: Spec, ndim: int) -> tuple[Spec, int]:
    """A subscript without the last axes, if it has them as a whole, and how many these are."""
    ends = {("ellipsis",), ("slice", None, None, None)}
    kept = list(index)
    while kept and kept[-1] in ends:
        kept.pop()
    one_axis_each = all(entry[0] in ("slice", "int", "arg", "window") for entry in kept)
    return (tuple(kept), ndim - len(kept)) if one_axis_each else (index, 0)


def _numbered(x: Any) -> Any:
    """The integers 0, 1, 2 ... in the shape of ``x``, in C order."""
    if operand_type(x).is_static:
        return np.arange(operand_type(x).size).reshape(dims_of(x))
    return reshape(positions(count(lengths_of(x))), lengths_of(x))


def _is_invertible(types: Sequence[ArrayType], attrs: dict[str, Any]) -> bool:
    x, value, *operands = types
    return is_invertible(x.shape, value, operands, attrs["index"])


def _is_sum(types: Sequence[ArrayType], attrs: dict[str, Any]) -> bool:
    x, value, *operands = types
    fits = value.ndim <= len(indexed_shape(x.shape, operands, attrs["index"]))
    same_kind = np.can_cast(promote(x, value), x.dtype, "same_kind")
    return fits and same_kind and _is_invertible(types, attrs)


def set_element(element: Any, x: ArrayType, value: ArrayType) -> Any:
    """An element of a value as it is written to an array. NumPy sets a number as Python's, which
    has to fit; what is of an array wraps around."""
    return kernels.cast(element, x.dtype) if value.shape else fitting(element, value, x.dtype)


def increased_element(
    before: Any, element: Any, x: ArrayType, value: ArrayType, operands: Sequence, spec: Spec
) -> Any:
    """An element of an array when that of a value has been added to it.

    Args:
        before, element: the elements.
        x, value, operands, spec: the types of the operands of `index_add`, and the subscript.
    """
    dtype = promote(x, value)
    term = fitting(element, value, dtype) if value.weak else kernels.cast(element, dtype)
    total = ArrayType(dtype, indexed_shape(x.shape, operands, spec))
    return set_element(add.kernels[dtype.kind](kernels.cast(before, dtype), term), x, total)


def _update_element(
    read: Callable, index: tuple, types: Sequence[ArrayType], attrs: dict[str, Any]
) -> Any:
    inside, element = _element_to_write(read, index, types, attrs["index"])
    return kernels.choose(
        inside, lambda: set_element(element(), *types[:2]), lambda: read(0, index)
    )


def _add_element(
    read: Callable, index: tuple, types: Sequence[ArrayType], attrs: dict[str, Any]
) -> Any:
    (x, value, *operands), spec = types, attrs["index"]
    inside, element = _element_to_write(read, index, types, spec)
    before = read(0, index)
    return kernels.choose(
        inside,
        lambda: increased_element(before, element(), x, value, operands, spec),
        lambda: before,
    )


def _element_to_write(
    read: Callable, index: tuple, types: Sequence[ArrayType], spec: Spec
) -> tuple[Any, Callable[[], Any]]:
    """Whether an element of an array is written, and what gives the value's element for it."""
    x, value, *operands = types
    inside, place = part_position(lambda j, at: read(j + 2, at), index, x.shape, operands, spec)
    place = (0,) * (value.ndim - len(place)) + place
    return inside, lambda: read(1, kernels.aligned(place, value.shape))


_WRITTEN = Scattered(
    1,
    lambda types, attrs: indexed_shape(types[0].shape, types[2:], attrs["index"]),
    starts=True,
)

index_update: Linear = Linear(
    "index_update",
    _update_infer,
    _update_code,
    transposes=[
        lambda ct, x, value, *operands, index: index_update(
            ct, dtype_of(ct).type(0), *operands, index=index
        ),
        _written_part_of,
    ],
    zeros="moved",
    helpers=[window, updated],
    raises=_update_raises,
    errors=_update_errors,
    conditions=_update_conditions,
    unknown_lengths=True,
    batch=lambda *args, index: _batched_write(index_update, *args, index=index),
    native=kernels.Element(_update_element, when=_is_invertible),
    reads=_WRITTEN,
    doc="""A copy of ``x`` with ``x[index] = value``; `assigned` takes the index as Python has it.

    The value is converted to the dtype of ``x``. Of several writes to one place the last counts.

    Args:
        x: an array.
        value: an array or number that broadcasts to the part.
        operands: what the spec refers to.
        index: the spec, see the module's documentation.
    """,
    keeps_shape=True,
    updates=True,
    precision="exact",
)

index_add: Linear = Linear(
    "index_add",
    _add_infer,
    _add_code,
    transposes=[
        lambda ct, x, value, *operands, index: ct,
        lambda ct, x, value, *operands, index: _part_of(ct, value, operands, index),
    ],
    zeros="moved",
    helpers=[window, increased, accumulated],
    raises=_update_raises,
    errors=_update_errors,
    unknown_lengths=True,
    batch=lambda *args, index: _batched_write(index_add, *args, index=index),
    native=kernels.Element(_add_element, when=_is_sum),
    reads=_WRITTEN,
    doc="""A copy of ``x`` with ``value`` added to the part at ``index``.

    Where an index array repeats a place, all its values are added, as ``np.add.at`` does. The
    arguments are those of `index_update`.
    """,
    keeps_shape=True,
    updates=True,
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
