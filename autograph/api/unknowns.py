"""The unknowns of an equation, nested in any way, as one number or one vector."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

import ops
from autograph.api.trees import Nesting, flatten, leaf_type, nesting
from autograph.errors import OperandShapeError, OperandTypeError
from autograph.staging.arrays.array import GraphArray
from autograph.staging.ground.errors import user_location
from ops.core.types import ArrayType


class Unknowns:
    """Nested arrays and numbers as a vector, or as a number if they are one.

    Args:
        like: what they are like.
        what: for messages.

    Raises:
        OperandTypeError: a leaf is no real floating-point array or number, nor an integer.
    """

    def __init__(self, like: Any, what: str):
        self._leaves, self._nesting = flatten(like)[0], nesting(like)
        self._types = [_real(leaf, what) for leaf in self._leaves]
        if not any(math.prod(type.known_shape) for type in self._types):
            raise OperandTypeError(
                f"{what} holds no numbers", user_location(), fix="begin with an array or a number"
            )
        self.dtype = np.result_type(*(type.dtype for type in self._types))
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
            return _cast(leaves[0], self.dtype)
        parts = [ops.reshape(_cast(leaf, self.dtype), (-1,)) for leaf in leaves]
        return parts[0] if len(parts) == 1 else ops.concatenate(parts)

    def _check(self, leaves: list[Any], nested: Nesting, what: str) -> None:
        found = [_real(leaf, what).shape for leaf in leaves]
        wanted = [type.shape for type in self._types]
        if nested != self._nesting or found != wanted:
            how = " nested otherwise" if found == wanted else ""
            raise OperandShapeError(
                f"{what} is {_shown(found)}{how}, where the unknown is {_shown(wanted)}",
                user_location(),
                fix="return as many numbers as there are unknowns, nested and shaped likewise",
            )

    def parted(self, vector: Any) -> Any:
        """The tree that a vector, or a number, stands for."""
        if self.is_number:
            return self._nesting.unflatten([vector])
        leaves, start = [], 0
        for type in self._types:
            count = int(np.prod(type.known_shape))
            part = vector[start : start + count]
            leaves.append(ops.reshape(part, type.known_shape) if type.shape else part[0])
            start += count
        return self._nesting.unflatten(leaves)


def _real(leaf: Any, what: str) -> ArrayType:
    type = leaf_type(leaf)
    if type is None or type.dtype.kind not in "fiu" or None in type.shape:
        shown = type or f"a {leaf.__class__.__name__}"
        raise OperandTypeError(
            f"{what} is {shown}",
            user_location(),
            fix="use real numbers and arrays of known shapes; z.real and z.imag for complex ones",
        )
    return type


def _cast(leaf: Any, dtype: np.dtype) -> Any:
    type = leaf_type(leaf)
    if type is not None and type.dtype == dtype and not type.weak:
        return leaf
    return ops.astype(leaf, dtype) if isinstance(leaf, GraphArray) else np.asarray(leaf, dtype)[()]


def _shown(shapes: list) -> str:
    return ", ".join("a number" if not shape else f"of shape {shape}" for shape in shapes)
