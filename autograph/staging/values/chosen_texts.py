"""Texts that are made in another way on each path, where the paths join.

On each path the text is one of all that it may be: the position of its template, and its values
among those of all of them.
"""

from __future__ import annotations

import itertools
import string
from collections.abc import Sequence
from typing import Any

import ops
from autograph.staging.arrays.array import GraphArray
from autograph.staging.ground.identity import ByIdentity
from autograph.staging.values.choice import Choice
from autograph.staging.values.promoted import types_of
from autograph.staging.values.templates import ABSENT, MOST_TEMPLATES, escaped, fields, numbered
from autograph.staging.values.text import GraphText, alternatives, is_one_of_texts
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


def in_templates(content: Any) -> Any:
    """A text with one in it that the run chooses as one with a template for each choice, if those
    are not too many; anything else as it is."""
    if not isinstance(content, GraphText) or not isinstance(content.template, str):
        return content
    values = content.values
    chosen = [value for value in values if is_one_of_texts(value)]
    if len(chosen) != 1 or len(chosen[0].objects) > MOST_TEMPLATES:
        return content
    parts = list(string.Formatter().parse(content.template))
    if any("{" in (spec or "") for _, _, spec, _ in parts):
        return content
    rest = [value for value in values if value is not chosen[0]]
    templates = tuple(_with_text(parts, values, text) for text in chosen[0].objects)
    return GraphText(templates, (chosen[0].position, *rest * len(templates)))


def _with_text(parts: Sequence[tuple], values: Sequence[Any], text: str) -> str:
    """A template, of which these are the parts, with a text in the place of the chosen one."""
    made, remaining = [], iter(values)
    for before, name, spec, conversion in parts:
        made.append(escaped(before))
        if name is None:
            continue
        field = "{" + (f"!{conversion}" if conversion else "") + (f":{spec}" if spec else "") + "}"
        made.append(escaped(field.format(text)) if is_one_of_texts(next(remaining)) else field)
    return "".join(made)


def of_known_types(text: Any) -> Any:
    """A text as one of several, in each of which the numbers are of one type; anything else as it
    is, and a text that would be one of too many."""
    if not isinstance(text, GraphText) or not any(map(types_of, text.values)):
        return text
    found = alternatives(in_templates(text))
    assert found is not None
    every: list[tuple[str, tuple]] = []
    starts, places = [], []
    for template, values in found[0]:
        starts.append(len(every))
        mixed = [value for value in values if types_of(value)]
        for positions in itertools.product(*(range(len(number.kinds)) for number in mixed)):
            known = ByIdentity((n, n.of_kind(p)) for n, p in zip(mixed, positions))
            every.append((template, tuple(known.get(value, value) for value in values)))
        places.append(_place_among([(n.which, len(n.kinds)) for n in mixed]))
    if len(every) > MOST_TEMPLATES:
        return text
    position: Any = starts[0] + places[0]
    for number, (start, place) in enumerate(zip(starts, places)):
        if number:
            position = ops.where(ops.equal(found[1], number), start + place, position)
    inside = [value for _, values in every for value in values]
    position = ops.cast(position, dtype="int64", weak=True)
    return GraphText(tuple(template for template, _ in every), (position, *inside))


def _place_among(digits: Sequence[tuple[Any, int]]) -> Any:
    """The place of a combination of positions, each below a count, among all of them."""
    place: Any = 0
    for position, count in digits:
        place = place * count + position
    return place


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
