"""A stand-in for an array library on a device: NumPy, behind a wall.

Its arrays refuse to meet NumPy's, have no ``__array__``, and are never NumPy scalars: indexing an
element gives an array of no dimensions that shares the memory, as in CuPy. Reading a value back to
the host is counted in ``reads``.
"""

from __future__ import annotations

import collections
import operator
import sys
import types
from typing import Any

import numpy

name = "strict_device"  # what a program imports
sys.modules.setdefault(name, sys.modules[__name__])
host = False
reads: collections.Counter[str] = collections.Counter()


class Array:
    """An array "on the device"."""

    __array_ufunc__ = None

    def __init__(self, data: numpy.ndarray):
        self._data = data

    dtype = property(lambda self: self._data.dtype)
    shape = property(lambda self: self._data.shape)
    ndim = property(lambda self: self._data.ndim)
    size = property(lambda self: self._data.size)
    T = property(lambda self: Array(self._data.T))
    real = property(lambda self: Array(self._data.real))
    imag = property(lambda self: Array(self._data.imag))
    strides = property(lambda self: self._data.strides)
    nbytes = property(lambda self: self._data.nbytes)
    base = property(lambda self: None if self._data.base is None else Array(self._data.base))

    def __len__(self) -> int:
        return len(self._data)

    def __array__(self, *args: Any, **kwargs: Any) -> Any:
        raise TypeError("implicit conversion of a device array to NumPy")

    def __bool__(self) -> bool:
        reads["bool"] += 1
        return bool(self._data)

    def __index__(self) -> int:
        reads["index"] += 1
        return operator.index(self._data)

    def __float__(self) -> float:
        reads["float"] += 1
        return float(self._data)

    def __int__(self) -> int:
        reads["int"] += 1
        return int(self._data)

    def __getitem__(self, index: Any) -> Array:
        index = _inside(index if isinstance(index, tuple) else (index,))
        if all(item is not Ellipsis for item in index):
            index = (*index, Ellipsis)  # a view even of a single element
        return Array(self._data[index])

    def __setitem__(self, index: Any, value: Any) -> None:
        self._data[_inside(index)] = _inside(value)

    def __getattr__(self, method: str) -> Any:
        if method.startswith("__"):
            raise AttributeError(method)
        function = getattr(self._data, method)

        def call(*args: Any, **kwargs: Any) -> Any:
            return _outside(function(*_inside(args), **_inside(kwargs)))

        return call


def _operator(function: Any, reflected: bool = False) -> Any:
    def method(self: Array, *others: Any) -> Any:
        operands = [self._data, *map(_inside, others)]
        return _outside(function(*(reversed(operands) if reflected else operands)))

    return method


for _name in ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul"):
    setattr(Array, f"__{_name}__", _operator(getattr(operator, f"__{_name}__")))
    setattr(Array, f"__r{_name}__", _operator(getattr(operator, f"__{_name}__"), True))
for _name in ("and", "or", "xor", "lshift", "rshift"):
    setattr(Array, f"__{_name}__", _operator(getattr(operator, f"__{_name}__")))
    setattr(Array, f"__r{_name}__", _operator(getattr(operator, f"__{_name}__"), True))
for _name in ("lt", "le", "gt", "ge", "eq", "ne", "neg", "pos", "abs", "invert"):
    setattr(Array, f"__{_name}__", _operator(getattr(operator, f"__{_name}__")))


def _inside(x: Any) -> Any:
    """Arguments as NumPy's functions need them."""
    if isinstance(x, Array):
        return x._data
    if isinstance(x, (numpy.ndarray, numpy.generic)):
        raise TypeError(f"a NumPy value of type {type(x).__name__} met a device array")
    if isinstance(x, (tuple, list)):
        return type(x)(map(_inside, x))
    if isinstance(x, dict):
        return {key: _inside(value) for key, value in x.items()}
    return x


def _outside(x: Any) -> Any:
    """Results as the program sees them."""
    if isinstance(x, (numpy.ndarray, numpy.generic)):
        return Array(numpy.asarray(x))
    if isinstance(x, tuple) and hasattr(x, "_fields"):
        return type(x)(*map(_outside, x))
    return type(x)(map(_outside, x)) if isinstance(x, (tuple, list)) else x


class _Function:
    """A function or type of NumPy that takes and gives arrays of this module."""

    def __init__(self, function: Any):
        self._function = function

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return _outside(self._function(*_inside(args), **_inside(kwargs)))

    def at(self, *args: Any) -> None:
        self._function.at(*_inside(args))


class _Module:
    """A module of NumPy's, such as ``linalg``, behind the wall."""

    def __init__(self, module: types.ModuleType):
        self._module = module

    def __getattr__(self, attribute: str) -> Any:
        return _wrapped(getattr(self._module, attribute))


def _wrapped(found: Any) -> Any:
    if isinstance(found, types.ModuleType):
        return _Module(found)
    return _Function(found) if callable(found) else found


def __getattr__(attribute: str) -> Any:
    if attribute.startswith("__"):
        raise AttributeError(attribute)
    return _wrapped(getattr(numpy, attribute))


# -- the functions of a backend --------------------------------------------------------------------


def module() -> Any:
    """This module is both the backend and its library."""
    return sys.modules[__name__]


def from_host(x: Any) -> Any:
    return Array(numpy.array(x))


def to_host(x: Any) -> Any:
    return x._data if isinstance(x, Array) else x


def is_array(x: Any) -> bool:
    return isinstance(x, Array)
