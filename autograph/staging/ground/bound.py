"""Functions that are bound to their first argument."""

from __future__ import annotations

from collections.abc import Callable
from types import MethodType
from typing import Any


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
