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

from collections.abc import Collection, Sequence
from typing import Any

from autograph.errors import MutationError
from autograph.graph.graph import Graph
from autograph.staging.array import GraphArray
from autograph.staging.errors import user_location
from autograph.staging.leaves import Known
from autograph.staging.maybe import MaybeNone
from autograph.staging.variables import Variable
from autograph.staging.views import View


class Sharing:
    """Which arrays a loop is given, hands on, and leaves.

    Args:
        init: the leaves of the variables before the loop.
        entered: what stood for them in the body.
        left: what the body left in them.
        facts: what is known of ``left``.
    """

    def __init__(
        self,
        init: Sequence[Sequence[Any]],
        entered: Sequence[Sequence[Any]],
        left: Sequence[Sequence[Any]],
        facts: Sequence[Variable],
    ):
        self.given = _arrays(init)
        self.entered = _arrays(entered)
        self.left = _arrays(left)
        self.outer = [leaf.content for f in facts for leaf in f.leaves if is_outer_array(leaf)]

    def require_one_name(self, graphs: Sequence[Graph], cells: Collection[GraphArray]) -> None:
        """Raise if an array that the loop changes is also used under another name inside it."""
        captured = {value for graph in graphs for value in graph.captures}
        owners = [_owner(array) for array in self.given]
        used = [*owners, *self.given, *self.outer]
        if (
            _repeats(owners)
            or _repeats(self.left)
            or any(array.value in captured or array in cells for array in used)
        ):
            raise MutationError(
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
        if handed_on == [*range(len(results))]:
            where = handed_on  # each name keeps its array, however many trips there are
        elif handed_on is not None and isinstance(count, int):
            where = _power(handed_on, count)
        else:
            self._lose_track(results, handed_on, count, changed)
            return [list(parts) for parts in leaves]
        replaced = {}
        for position, result in enumerate(results):
            array = self.given[where[position]]
            replaced[id(result)] = array
            if changed:
                array.write(result.value)
        return [[replaced.get(id(leaf), leaf) for leaf in parts] for parts in leaves]

    def _lose_track(
        self, results: Sequence[GraphArray], handed_on: Any, count: Any, changed: bool
    ) -> None:
        """Note what may share memory after a loop that does not tell."""
        if changed:
            needed = (
                count.value if handed_on is not None and isinstance(count, GraphArray) else None
            )
            for array in (*self.given, *self.outer):
                array.forget(needed)
            return
        entered = {id(array) for array in self.entered}
        mixes = self.outer or any(id(a) in entered or a._view is not None for a in self.left)
        may_not_run = not isinstance(count, int) or count == 0
        for position, result in enumerate(results):
            if mixes or len(self.given) != len(results):
                result.may_share([*self.given, *self.outer])
            elif may_not_run:
                result.may_share([self.given[position]])

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
