"""A Python function in place of a library's function, whose source is not to be converted.

So ``grad(np.linalg.norm)`` and ``to_graph(np.sin)`` are what they are for ``lambda x: np.sin(x)``.
"""

from __future__ import annotations

import functools
import types
from collections.abc import Callable
from typing import Any

from autograph.source.tree.libraries import module_of

# What these packages compute on arrays they let themselves be told how, by protocols; the others
# are written in C or not for arrays.
_LIBRARIES = ("numpy", "scipy", "ops", "math", "operator", "builtins")


def is_library_function(function: Any) -> bool:
    """Whether a callable is a function of NumPy's, of `ops`, or one that is built in."""
    if isinstance(function, type) or not callable(function):
        return False
    if isinstance(function, types.FunctionType):
        module = function.__globals__.get("__name__", "")
    elif isinstance(getattr(type(function), "__call__", None), types.FunctionType):  # noqa: B004
        module = module_of(type(function))  # an instance whose class is written in Python
    else:
        module = module_of(function) or module_of(type(function))
    return module.partition(".")[0] in _LIBRARIES


@functools.lru_cache(maxsize=1024)
def forwarding(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function that calls ``function``, under its name."""

    def forward(*args: Any, **kwargs: Any) -> Any:
        return function(*args, **kwargs)

    functools.update_wrapper(forward, function, updated=())
    vars(forward).pop("__wrapped__")
    return forward
