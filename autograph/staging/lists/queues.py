"""Deques that may grow and shrink in graph loops: `TrackedDeque`.

It is a list that does what deques do. Where something would show that it is none, the function is
recorded with deques as they are.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any, NoReturn

import optree

from autograph.staging.ground.recorder import recorder
from autograph.staging.ground.restarts import NeedsDeques
from autograph.staging.lists.lists import TrackedList, list_flattened, list_unflattened
from autograph.staging.lists.pooled import PooledList
from autograph.staging.lists.pooled_tuples import pool_of


def made(iterable: Any = (), maxlen: Any = None) -> Any:
    """``deque(iterable, maxlen)`` in converted code."""
    if maxlen is not None:
        return deque(iterable, maxlen)
    if not recorder().queues.make_lists():
        return deque(iterable)
    site = recorder().location()
    found = pool_of(recorder().nested.pooled(site), site, made=TrackedDeque)
    if isinstance(found, PooledList):
        found.adopt(iterable)
    else:
        found.site = site
    found.extend(iterable)
    return found


class TrackedDeque(TrackedList):
    """A deque of converted code, of any length."""

    __slots__ = ("moves",)

    kind = deque
    nothing = "pop from an empty deque"
    outside = no_place = "deque index out of range"

    def __init__(self) -> None:
        super().__init__()
        self.moves = (0, 0)

    def _adds(self) -> None:
        self.moves = self.moves[0] + 1, self.moves[1]

    def _takes(self) -> None:
        self.moves = self.moves[0], self.moves[1] + 1

    # -- what adds --------------------------------------------------------------------------------

    def append(self, value: Any) -> None:
        self._adds()
        TrackedList.append(self, value)

    def insert(self, index: Any, value: Any) -> None:
        self._adds()
        TrackedList.insert(self, index, value)

    def extend(self, values: Iterable[Any]) -> None:
        self._adds()
        TrackedList.extend(self, values)

    def appendleft(self, value: Any) -> None:
        self.insert(0, value)

    def extendleft(self, values: Iterable[Any]) -> None:
        for value in list(values) if values is self else values:
            self.insert(0, value)

    # -- what takes -------------------------------------------------------------------------------

    def popleft(self) -> Any:
        self._takes()
        return TrackedList.pop(self, 0)

    def pop(self) -> Any:  # type: ignore[override]
        self._takes()
        return TrackedList.pop(self)

    pop_first = popleft

    def remove(self, value: Any) -> None:
        self._takes()
        TrackedList.remove(self, value)

    def clear(self) -> None:
        self._takes()
        TrackedList.clear(self)

    def __delitem__(self, index: Any) -> None:
        self._takes()
        with _outside():
            TrackedList.__delitem__(self, _place(index))

    # -- what does neither ------------------------------------------------------------------------

    def rotate(self, n: Any = 1) -> NoReturn:
        raise NeedsDeques

    @property
    def maxlen(self) -> None:
        return None

    def copy(self) -> TrackedDeque:
        found = TrackedDeque()
        found.become_like(self)
        return found

    __copy__ = copy

    def __getitem__(self, index: Any) -> Any:
        with _outside():
            return TrackedList.__getitem__(self, _place(index))

    def __setitem__(self, index: Any, value: Any) -> None:
        with _outside():
            TrackedList.__setitem__(self, _place(index), value)

    def _refused(self, *_: Any, **__: Any) -> NoReturn:
        raise NeedsDeques

    def __repr__(self) -> NoReturn:
        raise NeedsDeques

    sort = __add__ = __radd__ = __mul__ = __rmul__ = __imul__ = _refused
    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = _refused
    __hash__ = None
    __deepcopy__ = __reduce__ = __reduce_ex__ = _refused


@contextmanager
def _outside() -> Iterator[None]:
    """For what Python's lists do with their elements: what they say of a place where none is."""
    try:
        yield
    except IndexError as error:
        raise IndexError(TrackedDeque.outside) if "list" in str(error) else error from None


def _place(index: Any) -> Any:
    if isinstance(index, slice):
        raise TypeError("sequence index must be integer, not 'slice'")
    return index


def _unflattened(rows: Any, parts: Iterable[Any]) -> TrackedDeque:
    found = TrackedDeque()
    found.become_like(list_unflattened(rows, parts))
    return found


optree.register_pytree_node(
    TrackedDeque,
    list_flattened,  # type: ignore[arg-type]
    _unflattened,
    namespace=optree.registry.__GLOBAL_NAMESPACE,
)
