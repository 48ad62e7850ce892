"""Shadows: copies of containers and objects from outside a function, for it to see while recorded.

In a shadow every array is replaced by a symbolic one that refers to it. The same object has one
shadow, so whatever is shared stays shared.
"""

from __future__ import annotations

import collections
import copy
import sysconfig
import types
from collections.abc import Callable
from typing import Any

from autograph.errors import MutationError
from autograph.staging.errors import user_location

LIBRARY_PATHS = tuple(
    {sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")}
)

_ATOMS = (str, bytes, int, float, complex, bool, type(None), type)


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
        if isinstance(value, (list, collections.deque, dict, set)):
            return self._fill(value, copy.copy(value), part)
        if type(value) is tuple or (isinstance(value, tuple) and hasattr(value, "_fields")):
            parts = [part(item) for item in value]
            if all(a is b for a, b in zip(parts, value)):
                return value
            return tuple(parts) if type(value) is tuple else type(value)(*parts)
        if isinstance(value, types.ModuleType):
            return ModuleShadow(value, part) if is_user_module(value) else value
        if is_user_object(value):
            return self._fill(value, object.__new__(type(value)), part)
        return value

    def _fill(self, value: Any, shadow: Any, part: Callable[[Any], Any]) -> Any:
        self._of[id(value)] = (value, shadow)  # before its parts, which may refer back to it
        self._original[id(shadow)] = value
        if isinstance(value, (list, collections.deque)):
            for position, item in enumerate(value):
                shadow[position] = part(item)
        elif not isinstance(value, set):  # what a set holds is hashable, so no array
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


class ModuleShadow:
    """A module of the user's, whose arrays are seen as symbolic ones."""

    def __init__(self, module: types.ModuleType, part: Callable[[Any], Any]):
        vars(self).update(_module=module, _part=part)

    def __getattr__(self, name: str) -> Any:
        return self._part(getattr(self._module, name))

    def __setattr__(self, name: str, value: Any) -> None:
        raise MutationError(
            f"the attribute '{name}' of the module '{self._module.__name__}' is assigned",
            user_location(),
            fix="return the new value, and assign it where the function is called",
        )


def is_user_module(value: Any) -> bool:
    """Whether a value is a module of the user's, not one of a library."""
    file = getattr(value, "__file__", None) if isinstance(value, types.ModuleType) else None
    own = value.__name__.partition(".")[0] in ("autograph", "ops") if file else True
    return bool(file) and not own and not file.startswith(LIBRARY_PATHS)


def _parts(shadow: Any) -> list:
    """Everything a shadow holds, keys included, in order."""
    if isinstance(shadow, (list, collections.deque)):
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
