"""Where the loops of NumPy's generalised ufuncs are, for kernels to call.

A ufunc is a C structure that is a part of NumPy's API: it has tables of its loops, of the data that
each is given, and of the dtypes that each is for. NumPy below version 2 has no such ufuncs for
Fourier transforms.
"""

from __future__ import annotations

import ctypes
import functools
import importlib
import platform
import re
from collections.abc import Iterable, Sequence

import numpy as np

from autograph.kernels.native import python_api
from ops.core.inner_loops import ufunc_named
from ops.core.records import NamedTuple

# What else than the loops themselves kernels call: of Python, and of C.
PYTHON = ("PyGILState_Ensure", "PyErr_Occurred", "PyGILState_Release")
ENVIRONMENT = ("feclearexcept", "fetestexcept")

# Where the flag of invalid operations has the number that kernels ask for.
_MACHINES = ("x86_64", "amd64", "aarch64", "arm64")

_SYMBOL = re.compile(r"@(loop_of\.([\w.]+)\.(\w+))\.data = ")


class _Ufunc(ctypes.Structure):
    """The beginning of NumPy's PyUFuncObject, after what all objects begin with."""

    _fields_ = (
        ("nin", ctypes.c_int),
        ("nout", ctypes.c_int),
        ("nargs", ctypes.c_int),
        ("identity", ctypes.c_int),
        ("functions", ctypes.POINTER(ctypes.c_void_p)),
        ("data", ctypes.POINTER(ctypes.c_void_p)),
        ("ntypes", ctypes.c_int),
        ("reserved", ctypes.c_int),
        ("name", ctypes.c_char_p),
        ("types", ctypes.POINTER(ctypes.c_byte)),
    )


class InnerLoop(NamedTuple):
    """Addresses: of a function, and of the data that it is given."""

    function: int
    data: int


@functools.cache
def inner_loop(ufunc: str, types: str) -> InnerLoop | None:
    """A loop of a ufunc; None if there is none, or it is not found.

    Args:
        ufunc: its name, with that of its module.
        types: the characters of the dtypes of operands and results.
    """
    found = ufunc_named(ufunc)
    if found is None or found.signature is None:
        return None
    head = _Ufunc.from_address(id(found) + object.__basicsize__)
    own = (found.nin, found.nout, found.nargs, found.ntypes, found.__name__.encode())
    if (head.nin, head.nout, head.nargs, head.ntypes, head.name) != own or len(types) != head.nargs:
        return None
    numbers = [np.dtype(t).num for t in types]
    for k in range(head.ntypes):
        if head.types[k * head.nargs : (k + 1) * head.nargs] == numbers:
            return InnerLoop(head.functions[k] or 0, (head.data[k] or 0) if head.data else 0)
    return None


def available(ufunc: str, types: str, fails: bool) -> bool:
    """Whether kernels may call a loop.

    Args:
        fails: whether they have to know whether it failed.
    """
    found = inner_loop(ufunc, types)
    if found is None or not found.function or not python_api.usable():
        return False
    if fails and platform.machine().lower() not in _MACHINES:
        return False
    return len(_environment()) == len(ENVIRONMENT)


def loops_in(texts: Iterable[str]) -> list[tuple[str, str, str]]:
    """What texts of LLVM IR call: for each loop their symbol, the ufunc's name, and the types."""
    return [tuple(found) for text in texts for found in _SYMBOL.findall(text)]


def addresses(loops: Iterable[Sequence[str]]) -> dict[str, int]:
    """The addresses of what calls of some loops refer to.

    Args:
        loops: see `loops_in`.

    Raises:
        RuntimeError: NumPy does not have one of them.
    """
    found: dict[str, int] = {}
    for symbol, ufunc, types in loops:
        loop = inner_loop(ufunc, types)
        if loop is None:
            raise RuntimeError(f"NumPy has no loop {types} of {ufunc}")
        found |= {symbol: loop.function, f"{symbol}.data": loop.data}
    return found | python_api.addresses(PYTHON) | _environment() if found else {}


@functools.cache
def _environment() -> dict[str, int]:
    """The functions of C's floating-point environment that NumPy's extension has loaded."""
    module = importlib.import_module("numpy._core._multiarray_umath")
    try:
        library = ctypes.CDLL(module.__file__)
        functions = {name: getattr(library, name) for name in ENVIRONMENT}
    except (OSError, AttributeError):
        return {}
    return {n: ctypes.cast(f, ctypes.c_void_p).value or 0 for n, f in functions.items()}
