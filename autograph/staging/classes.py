"""Attributes of classes, which converted code may read but not set."""

from __future__ import annotations

from typing import Any

from autograph.errors import Location, MutationError
from autograph.staging.ownership import is_user_class


class Classes:
    """The user's classes that recorded code refers to, with the attributes that they have."""

    def __init__(self) -> None:
        self._before: dict[type, dict[str, Any]] = {}

    def add(self, value: Any) -> None:
        """Watch a class; or that of an instance."""
        kind = value if isinstance(value, type) else type(value)
        for owner in kind.__mro__:
            if owner not in self._before and is_user_class(owner):
                self._before[owner] = dict(vars(owner))

    def restore(self, location: Location | None) -> None:
        """Undo and refuse what was set.

        Raises:
            MutationError: an attribute of a class was set; ``location`` is the function's.
        """
        changed = None
        for kind, before in self._before.items():
            now = dict(vars(kind))
            for name in {*before, *now}:
                if now.get(name) is before.get(name) or name in _OWN:
                    continue
                changed = changed or f"{kind.__name__}.{name}"
                if name in before:
                    setattr(kind, name, before[name])
                else:
                    delattr(kind, name)
        if changed is not None:
            raise MutationError(
                f"the class attribute '{changed}' is assigned while the function is recorded",
                location,
                fix="keep the value in an object or a variable",
            )


# What Python itself changes.
_OWN = {"__dict__", "__weakref__", "__doc__", "__abstractmethods__", "_abc_impl"}
