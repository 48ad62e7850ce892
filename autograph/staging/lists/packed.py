"""Lists of numbers among the arguments that a function takes as arrays, one for each part of an
element.

Were the elements of ``samples`` inputs of the graph, one by one, a loop over them would be recorded
as often as there are elements, and a list of another length would be another signature. A *packed*
list is kept as rows from the start (see `autograph.staging.lists.columns`): its length is that of
arrays, of which symbols may be the lengths.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from autograph.staging.arrays.array import GraphArray
from autograph.staging.ground.nesting import LEAF
from autograph.staging.lists.columns import Column
from autograph.staging.lists.elements import NUMBERS, ROWS, ElementType, kind_of_numbers
from ops.core.records import NamedTuple
from ops.core.types import ArrayType

# Of the numbers in packed lists.
_TYPES: dict[type, ArrayType] = {kind: NUMBERS[kind] for kind in (float, int, np.float64)}
BEGIN = frozenset({*_TYPES, tuple})  # the classes of elements of a list that may be packed


class Packed(NamedTuple):
    """Comes last in the keys of a packed list, after `ROWS` and the structure of its elements.

    Attributes:
        element: what is known of an element.
        is_exact: whether lists may get no numbers of other types; see
            `autograph.staging.ground.exactness`.
    """

    element: ElementType
    is_exact: bool = True

    @property
    def keys(self) -> tuple:
        return ROWS, self.element.structure, self

    def columns(self, parts: Sequence[Any]) -> tuple[Any, ...]:
        """What a list of the function's is made of."""
        return tuple(
            Column(part.value, type) if isinstance(part, GraphArray) else part
            for part, type in zip(parts, self.element.types)
        )


def packed(items: list) -> tuple[Packed, list[np.ndarray]] | None:
    """How the elements of a list can be kept in arrays, and the arrays; None if they can't: they
    must all be floats, all be ints of 64 bits, or tuples of such, of one length."""
    element = kind_of_numbers(items, _TYPES)
    if element is None:
        return None
    columns = [items] if element.structure is LEAF else zip(*items)
    try:
        arrays = [np.array(column, t.dtype) for column, t in zip(columns, element.types)]
    except OverflowError:
        return None
    return Packed(element), arrays
