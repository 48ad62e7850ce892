"""Texts that are made in another way on each path, where the paths join.

On each path the text is one of all that it may be: the position of its template, and its values
among those of all of them.
"""

from __future__ import annotations

from typing import Any

from autograph.staging.arrays.array import GraphArray
from autograph.staging.values.choice import Choice
from autograph.staging.values.templates import ABSENT, escaped, fields, numbered
from autograph.staging.values.text import alternatives
from ops.core.types import ArrayType, weak


class TemplatePosition:
    """The position of a template among others than those that the text was made with.

    Attributes:
        position: among those.
        table: the new positions; or bools, whether there is a text at all.
    """

    __slots__ = ("position", "table")

    def __init__(self, position: GraphArray, table: tuple[int, ...] | tuple[bool, ...]):
        self.position = position
        self.table = table

    def among(self, places: tuple[int, ...]) -> TemplatePosition:
        """The position among others still, of which these are the new positions."""
        return TemplatePosition(self.position, tuple(places[place] for place in self.table))

    @property
    def type(self) -> ArrayType:
        return weak(type(self.table[0])).along(self.position.type.varies)


def as_one_of(content: Any, templates: tuple[str, ...]) -> list[Any] | None:
    """The values of a text as one with some templates, behind whether it is one if it may be None;
    None if it may have others."""
    if isinstance(content, Choice) and any(item is None for item in content.objects):
        texts = tuple("" if item is None else item for item in content.objects)
        known = as_one_of(Choice(content.position, texts), (*templates, ""))
        if known is None:
            return None
        present = tuple(item is not None for item in content.objects)
        return [TemplatePosition(content.position, present), *known]
    found = alternatives(content)
    if found is None:
        return None
    every, position = found
    wanted, own = numbered(templates), numbered([template for template, _ in every])
    if not set(own) <= set(wanted):
        return None
    places = [wanted.index(one) for one in own]
    slots = fields(templates)
    values: list[Any] = [ABSENT] * slots[-1].stop
    for place, (_, inside) in zip(places, every):
        values[slots[place]] = inside
    if not isinstance(position, GraphArray):
        values[0] = places[position]
    elif places == list(range(len(places))):
        values[0] = position
    else:
        values[0] = TemplatePosition(position, tuple(places))
    return values


def text_or_none(content: Any) -> tuple[Any, list[tuple[str, tuple]], Any] | None:
    """Whether a choice of texts and None is a text, and what `alternatives` says of it then; None
    of others. Nothing is computed, since the choice may be one of a region that has ended."""
    if not isinstance(content, Choice) or all(item is not None for item in content.objects):
        return None
    texts = tuple(item for item in content.objects if item is not None)
    if not texts or not all(isinstance(text, str) for text in texts):
        return None
    places = [0 if item is None else texts.index(item) for item in content.objects]
    there = tuple(item is not None for item in content.objects)
    is_there = TemplatePosition(content.position, there)
    every = [(escaped(text), ()) for text in texts]
    return is_there, every, TemplatePosition(content.position, tuple(places))
