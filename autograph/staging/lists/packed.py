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
from ops.core.types import ArrayType, weak

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
    if type(items[0]) is not tuple:
        column = _column(items)
        return None if column is None else (Packed(ElementType(LEAF, column[:1])), [column[1]])
    width = len(items[0])
    if not width or set(map(type, items)) != {tuple} or set(map(len, items)) != {width}:
        return None
    columns = [_column(part) for part in zip(*items)]
    if None in columns:
        return None
    types, arrays = zip(*filter(None, columns))
    return Packed(ElementType(TupleOf(tuple, (LEAF,) * width), types)), list(arrays)


def _column(items: Sequence[Any]) -> tuple[ArrayType, np.ndarray] | None:
    """The type of numbers of one class, and an array of them; None if they are too large for it, or
    of several classes or another one."""
    kinds = set(map(type, items))
    (kind,) = kinds if len(kinds) == 1 else (object,)
    if kind not in _DTYPES:
        return None
    try:
        array = np.array(items, _DTYPES[kind])
    except OverflowError:
        return None
    return (ArrayType(array.dtype, ()) if kind is np.float64 else weak(kind)), array
