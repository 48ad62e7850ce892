"""Which lists may be the same as others, depending on control flow."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from autograph.staging.lists.lists import TrackedList


def links(containers: Sequence[Any]) -> list[tuple[int, Any]]:
    """Which of some containers may be the same as another list.

    Args:
        containers: by number.

    Returns:
        For each pair the number of the one and the number of the other, or the other itself if it
        is not among them.
    """
    numbers = {id(container): number for number, container in enumerate(containers)}
    return [
        (number, numbers.get(id(twin), twin))
        for number, container in enumerate(containers)
        if isinstance(container, TrackedList)
        for twin in container.twins
    ]


def is_of_kind(a: Any, b: Any) -> bool:
    """Whether two containers are of one class of the user's program."""
    return type(a) is type(b) or (isinstance(a, list) and isinstance(b, list))


def lose(items: Any) -> None:
    """Nobody knows any more what a list contains, nor those that it may be the same as."""
    if isinstance(items, TrackedList) and items.seat is None:
        items.lose_twins()
        items.lose()


def twins_of(items: TrackedList) -> list[TrackedList]:
    """The lists that a list may be the same as, also by way of others."""
    found = [items]
    for member in found:
        found += [twin for twin in member.twins if all(twin is not other for other in found)]
    return found[1:]


def link_all(pairs: Iterable[tuple[int, Any]], containers: Mapping[int, Any]) -> None:
    """Link containers, by number, as `links` says of others."""
    for number, other in pairs:
        twin = containers.get(other) if isinstance(other, int) else other
        if isinstance(containers.get(number), TrackedList) and isinstance(twin, TrackedList):
            containers[number].link(twin)
