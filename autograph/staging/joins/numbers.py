"""Variables that hold one number: what is known of them depends on nothing else."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from typing import Any

from autograph.staging.arrays.array import GraphArray
from autograph.staging.ground.nesting import LEAF
from autograph.staging.joins.sides import Side
from autograph.staging.joins.variables import ALWAYS, Variable, join, traced
from autograph.staging.values.leaves import Mismatch, Promoted
from autograph.staging.values.promoted import PromotedNumber
from ops.core.types import PYTHON_SCALARS, ArrayType


def with_numbers(
    facts: Sequence[Variable], slots: Sequence[tuple[str, Any]], side: Callable[..., Side]
) -> list[Variable]:
    """What is known of variables that hold what they did, or these contents, as far as both are
    numbers; of the others what was known.

    Args:
        facts: what is known.
        slots: the names and contents of the first of the variables.
        side: gives the `Side` of some slots.
    """
    found = list(facts)
    for position, (name, content) in enumerate(slots):
        if _is_number(content) and _is_of_number(facts[position]):
            (variable,) = side([(name, content)]).variables
            with contextlib.suppress(Mismatch):  # which is heard of when all is known
                found[position] = join(facts[position], traced(variable))
    return found


def _is_number(content: Any) -> bool:
    """Whether it is one number. To ask for a shape would record the lengths that the run knows."""
    if type(content) in (GraphArray, PromotedNumber):
        return not content.ndim
    return type(content) in PYTHON_SCALARS


def _is_of_number(fact: Variable) -> bool:
    """Whether a variable is known to hold one number."""
    return (
        fact.defined == ALWAYS
        and fact.structure is LEAF
        and all(
            isinstance(leaf, Promoted) or (isinstance(leaf, ArrayType) and not leaf.shape)
            for leaf in fact.leaves
        )
    )
