"""Lists of tuples with objects in them that attributes of the caller's objects are: the edges of a
graph, each with its weight (`GivenTupleLists`); see `autograph.staging.lists.given_object_lists`.

For each item of the tuples there is a heap of lists of these: of objects, or of numbers. A list of
tuples has the same place in all of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from autograph.staging.lists.given_rows import GivenHeap, is_same_value, places_column
from autograph.staging.lists.pooled_tuples import PooledTupleLists, PooledTuples


class ItemsOf(list):
    """The items of the tuples in a list.

    Attributes:
        whole: that list.
    """

    def __init__(self, items: Iterable[Any], whole: list):
        super().__init__(items)
        self.whole = whole


class GivenTupleLists:
    """The lists of one attribute of the objects of a class.

    Args:
        parts: where the lists of the items are.

    Attributes:
        parts: see above.
        lists: of the caller, by their places.
    """

    def __init__(self, parts: Sequence[GivenHeap]):
        self.parts = parts
        self.lists: list[list] = []
        self._places: dict[int, int] = {}
        self._made: dict[int, list] = {}
        for rows in parts:
            rows.new_row = lambda place: ItemsOf((), self.at([place])[0])

    def take(self, lists: Iterable[list]) -> list[int]:
        """Keep lists: their places."""
        found = list(lists)
        for items in found:
            if self._places.setdefault(id(items), len(self.lists)) == len(self.lists):
                self.lists.append(items)
        for number, rows in enumerate(self.parts):
            rows.take([ItemsOf((item[number] for item in items), items) for items in self.lists])
        return [self._places[id(items)] for items in found]

    def list_at(self, places: Sequence[int]) -> PooledTupleLists:
        """The list of the lists at some places, as the program is given it."""
        parts = (rows.list_at(places_column(places)) for rows in self.parts)
        return PooledTupleLists(tuple, parts)

    def stand_in(self, items: list) -> PooledTuples | None:
        """What a list of these is for the program; None of others."""
        place = self._places.get(id(items))
        if place is None:
            return None
        return PooledTuples(tuple, [rows.row_at(place) for rows in self.parts])

    # -- when the program has run -----------------------------------------------------------------

    def at(self, places: Iterable[int]) -> list[list]:
        """The lists at some places: of the caller, and others, which `settle` fills."""
        return [self.lists[p] if p < len(self.lists) else self._new(p) for p in places]

    def _new(self, place: int) -> list:
        if place not in self._made:
            self._made[place] = []
            for rows in self.parts:
                rows.lists_at([place])
        return self._made[place]

    def settle(self) -> None:
        """Let the lists hold what the lists of their items do."""
        is_changed = any(part.is_written for rows in self.parts for part in rows.parts)
        kept = list(enumerate(self.lists)) if is_changed else []
        for place, items in (*kept, *self._made.items()):
            new = list(zip(*(rows.lists_at([place])[0] for rows in self.parts)))
            for number, (before, now) in enumerate(zip(items, new)):
                if is_same_value(before, now):
                    new[number] = before
            items[:] = new
