"""A function of the user's that the program calls as it is, not as it was seen while recorded.

While a function is recorded, its inner functions and the methods that it takes refer to what stands
for containers and objects from outside. A callback is called when nothing is recorded: it has to
refer to these themselves.
"""

from __future__ import annotations

import dis
import functools
import types
from collections import deque
from collections.abc import Callable
from typing import Any

from autograph.source.load import is_converted
from autograph.staging.arrays.array import GraphArray
from autograph.staging.ground.naming import unversioned
from autograph.staging.ground.nesting import is_tuple
from autograph.staging.ground.ownership import is_user_object
from autograph.staging.ground.recorder import recorder

_MADE = (list, dict, set, deque)
_REBINDS = ("STORE_DEREF", "DELETE_DEREF")


class NotOutsideError(Exception):
    """A function refers to what only the program has, or what is another thing at each call."""


def at_run(function: Callable) -> Callable:
    """``function``, which recorded code has, as the program can call it.

    Raises:
        NotOutsideError: it refers to an array of the program, or to a container or object that is
            an argument or was made by the function that is recorded; or assigns its variables.
    """
    return _Functions().outside("self", function)


class _Functions:
    """Those that were seen, which may refer to each other."""

    def __init__(self) -> None:
        self._made: dict[int, Any] = {}

    def outside(self, name: str, value: Any) -> Any:
        """What a value that recorded code has stands for."""
        found = recorder().outside.original(value)
        if found is not value:
            if id(found) in recorder().outside.bound:
                raise NotOutsideError(f"'{name}', an argument of the function around it")
            return found
        if isinstance(value, types.FunctionType):
            return self._function(value) if is_converted(value.__code__) else value
        if isinstance(value, types.MethodType):
            owner = self.outside(name, value.__self__)
            if owner is value.__self__:
                return value
            if isinstance(owner, _MADE):  # a method of what stands for a list, say
                return getattr(owner, value.__name__)
            return types.MethodType(value.__func__, owner)
        if isinstance(value, functools.partial):
            args = [self.outside(name, arg) for arg in value.args]
            keywords = {key: self.outside(key, arg) for key, arg in value.keywords.items()}
            return functools.partial(self.outside(name, value.func), *args, **keywords)
        if is_tuple(value):
            for part in value:
                self.outside(name, part)
            return value
        if isinstance(value, GraphArray):
            raise NotOutsideError(f"'{name}', a variable that only the program knows")
        seen = any(known is value for known in recorder().outside.seen)
        if not seen and (isinstance(value, _MADE) or is_user_object(value)):
            raise NotOutsideError(f"'{name}', which the function around it was given or has made")
        return value

    def _function(self, function: types.FunctionType) -> Any:
        if id(function) in self._made:
            return self._made[id(function)]
        names = function.__code__.co_freevars
        cells = {name: types.CellType() for name in names}
        made = types.FunctionType(
            function.__code__,
            function.__globals__,
            function.__name__,
            function.__defaults__,
            tuple(cells.values()),
        )
        made.__kwdefaults__ = function.__kwdefaults__
        self._made[id(function)] = made
        assigned = {step.argval for step in dis.get_instructions(made) if step.opname in _REBINDS}
        for name, cell in zip(names, function.__closure__ or ()):
            if name in assigned:
                raise NotOutsideError(f"'{unversioned(name)}', which it assigns")
            try:
                held = cell.cell_contents
            except ValueError:  # nothing has been assigned
                continue
            cells[name].cell_contents = self.outside(unversioned(name), held)
        return made
