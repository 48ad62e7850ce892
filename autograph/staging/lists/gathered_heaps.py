"""How machine code finds the objects of a call, see `autograph.staging.lists.gathered`: their
classes, and the changes of their attributes."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterator
from typing import Any

from autograph.kernels.native import gathering, python_api
from autograph.staging.ground.families import members_of
from autograph.staging.ground.ownership import slots_of
from autograph.staging.lists.gathered import NotGathered, column_of
from autograph.staging.lists.given_objects import GivenObjectHeap, GivenObjects


def heaps_of(given: GivenObjects) -> dict[Hashable, gathering.MemberHeap]:
    """What machine code finds in each heap: objects of the classes of which there are some now.

    Raises:
        NotGathered: it does not find them.
    """
    return {made_of: _heap_of(heap) for made_of, heap in given.heaps.items()}


def _heap_of(heap: GivenObjectHeap) -> gathering.MemberHeap:
    columns = (column_of(part, at) for part in heap.parts for at in range(len(part.arrays)))
    return gathering.MemberHeap(tuple(_classes_of(heap)), tuple(columns))


def _classes_of(heap: GivenObjectHeap) -> Iterator[gathering.MemberClass]:
    samples: dict[type, Any] = {}
    for item in heap.objects:
        samples.setdefault(type(item), item)
    for number, kind in enumerate(members_of(heap.made_of)):
        if kind in samples:
            yield _class_of(heap, kind, number, samples[kind])


def _class_of(heap: GivenObjectHeap, kind: type, number: int, sample: Any) -> gathering.MemberClass:
    """How objects of a class are read that are like one."""
    given: Any = heap.heap
    made_up: list[gathering.Node] = [gathering.OwnPlace(column_of(given.order))]
    if given.numbers is not None:
        made_up.append(gathering.OwnNumber(column_of(given.numbers), number))
    names = slots_of(kind)
    offsets = python_api.slot_offsets(kind, names) if names else {}
    inside = vars(sample) if kind.__dictoffset__ else None
    has = {*names, *(inside or ())}
    if offsets is None or len(has) < len(names) + len(inside or ()):
        raise NotGathered
    nodes: dict[str, gathering.Node] = {
        name: heap.attributes[name].node() if name in heap.attributes else gathering.AnyValue()
        for name in has
    }
    slots = {offset: nodes[name] for name, offset in offsets.items()}
    items = None if inside is None else {name: nodes[name] for name in inside}
    return gathering.MemberClass(kind, tuple(made_up), slots, items)


def changes_of(
    given: GivenObjects, changed: Collection[Hashable]
) -> list[gathering.AttributeChange]:
    """The attributes that a program changes.

    Args:
        changed: the names of the columns that it does.

    Raises:
        NotGathered: these are more than what attributes are.
    """
    changes: list[gathering.AttributeChange] = []
    covered: set[Hashable] = set()
    for made_of, heap in given.heaps.items():
        for name, attribute in heap.attributes.items():
            own = {(id(part), at) for part in attribute.parts for at in range(len(part.arrays))}
            if own.isdisjoint(changed):
                continue
            covered |= own
            owners = heap.heap.owners.get(name, ())
            changes.append(gathering.AttributeChange(made_of, name, attribute.node(), owners))
    if not covered.issuperset(changed):
        raise NotGathered
    return changes
