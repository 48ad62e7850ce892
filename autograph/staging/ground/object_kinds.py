"""What is known, from recording to recording and call to call, of objects that are kept in heaps.

Such objects are kept in a heap, see `autograph.staging.lists.object_heap`, which has a list of what
each attribute is of all objects of a class. Of which kind that list is has to be known before the
first object is made: a recording that finds another kind notes it here and is given up.
"""

from __future__ import annotations

import abc
from collections.abc import Iterable
from typing import Any
from weakref import WeakSet

from autograph.source.tree.libraries import full_name
from autograph.staging.ground.families import Families, members_of
from autograph.staging.ground.ownership import (
    is_made_of_attributes,
    is_user_class,
)
from ops.core.lazy import KnownWhileAlive
from ops.core.records import NamedTuple
from ops.core.types import ArrayType

NONE, NUMBERS, EMPTY, OTHER = "None", "numbers", "empty lists", "other things"
LISTS = "lists"  # of numbers, or of lists

# Methods by which a class may do something else with its attributes than keep them.
_OF_ATTRIBUTES = (
    *("__getattribute__", "__getattr__", "__setattr__", "__delattr__", "__init_subclass__"),
    *("__del__", "__copy__", "__deepcopy__", "__reduce__", "__reduce_ex__", "__getstate__"),
)

_MOST_KINDS = 4  # of an attribute that count: with two others than None there is no list for it
_MOST_MET = 1000  # of what was found of attributes that it is known what follows of

# Of numbers that an attribute has been in some calls. What is computed of numbers of two types is
# of four at most, which operators tell apart; of more it would be of the promoted type, where
# Python has one in each call.
_MOST_TYPES = 2


class ObjectsOf(NamedTuple):
    """The kind of elements that are objects of a class, or None."""

    kind: type


class ListsOf(NamedTuple):
    """The kind of elements that are lists of objects of a class, or of None."""

    kind: type


class TuplesOf(NamedTuple):
    """The kind of elements that are tuples with lists or objects in them.

    Attributes:
        made_of: their class.
        parts: of which kinds their items are; None of those that ordinary lists may hold.
    """

    made_of: Any
    parts: tuple[Any, ...]


class ListsOfTuples(NamedTuple):
    """The kind of an attribute that is a list of tuples with objects in them."""

    tuples: TuplesOf


class NumberOf(NamedTuple):
    """The kind of an attribute that is a number of a type."""

    type: ArrayType


class TupleOfNumbers(NamedTuple):
    """The kind of an attribute that is a tuple of numbers of some types."""

    types: tuple[ArrayType, ...]


class FixedTo(NamedTuple):
    """The kind of an attribute that is the same for all objects."""

    value: Any

    def __eq__(self, other: object) -> bool:
        return isinstance(other, FixedTo) and (
            self.value is other.value
            or (
                (isinstance(self.value, str) and type(other.value) is str)
                and self.value == other.value
            )
        )

    def __hash__(self) -> int:
        return hash(self.value) if isinstance(self.value, str) else id(self.value)


class OfAttribute(NamedTuple):
    """Where the list is made of what an attribute is of all objects of a class."""

    kind: type
    name: str


# Classes that recordings have made: another one makes another class.
_own: WeakSet[type] = WeakSet()


def note_own(made: Any) -> None:
    """A class statement inside of a function has made something while that was recorded."""
    if type(made) in (type, abc.ABCMeta):
        _own.add(made)


@KnownWhileAlive
def may_be_pooled(kind: type) -> bool:
    """Whether objects of a class may be kept in a heap: they have nothing but attributes, which are
    kept as Python does, and the next recording knows the class."""
    if kind in _own:
        return False
    if not (is_user_class(kind) and is_made_of_attributes(kind)):
        return False
    if type(kind) not in (type, abc.ABCMeta):
        return False
    owners = [owner for owner in kind.__mro__ if owner is not object]
    if not all(map(is_user_class, owners[:1])):
        return False
    frozen = any("__dataclass_params__" in vars(owner) for owner in owners)
    changed = _OF_ATTRIBUTES if not frozen else _OF_ATTRIBUTES[:2] + _OF_ATTRIBUTES[4:6]
    return not any(name in vars(owner) for owner in owners for name in changed)


def with_families(kind: Any, families: Families) -> Any:
    """A kind of elements or attributes, with the families of classes in their place."""
    if isinstance(kind, (ObjectsOf, ListsOf)):
        return type(kind)(families.kind(kind.kind))
    if isinstance(kind, TuplesOf):
        parts = tuple(with_families(part, families) for part in kind.parts)
        return TuplesOf(kind.made_of, parts)
    if isinstance(kind, ListsOfTuples):
        return ListsOfTuples(with_families(kind.tuples, families))
    return kind


def objects_in(kind: Any) -> list[type]:
    """The classes of the objects in elements of a kind."""
    if isinstance(kind, (ObjectsOf, ListsOf)):
        return [kind.kind]
    if isinstance(kind, TuplesOf):
        return [one for part in kind.parts for one in objects_in(part)]
    return objects_in(kind.tuples) if isinstance(kind, ListsOfTuples) else []


