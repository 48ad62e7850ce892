"""Built-ins and functions of `itertools` that make iterators, as generators in plain Python.

They stand for these where generators go step by step (`autograph.staging.ground.stepped`): they are
converted and cut at their yields, as the user's are.
"""

from __future__ import annotations

import functools
import itertools
import operator
import types
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np

import ops


def numbered(iterable: Iterable, count: Any) -> Iterator:
    """``enumerate``"""
    for item in iterable:
        yield count, item
        count += 1


def side_by_side(first: Iterable, second: Iterable) -> Iterator:
    """``zip`` of two."""
    second = ops.walk(iter, second)
    for item in first:
        there, other, second = ops.walked(second)
        if not there:
            return
        yield item, other


def one_more(rows: Iterable, last: Iterable) -> Iterator:
    """``zip`` of one more than some that are side by side."""
    last = ops.walk(iter, last)
    for row in rows:
        there, other, last = ops.walked(last)
        if not there:
            return
        yield (*row, other)


def alone(iterable: Iterable) -> Iterator:
    """``zip`` of one."""
    for item in iterable:
        yield (item,)


def mapped(function: Callable, iterable: Iterable) -> Iterator:
    """``map``"""
    for item in iterable:
        yield function(item)


def mapped_rows(function: Callable, rows: Iterable) -> Iterator:
    """``itertools.starmap``"""
    for row in rows:
        yield function(*row)


def filtered(keeps: Callable, iterable: Iterable) -> Iterator:
    """``filter``"""
    for item in iterable:
        if keeps(item):
            yield item


def filtered_out(drops: Callable, iterable: Iterable) -> Iterator:
    """``itertools.filterfalse``"""
    for item in iterable:
        if not drops(item):
            yield item


def expression(function: Callable, iterable: Iterable, keeps: Callable) -> Iterator:
    """A generator expression."""
    for item in iterable:
        if keeps(item):
            yield function(item)


def at_most(iterable: Iterable, stop: Any) -> Iterator:
    """``itertools.islice`` from the first item on."""
    if stop <= 0:
        return
    for item in iterable:
        yield item
        stop -= 1
        if stop == 0:
            return


def sliced(iterable: Iterable, start: Any, stop: Any, step: Any) -> Iterator:
    """``itertools.islice``; it takes what it skips when the item behind is asked for."""
    if start == 0 and stop == 0:
        return
    for count, item in enumerate(iterable, 1):
        if count > start:
            start = min(start + step, stop)
            yield item
        if count == start and count >= stop:
            return


def every(iterable: Iterable, start: Any, step: Any) -> Iterator:
    """``itertools.islice`` without an end."""
    for item in iterable:
        if start == 0:
            start = step
            yield item
        start -= 1


def while_true(predicate: Callable, iterable: Iterable) -> Iterator:
    """``itertools.takewhile``"""
    for item in iterable:
        if not predicate(item):
            return
        yield item


def from_false(predicate: Callable, iterable: Iterable) -> Iterator:
    """``itertools.dropwhile``"""
    dropping = True
    for item in iterable:
        if dropping and predicate(item):
            continue
        dropping = False
        yield item


def accumulated(iterable: Iterable, function: Callable) -> Iterator:
    """``itertools.accumulate``"""
    there, total, rest = ops.walked(ops.walk(iter, iterable))
    if not there:
        return
    yield total
    while True:
        there, item, rest = ops.walked(rest)
        if not there:
            return
        total = function(total, item)
        yield total


def accumulated_from(iterable: Iterable, function: Callable, total: Any) -> Iterator:
    """``itertools.accumulate`` with an initial value."""
    yield total
    for item in iterable:
        total = function(total, item)
        yield total


def one_after_the_other(first: Iterable, second: Iterable) -> Iterator:
    """``itertools.chain`` of two."""
    yield from first
    yield from second


def joined(iterables: Iterable[Iterable]) -> Iterator:
    """``itertools.chain.from_iterable``"""
    for iterable in iterables:
        yield from iterable


def in_pairs(iterable: Iterable) -> Iterator:
    """``itertools.pairwise``"""
    there, before, rest = ops.walked(ops.walk(iter, iterable))
    if not there:
        return
    while True:
        there, item, rest = ops.walked(rest)
        if not there:
            return
        yield before, item
        before = item


def compressed(data: Iterable, selectors: Iterable) -> Iterator:
    """``itertools.compress``"""
    selectors = ops.walk(iter, selectors)
    for item in data:
        there, chosen, selectors = ops.walked(selectors)
        if not there:
            return
        if chosen:
            yield item


