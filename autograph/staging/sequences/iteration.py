"""Iterators: what ``iter`` returns, and which iterators may be advanced where.

An iterator changes when an item is taken from it. `Cursor` is one whose position is state that
branches and loops may change, as they change a list. Python's own iterators (generators, ``zip`` of
lists ...) advance once, when the code is recorded; that is right only in the region that made them.
"""

from __future__ import annotations

import copy
import gc
import inspect
import io
import itertools
import operator
import sys
import types
import weakref
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NoReturn

import ops
from autograph.errors import MutationError
from autograph.source.load import is_converted
from autograph.staging.arrays.array import GraphArray
from autograph.staging.ground.ownership import CALLABLES, Recorded, is_user_object
from autograph.staging.ground.recorder import recorder
from autograph.staging.ground.restarts import NeedsDeques
from autograph.staging.lists.lists import TrackedList, is_rows
from autograph.staging.lists.queues import TrackedDeque
from autograph.staging.sequences.items import (
    Arithmetic,
    ArrayRows,
    Filtered,
    Items,
    as_items,
    length,
    row,
    unordered,
)
from autograph.staging.sequences.own_iterators import (
    ByIndex,
    OwnIteration,
    Until,
    is_indexed,
    is_left_open,
    is_own,
)
from autograph.staging.sequences.steps import Iteration, check_more, content_of
from autograph.staging.values.maybe import ObjectOrNone, OnlyTruth
from ops.control import effects
from ops.control.constructs import Undefined
from ops.core.recording import raises_as_python

_MISSING = object()
_BEHIND = 2**62  # behind the last item of any list

_VIEWS: tuple[type[Iterable], ...] = (type({}.keys()), type({}.values()), type({}.items()))

# These return iterators, which can be gone through once.
ONE_SHOT = (zip, enumerate, reversed, map, filter, itertools.pairwise)


class Cursor(Iteration, Recorded):
    """An iterator over something that can be indexed.

    Attributes:
        count: a function that tells how many items it goes through, of ``source``.
        item: one that gives each of them, of ``source`` and its position.
        source: what it goes through, in parts: two that are made on two paths are one if these are.
        position: of the next item; it may be symbolic.
    """

    grows = False  # whether there may be more items later

    def __init__(
        self, count: Callable[[tuple], Any], item: Callable[[tuple, Any], Any], source: tuple
    ):
        self.count = count
        self.item = item
        self.source = source
        self.position: Any = 0

    @property
    def is_open(self) -> bool:
        """Whether only the run knows if there is another item."""
        return isinstance(self.has_more, GraphArray)

    @property
    def has_more(self) -> Any:
        return self.position < self.count(self.source)

    def advance(self, default: Any = _MISSING) -> Any:
        more = self.has_more
        if default is not _MISSING and isinstance(more, GraphArray):
            return ops.cond(more, self._take, lambda: self._ended(default))
        if isinstance(more, GraphArray):
            check_more(more)
            return self._take()
        if more:
            return self._take()
        self.end()
        if default is _MISSING:
            raise StopIteration
        return default

    def following(self) -> tuple[Any, Any]:
        nothing = Undefined("the next item")
        names = ("whether there is one", "the next item")
        taken = lambda: (True, self._take())
        there, item = ops.cond(self.has_more, taken, lambda: (False, self._ended(nothing)), names)
        return there, content_of(item)

    def through(
        self, body: Callable, init: tuple, names: Sequence[str], test: Callable | None
    ) -> tuple:
        def more(*state: Any) -> Any:
            if test is None:
                return self.has_more
            return ops.and_(test(*state), lambda: self.has_more)

        def step(*state: Any) -> tuple:
            return body(self._take(), *state)

        state = ops.while_loop(more, step, init, tuple(names))
        self.end()
        return state

    def end(self) -> None:
        """There are no items any more, also if the list grows."""
        if self.grows:
            self.position = ops.cond(self.has_more, lambda: self.position, lambda: _BEHIND)

    def _ended(self, default: Any) -> Any:
        self.end()
        return default

    def _take(self) -> Any:
        value = self.item(self.source, self.position)
        self.position = self.position + 1
        return value


class _ListCursor(Cursor):
    """A `Cursor` over a list, which may change its length."""

    grows = True


