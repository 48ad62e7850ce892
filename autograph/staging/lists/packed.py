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
from autograph.staging.ground.nesting import LEAF, TupleOf
from autograph.staging.lists.columns import Column
from autograph.staging.lists.elements import ROWS, ElementType
from ops.core.records import NamedTuple
from ops.core.types import type_of, weak

_DTYPES = {float: np.float64, int: np.int64, np.float64: np.float64}


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
    kinds = set(map(type, items))
    if len(kinds) != 1:
        return None
    (kind,) = kinds
    if kind is not tuple:
        column = _column(kind, items)
        return None if column is None else (_of_numbers(kind), [column])
    width = len(items[0])
    if not width or set(map(len, items)) != {width}:
        return None
    columns, types = [], []
    for part in zip(*items):
        kinds = set(map(type, part))
        (kind,) = kinds if len(kinds) == 1 else (None,)
        column = _column(kind, part)
        if column is None:
            return None
        columns.append(column)
        types.append(_element_type(kind))
    structure = TupleOf(tuple, (LEAF,) * width)
    return Packed(ElementType(structure, tuple(types))), columns


def _of_numbers(kind: type) -> Packed:
    return Packed(ElementType(LEAF, (_element_type(kind),)))


def _element_type(kind: type) -> Any:
    return type_of(np.float64(0)) if kind is np.float64 else weak(kind)


def _column(kind: Any, items: Sequence[Any]) -> np.ndarray | None:
    """Numbers of one class as an array; None if they are too large for one, or of another class."""
    dtype = _DTYPES.get(kind)
    if dtype is None:
        return None
    try:
        return np.array(items, dtype)
    except OverflowError:
        return None
