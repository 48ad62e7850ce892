"""Objects among the arguments of a call whose number only the run knows: `GivenObjects`.

Taken apart attribute by attribute, a tree or a list of objects is another structure for each number
of them, and what data decide on can be no Python object. Here all objects of a class that can be
reached are in one heap, as those are that a function makes itself; see
`autograph.staging.lists.object_heap`. For each attribute there is an array of what it is of all of
them: so objects are data, and what is recorded is for any number.

What the program has changed is written into the attributes of the caller's objects, each of which
stays the object that it is, wherever it may be.
"""

from __future__ import annotations

import contextlib
import itertools
import operator
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from autograph.source.tree.libraries import full_name
from autograph.staging.ground.families import members_of
from autograph.staging.ground.object_kinds import KnownObjects, may_be_pooled
from autograph.staging.ground.ownership import hidden_by, slots_of
from autograph.staging.lists import given_attributes, given_object_lists, objects_in_calls
from autograph.staging.lists.given_rows import ATOMS, GivenColumns, places_column, without_arrays
from autograph.staging.lists.heap import Heap
from autograph.staging.lists.object_heap import (
    ObjectHeap,
    PooledObjects,
    PooledObjectsOrNone,
    any_of,
)
from ops.core.records import NamedTuple


class GivenSeat(NamedTuple):
    """Where an object of the caller is kept: what it is for the program.

    Attributes:
        heap: what the program is given.
        place: its number there.
    """

    heap: ObjectHeap
    place: int


