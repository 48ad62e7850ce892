"""Partitions by NumPy, for kernels to call.

Which function NumPy partitions by depends on the machine, and none is in a table: so kernels call
the C API, which takes arrays. Whether that does what ``np.partition`` and ``np.argpartition`` do is
tried once.
"""

from __future__ import annotations

import ctypes
import functools

import numpy as np

from autograph.kernels.ir.partitions import places_of
from autograph.kernels.native import python_api

_PYTHON = ("PyGILState_Ensure", "PyGILState_Release", "Py_IncRef", "Py_DecRef")


def _function(name: str) -> str:
    """NumPy's function that partitions an array, or its places."""
    return "PyArray_Partition" if name == "sort" else "PyArray_ArgPartition"


@functools.cache
def available(name: str) -> bool:
    """Whether NumPy's function does what it is to do.

    Args:
        name: "sort" or "argsort".
    """
    x, kth = (np.arange(500) * 7919 % 101).astype(float), np.array([3, 100])
    call = python_api.numpy_function(_function(name))
    given = (ctypes.py_object, ctypes.py_object, ctypes.c_int, ctypes.c_int)
    if name == "argsort":
        found = ctypes.PYFUNCTYPE(ctypes.py_object, *given)(call)(x, kth, 0, 0)
        return bool(np.array_equal(found, np.argpartition(x, kth)))
    wanted = np.partition(x, kth)
    status = ctypes.PYFUNCTYPE(ctypes.c_int, *given)(call)(x, kth, 0, 0)
    return status == 0 and bool(np.array_equal(x, wanted))


def addresses(symbol: str, name: str, kind: str, dtype: str) -> dict[str, int]:
    """The addresses of what a call of a partition refers to.

    Args:
        symbol: see `autograph.kernels.ir.ir.SortCall`.
        name: "sort" or "argsort".
    """
    numpy = ("PyArray_Type", "PyArray_NewFromDescr", _function(name))
    found = python_api.addresses(_PYTHON, numpy)
    return found | {f"{symbol}.array": id(np.dtype(dtype)), f"{symbol}.kth": id(places_of(kind))}
