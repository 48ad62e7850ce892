"""List comprehensions and generator expressions.

Over something with symbolic items, such as the rows of an array, a list comprehension is a loop
that appends to a list. A generator expression over such a thing is `Items` or `Filtered`: sums and
loops go through it as through an array. Over anything else it is a Python generator.
"""

from __future__ import annotations

import functools
import types
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np

import ops
from autograph.graph.graph import Value
from autograph.signals import raised_by_handler
from autograph.staging.arrays.array import GraphArray
from autograph.staging.ground.errors import is_mistake, user_location
from autograph.staging.ground.leaves import leaves_of
from autograph.staging.ground.ownership import is_user_object
from autograph.staging.ground.recorder import recorder
from autograph.staging.lists.inner_lists import is_made_since
from autograph.staging.lists.lists import TrackedList
from autograph.staging.lists.pooled import PooledList
from autograph.staging.lists.pooled_tuples import pool_of
from autograph.staging.sequences.items import Chained, Filtered, Items, as_items
from autograph.staging.sequences.iterating import expression
from autograph.staging.sequences.iteration import (
    each,
    is_native_iterator,
    is_ours,
    iterators_in,
    opened,
    taken,
    used_twice,
)
from autograph.staging.sequences.steps import Iteration
from ops.control.constructs import generated
from ops.core.operands import Symbolic
from ops.core.symbolic_lengths import is_same

_TRIED = 3  # elements of one kind that tell what a generator expression does with all
_PLAIN = {  # what iterators over containers are made of
    *(enumerate, zip, reversed, tuple, *map(type, map(iter, ([], (), "", {}, range(0), set())))),
    *(type(reversed([])), type(iter({}.values())), type(iter({}.items()))),
}
_FEW = 32  # items of a generator that stand for themselves
# What NumPy makes of a list of such numbers and smaller ones, or of Python's, is of the same dtype.
_PROMOTED = frozenset(map(np.dtype, ("int64", "float64", "complex128")))
_ITEM = 4  # the time it takes to make an item, in the time that a region takes to look at a value


def collect(
    function: Callable,
    iterable: Any,
    where: Callable | None,
    flat: bool,
    only_read: bool = False,
) -> Any:
    """``[function(item) for item in iterable if where(item)]``; with ``flat``, the items of what
    ``function`` returns.

    Args:
        only_read: whether the list is read once, as a whole. Then numbers of a range may be those
            of a loop as well, where that gives what Python gives.
    """
    site = recorder().location()
    kind = recorder().nested.pooled(site)
    made: Any = TrackedList() if kind is None else pool_of(kind, site)
    if kind is None:
        made.site = site
    iterable = recorder().defined(iterable)
    if is_native_iterator(iterable):
        recorder().consume(iterable)
    iterable = opened(iterable)
    if isinstance(iterable, Iteration):
        iterable = taken(iterable)
    loops = isinstance(iterable, Filtered) or as_items(iterable) is not None
    if isinstance(iterable, range):
        if kind is not None:  # of many lists numbers that are known are not worth to be looked at
            loops = len(iterable) > _FEW
        else:
            loops = only_read and not (flat or where) and _gives_one_type(iterable, function)
    if not loops:
        for item in each(iterable):
            _append(made, item, function, where, flat)
            recorder().effort.look(_ITEM, user_location())
        return made

    def element(item: Any) -> Any:
        if isinstance(made, PooledList):
            return function(item)
        last = TrackedList().serial
        value = function(item)
        made.lent = made.lent or flat or not is_made_since(value, last)
        return value

    def body(item: Any) -> tuple:
        _append(made, item, element, where, flat)
        return ()

    ops.for_loop(iterable, body, ())
    if isinstance(made, PooledList):
        return made
    if made.rows is None:  # the elements themselves tell where else they are
        made.lent = False
    made.owns = made.rows is not None and not made.lent
    return made


