"""Calls with lists of lists that are like an earlier one, found without taking them apart anew.

Rows in heaps are data (see `autograph.staging.lists.given_rows`): what a call is taken apart into
differs from what the one before was in arrays alone. So where each leaf comes from is written down
once, and with it what was found. Other calls than of lists of numbers, or of tuples of numbers, in
lists, beside arrays and numbers, are not written down.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

from autograph.api.calls.compiled import Compiled
from autograph.api.recording.list_forms import Flat, ListForms
from autograph.staging.border.signature import CallParts, leaf_key
from autograph.staging.lists.given_rows import ATOMS, GivenColumns, GivenRows
from ops.core.records import NamedTuple


class PartOf(NamedTuple):
    """The next leaf is an array of a part of the heaps.

    Attributes:
        part: its number.
        at: that of the array among those of the part.
    """

    part: int
    at: int


def arrays_among(leaves: Sequence[Any], parts: Sequence[GivenColumns]) -> list[PartOf | None]:
    """Which leaves of a call are arrays of the parts of its heaps, or how many elements these
    have."""
    arrays = {id(a): PartOf(n, at) for n, p in enumerate(parts) for at, a in enumerate(p.arrays)}
    sources: list[PartOf | None] = []
    count: PartOf | None = None  # what comes next, if it is how many elements arrays have
    for leaf in leaves:
        found = arrays.get(id(leaf), count)
        count = None
        if found is not None:
            part = parts[found.part]
            if found.at + 1 == len(part.arrays) < len(part.values):
                count = PartOf(found.part, found.at + 1)
        sources.append(found)
    return sources


class RowCalls:
    """What was found for a call with rows in heaps, for those that are like it."""

    def __init__(
        self,
        lists: ListForms,
        compiled: Compiled,
        flat: Flat,
        shape: Hashable,
        sources: Sequence[Any],
    ):
        args = flat.call.args
        self._lists = lists
        self._compiled = compiled
        self._structure = flat.structure
        self._shape = shape
        self._sources = sources
        self._kinds = tuple(map(type, args))
        self._others = [i for i, kind in enumerate(self._kinds) if kind is not list]
        self._keys = [leaf_key(args[i]) for i in self._others]

    @classmethod
    def of(cls, lists: ListForms, compiled: Compiled, flat: Flat) -> RowCalls | None:
        """That of a call; None if more may differ in one that is alike."""
        call, traced, given = flat.call, compiled.traced, flat.call.given
        if (
            not isinstance(given, GivenRows)
            or call.kwargs
            or call.roots
            or call.unread
            or call.packing is not None
        ):
            return None
        if traced.bound or traced.knows_repeated or traced.generators or compiled.fixed[0]:
            return None
        shape = given.arrangement
        listed = [type(arg) is list for arg in call.args]
        if shape is None or sum(listed) != given.found:
            return None
        if not all(map(ATOMS.__contains__, (type(a) for a in call.args if type(a) is not list))):
            return None
        others = iter([i for i, is_list in enumerate(listed) if not is_list])
        sources: list[Any] = []
        for leaf, found in zip(flat.leaves, arrays_among(flat.leaves, given.parts())):
            if found is not None:
                sources.append(found)
            elif type(leaf) is str and given.is_site(leaf):
                sources.append(leaf)
            else:
                sources.append(next(others, None))
        numbers = [source for source in sources if type(source) is int]
        if len(numbers) != len(call.args) - given.found or None in sources:
            return None
        return cls(lists, compiled, flat, shape, sources)

    def found(self, args: tuple, kwargs: dict[str, Any]) -> tuple[Compiled, Flat] | None:
        """What is compiled for a call, and the call; None if it is not alike."""
        if kwargs or tuple(map(type, args)) != self._kinds:
            return None
        if [leaf_key(args[i]) for i in self._others] != self._keys:
            return None
        given = self._lists.given(args, kwargs)
        if given is None or given.arrangement != self._shape:
            return None
        values = [part.values for part in given.parts()]
        leaves: list[Any] = []
        for source in self._sources:
            kind = type(source)
            if kind is PartOf:
                leaves.append(values[source.part][source.at])
            else:
                leaves.append(source if kind is str else args[source])
        if not self._compiled.is_for(leaves):
            return None
        return self._compiled, Flat(leaves, self._structure, CallParts(args, kwargs, given=given))
