"""Dicts of converted code whose keys only the run may know: `TrackedDict` and its like."""

from __future__ import annotations

from collections import OrderedDict, defaultdict
from collections.abc import Callable, ItemsView, Iterator, KeysView, ValuesView
from typing import Any, NoReturn

import ops
from autograph.staging.ground.factories import recorded
from autograph.staging.ground.ownership import slots_of
from autograph.staging.ground.recorder import recorder
from autograph.staging.lists.dict_views import DictView
from autograph.staging.lists.lists import TrackedList
from autograph.staging.lists.numbers_apart import all_together, apart, together
from autograph.staging.lists.pooled import PooledList
from autograph.staging.lists.referred_tables import TablesOf, default_of, held_values
from autograph.staging.lists.tables import KeyTable, no_keys, register
from autograph.staging.sequences.items import Filtered, as_items, unordered
from autograph.staging.sequences.iteration import opened
from ops.core.recording import raises_as_python

MISSING: Any = object()


@raises_as_python
def made(*items: Any, **more: Any) -> Any:
    """``dict(...)`` in converted code."""
    return (TrackedDict if _is_of_lists(items) else dict)(*items, **more)


def _is_of_lists(items: tuple) -> bool:
    """Whether a dict that is made of others, or pairs, now is to be one of lists."""
    made_of_such = any(isinstance(one, KeyTable) for one in items)
    return recorder().queues.make_lists() or made_of_such


@raises_as_python
def display(pairs: Any) -> Any:
    """A dict display, or what a comprehension makes a dict of: an iterable of keys with what they
    stand for, and of `entries`, which are no pairs."""
    if not isinstance(pairs, tuple):
        return made(opened(pairs))
    queues = recorder().queues
    has_texts = any(isinstance(pair[0], (str, bytes)) for pair in pairs)
    spreads = any(isinstance(pair[0], TrackedDict) for pair in pairs if len(pair) == 1)
    if has_texts and not spreads:
        is_of_lists = queues.make_of_texts()
    else:
        is_of_lists = queues.make_lists()
    found: Any = TrackedDict() if is_of_lists or spreads else {}
    for pair in pairs:
        if len(pair) == 1:
            found.update(*pair)
        else:
            found[pair[0]] = pair[1]
    return found


@raises_as_python
def entries(mapping: Any) -> Any:
    """What ``**`` spreads in a dict display, as it is there."""
    return mapping.copy() if isinstance(mapping, TrackedDict) else {**mapping}


def made_default(default_factory: Any = None, *items: Any, **more: Any) -> Any:
    """``defaultdict(...)`` in converted code."""
    if _is_of_lists(items):
        return TrackedDefaultDict(default_factory, *items, **more)
    return defaultdict(recorded(default_factory), *items, **more)


@raises_as_python
def made_ordered(*items: Any, **more: Any) -> Any:
    """``OrderedDict(...)`` in converted code."""
    return (TrackedOrderedDict if _is_of_lists(items) else OrderedDict)(*items, **more)


def each(iterable: Any, change: Callable[[Any], Any]) -> None:
    """Do something with each item of something: in a loop of the graph, if it has `Items`."""
    if as_items(iterable) is None and not isinstance(iterable, Filtered):
        for item in iterable:
            change(item)
        return

    def body(item: Any) -> tuple:
        change(item)
        return ()

    ops.for_loop(iterable, body, ())


def all_of(items: Any, test: Callable[[Any], Any]) -> Any:
    """Whether a test holds for all items."""
    (same,) = ops.for_loop(
        items,
        lambda item, _: (ops.cast(test(item), dtype="bool", weak=True),),
        (True,),
        ("same",),
        test=lambda same: same,
    )
    return same


def decided(test: Any, then: Callable[[], Any], orelse: Callable[[], Any]) -> Any:
    """What is done by whether a test holds, which may be known."""
    if isinstance(test, bool):
        return then() if test else orelse()
    return ops.cond(test, then, orelse)


def pairs_of_python(parts: dict[str, Any]) -> Iterator[tuple[Any, Any]]:
    """The keys and what they stand for, of the lists that make a dict when the program has run."""
    return zip(all_together(parts["order"]), all_together(parts["held"]))


