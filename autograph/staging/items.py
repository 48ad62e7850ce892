"""What a graph loop can go through: something with a count and an item for each index."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import ops
from autograph.backends.select import is_array
from autograph.staging.array import GraphArray
from autograph.staging.naming import unversioned
from ops import effects
from ops.registry import active_tracer


class Items:
    """The items ``item(0) ... item(count - 1)``; both ``count`` and the index may be symbolic.

    Without ``item`` the items are the indices.

    This is what ``range``, ``enumerate``, ``zip`` and ``reversed`` return in converted code when
    they are given something symbolic.
    """

    def __init__(self, count: Any, item: Callable[[Any], Any] | None = None):
        self.count = count
        self.item = item or (lambda index: index)
        self._is_index = item is None

    def index_name(self, body: Callable) -> str:
        """What to call the index: as the loop's target, if that is the index."""
        code = getattr(body, "__code__", None)
        if not self._is_index or code is None or not code.co_argcount:
            return "i"
        return unversioned(code.co_varnames[0])

    def __len__(self) -> int:
        return self.count.__index__()

    def __iter__(self) -> Iterator[Any]:
        """Python's own iteration, for code that is not converted."""
        return (self.item(i) for i in range(len(self)))


def as_items(iterable: Any) -> Items | None:
    """``iterable`` as items, or None if only Python can iterate over it."""
    if is_array(iterable):
        iterable = active_tracer().capture("", iterable)
    if isinstance(iterable, Items):
        return iterable
    if isinstance(iterable, range):
        return _arithmetic(iterable.start, iterable.step, len(iterable))
    if isinstance(iterable, GraphArray) and iterable.shape:
        return Items(iterable.shape[0], iterable.__getitem__)
    return None


def _arithmetic(start: Any, step: Any, count: Any) -> Items:
    if _is(start, 0) and _is(step, 1):
        return Items(count)

    def item(i: Any) -> Any:
        scaled = i if _is(step, 1) else i * step
        return scaled if _is(start, 0) else start + scaled

    return Items(count, item)


def _is(number: Any, value: int) -> bool:
    return isinstance(number, int) and number == value


def traced_range(*args: Any) -> Items:
    """``range`` with symbolic bounds or step.

    Raises:
        ValueError: the step is zero, when the program runs.
    """
    start, stop, step = {1: (0, *args, 1), 2: (*args, 1), 3: args}[len(args)]
    if isinstance(step, int):
        if step == 0:
            raise ValueError("range() arg 3 must not be zero")
        distance = stop - start if step > 0 else start - stop
        count = distance if abs(step) == 1 else (distance + (abs(step) - 1)) // abs(step)
    else:
        effects.check(step != 0, error="ValueError", message="range() arg 3 must not be zero")
        sign = ops.call(lambda s: ops.cond(s > 0, lambda: 1, lambda: -1), step)
        count = ((stop - start) * sign + (step * sign - 1)) // (step * sign)
    return _arithmetic(start, step, ops.cond(count > 0, lambda: count, lambda: 0))


def traced_enumerate(iterable: Any, start: Any = 0) -> Any:
    items = as_items(iterable)
    if items is None:
        return enumerate(iterable, start)
    return Items(items.count, lambda i: (start + i, items.item(i)))


def traced_zip(*iterables: Any) -> Any:
    """``zip``: as long as the shortest, if the lengths are known."""
    parts = [as_items(iterable) for iterable in iterables]
    if not parts or any(part is None or not isinstance(part.count, int) for part in parts):
        return zip(*iterables)
    count = min(part.count for part in parts)
    return Items(count, lambda i: tuple(part.item(i) for part in parts))


def traced_reversed(iterable: Any) -> Any:
    items = as_items(iterable)
    if items is None:
        return reversed(iterable)
    return Items(items.count, lambda i: items.item(items.count - 1 - i))
