"""Functions that make arrays from shapes, numbers and lists.

NumPy has no protocol for them, so converted code calls them through `ops.call`, which comes here. Their
results are symbolic, whatever they are given: a new array is part of the computation and may be written.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import optree

import ops
from autograph.graph.graph import Constant
from autograph.staging.array import GraphArray
from autograph.staging.protocols import unsupported


def full(shape: Any, fill_value: Any, dtype: Any = None, **options: Any) -> GraphArray:
    _refuse(options, "full")
    shape = tuple(int(n) for n in shape) if np.iterable(shape) else (int(shape),)
    if not isinstance(fill_value, GraphArray):
        fill_value = GraphArray(Constant(np.asarray(fill_value, dtype)[()]))
    result = ops.full(shape, fill_value) if dtype is None else ops.full(shape, fill_value, dtype)
    return result


def zeros(shape: Any, dtype: Any = float, **options: Any) -> GraphArray:
    return full(shape, 0, dtype or float, **options)


def ones(shape: Any, dtype: Any = float, **options: Any) -> GraphArray:
    return full(shape, 1, dtype or float, **options)


def full_like(a: Any, fill_value: Any, dtype: Any = None, **options: Any) -> GraphArray:
    shape = options.pop("shape", None)
    return full(
        np.shape(a) if shape is None else shape, fill_value, dtype or _dtype(a), **options
    )


def zeros_like(a: Any, dtype: Any = None, **options: Any) -> GraphArray:
    return full_like(a, 0, dtype, **options)


def ones_like(a: Any, dtype: Any = None, **options: Any) -> GraphArray:
    return full_like(a, 1, dtype, **options)


def array(object: Any, dtype: Any = None, **options: Any) -> GraphArray:
    """``np.array``: always a new array."""
    _refuse(options, "array")
    made = asarray(object, dtype)
    return ops.copy(made) if made is object else made


def asarray(a: Any, dtype: Any = None, **options: Any) -> GraphArray:
    """``np.asarray``: nested lists of numbers and symbolic arrays are stacked."""
    _refuse(options, "asarray")
    if isinstance(a, (list, tuple)) and any(
        isinstance(leaf, GraphArray) for leaf in optree.tree_leaves(a)
    ):
        parts = [asarray(item) for item in a]
        result = ops.stack([ops.cast(p, dtype=p.dtype.name) if p.type.weak else p for p in parts])
    elif isinstance(a, GraphArray):
        result = ops.cast(a, dtype=a.dtype.name) if a.type.weak else a
    else:
        return GraphArray(Constant(np.array(a, dtype)))
    if dtype is not None and np.dtype(dtype) != result.dtype:
        result = ops.cast(result, dtype=np.dtype(dtype).name)
    return result


def _dtype(a: Any) -> np.dtype:
    return a.dtype if hasattr(a, "dtype") else np.asarray(a).dtype


def _refuse(options: dict[str, Any], name: str) -> None:
    for option, value in options.items():
        default = {"order": ("C", "K", None), "copy": (True, None), "subok": (True, False)}
        if value not in default.get(option, (None,)):
            raise unsupported(f"{name} with {option}={value!r}")


def _computed(function: Callable) -> Callable:
    """A function whose arguments must be known: computed now, a constant of the graph."""

    def create(*args: Any, **kwargs: Any) -> Any:
        result = function(*args, **kwargs)
        return GraphArray(Constant(result)) if isinstance(result, np.ndarray) else result

    return create


def arange(*args: Any, **kwargs: Any) -> GraphArray:
    """``np.arange``; symbolic arguments must be known, as they set the length."""
    return _computed(np.arange)(*(_known(arg) for arg in args), **kwargs)


def _known(number: Any) -> Any:
    if not isinstance(number, GraphArray):
        return number
    return number.__index__() if number.dtype.kind in "iu" else number.__float__()


CREATORS: dict[Callable, Callable] = {
    np.array: array,
    np.asarray: asarray,
    np.ascontiguousarray: asarray,
    np.zeros: zeros,
    np.ones: ones,
    np.empty: zeros,
    np.full: full,
    np.zeros_like: zeros_like,
    np.ones_like: ones_like,
    np.empty_like: zeros_like,
    np.full_like: full_like,
    np.arange: arange,
    np.linspace: _computed(np.linspace),
    np.eye: _computed(np.eye),
    np.identity: _computed(np.identity),
    np.tri: _computed(np.tri),
}