class TrackedDict(KeyTable):
    """A dict of converted code.

    Attributes:
        held: what the keys stand for, in their order.
    """

    __slots__ = ("held",)

    is_empty = "popitem(): dictionary is empty"

    held: TrackedList | PooledList

    @raises_as_python
    def __init__(self, *items: Any, **more: Any):
        self.order, self.held = no_keys(), held_values()
        self.update(*items, **more)

    def missing(self, key: Any) -> Any:
        """What ``d[key]`` is where there is no such key."""
        raise KeyError(key)

    # -- one key ----------------------------------------------------------------------------------

    def _held_at(self, place: Any) -> Any:
        return together(self.held[place])

    def _meet(self, value: Any) -> None:
        """Another recording may have to keep what there are others like."""
        if isinstance(value, KeyTable) and isinstance(self.held, TrackedList):
            recorder().nested.meet(self.held.site, TablesOf.of(value))

    def _kept(self, value: Any) -> Any:
        """What its list has of something that a key is to stand for."""
        return apart(value, self.held.site) if isinstance(self.held, TrackedList) else value

    def _hold(self, value: Any) -> None:
        self._meet(value)
        self.held.append(self._kept(value))

    def __getitem__(self, key: Any) -> Any:
        return self._held_at(self.place_of(key))

    def __setitem__(self, key: Any, value: Any) -> None:
        self._put(self.find(key), key, value)

    def _put(self, place: Any, key: Any, value: Any) -> None:
        def change() -> None:
            self._meet(value)
            self.held[place] = self._kept(value)

        def add() -> None:
            self._add_key(key)
            self._hold(value)

        self.has_place(place, change, add)

    def get(self, key: Any, default: Any = None) -> Any:
        place = self.find(key)
        default = self._default(place, default)
        return self.has_place(place, lambda: self._held_at(place), lambda: self._given(default))

    def _default(self, place: Any, default: Any) -> Any:
        """What there may be for a key that has a place, or has none."""
        return default if isinstance(place, int) else default_of(self.held, default)

    def _given(self, default: Any) -> Any:
        """What there is for a key that there is not."""
        return self.held.kept(default) if isinstance(self.held, PooledList) else default

    def setdefault(self, key: Any, default: Any = None) -> Any:
        place = self.find(key)
        default = self._default(place, default)

        def add() -> Any:
            value = default if isinstance(place, int) else self._given(default)
            self._add_key(key)
            self._hold(value)
            return value

        return self.has_place(place, lambda: self._held_at(place), add)

    def __delitem__(self, key: Any) -> None:
        self._drop(self.place_of(key))

    def _drop(self, place: Any) -> None:
        self._open(place)
        del self.order[place]
        del self.held[place]

    def pop(self, key: Any, default: Any = MISSING) -> Any:
        place = self.place_of(key) if default is MISSING else self.find(key)

        def take() -> Any:
            value = self._held_at(place)
            self._drop(place)
            return value

        if default is MISSING:
            return take()
        default = self._default(place, default)
        return self.has_place(place, take, lambda: self._given(default))

    def popitem(self) -> Any:
        self._require_some()
        return together(self.order.pop()), together(self.held.pop())

    def _require_some(self) -> None:
        def empty() -> NoReturn:
            raise KeyError(self.is_empty)

        if not isinstance(self.length, int):
            ops.cond(self.length > 0, lambda: None, empty)
        elif not self.length:
            empty()

    # -- all of them ------------------------------------------------------------------------------

    def clear(self) -> None:
        self.order.clear()
        self.held.clear()

    def copy(self) -> Any:
        made = self.empty()
        made.order.become_like(self.order)
        made.order.site = self.order.site
        if isinstance(self.held, PooledList):
            made.held = self.held.copy()
        elif isinstance(made.held, PooledList):
            made.held.extend(list(self.held))
        else:
            made.held.become_like(self.held)
            made.held.site = self.held.site  # numbers come to both of them
        return made

    def empty(self) -> Any:
        """A new one of its kind."""
        return type(self)()

    def keys(self) -> DictView:
        return DictView(self, KeysView, self.key_at)

    def values(self) -> DictView:
        return DictView(self, ValuesView, self._held_at)

    def items(self) -> DictView:
        return DictView(self, ItemsView, lambda i: (self.key_at(i), self._held_at(i)))

    def plain(self) -> dict:
        parts = {name: getattr(self, name) for name in slots_of(type(self))}
        return self.of_python(**parts | {"order": self.known_keys()})

    @staticmethod
    def of_python(**parts: Any) -> Any:
        return dict(pairs_of_python(parts))

    def update(self, *others: Any, **more: Any) -> None:
        for other in (*others, more) if more else others:
            if isinstance(other, TrackedDict) and isinstance(self.held, PooledList):
                self.held.adopt(other.held)
            each(pairs_of(other), self._take)

    def _take(self, pair: Any) -> None:
        key, value = pair
        self[key] = value

    def __or__(self, other: Any) -> Any:
        if not isinstance(other, (dict, TrackedDict)):
            return NotImplemented
        made = self.copy()
        made.update(other)
        return made

    def __ror__(self, other: Any) -> Any:
        if not isinstance(other, dict):
            return NotImplemented
        made = TrackedDict(other)
        made.update(self)
        return made

    def __ior__(self, other: Any) -> Any:
        self.update(other)
        return self

    def __eq__(self, other: object) -> Any:
        if self is other:
            return True
        if not isinstance(other, (dict, TrackedDict)):
            return NotImplemented
        other = other if isinstance(other, TrackedDict) else TrackedDict(other)
        if self.is_seen and other.is_seen:
            return self.plain() == other.plain()

        def same(pair: Any) -> Any:
            place = other.find(pair[0])
            there = lambda: ops.eq_(other._held_at(place), pair[1])
            return other.has_place(place, there, lambda: False)

        alike = ops.equal(self.length, other.length)
        alike = ops.cast(alike, dtype="bool", weak=True)
        return ops.cond(alike, lambda: all_of(self.items(), same), lambda: False)


