"""Sets of converted code whose members only the run may know: `TrackedSet`.

In which order Python goes through a set depends on its members, and on how they came there: one put
in after the other, they stand in one order; taken out in between, or copied from another set, in
others. Where all members are known and were put in, Python's own set is asked. What does not depend
on the order is done for all sets; to go through others, sort them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import ops
from autograph.staging.ground.recorder import recorder
from autograph.staging.lists.numbers_apart import all_together
from autograph.staging.lists.tables import KeyTable, no_keys, register
from autograph.staging.sequences.dicts import TrackedDict, all_of, each
from autograph.staging.sequences.items import Items, TableKeys, refused_order
from ops.core.recording import raises_as_python


@raises_as_python
def made(iterable: Any = ()) -> Any:
    """``set(iterable)`` in converted code."""
    return TrackedSet(iterable) if recorder().queues.make_lists() else set(iterable)


@raises_as_python
def display(members: Any) -> Any:
    """A set display, or what a set comprehension makes a set of."""
    texts = isinstance(members, tuple) and any(isinstance(one, (str, bytes)) for one in members)
    if not texts or recorder().queues.make_of_texts():
        return made(members)
    return set(members)


def members_of(iterable: Any) -> Any:
    """What there is to go through, for what does not depend on the order."""
    if isinstance(iterable, TrackedSet):
        return iterable.members()
    if isinstance(iterable, TrackedDict):
        return iterable.keys()
    return iterable


class TrackedSet(KeyTable):
    """A set of converted code.

    Attributes:
        put_in: whether its members, if they are known, were put in one after the other and none was
            taken out.
    """

    __slots__ = ("put_in",)

    put_in: Any

    kind = set
    is_ordered = False
    changed = "Set changed size during iteration"

    def __init__(self, iterable: Any = ()):
        self.order = no_keys()
        self.put_in = True
        self._add_all(iterable)

    def members(self) -> Items | list:
        """The members in the order in which they came."""
        return self.known_keys() if self.is_seen else TableKeys(self)

    def __iter__(self) -> Iterator[Any]:
        return self.each_known(self._known_order().__getitem__)

    def _known_order(self) -> list[Any]:
        """The members in the order in which Python goes through them.

        Raises:
            ConcreteValueError: only the run knows them.
            UnsupportedFunctionError: it is another order than that of a set made of them.
        """
        known = list(set(self.known_keys()))
        if len(known) > 1 and self.put_in is not True:
            raise refused_order()
        return known

    def _rearranged(self) -> None:
        """Its members were not only put in."""
        if self.put_in is True and self.is_seen:
            self.put_in = False

    # -- one member -------------------------------------------------------------------------------

    def add(self, member: Any) -> None:
        place = self.find(member)
        self.has_place(place, lambda: None, lambda: self._add_key(member))

    def _drop(self, place: Any) -> None:
        """Where a member was comes the last one."""
        self._rearranged()
        self._open(place)
        last = self.order.pop()
        stays = lambda: self._move(place, last)
        length = self.order.length
        if isinstance(place, int) and isinstance(length, int):
            if place < length:
                stays()
        else:
            ops.cond(ops.less(place, length), stays, lambda: None)

    def _move(self, place: Any, member: Any) -> None:
        self.order[place] = member

    def remove(self, member: Any) -> None:
        self._drop(self.place_of(member))

    def discard(self, member: Any) -> None:
        place = self.find(member)
        self.has_place(place, lambda: self._drop(place), lambda: None)

    def pop(self) -> Any:
        if not self.is_seen:
            raise refused_order()
        order = self._known_order()
        if not order:
            raise KeyError("pop from an empty set")
        member = order[0]
        self.remove(member)
        return member

    # -- all of them ------------------------------------------------------------------------------

    def clear(self) -> None:
        self.order.clear()
        self.put_in = True

    def copy(self) -> TrackedSet:
        made = TrackedSet()
        made.order.become_like(self.order)
        made.order.site = self.order.site
        made._rearranged()
        return made

    def plain(self) -> set:
        return set(self.known_keys())

    @staticmethod
    def of_python(**parts: Any) -> Any:
        return set(all_together(parts["order"]))

    def _add_all(self, iterable: Any) -> None:
        each(members_of(iterable), self.add)
        if isinstance(iterable, (KeyTable, set, frozenset, dict)):
            self._rearranged()

    def update(self, *others: Any) -> None:
        for other in others:
            self._add_all(other)

    def union(self, *others: Any) -> TrackedSet:
        made = self.copy()
        made.update(*others)
        return made

    def _chosen(self, keeps: Callable[[Any], Any]) -> TrackedSet:
        """A set of some of the members."""
        made = TrackedSet()

        def choose(member: Any) -> None:
            found = keeps(member)
            if isinstance(found, bool):
                if found:
                    made._add_key(member)
                return
            ops.cond(found, lambda: made._add_key(member), lambda: None)

        each(self.members(), choose)
        made._rearranged()
        return made

    def intersection(self, *others: Any) -> TrackedSet:
        made = self.copy()
        for other in others:
            made = made._chosen(as_table(other).contains)
        return made

    def difference(self, *others: Any) -> TrackedSet:
        made = self.copy()
        for other in others:
            made = made._chosen(as_table(other).lacks)
        return made

    def symmetric_difference(self, other: Any) -> TrackedSet:
        table = as_table(other)
        return self.difference(table).union(as_set(table).difference(self))

    def intersection_update(self, *others: Any) -> None:
        self._become(self.intersection(*others))

    def difference_update(self, *others: Any) -> None:
        self._become(self.difference(*others))

    def symmetric_difference_update(self, other: Any) -> None:
        self._become(self.symmetric_difference(other))

    def _become(self, other: TrackedSet) -> None:
        self.order._changes()
        self.order.become_like(other.order)
        self.order.site = other.order.site
        self._rearranged()

    def issubset(self, other: Any) -> Any:
        table = as_table(other)
        if self.is_seen and table.is_seen:
            return self.plain() <= set(table.known_keys())
        return all_of(self.members(), table.contains)

    def issuperset(self, other: Any) -> Any:
        return as_set(other).issubset(self)

    def isdisjoint(self, other: Any) -> Any:
        table = as_table(other)
        if self.is_seen and table.is_seen:
            return self.plain().isdisjoint(table.known_keys())
        return all_of(self.members(), table.lacks)

    # -- operators --------------------------------------------------------------------------------

    def __or__(self, other: Any) -> Any:
        return self.union(other) if is_set(other) else NotImplemented

    def __and__(self, other: Any) -> Any:
        return self.intersection(other) if is_set(other) else NotImplemented

    def __sub__(self, other: Any) -> Any:
        return self.difference(other) if is_set(other) else NotImplemented

    def __xor__(self, other: Any) -> Any:
        return self.symmetric_difference(other) if is_set(other) else NotImplemented

    def __ror__(self, other: Any) -> Any:
        return as_set(other).union(self) if is_set(other) else NotImplemented

    __rand__ = __and__

    def __rsub__(self, other: Any) -> Any:
        return as_set(other).difference(self) if is_set(other) else NotImplemented

    __rxor__ = __xor__

    def __ior__(self, other: Any) -> Any:
        if not is_set(other):
            return NotImplemented
        self.update(other)
        return self

    def __iand__(self, other: Any) -> Any:
        if not is_set(other):
            return NotImplemented
        self.intersection_update(other)
        return self

    def __isub__(self, other: Any) -> Any:
        if not is_set(other):
            return NotImplemented
        self.difference_update(other)
        return self

    def __ixor__(self, other: Any) -> Any:
        if not is_set(other):
            return NotImplemented
        self.symmetric_difference_update(other)
        return self

    def __eq__(self, other: object) -> Any:
        if not is_set(other):
            return NotImplemented
        other = as_set(other)
        if self.is_seen and other.is_seen:
            return self.plain() == other.plain()
        alike = ops.cast(ops.equal(self.length, other.length), dtype="bool", weak=True)
        return ops.cond(alike, lambda: self.issubset(other), lambda: False)

    def __le__(self, other: Any) -> Any:
        return self.issubset(other) if is_set(other) else NotImplemented

    def __ge__(self, other: Any) -> Any:
        return self.issuperset(other) if is_set(other) else NotImplemented

    def __lt__(self, other: Any) -> Any:
        if not is_set(other):
            return NotImplemented
        other = as_set(other)
        return ops.and_(self.issubset(other), lambda: self.length < other.length)

    def __gt__(self, other: Any) -> Any:
        return as_set(other) < self if is_set(other) else NotImplemented

    __hash__ = None


_OF_ANY_ORDER = (sorted, min, max, any, all, len, set, frozenset, sum)


def without_order(function: Callable, args: tuple, kwargs: dict[str, Any]) -> tuple:
    """The arguments of a function of Python's own, which is given the known members of a set in
    some order if it makes the same of each."""
    if kwargs or len(args) != 1 or all(function is not known for known in _OF_ANY_ORDER):
        return args
    (members,) = args
    if not isinstance(members, TrackedSet) or not members.is_seen:
        return args
    known = members.known_keys()
    exact = function is not sum or all(isinstance(member, int) for member in known)
    return (known,) if exact else args


def is_set(other: Any) -> bool:
    return isinstance(other, (TrackedSet, set, frozenset))


def as_set(other: Any) -> TrackedSet:
    return other if isinstance(other, TrackedSet) else TrackedSet(other)


def as_table(other: Any) -> KeyTable:
    """Something in which members are looked up."""
    return other if isinstance(other, KeyTable) else TrackedSet(other)


register(TrackedSet)
