"""Texts among what is sorted, of which data decide which ones they are: as places in an order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from autograph.staging.values.choice import Choice


def texts_of(column: Sequence[Any]) -> list[str] | None:
    """All texts that some keys or elements may be, in their order; None if some are no texts."""
    found: set[str] = set()
    for item in column:
        texts = item.objects if isinstance(item, Choice) else (item,)
        if not all(isinstance(text, str) for text in texts):
            return None
        found.update(texts)
    return sorted(found)


def places_in(texts: list[str], column: Sequence[Any]) -> list[Any]:
    """The place of each key or element among the texts."""
    place = texts.index
    return [item.each(place) if isinstance(item, Choice) else place(item) for item in column]
