"""Arrays that a loop both rebinds and changes in place.

Inside the loop such a variable stands for several arrays, one per trip, among them the one it held
before the loop. If the body changes it in place, that array changes too, under whatever other name
it has. Two cases are told apart:

* Buffers: the body only hands the arrays it was given from name to name, as in ``u, v = v, u``.
  Then there are as many arrays after the loop as before it, and when the number of trips is known
  it is known which name each has in the end.
* Otherwise the array from before the loop has changed in the first trip only, and what it contains
  is no longer known. If it is used again, the function is recorded once more, with that trip apart;
  see `autograph.staging.ground.first_trips`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Any

from autograph.errors import MutationError
from autograph.graph.graph import Graph, Value
from autograph.staging.arrays.array import GraphArray
from autograph.staging.ground.errors import user_location
from autograph.staging.ground.identity import ByIdentity
from autograph.staging.joins.origins import (
    SharedOrigins,
    arriving,
    boxes_of,
    kept_by_trip,
    new_boxes_of,
    origins,
    shared_by_trips,
)
from autograph.staging.joins.variables import Variable
from autograph.staging.values.leaves import Optional


class Sharing:
    """Which arrays a loop is given, hands on, and leaves.

    Args:
        init: the leaves of the variables before the loop.
        entered: what stood for them in the body.
        left: what the body left in them.
        facts: what is known of the variables before any trip.
        is_older: whether an array is from outside the body.
    """

    def __init__(
        self,
        init: Sequence[Sequence[Any]],
        entered: Sequence[Sequence[Any]],
        left: Sequence[Sequence[Any]],
        facts: Sequence[Variable],
        is_older: Callable[[GraphArray], bool],
    ):
        self.facts = facts
        self.init = boxes_of(facts, init)
        self.entered = new_boxes_of(facts, entered)
        self.left = boxes_of(facts, left)
        self.given = [box for box in self.init if box is not None]
        self.outer = ByIdentity((b, None) for b in self.left if b is not None and is_older(b))
        self.unread: set[int] = set()
        self.kept = kept_by_trip(self.entered, self.left, is_older)
        self.shared = shared_by_trips(self.init, self.kept, self.entered, self.left, is_older)

    def assumed(self, cells: Collection[GraphArray]) -> SharedOrigins:
        """What the variables may share memory with from the second trip on. That they may hold
        what others were given is none of it, if the loop does not change that under another name:
        see `require_one_name`.

        Args:
            cells: the arrays from outside that are further state.
        """
        return self.shared.without(
            array for array in self.given if not any(part in cells for part in _memory(array))
        )

    def note_unread(self, given: Sequence[Value | None], body: Graph) -> set[int]:
        """The positions of arrays that no trip reads as it finds them, nor hands on: what a trip
        leaves there is the loop's result if it is the last one, and else is gone.

        Args:
            given: what the arrays hold at the beginning of a trip.
            body: as it was recorded.
        """
        read = _read([body])
        self.unread = {p for p, v in enumerate(given) if v is not None and v not in read}
        return self.unread

    def require_one_name(
        self,
        changed: Collection[int],
        graphs: Sequence[Graph],
        cells: Collection[GraphArray],
        viewed: Sequence[GraphArray],
    ) -> None:
        """Raise if an array that the loop changes is also used under another name inside it.

        Args:
            changed: the positions of the arrays that the body is given and changes in place.
            graphs: of the loop's regions.
            cells: the arrays from outside that are further state.
            viewed: the views from outside that the loop reads.
        """
        captured = {value for graph in graphs for value in graph.captures}
        reached = self._reached(changed)
        own = {p: _memory(given) for p, given in enumerate(self.init) if given is not None}
        memory = [own[p] for p in own if p in reached]
        others = [own[p] for p in own if p not in reached and p not in self.unread]
        outer = [left for p, left in enumerate(self.left) if p in reached and left in self.outer]
        used = [*(array for arrays in memory for array in arrays), *outer]
        used += [self.init[p] for p in reached if self.init[p] is not None]
        if (
            _overlap(memory)
            or _meet(memory, others)
            or self._leaves_twice(reached)
            or any(array._value in captured or array in cells for array in used)
            or _meet(memory, map(_memory, viewed))
        ):
            raise self._two_names()

    def _reached(self, changed: Collection[int]) -> set[int]:
        """The positions whose arrays the body may change, in this trip or a later one."""
        return set(changed).union(*(arriving(self.kept, p) for p in changed))

    def _leaves_twice(self, reached: Collection[int]) -> bool:
        """Whether the body leaves in two variables what it changes in a later trip."""
        boxes = [box for p, box in enumerate(self.left) if box is not None and p in reached]
        others = {
            id(box)
            for p, box in enumerate(self.left)
            if box is not None and p not in reached and p not in self.unread
        }
        return _repeats(boxes) or any(id(box) in others for box in boxes)

    @staticmethod
    def _two_names() -> MutationError:
        return MutationError(
            "an array that this loop rebinds is changed in place under one name and used under "
            "another",
            user_location(),
            id="AG0326",
            fix="make a copy before changing it: x = x.copy()",
        )

    def after(
        self, leaves: Sequence[Sequence[Any]], count: Any, changed: Collection[int]
    ) -> list[list[Any]]:
        """The leaves of the variables after the loop.

        Args:
            leaves: the same, with new arrays that hold the loop's results.
            count: the number of trips; None for a loop whose trips are not counted.
            changed: the positions of the arrays that the body is given and changes in place.
        """
        boxes = new_boxes_of(self.facts, leaves)
        handed_on = self._handed_on()
        reached = self._reached(changed)
        if isinstance(count, int):
            where = _power(handed_on, count)
        else:  # each name keeps its array
            where = {p: q for p, q in handed_on.items() if p == q}
        replaced: dict[int, GraphArray] = {}
        for position, origin in where.items():
            box, array = boxes[position], self.init[origin]
            if box is None or array is None:
                continue
            replaced[id(box)] = array
            if position in reached:
                array.write(box._value)
        lost = self._lose_track(reached.difference(where), handed_on, count)
        shared = self.shared if isinstance(count, int) and count != 0 else self._without_trips()
        shared.without(lost).note([None if id(box) in replaced else box for box in boxes])
        return [[replaced.get(id(leaf), leaf) for leaf in parts] for parts in leaves]

    def _lose_track(
        self, positions: Collection[int], handed_on: dict[int, int], count: Any
    ) -> list[GraphArray]:
        """Forget the arrays at ``positions``, which the body may have changed; returns them."""
        lost = []
        for p in positions:
            known = p in handed_on and isinstance(count, GraphArray)
            outer = self.left[p] if self.left[p] in self.outer else None
            for array in (self.init[p], outer):
                if array is not None:
                    array.forget(count.value if known else None, once=p not in handed_on)
                    lost.append(array)
        return lost

    def _without_trips(self) -> SharedOrigins:
        """What is shared if the variables may still have what they had before the loop."""
        outside = [ByIdentity(arrays) for arrays in self.shared.outside]
        for arrays, given in zip(outside, self.init):
            arrays.update([] if given is None else [(given, None)])
        return self.shared._replace(outside=outside)

    def require_unread(self, graphs: Sequence[Graph], cells: Collection[GraphArray]) -> None:
        """Raise if the loop reads an array under the name of a variable that it rebinds, and
        changes it under another."""
        read = _read(graphs)
        for given, entered in zip(self.init, self.entered):
            if given is None or entered is None or entered._value not in read:
                continue
            if any(array in cells for array in _memory(given)):
                raise self._two_names()

    def _handed_on(self) -> dict[int, int]:
        """For the position of each array that the body leaves and only hands from name to name,
        that of the array it was given which it is: for all variables, or else for those whose
        arrays come to no others."""
        kinds = [kind for fact in self.facts for kind in fact.leaves]
        positions = {id(box): p for p, box in enumerate(self.entered) if box is not None}
        found = {}
        for p in positions.values():
            given, q = self.init[p], positions.get(id(self.left[p]))
            certain = not isinstance(kinds[p], Optional)
            if certain and given is not None and q is not None and given.type == kinds[p]:
                found[p] = q
        if len(found) == len(positions) and len(set(found.values())) == len(found):
            return found
        pairs = [pair for pair in self.shared.pairs if self.unread.isdisjoint(pair)]
        paired = {p for pair in pairs for p in pair}
        while True:
            later = [p for p in positions.values() if p not in found and p not in self.unread]
            elsewhere = paired.union(*(self.kept[p] for p in later))
            within = set(found.values()).intersection(found) - elsewhere
            if len(within) == len(found):
                return found
            found = {p: q for p, q in found.items() if p in within and q in within}


def _read(graphs: Sequence[Graph]) -> set[Value]:
    """The values that some regions read or give."""
    read = {v for graph in graphs for node in graph.nodes for v in node.uses()}
    return read.union(v for graph in graphs for v in graph.outputs)


def _memory(array: GraphArray) -> ByIdentity:
    """The arrays that an array is, in the end, a part of, or may share memory with."""
    return origins(array, lambda array: False).inside


def _meet(some: Iterable[ByIdentity], others: Iterable[ByIdentity]) -> bool:
    """Whether arrays of the first may share memory with arrays of the second."""
    known = {id(array) for arrays in some for array in arrays}
    return any(id(array) in known for arrays in others for array in arrays)


def _overlap(memory: Sequence[ByIdentity]) -> bool:
    """Whether two of some arrays may share memory."""
    return _repeats([array for arrays in memory for array in arrays])


def _repeats(arrays: Sequence[GraphArray]) -> bool:
    return len({id(array) for array in arrays}) < len(arrays)


def _power(origins: dict[int, int], exponent: int) -> dict[int, int]:
    """Where the array at each position comes from after that many trips."""
    result = {p: p for p in origins}
    base = dict(origins)
    while exponent:
        if exponent & 1:
            result = {p: base[q] for p, q in result.items()}
        base = {p: base[q] for p, q in base.items()}
        exponent >>= 1
    return result
