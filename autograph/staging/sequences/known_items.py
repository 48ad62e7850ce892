"""What ``reversed``, ``enumerate`` and ``zip`` of ranges with known bounds return: `KnownItems`.

It is an iterator as Python's own, of which a loop that goes through all of it knows the items, so
that it can be a loop of the graph.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from autograph.errors import MutationError
from autograph.staging.ground.recorder import recorder
from autograph.staging.sequences import items
from autograph.staging.sequences.items import Items, as_items

_TRACED: dict[Any, Callable[..., Any]] = {
    reversed: items.traced_reversed,
    enumerate: items.traced_enumerate,
    zip: items.traced_zip,
}


class KnownItems:
    """An iterator over known items.

    Args:
        native: Python's own.
        found: all items.
        parts: the iterators that it goes through.
    """

    def __init__(self, native: Iterator, found: Items, parts: list[KnownItems]):
        self._native = native
        self._found: Items | None = found
        self._parts = parts

    def __iter__(self) -> KnownItems:
        return self

    def __next__(self) -> Any:
        self._found = None
        return next(self._native)

    @property
    def found(self) -> Items | None:
        """All items, if none has been taken."""
        whole = all(part.found is not None for part in self._parts)
        return self._found if whole else None

    def take(self, to_the_end: bool) -> Items | None:
        """The same, to go through them, all of them or only the run knows how many."""
        found = self.found
        if found is not None:
            self._use(to_the_end)
        return found

    def _use(self, to_the_end: bool) -> None:
        self._found, self._native = None, iter(()) if to_the_end else _used()
        for part in self._parts:
            part._use(to_the_end and len(self._parts) == 1)


def _used() -> Iterator:
    raise MutationError(
        "an iterator is advanced after a loop that ends before it when only the run knows",
        recorder().location(),
        id="AG0342",
        fix="make a list of its items first, for example with list(zip(...))",
    )
    yield


def known(function: Any, args: tuple, kwargs: dict[str, Any]) -> Callable | None:
    """Our version of ``reversed``, ``enumerate`` or ``zip`` for these arguments, if they are ranges
    whose bounds are known, or what such a call has returned."""
    traced = _TRACED.get(function)
    if traced is None or not args or not all(isinstance(x, range | KnownItems) for x in args[:1]):
        return None
    through = args if function is zip else args[:1]
    if not all(isinstance(x, range | KnownItems) for x in through):
        return None
    if function is reversed and not isinstance(args[0], range):
        return None

    def made(*args: Any, **kwargs: Any) -> Any:
        native = function(*args, **kwargs)
        parts = [x for x in through if isinstance(x, KnownItems)]
        inside = [x.found if isinstance(x, KnownItems) else as_items(x) for x in through]
        if any(x is None for x in inside):
            return native
        found = traced(*inside, *args[len(inside) :], **kwargs)
        return KnownItems(native, found, parts)

    return made
