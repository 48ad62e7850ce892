"""How the elements of an array lie in memory: its shape assigned, its strides and flags.

A graph does not say where elements lie, and an argument's lie otherwise at each call. It is known
of new vectors, which have no gaps, of what they become by another shape, of arrays that are there
when the function is recorded, and of what is made of such arrays element by element.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

import ops
from autograph.errors import MutationError, UnsupportedFunctionError
from autograph.graph.graph import Constant, Node, Value
from autograph.staging.arrays.array import GraphArray
from autograph.staging.arrays.views import View
from autograph.staging.ground.errors import located, user_location
from autograph.staging.ground.recorder import recorder
from ops.core.registry import Elementwise

_FIX = "assign a new array to the variable: x = x.reshape(...)"


def assign_shape(array: GraphArray, shape: Any) -> None:
    """``array.shape = shape``: the same elements, in the same places in memory.

    Raises:
        MutationError: it is not known that this array, and no other, gets the shape, or whether
            NumPy can give it without moving elements.
        ValueError: it has another number of elements.
    """
    view = array._view
    if not array.is_made or not (array.ndim or array.is_array):
        raise _refused("that is an argument, or comes from outside or out of a branch or loop")
    if array._frame is not recorder().frame:
        raise _refused("in a branch or loop, that is made outside of it")
    if view is not None and not isinstance(view, View):
        raise _refused("that may be another one, depending on control flow")
    old = array.type
    with located():
        value = ops.reshape(array.value, shape)
    new = value.type
    if not (old.is_static and new.is_static):
        raise _refused("whose length only the run knows")
    before, after = old.known_shape, new.known_shape
    if not (_only_splits(before, after) or _has_no_gaps(array) or _lies_in_order(array.value)):
        raise _refused("whose elements may not lie one after the other in memory")
    array._refuse_kept()
    if view is not None:
        array._view = _reshaped_view(view, before, after)
    array._value = value
    array.is_array = True


def _reshaped_view(view: View, before: tuple[int, ...], after: tuple[int, ...]) -> View:
    """The view of the same elements in another shape."""
    put = view.put

    def write(whole: Value, part: Value) -> Value:
        assert put is not None
        return put(whole, ops.reshape(part, before))

    return view._replace(read=lambda whole: ops.reshape(view.read(whole), after), put=put and write)


def _refused(what: str) -> MutationError:
    return MutationError(
        f"the attribute 'shape' is assigned of an array {what}",
        user_location(),
        id="AG0335",
        fix=_FIX,
    )


def _only_splits(before: tuple[int, ...], after: tuple[int, ...]) -> bool:
    """Whether each axis but those of length one is part of one axis of ``before``; then the
    elements may lie anywhere."""
    remaining = [n for n in after if n != 1]
    if math.prod(before) == 0:
        return False
    for length in before:
        size = 1
        while size < length:
            size *= remaining.pop(0)
        if size != length:
            return False
    return True


def _has_no_gaps(array: GraphArray) -> bool:
    """Whether the array is known to own its elements, one after the other, the last axis first."""
    return array.is_made and array._view is None and _fills_memory(array.value)


def _fills_memory(value: Value) -> bool:
    """Whether a new array with this value has no gaps; how it lies is known only of vectors."""
    while value.type.ndim != 1 or not _is_new(value):
        node = value.producer
        if node is None or not (node.op.updates or node.op is ops.reshape):
            return False
        value = node.inputs[0]
    return True


def _lies_in_order(value: Value) -> bool:
    """Whether the elements of a new array, or of a part of one, with this value are known to lie
    one after the other, the last axis first."""
    if isinstance(value, Constant):
        return value.data.flags.c_contiguous
    node = value.producer
    if node is None:
        return False
    if node.op.updates or node.op is ops.reshape:
        return _lies_in_order(node.inputs[0])
    if node.op is ops.getitem:
        return _takes_in_order(node)
    if isinstance(node.op, Elementwise):  # NumPy gives the result the order that all have
        arrays = [v for v in node.inputs if v.type.ndim]
        alike = bool(arrays) and all(v.type.shape == value.type.shape for v in arrays)
        return alike and all(map(_lies_in_order, arrays))
    return value.type.ndim == 1 and _is_new(value)


def _takes_in_order(node: Node) -> bool:
    """Whether a subscript takes elements that lie in order: one along each of the first axes, or
    those of a vector at places that lie so themselves."""
    array, *operands = node.inputs
    index = node.attrs["index"]
    if all(entry[0] == "int" for entry in index):
        return _lies_in_order(array)
    is_one = len(index) == 1 and index[0][0] == "arg" and array.type.ndim == 1
    return is_one and operands[0].type.ndim > 0 and _lies_in_order(operands[0])


def _is_new(value: Value) -> bool:
    if isinstance(value, Constant):
        return value.data.flags.owndata and value.data.flags.c_contiguous
    node = value.producer
    return node is not None and node.op.contiguous


def _of_its_kind(array: GraphArray, name: str) -> np.ndarray:
    """An array that lies in memory as this one does.

    Raises:
        UnsupportedFunctionError: it is not known how it does.
    """
    type = array.type
    if not type.is_static or 0 in type.known_shape or not _has_no_gaps(array):
        raise UnsupportedFunctionError(
            f"'{name}' of a value that is only known when the program runs is not supported, "
            "unless it is a new vector, or was one",
            user_location(),
            fix="use nothing that depends on how the elements lie in memory",
        )
    return np.empty(type.known_shape, type.dtype)


def strides(array: GraphArray) -> tuple[int, ...]:
    """``array.strides``."""
    return _of_its_kind(array, "strides").strides


def flags(array: GraphArray) -> Flags:
    """``array.flags``."""
    return Flags(_of_its_kind(array, "flags").flags)


class Flags:
    """The flags of an array, which can be read and not set."""

    def __init__(self, flags: Any):
        object.__setattr__(self, "_flags", flags)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._flags, name)

    def __getitem__(self, name: str) -> Any:
        return self._flags[name]

    def __setattr__(self, name: str, value: Any) -> None:
        raise _protected()

    def __setitem__(self, name: str, value: Any) -> None:
        raise _protected()


def _protected() -> UnsupportedFunctionError:
    return UnsupportedFunctionError(
        "the flags of an array cannot be set inside the function",
        user_location(),
        fix="leave out what protects the array; nobody else changes a copy: x.copy()",
    )
