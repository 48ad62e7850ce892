"""Of which of the caller's objects a function gives copies.

Where control flow joins, one variable may be one of several objects, each of which is made of its
attributes: what it is from then on is an object of its own, with those of the right one. As long as
nobody changes one of them that makes no difference in the function. Who gets it, by a result or in
something that the function changes, can tell it from the object that it ought to be.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from autograph.staging.ground.nesting import Structure
from autograph.staging.ground.recorder import recorder
from autograph.staging.lists.elements import RecordOf
from autograph.staging.lists.given_objects import may_be_kept
from autograph.staging.lists.lists import TrackedList


def copied_kinds(made: Iterable[Any], given: Iterable[Any]) -> frozenset[type]:
    """The classes of objects of which there are copies, of those that may be in heaps.

    Args:
        made: the containers that callers get as new ones.
        given: those that they have.
    """
    frozen = recorder().frozen
    older = (item for item in given if frozen.is_joined(item) or frozen.is_element(item))
    kinds = set(filter(may_be_kept, map(type, older)))
    return frozenset(kinds.intersection(_kinds_of(made))) if kinds else frozenset()


def _kinds_of(made: Iterable[Any]) -> Iterator[type]:
    """The classes of those that may be copies, and of the objects in lists of unknown length."""
    for item in made:
        if isinstance(item, TrackedList):
            if item.rows is not None:
                yield from _records_in(item.rows.structure)
        elif recorder().frozen.is_joined(item):
            yield type(item)


def _records_in(structure: Structure) -> Iterator[type]:
    if isinstance(structure, RecordOf):
        yield structure.kind
    for part in getattr(structure, "parts", ()):
        yield from _records_in(part)
