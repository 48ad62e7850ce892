"""Lists in lists that are kept as rows, changed where they are: ``rows[i][j] = x``.

An element that is read from a list kept as rows is a copy. So that it can be changed all the same,
it knows its *home*: the list that it was read from, and its places there. Assigning one of its
items writes into the arrays of that list, its *root*, and from then on the element contains what is
there.

That is right only if nothing else holds the lists that are changed so: the root *owns* its rows if
they were made of lists of which each occurs once, and in no other list that is kept as rows.
Whatever else may be one of those lists is *stale* after the first write, and cannot be used any
more. What changes which elements the root has begins a new *version* of it, for which older homes
are not known any more.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np

from autograph.errors import LoopStateError, MutationError
from autograph.staging.arrays.array import GraphArray
from autograph.staging.ground.errors import user_location
from autograph.staging.ground.nesting import LEAF, Structure, TupleOf, is_tuple, parts_of
from autograph.staging.ground.recorder import recorder
from autograph.staging.lists.columns import Column, Rows, different_structure, of_list, strong
from autograph.staging.lists.elements import (
    ElementType,
    ListElement,
    ListOf,
    absorb,
    element_type,
    flatten_element,
    is_changeable,
    of_one,
)
from autograph.staging.lists.text_elements import element_as, item_of, united, with_items, zero_of
from autograph.staging.values.choice import looked_up
from autograph.staging.values.templates import ABSENT
from ops.core.records import NamedTuple
from ops.core.types import ArrayType

SERIAL = itertools.count()  # of lists and of what has to tell older ones from newer ones


class Home(NamedTuple):
    """Where an element was read.

    Attributes:
        root: the outermost list.
        places: its place there, the place in that element, and so on.
        version: of the root.
        frame: in which it was read.
    """

    root: InnerList
    places: tuple[Any, ...]
    version: int
    frame: Any


class Read(NamedTuple):
    """The present contents of an element, as they were last looked up.

    Attributes:
        root: the rows of its root then.
        frame: where they can be used.
        rows: the contents.
    """

    root: Rows
    frame: Any
    rows: Rows


class InnerList(ListElement):
    """A list that may be an element of others, and have such elements; see the module's text.

    Attributes:
        home: where it was read, if it is an element of a list kept as rows.
        holders: lists of which it may be an element, with their versions at that time.
        only: the list whose rows alone were made of it, and not those of another one.
        owns: whether its rows were made of lists that are in no other list.
        lent: whether its elements may be in other lists.
        written: whether its elements were changed.
        version: counts the changes of which elements it has.
        members: the lists that its rows were made of.
        given_back: its last rows, if it is the caller's and contains its members again.
        serial: lists made later have a greater one.
        twins, lost, unread: see `autograph.staging.lists.list_state`.
        seat, given: where it is in a heap, if it is in one, and how it was read last; see
            `autograph.staging.lists.heap` and `autograph.staging.lists.pooled`.
        site: where the user's code made it.
    """

    __slots__ = (
        "_read",
        "_rows",
        "given",
        "given_back",
        "holders",
        "home",
        "lent",
        "lost",
        "members",
        "only",
        "owns",
        "seat",
        "serial",
        "site",
        "twins",
        "unread",
        "version",
        "written",
    )

    no_place: str

    def __init__(self, items: Any = ()):
        super().__init__(items)
        self.seat: Any = None
        self.given: Any = None
        self.site: Any = None
        self._rows: Rows | None = None
        self.home: Home | None = None
        self.holders: tuple[tuple[InnerList, int], ...] = ()
        self.only: InnerList | None = None
        self.owns = False
        self.lent = False
        self.written = False
        self.serial = next(SERIAL)
        self._read: Read | None = None
        self.twins: list[Any] = []
        self.lost: Any = None
        self.unread: Any = None
        self.version = 0
        self.members: tuple[InnerList, ...] = ()
        self.given_back: Rows | None = None

    # -- as an element ----------------------------------------------------------------------------

    def read_at(self, owner: InnerList, place: Any) -> None:
        """It was read from a list, now."""
        home, frame = owner.home, recorder().frame
        if home is None:
            self.home = Home(owner, (place,), owner.version, frame)
        else:
            self.home = home._replace(places=(*home.places, place), frame=frame)
        if self.home.root._rows is not None:
            self._read = Read(self.home.root._rows, frame, self._rows)
        recorder().frozen.refresh(self)

    @property
    def is_followed(self) -> bool:
        """Whether it contains something else than it did once it was read, or may."""
        return self.home is not None or bool(self.holders)

    @property
    def is_stale(self) -> bool:
        """Whether nobody knows what it contains."""
        home = self.home
        if home is not None:
            root = home.root  # which may be an element of others itself
            return (root.written and root.version != home.version) or root.is_stale
        return bool(self.holders) and any(
            owner.written and (owner._rows is not None or owner.version != version)
            for owner, version in self.holders
        )

    def followed(self) -> Rows | None:
        """Its present contents, if these are rows.

        Raises:
            MutationError: nobody knows them.
        """
        if self.is_stale:
            raise stale()
        home = self.home
        root = None if home is None or not home.root.written else home.root.present
        if root is None:
            return self._rows  # what was read
        read, frame = self._read, recorder().frame
        if read is None or read.root is not root or read.frame is not frame:
            read = self._read = Read(root, frame, inner_rows(root, home.places))
        return read.rows

    def settle(self, frame: Any) -> None:
        """Contain what it does now for good, if it was read in a frame that ends."""
        if self.home.frame is frame:
            self._rows = self.followed()
            self.lend()
            self.home = None
            recorder().frozen.refresh(self)

    def lend(self) -> None:
        """It, or a copy of it, is kept elsewhere than in the list that it was read from."""
        if self.home is not None:
            self.home.root.lent = True

    def writes_through(self, index: Any, value: Any) -> bool:
        """``self[index] = value`` where it was read; whether that is possible.

        Raises:
            LoopStateError: the value is of another type than the elements.
            MutationError: nobody knows where it is.
        """
        home = self.home
        if home is None or not _is_index(index) or has_changeable(value):
            return False
        if self.is_stale:
            raise stale()
        if home.root.version != home.version or recorder().frozen.is_element(home.root):
            return False
        if not all(watch.sees(home.root) for watch in recorder().watches):
            return False
        rows = home.root.own_rows(len(home.places))
        if rows is None:
            return False
        home.root.elements_change()
        absorb(value)
        home.root._rows = _replaced(rows, (*home.places, index), value, self.no_place)
        return True

    # -- as what has elements ----------------------------------------------------------------------

    @property
    def present(self) -> Rows | None:
        """Its elements as rows, also if it has given them back."""
        return self.given_back if self._rows is None else self._rows

    def own_rows(self, depth: int) -> Rows | None:
        """Its elements as rows that it owns, which it keeps from now on; None if it does not, or
        if they are not lists, in lists, to a depth."""
        if self.lent:
            return None
        rows = self._rows
        if rows is None:
            self.owns = self._is_made_of_own()
            rows = self.as_rows() if self.owns else None
        if rows is None or not self.owns or not _is_deep(rows.structure, depth):
            return None
        if self._rows is None:
            self.members = tuple(list.__iter__(self))
            self.become(rows)
        return rows

    def elements_change(self) -> None:
        """Called before one of its elements changes."""
        recorder().frozen.hold(self)

    def _is_made_of_own(self) -> bool:
        seen = {id(self)}
        for item in inner_lists(self):
            if item is None or id(item) in seen or item.home is not None or item.twins:
                return False
            if item.is_stale:
                return False
            if item.only is not self and recorder().frozen.is_element(item):
                return False
            if not has_own(item):
                return False
            seen.add(id(item))
        return True

    def give_back(self) -> None:
        """Contain the lists again that its rows were made of, with what these contain now: they are
        the caller's.

        Raises:
            MutationError: it does not contain them any more.
        """
        if not self.written or self._rows is None:
            return
        if not self.members:
            raise MutationError(
                "a list that the function is given gets new elements, and elements of it are "
                "changed in place, at places that depend on traced values",
                user_location(),
                id="AG0356",
                fix="work on a copy, as in rows = [row.copy() for row in rows], and return it",
            )
        rows, members = self._rows, self.members
        self._rows, self.given_back = None, rows
        list.extend(self, members)
        for place, member in enumerate(members):
            member.take(inner_rows(rows, (place,)))

    def take(self, rows: Rows) -> None:
        inner = list(list.__iter__(self))
        if any(isinstance(item, InnerList) for item in inner):
            for place, item in enumerate(inner):
                item.take(inner_rows(rows, (place,)))
        else:
            list.clear(self)
            self._rows = rows
        recorder().frozen.refresh(self)


def inner_lists(items: InnerList) -> Iterator[InnerList | None]:
    """The lists in a list, and those in these; None for other containers."""
    for item in list.__iter__(items):
        if isinstance(item, InnerList):
            yield item
            yield from inner_lists(item)
        elif has_changeable(item):
            yield None


def list_elements(items: InnerList) -> list[InnerList]:
    """The lists in a list, and those in these, without what is in other containers."""
    found = [item for item in list.__iter__(items) if isinstance(item, InnerList)]
    for item in found[:]:
        found += list_elements(item)
    return found


def is_made_since(value: Any, serial: int) -> bool:
    """Whether something is a list that was made, with the lists in it, after the one with a serial
    number, and is in no other list."""
    if not isinstance(value, InnerList):
        return False
    lists = [value, *inner_lists(value)]
    return len(set(map(id, lists))) == len(lists) and all(
        item is not None
        and item.serial > serial
        and not item.is_followed
        and not recorder().frozen.is_element(item)
        and has_own(item)
        for item in lists
    )


def has_own(items: InnerList) -> bool:
    """Whether no list is in a list that is in another one, too, as far as its rows tell."""
    rows = items._rows
    return rows is None or _has_no_lists(rows.structure) or (items.owns and not items.lent)


def has_changeable(value: Any) -> bool:
    """Whether something is a container, or a tuple with one."""
    if is_tuple(value):
        return any(map(has_changeable, parts_of(value)))
    return is_changeable(value)


def inner_rows(rows: Rows, places: tuple[Any, ...]) -> Rows:
    """The rows of the list that is at some places."""
    structure = rows.structure
    for _ in places:
        structure = structure.part
    columns = [
        Column(GraphArray(c.value)[places].value, _inside(c.element, len(places)))
        for c in rows.columns
    ]
    return Rows(structure, tuple(columns))


def _replaced(rows: Rows, places: tuple[Any, ...], value: Any, outside: str) -> Rows:
    """With another item at some places; ``outside`` is what Python says if there is no such item.
    Where it is None, or a number of another type than the others, all of them may be that."""
    kind = rows.kind
    for _ in places[1:]:
        kind = item_of(kind)
    parts, found = flatten_element(value, nones=True)
    types = [element_type(part) for part in parts]
    own = None if None in types else ElementType(found, tuple(t for t in types if t is not None))
    wanted = own and united(kind, own, exactly=True)
    if own is None or wanted is None:
        unlike = [pair for pair in zip(kind.types, types) if pair[0] != pair[1]]
        raise different_structure() if found != kind.structure else other_type(*unlike[0])
    if wanted.structure != found:
        pairs = zip(element_as(parts, own, wanted, looked_up), wanted.types)
        parts = [zero_of(type) if part is ABSENT else part for part, type in pairs]
    rows = rows.as_kind(with_items(rows.kind, wanted, len(places) - 1))
    columns = []
    for column, part, type in zip(rows.columns, parts, wanted.types):
        array = GraphArray(column.value)
        with of_list(outside):
            array[places] = GraphArray(strong(part, type))
        columns.append(Column(array.value, column.element))
    return Rows(rows.structure, tuple(columns))


def _inside(element: ArrayType, depth: int) -> ArrayType:
    for _ in range(depth):
        element = of_one(element)
    return element


def _has_no_lists(structure: Structure) -> bool:
    if isinstance(structure, TupleOf):
        return all(map(_has_no_lists, structure.parts))
    return structure is LEAF


def _is_deep(structure: Structure, depth: int) -> bool:
    for _ in range(depth):
        if not isinstance(structure, ListOf):
            return False
        structure = structure.part
    return True


def _is_index(index: Any) -> bool:
    if isinstance(index, GraphArray):
        return not index.ndim and index.dtype.kind in "iu"
    return isinstance(index, (int, np.integer))


def stale() -> MutationError:
    return MutationError(
        "a list is used that is, or may be, an element of another one, whose elements were changed "
        "since at places that depend on traced values",
        user_location(),
        id="AG0348",
        fix="read it again from the other list, as in row = rows[i], or make a copy before the "
        "change",
    )


def other_type(wanted: ArrayType, given: ArrayType | None) -> LoopStateError:
    return LoopStateError(
        f"an element of type {wanted} in a list of lists becomes "
        f"{'an object' if given is None else f'one of type {given}'}, at a place that depends on "
        "traced values",
        user_location(),
        id="AG0355",
        fix="let all elements have one type from the beginning, as in [[0.0] * m for _ in "
        "range(n)], or convert the new one with int(...) or float(...)",
    )
