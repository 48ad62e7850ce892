"""Shadows: copies of containers and objects from outside a function, for it to see while recorded.

In a shadow every array is replaced by a symbolic one that refers to it. The same object has one
shadow, so whatever is shared stays shared.
"""

from __future__ import annotations

import collections
import copy
import operator
import sys
import types
from collections.abc import Callable
from typing import Any

import ops
from autograph.errors import Location, MutationError
from autograph.source.tree.free import Surroundings, is_user_module
from autograph.source.tree.places import CELLS
from autograph.staging.containers.containers import Contents, contents, empty_like, fill
from autograph.staging.ground.errors import user_location
from autograph.staging.ground.naming import assigned_attributes
from autograph.staging.ground.nesting import is_tuple, make_tuple
from autograph.staging.ground.ownership import is_user_object

_CONTAINERS = (list, collections.deque, dict, set, *CELLS)
_ATOMS = (str, bytes, int, float, complex, bool, type(None), type)


CHANGED = object()  # what a function has assigned


class Shadows:
    def __init__(self) -> None:
        self._of: dict[int, tuple[Any, Any]] = {}  # id -> (original, shadow)
        self._original: dict[int, Any] = {}
        self._new: list[tuple[Any, Contents]] = []
        self._found: list[tuple[Any, Contents]] = []  # the originals of these

    def of(self, value: Any, part: Callable[[Any], Any]) -> Any:
        """The shadow of ``value``, or ``value`` itself if it holds nothing that could be an
        array."""
        if isinstance(value, _ATOMS) or id(value) in self._original:
            return value
        if id(value) in self._of:
            return self._of[id(value)][1]
        if is_tuple(value):
            parts = [part(item) for item in value]
            if all(a is b for a, b in zip(parts, value)):
                return value
            return make_tuple(type(value), parts)
        if isinstance(value, _CONTAINERS) or is_user_object(value):
            return self._copy(value, part)
        return value

    def _copy(self, value: Any, part: Callable[[Any], Any]) -> Any:
        shadow = _blank(value)
        self._of[id(value)] = (value, shadow)  # before its parts, which may refer back to it
        self._original[id(shadow)] = value
        keys, values = found = contents(value)
        fill(shadow, Contents(keys, tuple(map(part, values))))
        self._new.append((shadow, contents(shadow)))
        self._found.append((value, found))
        return shadow

    def stand_for_input(self, original: Any, shadow: Any) -> None:
        """Let ``shadow`` stand for a container from outside that is an input of the graph."""
        self._of[id(original)] = original, shadow
        self._original[id(shadow)] = original

    def stand_in(self, original: Any, make: Callable[[Any], Any]) -> Any:
        """What stands for an object that is neither a container nor an array."""
        if id(original) not in self._of:
            shadow = make(original)
            self._of[id(original)] = original, shadow
            self._original[id(shadow)] = original
        return self._of[id(original)][1]

    def stand_for_argument(self, original: Any, shadow: Any) -> None:
        """Let ``shadow`` stand for an argument that is another one at each call."""
        self._original[id(shadow)] = original

    def read_only(self, array: Any) -> Any:
        """The shadow of an array of objects or texts, which code can read but not change."""
        if id(array) not in self._of:
            view = array.view()
            view.flags.writeable = False
            self._of[id(array)] = array, view
            self._original[id(view)] = array
        return self._of[id(array)][1]

    def originals(self) -> dict[int, Any]:
        """The containers that have shadows, by identity."""
        return {key: original for key, (original, _) in self._of.items()}

    def found(self) -> list[tuple[Any, Contents]]:
        """The containers that have shadows, with what they contained, and `CHANGED` in place of
        what the function has changed."""
        found = []
        for (original, (keys, values)), (shadow, before) in zip(self._found, self._new):
            now = contents(shadow)
            if now.keys != before.keys:
                values = (CHANGED,) * len(values)
            else:
                kept = map(operator.is_, now.values, before.values)
                values = tuple(v if same else CHANGED for v, same in zip(values, kept))
            found.append((original, Contents(keys, values)))
        return found

    def original(self, value: Any) -> Any:
        """What ``value`` is the shadow of, or ``value`` itself."""
        return self._original.get(id(value), value)

    def is_shadow(self, value: Any) -> bool:
        return id(value) in self._original

    def __len__(self) -> int:
        return len(self._new)

    def made_since(self, count: int) -> list[tuple[Any, Contents]]:
        """The shadows made after the first ``count``, with what they contained when new."""
        return self._new[count:]

    def all(self) -> list[Any]:
        """Every shadow."""
        return [shadow for shadow, _ in self._new]

    def changed(self) -> list[Any]:
        """The shadows that no longer contain what they did when new."""
        return [shadow for shadow, state in self._new if not contents(shadow).same(state)]


def _blank(value: Any) -> Any:
    """An empty container like ``value``."""
    if type(value) in (list, collections.deque, collections.defaultdict):
        return empty_like(type(value), contents(value).keys)
    if isinstance(value, CELLS):
        return types.CellType()
    if is_user_object(value):
        return empty_like(type(value), ())
    return copy.copy(value)


class ModuleShadow:
    """A module of the user's, of which ``read(module, name)`` gives what code sees, and ``assign``
    assigns an attribute."""

    __slots__ = ("_assign", "_module", "_read")

    def __init__(
        self,
        module: types.ModuleType,
        read: Callable[[types.ModuleType, str], Any],
        assign: Callable[[types.ModuleType, str, Any], None],
    ):
        object.__setattr__(self, "_module", module)
        object.__setattr__(self, "_read", read)
        object.__setattr__(self, "_assign", assign)

    def __getattr__(self, name: str) -> Any:
        return self._read(self._module, name)

    def __dir__(self) -> list[str]:
        return sorted(self._read(self._module, "__dict__"))

    def __delattr__(self, name: str) -> None:
        raise _changed(self._module, name, "deleted", user_location())

    def __setattr__(self, name: str, value: Any) -> None:
        self._assign(self._module, name, value)


def _changed(
    module: types.ModuleType, name: str, how: str, location: Location | None
) -> MutationError:
    return MutationError(
        f"the attribute '{name}' of the module '{module.__name__}' is {how}",
        location,
        id="AG0323",
        fix="return the new value, and assign it where the function is called",
    )


def refuse_changed_modules(function: types.FunctionType) -> None:
    """Refuse a function that assigns attributes of modules of libraries, which have no shadows: it
    would do so once, while it is recorded.

    Raises:
        MutationError: it does.
    """
    for name, attribute, imported, location in assigned_attributes(function.__code__):
        if imported:
            value = sys.modules.get(name)
        else:
            value = Surroundings(function, (), ops).value(name)
        if isinstance(value, types.ModuleType) and not is_user_module(value):
            raise _changed(value, attribute, "assigned", location)
