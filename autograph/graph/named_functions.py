"""Functions that a file may name: NumPy's universal functions, and those of `ops` and `ops.nn`.

A model has some as its activations. A file holds their names, and what it may name are only these.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

import ops

_MODULES = {"numpy": np, "ops": ops, "ops.nn": ops.nn}


@functools.cache
def _by_name() -> dict[str, Callable[..., Any]]:
    return {
        f"{module}.{name}": value
        for module, members in _MODULES.items()
        for name, value in vars(members).items()
        if _is_function(value) and not name.startswith("_")
    }


def _is_function(value: Any) -> bool:
    if isinstance(value, np.ufunc):
        return True
    module = getattr(value, "__module__", "") or type(value).__module__
    return callable(value) and not isinstance(value, type) and module.partition(".")[0] == "ops"


@functools.cache
def _names() -> dict[int, str]:
    return {id(function): name for name, function in reversed(_by_name().items())}


def name_of(function: Any) -> str | None:
    """The name of a function, if a file may hold it."""
    return _names().get(id(function))


def function_of(name: Any) -> Callable[..., Any] | None:
    """The function with a name, if a file may hold it."""
    return _by_name().get(name) if isinstance(name, str) else None
