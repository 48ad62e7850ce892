"""What is known of the digits of a value."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum

import numpy as np

from autograph.graph.graph import Value
from ops.core.types import ArrayType, Type


class Mark(Enum):
    """What low precision makes of a value.

    LOW: its numbers are those of the narrow format. WIDE: they may have more digits. KEPT: they are
    those of an argument that is to keep its digits, also in products.
    """

    LOW = "low"
    WIDE = "wide"
    KEPT = "kept"


def can_be_low(type: Type) -> bool:
    """Whether values of a type are real numbers with more digits than those of narrow formats."""
    return isinstance(type, ArrayType) and type.dtype in (np.float32, np.float64)


def is_number(value: Value) -> bool:
    """Whether a value is a Python number, which takes the precision of what it meets."""
    return isinstance(value.type, ArrayType) and value.type.weak


def joined(marks: Iterable[Mark]) -> Mark:
    """The mark of a value that may be any of some."""
    found = set(marks)
    if Mark.KEPT in found:
        return Mark.KEPT
    return Mark.LOW if found == {Mark.LOW} else Mark.WIDE