def pairs_of(other: Any) -> Any:
    """The keys of a dict, or of something like it, with what they stand for."""
    return other.items() if isinstance(other, (dict, TrackedDict)) else other


class TrackedDefaultDict(TrackedDict):
    """A ``defaultdict`` of converted code.

    Attributes:
        default_factory: makes what is missing, or None.
    """

    __slots__ = ("default_factory",)

    @raises_as_python
    def __init__(self, default_factory: Any = None, *items: Any, **more: Any):
        self.default_factory = default_factory
        super().__init__(*items, **more)

    @staticmethod
    def of_python(**parts: Any) -> Any:
        return defaultdict(parts["default_factory"], pairs_of_python(parts))

    def empty(self) -> Any:
        return TrackedDefaultDict(self.default_factory)

    def __getitem__(self, key: Any) -> Any:
        place = self.find(key)

        def add() -> Any:
            if self.default_factory is None:
                raise KeyError(key)
            value = ops.call(self.default_factory)
            self._add_key(key)
            self._hold(value)
            return value

        return self.has_place(place, lambda: self._held_at(place), add)


class TrackedOrderedDict(TrackedDict):
    """An ``OrderedDict`` of converted code."""

    __slots__ = ()

    kind = OrderedDict
    changed = "OrderedDict mutated during iteration"
    is_empty = "dictionary is empty"

    @staticmethod
    def of_python(**parts: Any) -> Any:
        return OrderedDict(pairs_of_python(parts))

    def move_to_end(self, key: Any, last: Any = True) -> None:
        place = self.place_of(key)
        self._open(place)
        key, value = self.order.pop(place), self.held.pop(place)
        if ops.call(bool, last):
            self.order.append(key)
            self.held.append(value)
        else:
            self.order.insert(0, key)
            self.held.insert(0, value)

    def popitem(self, last: Any = True) -> Any:
        self._require_some()
        place = -1 if ops.call(bool, last) else 0
        return together(self.order.pop(place)), together(self.held.pop(place))

    def __eq__(self, other: object) -> Any:
        same = super().__eq__(other)
        if self is other or not isinstance(other, (OrderedDict, TrackedOrderedDict)):
            return same
        theirs = other if isinstance(other, TrackedDict) else TrackedDict(other)
        if self.is_seen and theirs.is_seen:
            return ops.and_(same, lambda: self.known_keys() == theirs.known_keys())
        in_order = lambda pair: ops.eq_(pair[0], pair[1])
        both = lambda: ops.call(zip, self.keys(), theirs.keys())
        return ops.and_(same, lambda: all_of(both(), in_order))

    __hash__ = None  # type: ignore[assignment]


def from_keys(keys: Any, value: Any = None) -> Any:
    """``dict.fromkeys``."""
    return _from_keys(dict, TrackedDict, keys, value)


def ordered_from_keys(keys: Any, value: Any = None) -> Any:
    """``OrderedDict.fromkeys``."""
    return _from_keys(OrderedDict, TrackedOrderedDict, keys, value)


def _from_keys(plain: Any, kind: type[TrackedDict], keys: Any, value: Any) -> Any:
    if not recorder().queues.make_lists():
        return plain.fromkeys(keys, value)
    found = kind()
    each(unordered(keys), lambda key: found.__setitem__(key, value))
    return found


for _kind in (TrackedDict, TrackedDefaultDict, TrackedOrderedDict):
    register(_kind)
