"""numba: the functions as they are, where each path of one that calls itself returns something."""

from __future__ import annotations

from collections.abc import Callable

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

wave = numba.njit(programs.wave)


@numba.njit
def fibonacci(n):
    return n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)


@numba.njit
def takeuchi(x, y, z):
    if y >= x:
        return z
    return takeuchi(takeuchi(x - 1, y, z), takeuchi(y - 1, z, x), takeuchi(z - 1, x, y))


@numba.njit
def tree(left, right, value, i):
    if i < 0:
        return 0.0
    below = tree(left, right, value, left[i]) + tree(left, right, value, right[i])
    return value[i] + 0.5 * below


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
def quicksort(x):
    a = x.copy()
    sort_part(a, 0, len(a) - 1)
    return a


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


@numba.njit
def mergesort(x):
    a = x.copy()
    merge_parts(a, np.zeros(len(a)), 0, len(a))
    return a


@numba.njit
def place(board, row):
    n = len(board)
    if row == n:
        return 1
    count = 0
    for column in range(n):
        free = True
        for other in range(row):
            if board[other] == column or abs(board[other] - column) == row - other:
                free = False
                break
        if free:
            board[row] = column
            count += place(board, row + 1)
    return count


@numba.njit
def queens(empty):
    return place(empty.copy(), 0)


@numba.njit
def simpson(a, b, fa, fm, fb, tolerance, k):
    middle, h = (a + b) / 2, b - a
    fl, fr = wave((a + middle) / 2, k), wave((middle + b) / 2, k)
    whole = h / 6 * (fa + 4 * fm + fb)
    parts = h / 12 * (fa + 4 * fl + fm) + h / 12 * (fm + 4 * fr + fb)
    if abs(parts - whole) <= 15 * tolerance:
        return parts + (parts - whole) / 15
    left = simpson(a, middle, fa, fl, fm, tolerance / 2, k)
    return left + simpson(middle, b, fm, fr, fb, tolerance / 2, k)


@numba.njit
def quadrature(k, a, b, tolerance):
    fa, fm, fb = wave(a, k), wave((a + b) / 2, k), wave(b, k)
    return simpson(a, b, fa, fm, fb, tolerance, k)


def _maker(function: Callable) -> Callable:
    return lambda *args: lambda: function(*args)


_WRITTEN = (fibonacci, takeuchi, tree, quicksort, mergesort, queens, quadrature)
MAKERS = {function.__name__: _maker(function) for function in _WRITTEN}
