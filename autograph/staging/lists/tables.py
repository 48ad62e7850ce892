"""Dicts and sets whose keys only the run knows: `KeyTable`, and what dicts and sets have of it.

A table is made of lists: of its keys, in the order in which Python goes through them, and of what
they stand for. So loops and branches carry it as they carry lists, and derivatives, lanes and saved
graphs have nothing to do for it. What is new is `ops.find_row`, which looks for a key:
`autograph.staging.lists.keys` says in which columns. Numbers stay of the types that they are of:
`autograph.staging.lists.numbers_apart`.

As long as all keys are known, so is what is looked up, as in a dict of Python's own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, NoReturn

import optree

import ops
from autograph.errors import ConcreteValueError
from autograph.staging.arrays.array import GraphArray, located_error
from autograph.staging.ground.nested_lists import OfKeys
from autograph.staging.ground.ownership import Recorded, slots_of
from autograph.staging.ground.recorder import recorder
from autograph.staging.lists.keys import (
    compared,
    is_known,
    refused_key,
    require_keys,
    rows_of_keys,
    settled,
)
from autograph.staging.lists.lists import TrackedList
from autograph.staging.lists.numbers_apart import apart, holds_numbers, together
from ops.control import effects
from ops.core.recording import raises_as_python

TABLE = "the lists of a table"  # in the place of the keys of a dict of the caller's


class GoesOn:
    """Where a loop asks for the next key that Python runs while it is recorded, and that the run
    may have left.

    Attributes:
        test: whether the run has not; None if that is known.
    """

    test: Any = None


class KeyTable(Recorded):
    """What has keys, of which no two are equal.

    Attributes:
        order: its keys.
    """

    __slots__ = ("order",)

    kind: type = dict
    is_ordered = True  # whether Python goes through it in the order in which keys came
    changed = "dictionary changed size during iteration"

    order: TrackedList

    # -- looking for keys -------------------------------------------------------------------------

    @raises_as_python
    def find(self, key: Any) -> Any:
        """The place of a key, -1 if there is none: a symbolic one if only the run can tell.

        Raises:
            ConcreteValueError: only the run knows a key that is neither a number nor a text, nor a
                tuple of such.
            TypeError: it can't be a key.
            ValueError: a key is NaN, when the program runs.
        """
        order, key = self.order, settled(key)
        if is_known(key):
            hash(key)
            if is_known(order):
                return {k: i for i, k in enumerate(self.known_keys())}.get(key, -1)
        if isinstance(order.length, int) and order.length == 0:
            require_keys(key)
            return -1
        if order.seen is None:
            for known in list.__iter__(order):
                require_keys(together(known))
        rows = rows_of_keys(order)
        if rows is None:
            raise refused_key()
        require_keys(key)
        pairs = compared(rows, key)
        if pairs is None:
            return -1
        columns = [GraphArray(column.value) for column, _ in pairs]
        place = ops.find_row(*columns, *(part for _, part in pairs))
        return ops.cast(place, dtype="int64", weak=True)

    def contains(self, key: Any) -> Any:
        """``key in table``, which may be symbolic."""
        place = self.find(key)
        if isinstance(place, int):
            return place >= 0
        return ops.cast(ops.greater_equal(place, 0), dtype="bool", weak=True)

    def lacks(self, key: Any) -> Any:
        """``key not in table``."""
        return ops.not_(self.contains(key))

    def has_place(self, place: Any, then: Callable, orelse: Callable) -> Any:
        """What is done by whether a key has a place."""
        if isinstance(place, int):
            return then() if place >= 0 else orelse()
        return ops.cond(ops.greater_equal(place, 0), then, orelse)

    def place_of(self, key: Any) -> Any:
        """The place of a key that has one.

        Raises:
            KeyError: it has none; if only the run can tell, when it runs.
        """
        place = self.find(key)

        def missing() -> NoReturn:
            raise KeyError(key)

        self.has_place(place, lambda: None, missing)
        return place

    # -- what all of them do ----------------------------------------------------------------------

    @property
    def length(self) -> Any:
        """How many keys there are, a symbolic int if only the run can tell."""
        return self.order.length

    @property
    def is_seen(self) -> bool:
        """Whether all keys are known."""
        return is_known(self.order)

    def known_keys(self) -> list[Any]:
        """The keys, for Python's own iteration.

        Raises:
            ConcreteValueError: only the run knows them.
        """
        if not self.is_seen:
            raise located_error(
                ConcreteValueError,
                f"Python goes through a {self.kind.__name__} here whose keys are known only at run "
                "time",
                id="AG0309",
                fix="loop over it with a `for` statement",
            )
        return list(map(together, list.__iter__(self.order)))

    @property
    def keeps_keys(self) -> bool:
        """Whether its list has the keys themselves, of which only the run knows how many."""
        rows = self.order.rows
        return rows is not None and not holds_numbers(rows.structure)

    def key_at(self, place: Any) -> Any:
        """The key at a place."""
        return together(self.order[place])

    def _open(self, place: Any) -> None:
        """Called before a key at a place goes: if only the run knows the place, the rest is seen as
        what only the run knows."""
        if not isinstance(place, int) and self.order.rows is None:
            self.order._changes()
            self.order.become(rows_of_keys(self.order))

    def _add_key(self, key: Any) -> None:
        """Add a key, which it has not."""
        self.order.append(apart(settled(key), self.order.site))

    def counted(self) -> Callable[[], Any]:
        """What counts the keys again, of which there may be neither more nor fewer.

        Raises:
            RuntimeError: there are, when the program runs.
        """
        count = self.length

        def check() -> Any:
            if isinstance(count, int) and isinstance(self.length, int):
                if self.length != count:
                    raise RuntimeError(self.changed)
                return count
            same = ops.equal(self.length, count)
            effects.check(same, error="RuntimeError", message=self.changed)
            return count

        def again() -> Any:
            return _where_it_goes_on(check, lambda: count)

        return again

    def kept(self, place: Any) -> Callable[[], Any]:
        """What tells after a trip whether the key at a place is still there.

        If not, one has gone that Python has been at, and the next place is not Python's.
        """
        rows, key = self.order.rows, self.key_at(place)
        before = self.known_keys() if rows is None and self.is_seen else None

        def is_there() -> Any:
            if before is not None and self.is_seen:
                return self.known_keys()[place : place + 1] == before[place : place + 1]
            if rows is not None and self.order.rows is rows:
                return True
            same = lambda: ops.eq_(self.key_at(place), key)
            return ops.cond(ops.less(place, self.length), same, lambda: True)

        return is_there

    def __len__(self) -> int:
        return self.length.__index__()

    def __bool__(self) -> bool:
        return len(self) > 0

    def __contains__(self, key: Any) -> bool:
        found = self.contains(key)
        return found if isinstance(found, bool) else found.__bool__()

    def __iter__(self) -> Iterator[Any]:
        return self.each_known(list(self.known_keys()).__getitem__)

    def __reversed__(self) -> Iterator[Any]:
        return self.each_known(list(self.known_keys()).__getitem__, backwards=True)

    def each_known(self, item: Callable[[Any], Any], backwards: bool = False) -> Iterator[Any]:
        """What is at each place, for Python's own iteration.

        Raises:
            ConcreteValueError: see `known_keys`.
            RuntimeError: there are more or fewer keys when the next one is asked for.
        """
        self.known_keys()
        places = range(len(self))
        return self._each_known(item, places[::-1] if backwards else places, self.counted())

    def _each_known(
        self, item: Callable[[Any], Any], places: range, again: Callable[[], Any]
    ) -> Iterator[Any]:
        for place in places:
            again()
            is_there = self.kept(place) if places.step > 0 else None
            yield item(place)
            if is_there is not None:
                require_kept(is_there())
        again()

    def __ne__(self, other: object) -> Any:
        same = self.__eq__(other)
        return same if same is NotImplemented else ops.not_(same)

    __hash__ = None  # type: ignore[assignment]

    def __deepcopy__(self, memo: dict) -> Any:
        memo[id(self)] = made = self.copy()
        return made

    def __copy__(self) -> Any:
        return self.copy()

    def copy(self) -> Any:
        raise NotImplementedError

    @staticmethod
    def of_python(**parts: Any) -> Any:
        """What a caller gets, of the lists that make a table."""
        raise NotImplementedError

    def plain(self) -> Any:
        """What it is in Python, if all keys are known."""
        raise NotImplementedError

    def __repr__(self) -> str:
        return repr(self.plain())


def require_kept(is_there: Any) -> None:
    """Called where a loop asks for the next key, with what `KeyTable.kept` tells of the last one.

    Python goes on behind that one, and has more keys in the end than there were.

    Raises:
        RuntimeError: it has gone; if only the run can tell, when it runs.
    """
    message = "dictionary keys changed during iteration"

    def check() -> None:
        effects.check(is_there, error="RuntimeError", message=message)

    if is_there is False and recorder().state(GoesOn).test is None:
        raise RuntimeError(message)
    if is_there is not True:
        _where_it_goes_on(check, lambda: None)


def _where_it_goes_on(does: Callable[[], Any], orelse: Callable[[], Any]) -> Any:
    goes_on = recorder().state(GoesOn).test
    return does() if goes_on is None else ops.cond(goes_on, does, orelse)


def flattened(table: KeyTable) -> tuple:
    return tuple(getattr(table, name) for name in slots_of(type(table))), type(table)


def unflattened(kind: Any, parts: Iterable[Any]) -> KeyTable:
    made = object.__new__(kind)
    for name, part in zip(slots_of(kind), parts):
        setattr(made, name, part)
    return made


def delivered(kind: type[KeyTable], parts: Iterable[Any]) -> Any:
    """What a caller gets for a table, of what makes it."""
    return kind.of_python(**dict(zip(slots_of(kind), parts)))


def register(kind: type[KeyTable]) -> None:
    """Let optree take tables apart."""
    optree.register_pytree_node(
        kind,
        flattened,  # type: ignore[arg-type]
        unflattened,
        namespace=optree.registry.__GLOBAL_NAMESPACE,
    )


def no_keys() -> TrackedList:
    """The keys of a table that is made now."""
    made = TrackedList()
    made.site = OfKeys(recorder().location())
    return made