def _append(
    made: TrackedList | PooledList,
    item: Any,
    function: Callable,
    where: Callable | None,
    flat: bool,
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
    """Whether what is made of each number of a range is an array or number known only at run time,
    and there are many. Few may differ in type and shape, and what is made of known numbers is
    known."""
    if len(numbers) <= _FEW:
        return False
    try:
        found = recorder().tried(lambda: function(numbers[0]))
    except Exception as error:
        if raised_by_handler(error) or is_mistake(error):
            raise
        return False
    return isinstance(found, GraphArray)


class _Made(Exception):
    """Ends a loop that is only tried, with what is made of an item; None if it is no loop."""

    def __init__(self, value: Any):
        super().__init__()
        self.value = value


def _made_of_any(numbers: range, function: Callable) -> Any:
    """What is made of a number of a range known only at run time; None if it has to be known."""

    def body(number: Any) -> tuple:
        raise _Made(None if isinstance(number, int) else function(number))

    try:
        recorder().tried(lambda: ops.for_loop(numbers, body, ()))
    except _Made as made:
        return made.value
    except Exception as error:
        if raised_by_handler(error) or is_mistake(error):
            raise
    return None


def _gives_one_type(numbers: range, function: Callable) -> bool:
    """Whether a loop over many numbers makes of each an array or number of one type, which is what
    Python's list has in it, and changes no lists, which may hold less then than Python's do."""
    if not _is_worth_a_loop(numbers, function):
        return False
    made = [recorder().tried(lambda at=at: function(numbers[at]), changes=False) for at in (0, -1)]
    made.append(_made_of_any(numbers, function))
    if not all(isinstance(x, GraphArray) for x in made):
        return False
    first, *others = [x.value.type for x in made]
    for other in others:
        alike = (other.dtype, other.weak) == (first.dtype, first.weak)
        if not (alike and first.is_static and is_same(other.shape, first.shape)):
            return False
    return first.dtype in _PROMOTED or not _chooses(made[-1].value)


def _chooses(value: Value) -> bool:
    """Whether a value may be one of several, of which Python's would differ in type."""
    pending, seen = [value], {value}
    while pending:
        node = pending.pop().producer
        if node is None:
            continue
        if node.regions:
            return True
        pending += [v for v in node.inputs if v not in seen]
        seen.update(node.inputs)
    return False


def generate(
    function: Callable, iterable: Any, where: Callable | None, flat: bool
) -> Iterator[Any]:
    """``(function(item) for item in iterable if where(item))``."""
    iterable = recorder().defined(iterable)
    if is_native_iterator(iterable):
        recorder().consume(iterable)
    stepped = recorder().stepped
    if stepped.by_steps and stepped.resumed and not flat:
        return recorder().call(expression, (function, iterable, where or _always), {})
    iterable = taken(iterable)
    items = as_items(iterable)
    is_known = items is None or isinstance(iterable, range)
    made: Any
    decided = is_known and _is_decided(iterable, where, function, flat)
    if decided or isinstance(iterable, Filtered):
        made = (Chained if flat else Filtered)(iterable, where or _always, function)
    elif items is None or (
        is_known and (flat or where or not _is_worth_a_loop(iterable, function))
    ):
        made = _generated(function, iter(iterable), where, flat)
    elif flat:
        made = Chained(iterable, where or _always, function)
    elif where is not None:
        made = Filtered(iterable, where, function)
    else:
        made = items.each(lambda index: function(items.item(index)))
    recorder().made(made)
    return made


def _generated(function: Callable, items: Iterator, where: Callable | None, flat: bool) -> Iterator:
    if flat:
        return generated(function, items, where, flat)
    return Awaited(function, items, where)


class Awaited(Iterator):
    """A generator expression that goes through what is known: a generator of Python's, but that an
    element may be asked for before it is computed."""

    __class__ = types.GeneratorType  # type: ignore[assignment]  # what `isinstance` is told
    is_awaited = True

    def __init__(self, function: Callable, items: Iterator, where: Callable | None):
        self.function = function
        self.where = where
        self.source = items
        self.items = items if where is None else filter(where, items)

    def __next__(self) -> Any:
        return self.function(next(self.items))

    def thunks(self) -> Iterator[Callable[[], Any]]:
        """What computes an element, for each of them."""
        return (functools.partial(self.function, item) for item in self.items)

    def opened(self) -> Iterator | Filtered:
        """The same for who goes through all of it now: one of which only the run knows which
        elements it takes, of what `enumerate`, `zip` or `reversed` make of containers."""
        if self.where is None:
            return self
        if not all(type(part) in _PLAIN or is_ours(part) for part in iterators_in(self.source)):
            return self
        elements = tuple(self.source)
        if _is_decided(elements, self.where, self.function, False):
            self.items = _used_up()
            return Filtered(elements, self.where, self.function)
        self.items = filter(self.where, elements)
        return self


def _used_up() -> Iterator[Any]:
    """In the place of items of which nobody knows how many were taken."""
    raise used_twice()
    yield


def _is_decided(iterable: Any, where: Callable | None, function: Callable, flat: bool) -> bool:
    """Whether only the run knows which elements of something known a generator expression takes, or
    how far it goes through what it makes of one: some tell."""
    if not (flat or where) or not isinstance(iterable, (range, list, tuple, dict)):
        return False

    def decides(element: Any) -> bool:
        kept = where is None or where(element)
        if isinstance(kept, Symbolic):
            kept = ops.call(bool, kept)
        if isinstance(kept, GraphArray):
            return True
        inner = _as_part(function(element)) if flat and kept else None
        return isinstance(inner, Filtered) or (inner is not None and inner.length is None)

    try:
        return any(
            recorder().tried(lambda element=element: decides(element))
            for element in _telling(iterable)
        )
    except Exception as error:
        if raised_by_handler(error) or is_mistake(error):
            raise
        return False


def _telling(elements: Iterable[Any]) -> Iterator[Any]:
    """The elements of something known that tell what is done with all: the first ones, the first
    ones with symbolic values in them, since others may tell nothing of these, and all of few
    objects, whose attributes may be anything."""
    counts = {True: 0, False: 0}
    for number, element in enumerate(elements):
        is_symbolic = any(isinstance(leaf, Symbolic) for leaf in leaves_of(element))
        counts[is_symbolic] += 1
        if counts[is_symbolic] <= _TRIED or (number < _FEW and is_user_object(element)):
            yield element


def _as_part(iterable: Any) -> Filtered | Items | None:
    """What a loop of the graph goes through, if it is such; nothing is taken from it."""
    return iterable if isinstance(iterable, Filtered) else as_items(iterable)


def _always(item: Any) -> bool:
    return True
