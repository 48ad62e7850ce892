"""When a call of a kernel takes so long that other threads of Python shall run meanwhile."""

from __future__ import annotations

from collections.abc import Sequence

from ops.core.records import NamedTuple

MOST_INPUTS = 63  # whose positions are told


class LongFrom(NamedTuple):
    """Calls that take long: those in which one of some inputs, int64s, is at least a number.

    Attributes:
        least: the number; 0: all calls do.
        inputs: the positions of the inputs.
    """

    least: int
    inputs: Sequence[int] = ()


ALWAYS, NEVER = LongFrom(0), LongFrom(1)
