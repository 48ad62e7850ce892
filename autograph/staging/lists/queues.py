"""Deques that may grow and shrink in graph loops: `TrackedDeque`.

It is a list that does what deques do. Where something would show that it is none, the function is
recorded with deques as they are.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from typing import Any, NoReturn

import optree

from autograph.staging.ground.recorder import recorder
from autograph.staging.ground.restarts import NeedsDeques
from autograph.staging.lists.lists import TrackedList, list_flattened, list_unflattened


def made(iterable: Any = (), maxlen: Any = None) -> Any:
    """``deque(iterable, maxlen)`` in converted code."""
    queues = recorder().queues
    if maxlen is not None:
        return deque(iterable, maxlen)
    queues.met = True
    if not queues.as_lists:
        return deque(iterable)
    found = TrackedDeque()
    found.extend(iterable)
    return found


class TrackedDeque(TrackedList):
    """A deque of converted code, of any length."""

    __slots__ = ()

    nothing = "pop from an empty deque"
    outside = "deque index out of range"

    def popleft(self) -> Any:
        return TrackedList.pop(self, 0)

    def pop(self) -> Any:  # type: ignore[override]
        return TrackedList.pop(self)

    def appendleft(self, value: Any) -> None:
        self.insert(0, value)

    def extendleft(self, values: Iterable[Any]) -> None:
        for value in values:
            self.insert(0, value)

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
        if isinstance(index, slice):
            raise TypeError("sequence index must be integer, not 'slice'")
        return TrackedList.__getitem__(self, index)

    def _refused(self, *_: Any, **__: Any) -> NoReturn:
        raise NeedsDeques

    def __repr__(self) -> NoReturn:
        raise NeedsDeques

    sort = __add__ = __radd__ = __mul__ = __rmul__ = __imul__ = _refused
    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = _refused
    __hash__ = None
    __deepcopy__ = __reduce__ = __reduce_ex__ = _refused


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