class GivenObjectHeap:
    """The objects of one class.

    Attributes:
        made_of: the class.
        objects: by their places.
        places: of the objects, by identity; that of None is -1.
        heap: what the program is given.
    """

    def __init__(self, made_of: type):
        self.made_of = made_of
        self.objects: list[Any] = []
        self.places: dict[int, int] = {id(None): -1}
        self.heap: Any = ObjectHeap(made_of)
        self._attributes: dict[str, given_attributes.Attribute] = {}
        self._values: dict[str, list[Any]] = {}
        self._classes: dict[str, set[type]] = {}  # of these
        self._made: dict[int, Any] = {}
        self._finished: set[int] = set()
        self._reached = 0  # how many of the objects have been asked for others

    def add(self, item: Any) -> None:
        """Keep an object."""
        places = self.places
        if id(item) not in places:
            places[id(item)] = len(self.objects)
            self.objects.append(item)

    def reach(self, names: Sequence[str], others: Callable[[Any], None]) -> bool:
        """Keep the objects that attributes of the objects are; whether there was a new one.

        Args:
            names: of these attributes.
            others: is called with those of other classes, and what lists hold.
        """
        objects, places, made_of = self.objects, self.places, self.made_of
        before = self._reached
        if names:
            for item in itertools.islice(objects, before, None):  # to which it adds
                for name in names:
                    other = getattr(item, name, None)
                    if id(other) not in places:
                        if type(other) is made_of:
                            places[id(other)] = len(objects)
                            objects.append(other)
                        elif type(other) is list or type(other) is tuple:
                            for one in other:
                                others(one)
                        else:
                            others(other)
        self._reached = len(objects)
        return self._reached > before

    def reach_again(self) -> None:
        """There are more attributes that are objects."""
        self._reached = 0

    def read(self) -> dict[str, set[type]]:
        """See what each attribute is of all objects: the classes of that."""
        objects = self.objects
        slots = dict.fromkeys(name for kind in members_of(self.made_of) for name in slots_of(kind))
        self._values = {
            name: [getattr(item, name, given_attributes.ABSENT) for item in objects]
            for name in slots
        }
        if any(hasattr(item, "__dict__") for item in objects):
            dicts = [getattr(item, "__dict__", {}) for item in objects]
            held = _columns(dicts).items()
            self._values.update((name, values) for name, values in held if name not in slots)
        for kind in members_of(self.made_of):
            for name in hidden_by(kind, self._values):
                self._values.pop(name, None)  # its methods tell what the attribute is
        self._classes = {name: set(map(type, values)) for name, values in self._values.items()}
        return self._classes

    def close(
        self,
        known: KnownObjects,
        heaps: Mapping[type, GivenObjectHeap],
        lists: given_object_lists.ListsInObjects,
    ) -> None:
        """All objects are there: say what the program is given.

        Args:
            lists: gets the lists that attributes are.
        """
        attributes = self._attributes
        self._tell_apart(known)
        for name, values in self._values.items():
            kinds = known.meet(
                self.made_of,
                name,
                given_attributes.kinds_of(values, self._classes[name], known.classes),
            )
            full = f"{full_name(self.made_of)}.{name}"
            attributes[name] = given_attributes.attribute_of(values, kinds, heaps, lists, full)
        heap = self.heap
        heap.order = places_column(range(len(self.objects)))
        heap.columns = {name: attribute.column for name, attribute in attributes.items()}
        heap.constants = {
            name: attribute.constant
            for name, attribute in attributes.items()
            if attribute.column is None
        }

    def _tell_apart(self, known: KnownObjects) -> None:
        """Say which of them have which attributes, and of a family which class each object is of.
        In place of an attribute that others have stands another value of it."""
        members, classes = members_of(self.made_of), list(map(type, self.objects))
        present, absent = set(classes), given_attributes.ABSENT
        is_whole = {name: given_attributes.Absent not in own for name, own in self._classes.items()}
        for name, values in self._values.items():
            having = present
            if not is_whole[name]:
                having = {kind for kind, v in zip(classes, values) if v is not absent}
            known.owners.setdefault((self.made_of, name), set()).update(having)
        if len(members) == 1:
            return
        heap = self.heap
        heap.numbers = places_column(list(map(members.index, classes)))
        for name, values in self._values.items():
            owners = known.owners[self.made_of, name]
            if not is_whole[name]:
                other = next((value for value in values if value is not absent), absent)
                lacking = {kind for kind, v in zip(classes, values) if v is absent}
                if other is absent or lacking & owners:
                    continue
                self._values[name] = [other if value is absent else value for value in values]
                self._classes[name].discard(given_attributes.Absent)
            if len(owners) < len(members):
                heap.owners[name] = tuple(kind for kind in members if kind in owners)
        for kind, name in known.owners:
            if kind is self.made_of and name not in self._values:
                self._stand_for(name, known)

    def _stand_for(self, name: str, known: KnownObjects) -> None:
        """Have an attribute that only objects of classes have of which there are none now: the
        program is recorded for these as well, and may make some."""
        kinds = known.kinds.get((self.made_of, name), set())
        owners = known.owners[self.made_of, name]
        if kinds:
            self.heap.owners[name] = tuple(k for k in members_of(self.made_of) if k in owners)
            self._values[name] = [any_of(kinds) for _ in self.objects]
            self._classes[name] = set()

    def kinds_in(self, name: str) -> list[set[type]]:
        """The classes of the objects that an attribute is, or that are in lists that it is; and for
        each item of tuples, in lists or not, those of that."""
        classes, tuples = set(self._classes[name]), list[tuple]()
        if not classes & {list, tuple}:
            return [set(filter(objects_in_calls.may_be_kept, classes))]
        for value in self._values[name]:
            if type(value) is list:
                found = set(map(type, value))
                classes |= found
                tuples += [item for item in value if type(item) is tuple] if tuple in found else []
            elif type(value) is tuple:
                tuples.append(value)
        columns = (set(map(type, items)) for items in itertools.zip_longest(*tuples))
        return [set(filter(objects_in_calls.may_be_kept, kinds)) for kinds in (classes, *columns)]

    def arrays(self) -> Iterator[np.ndarray]:
        """Those that attributes are."""
        for name, classes in self._classes.items():
            if np.ndarray in classes:
                yield from (v for v in self._values[name] if isinstance(v, np.ndarray))

    @property
    def form(self) -> Hashable:
        """What the program is given of it besides arrays."""
        owners = tuple(self.heap.owners.items())
        attributes = tuple([(name, one.form) for name, one in self._attributes.items()])
        return self.made_of, self.heap.numbers is None, owners, attributes

    @property
    def attributes(self) -> Mapping[str, given_attributes.Attribute]:
        """What each attribute is of all objects."""
        return self._attributes

    @property
    def parts(self) -> list[GivenColumns]:
        """What the heap consists of."""
        parts = [part for attribute in self._attributes.values() for part in attribute.parts]
        numbers = () if self.heap.numbers is None else (self.heap.numbers,)
        return [self.heap.order, *numbers, *parts]

    def item(self, place: int) -> Any:
        """What is at a place once the program has run, for the caller: also what it has made."""
        if place < 0:
            return None
        if place < len(self.objects):
            return self.objects[place]
        made = self._made.get(place)
        if made is None:
            made = self._made[place] = object.__new__(members_of(self.made_of)[0])
        return made

    def settle(self) -> None:
        """Let the objects be what the program has made of them."""
        for name, attribute in self._attributes.items():
            for place, value in attribute.changed():
                object.__setattr__(self.objects[place], name, value)

    def let_go(self) -> None:
        """Refer to itself no more."""
        self._attributes.clear()
        self.heap.columns.clear()

    def finish(self) -> bool:
        """Give the objects that the program has made, and that something refers to, their
        attributes; whether there was one."""
        made = {place: item for place, item in self._made.items() if place not in self._finished}
        self._finished |= made.keys()
        members = members_of(self.made_of)
        if made and len(members) > 1:
            numbers = self.heap.numbers.items
            for place, item in made.items():
                item.__class__ = members[numbers[place]]
        for name, attribute in self._attributes.items() if made else ():
            values = attribute.values()
            for place, item in made.items():
                if self.heap.lacks(type(item), name):
                    continue
                value = values[place] if attribute.column is not None else attribute.constant
                object.__setattr__(item, name, value)
        return bool(made)


