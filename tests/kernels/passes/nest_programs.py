"""Programs of nests of loops over matrices, of 23 rows if their name says nothing else."""

import numpy as np

A, B, C = np.random.default_rng(0).normal(size=(3, 23, 23))
EXACT = 0.0  # units in the last place: elements are computed in the order that is written


def by_rows(c, a, b):
    for i in range(23):
        for k in range(23):
            c[i] += 1.5 * a[i, k] * b[k]
    return c


def by_elements(c, a, b):
    for i in range(23):
        for j in range(23):
            for k in range(23):
                c[i, j] += a[i, k] * b[k, j]
    return c


def inner_columns(c, a, b):
    for k in range(23):
        for j in range(23):
            for i in range(23):
                c[i, j] -= a[i, k] * b[k, j]
    return c


def symmetric(c, a, b):
    for i in range(23):
        for j in range(23):
            total = 0.0
            for k in range(i):
                c[k, j] += b[i, j] * a[i, k]
                total += b[k, j] * a[i, k]
            c[i, j] = c[i, j] + b[i, j] * a[i, i] + total
    return c


def factors(a, b, c):
    for i in range(23):
        for j in range(i):
            for k in range(j):
                a[i, j] -= a[i, k] * a[k, j]
            a[i, j] /= a[j, j] + 10.0
        for j in range(i, 23):
            for k in range(i):
                a[i, j] -= a[i, k] * a[k, j]
    return a


def shortest(a, b, c):
    for k in range(23):
        for i in range(23):
            for j in range(23):
                a[i, j] = min(a[i, j], a[i, k] + a[k, j])
    return a


def backwards(c, a, b):
    for i in range(22, -1, -1):
        for k in range(22, 3, -2):
            c[i, ::-1] += a[i, k] * b[k]
    return c


def against_the_diagonal(a, b, c):
    for i in range(1, 23):
        for j in range(22):
            a[i, j] = a[i - 1, j + 1] + b[i, j]
    return a


def down_the_diagonal(a, b, c):
    for i in range(1, 23):
        for j in range(1, 23):
            a[i, j] = a[i - 1, j - 1] * 0.5 + b[i, j]
    return a


def down_columns(a, b, c):
    for j in range(23):
        for i in range(1, 23):
            a[i, j] += a[i - 1, j]
    return a


def along_rows(a, b, c):
    for i in range(23):
        for j in range(1, 23):
            a[i, j] += a[i, j - 1]
    return a


def neighbours(a, b, c):
    for i in range(1, 22):
        for j in range(1, 22):
            a[i, j] = (a[i - 1, j] + a[i, j - 1] + a[i, j + 1] + a[i + 1, j]) * 0.25
    return a


def written_for_others(a, b, c):
    for i in range(23):
        for j in range(23):
            a[j, i] = a[i, j] + b[i, 22 - j]
    return a


def one_row_for_all(a, b, c):
    for i in range(23):
        for j in range(23):
            a[7, j] = a[7, j] * 0.5 + b[i, j] * a[i, j]
    return a


def no_trips(a, b, c):
    for i in range(23):
        for j in range(i, 5):
            for k in range(j, 2):
                a[i, j] += b[i, k] * c[k, j]
    return a


def leaves_early(a, b, c):
    for i in range(23):
        for j in range(23):
            if b[i, j] > 1.5:
                break
            for k in range(23):
                a[i, j] += b[i, k] * c[k, j]
    return a


def with_a_row_that_changes(a, b, c):
    for i in range(23):
        row = a[i] * 2.0
        for k in range(23):
            a[i] = row - b[i, k] * a[k]
    return a


def whole_arrays(a, b, c):
    for k in range(23):
        a = np.minimum(a, a[:, k : k + 1] + a[k])
    return a


def whole_arrays_of_the_row_above(a, b, c):
    for k in range(1, 23):
        a[1:] = a[:-1] + a[k, k] - a[:-1, k : k + 1] * b[k]
    return a


PROGRAMS = [
    whole_arrays,
    whole_arrays_of_the_row_above,
    by_rows,
    by_elements,
    inner_columns,
    symmetric,
    factors,
    shortest,
    backwards,
    against_the_diagonal,
    down_the_diagonal,
    down_columns,
    along_rows,
    neighbours,
    written_for_others,
    one_row_for_all,
    no_trips,
    leaves_early,
    with_a_row_that_changes,
]


def rows_of_any_number(c, a, b):
    for i in range(len(c)):
        for k in range(len(b)):
            c[i] += a[i, k] * b[k]
    return c


def elements_of_any_number(c, a, b):
    for i in range(len(c)):
        for j in range(c.shape[1]):
            for k in range(len(b)):
                c[i, j] += a[i, k] * b[k, j]
    return c


def triangle_of_any_number(c, a, b):
    for i in range(len(c)):
        for j in range(i, len(c)):
            for k in range(i):
                c[i, j] -= c[i, k] * c[k, j]
    return c
