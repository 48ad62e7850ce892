"""The heap that the lists in a list of lists are kept in: `Heap`, whose elements are `PooledRow`.

The items of all of them are in one list, the *pool*. Of each, three further lists know where it
begins there, how many items it has, and how many there is room for. One that is full moves to the
end of the pool, with room for twice as many: so appending takes constant time on average (the
dynamic tables of Cormen et al., Introduction to Algorithms, "Amortized Analysis").

The number of a list in the heap, its *place*, is its for good. So it is what stands for the list
wherever that is kept: two places are equal if, and only if, they are of one list.

The four lists are ordinary lists of converted code: which types their items have, and how loops and
branches pass them on, is found as for any other. What they are kept as is theirs to know.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NoReturn

import optree

import ops
from autograph.errors import UnsupportedFunctionError
from autograph.staging.arrays.array import GraphArray
from autograph.staging.ground.errors import user_location
from autograph.staging.ground.identity import ByIdentity
from autograph.staging.ground.nested_lists import kind_of_element, site_of
from autograph.staging.ground.object_kinds import OfAttribute, lists_of
from autograph.staging.ground.ownership import Recorded
from autograph.staging.ground.recorder import is_argument, recorder
from autograph.staging.ground.restarts import NeedsObjects
from autograph.staging.lists.columns import Column, Lengths, Rows, existing
from autograph.staging.lists.elements import ElementType, element_type, flatten_element
from autograph.staging.lists.inner_lists import other_type
from autograph.staging.lists.lists import TrackedList, list_flattened, list_unflattened
from autograph.staging.lists.pool_places import number_at, same_states, state_of, write_at
from autograph.staging.lists.text_elements import united
from autograph.staging.values.choice import as_place
from ops.control import effects
from ops.core.records import NamedTuple
from ops.core.types import ArrayType


class Seat(NamedTuple):
    """Where a list is kept.

    Attributes:
        owner: the heap.
        place: its number there, from 0 on.
    """

    owner: Heap
    place: Any


class _Seen(NamedTuple):
    """The items of a list, as they were last looked up.

    Attributes:
        state: of the lists that know of it, by identity.
        frame: where they can be used.
        rows: the items.
    """

    state: tuple[Any, ...]
    frame: Any
    rows: Rows


class PooledRow(TrackedList):
    """A list that is kept in a heap."""

    __slots__ = ()

    # -- what it contains -------------------------------------------------------------------------

    @property
    def _rows(self) -> Rows | None:
        owner, place = self.seat
        return owner.rows_of(place)

    @_rows.setter
    def _rows(self, rows: Rows | None) -> None:
        if self.seat is not None:  # not while it is made
            self._put(rows)

    def become(self, rows: Rows | None) -> None:
        self._put(rows)

    def is_beside(self, other: PooledRow) -> bool:
        """Whether it is in the same heap as another one, and the same if both are at one place."""
        return self.seat.owner is other.seat.owner

    def _put(self, rows: Rows | None) -> None:
        owner, place = self.seat
        owner.put(place, rows)

    @property
    def length(self) -> Any:
        owner, place = self.seat
        return owner.length_of(place)

    @property
    def size(self) -> Any:
        length, rows = self.length, self.seat.owner.lengths.rows
        if isinstance(length, int):
            return length
        return (length.value if rows is None else rows.columns[0].value,)

    def link(self, other: Any) -> None:
        """Whether two elements are the same is no question: each is looked up where it is."""

    # -- what lists do, where that is less than writing all of it --------------------------------

    def append(self, value: Any) -> None:
        owner, place = self.seat
        self._changes()
        owner.append_to(place, value)

    def extend(self, values: Iterable[Any]) -> None:
        if isinstance(values, PooledRow):
            values = values.copied()
        for_each(values, self.append)

    def pop(self, index: Any = -1) -> Any:
        owner, place = self.seat
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
        owner, place = self.seat
        self._changes()
        owner.put(place, None)

    def __setitem__(self, index: Any, value: Any) -> None:
        index = as_place(index)
        owner, place = self.seat
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


GIVEN = "given:"  # what the sites begin with of heaps in which lists of the caller are


class Heap(Recorded):
    """Lists of any lengths; see the module's text.

    Attributes:
        site: where the program makes it, as `autograph.staging.ground.nested_lists.site_of` says.
        pool: the items of all of them.
        starts: where each begins in the pool.
        lengths: how many items each has.
        rooms: for how many there is room.
    """

    kind = list

    def __init__(self, site: str = "") -> None:
        self.site = site
        self.pool = TrackedList()
        self.starts = TrackedList()
        self.lengths = TrackedList()
        self.rooms = TrackedList()

    @property
    def is_given(self) -> bool:
        """Whether lists of the caller are in it, whose items stay of the types that they are."""
        return self.site.startswith(GIVEN)

    @property
    def is_empty(self) -> bool:
        """Whether no list in it has had an item yet."""
        return self.pool.seen is None and not list.__len__(self.pool)

    @property
    def is_new(self) -> bool:
        """Whether nothing has been put into it yet."""
        return isinstance(self.starts.length, int) and not self.starts.length

    def at(self, place: Any) -> Any:
        """What is at a place that there is."""
        return row_at(self, place)

    def refer(self, row: Any) -> Any:
        """The place of a list, which is put into the heap if it is not there yet."""
        if isinstance(row, PooledRow):
            if row.seat.owner is not self:
                recorder().nested.unite(self.site, row.seat.owner.site)
                refuse("an element of another list of lists in")
            return row.seat.place
        row = TrackedList(row) if type(row) is list else row  # written where it is put in
        if type(row) is not TrackedList:
            refuse("other things than lists in")
        return self._take_in(row)

    def _take_in(self, row: TrackedList) -> Any:
        """Keep a list from now on: its place."""
        if row.is_followed or recorder().frozen.is_element(row):
            refuse("a list that may be elsewhere as well in")
        if is_argument(row) or recorder().outside.shadows.is_shadow(row):
            refuse("a list that is not made by the function in")
        row.lose_twins()
        rows = row.rows
        items = list(list.__iter__(row))
        if any(isinstance(item, (list, Recorded)) for item in items):
            refuse("lists of lists in")
        if rows is None:
            self._meet_all(items)
        else:
            self._meet(column.element for column in rows.columns)
        place = self._room_for(row.length)
        if rows is None:
            for item in items:
                self.pool.append(item)
        else:
            self.repeat(row.length, lambda j: self.pool.append(rows.item(j)))
        TrackedList.become(row, None)
        list.clear(row)
        sit(row, Seat(self, place))
        return place

    def _meet_all(self, items: Iterable[Any]) -> None:
        attribute = recorder().state(EmptyAttributes).get(self.site) if self.is_empty else None
        for item in items:
            if attribute is not None:
                _learn_objects(attribute, item)
            self._meet(map(element_type, flatten_element(item)[0]))

    def _meet(self, parts: Iterable[ArrayType | None]) -> None:
        """Called before there is an item whose parts are of some types.

        Raises:
            LoopStateError: lists of other lists of lists are in the heap, too, or lists of the
                caller, whose items are of another type.
        """
        own = self.pool.rows if self.is_given else None
        if own is not None:
            parts = list(parts)
            for column, given in zip(own.columns, parts):
                if given is None or given.shape or given != column.element:
                    raise other_type(column.element, given)
        if shared_heap(self.site) is not self:
            return
        met = recorder().state(_Met)
        for number, given in enumerate(parts):
            wanted = met.setdefault((self.site, number), given)
            if wanted is not None and (given is None or given.dtype != wanted.dtype):
                raise other_type(wanted, given)

    def _room_for(self, count: Any) -> Any:
        """A new place, for as many items as are going to be put at the end of the pool."""
        place, start = self.starts.length, self.pool.length
        for numbers, number in ((self.starts, start), (self.lengths, count), (self.rooms, count)):
            numbers.append(number)
        return place

    def length_of(self, place: Any) -> Any:
        return 0 if self.is_empty else number_at(self.lengths, place)

    def rows_of(self, place: Any) -> Rows | None:
        """The items of a list; None if none has had one, so that it is empty."""
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
        """One more item for a list."""
        self._meet_all([value])
        length = self.length_of(place)
        if self.is_empty:  # the others have no room either
            self._move(place, length, value)
        else:
            is_full = ops.equal(length, number_at(self.rooms, place))
            _if(is_full, lambda: self._move(place, length, value))
        write_at(self.pool, number_at(self.starts, place) + length, value)
        write_at(self.lengths, place, length + 1)

    def _move(self, place: Any, length: Any, value: Any) -> None:
        """Give a list twice the room, at the end of the pool, where ``value`` is what there is
        for now where nothing is yet."""
        start, room = number_at(self.starts, place), 2 * length + 4
        write_at(self.starts, place, self.pool.length)
        write_at(self.rooms, place, room)
        self.repeat(length, lambda j: self.pool.append(self.pool[start + j]))
        self.repeat(room - length, lambda j: self.pool.append(value))

    def pop_from(self, place: Any) -> Any:
        """Take the last item of a list."""
        length = number_at(self.lengths, place)
        effects.check(ops.greater(length, 0), error="IndexError", message=TrackedList.nothing)
        value = self.pool[number_at(self.starts, place) + length - 1]
        write_at(self.lengths, place, length - 1)
        return value

    def write(self, place: Any, index: Any, value: Any) -> None:
        """Another item at a place that there is in a list.

        Raises:
            LoopStateError: it is of another type, and no number.
        """
        rows = self.pool.as_rows()
        parts, structure = flatten_element(value)
        types = list(map(element_type, parts))
        if rows is not None and not self._may_get(rows.kind, structure, types):
            pairs = (pair for pair in zip(rows.kind.types, types) if pair[0] != pair[1])
            raise other_type(*next(pairs, (rows.kind.types[0], None)))
        write_at(self.pool, number_at(self.starts, place) + index, value)

    def _may_get(self, kind: ElementType, structure: Any, types: list[Any]) -> bool:
        """Whether an item of a structure, with leaves of these types, may be among ones of a kind:
        numbers of each type may where the lists are not of the caller."""
        if None in types:
            return False
        given = ElementType(structure, tuple(types))
        return kind == given or (
            not self.is_given and united(kind, given, exactly=True) is not None
        )

    def put(self, place: Any, rows: Rows | None) -> None:
        """Other items for a list."""
        length = 0 if rows is None else rows.length
        self.lengths[place] = length
        if rows is None:
            return
        self._meet(column.element for column in rows.columns)
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
        for_each(ops.call(range, count), step)


class _Looked(ByIdentity):
    """What was last looked up in each list."""


def sit(row: TrackedList, seat: Seat | None) -> None:
    """Let a list be kept in a heap, or be an ordinary list."""
    if seat is not None or row.seat is not None:
        row.__class__ = TrackedList if seat is None else PooledRow
        row.seat = seat


def row_at(owner: Heap, place: Any) -> PooledRow:
    """The list at a place that there is."""
    made = PooledRow()
    made.seat = Seat(owner, place)
    return made


class _Met(dict[tuple[str, int], Any]):
    """Of which types the parts of the items in a heap are, by where the program makes it."""


class EmptyAttributes(dict[str, OfAttribute]):
    """Attributes of objects in heaps that are lists without items so far, by the sites of the heaps
    that these are in."""


def _learn_objects(attribute: OfAttribute, item: Any) -> None:
    """Called before a list that is an attribute gets its first item.

    Raises:
        NeedsObjects: that is an object, or a tuple with one.
    """
    found = lists_of(kind_of_element(item))
    if found is not None:
        recorder().nested.objects.meet(attribute.kind, attribute.name, {found})
        raise NeedsObjects(user_location())


class _Shared(dict[str, Heap]):
    """The heaps that lists are in which are made at several places of the program, by each."""


def share_heaps(given: Iterable[Any]) -> list[Heap]:
    """Make the heaps that lists of several places of the program are kept in, at the beginning of a
    recording: those that are made.

    Args:
        given: the containers among the arguments, which may be heaps.
    """
    nested = recorder().nested
    known = {heap.site: heap for heap in given if isinstance(heap, Heap)}
    made: list[Heap] = []
    for sites in nested.together() if nested.in_pools else ():
        heap = next((known[site] for site in sorted(sites) if site in known), None)
        if heap is None:
            heap = Heap(min(sites))
            made.append(heap)
        recorder().state(_Shared).update(dict.fromkeys(sites, heap))
    return made


def heap_at(site: str) -> Heap:
    """Where lists are kept that a list of lists holds which is made at a place of the program."""
    found = shared_heap(site)
    return Heap(site) if found is None else found


def shared_heap(site: str) -> Heap | None:
    """Where lists of a place of the program are kept, if others are there too."""
    return recorder().state(_Shared).get(site)


def as_row(made: TrackedList) -> TrackedList:
    """A new list, which is one of a heap if that is known of where it is made."""
    heap = shared_heap(site_of(made.site)) if recorder().nested.in_pools else None
    return made if heap is None else row_at(heap, heap.refer(made))


def note_meeting(a: Any, b: Any) -> None:
    """Two lists, of which one is in a heap, are to be one variable: another recording may have both
    there."""
    sites = [x.seat.owner.site if isinstance(x, PooledRow) else site_of(x.site) for x in (a, b)]
    recorder().nested.unite(*sites)


def learn_place(made: TrackedList, owner: Heap) -> None:
    """A list is in a heap on one path, and an ordinary one on another: another recording has it
    there from where it is made, if that is known.

    Raises:
        NeedsObjects: it is, and this one did not.
    """
    nested = recorder().nested
    before = nested.known
    nested.unite(owner.site, site_of(made.site))
    if nested.known > before:
        raise NeedsObjects(user_location())


def for_each(items: Any, step: Callable[[Any], Any]) -> None:
    def body(item: Any) -> tuple:
        step(item)
        return ()

    ops.for_loop(items, body, ())


def _if(test: Any, then: Callable[[], Any], otherwise: Callable[[], Any] = tuple) -> None:
    ops.cond(test, lambda: (then(), ())[1], lambda: (otherwise(), ())[1])


def register(kind: type) -> None:
    """Tell optree what a list consists of."""

    def flattened(items: Any) -> tuple:
        return tuple(vars(items).values()), tuple(vars(items))

    def unflattened(names: tuple[str, ...], parts: Iterable[Any]) -> Any:
        made: Any = object.__new__(kind)
        vars(made).update(zip(names, parts))
        return made

    namespace = optree.registry.__GLOBAL_NAMESPACE
    optree.register_pytree_node(
        kind,
        flattened,
        unflattened,  # type: ignore[arg-type]
        namespace=namespace,
    )


register(Heap)
optree.register_pytree_node(
    PooledRow,
    list_flattened,  # type: ignore[arg-type]
    list_unflattened,
    namespace=optree.registry.__GLOBAL_NAMESPACE,
)


def refuse(doing: str) -> NoReturn:
    raise UnsupportedFunctionError(
        f"{doing} a list of lists of lengths known only at run time is not supported",
        user_location(),
        id="AG0588",
        fix="loop over its elements, and keep what is needed in lists of numbers",
    )