def _columns(dicts: Sequence[dict[str, Any]]) -> dict[str, list[Any]]:
    """What is in some dicts, by the keys."""
    names = dict.fromkeys(dicts[0])
    if len(names) * len(dicts) == sum(map(len, dicts)):
        with contextlib.suppress(KeyError):  # some have others, of the same number
            return {name: list(map(operator.itemgetter(name), dicts)) for name in names}
    names = dict.fromkeys(itertools.chain.from_iterable(dicts))
    return {name: [own.get(name, given_attributes.ABSENT) for own in dicts] for name in names}


class GivenObjects:
    """The objects of a call; see the module's text.

    Args:
        call: the arguments, in tuples and dicts, after the roots.
        known: what is known of earlier calls, which learns.
    """

    def __init__(self, call: Any, known: KnownObjects):
        self._known = known
        self._heaps: dict[type, GivenObjectHeap] = {}
        self._heap_of: dict[type, GivenObjectHeap] = {}  # by each of the classes
        self._found: list[tuple[list, GivenObjectHeap]] = []
        self._lists: dict[int, tuple[list, PooledObjects, GivenObjectHeap]] = {}
        self._inside = given_object_lists.ListsInObjects(known.with_none)
        while not self._gather(call):
            pass
        for heap in self._heaps.values():
            heap.close(known, self._heaps, self._inside)
        self._inside.close()
        for items, heap in self._found:
            if self._inside.stand_in(items) is None:
                self._take(items, heap)

    @property
    def found(self) -> int:
        """How many heaps there are."""
        return len(self._heaps)

    @property
    def heaps(self) -> Mapping[type, GivenObjectHeap]:
        """By the classes of the objects, or their families."""
        return self._heaps

    @property
    def lists(self) -> given_object_lists.ListsInObjects:
        """The lists that attributes are."""
        return self._inside

    @property
    def classes(self) -> list[type]:
        """Those of the objects, or their families."""
        return list(self._heaps)

    @property
    def shape(self) -> tuple:
        """How many objects there are, and how many are in lists."""
        return (
            *((heap.made_of, len(heap.objects)) for heap in self._heaps.values()),
            *(len(items) for items, _, _ in self._lists.values()),
            *self._inside.numbers_of_objects,
        )

    @property
    def form(self) -> Hashable:
        """What the program is given besides arrays."""
        return tuple([heap.form for heap in self._heaps.values()])

    def kind_of(self, argument: Any) -> Hashable:
        """What an object that is an argument, or a list of such, is for the program; None where it
        is something else, or not only that."""
        heap = self._heap_of.get(type(argument))
        if heap is not None:
            return heap.made_of
        found = self._lists.get(id(argument))
        return None if found is None else (type(found[1]), found[2].made_of)

    def place_of(self, item: Any) -> int:
        """Where an object is in its heap."""
        return self._heap_of[type(item)].places[id(item)]

    def containers(self) -> list[Any]:
        """What delivers what the program has put into its heaps, and what these consist of."""
        return [*self._heaps.values(), *self._inside.heaps, *self.parts()]

    def _gather(self, call: Any) -> bool:
        """Keep all objects; whether it was known which classes are together."""
        for kept in (self._heaps, self._heap_of, self._found):
            kept.clear()
        known = dict(self._known.families)
        self._find(call)
        self._reach()
        return self._known.families == known

    def _find(self, call: Any) -> None:
        """Keep the objects that are among the arguments, and their lists."""
        classes = self._known.classes
        for value in objects_in_calls.containers_in(call, classes):
            if type(value) in classes:
                self._keep(value)
            elif type(value) is list and (kinds := objects_in_calls.kinds_in_list(value, classes)):
                self._known.join(kinds)
                heap = self._heap(next(iter(kinds)))
                for item in value:
                    heap.add(item)
                self._found.append((value, heap))

    def _take(self, items: list, heap: GivenObjectHeap) -> None:
        """Keep a list of objects that is no attribute of such."""
        has_none = any(item is None for item in items)
        made: Any = (PooledObjectsOrNone if has_none else PooledObjects)(heap.heap)
        made.places = places_column([heap.places[id(item)] for item in items], counted=True)
        self._lists[id(items)] = items, made, heap

    def _heap(self, kind: type) -> GivenObjectHeap:
        found = self._heap_of.get(kind)
        if found is None:
            family = self._known.families.kind(kind)
            found = self._heaps[family] = GivenObjectHeap(family)
            self._heap_of.update(dict.fromkeys(members_of(family), found))
        return found

    def _keep(self, item: Any) -> None:
        """Keep an object, if it is one of those that may be in heaps: all may that others in heaps
        refer to."""
        kind = type(item)
        if kind is tuple:
            for one in item:
                self._keep(one)
        elif kind in self._known.classes or (kind not in ATOMS and may_be_pooled(kind)):
            self._known.classes.add(kind)
            self._heap(kind).add(item)

    def _reach(self) -> None:
        """Keep the objects that those refer to."""
        links, is_new = self._known.links, True
        while is_new:
            while is_new:
                heaps = list(self._heaps.values())
                is_new = any(h.reach(links.get(h.made_of, ()), self._keep) for h in heaps)
            for heap in list(self._heaps.values()):
                known = links.setdefault(heap.made_of, [])
                for name in heap.read():
                    kinds = heap.kinds_in(name)
                    before = self._known.classes_of(heap.made_of, name)
                    none: set[type] = set()
                    for now, earlier in itertools.zip_longest(kinds, before, fillvalue=none):
                        self._known.join(now | earlier)
                    if any(kinds) and name not in known:
                        known.append(name)
                        is_new = True
                        heap.reach_again()

    def objects(self) -> Iterator[Any]:
        """All that are in heaps, and the lists that these have."""
        objects = itertools.chain.from_iterable(heap.objects for heap in self._heaps.values())
        return itertools.chain(objects, self._inside.all())

    def arrays(self) -> Iterator[np.ndarray]:
        """The arrays that attributes of these are."""
        return itertools.chain.from_iterable(heap.arrays() for heap in self._heaps.values())

    def without_rows(self, leaves: Sequence[Any]) -> list[Any]:
        """The leaves of a call, with None for the arrays of what its heaps consist of."""
        return without_arrays(leaves, self.parts())

    def parts(self) -> list[GivenColumns]:
        """What the heaps consist of, and the places of what is in lists."""
        parts = [part for heap in self._heaps.values() for part in heap.parts]
        rows = [part for rows in self._inside.heaps for part in rows.parts]
        places: Any = (made.places for _, made, _ in self._lists.values())
        return [*parts, *rows, *places]

    def is_site(self, text: str) -> bool:
        """See `autograph.staging.lists.given_rows.GivenRows`."""
        return False

    def stand_in(self, value: Any) -> Any:
        """What a container among the arguments is for the program; None if it is what it is."""
        heap = self._heap_of.get(type(value))
        if heap is not None:
            return GivenSeat(heap.heap, heap.places[id(value)])
        found = self._lists.get(id(value))
        return self._inside.stand_in(value) if found is None else found[1]

    def container(self, found: Any) -> Any:
        """What delivers the contents of a container of the call, which may be a heap."""
        if type(found) is Heap:
            return self._inside.container(found)
        return self._heaps[found.made_of] if type(found) is ObjectHeap else found

    def settle(self) -> None:
        """Let all objects and lists be what the program has made of them; called when that has run,
        and its results are delivered."""
        for items, made, heap in self._lists.values():
            places: Any = made.places
            if places.is_written:
                items[:] = map(heap.item, places.items)
        heaps = list(self._heaps.values())
        for heap in heaps:
            heap.settle()
        is_new = True
        while is_new:  # what is made may refer to more that is
            count = self._inside.made
            self._inside.settle()
            finished = [heap.finish() for heap in heaps]
            is_new = any(finished) or self._inside.made > count
        self.let_go()

    def let_go(self) -> None:
        """Refer to itself no more, by which it would be kept until garbage is collected, and the
        caller's objects with it. There is nothing left to do."""
        for heap in self._heaps.values():
            heap.let_go()
