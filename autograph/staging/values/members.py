"""Members of enums that are integers, as operands: `as_numbers`.

NumPy takes a member of an `enum.IntEnum` for an int64, and Python for an int.
"""

from __future__ import annotations

import enum
from collections.abc import Sequence
from typing import Any

import numpy as np

import ops
from autograph.staging.arrays.array import GraphArray
from autograph.staging.values.choice import Choice, looked_up

# A class that defines one of these computes in its own way.
_OPERATORS = ("__add__", "__radd__", "__mul__", "__rmul__", "__eq__", "__lt__", "__index__")


def as_number(value: Any) -> Any:
    """The int that a member of an enum is, or one of several members of which the run knows which
    one it is; everything else as it is."""
    if isinstance(value, Choice) and all(map(_is_number, value.objects)):
        return looked_up(value.position, [int(member) for member in value.objects])
    is_member = isinstance(value, enum.Enum) and _is_number(value)
    return int(value) if is_member else value


def as_numbers(operands: Sequence[Any]) -> Sequence[Any]:
    """The same for the operands of an operator: among arrays and NumPy's numbers it is one."""
    for x in operands:
        if isinstance(x, (enum.Enum, Choice)):
            break
    else:  # as nearly always
        return operands
    found = [as_number(x) for x in operands]
    if all(_is_python(x) for x, operand in zip(found, operands) if x is operand):
        return found
    return [x if x is operand else _of_numpy(x) for x, operand in zip(found, operands)]


def as_place(index: Any) -> Any:
    """The same for a subscript."""
    if type(index) is tuple:
        return tuple(map(as_place, index))
    if type(index) is slice:
        return slice(*map(as_number, (index.start, index.stop, index.step)))
    return as_number(index) if isinstance(index, (enum.Enum, Choice)) else index


def _is_number(value: Any) -> bool:
    """Whether a value is a member of an enum that computes as its int does."""
    kind = type(value)
    if not issubclass(kind, enum.Enum) or not issubclass(kind, int) or issubclass(kind, enum.Flag):
        return False
    own = kind.__mro__[: kind.__mro__.index(int)]
    defined = {name for k in own if k.__module__ != "enum" for name in vars(k)}
    return defined.isdisjoint(_OPERATORS)


def _is_python(value: Any) -> bool:
    if isinstance(value, GraphArray):
        return bool(value.type.weak)
    return type(value) in (bool, int, float, complex)


def _of_numpy(number: Any) -> Any:
    """An int as an int64."""
    return ops.cast(number, dtype="int64") if isinstance(number, GraphArray) else np.int64(number)
