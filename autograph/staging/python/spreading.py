"""``[*a, x, *b]`` and ``first, *rest = a`` where only the run knows how many items there are.

What is known is spread by Python. In the place of other items stand `StarredItems`, and a display
joins lists. What calls do with them says `autograph.staging.calls.spread_arguments`.
"""

from __future__ import annotations

import functools
import operator
from collections.abc import Iterable, Sequence
from typing import Any

import ops
from autograph.errors import ConcreteValueError
from autograph.staging.arrays.array import located_error
from autograph.staging.ground.recorder import recorder
from autograph.staging.lists.lists import TrackedList
from autograph.staging.lists.tables import KeyTable
from autograph.staging.lists.text_elements import is_text
from autograph.staging.python.builtins import to_list
from autograph.staging.sequences import sets
from autograph.staging.sequences.items import Filtered, as_items
from autograph.staging.sequences.iteration import opened
from autograph.staging.values import text
from autograph.staging.values.maybe import ObjectOrNone
from ops.control import effects
from ops.control.constructs import parted_by_python
from ops.core.conditions import raised_by
from ops.core.recording import raises_as_python
from ops.core.records import NamedTuple


class StarredItems(NamedTuple):
    """What stands for items of which only the run knows how many there are.

    Attributes:
        items: a list that nobody else has; a set, for a display of one.
    """

    items: Any


@raises_as_python
def spread(iterable: Any) -> Any:
    """What ``*`` spreads in a display or call: itself, or `StarredItems`."""
    found = recorder().defined(iterable)
    if isinstance(found, ObjectOrNone):
        found = found.checked()
    if isinstance(found, KeyTable) and not found.is_ordered and not found.is_seen:
        return (StarredItems(found.copy()),)
    return (StarredItems(to_list(found)),) if _is_of_the_run(found) else iterable


def _is_of_the_run(iterable: Any) -> bool:
    """Whether only the run knows how many items something has."""
    if isinstance(iterable, Filtered):
        return True
    if isinstance(iterable, (str, range)) or type(iterable) in (list, tuple, dict):
        return False
    found = as_items(iterable)
    return found is not None and not isinstance(found.count, int)


def is_spread(part: Any) -> bool:
    return type(part) is StarredItems


# -- displays --------------------------------------------------------------------------------------


@raises_as_python
def spliced(display: Sequence[Any]) -> Any:
    """A display in which there may be `StarredItems`, made a list then."""
    if not any(map(is_spread, display)):
        return display
    if isinstance(display, tuple):
        raise located_error(
            ConcreteValueError,
            "a tuple is made of items whose number is known only at run time",
            id="AG0309",
            fix="make a list of them, as in [*xs, x]",
        )
    parts: list[Any] = []
    for part in display:
        if is_spread(part):
            parts.append(to_list(part.items))
        elif parts and type(parts[-1]) is list:
            parts[-1].append(part)
        else:
            parts.append([part])
    return functools.reduce(operator.add, [TrackedList(p) if type(p) is list else p for p in parts])


@raises_as_python
def set_of(members: Iterable[Any]) -> Any:
    """A set display, or what a set comprehension makes a set of."""
    if not isinstance(members, tuple) or not any(map(is_spread, members)):
        return sets.display(members)
    made = sets.made()
    for member in members:
        if is_spread(member):
            made.update(member.items)
        else:
            made.add(member)
    return made


# -- texts -----------------------------------------------------------------------------------------


def joined_texts(separator: str, parts: Any) -> Any:
    """``separator.join(parts)``."""
    parts = opened(parts)
    if not _is_of_the_run(parts):
        return text.join(separator, parts)
    items = to_list(parts)
    rows = items.rows if isinstance(items, TrackedList) else None
    if rows is None or not is_text(rows.structure):
        raise located_error(
            ConcreteValueError,
            "what is joined is a list whose length is known only at run time, and "
            "these are no texts",
            id="AG0306",
            fix="make texts of them, as in [str(x) for x in xs]",
        )
    return text.joined_items(separator, items)


# -- assignments -----------------------------------------------------------------------------------


@raises_as_python
def parted(iterable: Any, before: int, after: int) -> tuple:
    """The items that an assignment to ``a, *b, c`` takes: so many, a list of those between, so
    many."""
    found = opened(recorder().defined(iterable))
    if isinstance(found, ObjectOrNone):
        found = found.checked()
    if not _is_of_the_run(found):
        (*items,) = iterable
        if len(items) < before + after:
            raise ValueError(_too_few(len(items), before, after))
        stop = len(items) - after
        return (*items[:before], recorder().tracked(items[before:stop]), *items[stop:])
    listed: Any = to_list(found)
    count = listed.length
    for fewer in range(before + after):
        message = _too_few(fewer, before, after)
        effects.check(ops.not_equal(count, fewer), error="ValueError", message=message)
    first = [listed[place] for place in range(before)]
    last = [listed[place - after] for place in range(after)]
    return (*first, listed[before : count - after if after else None], *last)


def _too_few(count: int, before: int, after: int) -> str:
    """What Python says of so few items."""
    return str(raised_by(parted_by_python, (None,) * count, before, after))
