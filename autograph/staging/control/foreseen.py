"""What is found out about a loop, foreseen from an earlier recording of it.

A loop is recorded at least twice if it changes lists, objects or arrays from outside: they become
part of its state when that is seen. It is recorded once more for variables whose types change. In a
nest each pass over a loop records those inside again, and passes multiply. So what a loop was found
to change is kept, and taken into the state at once when the same loop is recorded again, in another
recording of the function as well. It is a guess, since the loop may belong to another call of its
function: a pass that does not change all of it is made again without.

What is known of the variables is kept, too, for loops that see the same as before; see
`autograph.staging.control.outlook`. If a pass shows something else, it is made again without.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from autograph.staging.arrays.array import GraphArray
from autograph.staging.containers.containers import contents
from autograph.staging.control.outlook import Outlook
from autograph.staging.ground.identity import ByIdentity
from autograph.staging.ground.recorder import recorder
from autograph.staging.joins.variables import Variable
from autograph.staging.joins.without_axes import Marks
from autograph.staging.lists.elements import ElementType
from autograph.staging.values.leaves import Known, Leaf, OneOf
from ops.core.records import NamedTuple
from ops.core.types import PYTHON_SCALARS


class Settled(NamedTuple):
    """What is known of the variables of a loop in the end.

    Attributes:
        seen: what the loop saw.
        facts: of each variable; None of those of which that was known before the loop.
        rows: the types of the elements of lists that the loop keeps as rows, and that were not kept
            so before, by their positions among the containers that it changes.
        marks: see `RecordedLoop`.
    """

    seen: Outlook
    facts: list[Variable | None]
    rows: dict[int, ElementType]
    marks: Marks

    def known(self, facts: Sequence[Variable], marks: Marks) -> tuple[list[Variable], Marks]:
        """What is known of the variables of a loop that sees the same.

        Args:
            facts, marks: the same before the loop.
        """
        if len(facts) != len(self.facts):
            return list(facts), marks
        known = [fact if new is None else new for fact, new in zip(facts, self.facts)]
        return known, [list(row) for row in self.marks]


def loop_key(code: Any) -> Hashable:
    """What tells the body of a loop from others, in each recording."""
    return code and (code.co_filename, code.co_firstlineno, code.co_name)


def settled_facts(
    before: Sequence[Variable], after: Sequence[Variable]
) -> list[Variable | None] | None:
    """What is known of variables in the end, None of those of which it was known before; None
    instead of the list if other recordings can't know it, of objects of this one."""
    found = [None if new == old else new for old, new in zip(before, after)]
    leaves = [leaf for fact in found if fact is not None for leaf in fact.leaves]
    return found if all(map(_lasts, leaves)) else None


def _lasts(leaf: Leaf) -> bool:
    contents = leaf.objects if isinstance(leaf, OneOf) else ()
    contents = (leaf.content,) if isinstance(leaf, Known) else contents
    return all(type(content) in (*PYTHON_SCALARS, str, type(None)) for content in contents)


class SettledLoops:
    """What is known of loops, by the loop and what it saw: the last of each."""

    most = 12  # of one loop
    most_misses = 3  # of a loop that sees something else each time

    def __init__(self) -> None:
        self._settled: dict[Hashable, list[Settled]] = {}
        self._misses: Counter[Hashable] = Counter()

    def of(self, loop: Hashable, look: Callable[[], Outlook | None]) -> Settled | None:
        """What is known of a loop that sees what ``look`` gives, if something is."""
        known = self._settled.get(loop)
        seen = look() if known and self.may_help(loop) else None
        if not known or seen is None:
            return None
        found = next((settled for settled in known if settled.seen.same(seen)), None)
        self._misses[loop] += 1 if found is None else -self.most_misses
        return found

    def may_help(self, loop: Hashable) -> bool:
        """Whether it pays to look what a loop sees."""
        return self._misses[loop] < self.most_misses

    def note(self, loop: Hashable, settled: Settled) -> None:
        known = self._settled.setdefault(loop, [])
        known.insert(0, settled)
        del known[self.most :]

    def forget(self, loop: Hashable, settled: Settled | None) -> None:
        """It was not right."""
        known = self._settled.get(loop, [])
        self._settled[loop] = [other for other in known if other is not settled]


class Foreseen:
    """The places of what loops were found to change, in a recording; see `ChangedPlaces`."""

    def __init__(self) -> None:
        # With what had been learnt of the function by then.
        self._changed: dict[Hashable, tuple[list[Hashable], list[Hashable], tuple[Any, ...]]] = {}

    def note(
        self, loop: Hashable, names: Mapping, containers: Iterable[Any], arrays: Iterable[Any]
    ) -> None:
        """Note what a loop changes.

        Args:
            names: of all containers that it can reach.
        """
        containers, arrays = list(containers), list(arrays)
        if not (containers or arrays):
            self.forget(loop)
            return
        places = ChangedPlaces(names)
        found = [places.of(container) for container in containers]
        boxes = places.of_arrays() if arrays else ByIdentity()
        self._changed[loop] = (
            [place for place in found if place is not None],
            [boxes[array] for array in arrays if array in boxes],
            recorder().learnt.situation(),
        )

    def forget(self, loop: Hashable) -> None:
        """The loop may as well change nothing."""
        self._changed.pop(loop, None)

    def of(
        self, loop: Hashable, reach: Callable[[], Mapping]
    ) -> tuple[list[tuple[Any, str]], list[GraphArray]]:
        """The containers, with their names, and the arrays that a loop probably changes.

        Args:
            reach: gives the names of all containers that it can reach.
        """
        known = self._changed.get(loop)
        if known is None:
            return [], []
        names = reach()
        places = ChangedPlaces(names)
        containers = {places.of(container): (container, name) for container, name in names.items()}
        arrays = {place: array for array, place in places.of_arrays().items()} if known[1] else {}
        found = (
            [containers[place] for place in known[0] if place in containers],
            [arrays[place] for place in known[1] if place in arrays],
        )
        # Where containers have other forms now, some of them may be others as well.
        is_whole = list(map(len, found)) == list(map(len, known[:2]))
        return found if is_whole or known[2] == recorder().learnt.situation() else ([], [])


class ChangedPlaces:
    """Where containers and arrays are found in each recording of a loop, in which they may be other
    ones: by the names and kinds of the containers, and which of those with the same they are.

    Args:
        names: of all containers that the loop can reach.
    """

    def __init__(self, names: Mapping):
        self.names = names
        self._places = ByIdentity()
        counts: dict[Hashable, int] = {}
        for container, name in names.items():
            what = name, type(container)
            counts[what] = counts.get(what, 0) + 1
            self._places[container] = *what, counts[what]

    def of(self, container: Any) -> Hashable | None:
        """The place of a container, None if it was not reached."""
        return self._places.get(container)

    def of_arrays(self) -> ByIdentity:
        """The places of the arrays that are in containers, or come from outside the function."""
        found = ByIdentity()
        for array, place in self._arrays():
            if array not in found:
                found[array] = place
        return found

    def _arrays(self) -> Iterator[tuple[GraphArray, Hashable]]:
        for key, (_, array) in recorder().outside.captured.items():
            yield array, key
        for container, place in self._places.items():
            for position, value in enumerate(contents(container).values):
                if type(value) is GraphArray:
                    yield value, (place, position)
