"""``", ".join(lines)`` of a list of which only the run knows how many texts it has.

The result is a text with the list in it, which is carried as other lists are. It is printed text by
text: see `autograph.staging.values.text_parts`.
"""

from __future__ import annotations

import dataclasses
from typing import Any


@dataclasses.dataclass(frozen=True)
class JoinKind:
    """What makes a text of a list of texts."""

    separator: str
    __name__ = "text"

    def __call__(self, items: Any) -> str | JoinedTexts:
        """The real text, if these are the texts of a run."""
        if type(items) is list and all(isinstance(item, str) for item in items):
            return self.separator.join(items)
        return JoinedTexts(self.separator, items)


class JoinedTexts:
    """The texts of a list, joined: what goes into the field of a text.

    Attributes:
        separator: between them.
        items: a list that nobody else has.
    """

    __slots__ = ("items", "separator")
    is_text = True
    ndim = 1  # as of what has no `repr` in a text

    def __init__(self, separator: str, items: Any):
        self.separator = separator
        self.items = items

    @property
    def kind(self) -> JoinKind:
        return JoinKind(self.separator)

    @property
    def values(self) -> tuple[Any]:
        return (self.items,)
