"""Lists that may grow and shrink in graph loops.

A list made by converted code is a `TrackedList`. It is an ordinary list until a loop or branch is
recorded in which its length depends on the way taken. From then on it is kept as *rows*: one array
for each part of its elements, whose first axis runs over the elements and whose length may be
known only when the program runs. All elements then have the same structure, shapes and dtypes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import optree

import ops
from autograph.errors import (
    ConcreteValueError,
    Location,
    LoopStateError,
    MutationError,
    UnsupportedFunctionError,
)
from autograph.graph.graph import Value
from autograph.staging.array import GraphArray, located_error
from autograph.staging.errors import user_location
from autograph.staging.leaves import join_types
from autograph.staging.nesting import LEAF, Structure, flatten_tuples, unflatten_tuples
from ops import effects
from ops.registry import active_tracer
from ops.types import ArrayType, type_of


class Column(NamedTuple):
    """One part of the elements of a list.

    Attributes:
        value: an array of that part of all elements.
        element: the type of that part of one element.
    """

    value: Value
    element: ArrayType

    @property
    def length(self) -> Any:
        """A Python int if it is known, else a symbolic one."""
        known = self.value.type.shape[0]
        return GraphArray(ops.length(self.value)) if known is None else known

    def row(self, index: Any) -> GraphArray:
        """That part of one element."""
        item = GraphArray(self.value)[index].value
        if self.element.weak:
            item = ops.cast(item, dtype=self.element.dtype.name, weak=True)
        array = GraphArray(item)
        if self.element.shape:
            array.keep()
        return array

    def append(self, part: Any) -> Column:
        """With that part of one more element."""
        element, value = self._widened(part)
        return Column(ops.append_row(value, _strong(part, element)), element)

    def replace(self, index: Any, part: Any) -> Column:
        """With that part of one element replaced."""
        element, value = self._widened(part)
        array = GraphArray(value)
        array[index] = GraphArray(_strong(part, element))
        return Column(array.value, element)

    def _widened(self, part: Any) -> tuple[ArrayType, Value]:
        element = joined_elements(self.element, part.type if _is_array(part) else type_of(part))
        if element.dtype == self.element.dtype:
            return element, self.value
        return element, ops.cast(self.value, dtype=element.dtype.name)


def joined_elements(a: ArrayType, b: ArrayType | None) -> ArrayType:
    """The type of the elements of a list that holds elements of both types.

    Raises:
        LoopStateError: there is none.
    """
    joined = None if b is None else join_types(a, b)
    if joined is None:
        raise LoopStateError(
            f"a list whose length depends on traced values gets elements of different types: {a} "
            f"and {'an object' if b is None else b}",
            user_location(),
            id="AG0316",
            fix="give all elements the same shape",
        )
    return joined


def _strong(part: Any, element: ArrayType) -> Value:
    """A part of an element as an array value of the dtype of its column."""
    value = active_tracer().value_of(part)
    if value.type.dtype != element.dtype or value.type.weak:
        value = ops.cast(value, dtype=element.dtype.name)
    return value


def _is_array(part: Any) -> bool:
    return isinstance(part, GraphArray)


class Rows(NamedTuple):
    """The elements of a list, kept as arrays.

    Attributes:
        structure: the nesting of one element, tuples of arrays and numbers.
        columns: one for each of its leaves.
    """

    structure: Structure
    columns: tuple[Column, ...]


class Lost(NamedTuple):
    """Why a list may not be used any more: one that may be the same was changed there."""

    site: Location | None

    def error(self) -> MutationError:
        return MutationError(
            "a list is used that may be the same as another one that was changed, depending on "
            "control flow",
            user_location(),
            id="AG0328",
            others=(("changed there", self.site),),
            fix="make a copy before it is changed, for example with list(...)",
        )


class TrackedList(list):
    """A list of converted code; see the module's text.

    Attributes:
        rows: its elements, if they are kept as rows; the list is then empty for Python.
        twins: lists that may be the same as this one.
        lost: set if one of its twins was changed: any use of the list raises an error.
    """

    __slots__ = ("_rows", "lost", "twins")

    def __init__(self, items: Iterable[Any] = ()):
        super().__init__(items)
        self._rows: Rows | None = None
        self.twins: list[TrackedList] = []
        self.lost: Lost | None = None

    @property
    def rows(self) -> Rows | None:
        if self.lost is not None:
            raise self.lost.error()
        return self._rows

    def become(self, rows: Rows | None) -> None:
        """Keep the elements as rows from now on, or as Python objects with None."""
        self._rows = rows
        if rows is not None:
            list.clear(self)

    def link(self, other: TrackedList) -> None:
        """The two may be the same list, depending on control flow: if one of them changes, nobody
        knows any more what the other contains."""
        if other is not self and all(twin is not other for twin in self.twins):
            self.twins.append(other)
            other.twins.append(self)

    def _changes(self) -> None:
        """Called before the list changes."""
        for twin in self.twins:
            if twin.lost is None:
                twin.lost = Lost(user_location())
                active_tracer().lost.append(twin)

    @property
    def length(self) -> Any:
        """The number of elements, a symbolic int if only the run can tell."""
        return list.__len__(self) if self.rows is None else self.rows.columns[0].length

    def item(self, index: Any) -> Any:
        """One element, by a plain or symbolic index."""
        if self.rows is None:
            return list.__getitem__(self, index)
        parts = (column.row(index) for column in self.rows.columns)
        return unflatten_tuples(self.rows.structure, parts)

    def stacked(self) -> Any:
        """What ``np.array`` makes of it."""
        if self.rows is None:
            return ops.array(list(self))
        if self.rows.structure is not LEAF:
            return ops.stack([GraphArray(c.value) for c in self.rows.columns], axis=1)
        (column,) = self.rows.columns
        result = GraphArray(column.value)
        default = column.element.shape == () and column.element.dtype == np.float64
        if column.value.type.shape[0] is None and not default:
            message = "an empty list has no shape and no dtype to make an array of"
            effects.check(ops.greater(column.length, 0), error="ValueError", message=message)
        return result

    # -- what lists do ----------------------------------------------------------------------------

    def __len__(self) -> int:
        length = self.length
        return length if isinstance(length, int) else length.__index__()

    def __bool__(self) -> bool:
        return len(self) > 0

    def __iter__(self) -> Iterator[Any]:
        if self.rows is None:
            return list.__iter__(self)
        count, limit = self.length, active_tracer().unroll_limit
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
        return (self.item(i) for i in range(count))

    def __getitem__(self, index: Any) -> Any:
        if not isinstance(index, slice):
            if self.rows is None and isinstance(index, GraphArray):
                return self._selected(index)
            return self.item(index)
        if self.rows is None:
            return TrackedList(list.__getitem__(self, index))
        cut = [Column(GraphArray(c.value)[index].value, c.element) for c in self.rows.columns]
        return self._like(cut)

    def _selected(self, index: GraphArray) -> Any:
        """The element at a symbolic index of a plain list: the same for elements of one type."""
        rows = self._as_rows()
        if rows is None:
            return list.__getitem__(self, index.__index__())
        return unflatten_tuples(rows.structure, (column.row(index) for column in rows.columns))

    def _as_rows(self) -> Rows | None:
        """The elements of a plain list as rows, if they are of one type."""
        items = [flatten_tuples(item) for item in list.__iter__(self)]
        kinds = {(structure, tuple(map(element_type, leaves))) for leaves, structure in items}
        if len(kinds) != 1:
            return None
        ((structure, elements),) = kinds
        if None in elements:
            return None
        columns = []
        for position, element in enumerate(elements):
            parts = [leaves[position] for leaves, _ in items]
            for part in parts:
                keep(part)
            value = ops.stack([_strong(part, element) for part in parts], axis=0)
            columns.append(Column(active_tracer().value_of(value), element))
        return Rows(structure, tuple(columns))

    def __setitem__(self, index: Any, value: Any) -> None:
        self._changes()
        if self.rows is None and isinstance(index, GraphArray):
            rows = self._as_rows()
            if rows is None:
                index = index.__index__()
            else:
                self.become(rows)
        if self.rows is None:
            list.__setitem__(self, index, value)
            return
        if isinstance(index, slice):
            self._refuse("assigning a slice of")
        parts = self._parts(value)
        columns = [c.replace(index, part) for c, part in zip(self.rows.columns, parts)]
        self._become(columns)

    def __delitem__(self, index: Any) -> None:
        self._changes()
        if self.rows is None:
            list.__delitem__(self, index)
        else:
            self.pop(index)

    def append(self, value: Any) -> None:
        self._changes()
        if self.rows is None:
            list.append(self, value)
            return
        parts = self._parts(value)
        self._become([c.append(part) for c, part in zip(self.rows.columns, parts)])

    def extend(self, values: Iterable[Any]) -> None:
        self._changes()
        if self.rows is None and isinstance(values, TrackedList) and values.rows is not None:
            mine = list(list.__iter__(self))
            self.become(values.rows)
            self._prepend(mine)
            return
        if self.rows is None:
            list.extend(self, values)
            return
        if isinstance(values, TrackedList) and values.rows is not None:
            self._become([_joined(a, b) for a, b in zip(self.rows.columns, values.rows.columns)])
            return
        for value in values:
            self.append(value)

    def _prepend(self, values: list[Any]) -> None:
        columns = self.rows.columns
        parts = [self._parts(value) for value in values]
        for position, column in enumerate(columns):
            if parts:
                first = [_strong(part[position], column.element) for part in parts]
                value = ops.concatenate([ops.stack(first, axis=0), column.value], axis=0)
                columns = (
                    *columns[:position],
                    Column(value, column.element),
                    *columns[position + 1 :],
                )
        self._become(columns)

    def pop(self, index: Any = -1) -> Any:
        self._changes()
        if self.rows is None:
            return list.pop(self, index)
        value = self.item(index)
        if index == -1:
            self._become([Column(ops.drop_row(c.value), c.element) for c in self.rows.columns])
        elif index == 0:
            rest = slice(1, None)
            self._become(
                [Column(GraphArray(c.value)[rest].value, c.element) for c in self.rows.columns]
            )
        else:
            self._refuse("removing from the middle of")
        return value

    def clear(self) -> None:
        self._changes()
        self.become(None)
        list.clear(self)

    def copy(self) -> TrackedList:
        made = TrackedList(list.__iter__(self))
        made.become(self.rows)
        return made

    __copy__ = copy

    def reverse(self) -> None:
        self._changes()
        if self.rows is None:
            list.reverse(self)
            return
        back = slice(None, None, -1)
        self._become(
            [Column(GraphArray(c.value)[back].value, c.element) for c in self.rows.columns]
        )

    def insert(self, index: Any, value: Any) -> None:
        self._changes()
        if self.rows is None:
            list.insert(self, index, value)
        elif index == 0:
            self._prepend([value])
        else:
            self._refuse("inserting into the middle of")

    def remove(self, value: Any) -> None:
        self._changes()
        if self.rows is not None:
            self._refuse("removing from the middle of")
        list.remove(self, value)

    def sort(self, **options: Any) -> None:
        self._changes()
        if self.rows is not None:
            self._refuse("sorting", "sort an array of its elements: np.sort(np.array(...))")
        ordered = ops.call(sorted, list(list.__iter__(self)), **options)
        list.__setitem__(self, slice(None), list(ordered))

    def __add__(self, other: Any) -> Any:
        if not isinstance(other, list):
            return NotImplemented
        made = self.copy()
        made.extend(other)
        return made

    def __radd__(self, other: Any) -> Any:
        if not isinstance(other, list):
            return NotImplemented
        made = TrackedList(other)
        made.extend(self)
        return made

    def __iadd__(self, other: Any) -> TrackedList:
        self.extend(other)
        return self

    def __mul__(self, times: Any) -> Any:
        if self.rows is not None:
            self._refuse("repeating")
        if isinstance(times, GraphArray):
            times = times.__index__()
        return TrackedList(list.__mul__(self, times))

    __rmul__ = __mul__

    def __imul__(self, times: Any) -> TrackedList:
        self._changes()
        made = self * times
        list.__setitem__(self, slice(None), made)
        return self

    def __eq__(self, other: Any) -> Any:
        if self.rows is not None or (isinstance(other, TrackedList) and other.rows is not None):
            self._refuse("comparing")
        return list.__eq__(self, other)

    def __ne__(self, other: Any) -> Any:
        return not self == other

    __hash__ = None  # type: ignore[assignment]

    def __contains__(self, item: Any) -> Any:
        if self.rows is not None:
            self._refuse("looking something up in")
        return list.__contains__(self, item)

    def index(self, *args: Any) -> int:
        if self.rows is not None:
            self._refuse("searching")
        return list.index(self, *args)

    def count(self, value: Any) -> int:
        if self.rows is not None:
            self._refuse("counting in")
        return list.count(self, value)

    # -- NumPy ------------------------------------------------------------------------------------

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Any:
        return getattr(ufunc, method)(*map(as_array, inputs), **kwargs)

    def __array_function__(self, function: Any, types: Any, args: tuple, kwargs: dict) -> Any:
        return function(*map(as_array, args), **kwargs)

    # -- helpers ----------------------------------------------------------------------------------

    def _like(self, columns: Iterable[Column]) -> TrackedList:
        made = TrackedList()
        made.become(Rows(self.rows.structure, tuple(columns)))
        return made

    def _become(self, columns: Iterable[Column]) -> None:
        self.become(Rows(self.rows.structure, tuple(columns)))

    def _parts(self, value: Any) -> list[Any]:
        """The leaves of a new element, which has to be like the others."""
        parts, structure = flatten_tuples(value)
        if structure != self.rows.structure:
            raise LoopStateError(
                "a list whose length depends on traced values gets elements of different structure",
                user_location(),
                id="AG0316",
                fix="give all elements the same structure",
            )
        for part in parts:
            keep(part)
        return parts

    def _refuse(self, doing: str, fix: str = "") -> None:
        raise UnsupportedFunctionError(
            f"{doing} a list whose length depends on traced values is not supported",
            user_location(),
            id="AG0337",
            fix=fix or "make an array of it with np.array and work on that",
        )


def _joined(a: Column, b: Column) -> Column:
    """The column of two lists, one after the other."""
    element = joined_elements(a.element, b.element)
    values = [
        c.value
        if c.value.type.dtype == element.dtype
        else ops.cast(c.value, dtype=element.dtype.name)
        for c in (a, b)
    ]
    return Column(ops.concatenate(values, axis=0), element)


def element_type(item: Any) -> ArrayType | None:
    return item.type if isinstance(item, GraphArray) else type_of(item)


def keep(part: Any) -> None:
    """Refuse changes in place to an array that was put into rows: they hold a copy of it."""
    if isinstance(part, GraphArray) and part.ndim:
        part.keep()


def as_array(argument: Any) -> Any:
    """An argument of a NumPy function, lists kept as rows made arrays."""
    if not isinstance(argument, TrackedList):
        return argument
    if argument.rows is None:
        return list(argument)
    return argument.stacked()


def is_rows(argument: Any) -> bool:
    return isinstance(argument, TrackedList) and argument.rows is not None


def _optree_flatten(items: TrackedList) -> tuple:
    if items.rows is None:
        return list.__iter__(items), None
    elements = [column.element for column in items.rows.columns]
    return (
        [GraphArray(column.value) for column in items.rows.columns],
        (items.rows.structure, elements),
    )


def _optree_unflatten(rows: Any, parts: Iterable[Any]) -> TrackedList:
    if rows is None:
        return TrackedList(parts)
    made = TrackedList()
    structure, elements = rows
    made.become(Rows(structure, tuple(map(Column, (p.value for p in parts), elements))))
    return made


optree.register_pytree_node(
    TrackedList, _optree_flatten, _optree_unflatten, namespace=optree.registry.__GLOBAL_NAMESPACE
)


def links(containers: Sequence[Any]) -> list[tuple[int, Any]]:
    """Which of some containers may be the same as another list.

    Args:
        containers: by number.

    Returns:
        For each pair the number of the one and the number of the other, or the other itself if it
        is not among them.
    """
    numbers = {id(container): number for number, container in enumerate(containers)}
    return [
        (number, numbers.get(id(twin), twin))
        for number, container in enumerate(containers)
        if isinstance(container, TrackedList)
        for twin in container.twins
    ]


def link_all(pairs: Iterable[tuple[int, Any]], containers: Mapping[int, Any]) -> None:
    """Link containers, by number, as `links` says of others."""
    for number, other in pairs:
        twin = containers.get(other) if isinstance(other, int) else other
        if isinstance(containers.get(number), TrackedList) and isinstance(twin, TrackedList):
            containers[number].link(twin)
