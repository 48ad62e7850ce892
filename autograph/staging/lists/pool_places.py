"""Lists of numbers that say where elements are: those of `autograph.staging.lists.pooled`.

What they are asked for, and what is written to them, is at places that there are.
"""

from __future__ import annotations

from typing import Any

import ops
from autograph.graph.builder import current_builder
from autograph.graph.graph import Value
from autograph.staging.arrays.array import GraphArray
from autograph.staging.lists.columns import built, different_structure, rows_of_elements
from autograph.staging.lists.lists import TrackedList


def state_of(numbers: TrackedList) -> Any:
    """What is another value if the numbers are others; of Python's none is."""
    rows = numbers.rows
    return tuple(list.__iter__(numbers)) if rows is None else rows.columns[0].value


def number_at(numbers: TrackedList, place: Any) -> Any:
    """The number at a place that there is."""
    if isinstance(place, GraphArray):
        numbers._becomes_rows()
    if numbers.rows is None:
        return list.__getitem__(numbers, place)
    (column,) = numbers.rows.columns
    found = GraphArray(column.value)[place]
    _cannot_fail(found.value)
    return GraphArray(ops.cast(found.value, dtype="int64", weak=True))


def element_at(items: TrackedList, place: Any) -> Any:
    """The element at a place that there is, of any kind that rows may have.

    Raises:
        LoopStateError: the elements are not of one kind.
    """
    if isinstance(place, GraphArray) and not _becomes_rows(items):
        raise different_structure()
    rows = items.rows
    if rows is None:
        return list.__getitem__(items, place)
    found = []
    for column in rows.columns:
        value = GraphArray(column.value)[place].value
        _cannot_fail(value)
        found.append((value, column.element))
    return built(rows.structure, iter(found))


def write_at(numbers: TrackedList, place: Any, value: Any) -> None:
    """Another number, or other text, at a place that there is."""
    if isinstance(place, GraphArray):
        _becomes_rows(numbers)
    numbers[place] = value
    rows = numbers.rows
    for column in () if rows is None else rows.columns:
        _cannot_fail(column.value)


def _becomes_rows(items: TrackedList) -> bool:
    """Keep elements as rows, also where these are several texts, if that is possible."""
    if items.rows is None:
        items.become(rows_of_elements(list.__iter__(items), texts=True))
    return items.rows is not None


def _cannot_fail(value: Value) -> None:
    """Of what was just indexed: at a place that there is."""
    producer = value.producer
    if producer is not None and producer.required:
        current_builder().exchange(producer, required=False)


def same_state(a: Any, b: Any) -> bool:
    """Whether two numbers, or what `state_of` gives, are known to be one."""
    a, b = _key(a), _key(b)
    if isinstance(a, tuple) and isinstance(b, tuple):
        return same_states(a, b)
    return a is b or (isinstance(a, int) and isinstance(b, int) and a == b)


def same_states(state: tuple, key: tuple) -> bool:
    """The same for each of several."""
    return len(state) == len(key) and all(map(same_state, state, key))


def _key(number: Any) -> Any:
    return number.value if isinstance(number, GraphArray) else number
