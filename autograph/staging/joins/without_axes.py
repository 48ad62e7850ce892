"""Which results of control flow are arrays of no axes rather than numbers.

Their types are the same, but such an array can be changed in place, under every name that it has.
Where only one path leaves an array, the result may be one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from autograph.staging.arrays.array import GraphArray
from autograph.staging.joins.sides import Side
from autograph.staging.joins.variables import Variable
from autograph.staging.values.maybe import MaybeNone

Marks = list[list[bool]]


def arrays_without_axes(joined: Sequence[Variable], sides: Sequence[Side]) -> Marks:
    """For each leaf of the variables whether it is an array of no axes on one of the sides."""
    marks = [[False] * len(variable.leaves) for variable in joined]
    for side in sides:
        for row, leaves in zip(marks, side.leaves_for(joined)):
            row[: len(leaves)] = [a or _is_one(leaf) for a, leaf in zip(row, leaves)]
    return marks


def mark_arrays(leaves: list[list[Any]], marks: Marks) -> list[list[Any]]:
    """Make new leaves be arrays where they are marked; returns the leaves."""
    for parts, row in zip(leaves, marks):
        for leaf, mark in zip(parts, row):
            if mark and isinstance(leaf, GraphArray) and not leaf.ndim:
                leaf.is_array = True
                if isinstance(leaf, MaybeNone):
                    leaf.content.is_array = True
    return leaves


def _is_one(leaf: Any) -> bool:
    return isinstance(leaf, GraphArray) and (
        leaf.is_array or (isinstance(leaf, MaybeNone) and leaf.content.is_array)
    )
