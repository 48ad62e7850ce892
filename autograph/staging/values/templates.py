"""Templates of texts, one or several.

A text of which the run decides how it is made, as after ``m = f"at {x}" if c else "ok"``, has
several templates of `str.format`. Its values are the position of the right one, and then those that
go into the fields of the first, of the second, and so on. What goes into the fields of the others
is not looked at: it may be anything of the same type, or `ABSENT`.
"""

from __future__ import annotations

import itertools
import string
from collections import Counter
from collections.abc import Sequence
from typing import Any

Template = str | tuple[str, ...]

MOST_TEMPLATES = 16  # of a text


class _Absent(str):
    """What goes into the fields of a template where it is known to be another one."""

    __slots__ = ()


ABSENT = _Absent()


def escaped(text: str) -> str:
    return text.replace("{", "{{").replace("}", "}}")


def field_count(template: str) -> int:
    return sum(name is not None for _, name, _, _ in string.Formatter().parse(template))


def fields(templates: Sequence[str]) -> list[slice]:
    """Where the values of each template are among those of a text with several."""
    stops = list(itertools.accumulate(map(field_count, templates), initial=1))
    return [slice(start, stop) for start, stop in itertools.pairwise(stops)]


def numbered(templates: Sequence[Any]) -> list[tuple[Any, int]]:
    """Each with how often it has occurred before, which tells those that look alike."""
    seen: Counter[Any] = Counter()
    found = []
    for template in templates:
        found.append((template, seen[template]))
        seen[template] += 1
    return found


def all_templates(first: Sequence[str], second: Sequence[str]) -> tuple[str, ...]:
    """The templates of a text that has one of the first or one of the second."""
    known = numbered(first)
    more = [template for template, count in numbered(second) if (template, count) not in known]
    return (*first, *more)


def filled(template: Template, values: Sequence[Any]) -> str:
    """The text that it is when the program runs."""
    if isinstance(template, str):
        return template.format(*values)
    position = int(values[0])
    return template[position].format(*values[fields(template)[position]])
