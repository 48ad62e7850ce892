"""Lists of lists of any lengths: `PooledList`, whose elements are `PooledRow`.

The items of all elements are in one list, the *pool*. Of each element three further lists know
where it begins there, how many items it has, and how many there is room for. An element that is
full moves to the end of the pool, with room for twice as many: so appending takes constant time on
average (the dynamic tables of Cormen et al., Introduction to Algorithms, "Amortized Analysis").

The four lists are ordinary lists of converted code: which types their items have, and how loops and
branches pass them on, is found as for any other. What they are kept as is theirs to know.

An element knows its list and its place there, so that it is seen, and changed, under all its names.
Where elements change their places, the list begins a new *version*, and elements of an older one
can't be used any more. A list that becomes an element is one from then on.

An element that comes to a second place, in this list or in another one, is copied there. That is no
difference as long as nothing changes it: from then on the elements of both lists are fixed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, NoReturn

import optree

import ops
from autograph.errors import MutationError, UnsupportedFunctionError
from autograph.staging.arrays.array import GraphArray
from autograph.staging.ground.errors import user_location
from autograph.staging.ground.identity import ByIdentity
from autograph.staging.ground.ownership import Recorded
from autograph.staging.ground.recorder import recorder
from autograph.staging.lists.columns import Column, Lengths, Rows, existing
from autograph.staging.lists.elements import element_type, flatten_element
from autograph.staging.lists.inner_lists import other_type
from autograph.staging.lists.lists import TrackedList, list_flattened, list_unflattened
from autograph.staging.lists.pool_places import (
    number_at,
    same_state,
    same_states,
    state_of,
    write_at,
)
from autograph.staging.values.choice import as_place
from ops.control import effects
from ops.core.records import NamedTuple

_FIXED = "fixed"  # no bool, which loops would take for a number of the run


class Seat(NamedTuple):
    """Where an element is.

    Attributes:
        owner: the list that it is an element of.
        place: its place there, from 0 on.
        version: of the list, when that was its place.
    """

    owner: PooledList
    place: Any
    version: Any


class _Seen(NamedTuple):
    """The items of an element, as they were last looked up.

    Attributes:
        state: of the lists that know of it, by identity.
        frame: where they can be used.
        rows: the items.
    """

    state: tuple[Any, ...]
    frame: Any
    rows: Rows


class PooledRow(TrackedList):
    """An element of a `PooledList`: a list that is kept there."""

    __slots__ = ()

    # -- what it contains -------------------------------------------------------------------------

    @property
    def _rows(self) -> Rows | None:
        owner, place, _ = self._checked()
        return owner.rows_of(place)

    @_rows.setter
    def _rows(self, rows: Rows | None) -> None:
        if self.seat is not None:  # not while it is made
            self._put(rows)

    def become(self, rows: Rows | None) -> None:
        self._put(rows)

    def _changes(self) -> None:
        self.seat.owner.check_changeable()
        TrackedList._changes(self)

    def _checked(self) -> Seat:
        seat: Seat = self.seat
        if not same_state(seat.version, seat.owner.version):
            raise MutationError(
                "a list is used that was read from a list of lists, whose elements have moved to "
                "other places since",
                user_location(),
                id="AG0587",
                fix="read it again, as in row = rows[i], or make a copy before, as in "
                "row = rows[i].copy()",
            )
        return seat

    def is_beside(self, other: PooledRow) -> bool:
        """Whether it is an element of the same list as another one, and the same as that one if
        both are at one place."""
        owner = self._checked().owner
        return other._checked().owner is owner and owner.fixed is None

    def _put(self, rows: Rows | None) -> None:
        owner, place, _ = self._checked()
        owner.put(place, rows)

    @property
    def length(self) -> Any:
        owner, place, _ = self._checked()
        return owner.length_of(place)

    @property
    def size(self) -> Any:
        length, lengths = self.length, self.seat.owner.lengths
        return length if isinstance(length, int) else (lengths.rows.columns[0].value,)

    def link(self, other: Any) -> None:
        """Whether two elements are the same is no question: each is looked up where it is."""

    # -- what lists do, where that is less than writing all of it --------------------------------

    def append(self, value: Any) -> None:
        owner, place, _ = self._checked()
        self._changes()
        owner.append_to(place, value)

    def extend(self, values: Iterable[Any]) -> None:
        if isinstance(values, PooledRow):
            values = values.copy()
        _for_each(values, self.append)

    def pop(self, index: Any = -1) -> Any:
        owner, place, _ = self._checked()
        if not isinstance(index, int) or index != -1 or owner.is_empty:
            return TrackedList.pop(self, index)
        self._changes()
        return owner.pop_from(place)

    def insert(self, index: Any, value: Any) -> None:
        if self.seat.owner.is_empty:
            self.append(value)
        else:
            TrackedList.insert(self, index, value)

    def become_like(self, other: list) -> None:
        rows = other.rows if isinstance(other, TrackedList) else None
        self.become(rows)
        if rows is None:
            self.extend(list(other))

    def clear(self) -> None:
        owner, place, _ = self._checked()
        self._changes()
        owner.put(place, None)

    def __setitem__(self, index: Any, value: Any) -> None:
        index = as_place(index)
        owner, place, _ = self._checked()
        if owner.is_empty and isinstance(index, slice):
            if index.step is not None:
                refuse("steps of slices in")
            self.extend(value)
            return
        if isinstance(index, slice) or owner.is_empty:
            TrackedList.__setitem__(self, index, value)
            return
        self._changes()
        owner.write(place, existing(index, self.length, self.no_place), value)


class PooledList(Recorded):
    """A list of lists of any lengths; see the module's text.

    Attributes:
        pool: the items of all elements.
        starts: where each begins in the pool.
        lengths: how many items each has.
        rooms: for how many there is room.
        version: another number after elements have changed their places.
        fixed: None if each element is certainly at one place only.
    """

    kind = list

    def __init__(self) -> None:
        self.pool = TrackedList()
        self.starts = TrackedList()
        self.lengths = TrackedList()
        self.rooms = TrackedList()
        self.version: Any = 0
        self.fixed: Any = None

    # -- of elements -------------------------------------------------------------------------------

    @property
    def length(self) -> Any:
        """The number of elements, a symbolic int if only the run can tell."""
        return self.counted.length

    @property
    def counted(self) -> TrackedList:
        """A list of as many elements."""
        return self._numbers[0]

    @property
    def is_empty(self) -> bool:
        """Whether no element has had an item yet."""
        return self.pool.seen is None and not list.__len__(self.pool)

    def item(self, index: Any) -> Any:
        """An element, by a plain or symbolic index."""
        return self._element(existing(index, self.length, TrackedList.outside))

    def _element(self, place: Any) -> Any:
        return row_at(self, place)

    def length_of(self, place: Any) -> Any:
        return 0 if self.is_empty else number_at(self.lengths, place)

    def check_changeable(self) -> None:
        """Called before an element changes.

        Raises:
            MutationError: it may be at two places.
        """
        if self.fixed is not None:
            raise MutationError(
                "an element of a list of lists is changed that is, or may be, at another place as "
                "well",
                user_location(),
                id="AG0589",
                fix="put a copy there: rows.append(row[:])",
            )

    def rows_of(self, place: Any) -> Rows | None:
        """The items of an element; None if no element has had one, so that it is empty."""
        if self.is_empty:
            return None
        pool = self.pool.rows if self.pool._becomes_rows() else None
        if pool is None:
            refuse("items of different types in the lists of")
        columns = pool.columns
        state = (*(c.value for c in columns), *map(state_of, (self.starts, self.lengths)), place)
        cache = recorder().state(_Looked)
        seen = cache.get(self)
        if seen is not None and seen.frame is recorder().frame and same_states(seen.state, state):
            return seen.rows
        start, length = number_at(self.starts, place), number_at(self.lengths, place)
        state = (*(c.value for c in columns), *map(state_of, (self.starts, self.lengths)), place)
        found = []
        for column in columns:
            value = GraphArray(column.value)[start : start + length].value
            if isinstance(length, GraphArray):
                recorder().state(Lengths)[value] = length
            found.append(Column(value, column.element))
        rows = Rows(pool.structure, tuple(found))
        cache[self] = _Seen(state, recorder().frame, rows)
        return rows

    def append_to(self, place: Any, value: Any) -> None:
        """One more item for an element."""
        length = self.length_of(place)
        if self.is_empty:  # the others have no room either
            self._move(place, length, value)
        else:
            is_full = ops.equal(length, number_at(self.rooms, place))
            _if(is_full, lambda: self._move(place, length, value))
        write_at(self.pool, number_at(self.starts, place) + length, value)
        write_at(self.lengths, place, length + 1)

    def _move(self, place: Any, length: Any, value: Any) -> None:
        """Give an element twice the room, at the end of the pool, where ``value`` is what there is
        for now where nothing is yet."""
        start, room = number_at(self.starts, place), 2 * length + 4
        write_at(self.starts, place, self.pool.length)
        write_at(self.rooms, place, room)
        self.repeat(length, lambda j: self.pool.append(self.pool[start + j]))
        self.repeat(room - length, lambda j: self.pool.append(value))

    def pop_from(self, place: Any) -> Any:
        """Take the last item of an element."""
        length = number_at(self.lengths, place)
        effects.check(ops.greater(length, 0), error="IndexError", message=TrackedList.nothing)
        value = self.pool[number_at(self.starts, place) + length - 1]
        write_at(self.lengths, place, length - 1)
        return value

    def write(self, place: Any, index: Any, value: Any) -> None:
        """Another item at a place that there is in an element.

        Raises:
            LoopStateError: it is of another type.
        """
        rows = self.pool.as_rows()
        for column, part in zip(() if rows is None else rows.columns, flatten_element(value)[0]):
            given = element_type(part)
            if given != column.element:
                raise other_type(column.element, given)
        write_at(self.pool, number_at(self.starts, place) + index, value)

    def put(self, place: Any, rows: Rows | None) -> None:
        """Other items for an element."""
        length = 0 if rows is None else rows.length
        self.lengths[place] = length
        if rows is None:
            return
        room = number_at(self.rooms, place)

        def move() -> None:
            self.starts[place] = self.pool.length
            self.rooms[place] = length
            self.repeat(length, lambda j: self.pool.append(rows.item(j)))

        def stay() -> None:
            start = number_at(self.starts, place)
            self.repeat(length, lambda j: self.pool.__setitem__(start + j, rows.item(j)))

        _if(ops.greater(length, room), move, stay)

    @staticmethod
    def repeat(count: Any, step: Callable[[Any], Any]) -> None:
        """Do something for each number below a count."""
        _for_each(ops.call(range, count), step)

    def _take_in(self, row: Any, place: Any) -> None:
        """Let a list be the element at the last place, or at one whose element is gone."""
        if isinstance(row, PooledRow):
            self._share(row, place)
            return
        if type(row) is not TrackedList:
            refuse("other things than new lists in")
        if row.is_followed or recorder().frozen.is_element(row):
            refuse("a list that may be elsewhere as well in")
        row.lose_twins()
        count, start = row.length, self.pool.length
        rows = row.rows
        items = list(list.__iter__(row))
        if any(isinstance(item, (list, Recorded)) for item in items):
            refuse("lists of lists in")
        self.starts[place], self.lengths[place], self.rooms[place] = start, count, count
        if rows is None:
            for item in items:
                self.pool.append(item)
        else:
            self.repeat(count, lambda j: self.pool.append(rows.item(j)))
        TrackedList.become(row, None)
        list.clear(row)
        sit(row, Seat(self, place, self.version))

    def _share(self, row: PooledRow, place: Any) -> None:
        """Let an element be at one more place."""
        owner, there, _ = row._checked()
        owner.fixed = self.fixed = _FIXED
        if owner is self:
            for numbers in self._numbers:
                numbers[place] = number_at(numbers, there)
            return
        rows, start, count = row.rows, self.pool.length, row.length
        self.starts[place], self.lengths[place], self.rooms[place] = start, count, count
        if rows is not None:
            self.repeat(count, lambda j: self.pool.append(rows.item(j)))

    @property
    def _numbers(self) -> tuple[TrackedList, ...]:
        return self.starts, self.lengths, self.rooms

    def empty_like(self) -> PooledList:
        """A list without elements, for such as are in this one."""
        return PooledList()

    def _selected(self, select: Callable[[TrackedList], Any]) -> PooledList:
        """Another list with elements of this one, ``select`` of what is known of each."""
        self.fixed = _FIXED
        made = self.empty_like()
        made.pool.become_like(self.pool)
        for mine, numbers in zip(self._numbers, made._numbers):
            numbers.become_like(select(mine))
        made.fixed = _FIXED
        return made

    def at(self, places: Any) -> PooledList:
        """The list of the elements at some places."""

        def select(numbers: TrackedList) -> TrackedList:
            numbers._becomes_rows()
            return numbers.at(places)

        return self._selected(select)

    # -- what lists do ----------------------------------------------------------------------------

    def copy(self) -> PooledList:
        return self._selected(lambda numbers: numbers)

    def sort(self, **options: Any) -> None:
        found = ops.call(sorted, self, **options)
        for mine, numbers in zip(self._numbers, found._numbers):
            mine.become_like(numbers)
        self.version = self.version + 1

    def append(self, value: Any) -> None:
        place = self.length
        for numbers in self._numbers:
            numbers.append(0)
        self._take_in(value, place)

    def extend(self, values: Any) -> None:
        if type(values) is list:  # one that was written in the call: nobody else has what is in it
            values = [TrackedList(item) if type(item) is list else item for item in values]
        _for_each(values, self.append)

    def pop(self, index: Any = -1) -> Any:
        if isinstance(index, int) and index == -1:
            effects.check(
                ops.greater(self.length, 0), error="IndexError", message=TrackedList.nothing
            )
        place = existing(index, self.length, "pop index out of range")
        found = self._leaving(place)
        self._removed(place)
        return found

    def _leaving(self, place: Any) -> Any:
        """What an element is that is taken out."""
        return self._element(place).copy()

    def _removed(self, place: Any) -> None:
        for numbers in self._numbers:
            numbers.pop(place)
        self.version = self.version + 1

    def clear(self) -> None:
        for numbers in self._numbers:
            numbers.clear()
        self.version = self.version + 1

    def reverse(self) -> None:
        for numbers in self._numbers:
            numbers.reverse()
        self.version = self.version + 1

    def __getitem__(self, index: Any) -> Any:
        index = as_place(index)
        if isinstance(index, slice):
            return self._selected(lambda numbers: numbers[index])
        found = self.item(index)
        if isinstance(found, PooledRow):
            found.given = index
        return found

    def __setitem__(self, index: Any, value: Any) -> None:
        index = as_place(index)
        if isinstance(index, slice):
            refuse("assigning a slice of")
        if (
            isinstance(value, PooledRow)
            and value.seat.owner is self
            and same_state(value.given, index)
        ):
            value._checked()
            return  # ``rows[i] += ...``
        place = existing(index, self.length, TrackedList.no_place)
        if isinstance(value, PooledRow):  # of which the place is known before anything moves
            self._share(value, place)
            self.version = self.version + 1
        else:
            self.version = self.version + 1
            self._take_in(value, place)

    def __delitem__(self, index: Any) -> None:
        if isinstance(index, slice):
            refuse("deleting a slice of")
        self._removed(existing(as_place(index), self.length, TrackedList.no_place))

    def __len__(self) -> int:
        return len(self.counted)

    def __bool__(self) -> bool:
        return len(self) > 0

    def __iter__(self) -> Iterator[Any]:
        return (self.item(place) for place, _ in enumerate(self.counted))

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or not hasattr(list, name):
            raise AttributeError(f"'list' object has no attribute '{name}'")
        refuse(f"the method {name} of")

    def as_array(self) -> NoReturn:
        refuse("an array of")

    def _refused(self, *_: Any) -> NoReturn:
        refuse("an operator on")

    __add__ = __radd__ = __mul__ = __rmul__ = __iadd__ = __imul__ = _refused
    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = __contains__ = _refused
    __hash__ = None  # type: ignore[assignment]
    __repr__ = __array__ = __deepcopy__ = __copy__ = __reduce_ex__ = _refused


class _Looked(ByIdentity):
    """What was last looked up in each list."""


def sit(row: TrackedList, seat: Seat | None) -> None:
    """Let a list be an element of another one, or an ordinary list."""
    if seat is not None or row.seat is not None:
        row.__class__ = TrackedList if seat is None else PooledRow
        row.seat = seat


def row_at(owner: PooledList, place: Any) -> PooledRow:
    """The element at a place that there is."""
    made = PooledRow()
    made.seat = Seat(owner, place, owner.version)
    return made


def _for_each(items: Any, step: Callable[[Any], Any]) -> None:
    def body(item: Any) -> tuple:
        step(item)
        return ()

    ops.for_loop(items, body, ())


def _if(test: Any, then: Callable[[], Any], otherwise: Callable[[], Any] = tuple) -> None:
    ops.cond(test, lambda: (then(), ())[1], lambda: (otherwise(), ())[1])


def register(kind: type[PooledList]) -> None:
    """Tell optree what a list consists of."""

    def flattened(items: Any) -> tuple:
        return tuple(vars(items).values()), tuple(vars(items))

    def unflattened(names: tuple[str, ...], parts: Iterable[Any]) -> Any:
        made = object.__new__(kind)
        vars(made).update(zip(names, parts))
        return made

    namespace = optree.registry.__GLOBAL_NAMESPACE
    optree.register_pytree_node(
        kind,
        flattened,
        unflattened,  # type: ignore[arg-type]
        namespace=namespace,
    )


register(PooledList)
optree.register_pytree_node(
    PooledRow,
    list_flattened,  # type: ignore[arg-type]
    list_unflattened,
    namespace=optree.registry.__GLOBAL_NAMESPACE,
)


def refuse(doing: str) -> NoReturn:
    raise UnsupportedFunctionError(
        f"{doing} a list of lists of lengths that only the run knows is not supported",
        user_location(),
        id="AG0588",
        fix="loop over its elements, and keep what is needed in lists of numbers",
    )
