"""Lists of lists of any lengths: `PooledList`.

The lists in it are kept in a `autograph.staging.lists.heap.Heap`, and it is a list of their places
there. So a list is the same one under all its names, in all lists that share the heap, whatever
becomes of these: that it is changed is seen wherever it is, and two of them change their places as
two numbers do. A list that becomes an element is kept in the heap from then on.
"""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Callable, Iterator
from typing import Any, NoReturn

import ops
from autograph.staging.ground.naming import unpacked_into
from autograph.staging.ground.nested_lists import LISTS
from autograph.staging.ground.object_kinds import EMPTY
from autograph.staging.ground.ownership import Recorded
from autograph.staging.ground.recorder import recorder
from autograph.staging.lists.columns import existing
from autograph.staging.lists.following import unpacked
from autograph.staging.lists.heap import Heap, PooledRow, for_each, refuse, register, row_at
from autograph.staging.lists.lists import TrackedList
from autograph.staging.lists.pool_places import number_at, same_state, state_of, write_at
from autograph.staging.values.choice import as_place
from ops.control import effects
from ops.core.records import NamedTuple


class LastRead(NamedTuple):
    """How an element was read last.

    Attributes:
        owner: the list that it was read from.
        index: by which.
        state: of the numbers that say which elements the list has.
    """

    owner: PooledList
    index: Any
    state: tuple


