"""List comprehensions and generator expressions.

Over something with symbolic items, such as the rows of an array, a list comprehension is a loop
that appends to a list. A generator expression over such a thing is `Items` or `Filtered`: sums and
loops go through it as through an array. Over anything else it is a Python generator.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import ops
from autograph.signals import raised_by_handler
from autograph.staging.arrays.array import GraphArray
from autograph.staging.ground.errors import user_location
from autograph.staging.ground.recorder import recorder
from autograph.staging.lists.inner_lists import is_made_since
from autograph.staging.lists.lists import TrackedList
from autograph.staging.sequences.items import Filtered, Items, as_items
from autograph.staging.sequences.iteration import each, is_native_iterator, taken
from ops.control.constructs import generated

_FEW = 32  # items of a generator that stand for themselves
_ITEM = 4  # the time it takes to make an item, in the time that a region takes to look at a value


def collect(function: Callable, iterable: Any, where: Callable | None, flat: bool) -> TrackedList:
    """``[function(item) for item in iterable if where(item)]``; with ``flat``, the items of what
    ``function`` returns."""
    made = TrackedList()
    iterable = recorder().defined(iterable)
    if is_native_iterator(iterable):
        recorder().consume(iterable)
    loops = isinstance(iterable, Filtered) or as_items(iterable) is not None
    if not loops or isinstance(iterable, range):
        for item in each(iterable):
            _append(made, item, function, where, flat)
            recorder().effort.look(_ITEM, user_location())
        return made

    def element(item: Any) -> Any:
        last = TrackedList().serial
        value = function(item)
        made.lent = made.lent or flat or not is_made_since(value, last)
        return value

    def body(item: Any) -> tuple:
        _append(made, item, element, where, flat)
        return ()

    ops.for_loop(iterable, body, ())
    if made.rows is None:  # the elements themselves tell where else they are
        made.lent = False
    made.owns = made.rows is not None and not made.lent
    return made


def _append(
    made: TrackedList, item: Any, function: Callable, where: Callable | None, flat: bool
) -> None:
    def append() -> tuple:
        value = function(item)
        made.extend(value) if flat else made.append(value)
        return ()

    if where is None:
        append()
    else:
        ops.cond(where(item), append, tuple)


def _is_worth_a_loop(numbers: range, function: Callable) -> bool:
    """Whether what is made of each number of a range is an array or number that only the run knows,
    and there are many. Few may differ in type and shape, and what is made of known numbers is
    known."""
    if len(numbers) <= _FEW:
        return False
    try:
        found = recorder().tried(lambda: function(numbers[0]))
    except Exception as error:
        if raised_by_handler(error):
            raise
        return False
    return isinstance(found, GraphArray)


def generate(
    function: Callable, iterable: Any, where: Callable | None, flat: bool
) -> Iterator[Any]:
    """``(function(item) for item in iterable if where(item))``."""
    iterable = recorder().defined(iterable)
    if is_native_iterator(iterable):
        recorder().consume(iterable)
    iterable = taken(iterable)
    items = None if flat else as_items(iterable)
    if isinstance(iterable, range) and (where or not _is_worth_a_loop(iterable, function)):
        items = None
    if items is None:
        made: Any = generated(function, iter(iterable), where, flat)
    elif where is not None:
        made = Filtered(iterable, where, function)
    else:
        item = lambda index: function(items.item(index))
        made = Items(items.count, item, items.lists, items.recount)
    recorder().made(made)
    return made
