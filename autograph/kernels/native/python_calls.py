"""Functions of Python's that kernels call.

Machine code knows them by symbols, whose addresses are those of the objects. What it gives them are
numbers and the addresses of arrays.
"""

from __future__ import annotations

import ctypes
import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from autograph.kernels import effects
from autograph.kernels.native import python_api
from autograph.kernels.native.signature import PYTHON_TYPES
from ops.core.symbolic_lengths import is_length
from ops.core.types import ArrayType

# What calls need of CPython.
_PYTHON = (
    *("PyGILState_Ensure", "PyGILState_Release", "PyObject_VectorcallDict", "Py_DecRef"),
    *("PyLong_FromLongLong", "PyLong_FromUnsignedLongLong"),
    *("PyFloat_FromDouble", "PyBool_FromLong"),
)

_SYMBOL = re.compile(r"@(function_of\.([\w.]+)) = ")


def functions_in(texts: Iterable[str]) -> list[tuple[str, str]]:
    """What texts of LLVM IR call: for each function its symbol and its name."""
    found = dict(pair for text in texts for pair in _SYMBOL.findall(text))
    decoded = lambda match: chr(int(match[1], 16))
    return [(k, re.sub(r"\.([0-9a-f]+)\.", decoded, name)) for k, name in found.items()]


def addresses(called: Iterable[Sequence[str]], functions: Mapping[str, Any]) -> dict[str, int]:
    """The addresses of what calls of some functions refer to; the functions have to be kept.

    Args:
        called: see `functions_in`.
        functions: by their names.
    """
    found = {symbol: id(functions[name]) for symbol, name in called}
    return found | python_api.addresses(_PYTHON) if found else {}


def receiver(
    types: Sequence[ArrayType], results: Sequence[ArrayType], function: Callable[..., Any]
) -> Callable[..., None]:
    """What a kernel calls in the place of a function.

    It is given numbers and the addresses of arrays, then the lengths known only at run time, of
    arguments and results, and the addresses to which results go.

    Args:
        types: of the arguments.
        results: of the results. If there are none, the function has an effect, which happens once;
            see `autograph.kernels.effects`.
    """
    if not results and not any(t.shape for t in types):
        return effects.once(_of_numbers(types, function))
    takers = [_taker(t, copies=not results) for t in types]
    first, last = len(types), -len(results) or None

    def call(*given: Any) -> None:
        lengths = iter(given[first:last])
        found = function(*[take(x, lengths) for take, x in zip(takers, given)])
        if results:
            for place, address, result in zip(places, given[last:], found if several else (found,)):
                place(address, lengths)[...] = result

    if not results:
        return effects.once(call)
    places, several = [_viewer(t) for t in results], len(results) > 1
    return call


def _of_numbers(types: Sequence[ArrayType], function: Callable[..., Any]) -> Callable[..., Any]:
    """A function that is given Python's numbers in the place of NumPy's."""
    if all(t.weak for t in types):
        return function
    kinds = [None if t.weak else t.dtype.type for t in types]
    return lambda *given: function(*[x if k is None else k(x) for k, x in zip(kinds, given)])


_Taker = Callable[[Any, Iterator[int]], Any]


def _taker(type: ArrayType, copies: bool) -> _Taker:
    """What makes an argument of what a kernel gives, and of lengths.

    Args:
        copies: whether an array may be kept, while the kernel writes to its memory again.
    """
    if not type.shape:
        kind = PYTHON_TYPES[type.dtype] if type.weak else type.dtype.type
        return lambda x, lengths: kind(x)
    view = _viewer(type)

    def take(x: int, lengths: Iterator[int]) -> np.ndarray:
        found = view(x, lengths)
        if copies:
            return found.copy()
        found.flags.writeable = False
        return found

    return take


def _viewer(type: ArrayType) -> Callable[[int, Iterator[int]], np.ndarray]:
    """What makes an array of memory of a kernel's at some address."""
    dtype, known = type.dtype, type.known_shape

    def view(address: int, lengths: Iterator[int]) -> np.ndarray:
        shape = [next(lengths) if is_length(n) else n for n in known]
        count = math.prod(shape)
        if not count:
            return np.empty(shape, dtype)
        memory: Any = (ctypes.c_char * (count * dtype.itemsize)).from_address(address)
        return np.frombuffer(memory, dtype).reshape(shape)

    return view
