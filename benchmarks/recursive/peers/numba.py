"""numba: the functions as they are, where each path of one that calls itself returns something."""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType

import numba
import numpy as np

from benchmarks.recursive import programs

PACKAGE = "numba"
REFUSES = {"derivative": "no derivatives"}
NOTES = {
    "quicksort": "its recursive function returns a number",
    "mergesort": "its recursive function returns a number",
}

to_numpy = np.asarray


def _jitted(function: FunctionType) -> Callable:
    """A program compiled, with those that it calls, itself among them, of this module."""
    return numba.njit(FunctionType(function.__code__, globals(), function.__name__))


wave, fibonacci, takeuchi, tree, quicksort, mergesort, place, queens, simpson, quadrature = map(
    _jitted,
    (
        *(programs.wave, programs.fibonacci, programs.takeuchi, programs.tree),
        *(programs.quicksort, programs.mergesort, programs.place, programs.queens),
        *(programs.simpson, programs.quadrature),
    ),
)


@numba.njit
def sort_part(a, low, high):
    if low >= high:
        return 0
    pivot, i = a[high], low
    for j in range(low, high):
        if a[j] < pivot:
            kept = a[i]
            a[i] = a[j]
            a[j] = kept
            i += 1
    a[high] = a[i]
    a[i] = pivot
    sort_part(a, low, i - 1)
    sort_part(a, i + 1, high)
    return 0


@numba.njit
def merge_parts(a, other, low, high):
    if high - low < 2:
        return 0
    middle = (low + high) // 2
    merge_parts(a, other, low, middle)
    merge_parts(a, other, middle, high)
    i, j = low, middle
    for k in range(low, high):
        if i < middle and (j >= high or a[i] <= a[j]):
            other[k] = a[i]
            i += 1
        else:
            other[k] = a[j]
            j += 1
    for k in range(low, high):
        a[k] = other[k]
    return 0


def _maker(function: Callable) -> Callable:
    return lambda *args: lambda: function(*args)


_WRITTEN = (fibonacci, takeuchi, tree, quicksort, mergesort, queens, quadrature)
MAKERS = {function.__name__: _maker(function) for function in _WRITTEN}
