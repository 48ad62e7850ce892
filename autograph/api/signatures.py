"""The arguments of a call by their names, for constructors that are called for others."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any


def names_of_arguments(function: Callable) -> list[str]:
    """The names of the arguments that a function takes."""
    return list(inspect.signature(function).parameters)


def arguments_by_name(function: Callable, args: tuple, kwargs: dict[str, Any]) -> dict[str, Any]:
    """All arguments of a call, those that have their defaults, too.

    Raises:
        TypeError: the function can't be called so.
    """
    bound = inspect.signature(function).bind(*args, **kwargs)
    bound.apply_defaults()
    return dict(bound.arguments)
