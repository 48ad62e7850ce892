"""Numbers that are Python's on some paths: divisions raise there, and handlers find them."""

import numpy as np

from tests.support.oracle import Programs

programs = Programs()


@programs(np.array([1.0, 0.0]), 1.0)
@programs(np.array([1.0, 0.0]), -1.0)
def float_or_float64(a, c):
    t = 0.0
    if c > 0:
        t = a[1]
    return 1.0 / t


@programs(np.array([1.0, 0.0]), 1.0)
@programs(np.array([1.0, 0.0]), -1.0)
def handled_if_float(a, c):
    t = 0.0
    if c > 0:
        t = a[1]
    try:
        return 1.0 / t
    except ZeroDivisionError:
        return -1.0


@programs(np.array([1.0, 0.0]), 0)
@programs(np.array([1.0, 0.0]), 2)
def float_without_trips(a, n):
    t = 0.0
    for i in range(n):
        t = t + a[1]
    return 1.0 / t


@programs(np.array([1.0, 0.0]), 0)
@programs(np.array([1.0, 0.0]), 2)
def handled_without_trips(a, n):
    t = 0.0
    for i in range(n):
        t = t + a[1]
    try:
        return 1.0 / t
    except ZeroDivisionError:
        return -1.0


@programs(np.array([1.0, 2.0]), 1.0)
@programs(np.array([1.0, 0.0]), -1.0)
@programs(np.array([1.0, 0.0]), 0.0)
def types_by_path(a, c):
    try:
        return a[0] * (1.0 / c)
    except ZeroDivisionError:
        return -1.0


@programs(np.array([1.0, 2.0]), 1.0)
@programs(np.array([1.0, 0.0]), -1.0)
@programs(np.array([1.0, 0.0]), 0.0)
def returned_in_a_try(a, c):
    try:
        y = 1 / c
        return a[0]
    except ZeroDivisionError:
        return -1.0


@programs(1)
@programs(0)
@programs(2)
def int_or_float(n):
    try:
        return 10 // n
    except ZeroDivisionError:
        return 0.5


@programs(1)
@programs(0)
@programs(2)
def with_else_and_finally(n):
    try:
        y = 10 // n
    except ZeroDivisionError:
        y = 0.5
    else:
        y = y + 1
    finally:
        n = n + 1
    return (y, n)


@programs(1)
@programs(0)
@programs(2)
def read_by_the_handler(n):
    y = 7
    try:
        y = 1
        y = 10 // n
    except ZeroDivisionError:
        y = y * 0.5
    return y


@programs(3)
@programs(1)
def a_try_in_a_loop_in_a_try(n):
    t = 0.0
    try:
        for i in range(n):
            try:
                t += 1 / (i - 1)
            except ZeroDivisionError:
                t += 100 / (n - 3)
            t += 10
    except ZeroDivisionError:
        t = -t
    return t


@programs(0)
@programs(2)
@programs(5)
def remainders(n):
    t = 0
    if n > 0:
        t = np.int64(n - 2)
    return 7 // t, 7 % t


@programs.test
def test_divisions_of_mixed_numbers(call):
    call.run()
