"""List comprehensions and generator expressions.

Over something with symbolic items, such as the rows of an array, a list comprehension is a loop
that appends to a list. A generator expression over such a thing is `Items` or `Filtered`: sums and
loops go through it as through an array. Over anything else it is a Python generator.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import ops
from autograph.staging.errors import user_location
from autograph.staging.inner_lists import is_made_since
from autograph.staging.items import Filtered, Items, as_items
from autograph.staging.iteration import each, is_native_iterator
from autograph.staging.lists import TrackedList
from ops.control import generated

if TYPE_CHECKING:
    from autograph.staging.tracer import Tracer


_ITEM = 4  # the time it takes to make an item, in the time that a region takes to look at a value


def collect(
    tracer: Tracer, function: Callable, iterable: Any, where: Callable | None, flat: bool
) -> TrackedList:
    """``[function(item) for item in iterable if where(item)]``; with ``flat``, the items of what
    ``function`` returns."""
    made = TrackedList()
    iterable = tracer.defined(iterable)
    if is_native_iterator(iterable):
        tracer.consume(iterable)
    loops = isinstance(iterable, Filtered) or as_items(iterable) is not None
    if not loops or isinstance(iterable, range):
        for item in each(iterable):
            _append(made, item, function, where, flat)
            tracer.effort.look(_ITEM, user_location())
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


def generate(
    tracer: Tracer, function: Callable, iterable: Any, where: Callable | None, flat: bool
) -> Iterator[Any]:
    """``(function(item) for item in iterable if where(item))``."""
    iterable = tracer.defined(iterable)
    if is_native_iterator(iterable):
        tracer.consume(iterable)
    items = None if isinstance(iterable, range) or flat else as_items(iterable)
    if items is None:
        made: Any = generated(function, iter(iterable), where, flat)
    elif where is not None:
        made = Filtered(iterable, where, function)
    else:
        item = lambda index: function(items.item(index))
        made = Items(items.count, item, items.lists, items.recount)
    tracer.made(made)
    return made
