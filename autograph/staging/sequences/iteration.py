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
import types
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NoReturn

import ops
from autograph.errors import ConcreteValueError, MutationError
from autograph.staging.arrays.array import GraphArray, located_error
from autograph.staging.ground.ownership import is_user_object
from autograph.staging.ground.recorder import recorder
from autograph.staging.ground.restarts import NeedsDeques
from autograph.staging.lists.lists import TrackedList
from autograph.staging.lists.queues import TrackedDeque
from autograph.staging.sequences.items import Filtered, Items, as_items
from autograph.staging.values.maybe import MaybeUndefined
from ops.control import effects
from ops.control.constructs import Undefined

_MISSING = object()
_BEHIND = 2**62  # behind the last item of any list

# These return iterators, which can be gone through once.
ONE_SHOT = (zip, enumerate, reversed, map, filter, itertools.pairwise)


class Cursor:
    """An iterator over something that can be indexed.

    Attributes:
        count: how many items it goes through; for a list, which may change its length, a function
            that tells.
        item: gives each of them by its position.
        position: of the next item; it may be symbolic.
    """

    def __init__(self, count: Any, item: Callable[[Any], Any]):
        self.count = count
        self.item = item
        self.position: Any = 0

    def __iter__(self) -> Cursor:
        return self

    def __next__(self) -> Any:
        """For Python's own loops, which end when this says so."""
        if isinstance(self.has_more, GraphArray):
            raise located_error(
                ConcreteValueError,
                "Python goes through an iterator here whose end is known only when the program "
                "runs",
                id="AG0305",
                fix="loop over it with a `for` statement, which becomes a graph loop",
            )
        return self.advance()

    @property
    def has_more(self) -> Any:
        return self.position < (self.count() if callable(self.count) else self.count)

    def advance(self, default: Any = _MISSING) -> Any:
        """The next item.

        Raises:
            StopIteration: there is none and no default; if only the run can tell, when it runs.
        """
        more = self.has_more
        if not isinstance(more, GraphArray):
            if more:
                return self._take()
            self.end()
            if default is _MISSING:
                raise StopIteration
            return default
        if default is not _MISSING:
            return ops.cond(more, self._take, lambda: self._ended(default))
        effects.check(more, error="StopIteration", message="")
        return self._take()

    def end(self) -> None:
        """There are no items any more, also if the list grows."""
        if callable(self.count):
            self.position = ops.cond(self.has_more, lambda: self.position, lambda: _BEHIND)

    def _ended(self, default: Any) -> Any:
        self.end()
        return default

    def _take(self) -> Any:
        value = self.item(self.position)
        self.position = self.position + 1
        return value


def iterator(iterable: Any, *sentinel: Any) -> Any:
    """``iter(iterable)``."""
    if sentinel:
        made = iter(iterable, *sentinel)
        recorder().made(made)
        return made
    if isinstance(iterable, Cursor):
        return iterable
    if isinstance(iterable, TrackedDeque):
        raise NeedsDeques  # where it is changed later, it can't be gone on with
    if isinstance(iterable, TrackedList):
        return Cursor(lambda: iterable.length, iterable.__getitem__)
    if isinstance(iterable, (list, tuple)):
        return _over_sequence(iterable)
    if isinstance(iterable, dict):
        return _over_sequence(tuple(iterable))
    items = as_items(iterable)
    if items is not None:
        return Cursor(items.count, items.item)
    made = iter(iterable)
    recorder().made(made)
    return made


def _over_sequence(sequence: Sequence) -> Cursor:
    def item(position: Any) -> Any:
        if isinstance(position, GraphArray):
            return TrackedList(sequence)[position]
        return sequence[position]

    return Cursor(len(sequence), item)


def advanced(iterator: Any, *default: Any) -> Any:
    """``next(iterator)``."""
    if isinstance(iterator, Cursor):
        return iterator.advance(*default)
    consume(iterator)
    if isinstance(iterator, Items):
        return Cursor(iterator.count, iterator.item).advance(*default)
    if isinstance(iterator, Filtered):
        return _first_kept(iterator, *default)
    return next(iterator, *default)


def _first_kept(items: Filtered, default: Any = _MISSING) -> Any:
    """The first item of a filter or generator expression: a loop that ends when it is found."""
    found, item = ops.for_loop(
        Filtered(items.source, items.keeps, items.function),  # `items` itself counts as used
        lambda item, *_: (True, item),
        (False, Undefined("the next item")),
        ("whether there is one", "the next item"),
        test=lambda found, _: recorder().not_(found),
    )
    if default is not _MISSING:
        return ops.cond(found, lambda: _content(item), lambda: default)
    if found is False:
        raise StopIteration
    effects.check(found, error="StopIteration", message="")
    return _content(item)


def _content(item: Any) -> Any:
    return item.content if isinstance(item, MaybeUndefined) else item


def each(iterable: Any) -> Iterator[Any]:
    """What a statement of the user's meets that Python runs while code is recorded. What is raised
    in here is what Python raises there."""
    for item in iterable:  # noqa: UP028, which would close a generator that the statement leaves
        yield item


def is_native_iterator(value: Any) -> bool:
    """Whether a value is an iterator whose position cannot be read or set."""
    return (
        isinstance(value, Iterator)
        and not isinstance(value, (Cursor, io.IOBase))
        and not is_user_object(value)
    )


class Iterators:
    """The iterators made while recording, with the frame of the region in which each was made."""

    def __init__(self) -> None:
        self._frames: dict[int, tuple[Any, Any]] = {}
        self._used: set[int] = set()
        self._left: dict[int, Any] = {}

    def add(self, iterator: Any, frame: Any) -> None:
        self._frames[id(iterator)] = iterator, frame

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
        waiting = [iterator]
        while waiting:
            value = waiting.pop()
            if id(value) not in self._left and (type(value) is tuple or is_native_iterator(value)):
                self._left[id(value)] = value
                waiting += gc.get_referents(value)

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
    if is_native_iterator(value):
        refuse_foreign(value)
        if iterators.is_left(value):
            raise MutationError(
                f"an iterator ({type(value).__name__}) is advanced after a loop that has gone "
                "through it, as far as only the run knows",
                recorder().location(),
                id="AG0342",
                fix="make a list of its items first, for example with list(...)",
            )
        return
    if isinstance(value, (Items, Filtered)) and value in iterators:
        refuse_foreign(value)
        if iterators.use(value):
            raise MutationError(
                "an iterator is gone through for the second time, when nothing is left of it",
                recorder().location(),
                id="AG0342",
                fix="make a list of its items first, for example with list(zip(...))",
            )


def taken(value: Any) -> Any:
    """What is left of ``value`` for a function that goes through it now, or that makes an iterator
    of it: of what ``zip`` and the like return nothing is left for others then.

    Raises:
        MutationError: see `consume`.
    """
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


def while_more(
    cursor: Cursor,
    body: Callable,
    init: tuple,
    names: Sequence[str],
    test: Callable | None,
) -> tuple:
    """A ``for`` statement over a `Cursor`, which leaves it where the loop ends."""

    def more(*state: Any) -> Any:
        if test is None:
            return cursor.has_more
        return ops.and_(test(*state), lambda: cursor.has_more)

    def step(*state: Any) -> tuple:
        return body(cursor.advance(), *state)

    state = ops.while_loop(more, step, init, tuple(names))
    cursor.end()
    return state


def nothing_for(name: str) -> NoReturn:
    """What Python raises where there is nothing for ``min`` or ``max``."""
    raise ValueError(f"{name}() iterable argument is empty")
