"""``heapq`` on lists of symbolic elements.

The loops are those of Python's `heapq` (binary heaps, Williams 1964), so that the elements lie as
they do there.
"""

from __future__ import annotations

import heapq
import operator
from typing import Any, NoReturn

import ops
from autograph.errors import UnsupportedFunctionError
from autograph.staging.arrays.array import located_error
from autograph.staging.ground.handling import changing
from autograph.staging.python.aggregates import compare, ordered


def push(heap: list, item: Any) -> None:
    """``heapq.heappush``."""

    def added() -> None:
        heap.append(item)
        _rise(heap, 0, ops.call(len, heap) - 1)

    changing(added, lambda: None)


def pop(heap: list) -> Any:
    """``heapq.heappop``."""
    last = heap.pop()

    def replace_first() -> Any:
        first = heap[0]
        heap[0] = last
        _sink(heap, 0)
        return first

    left = lambda: ops.cond(ops.call(len, heap) > 0, replace_first, lambda: last)
    return changing(left, lambda: last)


def heapify(heap: list) -> None:
    """``heapq.heapify``."""
    half = ops.call(len, heap) // 2

    def body(trip: Any) -> tuple:
        _sink(heap, half - 1 - trip)
        return ()

    ops.for_loop(ops.call(range, half), body, ())


def push_pop(heap: list, item: Any) -> Any:
    """``heapq.heappushpop``."""

    def is_smaller() -> Any:
        return _less(heap[0], item)

    swaps = ops.and_(ops.call(len, heap) > 0, is_smaller)
    return ops.cond(swaps, lambda: replace(heap, item), lambda: item)


def replace(heap: list, item: Any) -> Any:
    """``heapq.heapreplace``."""
    first = heap[0]
    heap[0] = item
    _sink(heap, 0)
    return first


def _less(a: Any, b: Any) -> Any:
    return compare(operator.lt, a, b)


def _rise(heap: list, start: Any, place: Any) -> None:
    """Move an element towards the root, until its parent is not greater."""
    item = heap[place]

    def test(place: Any) -> Any:
        return ops.and_(place > start, lambda: _less(item, heap[(place - 1) // 2]))

    def body(place: Any) -> tuple:
        parent = (place - 1) // 2
        heap[place] = heap[parent]
        return (parent,)

    (place,) = ops.while_loop(test, body, (place,), ("place",))
    heap[place] = item


def _sink(heap: list, start: Any) -> None:
    """Move the smaller child up, down to a leaf, and then the element up from there."""
    item, end = heap[start], ops.call(len, heap)

    def body(place: Any) -> tuple:
        left = 2 * place + 1
        is_right = ops.and_(left + 1 < end, lambda: ops.not_(_less(heap[left], heap[left + 1])))
        child = ops.cond(is_right, lambda: left + 1, lambda: left)
        heap[place] = heap[child]
        return (child,)

    (place,) = ops.while_loop(lambda place: 2 * place + 1 < end, body, (start,), ("place",))
    heap[place] = item
    _rise(heap, start, place)


def smallest(n: Any, iterable: Any, key: Any = None) -> Any:
    """``heapq.nsmallest``."""
    return ordered(iterable, key=key, numbers=True)[:n]


def largest(n: Any, iterable: Any, key: Any = None) -> Any:
    """``heapq.nlargest``."""
    return ordered(iterable, key=key, reverse=True, numbers=True)[:n]


def _refuse_merge(*args: Any, **kwargs: Any) -> NoReturn:
    raise located_error(
        UnsupportedFunctionError,
        "heapq.merge of values known only at run time",
        fix="sort them together: sorted([*a, *b])",
    )


FUNCTIONS = {
    heapq.heappush: push,
    heapq.heappop: pop,
    heapq.heapify: heapify,
    heapq.heappushpop: push_pop,
    heapq.heapreplace: replace,
    heapq.nsmallest: smallest,
    heapq.nlargest: largest,
    heapq.merge: _refuse_merge,
}
