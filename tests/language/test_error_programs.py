"""Programs that raise, assert, catch, clean up, and use context managers."""

import contextlib

import numpy as np

from tests.language.corpus import check_program
from tests.support.oracle import Programs

programs = Programs()


@programs.test
def test_program(call):
    check_program(call)


class NotConverged(Exception):
    pass


class Section:
    """A context manager that says when it is entered and left."""

    def __init__(self, name):
        self.name = name

    def __enter__(self):
        print("enter", self.name)
        return self.name

    def __exit__(self, *error):
        print("leave", self.name, error[0] is None)


@programs(4.0)
@programs(-4.0)
def square_root(x):
    if x < 0:
        raise ValueError("no root of a negative number")
    return np.sqrt(x)


@programs(np.array([1.0, 2.0]))
@programs(np.array([1.0, -2.0]))
def asserted(x):
    assert np.all(x > 0), "must be positive"
    return np.log(x)


@programs(2.0, 50)
@programs(2.0, 2)
def raises_in_loop(a, most):
    x, k = a, 0
    while abs(x * x - a) > 1e-12:
        k += 1
        if k > most:
            raise NotConverged
        x = 0.5 * (x + a / x)
    return x


@programs(np.array([1.0, 2.0, 3.0]), 1)
@programs(np.array([1.0, 2.0, 3.0]), 7)
def index_error(x, i):
    return x[i] * 2


@programs(7, 2)
@programs(7, 0)
def zero_division(a, b):
    return a // b


@programs("2.5", 1.0)
@programs("two", 1.0)
def static_parse(text, x):
    try:
        scale = float(text)
    except ValueError:
        scale = -1.0
    return x * scale


@programs({"rate": 0.5}, 2.0)
@programs({}, 2.0)
def missing_key(options, x):
    try:
        rate = options["rate"]
    except KeyError:
        rate = 0.1
    else:
        print("given")
    finally:
        print("looked")
    return x * rate


@programs(3.0)
@programs(-3.0)
def finally_without_error(x):
    y = 0.0
    try:
        if x > 0:
            y = x * 2
    finally:
        y += 1.0
    return y


@programs(np.array([0.0, 1.0]))
def errors_ignored(x):
    with np.errstate(divide="ignore"):
        y = 1.0 / x
    return np.where(x > 0, y, 0.0)


@programs(1.0)
@programs(-1.0)
def sections(x):
    with Section("outer") as name, Section("inner"):
        if x > 0:
            x = x * 2
        print("body of", name)
    return x


@programs(2)
@programs(0)
def section_in_loop(n):
    total = 0
    for i in range(n):
        with Section("step"):
            total += i
    return total


@programs(1.0, -1.0)
@programs(-1.0, 1.0)
def raises_of_two_kinds(x, y):
    if x < 0:
        raise ValueError("x")
    if y < 0:
        raise ArithmeticError("y")
    return x + y


@programs(np.eye(2))
@programs(np.ones((2, 3)))
def static_validation(m):
    if m.ndim != 2 or m.shape[0] != m.shape[1]:
        raise ValueError(f"expected a square matrix, got {m.shape}")
    return np.trace(m)


@programs(5.0)
def reraised(x):
    try:
        return x * {"a": 1.0}["a"]
    except KeyError as error:
        raise ValueError("no a") from error


@programs(np.array([1.0, 2.0]))
def null_context(x):
    with contextlib.nullcontext(x * 2) as doubled:
        total = np.sum(doubled)
    return total


@programs.smooth(1.5)
def smooth_through_try(x):
    try:
        y = np.sin(x)
        if y > 0.5:
            y = y * y
    finally:
        x = 0.0
    return y + x


@programs(np.array([3.0, 1.0]), 2.0)
@programs(np.array([3.0, 1.0]), -2.0)
def prints_before_it_raises(x, limit):
    for v in x:
        print("value", v > limit)
        if limit < 0:
            raise RuntimeError("negative limit")
    return x


@programs(np.array([1.0, 2.0, 3.0]))
def nested_finally(x):
    log = []
    try:
        try:
            total = np.sum(x)
        finally:
            log.append("inner")
    finally:
        log.append("outer")
    return total, log


@programs(1.0)
def target_of_with_rebound_inside(x):
    with contextlib.nullcontext(x) as y:
        y = y + 1
    return y
