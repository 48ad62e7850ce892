"""Draws from NumPy's generators by kernels: its functions in C, and where generators are.

NumPy's module of generators has the functions, and tells where a generator's ``bitgen_t`` is, which
kernels are given.
"""

from __future__ import annotations

import ctypes
import functools
import re
from collections.abc import Iterable, Sequence

import numpy as np

_DECLARED = re.compile(r"declare [^@]*@(random_\w+)\(")

_pointer_in = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.py_object, ctypes.c_char_p)(
    ("PyCapsule_GetPointer", ctypes.pythonapi)
)


def place_of(bits: np.random.BitGenerator) -> int:
    """Where the ``bitgen_t`` of a bit generator is."""
    return _pointer_in(bits.capsule, b"BitGenerator")


@functools.cache
def _library() -> ctypes.CDLL | None:
    """NumPy's module of generators; None where it does not show its functions."""
    try:
        library = ctypes.CDLL(np.random._generator.__file__)
    except (AttributeError, OSError):
        return None
    return library if hasattr(library, "random_standard_normal") else None


@functools.cache
def available(function: str) -> bool:
    """Whether kernels can call a function; "" is none."""
    return not function or hasattr(_library(), function)


def functions_in(texts: Iterable[str]) -> list[str]:
    """The functions of NumPy's that texts of LLVM IR call."""
    return list(dict.fromkeys(name for text in texts for name in _DECLARED.findall(text)))


def addresses(functions: Sequence[str]) -> dict[str, int]:
    """The addresses of functions, by name.

    Raises:
        RuntimeError: NumPy does not have one.
    """
    found: dict[str, int] = {}
    for name in functions:
        function = getattr(_library(), name, None)
        if function is None:
            raise RuntimeError(f"NumPy has no function {name}")
        found[name] = ctypes.cast(function, ctypes.c_void_p).value or 0
    return found