def lists_of(kind: Any) -> ListsOf | ListsOfTuples | None:
    """The kind of an attribute that is a list of elements of a kind, which are objects, or tuples
    of objects and numbers; None if they are neither."""
    if isinstance(kind, ObjectsOf):
        return ListsOf(kind.kind)
    if isinstance(kind, TuplesOf):
        parts = [part for part in kind.parts if part is not None]
        if all(isinstance(part, ObjectsOf) for part in parts):
            return ListsOfTuples(kind)
    return None


class ObjectKinds:
    """What is known of the objects of some classes.

    Attributes:
        attributes: of each class, for each name of an attribute, of which kinds it is.
        always: the classes of which all objects are kept in the heap from the beginning, also those
            that no list holds: they meet those that one does.
        links: of each class, the classes of objects that its attributes were in a region.
        with_none: where lists are made that hold None as well.
        families: of the classes whose objects are in one heap.
        owners: of an attribute of a class or family, the classes whose objects have it.
    """

    def __init__(self) -> None:
        self.attributes: dict[type, dict[str, set[Any]]] = {}
        self.always: set[type] = set()
        self.links: dict[type, set[type]] = {}
        self.with_none: set[Any] = set()
        self.families = Families()
        self.owners: dict[tuple[type, str], set[type]] = {}
        self._joined = 0  # of how much less is known since classes are one family, and more

    def one_class(self, kind: Any) -> Any:
        """See `with_families`."""
        return with_families(kind, self.families)

    def join(self, kinds: Iterable[type]) -> bool:
        """Objects of some classes are to be in one heap; whether that is new."""
        before, one = self.known, self.families.kind
        old = set(map(one, kinds))
        if len(old) < 2:
            return False
        self.families.join(old)
        attributes, self.attributes = self.attributes, {}
        for kind, own in attributes.items():
            known = self.attributes.setdefault(one(kind), {})
            for name, found in own.items():
                known.setdefault(name, set()).update(map(self.one_class, found))
        owners, self.owners = self.owners, {}
        for (kind, name), having in owners.items():
            self.owners.setdefault((one(kind), name), set()).update(having)
        links, self.links = self.links, {}
        for kind, others in links.items():
            self.links.setdefault(one(kind), set()).update(map(one, others))
        self.with_none = {
            OfAttribute(one(site.kind), site.name) if isinstance(site, OfAttribute) else site
            for site in self.with_none
        }
        self.always |= {member for kind in old for member in members_of(kind)}
        self._joined += before - self.known + 1
        return True

    @property
    def known(self) -> int:
        """How much is known. Classes and objects that each recording makes anew are no more than
        those of the recording before, else there would be something new after each."""
        kinds: dict[tuple[str, str], int] = {}
        for kind, own in self.attributes.items():
            for name, found in own.items():
                attribute = full_name(kind), name
                kinds[attribute] = min(kinds.get(attribute, 0) + len(found), _MOST_KINDS)
        classes = len(set(map(full_name, self.attributes))) + len(set(map(full_name, self.always)))
        owners = {
            (full_name(kind), name, full_name(one))
            for (kind, name), having in self.owners.items()
            for one in having
        }
        of_classes = classes + len(owners) + self._joined
        return sum(kinds.values()) + of_classes + count_of(self.with_none)

    def meet(self, kind: type, name: str, found: set[Any]) -> bool:
        """An attribute is of some kinds; whether that is new.

        Args:
            kind: the class of the object, or the family where that is all that is known.
        """
        family = self.families.kind(kind)
        own = self.attributes.setdefault(family, {})
        known, found = own.setdefault(name, set()), set(map(self.one_class, found))
        having = self.owners.setdefault((family, name), set())
        is_new = not found <= known or (kind is not family and kind not in having)
        known |= found
        if len(members_of(kind)) == 1:
            having.add(kind)
        return is_new

    def link(self, kind: type, values: Iterable[Any]) -> None:
        """Objects of a class refer to others."""
        found = {type(value) for value in values if may_be_pooled(type(value))}
        if found:
            self.links.setdefault(kind, set()).update(found)

    def is_refused(self, kind: type, met: frozenset[type] = frozenset()) -> bool:
        """Whether objects of a class stay as they are: an attribute is of kinds for which there is
        no list, or is objects of a class that do.

        Args:
            met: classes that are asked already.
        """
        own, met = self.attributes.get(kind, {}).values(), met | {kind}
        if any(len(kept_as(found)) > 1 for found in own):
            return True
        others = {one for kinds in own for found in kinds for one in objects_in(found)} - met
        return any(self.is_refused(other, met) for other in others)


def count_of(sites: Iterable[Any]) -> int:
    """How many places there are, of attributes of classes that recordings make anew as if these
    were one."""
    return len({(full_name(s.kind), s.name) if isinstance(s, OfAttribute) else s for s in sites})


