"""Functions that make arrays from shapes, numbers and lists, called while recording.

NumPy has no protocol for them, so converted code calls them through `ops.call`, which comes here.
Their results are symbolic, whatever they are given: a new array is part of the computation and may
be written.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from autograph.graph.graph import Constant
from autograph.staging.array import GraphArray
from ops import numpy_table

# Called like functions, these give numbers, not arrays of no dimensions.
_NUMBERS = {ours for kind, ours in numpy_table.CREATORS.items() if isinstance(kind, type)}


def _recorded(function: Callable) -> Callable:
    @functools.wraps(function)
    def create(*args: Any, **kwargs: Any) -> Any:
        result = function(*args, **kwargs)
        # Nothing in it is symbolic, so it is what it is now: a constant, of which nobody else
        # knows.
        if isinstance(result, np.ndarray):
            result = GraphArray(Constant(result))
        if isinstance(result, GraphArray) and not result.ndim and not result.type.weak:
            result.is_array = function not in _NUMBERS
        return result

    return create


def _of_known(function: Callable) -> Callable:
    """A function whose arguments set the length of its result, and so must be known."""

    def create(*args: Any, **kwargs: Any) -> Any:
        return function(*map(_known, args), **{k: _known(v) for k, v in kwargs.items()})

    return create


def _known(argument: Any) -> Any:
    if not isinstance(argument, GraphArray):
        return argument
    return argument.__index__() if argument.dtype.kind in "iu" else argument.__float__()


_STATIC = (
    np.arange,
    np.eye,
    np.identity,
    np.linspace,
    np.logspace,
    np.geomspace,
    np.tri,
    np.indices,
    np.fromfunction,
)

CREATORS: dict[Callable, Callable] = {
    **{function: _recorded(ours) for function, ours in numpy_table.CREATORS.items()},
    **{function: _recorded(_of_known(function)) for function in _STATIC},
}
for _name in ("zeros_like", "ones_like", "empty_like", "full_like"):
    _function = getattr(np, _name)
    CREATORS[_function] = _recorded(numpy_table.FUNCTIONS[_function])
