"""What a loop changes, foreseen from an earlier recording of it.

A loop is recorded at least twice if it changes lists, objects or arrays from outside: they become
part of its state when that is seen. In a nest each pass over a loop records those inside again, and
passes multiply. So what a loop was found to change is kept, and taken into the state at once when
the same loop is recorded again, in another recording of the function as well. It is a guess, since
the loop may belong to another call of its function: a pass that does not change all of it is made
again without.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from typing import Any

from autograph.staging.arrays.array import GraphArray
from autograph.staging.containers.containers import contents
from autograph.staging.ground.identity import ByIdentity
from autograph.staging.ground.recorder import recorder


def loop_key(code: Any) -> Hashable:
    """What tells the body of a loop from others, in each recording of the function."""
    return code and (code.co_filename, code.co_firstlineno, code.co_name)


class Foreseen:
    """The places of what loops were found to change, in recordings; see `ChangedPlaces`."""

    def __init__(self) -> None:
        self._changed: dict[
            Hashable, tuple[list[tuple[Hashable, frozenset[int]]], list[Hashable]]
        ] = {}

    def note(
        self,
        loop: Hashable,
        names: Mapping,
        containers: Iterable[tuple[Any, frozenset[int]]],
        arrays: Iterable[Any],
    ) -> None:
        """Note what a loop changes.

        Args:
            names: of all containers that it can reach.
            containers: with the positions of the values in them that are always the same.
        """
        containers, arrays = list(containers), list(arrays)
        if not (containers or arrays):
            self.forget(loop)
            return
        places = ChangedPlaces(names)
        found = [(places.of(container), steady) for container, steady in containers]
        boxes = places.of_arrays() if arrays else ByIdentity()
        self._changed[loop] = (
            [(place, steady) for place, steady in found if place is not None],
            [boxes[array] for array in arrays if array in boxes],
        )

    def forget(self, loop: Hashable) -> None:
        """The loop may as well change nothing."""
        self._changed.pop(loop, None)

    def of(
        self, loop: Hashable, reach: Callable[[], Mapping]
    ) -> tuple[list[tuple[Any, str, frozenset[int]]], list[GraphArray]]:
        """The containers that a loop probably changes, with their names and the positions of values
        that it leaves, and the arrays.

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
        return (
            [(*containers[place], steady) for place, steady in known[0] if place in containers],
            [arrays[place] for place in known[1] if place in arrays],
        )


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
