"""Lists of lists, or of arrays, which are recorded as they are, or with their elements in one pool.

As it is, a list of lists has elements of Python, or rows of one length. Where that is refused, the
function is recorded once more with its lists of lists as `autograph.staging.lists.pooled` keeps
them, whose elements have any lengths. Which lists those are is known by then: they are told by
where they are made.
"""

from __future__ import annotations

from typing import Any, Union

from autograph.errors import Location
from autograph.staging.ground.nesting import is_tuple, kind_of, parts_of
from autograph.staging.ground.object_kinds import (
    LISTS,
    ObjectKinds,
    ObjectsOf,
    OfAttribute,
    TuplesOf,
    count_of,
    may_be_pooled,
    objects_in,
)
from ops.core.records import NamedTuple


class OfValues(NamedTuple):
    """Where the list of what a dict's keys stand for is made: where the dict is."""

    dict: Location | None


class OfKeys(NamedTuple):
    """Where the list of a dict's or set's keys is made: where that is."""

    table: Location | None


Site = Union[Location, OfValues, OfAttribute, None]


class NestedLists:
    """What is done with lists of lists.

    Attributes:
        sites: where lists are made that get lists, or arrays of lengths that only the run knows, as
            elements, or tuples of such: for each, `LISTS`, the names of the dtypes of the arrays,
            `TuplesOf`. For lists of what dicts hold also
            `autograph.staging.lists.referred_tables.TablesOf`.
        in_pools: whether their elements are kept in pools.
        has_given: whether objects of the caller are, so that all are.
        depths: of lists of lists of lists, and deeper ones: how many lists are in each other, less
            one, by where the program makes them.
        objects: what is known of objects that are elements.
        met_each_other: pairs of places in the program, as `site_of` names them: lists that are made
            at the one are also where those are that are made at the other.
    """

    def __init__(self) -> None:
        self.sites: dict[Any, set[Any]] = {}
        self._in_pools = False
        self.has_given = False
        self.depths: dict[str, int] = {}
        self.met_each_other: set[frozenset[str]] = set()
        self.objects = ObjectKinds()

    @property
    def in_pools(self) -> bool:
        return self._in_pools or self.has_given

    @in_pools.setter
    def in_pools(self, on: bool) -> None:
        self._in_pools = on

    @property
    def may_help(self) -> bool:
        """Whether what is refused may not be if lists of lists are in pools."""
        return bool(self.sites) and not self.in_pools

    def meet(self, site: Site, kind: Any) -> None:
        """A list that is made there gets an element of a kind."""
        if site is not None and kind is not None:
            kind = self.objects.one_class(kind)
            self.sites.setdefault(site, set()).add(kind)

    @property
    def is_pooled(self) -> bool:
        """Whether a recording in which elements are kept in pools does so for any list, or for
        objects."""
        kinds = [kind for found in self.sites.values() if len(found) == 1 for kind in found]
        apart = [kind for kind in kinds if not any(map(self.objects.is_refused, objects_in(kind)))]
        always = any(not self.objects.is_refused(kind) for kind in self.objects.always)
        return bool(apart) or always

    @property
    def known(self) -> int:
        """How much is known of what another recording may do."""
        nested = count_of(self.sites) + len(self.met_each_other) + sum(self.depths.values())
        return nested + self.objects.known

    def deepen(self, site: str, inner: list[str]) -> None:
        """A list of lists that is made at a place of the program holds lists of lists.

        Args:
            inner: where what they hold is made, what this holds, and so on.
        """
        if site and all(inner):
            self.depths[site] = max(self.depths.get(site, 1), 1 + len(inner))
            for level, other in enumerate(inner, 1):
                self.unite(f"{site}/{level}", other)

    def unite(self, a: str, b: str) -> None:
        """Lists that are made at one place of the program are where those of another place are."""
        if a and b:
            self.met_each_other.add(frozenset((a, b)))

    def together(self) -> list[set[str]]:
        """The places of the program whose lists are kept together."""
        groups: list[set[str]] = []
        for pair in self.met_each_other:
            touched = [group for group in groups if group & pair]
            groups = [group for group in groups if not group & pair]
            groups.append(set(pair).union(*touched))
        return groups

    def pooled(self, site: Site) -> Any:
        """Of which kind the elements are that a list that is made there keeps in a pool; None if it
        does not."""
        kinds = self.sites.get(site, set()) if self.in_pools and site else set()
        kinds = set(map(self.objects.one_class, kinds))
        kind = next(iter(kinds)) if len(kinds) == 1 else None
        return None if any(map(self.objects.is_refused, objects_in(kind))) else kind

    def classes(self) -> set[type]:
        """The classes of objects that are elements of lists, or attributes of such objects."""
        if not self.in_pools:
            return set()
        kinds = [kind for found in self.sites.values() for kind in found]
        for own in self.objects.attributes.values():
            kinds += [kind for found in own.values() for kind in found]
        found = {kind for inside in kinds for kind in objects_in(inside)} | self.objects.always
        found = set(map(self.objects.families.kind, found))
        return {kind for kind in found if not self.objects.is_refused(kind)}


def site_of(site: Site, part: Any = "") -> str:
    """What names a place of the program where lists are made.

    Args:
        part: which part of what is made there.
    """
    if site is None:
        return ""
    place = site.dict if isinstance(site, OfValues) else site
    return f"{type(site).__name__}:{place}:{part}"


def kind_of_element(element: Any) -> Any:
    """Of which kind an element is that ordinary lists may not hold; None if they do."""
    if isinstance(element, list):
        return LISTS
    if is_tuple(element):
        parts = tuple(map(kind_of_element, parts_of(element)))
        return None if parts.count(None) == len(parts) else TuplesOf(kind_of(element), parts)
    if element is not None and may_be_pooled(element.__class__):
        return ObjectsOf(element.__class__)
    return None
