"""The plain NumPy programs with another library's functions in the place of NumPy's."""

from __future__ import annotations

from types import FunctionType
from typing import Any

PROGRAMS = "benchmarks."


def rebound(function: FunctionType, **names: Any) -> FunctionType:
    """A copy of a function, and of the programs it calls, in which ``names`` mean other things:
    ``rebound(selu, np=jax.numpy)``."""
    scope = dict(function.__globals__)
    for name in function.__code__.co_names:
        value = scope.get(name)
        if isinstance(value, FunctionType) and value.__module__.startswith(PROGRAMS):
            scope[name] = rebound(value, **names)
    scope.update((name, value) for name, value in names.items() if name in scope)
    return FunctionType(function.__code__, scope, function.__name__, function.__defaults__)
