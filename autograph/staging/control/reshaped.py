"""Containers of which a loop changes what they are made of: lists that are kept as rows, whose
length may change from trip to trip, and what is refused.
"""

from __future__ import annotations

from collections import deque
from typing import Any

from autograph.errors import LoopStateError
from autograph.source.tree.places import CELLS
from autograph.staging.containers.containers import Contents, contents
from autograph.staging.control.region import Region
from autograph.staging.ground.errors import user_location
from autograph.staging.ground.naming import named_place
from autograph.staging.ground.ownership import is_user_object
from autograph.staging.joins.state import (
    Slots,
    aligned,
    as_rows,
    common_element,
    element_of,
    is_like,
)
from autograph.staging.values.leaves import Mismatch


def has_outgrown(slot: Slots, start: Contents, region: Region) -> bool:
    """Whether a container is to be kept in another way than so far, since a trip leaves other keys
    in it, or texts or types of numbers in a list kept as rows that it had not before.

    Args:
        region: the body, which leaves it as it is at the end of a trip.
    """
    end = region.end_of(slot.container)
    if not slot.is_rows or is_like(start, end):
        return end.keys != slot.keys
    try:
        kind = common_element([start, end], [contents, region.end_of])
    except Mismatch:
        return False
    return kind.structure != slot.keys[1]


def kept_as_rows(slot: Slots, start: Contents, region: Region) -> tuple[Slots, Contents]:
    """The values of a container whose length changes, and what it contains before the loop, as
    rows.

    Args:
        region: the body, which leaves it as it is at the end of a trip.
    """
    end = region.end_of(slot.container)
    try:
        views = [contents, region.end_of]
        if isinstance(slot.container, list):
            # What the end adds is seen again in the next pass, as an element.
            start = as_rows(start, element_of(slot.container, [start, end], views))
        else:
            start, _ = aligned(slot.container, [start, end], views)
    except Mismatch as mismatch:
        raise _refusal(slot, region, f": {mismatch}") from None
    name = region.names.get(slot.container, "")
    return Slots.of(slot.container, name, start), start


def end_of(slot: Slots, start: Contents, region: Region) -> list[tuple[str, Any]]:
    """The values of a container at the end of a trip, as variables."""
    end = region.end_of(slot.container)
    if end.keys != slot.keys and is_user_object(slot.container):
        _, end = aligned(slot.container, [start, end])
    if end.keys != slot.keys:
        try:
            element = common_element([start, end], [contents, region.end_of])
        except Mismatch:
            element = None
        if element is None or not slot.is_rows:
            raise _refusal(slot, region)
        end = as_rows(end, element, region.end_of)
    return slot.variables(end)


def _refusal(slot: Slots, region: Region, why: str = "") -> LoopStateError:
    name = region.names.get(slot.container) or f"a {type(slot.container).__name__}"
    fix = "give it all its keys, attributes or elements before the loop"
    if isinstance(slot.container, deque):
        fix = "use a list, which can grow: pop(0) is popleft(), insert(0, x) is appendleft(x)"
    text = f"the loop changes what '{name}' is made of{why}"
    if isinstance(slot.container, CELLS):
        text = f"{named_place(name)} has a value after some trips only"
        fix = "give it its first value before, where the program begins"
    return LoopStateError(
        text,
        user_location(),
        id="AG0315",
        fix=fix,
    )
