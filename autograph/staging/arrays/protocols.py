"""NumPy's protocols: how ``np.sin(x)`` and ``np.concatenate([x, y])`` reach the operators."""

from __future__ import annotations

import difflib
from typing import Any

import numpy as np

from autograph.errors import UnsupportedFunctionError
from autograph.staging.ground.asked import as_numpy
from autograph.staging.ground.errors import located, user_location
from autograph.staging.ground.refusals import is_class_of_arrays, reason
from ops.core.numpy_table import FUNCTIONS
from ops.core.recording import raises_as_python
from ops.names.ufuncs import UFUNC_METHODS, UFUNCS, call, operator_of


@raises_as_python
def apply_ufunc(ufunc: np.ufunc, method: str, inputs: tuple, kwargs: dict[str, Any]) -> Any:
    """``__array_ufunc__`` of symbolic arrays."""
    if method == "__call__":
        if operator_of(ufunc) is None:
            raise unsupported(ufunc.__name__)
        with as_numpy(ufunc, inputs, kwargs), located():
            return call(ufunc, inputs, **kwargs)
    ours = UFUNC_METHODS.get((ufunc, method))
    if ours is None:
        raise unsupported(f"{ufunc.__name__}.{method}")
    with as_numpy(getattr(ufunc, method), inputs, kwargs), located():
        return ours(*inputs, **kwargs)


@raises_as_python
def apply_function(function: Any, args: tuple, kwargs: dict[str, Any]) -> Any:
    """``__array_function__`` of symbolic arrays."""
    ours = FUNCTIONS.get(function)
    if ours is None:
        raise refusal(function)
    with as_numpy(function, args, kwargs), located():
        return ours(*args, **kwargs)


def refusal(function: Any) -> UnsupportedFunctionError:
    """The error for a NumPy function that has no operator, or a class of arrays."""
    known = reason(function)
    if is_class_of_arrays(function) and known is None:
        return UnsupportedFunctionError(
            f"{function.__qualname__} derives from np.ndarray, and is made of traced values",
            user_location(),
            id="AG0787",
            fix="keep the array in an attribute of an object, or make functions of its methods",
        )
    module = getattr(function, "__module__", None) or "numpy"
    name = getattr(function, "__name__", str(function))
    return unsupported(f"{module}.{name}".removeprefix("numpy."), *(known or ()))


def unsupported(called: str, why: str = "", fix: str = "") -> UnsupportedFunctionError:
    """The error for a NumPy function that has no operator.

    Args:
        called: what it is called, without ``np.``.
        why, fix: why not, and what to do; else the nearest that has an operator is named.
    """
    functions: tuple[Any, ...] = (*FUNCTIONS, *UFUNCS)
    names = {f.__name__ for f in functions}
    near = difflib.get_close_matches(called, names, n=1)
    nearest = f"; the nearest is np.{near[0]}" if near else ""
    return UnsupportedFunctionError(
        f"np.{called} is not supported on traced arrays" + (why and f": {why}"),
        user_location(),
        fix=fix or f"write it with supported functions{nearest}",
    )
