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

import optree

from autograph.errors import MutationError
from autograph.graph.graph import Graph
from autograph.staging.array import GraphArray
from autograph.staging.errors import user_location
from autograph.staging.undefined import MaybeUndefined
from autograph.staging.variables import Known, Variable, flatten


class Sharing:
    """Which arrays a loop is given, hands on, and leaves.

    Args:
        init: the contents of the variables before the loop.
        entered: what stood for them in the body.
        left: what the body left in them.
        facts: what is known of ``left``.
    """

    def __init__(
        self,
        init: Sequence[Any],
        entered: Sequence[Any],
        left: Sequence[Any],
        facts: Sequence[Variable],
    ):
        self.init = [_arrays(content) for content in init]
        self.entered = [_arrays(content) for content in entered]
        self.left = [_arrays(content) for content in left]
        self.outer = [leaf.content for f in facts for leaf in f.leaves if is_outer_array(leaf)]

    def require_one_name(self, graphs: Sequence[Graph], cells: Collection[GraphArray]) -> None:
        """Raise if an array that the loop changes is also used under another name inside it."""
        captured = {value for graph in graphs for value in graph.captures}
        given = [array for arrays in self.init for array in arrays]
        handed_on = [array for arrays in self.left for array in arrays]
        if (
            _repeats(given)
            or _repeats(handed_on)
            or any(a.value in captured or a in cells for a in (*given, *self.outer))
        ):
            raise MutationError(
                "an array that this loop rebinds is changed in place under one name and used under "
                "another",
                user_location(),
                fix="make a copy before changing it: x = x.copy()",
            )

    def after(self, contents: Sequence[Any], count: Any) -> list[Any]:
        """What the variables hold after the loop, given the arrays that hold its results.

        Buffers keep their identity if ``count``, the number of trips, is known. It is None for a
        loop whose trips are not counted.
        """
        buffers = self._buffers()
        if buffers is None or not isinstance(count, int):
            needed = count.value if buffers is not None and count is not None else None
            for array in (*(a for arrays in self.init for a in arrays), *self.outer):
                array.forget(needed)
            return list(contents)
        given = [array for arrays in self.init for array in arrays]
        results = [array for content in contents for array in _arrays(content)]
        where = _power(buffers, count)
        replaced = {}
        for position, result in enumerate(results):
            given[where[position]].write(result.value)
            replaced[id(result)] = given[where[position]]
        return [
            optree.tree_map(lambda leaf: replaced.get(id(leaf), leaf), c, none_is_leaf=True)
            for c in contents
        ]

    def _buffers(self) -> list[int] | None:
        """For each array the body leaves, which of those it was given it is; None if not all
        are."""
        given = [array for arrays in self.init for array in arrays]
        entered = [array for arrays in self.entered for array in arrays]
        left = [array for arrays in self.left for array in arrays]
        positions = {id(array): i for i, array in enumerate(entered)}
        if any(id(array) not in positions for array in left):
            return None
        if len(given) != len(entered) or any(
            a.type != b.type or a._view is not None for a, b in zip(given, entered)
        ):
            return None
        return [positions[id(array)] for array in left]


def is_outer_array(leaf: Any) -> bool:
    """Whether a fact is that a variable holds a certain array from outside."""
    return (
        isinstance(leaf, Known)
        and isinstance(leaf.content, GraphArray)
        and bool(leaf.content.shape)
    )


def _arrays(content: Any) -> list[GraphArray]:
    """The arrays, not the numbers, among the leaves of a variable's content."""
    if isinstance(content, MaybeUndefined):
        content = content.content
    return [leaf for leaf in flatten(content)[0] if isinstance(leaf, GraphArray) and leaf.shape]


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