def counted(number: Any, step: Any) -> Iterator:
    """``itertools.count``"""
    while True:
        yield number
        number += step


Make = Callable[..., Any]


def _zip(make: Make, *iterables: Any) -> Any:
    if len(iterables) < 2:
        return make(alone, *iterables) if iterables else None
    pairs = make(side_by_side, *iterables[:2])
    return functools.reduce(functools.partial(make, one_more), iterables[2:], pairs)


def _map(make: Make, function: Any, *iterables: Any) -> Any:
    if len(iterables) == 1:
        return make(mapped, function, *iterables)
    return make(mapped_rows, function, _zip(make, *iterables))


def _filter(make: Make, function: Any, iterable: Any) -> Any:
    return make(filtered, operator.truth if function is None else function, iterable)


def _filter_false(make: Make, function: Any, iterable: Any) -> Any:
    return make(filtered_out, operator.truth if function is None else function, iterable)


def _islice(make: Make, iterable: Any, *bounds: Any) -> Any:
    start, stop, step = slice(*bounds).start, slice(*bounds).stop, slice(*bounds).step
    start, step = 0 if start is None else start, 1 if step is None else step
    known = [bound for bound in (start, stop, step) if isinstance(bound, int)]
    if any(bound < 0 for bound in known):
        return None  # which is refused, as Python does
    if stop is None:
        return make(every, iterable, start, step)
    if isinstance(start, int) and start == 0 and isinstance(step, int) and step == 1:
        return make(at_most, iterable, stop)
    return make(sliced, iterable, start, stop, step)


def _accumulate(make: Make, iterable: Any, func: Any = None, *, initial: Any = None) -> Any:
    function = operator.add if func is None else func
    if initial is None:
        return make(accumulated, iterable, function)
    return make(accumulated_from, iterable, function, initial)


def _chain(make: Make, *iterables: Any) -> Any:
    if len(iterables) < 2:
        return make(mapped, _itself, *iterables) if iterables else None
    return functools.reduce(functools.partial(make, one_after_the_other), iterables)


def _itself(item: Any) -> Any:
    return item


def _count(make: Make, start: Any = 0, step: Any = 1) -> Any:
    return make(counted, start, step)


def _array(make: Make, iterable: Any, dtype: Any, count: Any = -1) -> Any:
    """``np.fromiter``"""
    if count != -1:
        return None
    return ops.call(np.array, ops.call(list, iterable), dtype=dtype)


_MADE: dict[Any, Callable[..., Any]] = {
    enumerate: lambda make, iterable, start=0: make(numbered, iterable, start),
    zip: _zip,
    map: _map,
    filter: _filter,
    itertools.accumulate: _accumulate,
    itertools.chain: _chain,
    itertools.count: _count,
    itertools.compress: lambda make, data, selectors: make(compressed, data, selectors),
    itertools.dropwhile: lambda make, predicate, items: make(from_false, predicate, items),
    itertools.filterfalse: _filter_false,
    itertools.islice: _islice,
    itertools.pairwise: lambda make, iterable: make(in_pairs, iterable),
    itertools.starmap: lambda make, function, rows: make(mapped_rows, function, rows),
    np.fromiter: _array,
    itertools.takewhile: lambda make, predicate, items: make(while_true, predicate, items),
}
_MADE_BY = {id(function): made for function, made in _MADE.items()}


def is_maker(function: Any) -> bool:
    """Whether `combined` knows a function: what that makes is new."""
    if isinstance(function, types.BuiltinMethodType):  # not an object of the user's, which may say
        return function == itertools.chain.from_iterable  # of itself what it equals
    return id(function) in _MADE_BY


def goes_through_one(function: Any) -> bool:
    """Whether a function is one of `itertools` that goes through what it is given item by item, and
    of which only `combined` knows what it makes of items of the run."""
    others = (enumerate, zip, map, filter, itertools.pairwise)
    return is_maker(function) and all(function is not one for one in others)


def combined(make: Make, function: Any, args: tuple, kwargs: dict[str, Any]) -> Any:
    """What a function makes of iterators that go step by step.

    Args:
        make: makes a generator: of its function, and the arguments.

    Returns:
        None if there is nothing here that stands for it, or that Python refuses.
    """
    if function == itertools.chain.from_iterable:
        return make(joined, *args)
    found = _MADE_BY.get(id(function))
    if found is None or "strict" in kwargs:
        return None
    return found(make, *args, **kwargs)
