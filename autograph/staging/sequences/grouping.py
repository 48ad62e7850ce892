"""``itertools.groupby`` of items of which only the run knows which keys are equal.

The keys are those of all items before the first group is asked for. Groups are not kept, as Python
keeps none: each gives its items where it stands.
"""

from __future__ import annotations

from typing import Any

import ops
from autograph.staging.arrays.array import GraphArray
from autograph.staging.ground.leaves import leaves_of
from autograph.staging.lists.lists import TrackedList
from autograph.staging.sequences.items import Filtered, Items, as_items, unordered
from autograph.staging.sequences.iteration import iterator


def is_of_the_run(iterable: Any, key: Any = None) -> bool:
    """Whether only the run knows which groups there are."""
    if isinstance(iterable, Filtered) or as_items(unordered(iterable)) is not None:
        return True
    if not isinstance(iterable, (list, tuple)):
        return False
    return key is not None or any(isinstance(leaf, GraphArray) for leaf in leaves_of(iterable))


def grouped(iterable: Any, key: Any = None) -> Items:
    """``groupby(iterable, key)``: pairs of a key and the items of a group."""
    items: Any = iterable
    if not isinstance(iterable, TrackedList):
        items = ops.collect(lambda item: item, iterable)
    keys: Any = items if key is None else ops.collect(lambda item: ops.call(key, item), items)
    count = keys.length
    starts = TrackedList()

    def begin(place: Any) -> tuple:
        begins = lambda: ops.ne_(keys[place], keys[place - 1])
        ops.cond(ops.or_(ops.eq_(place, 0), begins), lambda: _noted(starts, place), tuple)
        return ()

    ops.for_loop(ops.call(range, count), begin, ())

    def group(number: Any) -> tuple:
        start = starts[number]
        is_last = ops.eq_(number + 1, starts.length)
        end = ops.cond(is_last, lambda: count, lambda: starts[number + 1])
        return keys[start], iterator(Items(end - start, lambda place: items[start + place]))

    return Items(starts.length, group)


def _noted(starts: TrackedList, place: Any) -> tuple:
    starts.append(place)
    return ()
