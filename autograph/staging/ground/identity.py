"""A mapping from symbolic arrays, told apart by identity: their own ``==`` is NumPy's, and their
hash, for the user's dicts and sets, is that of the number they stand for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, MutableMapping
from typing import Any


class ByIdentity(MutableMapping):
    """A dict whose keys are compared with ``is``."""

    def __init__(self, items: Mapping | Iterable[tuple[Any, Any]] = ()):
        pairs = items.items() if isinstance(items, Mapping) else items
        self._items: dict[int, tuple[Any, Any]] = {id(key): (key, value) for key, value in pairs}

    def __contains__(self, key: Any) -> bool:
        return id(key) in self._items

    def __getitem__(self, key: Any) -> Any:
        return self._items[id(key)][1]

    def __setitem__(self, key: Any, value: Any) -> None:
        self._items[id(key)] = key, value

    def __delitem__(self, key: Any) -> None:
        del self._items[id(key)]

    def __iter__(self) -> Iterator[Any]:
        return (key for key, _ in self._items.values())

    def __len__(self) -> int:
        return len(self._items)

    def items(self) -> Any:
        return self._items.values()