@raises_as_python
def iterator(iterable: Any, *sentinel: Any) -> Any:
    """``iter(iterable)``."""
    if sentinel:
        if isinstance(iterable, CALLABLES) or is_user_object(iterable):
            return Until(iterable, *sentinel)
        made = iter(iterable, *sentinel)
        recorder().made(made)
        return made
    if isinstance(iterable, Iteration):
        return iterable
    if isinstance(iterable, TrackedDeque):
        raise NeedsDeques  # where it is changed later, it can't be gone on with
    if isinstance(iterable, TrackedList):
        return _ListCursor(_length_of_list, _of_list, (iterable,))
    if recorder().stepped.resumed and isinstance(iterable, _VIEWS):
        iterable = tuple(iterable)
    if isinstance(iterable, (list, tuple)):
        return Cursor(_length_of_first, _of_sequence, (iterable,))
    if isinstance(iterable, dict):
        return Cursor(_length_of_first, _of_sequence, (tuple(iterable),))
    items = as_items(iterable)
    if isinstance(items, ArrayRows):
        return Cursor(_length_of_array, _row, (items.array,))
    if items is not None:
        return _over_items(items)
    if is_indexed(iterable):
        return ByIndex(iterable)
    made = iter(iterable)
    recorder().made(made)
    return made


def _over_items(items: Items) -> Cursor:
    if isinstance(items, Arithmetic):
        return Cursor(_last, _number, (items.start, items.step, items.count))
    return Cursor(_count_of_items, _of_items, (items,))


# What a cursor knows of what it goes through.
_length_of_list: Callable = lambda source: source[0].length
_of_list: Callable = lambda source, position: source[0][position]
_length_of_first: Callable = lambda source: len(source[0])
_last: Callable = operator.itemgetter(2)
_length_of_array: Callable = lambda source: length(source[0])
_row: Callable = lambda source, position: row(source[0], position)
_count_of_items: Callable = lambda source: source[0].count
_of_items: Callable = lambda source, position: source[0].item(position)


def _number(source: tuple, position: Any) -> Any:
    start, step, count = source
    return Arithmetic(start, None, step, count).item(position)


def _of_sequence(source: tuple, position: Any) -> Any:
    (sequence,) = source
    if isinstance(position, GraphArray):
        return TrackedList(sequence)[position]
    return sequence[position]


@raises_as_python
def advanced(iterator: Any, *default: Any) -> Any:
    """``next(iterator)``."""
    if isinstance(iterator, Iteration):
        return iterator.advance(*default)
    if is_left_open(iterator, lambda value: value):
        return OwnIteration(iterator).advance(*default)
    consume(iterator)
    if getattr(type(iterator), "is_awaited", False):
        iterator = iterator.opened()
    if isinstance(iterator, Items):
        return _over_items(iterator).advance(*default)
    if isinstance(iterator, Filtered):
        return _first_kept(iterator, *default)
    return next(iterator, *default)


def _first_kept(items: Filtered, default: Any = _MISSING) -> Any:
    """The first item of a filter or generator expression: a loop that ends when it is found."""
    found, item = ops.for_loop(
        copy.copy(items),  # which itself counts as used
        lambda item, *_: (True, item),
        (False, Undefined("the next item")),
        ("whether there is one", "the next item"),
        test=lambda found, _: recorder().not_(found),
    )
    if default is not _MISSING:
        return ops.cond(found, lambda: content_of(item), lambda: default)
    if found is False:
        raise StopIteration
    effects.check(found, error="StopIteration", message="")
    return content_of(item)


def each(iterable: Any) -> Iterator[Any]:
    """What a statement of the user's meets that Python runs while code is recorded. What is raised
    in here is what Python raises there."""
    # A generator would make another error of a `StopIteration` of the user's ``__iter__``.
    begins = is_user_object(iterable) and not is_own(iterable)
    elements = _each(iter(iterable) if begins else iterable)
    return _unchanged(elements) if type(iterable) is deque else elements


@raises_as_python
def _each(iterable: Iterable[Any]) -> Iterator[Any]:
    for item in iterable:  # noqa: UP028, which would close a generator that the statement leaves
        yield item


