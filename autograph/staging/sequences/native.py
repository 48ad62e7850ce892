"""Python's own iterators over numbers, as items that a graph loop can go through.

What `reversed`, `enumerate` and `zip` make of ranges, `itertools` of numbers, and `np.ndindex`, is
known when the code is recorded, and so is what is left of it. A loop over that is what one over a
range is: recorded if it can be, and run as Python otherwise.
"""

from __future__ import annotations

import itertools
import operator
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

import ops
from autograph.staging.sequences.items import Items, as_items, traced_enumerate, traced_zip

_OF_RANGES = (type(iter(range(0))), type(iter(range(2**64))))
_COMBINED = (
    *(itertools.product, itertools.permutations, np.ndindex),
    *(itertools.combinations, itertools.combinations_with_replacement),
)
_FEW = 16  # as many combinations are as well recorded one by one, each with numbers that are known
_MANY = 2**20  # combinations that are made at most
_ENDLESS = 2**62


def items_left(iterator: Any) -> Items | None:
    """What is left in an iterator of ranges, which stays where it is; None if it is another."""
    ranges = [id(each) for each in _ranges_in(iterator)]
    shared = len(set(ranges)) < len(ranges)  # each takes what the other one would
    return None if shared else _items_left(iterator)


def _items_left(iterator: Any) -> Items | None:
    if isinstance(iterator, _OF_RANGES):
        _, (numbers,), *taken = _reduced(iterator)
        return as_items(numbers[taken[0] :] if taken else numbers)
    if type(iterator) is enumerate:
        _, (inner, start) = _reduced(iterator)
        items = _items_left(inner)
        return None if items is None else traced_enumerate(items, start)
    if type(iterator) is zip:
        _, inner, *strict = _reduced(iterator)
        parts = [_items_left(each) for each in inner]
        if not strict and parts and all(part is not None for part in parts):
            return traced_zip(*parts)
    return None


def _reduced(iterator: Any) -> Any:
    """What Python's own iterators say to be copied: how they are made, and of what."""
    return iterator.__reduce__()


def _ranges_in(iterator: Any) -> Iterator[Any]:
    if isinstance(iterator, _OF_RANGES):
        yield iterator
    elif type(iterator) is enumerate:
        yield from _ranges_in(_reduced(iterator)[1][0])
    elif type(iterator) is zip:
        for inner in _reduced(iterator)[1]:
            yield from _ranges_in(inner)


def others_left(iterator: Any) -> tuple[Iterable[Any], Items | None]:
    """What is left in an iterator that only its items tell about, some of which are taken: to go
    through as Python, and as items if it counts, repeats, or has more than a few combinations of
    integers."""
    if type(iterator) is itertools.count:
        first, second = start = next(iterator), next(iterator)
        if all(map(_is_number, start)):
            step = second - first
            return (), Items(_ENDLESS, lambda index: first + index * step)
        return itertools.chain(start, iterator), None
    if type(iterator) is itertools.repeat:
        try:
            count = operator.length_hint(iterator)
        except TypeError:  # it ends never
            count = _ENDLESS
        repeated = next(iterator, None)
        return (), Items(count, lambda _: repeated)
    if not isinstance(iterator, _COMBINED):
        return iterator, None
    found = list(itertools.islice(iterator, _MANY))
    if not _FEW < len(found) < _MANY or not all(map(_is_number, itertools.chain(*found))):
        return itertools.chain(found, iterator), None
    columns = [_column(np.array(column)) for column in zip(*found)]
    return found, traced_zip(*columns) if columns else None


def _column(numbers: np.ndarray) -> Items:
    """Numbers of Python's own, of which a loop has the one at its index."""
    table = as_items(ops.array(numbers))
    assert table is not None
    number = lambda index: ops.cast(table.item(index), dtype="int64", weak=True)
    return Items(len(numbers), number)


def _is_number(value: Any) -> bool:
    return type(value) is int and abs(value) < 2**63
