"""Variables that hold numbers, or tuples of them: what is known of them depends on little else.

Where a pass over a loop finds that more belongs to its state, what the pass left in such variables
is what the first trip leaves in them: the next pass may begin with that, a pass less. Of arrays and
lists that is not so, whose shapes may be known only as long as what they are made from is.
"""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from typing import Any

from autograph.staging.arrays.array import GraphArray
from autograph.staging.containers.structure import NoneOrOf, Stacked
from autograph.staging.ground.nesting import LEAF, Structure, TupleOf
from autograph.staging.joins.sides import Side
from autograph.staging.joins.variables import (
    ALWAYS,
    NEVER,
    Expand,
    NeedRows,
    NeedTexts,
    Variable,
    join,
    traced,
)
from autograph.staging.joins.without_axes import Marks, arrays_without_axes
from autograph.staging.lists.lists import Column
from autograph.staging.lists.text_elements import MadeColumn
from autograph.staging.values.leaves import ColumnOf, Known, Mismatch, Optional, Promoted
from autograph.staging.values.maybe import ArrayOrNone, MaybeUndefined
from autograph.staging.values.promoted import PromotedNumber
from ops.control.constructs import Undefined
from ops.core.types import PYTHON_SCALARS, ArrayType


def with_numbers(
    facts: Sequence[Variable], marks: Marks, slots: Sequence[tuple[str, Any]], side: Side
) -> tuple[list[Variable], Marks]:
    """What is known of variables that hold what they did, or these contents, as far as both are
    numbers, or tuples of such, or as they held nothing; of the others what was known.

    What a function returns amid a loop is in a variable that held nothing, which no trip reads. It
    may be anything, of which the next pass may know less; then that begins without.

    Args:
        facts, marks: what is known.
        slots: the names and contents of the first of the variables.
        side: these contents.
    """
    found, marked = list(facts), [list(row) for row in marks]
    for position, ((_, content), variable) in enumerate(zip(slots, side.variables)):
        fact = facts[position]
        if fact.defined == NEVER or (_is_plain(content) and _is_of_numbers(fact)):
            # Mismatches are heard of when all is known.
            with contextlib.suppress(Mismatch, Expand, NeedRows, NeedTexts):
                found[position] = join(fact, traced(variable, but_arrays=fact.defined != ALWAYS))
    marks = arrays_without_axes(found, [side]) if found != facts else marks
    for position, (fact, before, row) in enumerate(zip(found, facts, marks)):
        if fact == before:
            continue
        if len(row) == len(marked[position]):
            row = [a or b for a, b in zip(row, marked[position])]
        marked[position] = row
    return found, marked


def _is_plain(content: Any) -> bool:
    """Whether it is one number, None, a tuple of such, or numbers of a list. To ask for a shape of
    something else would record the lengths that the run knows."""
    if type(content) is MaybeUndefined:
        content = content.content
    if type(content) in (GraphArray, PromotedNumber):
        return not content.ndim
    if type(content) is ArrayOrNone:
        return not content.content.ndim
    if type(content) is tuple:
        return all(map(_is_plain, content))
    if isinstance(content, (Column, Stacked, MadeColumn)):  # of the elements of a list
        return not content.element.shape
    return content is None or type(content) in PYTHON_SCALARS or isinstance(content, Undefined)


def _is_of_numbers(fact: Variable) -> bool:
    """Whether a variable is known to hold such."""
    return _is_of_tuples(fact.structure) and all(map(_is_number, fact.leaves))


def _is_of_tuples(structure: Structure) -> bool:
    if isinstance(structure, NoneOrOf):
        return _is_of_tuples(structure.part)
    if isinstance(structure, TupleOf):
        return structure.kind is tuple and all(map(_is_of_tuples, structure.parts))
    return structure is LEAF


def _is_number(leaf: Any) -> bool:
    if isinstance(leaf, Known):
        return leaf.content is None
    kind = leaf.type if isinstance(leaf, Optional) else leaf
    kind = kind.element if isinstance(kind, ColumnOf) else kind
    return isinstance(kind, Promoted) or (isinstance(kind, ArrayType) and not kind.shape)