def _unchanged(elements: Iterator[Any]) -> Iterator[Any]:
    """The elements of a deque, which knows only that it has been touched: also by a branch that is
    recorded, and may not be taken.

    Raises:
        MutationError: it has been.
    """
    while True:
        try:
            item = next(elements)
        except StopIteration:
            return
        except RuntimeError:
            raise MutationError(
                "a deque is changed by a trip of the loop that goes through it, or may be",
                recorder().location(),
                id="AG0788",
                fix="go through a copy: for item in list(queue)",
            ) from None
        yield item


def is_ours(value: Any) -> bool:
    """Whether a value is a generator that goes through a container for Python's iterators."""
    if type(value) is not types.GeneratorType or value.gi_frame is None:
        return False
    return value.gi_frame.f_globals["__name__"].startswith("autograph.staging.")


def is_native_iterator(value: Any) -> bool:
    """Whether a value is an iterator whose position cannot be read or set."""
    return (
        hasattr(type(value), "__next__")  # which tells more quickly
        and isinstance(value, Iterator)
        and not isinstance(value, (Iteration, io.IOBase))
        and not is_user_object(value)
    )


def iterators_in(iterator: Any) -> Iterator[Any]:
    """An iterator of Python's own, and those that it takes its items from."""
    seen: dict[int, Any] = {}
    waiting = [iterator]
    while waiting:
        value = waiting.pop()
        if id(value) not in seen and (type(value) is tuple or is_native_iterator(value)):
            seen[id(value)] = value
            waiting += gc.get_referents(value)
    yield from seen.values()


def close_parts(iterator: Any) -> None:
    """Close the generators that an iterator takes its items from, which nobody goes on with."""
    for part in iterators_in(iterator):
        if type(part) is types.GeneratorType and not part.gi_running:
            part.close()


def drop(iterator: Any) -> None:
    """Close the generators of an iterator that an exception takes a loop away from. Python does so
    if nobody else has it; here functions of ours, whose frames the exception holds, have it."""
    parts = list(iterators_in(iterator))
    frame: types.FrameType | None = sys._getframe(1)
    variables: set[int] = set()
    while frame is not None:
        if is_converted(frame.f_code):
            variables.update(map(id, frame.f_locals.values()))
        frame = frame.f_back
    ours = {id(parts), *map(id, parts)}
    for part in parts:
        if type(part) is types.GeneratorType and not part.gi_running and id(part) not in variables:
            others = [o for o in gc.get_referrers(part) if id(o) not in ours]
            if not any(isinstance(o, (list, tuple, dict)) or is_user_object(o) for o in others):
                part.close()


class Iterators:
    """The iterators made while recording, with the frame of the region in which each was made.

    They are kept, so that no other object has their ids, but generators and what holds some: a
    generator that nobody has any more does what its ``finally`` says at once, in Python. Of those
    that hold some the ids may become others', which are made while recording as well.
    """

    def __init__(self) -> None:
        self._frames: dict[int, tuple[Any, Any]] = {}
        self._generators: dict[int, weakref.ref[types.GeneratorType]] = {}
        self._used: set[int] = set()
        self._left: dict[int, Any] = {}

    def add(self, iterator: Any, frame: Any) -> None:
        if type(iterator) is types.GeneratorType:
            self._generators[id(iterator)] = weakref.ref(iterator, self._forget(id(iterator)))
        holds_some = any(type(part) is types.GeneratorType for part in iterators_in(iterator))
        self._frames[id(iterator)] = None if holds_some else iterator, frame

    def _forget(self, number: int) -> Callable:
        def forget(_: Any) -> None:
            self._generators.pop(number, None)
            self._frames.pop(number, None)

        return forget

    def close(self) -> None:
        """Close the generators that are still there, which nobody else has from now on."""
        for reference in list(self._generators.values()):
            generator = reference()
            if generator is not None and not generator.gi_running:
                generator.close()

    def __contains__(self, iterator: Any) -> bool:
        return id(iterator) in self._frames

    def frame_of(self, iterator: Any) -> Any:
        return self._frames.get(id(iterator), (None, None))[1]

    def use(self, iterator: Any) -> bool:
        """Go through an iterator; whether that has been done before."""
        used = id(iterator) in self._used
        self._used.add(id(iterator))
        return used

    def leave(self, iterator: Any) -> None:
        """A loop goes through an iterator of Python's own, and who recorded it does not know how
        far."""
        self._left.update((id(part), part) for part in iterators_in(iterator))

    def is_left(self, iterator: Any) -> bool:
        """Whether a loop has gone through an iterator, or one that takes its items from it."""
        return id(iterator) in self._left


