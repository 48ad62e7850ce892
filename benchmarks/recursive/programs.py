"""Functions that call themselves, in plain Python and NumPy."""

from __future__ import annotations

import numpy as np


def fibonacci(n):
    return n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)


def takeuchi(x, y, z):
    if y >= x:
        return z
    return takeuchi(takeuchi(x - 1, y, z), takeuchi(y - 1, z, x), takeuchi(z - 1, x, y))


def tree(left, right, value, i):
    if i < 0:
        return 0.0
    below = tree(left, right, value, left[i]) + tree(left, right, value, right[i])
    return value[i] + 0.5 * below


def sort_part(a, low, high):
    if low >= high:
        return
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


def quicksort(x):
    a = x.copy()
    sort_part(a, 0, len(a) - 1)
    return a


def merge_parts(a, other, low, high):
    if high - low < 2:
        return
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


def mergesort(x):
    a = x.copy()
    merge_parts(a, np.zeros(len(a)), 0, len(a))
    return a


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


def queens(empty):
    return place(empty.copy(), 0)


def wave(x, k):
    return np.sin(k * x * x)


def simpson(a, b, fa, fm, fb, tolerance, k):
    middle, h = (a + b) / 2, b - a
    fl, fr = wave((a + middle) / 2, k), wave((middle + b) / 2, k)
    whole = h / 6 * (fa + 4 * fm + fb)
    parts = h / 12 * (fa + 4 * fl + fm) + h / 12 * (fm + 4 * fr + fb)
    if abs(parts - whole) <= 15 * tolerance:
        return parts + (parts - whole) / 15
    left = simpson(a, middle, fa, fl, fm, tolerance / 2, k)
    return left + simpson(middle, b, fm, fr, fb, tolerance / 2, k)


def quadrature(k, a, b, tolerance):
    fa, fm, fb = wave(a, k), wave((a + b) / 2, k), wave(b, k)
    return simpson(a, b, fa, fm, fb, tolerance, k)
