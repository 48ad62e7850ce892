"""``sorted`` by what a function or a class of the user's says of two elements.

As Python does it for few elements (Peters' `listsort.txt`): those that are in order at the
beginning stay, and each other one is put where a binary search says among those before it, behind
its equals. So even what is no order gives what it gives there, and any order the same for any
number.
"""

from __future__ import annotations

import functools
import operator
import sys
from collections.abc import Callable, Iterable
from typing import Any

import ops
from autograph.staging.containers.returnable import StandIn
from autograph.staging.ground.families import members_of
from autograph.staging.ground.ownership import is_user_class, is_user_object
from autograph.staging.lists.elements import RecordOf, class_of, made_of
from autograph.staging.lists.lists import TrackedList
from autograph.staging.lists.object_heap import PooledObjects
from autograph.staging.lists.placed_objects import is_callers
from autograph.staging.python import aggregates
from autograph.staging.python.bisections import place_behind
from autograph.staging.sequences.items import Filtered, Items

# Python looks for a first run in another way from this version on.
_LATER = sys.version_info >= (3, 13)


class Comparison(StandIn):
    """``functools.cmp_to_key``: a key by which two elements are compared.

    Args:
        compare: of two elements less than 0 if the first one is less.

    Attributes:
        is_less: whether that is said of two elements; a function, of which loops see what it may
            change.
    """

    stands_for = "a key of functools.cmp_to_key"

    def __init__(self, compare: Callable):
        self._compare = compare
        self.is_less = lambda one, other: ops.call(compare, one, other) < 0

    def __call__(self, element: Any) -> Any:
        return functools.cmp_to_key(functools.partial(ops.call, self._compare))(element)


def _comparison_of(iterable: Iterable, key: Any) -> Callable | None:
    """Whether an element is less than another one, if a function or class of the user's says so."""
    if isinstance(key, Comparison):
        return key.is_less
    if key is not None:
        return None
    kind = _class_of_elements(iterable)
    classes = () if kind is None else members_of(kind)
    return operator.lt if any(map(_has_order, classes)) else None


def _has_order(kind: Any) -> bool:
    return is_user_class(kind) and kind.__lt__ is not _NO_ORDER


_NO_ORDER = vars(object)["__lt__"]


def _class_of_elements(iterable: Iterable) -> type | None:
    """The class of the objects in a list or tuple; None of others, and of numbers."""
    if isinstance(iterable, PooledObjects):
        return iterable.heap.made_of
    rows = iterable.rows if isinstance(iterable, TrackedList) else None
    if rows is not None:
        return made_of(rows.structure.kind) if isinstance(rows.structure, RecordOf) else None
    return class_of(iterable[0]) if isinstance(iterable, (list, tuple)) and iterable else None


def ordered(iterable: Iterable, *, key: Any = None, reverse: Any = False) -> list:
    """``sorted``."""
    if isinstance(iterable, Items) and aggregates.is_few(iterable.count):
        iterable = ops.tracked(list(iterable))
    elif isinstance(iterable, (Items, Filtered)):
        iterable = ops.collect(lambda item: item, iterable)
    is_less = _comparison_of(iterable, key)
    if is_less is None:
        return aggregates.ordered(iterable, key=key, reverse=reverse)
    elements = ops.call(list, iterable)
    count = ops.call(len, elements)
    if isinstance(count, int) and count < 2:
        return elements
    _refuse_copies(elements)
    pooled = isinstance(elements, PooledObjects)
    made: list = elements.empty_like() if pooled else ops.tracked([])
    if reverse:
        elements.reverse()
    run = (_later_first_run if _LATER else _first_run)(elements, count, is_less)

    def take(i: Any) -> tuple:
        made.append(elements[i])
        return ()

    def insert(i: Any) -> tuple:
        item = elements[i]
        made.insert(place_behind(made, item, is_less), item)
        return ()

    ops.for_loop(ops.call(range, run), take, ())
    ops.for_loop(ops.call(range, run, count), insert, ())
    if reverse:
        made.reverse()
    return made


def _refuse_copies(elements: TrackedList) -> None:
    """Refuse the caller's objects where each is taken apart: the new list would hold copies. In
    heaps they stay the objects that they are."""
    if isinstance(elements, PooledObjects) or elements.rows is not None:
        return
    if any(is_user_object(item) and is_callers(item) for item in elements):
        raise aggregates.unsortable("objects that are arguments, or from outside")


def _first_run(elements: list, count: Any, is_less: Callable) -> Any:
    """How many of the first elements rise, or fall; those that fall are turned round."""
    falls = ops.and_(count > 1, lambda: is_less(elements[1], elements[0]))

    def goes_on(end: Any) -> Any:
        again = lambda: ops.call(bool, is_less(elements[end], elements[end - 1])) == falls
        return ops.and_(end < count, again)

    (run,) = ops.while_loop(goes_on, lambda end: (end + 1,), (ops.call(min, count, 2),), ("end",))
    ops.cond(falls, lambda: _turn_round(elements, 0, run), lambda: None)
    return run


def _later_first_run(elements: list, count: Any, is_less: Callable) -> Any:
    """The same as Python does it from 3.13 on: equal ones may be among those that fall, and what
    follows may rise once these are turned round."""

    def rising_from(start: Any) -> Any:
        rises = lambda end: ops.not_(is_less(elements[end], elements[end - 1]))
        goes_on = lambda end: ops.and_(end < count, lambda: rises(end))
        (end,) = ops.while_loop(goes_on, lambda end: (end + 1,), (start,), ("end",))
        return end

    def step(end: Any, equal: Any, goes: Any) -> tuple:
        def falls() -> tuple:
            turn_equal(end, equal)
            return end + 1, 0, True

        def rises_or_not() -> tuple:
            rises = is_less(elements[end - 1], elements[end])
            return ops.cond(rises, lambda: (end, equal, False), lambda: (end + 1, equal + 1, True))

        return ops.cond(is_less(elements[end], elements[end - 1]), falls, rises_or_not)

    def turn_equal(end: Any, equal: Any) -> None:
        turn = lambda: _turn_round(elements, end - equal - 1, end)
        ops.cond(equal > 0, turn, lambda: None)

    def falling() -> Any:
        _turn_round(elements, 0, rising)  # which are equal
        goes_on = lambda end, equal, goes: ops.and_(end < count, lambda: goes)
        first = rising + 1, 0, True
        end, equal, _ = ops.while_loop(goes_on, step, first, ("end", "equal", "goes"))
        turn_equal(end, equal)
        _turn_round(elements, 0, end)
        return rising_from(end)

    rising = rising_from(1)
    some_rise = lambda: ops.and_(rising > 1, lambda: is_less(elements[0], elements[rising - 1]))
    is_over = ops.or_(rising >= count, some_rise)
    return ops.cond(is_over, lambda: ops.call(min, rising, count), falling)


def _turn_round(elements: list, start: Any, stop: Any) -> None:
    """Turn the order of some elements round."""

    def swap(i: Any) -> tuple:
        one, other = elements[start + i], elements[stop - 1 - i]
        elements[start + i], elements[stop - 1 - i] = other, one
        return ()

    ops.for_loop(ops.call(range, (stop - start) // 2), swap, ())
