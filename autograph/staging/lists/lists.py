"""Lists that may grow and shrink in graph loops.

A list made by converted code is a `TrackedList`. What it consists of, elements or rows, says
`autograph.staging.lists.list_state`.
"""

from __future__ import annotations

import copy
import sys
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np
import optree

import ops
from autograph.errors import ConcreteValueError, OperandTypeError
from autograph.staging.arrays.array import GraphArray, located_error
from autograph.staging.ground.handling import changing
from autograph.staging.ground.naming import is_at_operator, unpacked_into
from autograph.staging.ground.nested_lists import kind_of_element
from autograph.staging.ground.nesting import LEAF
from autograph.staging.ground.recorder import recorder
from autograph.staging.lists import extending
from autograph.staging.lists.columns import (
    Column,
    Rows,
    bounds_of,
    clamped,
    existing,
    places_of,
    positions,
    stacked,
)
from autograph.staging.lists.elements import elements_of_a_run, is_changeable
from autograph.staging.lists.following import elements, elements_backwards, unpacked
from autograph.staging.lists.inner_lists import has_changeable
from autograph.staging.lists.list_state import ListState
from autograph.staging.lists.none_rows import as_stored, boxes
from autograph.staging.lists.picked import are_chosen_texts, at_place, is_of_numbers, with_element
from autograph.staging.lists.searching import (
    contains,
    count_of,
    equal_lists,
    is_searched,
    ordered_lists,
    place_of,
)
from autograph.staging.values.choice import Choice, as_place
from autograph.staging.values.chosen_texts import of_known_types
from autograph.staging.values.maybe import MaybeNone
from ops.control import effects
from ops.core.recording import raises_as_python

NUMBERS_AND_TEXTS = (bool, int, float, complex, str, np.generic)