def consume(value: Any) -> None:
    """Called before something goes through ``value``, if that is an iterator.

    What ``zip`` and the like return for symbolic arguments can be gone through once, as Python's
    can.

    Raises:
        MutationError: it was made elsewhere, or is used up.
    """
    iterators = recorder().state(Iterators)
    if isinstance(value, OnlyTruth):
        raise value.error
    if is_native_iterator(value):
        refuse_foreign(value)
        if iterators.is_left(value):
            recorder().stepped.met = True
            raise MutationError(
                f"an iterator ({type(value).__name__}) is advanced after a loop that has gone "
                "through it, to a place known only at run time",
                recorder().location(),
                id="AG0342",
                fix="make a list of its items first, for example with list(...)",
            )
        return
    if isinstance(value, (Items, Filtered)) and value in iterators:
        refuse_foreign(value)
        if iterators.use(value):
            raise used_twice()


def used_twice() -> MutationError:
    """Of an iterator nobody knows how much is left."""
    recorder().stepped.met = True
    return MutationError(
        "an iterator is gone through for the second time, when nothing is left of it",
        recorder().location(),
        id="AG0342",
        fix="make a list of its items first, for example with list(zip(...))",
    )


@raises_as_python
def opened(value: Any) -> Any:
    """What a function or loop goes through that is given a value: an object of the user's that
    makes a generator is that, and one that ends as the run decides an `Iteration`; of what may be
    None, which it is not if something goes through it, what it is then."""
    if isinstance(value, ObjectOrNone):
        value = value.checked()
    if getattr(type(value), "is_awaited", False):
        return value.opened()
    if recorder().stepped.by_steps and is_user_object(value) and hasattr(type(value), "__iter__"):
        found = iter(value)
        return found if isinstance(found, Iteration) else value
    if is_indexed(value):
        value = ByIndex(value)
    return OwnIteration(iter(value)) if is_left_open(value) else value


def is_open(value: Any) -> bool:
    """Whether a value is an iterator of which only the run knows how far it goes."""
    return isinstance(value, Iteration) and bool(value.is_open)


def has_open_end(value: Any) -> bool:
    """Whether only the run knows how many items there are in something, or in what that holds."""
    if is_open(value):
        return True
    if isinstance(value, (list, tuple)) and not is_rows(value):
        return any(is_rows(item) and has_open_end(item) for item in each(value))
    items = as_items(unordered(value))
    return items is not None and items.length is None


def taken(value: Any) -> Any:
    """What is left of ``value`` for a function that goes through it now, or that makes an iterator
    of it: of what ``zip`` and the like return nothing is left for others then. What only the run
    knows the end of is gone through as what a filter lets pass.

    Raises:
        MutationError: see `consume`.
    """
    value = opened(value)
    if is_open(value):
        return Filtered(value, lambda item: True)
    if not isinstance(value, (Items, Filtered)) or value not in recorder().state(Iterators):
        return value
    consume(value)
    return copy.copy(value)


def refuse_foreign(iterator: Any) -> None:
    """Raise if advancing an iterator now would not be what Python does.

    Raises:
        MutationError: it was made outside of the branch or loop that is being recorded, or outside
            of the function.
    """
    frame = recorder().state(Iterators).frame_of(iterator)
    if frame is recorder().frame:
        return
    where = (
        "outside of the function"
        if frame is None
        else "outside of control flow that depends on traced values, and advanced inside"
    )
    kind = "zip" if isinstance(iterator, (Items, Filtered)) else type(iterator).__name__
    raise MutationError(
        f"an iterator ({kind}) is made {where}",
        recorder().location(),
        id="AG0342",
        fix="make a list or an array of its items first, for example with list(...)",
    )


def is_generator_function(function: Any) -> bool:
    return isinstance(function, types.FunctionType) and inspect.isgeneratorfunction(function)


def nothing_for(name: str) -> NoReturn:
    """What Python raises where there is nothing for ``min`` or ``max``."""
    raise ValueError(of_nothing(name))


def of_nothing(name: str) -> str:
    """What it says there."""
    if sys.version_info < (3, 12):
        return f"{name}() arg is an empty sequence"
    return f"{name}() iterable argument is empty"
