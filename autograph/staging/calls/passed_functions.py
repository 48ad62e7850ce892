"""Functions of which another one is given in each call, where they are passed on; see
`autograph.staging.ground.bound`."""

from __future__ import annotations

import functools
import types
from collections import deque
from typing import Any

import numpy as np

from autograph.source.tree.libraries import OWN_PACKAGES, is_library_file, package_of
from autograph.staging.ground.bound import GivenFunction
from autograph.staging.ground.ownership import is_user_class
from autograph.staging.ground.restarts import SeesFunction

# Functions of Python's and NumPy's that call what they are given; they may ask what it is.
_CALLING = {
    *map(id, (map, filter, sorted, min, max, callable, functools.reduce)),
    *map(id, (np.vectorize, np.apply_along_axis, np.apply_over_axes)),
    *map(id, (np.fromfunction, np.piecewise)),
}
_TRANSFORMS = "autograph.api."  # where there are those that make functions of functions

_CONTAINERS = (list, dict, tuple, deque)
_KEEPING = {*map(id, (*_CONTAINERS, functools.partial))}


def passed_on(function: Any, args: tuple, kwargs: dict[str, Any]) -> tuple[tuple, dict[str, Any]]:
    """What a function is given that is given such functions.

    Raises:
        SeesFunction: it may look which functions they are.
    """
    if not any(type(value) is GivenFunction for value in (*args, *kwargs.values())):
        return args, kwargs
    if id(function) in _CALLING or _is_transform(function):
        return tuple(map(_called, args)), {name: _called(v) for name, v in kwargs.items()}
    if not _only_passes_on(function):
        raise SeesFunction
    return args, kwargs


def _called(value: Any) -> Any:
    return value.function if type(value) is GivenFunction else value


def _is_transform(function: Any) -> bool:
    """Whether it makes a function of ours of what it is given."""
    is_one = isinstance(function, types.FunctionType)
    return is_one and f"{function.__module__}.".startswith(_TRANSFORMS)


def _only_passes_on(function: Any) -> bool:
    """Whether it is recorded, or only keeps what it is given."""
    if isinstance(function, type):
        is_kept = is_user_class(function) and not issubclass(function, BaseException)
        return is_kept or id(function) in _KEEPING
    if isinstance(function, types.BuiltinFunctionType):
        return isinstance(function.__self__, _CONTAINERS)
    if isinstance(function, types.MethodType):
        return _only_passes_on(function.__func__)
    if package_of(function) in OWN_PACKAGES or package_of(type(function)) in OWN_PACKAGES:
        return True
    if isinstance(function, types.FunctionType):
        return not is_library_file(function.__code__.co_filename)
    return isinstance(function, functools.partial) or is_user_class(type(function))
