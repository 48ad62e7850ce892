"""Callables of ours that stand for the user's: functions that are bound to their first argument,
and functions of which another one of the same code is given in each call.

The latter may be called and passed on. Whoever looks at one would see which function it is, and is
told that he can't: the function that is recorded is compiled for each that it is given.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import CellType, MethodType
from typing import Any, NoReturn

from autograph.source.tree.libraries import OWN_PACKAGES, is_plain_of_ours
from autograph.staging.ground.recorder import recorder
from autograph.staging.ground.restarts import SeesFunction
from ops.core.special_methods import USES, special_methods


class BoundCallable:
    """Base of callables of ours that are a function with its first argument, as methods are.

    Attributes:
        __func__: the function.
        __self__: the argument.
    """

    __func__: Callable
    __self__: Any


# Python's methods, and ours.
METHODS = (MethodType, BoundCallable)


_FINE = ("bool", "call", "array_ufunc", "array_function")
_LOOKS = (*(name for name in USES if name not in _FINE), "setattr", "delattr", "dir", "reduce_ex")


def _is_looked_at(name: str) -> Callable[..., NoReturn]:
    def look(self: GivenFunction, *args: Any) -> NoReturn:
        raise SeesFunction

    return look


@special_methods(_LOOKS, _is_looked_at)
class GivenFunction:
    """Stands for a function.

    Args:
        function: one of its code, which is called in its place.

    Attributes:
        cell: holds that; who reaches the function finds it.
    """

    __slots__ = ("cell",)

    cell: CellType

    def __init__(self, function: Callable[..., Any]):
        object.__setattr__(self, "cell", CellType(function))

    @property
    def function(self) -> Callable[..., Any]:
        """What is called in its place."""
        return self.cell.cell_contents

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return recorder().call(self.function, args, kwargs)

    def __getattribute__(self, name: str) -> Any:
        module = sys._getframe(1).f_globals.get("__name__", "")
        if module == "abc" or _is_of_the_compiler(module):
            return object.__getattribute__(self, name)
        raise SeesFunction


def _is_of_the_compiler(module: str) -> bool:
    return module.partition(".")[0] in OWN_PACKAGES and not is_plain_of_ours(module)
