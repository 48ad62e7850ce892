"""Lists of numbers as arrays, by machine code: at each quick call of a function that takes lists as
arrays, see `autograph.staging.lists.packed`."""

from __future__ import annotations

import ctypes
import functools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from autograph.kernels.native import python_api
from autograph.kernels.native.availability import available
from autograph.kernels.native.parts import link_c

_PYTHON = (
    *("PyTuple_Type", "PyLong_Type", "PyTuple_Size", "PyTuple_GetItem", "PyList_Size"),
    *("PyList_GetItem", "PyFloat_AsDouble", "PyLong_AsLongLongAndOverflow"),
)


def converter(
    classes: Sequence[type], dtypes: Sequence[Any], of_tuples: bool
) -> Callable[[list], list[np.ndarray] | None] | None:
    """What makes arrays of a list, or gives None if the list is no such one.

    Args:
        classes: of the parts of an element: float, int or np.float64.
        dtypes: of the arrays.
        of_tuples: whether elements are tuples; else there is one part.

    Returns:
        None where there is no machine code.
    """
    if not available() or not python_api.usable():
        return None
    fill, wanted, kinds = _filler(), tuple(classes), tuple(dtypes)

    def convert(items: list) -> list[np.ndarray] | None:
        arrays = [np.empty(len(items), dtype) for dtype in kinds]
        return arrays if fill(items, of_tuples, wanted, tuple(arrays)) else None

    return convert


@functools.cache
def _filler() -> Any:
    code = link_c(("lists",), ("ag_numbers",), python_api.addresses(_PYTHON), python_api.CONSTANTS)
    kinds = (ctypes.c_int64, ctypes.py_object, ctypes.c_int64, ctypes.py_object, ctypes.py_object)
    return ctypes.PYFUNCTYPE(*kinds)(code.addresses["ag_numbers"])
