"""What a tuple is, of what kind and parts, and one made of such.

Tuples are values: two that look alike are the same. What has an identity (lists, dicts, objects) is
a leaf here; `autograph.staging.containers.structure` takes those apart as well.
"""

from __future__ import annotations

from typing import Any, Union

from ops.core.records import NamedTuple


class TupleOf(NamedTuple):
    """The structure of a tuple, plain or named.

    Attributes:
        kind: its class, or what `kind_of` says.
        parts: the structures of its items.
    """

    kind: Any
    parts: tuple[Structure, ...]


LEAF = None
Structure = Union[TupleOf, None, Any]


def is_tuple(content: Any) -> bool:
    """Whether something is a tuple that can be made anew from its items.

    A text with values in it, an `autograph.staging.values.text.GraphText`, is taken for a tuple of
    them.
    """
    kind = type(content)
    if kind is tuple or (isinstance(content, tuple) and hasattr(kind, "_fields")):
        return True
    return getattr(kind, "is_text", False)


def kind_of(content: Any) -> Any:
    """What makes the tuple of its items."""
    return content.kind if getattr(type(content), "is_text", False) else type(content)


def parts_of(content: Any) -> tuple:
    """The items of a tuple."""
    return content.values if getattr(type(content), "is_text", False) else tuple(content)


def make_tuple(kind: Any, items: list[Any]) -> Any:
    return tuple(items) if kind is tuple else kind(*items)
