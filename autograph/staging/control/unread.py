"""Variables that no trip of a loop reads: what a function returns amid the loop.

A loop is recorded again when a trip leaves something else in a variable than was known of it. For
one that no trip reads that is not needed: what was recorded would be the same, and the loop's
regions are only given one variable more.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from autograph.staging.ground.nesting import LEAF, Structure, TupleOf
from autograph.staging.joins.origins import boxes_of
from autograph.staging.joins.sides import Side
from autograph.staging.joins.variables import MAYBE, NEVER, Variable
from autograph.staging.joins.without_axes import Marks
from autograph.staging.values.leaves import carried
from ops.control.constructs import NeverRead


def unread_numbers(
    before: Sequence[Variable], after: Sequence[Variable], init: Sequence[Any], end: Side
) -> list[int] | None:
    """The positions of variables of which something else is known after a trip; None if one of
    them may be read, or does not hold numbers or tuples of such, which share nothing with others.

    Args:
        before, after: what is known of the variables before a trip, and after it as well.
        init: what the first of them hold before the loop.
        end: what they hold after a trip.
    """
    changed = [i for i, (old, new) in enumerate(zip(before, after)) if old != new]
    for i in changed:
        if i >= len(init) or not isinstance(init[i], NeverRead) or before[i].defined != NEVER:
            return None
        if not _is_of_numbers(after[i]):
            return None
        if any(box is not None for box in boxes_of([after[i]], [end.leaves[i]])):
            return None
    return changed


def _is_of_numbers(fact: Variable) -> bool:
    kinds = [type for leaf in fact.leaves for type in carried(leaf)]
    return fact.defined == MAYBE and _is_plain(fact.structure) and all(not t.shape for t in kinds)


def _is_plain(structure: Structure) -> bool:
    if isinstance(structure, TupleOf):
        return structure.kind is tuple and all(map(_is_plain, structure.parts))
    return structure is LEAF


def same_but(positions: Collection[int], marks: Marks, others: Marks) -> bool:
    """Whether the marks of variables are the same, and there are none at some positions."""
    return all(
        not any(row) if position in positions else row == other
        for position, (row, other) in enumerate(zip(marks, others))
    )
