"""Places in lists: of elements, and of what slices select, by indices that may be symbolic."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import ops
from autograph.graph.graph import Constant
from autograph.staging.arrays.array import GraphArray
from autograph.staging.ground.recorder import recorder
from ops.control import effects
from ops.core.lengths import symbolic
from ops.core.symbolic_lengths import is_length


def positions(count: Any) -> GraphArray:
    """The integers below ``count``."""
    if isinstance(count, int):
        return GraphArray(Constant(np.arange(count)))
    return GraphArray(ops.positions(recorder().value_of(count)))


def at_least(number: Any, limit: Any) -> Any:
    length = symbolic(getattr(number, "value", number)) if type(limit) is int else None
    if is_length(length) and length.least() >= limit:
        return number  # and no other one, which would be the length of an array of unknown length
    return _chosen(max, ops.maximum, number, limit)


def at_most(number: Any, limit: Any) -> Any:
    return _chosen(min, ops.minimum, number, limit)


def _chosen(native: Callable, ours: Any, a: Any, b: Any) -> Any:
    if isinstance(a, int) and isinstance(b, int):
        return native(a, b)
    return ours(a, b)


def from_start(index: Any, length: Any) -> Any:
    """An index, counted from the start also if it is negative."""
    if isinstance(index, int):
        return index if index >= 0 else index + length
    return ops.where(ops.less(index, 0), index + length, index)


def clamped(index: Any, length: Any) -> Any:
    """An index where something begins or ends, as Python takes those that are out of range."""
    return at_most(at_least(from_start(index, length), 0), length)


def existing(index: Any, length: Any, message: str) -> Any:
    """An index of an element, counted from the start.

    Raises:
        IndexError: there is no such element; if only the run can tell, when it runs.
    """
    place = from_start(index, length)
    if isinstance(place, int) and isinstance(length, int):
        if not 0 <= place < length:
            raise IndexError(message)
        return place
    inside = ops.logical_and(ops.greater_equal(place, 0), ops.less(place, length))
    effects.check(inside, error="IndexError", message=message)
    return place


def bounds_of(index: slice, length: Any) -> tuple[Any, Any]:
    """Where a slice of step 1 begins and ends, the end not before the beginning."""
    start = 0 if index.start is None else clamped(index.start, length)
    stop = length if index.stop is None else clamped(index.stop, length)
    return start, at_least(stop, start)


def places_of(index: slice, length: Any) -> GraphArray:
    """The places that a slice selects, in its order."""
    step = 1 if index.step is None else index.step.__index__()
    if step > 0:
        start, stop = bounds_of(index, length)
        count = (stop - start + step - 1) // step
    else:
        last = length - 1
        start = last if index.start is None else at_most(from_start(index.start, length), last)
        stop = -1 if index.stop is None else at_least(from_start(index.stop, length), -1)
        count = at_least((start - stop - step - 1) // -step, 0)
    return positions(count) * step + start


def is_symbolic_slice(index: slice) -> bool:
    return any(isinstance(b, GraphArray) for b in (index.start, index.stop, index.step))