def kept_as(kinds: set[Any]) -> set[Any]:
    """Of which kind the list is of what an attribute is of all objects, but for None: one or none
    if there is such a list."""
    numbers = NumberOf, TupleOfNumbers
    found = {NUMBERS if isinstance(kind, numbers) else kind for kind in kinds if kind != NONE}
    fixed = [kind for kind in found if isinstance(kind, FixedTo)]
    if len(fixed) > 1 and all(isinstance(kind.value, str) for kind in fixed):
        found = found.difference(fixed) | {NUMBERS}
    if len(found) > 1:
        found.discard(EMPTY)
    of_objects = ObjectsOf, ListsOf
    has_none = NONE in kinds and any(not isinstance(kind, of_objects) for kind in found)
    if OTHER in found or (has_none and found != {NUMBERS}):
        return {OTHER, *found, NONE}
    return found


def number_types_in(kinds: set[Any]) -> set[ArrayType]:
    """The types that an attribute is of in the objects where it is a number."""
    return {kind.type for kind in kinds if isinstance(kind, NumberOf)}


def are_told_apart(kinds: set[Any]) -> bool:
    """Whether it is kept of which type an attribute is in each object: it is a number of several
    types, which differ by more than that some are NumPy's and some Python's."""
    return NUMBERS not in kinds and len({kind.dtype for kind in number_types_in(kinds)}) > 1


class KnownObjects:
    """What is known, from call to call, of the objects of a function that are in heaps.

    Attributes:
        classes: theirs.
        links: of each class, the attributes that have been other objects.
        kinds: of an attribute of a class, of which kinds it has been, or the program makes it.
        with_none: the classes of which there have been objects in lists in which there was None.
        families: of the classes whose objects have been in one list, or what one attribute is.
        owners: of an attribute of a class or family, the classes whose objects have had it.
    """

    def __init__(self) -> None:
        self.owners: dict[tuple[type, str], set[type]] = {}
        self.classes: set[type] = set()
        self.links: dict[type, list[str]] = {}
        self.kinds: dict[tuple[type, str], set[Any]] = {}
        self.with_none: set[type] = set()
        self.families = Families()
        self._met: dict[tuple[type, str, frozenset[Any]], set[Any]] = {}  # by what was found

    def copy(self) -> KnownObjects:
        """The same, which learns by itself."""
        made = KnownObjects()
        made.classes, made.with_none = set(self.classes), set(self.with_none)
        made.links = {kind: list(names) for kind, names in self.links.items()}
        made.kinds = {place: set(found) for place, found in self.kinds.items()}
        made.owners = {place: set(found) for place, found in self.owners.items()}
        made.families.update(self.families)
        return made

    def meet(self, kind: type, name: str, found: set[Any]) -> set[Any]:
        """An attribute is of some kinds: those it has been of. What there is no column for does not
        count for later calls, and numbers of earlier ones do not if these are of too many types."""
        key = kind, name, frozenset(found)
        if key not in self._met:
            known = self.kinds.setdefault((kind, name), set())
            if not found <= known and len(number_types_in(known | found)) > _MOST_TYPES:
                known -= {one for one in known if isinstance(one, NumberOf)}
            self.widen(kind, name, {one for one in found if one == NONE or _counts(one)})
            kinds = known | {with_families(one, self.families) for one in found}
            self._met[key] = {with_families(one, self.families) for one in kinds}
        return self._met[key]

    def widen(self, kind: type, name: str, more: Iterable[Any]) -> bool:
        """An attribute may be of more kinds; whether that is new."""
        known = self.kinds.setdefault((kind, name), set())
        before = len(known)
        known |= {with_families(one, self.families) for one in more}
        if len(known) > before or len(self._met) > _MOST_MET:
            self._met.clear()
        return len(known) > before

    def join(self, kinds: Iterable[type]) -> bool:
        """Objects of some classes are to be in one heap; whether that is new."""
        old = {self.families.kind(kind) for kind in kinds}
        if len(old) < 2:
            return False
        self.families.join(old)
        self._met.clear()
        new = self.families.kind(next(iter(old)))
        for kind in old:
            for name in self.links.pop(kind, []):
                self.links.setdefault(new, []).append(name)
        tables: tuple[dict[tuple[type, str], set], ...] = (self.kinds, self.owners)
        for table in tables:
            for kind, name in list(table):
                if kind in old:
                    table.setdefault((new, name), set()).update(table.pop((kind, name)))
        return True

    def classes_of(self, kind: type, name: str) -> list[set[type]]:
        """The classes of the objects that an attribute has been, as `GivenObjectHeap.kinds_in`
        says."""
        known = self.kinds.get((kind, name), set())
        found: list[set[type]] = [set()]
        for one in known:
            tuples = one.tuples if isinstance(one, ListsOfTuples) else one
            if isinstance(one, (ObjectsOf, ListsOf)):
                found[0].add(one.kind)
            for number, part in enumerate(tuples.parts if isinstance(tuples, TuplesOf) else (), 1):
                found += [set()] * (number >= len(found))
                found[number].update(objects_in(part))
        return found


def _counts(kind: Any) -> bool:
    is_text = isinstance(kind, FixedTo) and isinstance(kind.value, str)
    return is_text or isinstance(kind, _COUNTING) or kind in (LISTS, EMPTY)


_COUNTING = (NumberOf, ObjectsOf, ListsOf, TuplesOf, ListsOfTuples)
