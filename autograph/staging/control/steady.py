"""Numbers in objects and dicts that a loop changes, but not these: lengths, orders, switches.

What a trip changes in an object makes all of the object state of the loop. A number in it that is
known, and that the trip in which that was seen left alone, stays what it is, as one in a variable
that the loop does not assign. If another trip changes it, it is known no more.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from autograph.staging.containers.containers import Contents
from autograph.staging.ground.ownership import is_user_object
from autograph.staging.joins.state import Slots
from autograph.staging.joins.variables import Variable
from autograph.staging.lists.elements import SEAT
from ops.core.types import PYTHON_SCALARS

Places = frozenset[int]  # of values in a container


def numbers_left(container: Any, before: Contents, after: Contents) -> Places:
    """Which values of a container are numbers that are known, and the same in two states. Those of
    lists are elements, of one kind with the others."""
    has_names = isinstance(container, dict) or is_user_object(container)
    if not has_names or isinstance(container, list):
        return frozenset()
    if before.keys != after.keys or before.keys[:1] == (SEAT,):
        return frozenset()
    pairs = enumerate(zip(before.values, after.values))
    return frozenset(i for i, (a, b) in pairs if type(a) in PYTHON_SCALARS and a is b)


class Steady:
    """Which variables of a loop are such numbers.

    Args:
        count: how many variables come before those of the containers.
        slots: the containers.
    """

    def __init__(self, count: int, slots: list[Slots]):
        self._count = count
        self._slots = slots
        self._kept: list[tuple[tuple, Places]] = []

    def add(self, start: Contents, kept: Places) -> None:
        """Add the last of the containers, with what it contains before the loop."""
        slot = self._slots[-1]
        self._kept.append((slot.keys, kept & numbers_left(slot.container, start, start)))

    def _each(self) -> Iterator[tuple[int, Places]]:
        """For each container the position of its first variable, and which of its values these are;
        none if it is not built any more as it was."""
        first = self._count
        for slot, (keys, kept) in zip(self._slots, self._kept):
            yield first, kept if slot.keys == keys else frozenset()
            first += len(slot.names)

    def kept(self, facts: Sequence[Variable], before: Sequence[Variable]) -> list[Variable]:
        """What is known of all variables, if these hold what they do before the loop."""
        positions = {first + i for first, kept in self._each() for i in kept}
        return [before[i] if i in positions else fact for i, fact in enumerate(facts)]

    def is_left(self, position: int, fact: Variable, variable: Variable) -> bool:
        """Whether a variable is one of these, and holds after a trip what it did before."""
        return fact == variable and any(position - first in kept for first, kept in self._each())

    def left(
        self, facts: Sequence[Variable], before: Sequence[Variable]
    ) -> list[tuple[Any, Places]]:
        """The containers, with the values in them that no trip changes, by what is known of all
        variables, and by what they hold before the loop."""
        return [
            (slot.container, frozenset(i for i in kept if facts[first + i] == before[first + i]))
            for slot, (first, kept) in zip(self._slots, self._each())
        ]
