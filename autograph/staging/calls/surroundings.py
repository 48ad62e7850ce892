"""What a function sees besides its arguments, where that is so little that it can be compared.

A derivative that was recorded once may be copied where the same function is differentiated again,
if it sees the same then. What it sees are its cells and defaults, the globals that it names, and
what the functions among these see.
"""

from __future__ import annotations

import operator
import types
from collections.abc import Iterator
from typing import Any

import numpy as np

from autograph.graph.graph import Value
from autograph.source.tree.libraries import is_library_file, package_of
from autograph.source.tree.parse import nested_codes
from autograph.staging.arrays.array import GraphArray
from autograph.staging.ground.recorder import recorder
from ops.core.records import NamedTuple
from ops.core.types import PYTHON_SCALARS

_PLAIN = (*PYTHON_SCALARS, str, bytes, type(None), types.EllipsisType)
_NATIVE = (types.BuiltinFunctionType, type(np.sum), type)
_OWN_PACKAGES = ("autograph", "ops")
_LIBRARIES = (*_OWN_PACKAGES, "numpy", "scipy", "math", "builtins")


class TooMuch(Exception):
    """A function sees what cannot be compared: the user's objects, for example, which change."""


class Seen(NamedTuple):
    """What a function sees. The items are compared by identity.

    Attributes:
        objects: all that it reaches.
        values: what the arrays among these stand for; None for those from outside the recording
            that it has not met yet.
    """

    objects: list[Any]
    values: list[Value | None]

    def same(self, other: Seen) -> bool:
        """Whether it is the same that is seen."""
        return self.same_objects(other) and _are_same(self.values, other.values)

    def same_objects(self, other: Seen) -> bool:
        """Whether the objects are the same; the arrays among them may have changed."""
        return _are_same(self.objects, other.objects)


def _are_same(before: list[Any], now: list[Any]) -> bool:
    return len(before) == len(now) and all(map(operator.is_, before, now))


def seen_by(function: Any) -> Seen:
    """What a function sees: the same objects in the same order as long as it sees the same.

    Raises:
        TooMuch: that cannot be told.
    """
    found = Seen([], [])
    visited: set[int] = set()
    pending = [function]
    while pending:
        item = pending.pop()
        if id(item) in visited:
            continue
        visited.add(id(item))
        found.objects.append(item)
        if isinstance(item, types.FunctionType):
            if not is_of_library(item):
                pending += _around(item)
        elif type(item) is tuple:
            pending += item
        elif type(item) is GraphArray:
            found.values.append(_value(item))
        elif type(item) is np.ndarray:
            _, box = recorder().outside.captured.get(id(item), (item, None))
            found.values.append(None if box is None else _value(box))
        elif not _never_changes(item):
            raise TooMuch
    return found


def _value(array: GraphArray) -> Value:
    """The value that an array stands for, if that is not part of another one's."""
    if array._view is not None:
        raise TooMuch
    return array._value


def _around(function: types.FunctionType) -> Iterator[Any]:
    if set(vars(function)) - {"__autograph__"}:
        raise TooMuch
    for cell in function.__closure__ or ():
        try:
            yield cell.cell_contents
        except ValueError:  # nothing yet
            raise TooMuch from None
    yield from function.__defaults__ or ()
    yield from (function.__kwdefaults__ or {}).values()
    names = {name for code in nested_codes(function.__code__) for name in code.co_names}
    for name in sorted(names):  # those of attributes are among them, which does no harm
        if name in recorder().conversion.shared:  # somewhere it is assigned
            raise TooMuch
        if name in function.__globals__:
            yield function.__globals__[name]


def _never_changes(item: Any) -> bool:
    if type(item) in _PLAIN or isinstance(item, np.generic):
        return True
    if isinstance(item, types.ModuleType):
        return item.__name__.partition(".")[0] in _LIBRARIES
    if isinstance(item, _NATIVE):
        return package_of(item) in _LIBRARIES
    return isinstance(item, np.ufunc) or package_of(type(item)) == "ops"  # an operator


def is_of_library(function: types.FunctionType) -> bool:
    """Whether a function is one of this package's or a library's."""
    package = package_of(function)
    if package in _OWN_PACKAGES:
        return True
    return package in _LIBRARIES and is_library_file(function.__code__.co_filename)
