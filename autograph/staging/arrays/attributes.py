"""Attributes and methods of symbolic values, besides operators and those of the class itself.

A value has the attributes of what it stands for: a Python number has no ``sum``, an array no
``is_integer``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import ops
from autograph.errors import ConcreteValueError, OperandAttributeError, UnsupportedFunctionError
from autograph.staging.ground.asked import as_numpy
from autograph.staging.ground.errors import located, user_location
from autograph.staging.ground.examples import example
from autograph.staging.ground.foreign_names import instead_of_attribute
from autograph.staging.ground.recorder import recorder
from ops.core.numpy_table import METHODS
from ops.numbers import mathematics


def attribute(array: Any, name: str) -> Any:
    """``array.name``.

    Raises:
        AttributeError: what the array stands for has no such attribute.
        UnsupportedFunctionError: it has one that is not supported.
    """
    stand_in = example(array)
    if not hasattr(stand_in, name) or (name.startswith("__") and name.endswith("__")):
        kind = type(stand_in)
        shown = kind.__name__ if kind.__module__ == "builtins" else f"numpy.{kind.__name__}"
        message = f"'{shown}' object has no attribute '{name}'"
        if name.startswith("__"):  # asked for by Python and libraries, and not missed
            raise AttributeError(message)
        fix = instead_of_attribute(stand_in, name)
        raise OperandAttributeError(message, user_location(), fix=fix)
    if name in _PROPERTIES:
        return _PROPERTIES[name](array)
    method = _METHODS.get(name)
    if method is None:
        raise UnsupportedFunctionError(
            f"'{name}' of a value known only at run time is not supported",
            user_location(),
            fix=_INSTEAD.get(name, "write it with operators and NumPy's functions"),
        )

    def bound(*args: Any, **kwargs: Any) -> Any:
        with as_numpy(getattr(stand_in, name), args, kwargs), located():
            result = method(array, *args, **kwargs)
        if name == "astype" and not result.ndim:
            result.is_array = array.is_array
        return result

    return bound


def _tolist(array: Any) -> Any:
    """``x.tolist()``: Python numbers in nested lists."""
    if not array.ndim:
        return ops.cast(array, dtype=array.dtype.name, weak=True)
    limit = recorder().unroll_limit
    if array.type.shape[0] is None or (array.ndim == 1 and array.size > limit):
        return ops.collect(_tolist, array)
    if array.size > limit:
        raise ConcreteValueError(
            f"tolist() would make a list of {array.size} traced numbers, more than "
            f"unroll_limit ({limit})",
            user_location(),
            id="AG0309",
            fix="keep the array",
        )
    rows = range(array.type.known_shape[0])
    return recorder().tracked([_tolist(array[i]) for i in rows])


def _is_integer(number: Any) -> Any:
    whole = ops.logical_and(ops.isfinite(number), ops.equal(ops.floor(number), number))
    return ops.cast(whole, dtype="bool", weak=True)


def _to_device(array: Any, device: Any, /, *, stream: Any = None) -> Any:
    """``x.to_device``, as NumPy has it: there is one device."""
    if device != "cpu":
        raise ValueError(f'Unsupported device: {device}. Only "cpu" is allowed.')
    return array


_PROPERTIES: dict[str, Callable] = {
    "itemsize": lambda x: x.dtype.itemsize,
    "mT": ops.matrix_transpose,
    "flat": lambda array: recorder().flat(array),
    "device": lambda x: "cpu",
    "numerator": lambda x: x,
    "flags": lambda array: recorder().flags(array),
    "strides": lambda array: recorder().strides(array),
    "denominator": lambda x: x.dtype.type(1).item() if x.type.weak else x.dtype.type(1),
}

_METHODS: dict[str, Callable] = {
    **METHODS,
    "copy": lambda x, order="C": x.__copy__(),
    "tolist": _tolist,
    "is_integer": _is_integer,
    "bit_length": mathematics.bit_length,
    "bit_count": lambda x: mathematics.bit_count(ops.cast(x, dtype="int64", weak=True)),
    "to_device": _to_device,
}

# What to do without the others.
_OUTSIDE = "do this outside of the function, with the array that it returns"
_LAYOUT = "use nothing that depends on how the elements lie in memory"
_INSTEAD: dict[str, str] = {
    "base": _LAYOUT,
    "byteswap": "swap the bytes outside of the function",
    "ctypes": _OUTSIDE,
    "data": _OUTSIDE,
    "dump": _OUTSIDE,
    "dumps": _OUTSIDE,
    "getfield": "use x.astype, or x.view outside of the function",
    "resize": "make a new array with np.resize(x, shape)",
    "setfield": "assign to a part of the array: x[i] = v",
    "setflags": "leave out what protects the array; nobody else changes a copy: x.copy()",
    "tobytes": _OUTSIDE,
    "tofile": _OUTSIDE,
}
