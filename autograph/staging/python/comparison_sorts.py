"""``sorted`` by what a function or a class of the user's says of two elements.

As Python does it for few elements (Peters' `listsort.txt`): those that are in order at the
beginning stay, and each other one is put where a binary search says among those before it, behind
its equals. So even what is no order gives what it gives there, and any order the same for any
number.
"""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable, Iterable
from typing import Any

import ops
from autograph.staging.ground.ownership import is_user_class
from autograph.staging.lists.elements import RecordOf
from autograph.staging.lists.lists import TrackedList
from autograph.staging.lists.placed_objects import class_of, made_of
from autograph.staging.python import aggregates
from autograph.staging.python.bisections import place_behind
from autograph.staging.sequences.items import Filtered, Items


class Comparison:
    """``functools.cmp_to_key``: a key by which two elements are compared.

    Args:
        compare: of two elements less than 0 if the first one is less.
    """

    def __init__(self, compare: Callable):
        self._compare = compare

    def __call__(self, element: Any) -> Any:
        return functools.cmp_to_key(functools.partial(ops.call, self._compare))(element)

    def is_less(self, one: Any, other: Any) -> Any:
        return ops.call(self._compare, one, other) < 0


def _comparison_of(iterable: Iterable, key: Any) -> Callable | None:
    """Whether an element is less than another one, if a function or class of the user's says so."""
    if isinstance(key, Comparison):
        return key.is_less
    if key is not None:
        return None
    kind: Any = _class_of_elements(iterable)
    says = kind is not None and is_user_class(kind) and kind.__lt__ is not _NO_ORDER
    return operator.lt if says else None


_NO_ORDER = vars(object)["__lt__"]


def _class_of_elements(iterable: Iterable) -> type | None:
    """The class of the objects in a list or tuple; None of others, and of numbers."""
    rows = iterable.rows if isinstance(iterable, TrackedList) else None
    if rows is not None:
        return made_of(rows.structure.kind) if isinstance(rows.structure, RecordOf) else None
    return class_of(iterable[0]) if isinstance(iterable, (list, tuple)) and iterable else None


def ordered(iterable: Iterable, *, key: Any = None, reverse: Any = False) -> list:
    """``sorted``."""
    if isinstance(iterable, (Items, Filtered)):
        few = isinstance(iterable, Items) and aggregates.is_few(iterable.count)
        collected = list(iterable) if few else ops.collect(lambda item: item, iterable)
        iterable = ops.tracked(collected) if few else collected
    is_less = _comparison_of(iterable, key)
    if is_less is None:
        return aggregates.ordered(iterable, key=key, reverse=reverse)
    elements, made = ops.call(list, iterable), ops.tracked([])
    if reverse:
        elements.reverse()
    count = ops.call(len, elements)
    run, falls = _first_run(elements, count, is_less)

    def take(i: Any) -> tuple:
        made.append(elements[ops.cond(falls, lambda: run - 1 - i, lambda: i)])
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


def _first_run(elements: list, count: Any, is_less: Callable) -> tuple[Any, Any]:
    """How many of the first elements rise, or fall, and whether they fall."""
    falls = ops.and_(count > 1, lambda: is_less(elements[1], elements[0]))

    def goes_on(end: Any) -> Any:
        again = lambda: ops.call(bool, is_less(elements[end], elements[end - 1])) == falls
        return ops.and_(end < count, again)

    (run,) = ops.while_loop(goes_on, lambda end: (end + 1,), (ops.call(min, count, 2),), ("end",))
    return run, falls
