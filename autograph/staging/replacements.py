"""What stands for a library function when it is called from converted code.

Functions that make arrays, those that call functions, and those with an effect, are always
replaced; Python's others where they are given symbolic values. What is not replaced runs as it is.
"""

from __future__ import annotations

import io
import types
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import optree

from autograph.errors import UnsupportedFunctionError
from autograph.staging import builtins, functional, heaps, text
from autograph.staging.array import GraphArray, located_error
from autograph.staging.creation import CREATORS
from autograph.staging.items import Filtered, Items
from autograph.staging.text import GraphText

_ALWAYS = {
    **CREATORS,
    **functional.HIGHER_ORDER,
    **builtins.EFFECTS,
    **{function: builtins.BUILTINS[function] for function in (bool, type)},
}
_OF_SYMBOLIC = {**builtins.BUILTINS, **functional.OPERATORS, **heaps.FUNCTIONS}


def replacement(function: Any, args: tuple, kwargs: dict[str, Any]) -> Callable | None:
    """Our version of a library function, where it is needed."""
    try:
        always, symbolic = _ALWAYS.get(function), _OF_SYMBOLIC.get(function)
    except TypeError:  # a callable object that can't be hashed
        return None
    if always is not None:
        return always
    if symbolic is not None:
        needed = has_symbolic((args, kwargs)) or _may_hold_symbolic(function, args, kwargs)
        return symbolic if needed else None
    if isinstance(function, (types.BuiltinMethodType, np.vectorize)):
        return _of_method(function, args, kwargs)
    _refuse_logging(function)
    return functional.of_object(function)


def _may_hold_symbolic(function: Any, args: tuple, kwargs: dict[str, Any]) -> bool:
    """Whether something is given that may give symbolic values without showing it."""
    if function not in builtins.OF_ITERATORS:
        return False
    return kwargs.get("key") is not None or any(isinstance(arg, Iterator) for arg in args)


def has_symbolic(arguments: Any) -> bool:
    """Whether there are symbolic values in nested containers."""
    leaves = optree.tree_leaves(arguments, none_is_leaf=True)
    return any(isinstance(leaf, (GraphArray, GraphText, Items, Filtered)) for leaf in leaves)


def _of_method(function: Any, args: tuple, kwargs: dict[str, Any]) -> Callable | None:
    owner = getattr(function, "__self__", None)
    if isinstance(owner, io.IOBase):
        raise located_error(
            UnsupportedFunctionError,
            f"the method '{function.__name__}' of a file would be called only once, when the code "
            "is recorded",
            fix="use print, which runs when the program runs",
        )
    if not has_symbolic((args, kwargs)) and not any(isinstance(arg, Iterator) for arg in args):
        return None
    if isinstance(function, np.vectorize):
        raise located_error(
            UnsupportedFunctionError,
            "np.vectorize of traced arrays",
            fix="write the function with NumPy's own, or loop over the elements",
        )
    return text.method(owner, function.__name__) if isinstance(owner, str) else None


def _refuse_logging(function: Any) -> None:
    if (getattr(function, "__module__", None) or "").partition(".")[0] == "logging":
        raise located_error(
            UnsupportedFunctionError,
            "logging would happen only once, when the code is recorded",
            fix="use print, which runs when the program runs, or log outside of the function",
        )
