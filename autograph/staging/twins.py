"""Which lists may be the same as others, depending on control flow."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from autograph.staging.lists import TrackedList


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


def link_all(pairs: Iterable[tuple[int, Any]], containers: Mapping[int, Any]) -> None:
    """Link containers, by number, as `links` says of others."""
    for number, other in pairs:
        twin = containers.get(other) if isinstance(other, int) else other
        if isinstance(containers.get(number), TrackedList) and isinstance(twin, TrackedList):
            containers[number].link(twin)
