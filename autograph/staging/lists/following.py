"""Lists that change while they are gone through.

Python goes through a list by index, and asks for its length before each item: items appended on the
way are met as well, and the loop ends early where items are taken out. A loop that goes through a
list whose length is known only at run time counts its items once, before the first trip, which is
the same as long as no trip changes the length; where one may, it asks again before each trip.

Of a deque it does not go on after a trip that added or took an element. Where trips only add, or
only take, another length tells that; what else they do needs deques as they are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Protocol

import ops
from autograph.errors import MutationError
from autograph.graph.graph import Value
from autograph.graph.wiring import sources_of, wiring
from autograph.staging.ground.checkpointing import inside
from autograph.staging.ground.errors import user_location
from autograph.staging.ground.restarts import NeedsDeques
from ops.control import effects, regions


class Followed(Protocol):
    """A list that something goes through."""

    @property
    def length(self) -> Any:
        """A Python int if it is known, else a symbolic one."""

    @property
    def size(self) -> Any:
        """Its length if it is known, else what tells whether that is another one: an array that is
        as long, or a tuple of a value that is another one then."""

    @property
    def moves(self) -> Any:
        """How often elements were added and taken, of a deque."""

    def item(self, place: int) -> Any:
        """The item at a place."""


class LengthChanges(Exception):
    """A trip of a loop may change the length of a list that the loop goes through.

    Attributes:
        state: what that trip leaves.
        trips: how many trips have been made, if those are no more part of the loop; then the state
            is what the last one has left.
    """

    def __init__(self, state: tuple):
        super().__init__()
        self.state = state
        self.trips = 0


def elements(items: Followed) -> Iterator[Any]:
    """What ``iter`` gives for a list that Python goes through while code is recorded.

    Raises:
        MutationError: only the run knows how long the list has become on the way.
    """
    place, moves = 0, items.moves
    while True:
        if items.moves != moves:
            raise NeedsDeques
        length = items.length
        if not isinstance(length, int):
            raise changed()
        if place >= length:
            return
        yield items.item(place)
        place += 1


def elements_backwards(items: Followed) -> Iterator[Any]:
    """What ``reversed`` gives for a list that Python goes through while code is recorded.

    Raises:
        MutationError: only the run knows how long the list has become on the way.
    """
    for place in range(items.length - 1, -1, -1):
        length = items.length
        if not isinstance(length, int):
            raise changed()
        if place >= length:
            return
        yield items.item(place)


def counted(lists: Sequence[Followed], items: Iterable[Any]) -> Iterator[Any]:
    """``items``, made of lists that have been counted before the first of them.

    Raises:
        MutationError: one of the lists may have another length after an item was taken.
    """
    for item in items:
        before, moves = list(map(_size, lists)), moves_of(lists)
        yield item
        if moves_of(lists) != moves:
            raise NeedsDeques
        if not _same(lists, before):
            raise changed()


class _Sizes:
    """Those of lists at the start of a trip. Not a list itself: that would be state of the loop."""

    __slots__ = ("found",)
    found: tuple[Any, ...]


def same_lengths(
    lists: Sequence[Followed], item: Callable, body: Callable
) -> tuple[Callable, Callable]:
    """What gives the items of a loop that has counted them before the first trip, and its body.

    Raises:
        LengthChanges: when they are recorded, if they may change the length of one of the lists.
    """
    before = _Sizes()

    def first(index: Any) -> Any:
        before.found = tuple(map(_size, lists))
        return item(index)

    def then(*args: Any) -> Any:
        found = before.found
        state = body(*args)
        if not _same(lists, found):
            raise LengthChanges(tuple(state))
        return state

    return first, then


def moves_of(lists: Iterable[Followed]) -> list[tuple[int, int]]:
    return [items.moves for items in lists]


def one_way(lists: Sequence[Followed], body: Callable) -> Callable:
    """The body of a loop through lists, of which trips may change the lengths.

    Raises:
        NeedsDeques: when it is recorded, if one of them is a deque, and a trip may both add to it
            and take from it.
    """

    def then(*args: Any) -> Any:
        before = moves_of(lists)
        state = body(*args)
        for (added, taken), items in zip(before, lists):
            if items.moves[0] > added and items.moves[1] > taken:
                raise NeedsDeques
        return state

    return then


def changed() -> MutationError:
    return MutationError(
        "a list may change its length here while something goes through it that has counted its "
        "items before",
        user_location(),
        id="AG0378",
        fix="go through the list itself with a `for` statement, or through a copy, as in "
        "`for x in list(xs)`",
    )


_Size = int | Value | tuple[Value]


def _size(items: Followed) -> _Size:
    return items.size


def _same(lists: Sequence[Followed], before: Sequence[_Size]) -> bool:
    return all(_has_size_of(_size(xs), size) for xs, size in zip(lists, before))


def _has_size_of(now: _Size, before: _Size) -> bool:
    """Whether it is certain that two lengths are the same."""
    if isinstance(now, tuple) or isinstance(before, tuple):
        return isinstance(now, tuple) and isinstance(before, tuple) and now[0] is before[0]
    if isinstance(now, int) or isinstance(before, int):
        return isinstance(now, int) and isinstance(before, int) and now == before
    now = inside(now)
    if now is before:
        return True
    node = now.producer
    if node is None:
        return False
    if node.op.keeps_shape:
        return _has_size_of(node.inputs[0], before)
    if node.op is regions.cond:
        return all(_has_size_of(source, before) for source in sources_of(node)[now])
    for variable in wiring(node).carried:
        if variable.result is now:
            kept = _has_size_of(variable.left, variable.entered)
            return kept and _has_size_of(variable.start, before)
    return False


def unpacked(items: Any, wanted: int) -> Iterator[Any]:
    """As many elements of a list as are wanted.

    Args:
        items: a list of which only the run knows how long it is.

    Raises:
        ValueError: these are not all, or there are less, when the program runs.
    """
    expected = f"values to unpack (expected {wanted}"
    for count in range(wanted):
        message = f"not enough {expected}, got {count})"
        effects.check(ops.greater(items.length, count), error="ValueError", message=message)
    no_more = ops.less_equal(items.length, wanted)
    effects.check(no_more, error="ValueError", message=f"too many {expected})")
    return (items.item(place) for place in range(wanted))