class PooledList(Recorded):
    """A list of lists of any lengths; see the module's text.

    Attributes:
        places: of the elements, in the heap.
        heap: where they are kept.
    """

    def __init__(self, heap: Heap | None = None) -> None:
        self.places = TrackedList()
        self.heap = Heap() if heap is None else heap

    @property
    def kind(self) -> type:
        """``list`` or ``deque``."""
        return self.counted.kind

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
    def _numbers(self) -> tuple[TrackedList, ...]:
        """The lists of numbers that say which elements there are."""
        return (self.places,)

    def item(self, index: Any) -> Any:
        """An element, by a plain or symbolic index."""
        return self._element(existing(index, self.length, self.counted.outside))

    def _element(self, place: Any) -> Any:
        return self.heap.at(number_at(self.places, place))

    def _refer(self, value: Any) -> Any:
        """The place of something that is to be an element, which is put into the heap if it is not
        there yet."""
        if isinstance(value, PooledList):
            recorder().nested.deepen(self.heap.site, [heap.site for heap in value.heaps])
        return self.heap.refer(value)

    @property
    def is_kept(self) -> bool:
        """Whether it is in a heap itself, so that another one may be the same list."""
        return any(isinstance(numbers, PooledRow) for numbers in self._numbers)

    @property
    def heaps(self) -> list[Heap]:
        """Where its elements are kept, and what is in these."""
        return [self.heap]

    def kinds_of_rows(self) -> set[Any]:
        """Of which kinds an attribute may be that is kept as such a list."""
        return {LISTS, EMPTY}

    @property
    def as_attribute(self) -> Any:
        """Of which kind an attribute is that is this list, if that is one for which there is room;
        None if it is not."""
        return None

    def kept(self, row: Any) -> Any:
        """A list, in a branch that it was not made in, as elements are; anything else as it is."""
        if not isinstance(row, list):
            return row
        return row_at(self.heap, self.heap.refer(row if isinstance(row, PooledRow) else row.copy()))

    def adopt(self, other: Any) -> None:
        """Keep lists where another one does, which some of them will be of."""
        if type(other) is type(self) and self.heap.is_new:
            self.heap = other.heap

    def empty_like(self) -> PooledList:
        """A list without elements, for such as are in this one."""
        return type(self)(self.heap)

    def _selected(self, select: Callable[[TrackedList], Any]) -> PooledList:
        """Another list with elements of this one, ``select`` of what is known of each."""
        made = self.empty_like()
        for mine, numbers in zip(self._numbers, made._numbers):
            numbers.become_like(select(mine))
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
        self._become_like(ops.call(sorted, self, **options))

    def _become_like(self, other: PooledList) -> None:
        for mine, numbers in zip(self._numbers, other._numbers):
            mine.become_like(numbers)

    def append(self, value: Any) -> None:
        self.places.append(self._refer(value))

    def insert(self, index: Any, value: Any) -> None:
        self.places.insert(index, self._refer(value))

    def extend(self, values: Any) -> None:
        if type(values) is list:  # one that was written in the call: nobody else has what is in it
            values = [TrackedList(item) if type(item) is list else item for item in values]
        if isinstance(values, PooledList) and (values is self or values.is_kept):
            values = values.copy()
        for_each(values, self.append)

    def pop(self, index: Any = -1) -> Any:
        if isinstance(index, int) and index in (0, -1):
            return self._end(index)
        place = existing(index, self.length, "pop index out of range")
        found = self._element(place)
        for numbers in self._numbers:
            numbers.pop(place)
        return found

    def _end(self, index: int) -> Any:
        """Take the first element, or the last."""
        nothing = self.counted.nothing
        effects.check(ops.greater(self.length, 0), error="IndexError", message=nothing)
        found = self._element(0 if index == 0 else self.length - 1)
        for numbers in self._numbers:
            numbers.pop() if index else numbers.pop_first()
        return found

    # -- what deques do besides --------------------------------------------------------------------

    def popleft(self) -> Any:
        self._require_deque("popleft")
        return self._end(0)

    def appendleft(self, value: Any) -> None:
        self._require_deque("appendleft")
        self.insert(0, value)

    def extendleft(self, values: Any) -> None:
        self._require_deque("extendleft")
        for_each(values, self.appendleft)

    def _require_deque(self, name: str) -> None:
        if self.kind is not deque:
            raise AttributeError(f"'list' object has no attribute '{name}'")

    def clear(self) -> None:
        for numbers in self._numbers:
            numbers.clear()

    def reverse(self) -> None:
        for numbers in self._numbers:
            numbers.reverse()

    def __getitem__(self, index: Any) -> Any:
        index = as_place(index)
        if isinstance(index, slice):
            return self._selected(lambda numbers: numbers[index])
        found = self.item(index)
        if isinstance(found, PooledRow):
            found.given = LastRead(self, index, self._state)
        return found

    @property
    def _state(self) -> tuple:
        return tuple(map(state_of, self._numbers))

    def __setitem__(self, index: Any, value: Any) -> None:
        index = as_place(index)
        if isinstance(index, slice):
            made = self.empty_like()
            made.extend(value)
            for mine, numbers in zip(self._numbers, made._numbers):
                mine[index] = numbers
            return
        if isinstance(value, PooledRow) and self._has_given(value, index):
            return  # ``rows[i] += ...``
        place = existing(index, self.length, self.counted.no_place)
        self._replace(place, value)

    def _has_given(self, row: PooledRow, index: Any) -> bool:
        """Whether an element is known to be what there is by an index."""
        given: LastRead | None = row.given
        if given is None or given.owner is not self or not same_state(given.index, index):
            return False
        return same_state(given.state, self._state)

    def _replace(self, place: Any, value: Any) -> None:
        """Let something be the element at a place that there is."""
        write_at(self.places, place, self._refer(value))

    def __delitem__(self, index: Any) -> None:
        index = as_place(index)
        if not isinstance(index, slice):
            index = existing(index, self.length, self.counted.no_place)
        for numbers in self._numbers:
            del numbers[index]

    def __len__(self) -> int:
        return len(self.counted)

    def __bool__(self) -> bool:
        return len(self) > 0

    def __add__(self, other: Any) -> Any:
        if not isinstance(other, (list, PooledList)):
            return NotImplemented
        made = self.copy()
        made.extend(other)
        return made

    def __iadd__(self, other: Any) -> PooledList:
        self.extend(other)
        return self

    def __mul__(self, times: Any) -> Any:
        return self._selected(lambda numbers: numbers * times)

    __rmul__ = __mul__

    def __imul__(self, times: Any) -> PooledList:
        self._become_like(self * times)
        return self

    def __iter__(self) -> Iterator[Any]:
        wanted = None if isinstance(self.length, int) else unpacked_into(sys._getframe(1))
        if wanted is not None:
            return unpacked(self, wanted)
        return (self.item(place) for place, _ in enumerate(self.counted))

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or not hasattr(self.kind, name):
            raise AttributeError(f"'{self.kind.__name__}' object has no attribute '{name}'")
        refuse(f"the method {name} of")

    def as_array(self) -> NoReturn:
        refuse("an array of")

    def _refused(self, *_: Any) -> NoReturn:
        refuse("an operator on")

    __radd__ = _refused
    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = __contains__ = _refused
    __hash__ = None  # type: ignore[assignment]
    __repr__ = __array__ = __deepcopy__ = __copy__ = __reduce_ex__ = _refused


register(PooledList)
