"""Places that code assigns by name, such as global variables, as containers of one value.

Code that assigns the variables of a function around it does so in their cells, of which the
recorder makes shadows. What is in a `NamedPlace` is assigned as what is in a cell.
"""

from __future__ import annotations

import types
import weakref
from typing import Any


class NamedPlace:
    """Something that may hold a value.

    Args:
        owner: what it is in.
        name: of it there.

    Attributes:
        cell_contents: as of a cell.
    """

    __slots__ = ("__weakref__", "name", "owner")

    def __init__(self, owner: Any, name: str):
        self.owner = owner
        self.name = name

    @property
    def cell_contents(self) -> Any:
        raise NotImplementedError

    @cell_contents.setter
    def cell_contents(self, value: Any) -> None:
        raise NotImplementedError

    @cell_contents.deleter
    def cell_contents(self) -> None:
        raise NotImplementedError


class GlobalVariable(NamedPlace):
    """A variable of a module, whose namespace is the owner."""

    __slots__ = ()

    @property
    def cell_contents(self) -> Any:
        try:
            return self.owner[self.name]
        except KeyError:
            raise ValueError(self.name) from None

    @cell_contents.setter
    def cell_contents(self, value: Any) -> None:
        self.owner[self.name] = value

    @cell_contents.deleter
    def cell_contents(self) -> None:
        self.owner.pop(self.name, None)


# What holds one value, or none.
CELLS: tuple[Any, ...] = (types.CellType, NamedPlace)

# By the identities of what they are in, and their names: the recorder tells containers by which
# they are. One keeps its owner, whose identity nothing else gets meanwhile.
_kept: weakref.WeakValueDictionary[tuple[int, str], NamedPlace] = weakref.WeakValueDictionary()


def kept_place(owner: Any, name: str) -> NamedPlace | None:
    """The place of a name in something, if somebody has it."""
    return _kept.get((id(owner), name))


def place_of(kind: type[NamedPlace], owner: Any, name: str) -> Any:
    """The place of a name in something, the same one as long as somebody has it."""
    found = kept_place(owner, name)
    if found is None:
        found = _kept[id(owner), name] = kind(owner, name)
    return found
