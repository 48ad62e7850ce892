"""Which arrays the results of control flow may share memory with.

A branch, or a trip of a loop, may leave in a variable an array from outside, a view of one, or the
same new array as in another variable. After the branches or the loop each result is an array of its
own, so it is noted what it may share memory with: that is refused if one of them is changed and the
other one used (see `autograph.staging.arrays.views.MaybeShared`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from autograph.closure import closure
from autograph.staging.arrays.array import GraphArray
from autograph.staging.arrays.views import Base, MaybeShared, View
from autograph.staging.ground.identity import ByIdentity
from autograph.staging.joins.variables import Variable
from autograph.staging.values.leaves import Known
from autograph.staging.values.maybe import MaybeNone
from ops.core.records import NamedTuple

Boxes = Sequence[GraphArray | None]


class Origins(NamedTuple):
    """The arrays whose memory an array may have: from outside the region, and made inside."""

    outside: ByIdentity
    inside: ByIdentity


class SharedOrigins(NamedTuple):
    """What some arrays, told by their positions, may share memory with.

    Attributes:
        outside: for each, arrays from outside.
        pairs: positions of two that may share memory with each other.
    """

    outside: list[ByIdentity]
    pairs: set[tuple[int, int]]

    def key(self) -> Any:
        """What is equal if the sharing is the same."""
        return [frozenset(map(id, arrays)) for arrays in self.outside], self.pairs

    def without(self, arrays: Iterable[GraphArray]) -> SharedOrigins:
        """The same but for sharing with some arrays from outside."""
        left_out = ByIdentity((array, None) for array in arrays)
        outside = [ByIdentity((a, None) for a in old if a not in left_out) for old in self.outside]
        return SharedOrigins(outside, self.pairs)

    def note(self, boxes: Boxes) -> None:
        """Let the arrays at the positions know what they may share memory with."""
        bases = [list(arrays) for arrays in self.outside]
        for p, q in self.pairs:
            first = boxes[p]
            if first is not None and boxes[q] is not None:
                memory = GraphArray(first._value)  # stands for what only these two can change
                bases[p].append(memory)
                bases[q].append(memory)
        for box, found in zip(boxes, bases):
            if box is not None and found:
                box.may_share(found)


def boxes_of(facts: Sequence[Variable], leaves: Sequence[Sequence[Any]]) -> list[GraphArray | None]:
    """The array at each position of the variables; None for what is no array, and where
    ``leaves`` has none since the variable is undefined there."""
    boxes: list[GraphArray | None] = []
    for fact, parts in zip(facts, leaves):
        fits = len(parts) == len(fact.leaves)
        boxes += map(_box, parts if fits else [None] * len(fact.leaves))
    return boxes


def new_boxes_of(
    facts: Sequence[Variable], leaves: Sequence[Sequence[Any]]
) -> list[GraphArray | None]:
    """The same without arrays from outside that stay the objects they are."""
    kinds = [kind for fact in facts for kind in fact.leaves]
    boxes = boxes_of(facts, leaves)
    return [None if isinstance(kind, Known) else box for kind, box in zip(kinds, boxes)]


def mark_carried(facts: Sequence[Variable], leaves: Sequence[Sequence[Any]]) -> None:
    """Note that ``leaves`` are given to each trip of a loop, or each call: see `is_carried`."""
    for box in new_boxes_of(facts, leaves):
        if box is not None:
            box.is_carried = True


def _box(leaf: Any) -> GraphArray | None:
    if isinstance(leaf, MaybeNone):
        leaf = leaf.content
    changes = isinstance(leaf, GraphArray) and (leaf.ndim or leaf.is_array)
    return leaf if changes else None


def origins(box: GraphArray | None, is_older: Callable[[GraphArray], bool]) -> Origins:
    """Where the memory of an array comes from, as seen at the end of a region."""
    found = Origins(ByIdentity(), ByIdentity())
    pending = [] if box is None else [box]
    while pending:
        array = pending.pop()
        view = array._view
        if is_older(array):
            found.outside[array] = None
        elif isinstance(view, View):
            pending.append(_array(view.base))
        elif array not in found.inside:
            found.inside[array] = None
            if isinstance(view, MaybeShared):
                pending += [_array(base) for base, _ in view.bases]
    return found


def _array(base: Base) -> GraphArray:
    assert isinstance(base, GraphArray)
    return base


def shared_by_branches(
    branches: Sequence[tuple[Boxes, Callable[[GraphArray], bool]]],
) -> SharedOrigins:
    """What the results of a conditional may share memory with.

    Args:
        branches: for each what it leaves, and whether an array is from outside it.
    """
    shared = SharedOrigins([ByIdentity() for _ in branches[0][0]], set())
    for left, is_older in branches:
        found = [origins(box, is_older) for box in left]
        for arrays, (outside, _) in zip(shared.outside, found):
            arrays.update(outside)
        shared.pairs.update(_pairs([set(map(id, inside)) for _, inside in found]))
    return shared


def kept_by_trip(
    entered: Boxes, left: Boxes, is_older: Callable[[GraphArray], bool]
) -> list[set[int]]:
    """For each position the positions whose arrays it may share memory with after a trip.

    Args:
        entered: what the variables hold at the start of the trip.
        left: what they hold at its end.
        is_older: whether an array is from outside the body.
    """
    positions = {id(box): p for p, box in enumerate(entered) if box is not None}
    inside = [map(id, origins(box, is_older).inside) for box in left]
    return [{positions[i] for i in ids if i in positions} for ids in inside]


def shared_by_trips(
    given: Boxes,
    kept: Sequence[set[int]],
    entered: Boxes,
    left: Boxes,
    is_older: Callable[[GraphArray], bool],
) -> SharedOrigins:
    """What the results of a loop of one trip or more may share memory with.

    Args:
        given: what the variables hold before the loop.
        kept, entered, left, is_older: see `kept_by_trip`.
    """
    found = [origins(box, is_older) for box in left]
    outside = []
    for p, (own, _) in enumerate(found):
        arrays = ByIdentity(own)
        for q in arriving(kept, p):
            arrays.update(found[q].outside)
            if given[q] is not None:
                arrays[given[q]] = None
        outside.append(arrays)
    known = {id(box) for box in entered if box is not None}
    pairs = set(_pairs([set(map(id, inside)) - known for _, inside in found]))
    return SharedOrigins(outside, _pairs_of_later_trips(kept, pairs))


def arriving(kept: Sequence[set[int]], position: int) -> set[int]:
    """The positions whose arrays of earlier trips may come to a position."""
    return closure(kept[position], kept.__getitem__)


def _pairs(groups: Sequence[set[int]]) -> Iterator[tuple[int, int]]:
    """The positions of each two groups with something in common."""
    for p, group in enumerate(groups):
        for q in range(p):
            if not group.isdisjoint(groups[q]):
                yield q, p


def _pairs_of_later_trips(
    kept: Sequence[set[int]], pairs: set[tuple[int, int]]
) -> set[tuple[int, int]]:
    """The pairs after any number of trips that each let arrays be ``kept``."""
    while True:
        more = {
            (q, p)
            for p in range(len(kept))
            for q in range(p)
            if any(a == b or (min(a, b), max(a, b)) in pairs for a in kept[p] for b in kept[q])
        }
        if more <= pairs:
            return pairs
        pairs = pairs | more