class TrackedList(ListState):
    """A list of converted code, which does what Python's lists do."""

    __slots__ = ()

    nothing = "pop from empty list"

    def _gets(self, value: Any) -> None:
        """Called before something becomes an element."""
        if isinstance(value, MaybeNone):
            self._gets(value.content)
        elif isinstance(value, GraphArray):
            if value.ndim == 1 and not value.type.is_static:
                recorder().nested.meet(self.site, value.dtype.name)
        elif value is None:
            recorder().nested.objects.with_none.add(self.site)
        elif isinstance(value, Choice):
            for item in value.objects:
                self._gets(item)
        elif not isinstance(value, NUMBERS_AND_TEXTS):
            recorder().nested.meet(self.site, kind_of_element(value))

    def stacked(self, dtype: Any = None) -> Any:
        """What ``np.array`` makes of it.

        Args:
            dtype: what who asks says of the dtype of the array.
        """
        if self.rows is None:
            return ops.array(list(self))
        structure, columns = as_stored(self.rows.promoted, dtype)
        result, column = stacked(structure, iter(columns)), columns[0]
        has_dtype = dtype is not None or column.element.dtype == np.float64  # that of no elements
        default = structure is LEAF and column.element.shape == () and has_dtype
        if column.value.type.shape[0] is None and not default:
            message = "an empty list has no shape and no dtype to make an array of"
            effects.check(ops.greater(column.length, 0), error="ValueError", message=message)
        return result

    def at(self, places: Any) -> TrackedList:
        """A list kept as rows of the elements at some places."""
        self.lent = True
        return kept_as(self.rows.read(places))

    # -- what lists do ----------------------------------------------------------------------------

    def __len__(self) -> int:
        length = self.length
        return length if isinstance(length, int) else length.__index__()

    def __bool__(self) -> bool:
        return len(self) > 0

    def __reversed__(self) -> Iterator[Any]:
        return elements_backwards(self)

    def __iter__(self) -> Iterator[Any]:
        if self.rows is None:
            return elements(self)
        count, limit = self.length, recorder().unroll_limit
        wanted = None if isinstance(count, int) else unpacked_into(sys._getframe(1))
        if wanted is not None:
            return unpacked(self, wanted)
        if not isinstance(count, int) or count > limit:
            raise located_error(
                ConcreteValueError,
                "Python iterates here over a list that a loop has filled, whose length is "
                + (
                    f"more than unroll_limit ({limit})"
                    if isinstance(count, int)
                    else "known only when the program runs"
                ),
                id="AG0309",
                fix="loop over it with a `for` statement, or make an array of it with np.array",
            )
        return elements(self)

    @raises_as_python
    def __getitem__(self, index: Any) -> Any:
        index = _place_of_element(index)
        if isinstance(index, slice):
            return self._slice(index)
        if self.rows is None and isinstance(index, GraphArray):
            if not list.__len__(self):
                raise IndexError(self.outside)
            known = self._known(index)
            if known is not None:
                return list.__getitem__(self, known)
            rows = self.as_rows()
            return self._picked(index) if rows is None else self._element(rows, index)
        return self.item(index)

    def _picked(self, index: GraphArray) -> Any:
        """One of elements that are of different kinds, or of many texts."""
        elements = list(list.__iter__(self))
        try:
            if not are_chosen_texts(elements):
                return elements[index.as_place()]
        except ConcreteValueError:
            if recorder().attempts:  # unrolled, loops around know which it is
                raise
        return at_place(elements, index)

    def _place(self, index: GraphArray, value: Any) -> Any:
        """Where to write among elements that are no rows, None if that is only known when
        the program runs; the index if they are rows from now on, since some are None or texts."""
        try:
            return index.as_place()
        except ConcreteValueError:
            if recorder().attempts:
                raise
            if all(map(is_of_numbers, list.__iter__(self))):
                return None
            rows = None if has_changeable(value) else self.as_rows(others=True)
            if rows is None:
                raise
            self.become(rows)
            return index

    def _known(self, index: GraphArray) -> int | None:
        """An index of a list of containers as a plain number, if it can be known."""
        if not any(map(is_changeable, list.__iter__(self))):
            return None
        try:
            return index.__index__()
        except ConcreteValueError:
            return None

    def _slice(self, index: slice) -> TrackedList:
        rows = self.rows
        if rows is None:
            try:
                return recorder().placed(TrackedList(list.__getitem__(self, index)))
            except ConcreteValueError:
                rows = self.as_rows()
                if rows is None:
                    raise
        self.lent = True
        return recorder().placed(kept_as(rows.cut(index)))

    @raises_as_python
    def __setitem__(self, index: Any, value: Any) -> None:
        index = _place_of_element(index)
        if self.home is not None and self.writes_through(index, value):
            return
        self._changes()
        self._gets(value)
        if self.rows is None and isinstance(index, GraphArray):
            known = self._known(index)
            if known is None and not self._becomes_rows():
                known = self._place(index, value)
                if known is None:
                    elements = list(list.__iter__(self))
                    self[:] = with_element(elements, index, value, self.no_place)
                    return
            index = index if known is None else known
        if isinstance(index, slice):
            self._set_slice(index, value)
        elif self.rows is None:
            list.__setitem__(self, index, value)
        else:
            self.become(self.rows.replaced(index, value, self.no_place))

    @raises_as_python
    def _set_slice(self, index: slice, values: Any) -> None:
        new = values if isinstance(values, TrackedList) else extending.listed(values)
        if self.rows is None and new.rows is None:
            list.__setitem__(self, index, list(new))
        elif index.step is None or index.step == 1:
            start, stop = bounds_of(index, self.length)
            rest = self[stop:]
            self.become_like(self[:start])
            self.extend(new)
            self.extend(rest)
        else:
            places = places_of(index, self.length)
            message = "attempt to assign a sequence of another size to an extended slice"
            same = ops.equal(places.size, new.length)
            effects.check(same, error="ValueError", message=message)
            if self._becomes_rows() and new._becomes_rows():
                order = positions(self.length)
                order[places] = positions(new.length) + self.length
                self.become(self.rows.joined(new.rows).read(order))

    @raises_as_python
    def __delitem__(self, index: Any) -> None:
        self._changes()
        if self.rows is None and not isinstance(index, GraphArray):
            list.__delitem__(self, index)
        elif not isinstance(index, slice):
            self._taken(index, self.no_place)
        elif index.step is None or index.step == 1:
            self._set_slice(index, TrackedList())
        else:
            keep = positions(self.length) >= 0
            keep[places_of(index, self.length)] = False
            self.become(self.rows.read(keep))

    def append(self, value: Any) -> None:
        self._changes()
        self._gets(value)
        rows = self.seen
        if rows is None:
            list.append(self, of_known_types(value))
        else:
            self.become(rows.appended(value))

    @raises_as_python
    def extend(self, values: Iterable[Any]) -> None:
        self._changes()
        values = values if isinstance(values, (list, tuple)) else extending.items_for(self, values)
        more = values.rows if isinstance(values, TrackedList) else None
        rows = self.seen
        if more is not None:
            self.lent = values.lent = True
        if rows is not None and more is not None:
            self.become(rows.joined(more))
        elif rows is not None:
            for value in list(values):
                self.append(value)
        elif more is not None:
            first = list(list.__iter__(self))
            for value in reversed(first):
                more = more.inserted(0, value)
            self.become(more)
        else:
            list.extend(self, values)

    @raises_as_python
    def pop(self, index: Any = -1) -> Any:
        self._changes()
        if self.rows is None and isinstance(index, GraphArray) and not self._becomes_rows():
            if not list.__len__(self):
                raise IndexError(self.nothing)
            index = index.__index__()
        if self.rows is None:
            return list.pop(self, index)
        rows = self.rows
        if isinstance(index, int) and index in (0, -1):
            value = rows.item(index, self.nothing)
            shorten = rows.without_last if index else lambda: rows.without(0)
            changing(lambda: self.become(shorten()), lambda: None)
            return value
        if not isinstance(rows.length, int):
            effects.check(ops.greater(rows.length, 0), error="IndexError", message=self.nothing)
        return self._taken(index, "pop index out of range")

    def pop_first(self) -> Any:
        """Take the first element."""
        return self.pop(0)

    @raises_as_python
    def _taken(self, index: Any, outside: str) -> Any:
        """Take an element out of a list kept as rows; ``outside`` is said if there is none."""
        if not self._becomes_rows():
            if not list.__len__(self):
                raise IndexError(outside)
            return self.pop(index)
        rows = self.rows
        place = existing(index, rows.length, outside)
        self.become(rows.without(place))
        return rows.item(place)

    def clear(self) -> None:
        if self.unread is not None:
            self.unread.refuse()
        self._changes()
        self.become(None)
        list.clear(self)

    def copied(self) -> TrackedList:
        made = TrackedList()
        made.become_like(self)
        return made

    def copy(self) -> TrackedList:
        return recorder().placed(self.copied())

    __copy__ = copy

    def __deepcopy__(self, memo: dict) -> TrackedList:
        made = memo[id(self)] = self.copied()
        if made.rows is None:
            made[:] = [copy.deepcopy(item, memo) for item in list.__iter__(self)]
        return made

    def reverse(self) -> None:
        self._changes()
        if self.rows is None:
            list.reverse(self)
        else:
            self.become(self.rows.reversed())

    @raises_as_python
    def insert(self, index: Any, value: Any) -> None:
        self._changes()
        self._gets(value)
        if self.rows is None and isinstance(index, GraphArray):
            if not list.__len__(self):
                index = 0
            elif not self._becomes_rows():
                index = index.__index__()
        if self.rows is None:
            list.insert(self, index, value)
        else:
            self.become(self.rows.inserted(clamped(index, self.length), value))

    def remove(self, value: Any) -> None:
        self._changes()
        place = place_of(self, value, 0, None, self.kind().remove)
        if self._becomes_rows():
            self.become(self.rows.without(place))
        else:
            list.__delitem__(self, place)

    def sort(self, **options: Any) -> None:
        self._changes()
        self.become_like(ops.call(sorted, self, **options))

    def __add__(self, other: Any) -> Any:
        if not isinstance(other, list):
            return NotImplemented
        made = self.copied()
        made.extend(other)
        return recorder().placed(made)

    def __radd__(self, other: Any) -> Any:
        if not isinstance(other, list):
            return NotImplemented
        made = TrackedList(other)
        made.extend(self)
        return recorder().placed(made)

    def __iadd__(self, other: Any) -> TrackedList:
        self.extend(other)
        return self

    def __mul__(self, times: Any) -> Any:
        if isinstance(times, GraphArray) and (times.ndim or times.is_array):
            return NotImplemented  # an array multiplies the elements
        if self.rows is not None:
            self.lent = True
            return kept_as(self.rows.repeated(times))
        if isinstance(times, GraphArray):
            if times.dtype.kind not in "iu":
                return NotImplemented
            if not list.__len__(self):
                return TrackedList()
            try:
                times = times.__index__()
            except ConcreteValueError:
                rows = self.as_rows(others=True)
                if rows is None or recorder().attempts:  # unrolled, loops may know how often
                    raise
                self.lent = True
                return kept_as(rows.repeated(times))
        made = TrackedList(list.__mul__(self, times))
        made.site = self.site
        return made

    __rmul__ = __mul__

    def __imul__(self, times: Any) -> TrackedList:
        repeated = self.__mul__(times)
        if repeated is NotImplemented:
            return repeated
        self._changes()
        self.become_like(repeated)
        return self

    # -- comparing --------------------------------------------------------------------------------

    def __eq__(self, other: Any) -> Any:
        if not isinstance(other, list):
            return NotImplemented
        other = other if isinstance(other, TrackedList) else TrackedList(other)
        return equal_lists(self, other)

    def __ne__(self, other: Any) -> Any:
        same = self.__eq__(other)
        return same if same is NotImplemented else ops.not_(same)

    __hash__ = None  # type: ignore[assignment]

    def __lt__(self, other: Any) -> Any:
        return self._ordered(ops.lt_, other)

    def __le__(self, other: Any) -> Any:
        return self._ordered(ops.le_, other)

    def __gt__(self, other: Any) -> Any:
        return self._ordered(ops.gt_, other)

    def __ge__(self, other: Any) -> Any:
        return self._ordered(ops.ge_, other)

    def _ordered(self, compare: Callable, other: Any) -> Any:
        if not isinstance(other, list):
            return NotImplemented
        if self.rows is None and not is_rows(other):
            return compare(tuple(list.__iter__(self)), tuple(list.__iter__(other)))
        other = other if isinstance(other, TrackedList) else TrackedList(other)
        return ordered_lists(compare, self, other)

    @raises_as_python
    def __contains__(self, item: Any) -> Any:
        if not is_searched(self, item):
            return list.__contains__(self, item)
        return self.contains(item).__bool__()

    def contains(self, item: Any) -> Any:
        """``item in self``, which may be symbolic."""
        return contains(self, item)

    def index(self, value: Any, start: Any = 0, stop: Any = None) -> Any:
        return place_of(self, value, start, stop, self.kind().index)

    def count(self, value: Any) -> Any:
        return count_of(self, value)

    # -- NumPy ------------------------------------------------------------------------------------

    @raises_as_python
    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Any:
        multiplies = ufunc is np.multiply and isinstance(inputs[0], np.integer)
        if multiplies and is_at_operator(sys._getframe(1)):  # `np.int64(2) * xs` repeats a list
            return self * inputs[0]
        return getattr(ufunc, method)(*map(as_array, inputs), **kwargs)

    def __array_function__(self, function: Any, types: Any, args: tuple, kwargs: dict) -> Any:
        args = tuple(map(without_rows, args))
        kwargs = {name: without_rows(value) for name, value in kwargs.items()}
        return recorder().apply_to_list(function, args, kwargs)

    # -- helpers ----------------------------------------------------------------------------------

    def become_like(self, other: list) -> None:
        """Contain what another list does."""
        rows = other.rows if isinstance(other, TrackedList) else None
        self.become(rows)
        if rows is None:
            list.__setitem__(self, slice(None), list(other))
        else:
            self.lent = other.lent = True


