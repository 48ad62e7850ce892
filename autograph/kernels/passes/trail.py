"""Tables whose changes can be taken back, without a copy of all that is in them."""

from __future__ import annotations

from collections.abc import Mapping
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
    """A table that notes each change. It is changed in the ways below, and in no other."""

    def __init__(self, contents: Mapping[Any, Any], trail: Trail):
        super().__init__(contents)
        self._trail = trail

    def __setitem__(self, key: Any, value: Any) -> None:
        self._trail.note(self, key)
        super().__setitem__(key, value)

    def update(self, *changes: Any, **named: Any) -> None:
        for key, value in dict(*changes, **named).items():
            self[key] = value

    def setdefault(self, key: Any, default: Any = None) -> Any:
        if key not in self:
            self[key] = default
        return self[key]

    def pop(self, key: Any, *default: Any) -> Any:
        self._trail.note(self, key)
        return super().pop(key, *default)
