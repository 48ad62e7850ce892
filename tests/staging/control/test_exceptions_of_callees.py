"""Exceptions known only at run time, raised by functions that are called."""

import math

import numpy as np

from tests.support.oracle import Programs

programs = Programs()


def root(x):
    if x < 0:
        raise ValueError("negative")
    return math.sqrt(x)


@programs(2.0)
@programs(-2.0)
def callee_raise(x):
    try:
        y = root(x)
    except ValueError:
        y = 0.0
    return y


@programs(2.0)
@programs(-2.0)
def callee_raise_as(x):
    try:
        return root(x)
    except ValueError as e:
        print(e)
    return -1.0


@programs(np.array([1.0, -1.0, 4.0]))
def callee_raise_loop(a):
    t = 0.0
    n = 0
    for v in a:
        try:
            t += root(float(v))
        except ValueError:
            n += 1
    return (t, n)


def newton(f, df, x):
    for _ in range(5):
        x = x - f(x) / df(x)
    return x


@programs(2.0)
@programs(0.0)
def callee_loop(x):
    try:
        r = newton(lambda x: x * x - 2, lambda x: 2 * x, x)
    except ZeroDivisionError:
        r = -1.0
    return r


def prints_after(x):
    print("a")
    y = 1 / x
    print("b", y)
    return y


@programs(2.0)
@programs(0.0)
def callee_prints(x):
    try:
        return prints_after(x)
    except ZeroDivisionError:
        return -1.0


def down(x):
    n = 0
    while x > 0.001:
        x = x / 2
        n += 1
        if n > 8:
            raise RuntimeError("too many")
    return n


@programs(0.1)
@programs(1000000000.0)
def callee_while(x):
    try:
        return down(x)
    except RuntimeError as e:
        print(e)
        return -1


def inf_garbage(x):
    y = 1 / x
    n = 0
    while y != n and n < 1000:
        n += 1
    return n


@programs(0.25)
@programs(0.0)
def callee_garbage_loop(x):
    try:
        return inf_garbage(x)
    except ZeroDivisionError:
        return -1


def rec_in(n):
    if n <= 0:
        return 0.0
    try:
        return 1 / (n - 3) + rec_in(n - 1)
    except ZeroDivisionError:
        return -100.0


@programs(5)
@programs(2)
def recursion_handles(n):
    return rec_in(n)


def pair(x):
    return (1 / x, x * 2)


@programs(2.0)
@programs(0.0)
def unpack2(x):
    try:
        a, b = pair(x)
    except ZeroDivisionError:
        a, b = (0.0, 0.0)
    return a + b


def validate(x):
    if x < 0:
        raise ValueError("negative")
    if x > 100:
        raise OverflowError("large")
    return x


@programs(2.0)
@programs(-2.0)
@programs(200.0)
def two_kinds(x):
    try:
        return validate(x)
    except ValueError as e:
        print("v", e)
        return 0.0
    except OverflowError as e:
        print("o", e)
        return 100.0


@programs(2.0)
@programs(-2.0)
@programs(200.0)
def one_kind_of_two(x):
    try:
        return validate(x)
    except ValueError as e:
        print("v", e)
        return 0.0


@programs(2.0)
@programs(-2.0)
@programs(200.0)
def through_two(x):

    def inner(x):
        try:
            return validate(x)
        except ValueError:
            return -5.0

    try:
        return inner(x)
    except OverflowError:
        return 100.0


def deep2(x):
    for i in range(3):
        if x == i:
            raise KeyError(i)
    return x


def deep(x):
    return deep2(x) + 1


@programs(5)
@programs(1)
def key_in_loop(x):
    try:
        return deep(x)
    except KeyError:
        return -1


def early(x):
    try:
        if x > 5:
            return 1.0
        y = 1 / x
        if y > 3:
            return 2.0
    except ZeroDivisionError:
        return 3.0
    return 4.0


@programs(7.0)
@programs(0.1)
@programs(0.0)
@programs(2.0)
def calls_early(x):
    return early(x) * 2


@programs(7.0)
@programs(0.1)
@programs(0.0)
@programs(2.0)
def loop_early(x):
    t = 0.0
    for i in range(4):
        t += early(x - i)
    return t


@programs(np.array([1.0, 2.0, 3.0]), 3.0)
@programs(np.array([1.0, 2.0, 3.0]), 9.0)
def search(a, k):

    def find(a, k):
        for i in range(len(a)):
            if a[i] == k:
                return i
        raise ValueError("not found")

    try:
        return find(a, k)
    except ValueError:
        return -1


@programs(2.0)
@programs(0.0)
def warnfree(x):

    def f(x):
        y = 1 / x
        return float(np.log(np.float64(y))) + float(1 / np.float64(y))

    try:
        return f(x)
    except ZeroDivisionError:
        return 0.0


@programs(2.0)
@programs(0.0)
def gen(x):

    def g(n):
        for i in range(n):
            yield (1 / (x - i))

    try:
        s = sum(g(3))
    except ZeroDivisionError:
        s = -1.0
    return s


def hist(x):
    out = []
    while x > 0.1:
        out.append(1 / x)
        x = x * 0.5
        if len(out) > 4:
            raise RuntimeError("long")
    return out


@programs(0.5)
@programs(10.0)
def callee_lists(x):
    try:
        return sum(hist(x))
    except RuntimeError:
        return -1.0


@programs(2.0)
@programs(0.0)
def inner_handles_outer_garbage(x):

    def f(x):
        y = 1 / x
        try:
            n = int(y * 1e308 * 10)
        except OverflowError:
            n = 7
        print("n", n)
        return n

    try:
        return f(x)
    except ZeroDivisionError:
        return -1


@programs(2.0)
@programs(0.0)
def inner_reraise(x):

    def f(x):
        try:
            return 1 / x
        except ZeroDivisionError:
            print("inner")
            raise

    try:
        return f(x)
    except ArithmeticError as e:
        print("outer", e)
        return -1.0


@programs(2.0)
@programs(0.0)
def inner_other(x):

    def f(x):
        try:
            return 1 / x
        except ZeroDivisionError as e:
            raise ValueError("v") from e

    try:
        return f(x)
    except ValueError as e:
        print("outer", e, type(e.__cause__).__name__)
        return -1.0


@programs.test
def test_exceptions_of_callees(call):
    call.run()
