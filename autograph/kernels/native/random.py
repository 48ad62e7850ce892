"""Draws from NumPy's generators by kernels: its functions in C, and where generators are.

NumPy's module of generators has the functions, and tells where a generator's ``bitgen_t`` is. A
kernel finds that of a generator from outside in a cell, since it is another one at each call.
"""

from __future__ import annotations

import ctypes
import functools
import os
import re
import threading
from collections.abc import Iterable, Sequence

import numpy as np

from autograph.kernels.ir.draws import CELL

_SYMBOL = re.compile(rf"@({re.escape(CELL)}\d+) = |declare [^@]*@(random_\w+)\(")


class GeneratorCell:
    """Where kernels find a generator from outside.

    Attributes:
        lock: of who runs such kernels.
    """

    def __init__(self) -> None:
        self.lock = threading.RLock()
        self._content = ctypes.c_void_p()

    @property
    def address(self) -> int:
        return ctypes.addressof(self._content)

    def put(self, bits: np.random.BitGenerator) -> int | None:
        """Have kernels find a generator, by its bit generator; gives what was there before."""
        return self.put_back(_place_of(bits))

    def put_back(self, content: int | None) -> int | None:
        """The same, by what was there."""
        before, self._content.value = self._content.value, content
        return before


_cells: dict[int, GeneratorCell] = {}


def cell_of(number: int) -> GeneratorCell:
    """The cell of the generator with a number; machine code keeps its address, so it stays."""
    return _cells.setdefault(number, GeneratorCell())


def _forked() -> None:
    """Of a new process only the thread that forked goes on: nobody else holds a lock."""
    for cell in _cells.values():
        cell.lock = threading.RLock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forked)


def _place_of(bits: np.random.BitGenerator) -> int:
    """Where the ``bitgen_t`` of a bit generator is."""
    get = ctypes.pythonapi.PyCapsule_GetPointer
    get.restype, get.argtypes = ctypes.c_void_p, (ctypes.py_object, ctypes.c_char_p)
    return get(bits.capsule, b"BitGenerator")


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


def symbols_in(texts: Iterable[str]) -> list[tuple[str, str]]:
    """What texts of LLVM IR refer to: what it is called there, and what it is here."""
    found = (pair for text in texts for pair in _SYMBOL.findall(text))
    return [(name, name) for name in dict.fromkeys(a or b for a, b in found)]


def addresses(symbols: Sequence[Sequence[str]]) -> dict[str, int]:
    """The addresses of what is in `symbols_in`, by what they are called in machine code.

    Raises:
        RuntimeError: NumPy does not have a function.
    """
    found: dict[str, int] = {}
    for name, symbol in symbols:
        if symbol.startswith(CELL):
            found[name] = cell_of(int(symbol.removeprefix(CELL))).address
            continue
        function = getattr(_library(), symbol, None)
        if function is None:
            raise RuntimeError(f"NumPy has no function {symbol}")
        found[name] = ctypes.cast(function, ctypes.c_void_p).value or 0
    return found
