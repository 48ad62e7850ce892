"""Tables whose changes can be taken back, without a copy of all that is in them."""

from __future__ import annotations

from collections.abc import Mapping, MutableMapping
from typing import Any

_ABSENT = object()


class Trail:
    """The changes of some tables, the last one last."""

    def __init__(self) -> None:
        self._changes: list[tuple[Table, Any, Any]] = []

    def mark(self) -> int:
        """How far it is now."""
        return len(self._changes)

    def note(self, table: Table, key: Any) -> None:
        """Note what a table has for a key, which is about to be changed."""
        self._changes.append((table, key, table.get(key, _ABSENT)))

    def take_back(self, mark: int) -> None:
        """Let tables be what they were."""
        while len(self._changes) > mark:
            table, key, before = self._changes.pop()
            if before is _ABSENT:
                dict.pop(table, key, None)
            else:
                dict.__setitem__(table, key, before)


class Table(dict[Any, Any]):
    """A table that notes each change.

    Two methods change it; all others that change a dict call these two.
    """

    def __init__(self, contents: Mapping[Any, Any], trail: Trail):
        super().__init__(contents)
        self._trail = trail

    def __setitem__(self, key: Any, value: Any) -> None:
        self._trail.note(self, key)
        super().__setitem__(key, value)

    def __delitem__(self, key: Any) -> None:
        self._trail.note(self, key)
        super().__delitem__(key)

    update = MutableMapping.update
    setdefault = MutableMapping.setdefault
    popitem = MutableMapping.popitem
    clear = MutableMapping.clear

    def pop(self, key: Any, *default: Any) -> Any:
        value = self.get(key, *default) if default else self[key]
        if key in self:
            del self[key]
        return value

    def __ior__(self, changes: Any) -> Table:  # type: ignore[misc]
        self.update(changes)
        return self