def kept_as(rows: Rows) -> TrackedList:
    made = TrackedList()
    made.become(rows)
    return made


def as_array(argument: Any, dtype: Any = None) -> Any:
    """An argument of a NumPy function, lists kept as rows made arrays.

    Args:
        dtype: what the function is given for that of the array that it makes.
    """
    if not isinstance(argument, TrackedList):
        return argument
    if argument.rows is None:
        return list(argument)
    return argument.stacked(dtype)


def without_rows(argument: Any) -> Any:
    """An argument of a NumPy function without lists that would have NumPy ask us again."""
    argument = as_array(argument)
    if type(argument) in (list, tuple):
        return type(argument)(map(without_rows, argument))
    return argument


def is_unread(argument: Any) -> bool:
    """Whether it is a list whose elements are not seen."""
    return isinstance(argument, TrackedList) and argument.unread is not None


def is_rows(argument: Any) -> bool:
    return isinstance(argument, TrackedList) and argument.seen is not None


def _place_of_element(index: Any) -> Any:
    """An index or slice of a list.

    Raises:
        OperandTypeError: it is a number of another kind than integers.
    """
    place = as_place(index)
    if isinstance(place, GraphArray) and place.dtype.kind in "fc":
        raise located_error(
            OperandTypeError,
            f"list indices must be integers or slices, not {place.dtype.name}",
            fix="make an integer of it: items[int(i)]",
        )
    return place


