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


def receiver(types: Sequence[ArrayType], effect: Callable[..., None]) -> Callable[..., None]:
    """What a kernel calls for an effect, which happens once; see `autograph.kernels.effects`.

    Args:
        types: of the arguments.
    """
    if all(t.weak and not t.shape for t in types):
        return effects.once(effect)
    takers = tuple(map(_taker, types))

    def call(*given: Any) -> None:
        remaining = iter(given)
        effect(*[take(remaining) for take in takers])

    return effects.once(call)


def _taker(type: ArrayType) -> Callable[[Iterator[Any]], Any]:
    """What makes an argument of numbers that a kernel gives."""
    dtype = type.dtype
    if not type.shape:
        kind = PYTHON_TYPES[dtype] if type.weak else dtype.type
        return lambda given: kind(next(given))

    def take(given: Iterator[Any]) -> np.ndarray:
        """A copy, since the kernel writes to its memory again."""
        address = next(given)
        shape = [next(given) if is_length(n) else n for n in type.known_shape]
        count = math.prod(shape)
        if not count:
            return np.empty(shape, dtype)
        memory = (ctypes.c_char * (count * dtype.itemsize)).from_address(address)
        return np.frombuffer(memory, dtype).reshape(shape).copy()

    return take
