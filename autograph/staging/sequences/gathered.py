"""One of several dicts or lists that are known, at a place that only the run knows: of a graph by
names, ``graph[u]``.

What is in all of them is in one array for each part of it, and where each begins there in another:
what is picked is a dict or list of unknown length, with what there is from one place on, as in a
`autograph.staging.lists.heap.Heap`. It is a copy: so neither it nor any of them is changed from
then on, and whether two of them are the same object is not known.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import Any

from autograph.staging.arrays.array import GraphArray
from autograph.staging.ground.errors import user_location
from autograph.staging.ground.nesting import is_tuple, parts_of
from autograph.staging.ground.recorder import is_argument, recorder
from autograph.staging.lists.columns import Column, Lengths, Rows, rows_of_elements
from autograph.staging.lists.lists import NUMBERS_AND_TEXTS, TrackedList, kept_as
from autograph.staging.lists.pool_places import number_at
from autograph.staging.sequences.dicts import TrackedDict
from autograph.staging.values.maybe import MaybeNone
from autograph.staging.values.promoted import types_of


def gathered(containers: Sequence[Any], place: GraphArray) -> TrackedDict | TrackedList | None:
    """The dict or list at a place, one of those that there are.

    Returns:
        None if it is to be picked as other things are: they have the same keys, or are as long as
        each other; they are lists that the function has made; or there is something else in them
        than numbers, texts and tuples of these, of one kind.
    """
    known = [found for found in map(_known, containers) if found is not None]
    if len(known) < len(containers) or len(set(map(len, known))) > 1:
        return None
    parts = list(zip(*known))
    if len({tuple(own) if len(parts) > 1 else len(own) for own in parts[0]}) == 1:
        return None
    items = [[item for one in part for item in one] for part in parts]
    recorder().effort.look(sum(map(len, items)), user_location())
    if not all(_is_kept(item) for part in items for item in part):
        return None
    rows = [rows_of_elements(part, texts=True, exactly=True) for part in items]
    lengths = list(map(len, parts[0]))
    found = [kept_as(_from(own, lengths, place)) for own in rows if own is not None]
    if len(found) < len(parts):
        return None
    made: Any = found[0]
    if len(found) > 1:
        made = TrackedDict()
        made.order, made.held = found
    for one in (*containers, *found, made):
        if not recorder().frozen.is_element(one):
            recorder().frozen.add_element(one)
    return made


def _known(one: Any) -> tuple[list, ...] | None:
    """The elements of a list that the function has not made, or the keys of a dict and what they
    stand for; None of what is neither, and where only the run knows how many there are."""
    if type(one) is dict:
        return list(one), list(one.values())
    if type(one) is TrackedDict:
        keys, held = _elements(one.order), _elements(one.held)
        return None if keys is None or held is None else (keys, held)
    is_given = is_argument(one) or recorder().outside.shadows.is_shadow(one)
    found = _elements(one) if is_given else None
    return None if found is None else (found,)


def _elements(items: Any) -> list | None:
    """Those of a list, if they are known, and are in no other list's rows."""
    if type(items) is TrackedList and (items.unread is not None or items.rows is not None):
        return None
    if type(items) not in (list, TrackedList) or getattr(items, "home", None) is not None:
        return None
    return list(list.__iter__(items))


def _is_kept(item: Any) -> bool:
    """Whether there is room for an item in columns that are copied."""
    if is_tuple(item):
        return all(map(_is_kept, parts_of(item)))
    if isinstance(item, GraphArray):
        is_one = not isinstance(item, MaybeNone) and not types_of(item)
        return is_one and item.ndim == 0 and not item.is_array
    return isinstance(item, NUMBERS_AND_TEXTS)


def _from(rows: Rows, lengths: Sequence[int], place: GraphArray) -> Rows:
    """Those of some rows that are at a place, of as many at each as the lengths say."""
    starts = [0, *accumulate(lengths)][:-1]
    start, length = (number_at(TrackedList(own), place) for own in (starts, lengths))
    columns = []
    for column in rows.columns:
        value = GraphArray(column.value)[start : start + length].value
        recorder().state(Lengths)[value] = length
        columns.append(Column(value, column.element))
    return Rows(rows.structure, tuple(columns))
