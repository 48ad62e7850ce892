"""Of what kind the numbers in a list are: numbers of one class, or in tuples of one length."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from autograph.staging.ground.nesting import LEAF, TupleOf
from autograph.staging.lists.elements import ElementType
from ops.core.types import ArrayType, weak

# By the class of a number, its type in a list: that of an array of them but for shape and weakness.
NUMBERS: dict[type, ArrayType] = {
    **{kind: weak(kind) for kind in (bool, int, float, complex)},
    **{kind: ArrayType(np.dtype(kind), ()) for kind in (np.int64, np.float64)},
}


def kind_of_numbers(
    items: Sequence[Any], types: Mapping[type, ArrayType] = NUMBERS
) -> ElementType | None:
    """What is known of the elements of a list that has some; None if they are not of one kind.

    Args:
        types: of the classes of numbers that there may be.
    """
    kinds = set(map(type, items))
    if len(kinds) > 1:
        return None
    (kind,) = kinds
    if kind in types:
        return ElementType(LEAF, (types[kind],))
    if kind is not tuple or len(set(map(len, items))) != 1 or not items[0]:
        return None
    columns = [set(map(type, column)) for column in zip(*items)]
    if any(len(found) > 1 or not found <= types.keys() for found in columns):
        return None
    found = tuple(types[kind] for (kind,) in columns)
    return ElementType(TupleOf(tuple, (LEAF,) * len(found)), found)
