"""Nested numbers and arrays as what numerical methods work on: one number, or one vector."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import ops
from autograph.api.trees import Nesting, flatten, leaf_type, nesting
from autograph.errors import OperandShapeError, OperandTypeError
from autograph.source.tree.libraries import is_plain_of_ours, module_of
from autograph.staging.arrays.array import GraphArray
from autograph.staging.ground.errors import user_location
from autograph.staging.ground.recorder import active_recorder, recorder
from ops.core.types import ArrayType


class Unknowns:
    """Nested arrays and numbers as a vector, or as a number if they are one.

    Args:
        like: what they are like.
        what: for messages.
        called: what they are, for messages.
        dtype: of the vector, at least.

    Raises:
        OperandTypeError: a leaf is no real floating-point array or number, nor an integer.
    """

    def __init__(
        self, like: Any, what: str, called: str = "unknown", dtype: np.dtype | None = None
    ):
        self._called = called
        leaves, self._nesting = flatten(like)[0], nesting(like)
        self._types = [real(leaf, what) for leaf in leaves]
        if not leaves:
            raise OperandTypeError(
                f"{what} holds no numbers", user_location(), fix="begin with an array or a number"
            )
        found = [type.dtype for type in self._types]
        self.dtype = np.result_type(*found, *([] if dtype is None else [dtype]))
        if self.dtype.kind != "f":
            self.dtype = np.dtype(np.float64)
        self.is_number = len(self._types) == 1 and not self._types[0].shape
        self.eps = float(np.finfo(self.dtype).eps)

    def joined(self, tree: Any, what: str) -> Any:
        """A tree like this as a vector, or as a number.

        Raises:
            OperandShapeError: it is nested in another way, or of other shapes.
        """
        leaves = flatten(tree)[0]
        self._check(leaves, nesting(tree), what)
        if self.is_number:
            return cast(leaves[0], self.dtype)
        parts = [ops.reshape(cast(leaf, self.dtype), (-1,)) for leaf in leaves]
        return parts[0] if len(parts) == 1 else ops.concatenate(parts)

    def _check(self, leaves: list[Any], nested: Nesting, what: str) -> None:
        found = [real(leaf, what).shape for leaf in leaves]
        wanted = [type.shape for type in self._types]
        if nested != self._nesting or found != wanted:
            how = " nested otherwise" if found == wanted else ""
            raise OperandShapeError(
                f"{what} is {_shown(found)}{how}, where the {self._called} is {_shown(wanted)}",
                user_location(),
                fix=f"return as many numbers as there are in the {self._called}, nested and shaped "
                "likewise",
            )

    @property
    def length(self) -> int:
        """How many numbers there are."""
        return sum(int(np.prod(type.known_shape)) for type in self._types)

    def parted(self, vector: Any) -> Any:
        """The tree that a vector, or a number, stands for."""
        if self.is_number:
            return self._nesting.unflatten([vector])
        if len(self._types) == 1 and len(self._types[0].shape) == 1:
            return self._nesting.unflatten([vector])
        leaves, start = [], 0
        for type in self._types:
            count = int(np.prod(type.known_shape))
            part = vector[start : start + count]
            leaves.append(ops.reshape(part, type.known_shape) if type.shape else part[0])
            start += count
        return self._nesting.unflatten(leaves)

    def rows_parted(self, rows: Any, axes: int = 1) -> Any:
        """The tree of arrays that an array of vectors, or of numbers, stands for: each has the axes
        before the last one, as many as are given, before its own."""
        if self.is_number:
            return self._nesting.unflatten([rows])
        leaves, start = [], 0
        for type in self._types:
            count = int(np.prod(type.known_shape))
            part = rows[..., start : start + count]
            leaves.append(ops.reshape(part, (*rows.shape[:axes], *type.known_shape)))
            start += count
        return self._nesting.unflatten(leaves)


def called(function: Callable, *args: Any) -> Any:
    """The result of a function of the user's, or a method of ours, as converted code calls it."""
    if active_recorder() is None:
        return function(*args)
    if is_plain_of_ours(module_of(function)):
        with recorder().effort.of_method():
            return recorder().call(recorder().outside.unbound(function), args, {})
    return recorder().call(recorder().outside.unbound(function), args, {})


def real(leaf: Any, what: str) -> ArrayType:
    """The type of a real number or array.

    Raises:
        OperandTypeError: it is something else.
    """
    type = leaf_type(leaf)
    if type is None or type.dtype.kind not in "fiu" or None in type.shape:
        shown = type or f"a {leaf.__class__.__name__}"
        raise OperandTypeError(
            f"{what} is {shown}",
            user_location(),
            fix="use real numbers and arrays of known shapes; z.real and z.imag for complex ones",
        )
    return type


def cast(leaf: Any, dtype: np.dtype) -> Any:
    """A number or array of a dtype."""
    type = leaf_type(leaf)
    if type is not None and type.dtype == dtype and not type.weak:
        return leaf
    return ops.astype(leaf, dtype) if isinstance(leaf, GraphArray) else np.asarray(leaf, dtype)[()]


def _shown(shapes: list) -> str:
    return ", ".join("a number" if not shape else f"of shape {shape}" for shape in shapes)
