"""What a function keeps of what was compiled: some entries; the least recently used one goes."""

from __future__ import annotations

import contextlib
from collections import OrderedDict
from collections.abc import Callable
from typing import Any, Generic, TypeVar

from autograph.settings import number_from

T = TypeVar("T")


def most_signatures() -> int:
    """How many signatures a function keeps compiled: ``AUTOGRAPH_SIGNATURES``.

    Raises:
        OptionError: the variable is not a positive number.
    """
    return number_from("AUTOGRAPH_SIGNATURES", 256, 1)


class RecentEntries(Generic[T]):
    """Entries by their keys, the least recently used one first. Threads may share it."""

    def __init__(self) -> None:
        self._entries: OrderedDict[Any, T] = OrderedDict()

    def __len__(self) -> int:
        return len(self._entries)

    def __contains__(self, key: Any) -> bool:
        return key in self._entries

    def values(self) -> list[T]:
        return list(self._entries.values())

    def get(self, key: Any) -> T | None:
        """The entry of a key, which is used now; None if there is none."""
        found = self._entries.get(key)
        if found is not None:
            with contextlib.suppress(KeyError):  # another thread removed it
                self._entries.move_to_end(key)
        return found

    def __setitem__(self, key: Any, entry: T) -> None:
        self._entries[key] = entry
        with contextlib.suppress(KeyError):
            self._entries.move_to_end(key)

    def shrink(self, most: int, is_used: Callable[[T], bool]) -> bool:
        """Remove entries until there are no more than ``most``, but none that is used.

        Returns:
            Whether any was removed.
        """
        removed = False
        for key, entry in list(self._entries.items()):
            if len(self._entries) <= most:
                break
            if not is_used(entry):
                self._entries.pop(key, None)
                removed = True
        return removed
