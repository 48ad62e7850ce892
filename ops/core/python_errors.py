"""Functions in which Python's and NumPy's own errors are those of the user's program.

A rule that asks NumPy for a type, or a method that stands for one of Python's, lets Python raise
what the user's program gets: `raises_as_python` says so. In all other code of ours an exception
that no ``raise`` statement raises is a mistake; see `autograph.staging.ground.mistakes`.
"""

from __future__ import annotations

from collections.abc import Callable
from types import CodeType
from typing import Any, TypeVar

F = TypeVar("F", bound=Callable)

_declared: set[CodeType] = set()


def raises_as_python(function: F) -> F:
    """Say that what Python raises in a function, not in those that it calls, is meant to be raised
    in the user's program, too."""
    _declare(function.__code__)
    return function


def _declare(code: CodeType) -> None:
    _declared.add(code)
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            _declare(inner)


def is_declared(code: CodeType) -> bool:
    """Whether `raises_as_python` was said of the function that has this code."""
    return code in _declared


@raises_as_python
def of_numpy(function: Callable, *args: Any, **kwargs: Any) -> Any:
    """What a function of NumPy's or Python's returns, whose errors are the user's."""
    return function(*args, **kwargs)
