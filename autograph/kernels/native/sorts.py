"""Where the functions are by which NumPy sorts, for kernels to call.

Each dtype has a table of functions, among them three that sort elements and three that sort the
numbers of their places. These are what `np.sort` and `np.argsort` call, with what they choose for
the machine. So equal elements come in the order in which they come there. Whether that is so is
tried, for each function once, before one is used.
"""

from __future__ import annotations

import ctypes
import functools
import re
from collections.abc import Iterable, Sequence

import numpy as np

from autograph.kernels.ir.partitions import is_kind
from autograph.kernels.native import partitions, python_api

_KINDS = {"quick": "quicksort", "heap": "heapsort", "stable": "stable"}  # in NumPy's order

# In the table, after conversions to 21 dtypes and 12 other functions.
_SORTS, _ARGSORTS = 33, 36

_SYMBOL = re.compile(r"@((sort|argsort)_of\.(\w+)\.(\w+))\.array = ")


@functools.cache
def _array(dtype: str) -> np.ndarray:
    """The array that functions are given besides, which is never freed."""
    return np.empty(1, dtype)


@functools.cache
def _function(name: str, kind: str, dtype: str) -> int:
    """The address of a function; 0 if there is none that does what NumPy does.

    Args:
        name: "sort" or "argsort".
    """
    table_of = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.py_object)(
        python_api.numpy_function("_PyDataType_GetArrFuncs")
    )
    table = ctypes.cast(table_of(np.dtype(dtype)), ctypes.POINTER(ctypes.c_size_t))
    number = (_SORTS if name == "sort" else _ARGSORTS) + list(_KINDS).index(kind)
    address = table[number]
    return address if address and _is_right(address, name, kind, dtype) else 0


def _is_right(address: int, name: str, kind: str, dtype: str) -> bool:
    """Whether a function sorts as NumPy does: many elements with equal ones among them."""
    for count, different in ((7, 100), (300, 40), (1000, 10**6)):
        values = (np.arange(count) * 7919 % different).astype(dtype)
        if values.dtype.kind in "fc":
            values[:: max(count // 5, 3)] = np.nan
        wanted = getattr(np, name)(values, kind=_KINDS[kind])
        found = values.copy() if name == "sort" else np.arange(count, dtype=np.int64)
        given = (values, found) if name == "argsort" else (found,)
        call = ctypes.CFUNCTYPE(
            ctypes.c_int, *[ctypes.c_void_p] * len(given), ctypes.c_ssize_t, ctypes.py_object
        )(address)
        status = call(*(x.ctypes.data for x in given), count, _array(dtype))
        if status != 0 or found.tobytes() != wanted.tobytes():
            return False
    return True


def available(name: str, kind: str, dtype: np.dtype) -> bool:
    """Whether kernels may call a function.

    Args:
        name: "sort" or "argsort".
        kind: see `ir.SortCall`.
    """
    if np.intp().itemsize != 8 or not python_api.usable():
        return False
    if is_kind(kind):
        return partitions.available(name)
    return bool(_function(name, kind, dtype.name))


def sorts_in(texts: Iterable[str]) -> list[tuple[str, str, str, str]]:
    """What texts of LLVM IR call: for each function its symbol, "sort" or "argsort", the kind, and
    the name of the dtype."""
    return [tuple(found) for text in texts for found in _SYMBOL.findall(text)]


def addresses(sorts: Iterable[Sequence[str]]) -> dict[str, int]:
    """The addresses of what calls of some functions refer to.

    Args:
        sorts: see `sorts_in`.

    Raises:
        RuntimeError: NumPy does not have one of them.
    """
    found: dict[str, int] = {}
    for symbol, name, kind, dtype in sorts:
        if is_kind(kind):
            found |= partitions.addresses(symbol, name, kind, dtype)
            continue
        address = _function(name, kind, dtype)
        if not address:
            raise RuntimeError(f"NumPy has no function {name} of the kind {kind} for {dtype}")
        found |= {symbol: address, f"{symbol}.array": id(_array(dtype))}
    return found
