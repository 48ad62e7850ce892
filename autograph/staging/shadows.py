"""Shadows: copies of containers and objects from outside a function, for it to see while recorded.

In a shadow every array is replaced by a symbolic one that refers to it. The same object has one
shadow, so whatever is shared stays shared.
"""

from __future__ import annotations

import types
from collections.abc import Callable
from typing import Any

_ATOMS = (str, bytes, int, float, complex, bool, type(None), type, types.ModuleType)


class Shadows:
    def __init__(self) -> None:
        self._of: dict[int, tuple[Any, Any]] = {}  # id -> (original, shadow)
        self._original: dict[int, Any] = {}
        self._contents: list[tuple[Any, Any, list]] = []  # (original, shadow, its parts when new)

    def of(self, value: Any, part: Callable[[Any], Any]) -> Any:
        """The shadow of ``value``, or ``value`` itself if it holds nothing that could be an
        array."""
        if isinstance(value, _ATOMS) or id(value) in self._original:
            return value
        if id(value) in self._of:
            return self._of[id(value)][1]
        if type(value) in (list, dict, set):
            return self._fill(value, type(value)(), part)
        if type(value) is tuple or (isinstance(value, tuple) and hasattr(value, "_fields")):
            parts = [part(item) for item in value]
            if all(a is b for a, b in zip(parts, value)):
                return value
            return tuple(parts) if type(value) is tuple else type(value)(*parts)
        if is_user_object(value):
            return self._fill(value, object.__new__(type(value)), part)
        return value

    def _fill(self, value: Any, shadow: Any, part: Callable[[Any], Any]) -> Any:
        self._of[id(value)] = (value, shadow)  # before its parts, which may refer back to it
        self._original[id(shadow)] = value
        if isinstance(value, list):
            shadow.extend(part(item) for item in value)
        elif isinstance(value, set):
            shadow.update(value)
        else:
            target = shadow if isinstance(value, dict) else vars(shadow)
            source = value if isinstance(value, dict) else vars(value)
            target.update((key, part(item)) for key, item in source.items())
        self._contents.append((value, shadow, _parts(shadow)))
        return shadow

    def original(self, value: Any) -> Any:
        """What ``value`` is the shadow of, or ``value`` itself."""
        return self._original.get(id(value), value)

    def changed(self) -> Any:
        """An object whose shadow no longer has the parts it was made with, or None."""
        for original, shadow, parts in self._contents:
            now = _parts(shadow)
            if len(now) != len(parts) or any(a is not b for a, b in zip(now, parts)):
                return original
        return None


def _parts(shadow: Any) -> list:
    """Everything a shadow holds, keys included, in order."""
    if isinstance(shadow, list):
        return list(shadow)
    if isinstance(shadow, set):
        return sorted(shadow, key=id)
    items = shadow if isinstance(shadow, dict) else vars(shadow)
    return [part for item in items.items() for part in item]


def is_user_object(value: Any) -> bool:
    """An instance, of a class written in Python, that keeps its attributes in a dict and can be
    copied."""
    kind = type(value)
    return hasattr(value, "__dict__") and is_user_class(kind) and kind.__new__ is object.__new__


def is_user_class(kind: type) -> bool:
    """A class made by a class statement outside of this package and NumPy."""
    made_by_statement = bool(kind.__flags__ & (1 << 9))
    return made_by_statement and kind.__module__.partition(".")[0] not in (
        "numpy",
        "autograph",
        "ops",
    )