def list_flattened(items: TrackedList) -> tuple:
    if items.rows is None:
        return list.__iter__(items), None
    structure, columns = items.rows.promoted
    elements = [column.element for column in columns]
    return boxes(items.rows.promoted), (structure, elements)


def list_unflattened(rows: Any, parts: Iterable[Any]) -> list:
    if rows is None:
        return TrackedList(parts)
    structure, elements = rows
    parts = list(parts)
    if any(isinstance(part, np.ndarray) for part in parts):  # the program has run
        items = [c.tolist() if e.weak else list(c) for c, e in zip(parts, elements)]
        return list(elements_of_a_run(structure, iter(items)))
    values = [None if part is None else part.value for part in parts]  # None for no tangent
    columns = [Column(v, e, part) for v, e, part in zip(values, elements, parts)]
    return kept_as(Rows(structure, tuple(columns)))


optree.register_pytree_node(
    TrackedList, list_flattened, list_unflattened, namespace=optree.registry.__GLOBAL_NAMESPACE
)


def plain(argument: Any) -> Any:
    """An argument with Python's lists in place of ours, for libraries that ask for the very class.

    Raises:
        ConcreteValueError: only the run knows how long a list is.
    """
    if type(argument) is dict:
        return {key: plain(value) for key, value in argument.items()}
    if not isinstance(argument, (list, tuple)):
        return argument
    items = map(plain, argument)
    if isinstance(argument, list):
        return list(items)
    return type(argument)(*items) if hasattr(argument, "_fields") else tuple(items)
