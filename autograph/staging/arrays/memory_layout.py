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
from autograph.graph.graph import Value
from autograph.staging.arrays.array import GraphArray
from autograph.staging.arrays.element_order import has_no_gaps, lies_in_order
from autograph.staging.arrays.views import View
from autograph.staging.ground.errors import located, user_location
from autograph.staging.ground.recorder import recorder

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
        raise _refused("whose length is known only at run time")
    before, after = old.known_shape, new.known_shape
    if not (_only_splits(before, after) or has_no_gaps(array) or lies_in_order(array.value)):
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


def _of_its_kind(array: GraphArray, name: str) -> np.ndarray:
    """An array that lies in memory as this one does.

    Raises:
        UnsupportedFunctionError: it is not known how it does.
    """
    type = array.type
    if not type.is_static or 0 in type.known_shape or not has_no_gaps(array):
        raise UnsupportedFunctionError(
            f"'{name}' of a value known only at run time is not supported, "
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
