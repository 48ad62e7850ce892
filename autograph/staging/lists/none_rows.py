"""Elements that may be None where NumPy, or an order, needs numbers."""

from __future__ import annotations

from typing import Any

import numpy as np

import ops
from autograph.errors import UnsupportedFunctionError
from autograph.staging.arrays.array import GraphArray
from autograph.staging.ground.errors import user_location
from autograph.staging.ground.nesting import LEAF, TupleOf
from autograph.staging.lists.columns import Column, Rows
from autograph.staging.lists.none_elements import holds_none, may_be_none
from autograph.staging.values.maybe import none_or, stored
from ops.control import effects

_NEEDED = "None is used where a number or an array is needed"


class Presence(GraphArray):
    """Which elements of a list are not None, as a leaf of an argument or result: its tangent has
    the same."""

    __slots__ = ()


def boxes(rows: Rows) -> list[GraphArray]:
    """The columns as leaves of an argument or result."""
    if not (holds_none(rows.structure) and isinstance(rows.structure, TupleOf)):
        return [column.boxed for column in rows.columns]
    found = [box for item in rows.items for box in boxes(item)]
    if may_be_none(rows.structure):
        found[0] = Presence(found[0].value)
    return found


def without_none(rows: Rows, doing: str, least: int = 1) -> Rows:
    """Elements of which none is None.

    Args:
        doing: what needs them.
        least: of so many elements one may not be None.

    Raises:
        TypeError: one of them is, when the program runs.
    """
    if not holds_none(rows.structure):
        return rows
    is_there, *known = rows.items if may_be_none(rows.structure) else (None,)
    if is_there is None or not known or holds_none(known[0].structure):
        raise UnsupportedFunctionError(
            f"{doing} whose elements are None, or tuples in which what is None is known only at "
            "run time",
            user_location(),
            id="AG0584",
            fix="put a number in the place of None, such as math.nan or -1",
        )
    all_there = ops.all(GraphArray(is_there.columns[0].value))
    if least > 1:
        all_there = ops.logical_or(all_there, ops.less(rows.length, least))
    effects.check(all_there, error="TypeError", message=_NEEDED)
    (found,) = known
    return found


def as_stored(rows: Rows, dtype: Any) -> Rows:
    """Elements as an array has them, in which None is NaN or False if that is said of its dtype."""
    is_number = may_be_none(rows.structure) and len(rows.columns) == 2
    if dtype is None or not is_number or rows.columns[1].element.shape:
        return without_none(rows, "an array is made of a list")
    kind = np.dtype(dtype)
    if kind.kind not in "fcb":
        return without_none(rows, "an array is made of a list")
    is_there, values = (GraphArray(column.value) for column in rows.columns)
    found = stored(none_or(is_there, values), kind)
    return Rows(LEAF, (Column(found.value, rows.columns[1].element._replace(dtype=kind)),))
