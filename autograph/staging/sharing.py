"""Arrays that a loop both rebinds and changes in place.

Inside the loop such a variable stands for several arrays, one per trip, among them the one it held
before the loop. If the body changes it in place, that array changes too, under whatever other name
it has. Two cases are told apart:

* Buffers: the body only hands the arrays it was given from name to name, as in ``u, v = v, u``.
  Then there are as many arrays after the loop as before it, and when the number of trips is known
  it is known which name each has in the end.
* Otherwise the array from before the loop has changed in the first trip only, and what it contains
  is no longer known. It may not be used again.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Any

from autograph.errors import MutationError
from autograph.graph.graph import Graph
from autograph.staging.array import GraphArray
from autograph.staging.errors import user_location
from autograph.staging.identity import ByIdentity
from autograph.staging.leaves import Known
from autograph.staging.maybe import MaybeNone
from autograph.staging.origins import Shared, boxes_of, new_boxes_of, origins, shared_by_trips
from autograph.staging.variables import Variable
from autograph.staging.views import View


class Sharing:
    """Which arrays a loop is given, hands on, and leaves.

    Args:
        init: the leaves of the variables before the loop.
        entered: what stood for them in the body.
        left: what the body left in them.
        ends: what is known of ``left``.
        facts: what is known of the variables before any trip.
        is_older: whether an array is from outside the body.
    """

    def __init__(
        self,
        init: Sequence[Sequence[Any]],
        entered: Sequence[Sequence[Any]],
        left: Sequence[Sequence[Any]],
        ends: Sequence[Variable],
        facts: Sequence[Variable],
        is_older: Callable[[GraphArray], bool],
    ):
        self.given = _arrays(init)
        self.entered = _arrays(entered)
        self.left = _arrays(left)
        self.outer = [leaf.content for f in ends for leaf in f.leaves if is_outer_array(leaf)]
        self.facts = facts
        self.init = boxes_of(facts, init)
        self.entered_boxes = new_boxes_of(facts, entered)
        ends_boxes = boxes_of(facts, left)
        self.shared = shared_by_trips(self.init, self.entered_boxes, ends_boxes, is_older)

    def require_one_name(
        self,
        graphs: Sequence[Graph],
        cells: Collection[GraphArray],
        viewed: Sequence[GraphArray],
    ) -> None:
        """Raise if an array that the loop changes is also used under another name inside it.

        Args:
            graphs: of the loop's regions.
            cells: the arrays from outside that are further state.
            viewed: the views from outside that the loop reads.
        """
        captured = {value for graph in graphs for value in graph.captures}
        owners = [_owner(array) for array in self.given]
        used = [*owners, *self.given, *self.outer]
        if (
            _repeats(owners)
            or _repeats(self.left)
            or any(array.value in captured or array in cells for array in used)
            or _meet(self.given, viewed)
        ):
            raise self._two_names()

    @staticmethod
    def _two_names() -> MutationError:
        return MutationError(
            "an array that this loop rebinds is changed in place under one name and used under "
            "another",
            user_location(),
            id="AG0326",
            fix="make a copy before changing it: x = x.copy()",
        )

    def after(self, leaves: Sequence[Sequence[Any]], count: Any, changed: bool) -> list[list[Any]]:
        """The leaves of the variables after the loop.

        Args:
            leaves: the same, with new arrays that hold the loop's results.
            count: the number of trips; None for a loop whose trips are not counted.
            changed: whether the body changes the arrays it is given in place.
        """
        results = _arrays(leaves)
        handed_on = self._handed_on()
        replaced: dict[int, GraphArray] = {}
        lost: list[GraphArray] = []
        if handed_on == [*range(len(results))]:
            where = handed_on  # each name keeps its array, however many trips there are
        elif handed_on is not None and isinstance(count, int):
            where = _power(handed_on, count)
        else:
            where = []
            lost = self._lose_track(handed_on, count) if changed else []
        for result, position in zip(results, where):
            array = replaced[id(result)] = self.given[position]
            if changed:
                array.write(result.value)
        shared = self.shared if isinstance(count, int) and count != 0 else self._without_trips()
        boxes = new_boxes_of(self.facts, leaves)
        shared.without(lost).note([None if id(box) in replaced else box for box in boxes])
        return [[replaced.get(id(leaf), leaf) for leaf in parts] for parts in leaves]

    def _lose_track(self, handed_on: Any, count: Any) -> list[GraphArray]:
        """Forget the arrays that the body may have changed; returns them."""
        needed = count.value if handed_on is not None and isinstance(count, GraphArray) else None
        lost = [*self.given, *self.outer]
        for array in lost:
            array.forget(needed)
        return lost

    def _without_trips(self) -> Shared:
        """What is shared if the variables may still have what they had before the loop."""
        outside = [ByIdentity(arrays) for arrays in self.shared.outside]
        for arrays, given in zip(outside, self.init):
            arrays.update([] if given is None else [(given, None)])
        return self.shared._replace(outside=outside)

    def require_unread(self, graphs: Sequence[Graph], cells: Collection[GraphArray]) -> None:
        """Raise if the loop reads an array under the name of a variable that it rebinds, and
        changes it under another."""
        read = {v for graph in graphs for node in graph.nodes for v in node.uses()}
        read.update(v for graph in graphs for v in graph.outputs)
        for given, entered in zip(self.init, self.entered_boxes):
            if given is None or entered is None or entered._value not in read:
                continue
            if any(array in cells for array in origins(given, lambda array: False).inside):
                raise self._two_names()

    def _handed_on(self) -> list[int] | None:
        """For each array the body leaves, which of those it was given it is; None if not all
        are."""
        positions = {id(array): i for i, array in enumerate(self.entered)}
        if any(id(array) not in positions for array in self.left):
            return None
        if len(self.given) != len(self.entered) or len(self.left) != len(self.entered):
            return None
        if any(a.type != b.type for a, b in zip(self.given, self.entered)):
            return None
        return [positions[id(array)] for array in self.left]


def _owner(array: GraphArray) -> GraphArray:
    """The array that a view is, in the end, a part of."""
    while isinstance(array._view, View):
        array = array._view.base
    return array


def is_outer_array(leaf: Any) -> bool:
    """Whether a fact is that a variable holds a certain array from outside."""
    return (
        isinstance(leaf, Known) and isinstance(leaf.content, GraphArray) and bool(leaf.content.ndim)
    )


def _arrays(leaves: Sequence[Sequence[Any]]) -> list[GraphArray]:
    """The arrays, not the numbers, among the leaves of some variables."""
    return [
        leaf
        for parts in leaves
        for leaf in parts
        if isinstance(leaf, GraphArray) and not isinstance(leaf, MaybeNone) and leaf.ndim
    ]


def _meet(arrays: Sequence[GraphArray], others: Sequence[GraphArray]) -> bool:
    """Whether some arrays may share memory with some others."""
    memory = ByIdentity()
    for array in arrays:
        memory.update(origins(array, lambda array: False).inside)
    return any(
        array in memory for other in others for array in origins(other, lambda array: False).inside
    )


def _repeats(arrays: Sequence[GraphArray]) -> bool:
    return len({id(array) for array in arrays}) < len(arrays)


def _power(permutation: Sequence[int], exponent: int) -> list[int]:
    """Where each position comes from after applying a permutation that many times."""
    result = list(range(len(permutation)))
    base = list(permutation)
    while exponent:
        if exponent & 1:
            result = [base[i] for i in result]
        base = [base[i] for i in base]
        exponent >>= 1
    return result
