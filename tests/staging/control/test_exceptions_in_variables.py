"""Exceptions that variables hold, to be raised, or asked, later."""

import math

import numpy as np
import pytest

import autograph as ag
from autograph.errors import MutationError
from tests.support.oracle import Programs

programs = Programs()


@programs(3.0)
@programs(1.5)
@programs(-1.0)
def raised_after_a_loop(x):
    failed = None
    for k in range(3):
        try:
            value = math.sqrt(x - k)
        except ValueError as error:
            failed = error
    if failed:
        raise failed
    return value


@programs(0.5, 4)
@programs(0.9, 4)
@programs(0.5, 2)
def of_the_last_attempt(x, most):
    last = None
    for attempt in range(most):
        try:
            if x < 1.0:
                raise ConnectionError("no answer", 7)
            return x, attempt
        except ConnectionError as error:
            last = error
            x *= 1.3
    raise last


@programs(3.0, 4)
@programs(-1.0, 9)
@programs(-1.0, 0)
def a_cause_from_a_while(x, n):
    last, k = None, 0
    while k < n:
        try:
            x = math.sqrt(x) - 0.7
        except ValueError as error:
            last = error
            x = x + 2.0
        k += 1
    if last is not None:
        raise RuntimeError("failed") from last
    return x


@programs(3.0)
@programs(-1.0)
@programs(0.0)
def of_two_classes(x):
    failed, value = None, 0.0
    try:
        value = 1.0 / x
        if value < 0:
            raise ValueError("negative", 3)
    except (ValueError, ZeroDivisionError) as error:
        failed = error
    print(failed, type(failed).__name__, isinstance(failed, ValueError))
    if isinstance(failed, ValueError):
        return value, str(failed)
    if failed is not None:
        raise failed
    return value, ""


@programs(3.0)
@programs(-1.0)
@programs(0.0)
def handled_again(x):
    failed = None
    try:
        value = 1.0 / x
        if value < 0:
            raise ValueError("negative")
    except ArithmeticError as error:
        failed = error
    except ValueError as error:
        failed = error
    try:
        if failed:
            raise failed
        return "fine"
    except ValueError as error:
        return "value " + str(error)
    except ZeroDivisionError as error:
        return "zero " + str(error)


def _made(x):
    return ValueError("bad") if x < 0 else KeyError("worse")


@programs(-1.0)
@programs(1.0)
def made_by_a_function(x):
    raise _made(x)


@programs(-1.0)
@programs(1.0)
def of_a_class_that_the_run_chooses(x):
    kind = ValueError if x < 0 else KeyError
    raise kind("bad")


@programs(-1.0)
@programs(1.0)
def that_may_be_none(x):
    failed = None
    if x > 0:
        failed = ValueError("positive")
    raise failed


class Reader:
    def __init__(self):
        self.error = None

    def read(self, x):
        try:
            return math.sqrt(x)
        except ValueError as error:
            self.error = error
        return -1.0


@programs(4.0)
@programs(-4.0)
def of_an_attribute(x):
    reader = Reader()
    value = reader.read(x)
    if reader.error is not None:
        raise reader.error
    return value


@programs.test
def test_exceptions_in_variables(call):
    call.run()


def test_the_cause_is_the_one_that_was_kept():
    with pytest.raises(RuntimeError) as raised:
        ag.to_graph(a_cause_from_a_while)(-1.0, 9)
    assert repr(raised.value.__cause__) == repr(ValueError("math domain error"))


def test_a_cause_that_a_handler_could_read_is_refused_where_the_run_decides_it():
    def again(x):
        failed = None
        try:
            value = math.sqrt(x)
        except ValueError as error:
            failed = error
        try:
            if failed:
                raise KeyError("k") from failed
        except KeyError as error:
            return str(type(error.__cause__))
        return str(value)

    with pytest.raises(ag.errors.UnsupportedConstructError, match="AG0357"):
        ag.to_graph(again)(-1.0)


def numbered(x):
    error = ValueError("bad")
    if x[0] < 0:
        error.code = 3
    raise error


def counted(x):
    error = ValueError("bad")
    for value in x:
        if value < 0:
            error.args = ("worse",)
    return str(error)


def numbered_by_its_handler(x):
    try:
        if x[0] < 0:
            raise ValueError("bad")
    except ValueError as error:
        error.code = 7
        raise
    return 0


def test_exceptions_that_change_on_a_path_are_refused():
    """They are the same objects on all paths: each would have what one of them assigned."""
    for f in (numbered, counted):
        with pytest.raises(MutationError, match="AG0341"):
            ag.to_graph(f)(np.array([1.0, 2.0]))
    compiled = ag.to_graph(numbered_by_its_handler)
    assert compiled(np.array([1.0])) == 0
    with pytest.raises(ValueError, match="bad") as raised:
        compiled(np.array([-1.0]))
    assert raised.value.code == 7
