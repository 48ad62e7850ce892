"""What dicts hold where that is sets or dicts: `ReferredTables`.

A set or dict is made of lists. Those of all that a dict has ever held are kept as lists that it
holds are, so that each is the same one under all its names.
"""

from __future__ import annotations

from typing import Any

from autograph.staging.ground.errors import user_location
from autograph.staging.ground.nested_lists import OfValues, site_of
from autograph.staging.ground.object_kinds import ObjectsOf
from autograph.staging.ground.ownership import slots_of
from autograph.staging.ground.recorder import recorder
from autograph.staging.lists.heap import PooledRow, refuse, register
from autograph.staging.lists.list_state import Lost
from autograph.staging.lists.lists import TrackedList
from autograph.staging.lists.nested_pools import lists_at
from autograph.staging.lists.object_columns import objects_at
from autograph.staging.lists.pooled import PooledList
from autograph.staging.lists.tables import KeyTable
from ops.core.records import NamedTuple


class TablesOf(NamedTuple):
    """Of which kind sets or dicts are.

    Attributes:
        made_of: their class.
        factory: what makes what is missing in each, of defaultdicts.
    """

    made_of: type[KeyTable]
    factory: Any

    @classmethod
    def of(cls, table: KeyTable) -> TablesOf:
        return cls(type(table), getattr(table, _FACTORY, None))


_LISTS, _FACTORY = ("order", "held"), "default_factory"  # slots of sets and dicts


class ReferredTables(PooledList):
    """Sets or dicts of one kind; see the module's text.

    Attributes:
        made_of, factory: see `TablesOf`.
        lists: for each list that one is made of, those of all.
    """

    def __init__(self, kind: TablesOf) -> None:
        self.made_of, self.factory = kind
        names = slots_of(self.made_of)
        self.lists = {name: PooledList() for name in _LISTS if name in names}

    @property
    def _numbers(self) -> tuple[TrackedList, ...]:
        return tuple(lists.places for lists in self.lists.values())

    def _parts(self, table: Any) -> dict[str, Any]:
        """The lists of a set or dict, which is of the kind."""
        if not isinstance(table, KeyTable) or TablesOf.of(table) != (self.made_of, self.factory):
            refuse("others in a dict that holds what consists of")
        return {name: getattr(table, name) for name in self.lists}

    def kept(self, table: Any) -> Any:
        """A set or dict, in a branch that it was not made in, as elements are; anything else as it
        is."""
        if not isinstance(table, KeyTable):
            return table
        parts = self._parts(table)
        return self._made({name: self.lists[name].kept(part) for name, part in parts.items()})

    def _made(self, parts: dict[str, Any]) -> Any:
        made = object.__new__(self.made_of)
        for name in slots_of(self.made_of):
            rest = self.factory if name == _FACTORY else False
            setattr(made, name, parts.get(name, rest))
        return made

    def _element(self, place: Any) -> Any:
        return self._made({name: lists._element(place) for name, lists in self.lists.items()})

    def append(self, table: Any) -> None:
        for name, part in self._parts(table).items():
            self.lists[name].append(part)

    def insert(self, index: Any, table: Any) -> None:
        for name, part in self._parts(table).items():
            self.lists[name].insert(index, part)

    def adopt(self, other: Any) -> None:
        """See `PooledList`."""
        if isinstance(other, ReferredTables) and other.made_of is self.made_of:
            for name, lists in self.lists.items():
                lists.adopt(other.lists[name])

    def empty_like(self) -> ReferredTables:
        made = ReferredTables(TablesOf(self.made_of, self.factory))
        made.lists = {name: lists.empty_like() for name, lists in self.lists.items()}
        return made

    def _replace(self, place: Any, table: Any) -> None:
        for name, part in self._parts(table).items():
            self.lists[name]._replace(place, part)


def held_values() -> TrackedList | PooledList:
    """What a dict that is made now holds."""
    site = OfValues(recorder().location())
    kind = recorder().nested.pooled(site)
    if isinstance(kind, ObjectsOf):
        return objects_at(kind, site, TrackedList)
    if kind is not None:
        return ReferredTables(kind) if isinstance(kind, TablesOf) else lists_at(site_of(site))
    made = TrackedList()
    made.site = site
    return made


def default_of(held: Any, default: Any) -> Any:
    """What a branch may let a dict hold, or give in the place of what it holds.

    Of a list, set or dict it is a copy, while that itself, which another branch does not give away,
    is not used any more.
    """
    if not isinstance(held, PooledList):
        return default
    if isinstance(default, KeyTable):
        parts = [getattr(default, name) for name in _LISTS if hasattr(default, name)]
    else:
        parts = [default] if isinstance(default, TrackedList) else []
    if not parts or any(isinstance(part, PooledRow) for part in parts):
        return default
    made = default.copy()
    for part in parts:
        part.lost = Lost(user_location())
        recorder().lost.append(part)
    return made


register(ReferredTables)
