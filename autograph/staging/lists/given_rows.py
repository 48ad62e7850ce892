"""Lists of lists among the arguments of a call, as what a program is given: `GivenRows`.

Taken apart element by element, a list of lists is another structure for each number and each length
of its rows. Here all rows of one kind are in one heap, as those are that a function makes itself;
see `autograph.staging.lists.heap`. Its pool, and where rows begin and end there, are arrays of
lengths that only the run knows: so rows are data, and what is recorded is for all.

What the program has changed is written into the rows of the caller, each of which stays the list
that it is, wherever it may be.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Any

import numpy as np

import ops
from autograph.staging.ground.nesting import LEAF, Structure
from autograph.staging.ground.ownership import is_user_object
from autograph.staging.ground.recorder import recorder
from autograph.staging.lists.columns import Column, Rows
from autograph.staging.lists.elements import NUMBERS, PACKED, ROWS, kind_of_numbers
from autograph.staging.lists.heap import GIVEN, Heap, row_at
from autograph.staging.lists.nested_pools import NestedPool
from autograph.staging.lists.pooled import PooledList
from ops.core.records import NamedTuple
from ops.core.subscripts import Bound
from ops.core.symbolic_lengths import LEAST
from ops.core.types import ArrayType

_INTEGER = NUMBERS[int]
# Of what there are no parts.
ATOMS = frozenset({*NUMBERS, str, bytes, type(None), np.ndarray})

# Of what kind rows are: the types of the columns of their items if these are numbers, or tuples of
# numbers; the kind of these items if they are rows; nothing if there are no items.
_Kind = Any


# How many items each of some lists has, and for each part of an item an array of those of all.
RowArrays = tuple[np.ndarray, list[np.ndarray]]


class NotOfOneKind(Exception):
    """What is in lists is not of one kind."""


class GivenColumns(list):
    """A list of what a heap consists of, outside of a recording: what the program has put into it,
    once it has.

    The arrays have at least as many elements as an array of any length has; see
    `ops.core.symbolic_lengths`.

    Args:
        structure, elements: of the items, see `autograph.staging.lists.elements.ElementType`.
        columns: for each part of the items, those of all.
        counted: whether it matters how many there are. There may be more at the end, otherwise.
    """

    def __init__(
        self,
        structure: Structure,
        elements: Sequence[ArrayType],
        columns: Iterable[Any],
        counted: bool = False,
    ):
        super().__init__([_AS_GIVEN])
        self._structure, self._elements = structure, tuple(elements)
        arrays = [_array(column, e) for column, e in zip(columns, elements)]
        self._count = (len(arrays[0]),) if counted else ()
        self.arrays = tuple(map(_lengthened, arrays))

    @property
    def is_written(self) -> bool:
        return len(self) != 1 or self[0] is not _AS_GIVEN

    @property
    def keys(self) -> tuple:
        """How it is built, as those of `Contents` say."""
        return (ROWS, self._structure, self._elements) if self.arrays else (0, None)

    @property
    def values(self) -> tuple:
        return *self.arrays, *self._count

    @property
    def structure(self) -> Structure:
        """That of an item."""
        return self._structure

    @property
    def elements(self) -> tuple[ArrayType, ...]:
        """The types of the parts of an item."""
        return self._elements

    @property
    def items(self) -> list:
        """What it holds, as callers have it."""
        if self.is_written:
            return list(self)
        if not self.arrays:
            return []
        pairs = zip(self.arrays, self._elements)
        columns = [array.tolist() if e.weak else list(array) for array, e in pairs]
        return columns[0] if self._structure is LEAF else list(zip(*columns))


_AS_GIVEN = object()  # what is in one that the program has not changed


def _array(values: Any, element: ArrayType) -> np.ndarray:
    if isinstance(values, np.ndarray):
        return values
    return np.fromiter(values, element.dtype, len(values))


def _lengthened(array: np.ndarray) -> np.ndarray:
    missing = LEAST - len(array)
    if missing <= 0:
        return array
    return np.concatenate([array, np.zeros((missing, *array.shape[1:]), array.dtype)])


def rows_given(keys: tuple, values: Sequence[Any]) -> Rows:
    """What a recorded function sees of `GivenColumns`.

    Args:
        keys: theirs.
        values: theirs, symbolic.
    """
    _, structure, elements = keys
    count = values[len(elements) :]
    columns = []
    for array, element in zip(values, elements):
        if count:  # not by Python's syntax, which would ask for the number
            array = ops.getitem(array, count[0], index=(("slice", None, Bound(0), None),))
        else:
            array = ops.refine(ops.copy(array), shape=(None, *element.shape))
        columns.append(Column(recorder().value_of(array), element))
    return Rows(structure, tuple(columns))


def places_column(values: Any, counted: bool = False) -> GivenColumns:
    """A list of places in a heap, or in its pool."""
    return GivenColumns(LEAF, (_INTEGER,), (values,), counted)


class PlacesOf(NamedTuple):
    """What stands for the places of what is in a list of lists.

    Attributes:
        lists: that list.
    """

    lists: list


class GivenHeap:
    """The rows of one kind.

    Attributes:
        rows: the lists, by their places.
        heap: what the program is given.
        new_row: gives the list of the caller for one that the program has made, by its place.
    """

    def __init__(self, kind: _Kind, inner: GivenHeap | None):
        self._kind, self._inner = kind, inner
        self.heap = Heap(_site(kind))
        self.rows: list[list] = []
        self._places: dict[int, int] = {}
        self._arrays: RowArrays | None = None
        # What the function has made: rows, by their places, and lists of such, by what holds these.
        self._made: dict[int, list] = {}
        self._lists: dict[int, tuple[list, Any]] = {}
        self.new_row: Callable[[int], list] = lambda place: []

    @property
    def is_nested(self) -> bool:
        return self._inner is not None

    @property
    def depth(self) -> int:
        return 0 if self._inner is None else 1 + self._inner.depth

    @property
    def form(self) -> Hashable:
        """What the program is given of it besides arrays."""
        return self._kind, self.heap.site

    def take(self, lists: list[list]) -> list[int]:
        """Keep lists: their places."""
        known, rows = self._places, self.rows
        if not rows:
            known.update(zip(map(id, lists), itertools.count()))
            if len(known) == len(lists):
                rows += lists
                return list(range(len(lists)))
            known.clear()
        for row in lists:
            if known.setdefault(id(row), len(rows)) == len(rows):
                rows.append(row)
        return [known[id(row)] for row in lists]

    def take_arrays(self, lists: list[list], arrays: RowArrays) -> np.ndarray:
        """Keep lists of which there are arrays, the first and only ones: their places."""
        self.rows, self._arrays = list(lists), arrays
        return np.arange(len(lists))

    def place_of(self, row: list) -> int | None:
        """Where a list is; None if it is not here."""
        if not self._places and self.rows:
            self._places.update(zip(map(id, self.rows), itertools.count()))
        return self._places.get(id(row))

    def close(self) -> None:
        """All rows are there: say what the program is given."""
        heap: Any = self.heap
        if self._arrays is None:
            lengths = np.fromiter(map(len, self.rows), np.int64, len(self.rows))
            heap.pool = self._pool(joined(self.rows))
        else:
            lengths, columns = self._arrays
            structure, types = self._kind
            heap.pool = GivenColumns(structure, types, columns)
        heap.starts = places_column(np.cumsum(lengths) - lengths)
        heap.lengths = places_column(lengths)
        heap.rooms = places_column(lengths.copy())

    def _pool(self, items: list) -> Any:
        if self._inner is not None:
            return places_column(self._inner.take(items))
        if self._kind == ():
            return GivenColumns(LEAF, (), ())
        structure, types = self._kind
        return GivenColumns(structure, types, (items,) if structure is LEAF else zip(*items))

    def list_at(self, places: Any) -> PooledList:
        """The list of what is at some places, as the program is given it."""
        inner, below = self._inner, []
        while inner is not None:
            below.append(inner.heap)
            inner = inner._inner
        made = NestedPool(self.heap, below) if below else PooledList(self.heap)
        made.places = places
        return made

    def row_at(self, place: int) -> Any:
        """A row, as the program is given it."""
        row = row_at(self.heap, place)
        return row if self._inner is None else self._inner.list_at(row)

    # -- when the program has run -----------------------------------------------------------------

    def at(self, places: Sequence[int]) -> list:
        """What is at some places: rows of the caller, and others, which `settle` fills."""
        rows = self.lists_at(places)
        return rows if self._inner is None else list(map(PlacesOf, rows))

    def lists_at(self, places: Iterable[int]) -> list[list]:
        """The same, of lists of lists these themselves."""
        rows, made = self.rows, self._made
        new = self.new_row
        return [
            rows[p] if p < len(rows) else made[p] if p in made else made.setdefault(p, new(p))
            for p in places
        ]

    def lists(self, places: Any, inner: Sequence[Any]) -> list:
        """The list of what is at some places, one for each list of these."""
        if isinstance(places, PlacesOf):
            return places.lists
        found = self._lists.get(id(places))
        if found is None:
            found = self._lists[id(places)] = self.lists_at(places), places
        return found[0]

    @property
    def parts(self) -> list[GivenColumns]:
        """What the heap consists of."""
        heap: Any = self.heap
        return [heap.pool, heap.starts, heap.lengths, heap.rooms]

    def settle(self) -> None:
        """Let rows hold what the program has put into them."""
        parts = self.parts[:3]
        is_changed = any(part.is_written for part in parts)
        if not is_changed and not self._made:
            return
        if self._keeps_lengths and self._written(parts[0].items):
            return
        pool, starts, lengths = (part.items for part in parts)
        kept = list(enumerate(self.rows)) if is_changed else []
        for place, row in (*kept, *self._made.items()):
            row[:] = self._items(pool[starts[place] : starts[place] + lengths[place]])

    def _items(self, items: list) -> list:
        """What the caller has of some items of the pool."""
        return items if self._inner is None else self._inner.lists_at(items)

    @property
    def made(self) -> int:
        """How many rows the program has made that the caller gets."""
        return len(self._made)

    @property
    def _keeps_lengths(self) -> bool:
        """Whether the items of the rows alone have changed, which are numbers."""
        layout = self.parts[1:3]
        return not (self._made or self.is_nested or any(part.is_written for part in layout))

    def _written(self, items: list) -> bool:
        """Whether the rows have these items now, by machine code."""
        from autograph.kernels.native import number_lists  # where there are lists of lists

        lengths = self.parts[2].arrays[0][: len(self.rows)]
        return number_lists.write_rows(self.rows, np.ascontiguousarray(lengths), items)


class GivenRows:
    """The lists of lists of a call; see the module's text.

    Args:
        call: the arguments, in tuples and dicts.
        with_others: whether other lists that could be rows are kept in the heaps as well, since the
            function puts them into lists of lists.

    Attributes:
        found: how many lists of lists there are.
    """

    def __init__(self, call: Any, with_others: bool = False):
        self._heaps: dict[Any, GivenHeap] = {}
        self._stand_ins: dict[int, Any] = {}
        self._columns: list[tuple[list, GivenHeap, GivenColumns]] = []
        self._others: list[list] = []
        self._arrays: dict[int, RowArrays] = {}  # of lists of lists, by identity
        self._met: dict[int, Any] = {}
        tops: list[tuple[list, GivenHeap]] = []
        self._find(call, tops)
        try:
            self._keep(tops, with_others)
        except OverflowError:  # an int beyond 64 bits
            self._stand_ins.clear()
        self.found = len(tops) if self._stand_ins else 0

    @property
    def shape(self) -> tuple:
        """Of which kinds the rows are, and how many items each has."""
        return tuple((kind, tuple(map(len, h.rows))) for kind, h in self._heaps.items())

    @property
    def size(self) -> int:
        """How many items all rows have."""
        return sum(len(row) for heap in self._heaps.values() for row in heap.rows)

    @property
    def is_ragged(self) -> bool:
        """Whether rows of one kind have different lengths."""
        return any(len(set(map(len, heap.rows))) > 1 for heap in self._heaps.values())

    def _find(self, value: Any, tops: list[tuple[list, GivenHeap]]) -> None:
        kind = type(value)
        if kind is tuple:
            for item in value:
                self._find(item, tops)
        if kind not in (list, dict) and (kind in ATOMS or not is_user_object(value)):
            return
        if id(value) in self._met:
            return
        self._met[id(value)] = value
        if kind is dict:
            self._find(tuple(value.values()), tops)
        elif kind is not list:
            self._find(tuple(getattr(value, "__dict__", {}).values()), tops)
        elif (known := _arrays_of(value)) is not None:
            kind, self._arrays[id(value)] = known
            tops.append((value, self._heap(kind)))
        elif set(map(type, value)) == {list}:
            try:
                tops.append((value, self._heap(_kind_of(joined(value)))))
            except NotOfOneKind:
                self._find(tuple(value), tops)
        else:
            self._others.append(value)
            if not ATOMS.issuperset(map(type, value)):
                self._find(tuple(value), tops)

    def _heap(self, kind: _Kind) -> GivenHeap:
        found = self._heaps.get(kind)
        if found is None:
            inner = self._heap(kind[0]) if len(kind) == 1 else None
            found = self._heaps[kind] = GivenHeap(kind, inner)
        return found

    def _keep(self, tops: list[tuple[list, GivenHeap]], with_others: bool) -> None:
        is_alone = len(self._heaps) == len(tops)  # each heap holds the rows of one list alone
        takes_arrays = is_alone and not (with_others and self._others)
        places: list[Any] = []
        for lists, heap in tops:
            arrays = self._arrays.get(id(lists)) if takes_arrays else None
            places.append(heap.take(lists) if arrays is None else heap.take_arrays(lists, arrays))
        for other in self._others if with_others else ():
            fitting = self._heap_for(other)
            if fitting is not None:
                fitting.take([other])
        for heap in self._outermost_first():
            heap.close()
        for (lists, heap), numbers in zip(tops, places):
            column = places_column(numbers, counted=True)
            self._stand_ins[id(lists)] = heap.list_at(column)
            self._columns.append((lists, heap, column))
        for heap in self._heaps.values():
            # Lists of lists are rows of nothing but lists of lists of lists.
            more = (lists for lists, _ in tops) if heap.is_nested else ()
            for other in (*self._others, *more):
                place = heap.place_of(other)
                if place is not None:
                    self._stand_ins[id(other)] = heap.row_at(place)

    def _heap_for(self, row: list) -> GivenHeap | None:
        """Where a list can be kept that is no row."""
        if not row:  # whose items may be anything
            found = [heap for heap in self._heaps.values() if not heap.is_nested]
            return found[0] if len(found) == 1 else None
        try:
            return self._heaps.get(_kind_of(row))
        except NotOfOneKind:
            return None

    def _outermost_first(self) -> list[GivenHeap]:
        return sorted(self._heaps.values(), key=lambda heap: heap.depth, reverse=True)

    def without_rows(self, leaves: Sequence[Any]) -> list[Any]:
        """The leaves of a call, with None for the arrays of what its heaps consist of."""
        return without_arrays(leaves, self.parts())

    def parts(self) -> list[GivenColumns]:
        """What the heaps consist of, and the places of the lists of lists."""
        parts = [part for heap in self._heaps.values() for part in heap.parts]
        return [*parts, *(column for _, _, column in self._columns)]

    @property
    def arrangement(self) -> Hashable:
        """What calls have in common that differ in their rows and arguments of other kinds alone;
        None if more lists than those of lists have to do with it."""
        if self._others or any(heap.is_nested for heap in self._heaps.values()):
            return None
        heaps = list(self._heaps.values())
        return tuple(self._heaps), tuple(heaps.index(heap) for _, heap, _ in self._columns)

    def is_site(self, text: str) -> bool:
        """Whether a text is what names one of the heaps."""
        return any(heap.heap.site == text for heap in self._heaps.values())

    def stand_in(self, value: Any) -> Any:
        """What a list among the arguments is for the program; None if it is what it is."""
        return self._stand_ins.get(id(value))

    def container(self, found: Any) -> Any:
        """What delivers the contents of a container of the call, which may be a heap."""
        if type(found) is not Heap:
            return found
        return next(heap for heap in self._heaps.values() if heap.heap is found)

    def settle(self) -> None:
        """Let all lists hold what the program has put into them; called when that has run, and its
        results are delivered."""
        for lists, heap, column in self._columns:
            if column.is_written:
                lists[:] = heap.lists_at(column.items)
        for heap in self._outermost_first():
            heap.settle()


def without_arrays(leaves: Sequence[Any], parts: Iterable[GivenColumns]) -> list[Any]:
    """The leaves of a call, with None for the arrays of what heaps consist of."""
    arrays = {id(array) for column in parts for array in column.arrays}
    return [None if id(leaf) in arrays else leaf for leaf in leaves]


def is_same_value(before: Any, value: Any) -> bool:
    """Whether a value that the program has had is what it was."""
    if before is value:
        return True
    if type(before) is not type(value):
        return False
    if type(before) is float and before == before and (before or value):
        return bool(before == value)  # of most numbers, quickly
    if isinstance(before, np.ndarray):
        return before.tobytes() == value.tobytes()
    if isinstance(before, (float, complex, np.generic)):
        return np.asarray(before).tobytes() == np.asarray(value).tobytes()
    if isinstance(before, tuple):
        return len(before) == len(value) and all(map(is_same_value, before, value))
    return isinstance(before, (int, str)) and before == value


@functools.cache
def _site(kind: _Kind) -> str:
    """What stands for the place of the program where a heap is made."""
    return f"{GIVEN}{kind}"


def _arrays_of(lists: list) -> tuple[_Kind, RowArrays] | None:
    """Of what kind the lists in a list are, and arrays of their items, by machine code; None if
    they are of none, or one of them is there twice, and where that is not known at once."""
    if not lists or type(lists[0]) is not list:
        return None
    first: Any = next((row[0] for row in lists if type(row) is list and row), None)
    kind = None if first is None else kind_of_numbers([first], PACKED)
    if kind is None:
        return None
    from autograph.kernels.native import number_lists  # where there are lists of lists

    is_alone = kind.structure is LEAF
    classes = [type(part) for part in ((first,) if is_alone else first)]
    found = number_lists.rows(lists, classes, [t.dtype for t in kind.types], not is_alone)
    return None if found is None else (tuple(kind), found)


def joined(lists: Iterable[list]) -> list:
    """The items of some lists, one list after the other."""
    return list(itertools.chain.from_iterable(lists))


def _kind_of(items: Sequence[Any]) -> _Kind:
    """Of what kind rows are with these items.

    Raises:
        NotOfOneKind: of none.
    """
    if not items:
        return ()
    if set(map(type, items)) == {list}:
        return (_kind_of(joined(items)),)
    found = kind_of_numbers(items)
    if found is None:
        raise NotOfOneKind
    return tuple(found)
