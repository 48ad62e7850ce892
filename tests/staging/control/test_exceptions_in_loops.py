"""Exceptions known only at run time, in loops and around them."""

import math

import numpy as np
import pytest

from tests.support.oracle import Programs, check

programs = Programs()


@programs(np.array([1.0, 0.0, 2.0]))
@programs(np.array([1.0, 2.0]))
def loop_inside(a):
    t = 0.0
    try:
        for v in a:
            t += 1 / float(v)
    except ZeroDivisionError:
        t = t - 100.0
    return t


@programs(np.array([1.0, 0.0]))
def fl_elem2(a):
    s = 0.0
    for v in a:
        try:
            s += 1.0 / v
        except ZeroDivisionError:
            s += 100.0
    return s


@programs(5)
@programs(0)
def stopit(n):
    try:
        while True:
            n -= 1
            if n < 0:
                raise StopIteration
    except StopIteration:
        pass
    return n


@programs(np.array([1, 2, 3]), 2)
@programs(np.array([1, 2, 3]), 7)
def found(a, k):
    try:
        for i in range(len(a)):
            for j in range(len(a)):
                if a[i] * a[j] == k * 2:
                    raise ValueError
    except ValueError:
        return (i, j)
    return (-1, -1)


@programs(np.array([1.0, 0.0, 4.0]))
def contin(a):
    t = 0.0
    try:
        for v in a:
            if v == 0:
                continue
            t += 1 / float(v)
    except ZeroDivisionError:
        t = -1.0
    return t


@programs(np.array([1.0, 0.0, 4.0]))
@programs(np.array([1.0, 4.0]))
def for_else(a):
    t = 0.0
    try:
        for v in a:
            t += 1 / float(v)
            if t > 10:
                break
        else:
            t += 1000.0
    except ZeroDivisionError:
        t = t - 1.0
    return t


@programs(3.0, 0.0)
@programs(3.0, 2.0)
def while_in(x, y):
    n = 0
    try:
        while x > 0:
            n += 1
            x = x - 1 / y
    except ZeroDivisionError:
        n = n + 100
    return (n, x)


@programs(np.array([4.0, -1.0, 0.0]))
def several_in_loop(a):
    out = []
    for v in a:
        try:
            out.append(math.sqrt(v) + 1 / float(v))
        except ValueError:
            out.append(-1.0)
        except ZeroDivisionError:
            out.append(-2.0)
        finally:
            out.append(0.5)
    return out


@programs(2.0, 3)
@programs(0.0, 3)
def retry(x, n):
    k = 0
    while True:
        try:
            y = 1 / x
            break
        except ZeroDivisionError:
            x = x + 0.5
            k += 1
            if k > n:
                raise
    return (y, k)


@programs(2.0, -3)
@programs(0.0, -1)
def retry_raises(x, n):
    k = 0
    while True:
        try:
            y = 1 / (x * 0)
            break
        except ZeroDivisionError:
            k += 1
            if k > n:
                raise
    return (y, k)


@programs(np.array([1.0, 2.0, 0.0, 4.0]))
def loop_break_in_try(a):
    t = 0.0
    for v in a:
        try:
            if v == 2.0:
                continue
            t += 1 / float(v)
            if t > 100:
                break
        except ZeroDivisionError:
            t -= 0.5
            continue
        t += 0.25
    return t


@programs(np.array([1.0, 0.0]), np.array([0.0, 1.0]))
def nested_loops(a, b):
    t = 0.0
    n = 0
    for x in a:
        for y in b:
            try:
                t += 1 / float(x) + 1 / float(y)
            except ZeroDivisionError:
                n += 1
                continue
            t *= 2
    return (t, n)


@programs(np.array([1.0, 0.0]), np.array([0.0, 1.0]))
@programs(np.array([1.0]), np.array([1.0]))
def try_around_nested(a, b):
    t = 0.0
    n = 0
    try:
        for x in a:
            for y in b:
                n += 1
                t += 1 / float(x) + 1 / float(y)
    except ZeroDivisionError:
        t = -t
    return (t, n)


@programs(3)
@programs(0)
def while_try(n):
    k = 0
    try:
        while True:
            k += 1
            n = 10 // n - 1
            if k > 5:
                return (k, n)
    except ZeroDivisionError:
        return (-k, n)


@programs(np.array([1.0, 2.0, 3.0]))
def lists_of(a):
    good = []
    bad = 0
    for v in a:
        try:
            good.append(1 / float(v - 2))
        except ZeroDivisionError:
            bad += 1
    return (good, bad)


class Machine:
    def __init__(self):
        self.z = np.zeros(2)

    def add(self, x):
        self.z[0] += 1.0 / x


def of_several_types(x, limit):
    machine = Machine()
    try:
        for _ in range(30):
            machine.add(x)
            x = x + machine.z[0]  # a float before, an np.float64 after
            if x > limit:
                break
        else:
            raise RuntimeError(f"no {x}")
    finally:
        machine.add(4.0)
    return x, machine.z


@pytest.mark.parametrize("limit", [3.0, 1e9])
def test_a_number_of_several_types_in_what_is_raised(limit):
    check(of_several_types, 0.5, limit)


@programs.test
def test_exceptions_in_loops(call):
    call.run()
