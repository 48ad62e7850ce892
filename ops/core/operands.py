"""What operands are: arrays, numbers, and what is symbolic and stands for one.

Declarations and rules of operators ask here for types, shapes and dtypes, whatever an operand is.
"""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any

import numpy
import numpy as np

from ops.core.recording import raises_as_python
from ops.core.symbolic_lengths import is_length
from ops.core.types import PYTHON_SCALARS, ArrayType, type_of


class Symbolic:
    """Base of everything that stands for an array without being one.

    A subclass implements `__apply__`, which records an application of an operator, and `type`.
    """

    __slots__ = ()
    apply_priority = 0
    type: ArrayType

    def literal(self) -> Any:
        """The Python or NumPy scalar that this stands for, if it is known to be one; else None."""
        return None

    def contents(self) -> Any:
        """The array that this stands for, if it is known and cannot change; else None."""
        return None

    def as_length(self) -> Any:
        """The int that this stands for, if the graph can be made for just that; else itself."""
        return self

    def __apply__(self, op: Any, args: Sequence[Any], attrs: dict[str, Any]) -> Any:
        raise NotImplementedError


# -- what rules ask about their operands -----------------------------------------------------------


def operand_type(x: Any) -> ArrayType:
    """The type of an operand, symbolic or not.

    Raises:
        TypeError: it is neither symbolic nor a number nor an array.
    """
    if isinstance(x, Symbolic):
        return x.type
    found = type_of(x)
    if found is None:
        raise TypeError(f"expected an array or a number, not {type(x).__name__}")
    return found


def shape_of(x: Any) -> tuple[int, ...]:
    """The shape of an operand; that of a Python number is ``()``.

    Raises:
        UnknownLengthError: only the run knows it. Code that can do without asks for `dims_of`,
            `ndim_of` or `ops.core.lengths.lengths_of` instead.
    """
    return operand_type(x).known_shape


def dims_of(x: Any) -> tuple[int | None, ...]:
    """The shape of an operand with None for the lengths known only at run time."""
    return operand_type(x).shape


def known_length(x: Any, axis: int) -> int:
    """The length of an operand along an axis.

    Raises:
        UnknownLengthError: only the run knows it.
    """
    return operand_type(x).known((axis,))[0]


def ndim_of(x: Any) -> int:
    """How many axes an operand has."""
    return len(operand_type(x).shape)


def dtype_of(x: Any) -> numpy.dtype:
    """The dtype of an operand; that of a Python number is the one NumPy gives it by itself."""
    return operand_type(x).dtype


def literal(x: Any) -> Any:
    """The Python or NumPy scalar that an operand is known to be, or None."""
    if isinstance(x, Symbolic):
        return x.literal()
    return x if isinstance(x, (*PYTHON_SCALARS, numpy.generic)) else None


@raises_as_python
def index_of(x: Any) -> int:
    """The int that an operand is: that of a symbolic one then belongs to what the graph is for."""
    return operator.index(x)


def length_from(x: Any) -> int:
    """The length that an operand is: an int, as `index_of` gives it, or a symbolic length."""
    x = x.as_length() if isinstance(x, Symbolic) else x
    return x if is_length(x) else index_of(x)


def concrete(x: Any) -> Any:
    """The array or number that a symbolic operand is known to stand for; else the operand."""
    if not isinstance(x, Symbolic):
        return x
    found = x.contents()
    return x if found is None else found


def is_array(x: Any) -> bool:
    """Whether an operand is an array, and not a number or a NumPy scalar."""
    return ndim_of(x) > 0 or bool(getattr(x, "is_array", isinstance(x, np.ndarray)))


# -- shapes that broadcast -------------------------------------------------------------------------


def broadcast_shapes(*shapes: tuple[int | None, ...]) -> tuple[int | None, ...]:
    """The shape that the given shapes broadcast to.

    A length known only at run time, None, is taken to fit: it is 1 or that of the others, which is
    the result's if they are not 1.

    Raises:
        ValueError: they do not broadcast.
    """
    longest = max(shapes, key=len)
    # As it mostly is. Lengths of different axes are not compared, since symbols would note that.
    if not [s for s in shapes if s and (len(s) != len(longest) or s != longest)]:
        return longest
    broadcast: list[int | None] = []
    for axis in range(-max(map(len, shapes)), 0):
        lengths = {shape[axis] for shape in shapes if len(shape) >= -axis}
        longer = lengths - {1, None}
        if len(longer) > 1:
            listed = " ".join(str(shape).replace(" ", "") for shape in shapes)
            raise ValueError(f"operands could not be broadcast together with shapes {listed}")
        broadcast.append(longer.pop() if longer else None if None in lengths else 1)
    return tuple(broadcast)


def may_not_broadcast(types: Sequence[ArrayType], attrs: dict[str, Any]) -> bool:
    """Whether only the run knows if operands of these types broadcast: for `Op`'s ``raises``."""
    shapes = [type.shape for type in types if isinstance(type, ArrayType)]
    if not any(None in shape for shape in shapes):
        return False
    for axis in range(1, max(map(len, shapes)) + 1):
        lengths = [shape[-axis] for shape in shapes if axis <= len(shape)]
        if None in lengths and sum(n != 1 for n in lengths) > 1:
            return True
    return False
