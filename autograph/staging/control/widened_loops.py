"""Where a loop makes arrays of float32 wide because of one NumPy scalar; see `widening`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from autograph.staging.arrays.array import GraphArray
from autograph.staging.control.widening import cause_of, is_widened, warn
from autograph.staging.joins.variables import Variable
from ops.core.types import ArrayType


def warn_of_widening(
    facts: Sequence[Variable], widened: Sequence[Variable], ends: Iterable[Sequence[Any]]
) -> None:
    """Warn of arrays that a trip of a loop leaves wider than it found them because of one number.

    Args:
        facts, widened: what is known of the variables before a trip, and after it.
        ends: the leaves that it leaves in each of them.
    """
    for fact, variable, leaves in zip(facts, widened, ends):
        if fact.structure != variable.structure:
            continue
        for old, new, end in zip(fact.leaves, variable.leaves, leaves):
            if is_widened(old, new) and isinstance(end, GraphArray):
                assert isinstance(old, ArrayType) and isinstance(new, ArrayType)
                cause = cause_of(end.value)
                if cause is not None:
                    when = "from the first trip on"
                    warn(f"'{fact.name}' in this loop", when, old, new, cause)
