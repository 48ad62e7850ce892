"""NumPy's protocols: how ``np.sin(x)`` and ``np.concatenate([x, y])`` reach the operators."""

from __future__ import annotations

import difflib
from typing import Any

import numpy as np

import ops
from autograph.errors import UnsupportedFunctionError
from autograph.staging.array import GraphArray
from autograph.staging.errors import located, user_location
from ops.numpy_table import FUNCTIONS
from ops.registry import active_tracer
from ops.types import type_of
from ops.ufuncs import UFUNC_METHODS, UFUNCS


def apply_ufunc(ufunc: np.ufunc, method: str, inputs: tuple, kwargs: dict[str, Any]) -> Any:
    """``__array_ufunc__`` of symbolic arrays."""
    if method != "__call__":
        return _apply_method(ufunc, method, inputs, kwargs)
    op = UFUNCS.get(ufunc)
    if op is None:
        raise unsupported(ufunc.__name__)
    out = kwargs.pop("out", None)
    where = kwargs.pop("where", True)
    dtype = kwargs.pop("dtype", None)
    if kwargs:
        raise unsupported(f"{ufunc.__name__} with {', '.join(kwargs)}")
    with located():
        if dtype is not None:
            inputs = tuple(ops.cast(x, dtype=np.dtype(dtype).name) for x in inputs)
        result = op(*_as_arrays(inputs))
        return _delivered(result, out, where)


def _apply_method(ufunc: np.ufunc, method: str, inputs: tuple, kwargs: dict[str, Any]) -> Any:
    """``np.add.reduce(x)`` and the like."""
    ours = UFUNC_METHODS.get((ufunc, method))
    out = kwargs.pop("out", None)
    if ours is None:
        raise unsupported(f"{ufunc.__name__}.{method}")
    with located():
        return _delivered(ours(*inputs, **kwargs), out, True)


def _as_arrays(inputs: tuple) -> tuple:
    """Called on numbers only, a ufunc takes them as arrays of their default dtypes."""
    types = [x.type if isinstance(x, GraphArray) else type_of(x) for x in inputs]
    if any(t is None or not t.weak for t in types):
        return inputs
    return tuple(ops.cast(x, dtype=t.dtype.name) for x, t in zip(inputs, types))


def _delivered(result: GraphArray, out: tuple | None, where: Any) -> Any:
    """The result put where ``out`` and ``where`` want it."""
    if out is None:
        if where is not True:
            raise unsupported("a ufunc with where= and without out=")
        return result
    (target,) = out
    if not isinstance(target, GraphArray):
        raise unsupported("out= with an array that is not part of the computation")
    if where is not True:
        result = ops.where(where, result, target)
    target[...] = result
    return target


def apply_function(function: Any, args: tuple, kwargs: dict[str, Any]) -> Any:
    """``__array_function__`` of symbolic arrays."""
    ours = FUNCTIONS.get(function)
    if ours is None:
        module = getattr(function, "__module__", None) or "numpy"
        name = getattr(function, "__name__", str(function))
        raise unsupported(f"{module}.{name}".removeprefix("numpy."))
    out = kwargs.pop("out", None) if isinstance(kwargs.get("out"), GraphArray) else None
    with located():
        result = ours(*args, **kwargs)
        return result if out is None else _delivered(result, (out,), True)


def unsupported(called: str) -> UnsupportedFunctionError:
    """The error for a NumPy function that has no operator, naming the nearest that has one."""
    names = {f.__name__ for f in (*FUNCTIONS, *UFUNCS)}
    near = difflib.get_close_matches(called, names, n=1)
    tracer = active_tracer()
    return UnsupportedFunctionError(
        f"np.{called} is not supported on traced arrays",
        user_location() if tracer else None,
        fix=f"write it with supported functions{f'; the nearest is np.{near[0]}' if near else ''}",
    )
