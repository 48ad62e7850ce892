"""Lists of numbers, and lists of such lists, as arrays, by machine code: at each quick call of a
function that takes lists as arrays, see `autograph.staging.lists.packed`, and at each call of one
that takes rows in heaps, see `autograph.staging.lists.given_rows`."""

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
    *("PyTuple_Type", "PyList_Type", "PyLong_Type", "PyTuple_Size", "PyTuple_GetItem"),
    *(
        "PyList_Size",
        "PyList_GetItem",
        "PyList_SetItem",
        "Py_IncRef",
        "PyFloat_AsDouble",
        "PyLong_AsLongLongAndOverflow",
    ),
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
    fill, wanted, kinds = _function("ag_numbers", 4), tuple(classes), tuple(dtypes)

    def convert(items: list) -> list[np.ndarray] | None:
        arrays = [np.empty(len(items), dtype) for dtype in kinds]
        return arrays if fill(items, of_tuples, wanted, tuple(arrays)) else None

    return convert


def rows(
    lists: list, classes: Sequence[type], dtypes: Sequence[Any], of_tuples: bool
) -> tuple[np.ndarray, list[np.ndarray]] | None:
    """How many items each of some lists has, and arrays of the items of all, one after the other.

    Args:
        lists: what may be lists with such items, no two of them the same one.
        classes, dtypes, of_tuples: see `converter`.

    Returns:
        None if they are not, and where there is no machine code.
    """
    if not available() or not python_api.usable():
        return None
    lengths = np.empty(len(lists), np.int64)
    seen = np.zeros(1 << (2 * len(lists)).bit_length(), np.int64)
    total = _function("ag_row_lengths", 3)(lists, lengths, seen)
    if total < 0:
        return None
    arrays = [np.empty(total, dtype) for dtype in dtypes]
    fill = _function("ag_rows", 5)
    return (
        (lengths, arrays)
        if fill(lists, lengths, of_tuples, tuple(classes), tuple(arrays))
        else None
    )


def write_rows(lists: list[list], lengths: np.ndarray, items: list) -> bool:
    """Let some lists, which keep their lengths, have some items, one after the other.

    Returns:
        Whether they do now: not where they have other lengths, or there is no machine code.
    """
    if not available() or not python_api.usable():
        return False
    return bool(_function("ag_write_rows", 3)(lists, lengths, items))


@functools.cache
def _function(name: str, count: int) -> Any:
    """One of the functions of the file; the last but two of its operands is a number, if it has
    more than three."""
    names = "ag_numbers", "ag_row_lengths", "ag_rows", "ag_write_rows"
    code = link_c(("lists",), names, python_api.addresses(_PYTHON), python_api.CONSTANTS)
    kinds: list[Any] = [ctypes.py_object] * count
    if count > 3:
        kinds[-3] = ctypes.c_int64
    return ctypes.PYFUNCTYPE(ctypes.c_int64, *kinds)(code.addresses[name])
