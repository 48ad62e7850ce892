"""Members of enums that are integers: which of them compute as their ints do.

NumPy takes a member of an `enum.IntEnum` for an int64, and Python for an int.
"""

from __future__ import annotations

import enum
from typing import Any

# A class that defines one of these computes in its own way.
_OPERATORS = ("__add__", "__radd__", "__mul__", "__rmul__", "__eq__", "__lt__", "__index__")


def is_number(value: Any) -> bool:
    """Whether a value is a member of an enum that computes as its int does."""
    kind = type(value)
    if not issubclass(kind, enum.Enum) or not issubclass(kind, int) or issubclass(kind, enum.Flag):
        return False
    own = kind.__mro__[: kind.__mro__.index(int)]
    defined = {name for k in own if k.__module__ != "enum" for name in vars(k)}
    return defined.isdisjoint(_OPERATORS)
