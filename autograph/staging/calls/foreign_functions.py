"""Functions of other compilers that converted code calls: Numba's are converted, JAX's refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import ops
from autograph.errors import UnsupportedFunctionError
from autograph.source.tree.libraries import package_of, python_function
from autograph.staging.arrays.array import GraphArray
from autograph.staging.border.endings import name_of
from autograph.staging.border.failures import holds_symbolic_values
from autograph.staging.ground.errors import user_location
from autograph.staging.ground.recorder import recorder

_ARRAYS_OF_THEIR_OWN = ("jax", "jaxlib")


class _Entered:
    """Whether what a function of Numba's does is being recorded."""

    def __init__(self) -> None:
        self.now = False


def called_as_python(function: Any, call: Callable[[Any], Any]) -> Any:
    """What ``call`` gives for the Python function that a function of Numba's was made of.

    Numbers come out of compiled code as Python's, whatever they are in it.
    """
    made_of = python_function(function)
    entered = recorder().state(_Entered)
    if entered.now:
        return call(made_of)
    entered.now = True
    try:
        return _unboxed(call(made_of))
    finally:
        entered.now = False


def _unboxed(result: Any) -> Any:
    if type(result) is tuple:
        return tuple(map(_unboxed, result))
    if isinstance(result, np.generic) and result.dtype.kind in "biufc":
        return result.item()
    number = isinstance(result, GraphArray) and not (result.ndim or result.is_array)
    if not number or result.type.weak or result.dtype == np.uint64:
        return result
    python = {"b": "bool", "i": "int64", "u": "int64", "f": "float64", "c": "complex128"}
    return ops.cast(result, dtype=python[result.dtype.kind], weak=True)


def refuse_other_arrays(function: Any, args: tuple, kwargs: dict[str, Any]) -> None:
    """Refuse to give symbolic values to functions of libraries that have arrays of their own.

    Raises:
        UnsupportedFunctionError: it is such a function.
    """
    written_in = getattr(function, "__globals__", {}).get("__name__", "")
    packages = {package_of(function), package_of(type(function)), written_in.partition(".")[0]}
    if packages.isdisjoint(_ARRAYS_OF_THEIR_OWN) or not holds_symbolic_values((args, kwargs)):
        return
    name = getattr(function, "__name__", "")
    known = callable(getattr(np, name, None))
    raise UnsupportedFunctionError(
        f"{name_of(function)} takes arrays of JAX's, and is given values known only at run time",
        user_location(),
        fix=f"use np.{name}" if known else "call it outside of the function, or use NumPy in it",
    )
