"""Generators that a loop leaves before their end: Python does what their ``finally`` says then."""

import pytest

import autograph as ag
from tests.support.oracle import Programs
from tests.support.refusals import refused

programs = Programs()


@programs.test
def test_program(call):
    call.run()


def closing(n):
    try:
        yield from range(n)
    finally:
        print("closed")


def printing(n):
    for i in range(n):
        print("item", i)
        yield i
    print("end")


@programs(2.5)
def left_by_break(x):
    for v in closing(5):
        if v == 2:
            break
    print("after")
    return v * x


@programs(2.5)
def left_by_return(x):
    for v in closing(5):
        if v == 2:
            return v
    return x


@programs(2.5)
def left_by_an_exception(x):
    try:
        for v in closing(3):
            if v == 1:
                raise ValueError("v")
    except ValueError as error:
        print("handled", error)
    print("after")
    return x


@programs(2.5)
def an_exception_where_a_variable_has_it(x):
    items = closing(3)
    try:
        for v in items:
            if v == 1:
                raise ValueError("v")
    except ValueError as error:
        print("handled", error)
    print("after")
    return x, list(items)


@programs(2.5)
@programs(-2.5)
def left_in_a_branch(x):
    if x > 0:
        for v in closing(3):
            if v == 1:
                break
    print("after")
    return x


@programs(2.5)
def gone_on_with(x):
    items = closing(5)
    for v in items:
        if v == 2:
            break
    print("between")
    for v in items:
        print(v)
    return x


@programs(2.5)
def taken_by_others(x):
    for i, _ in enumerate(closing(5)):
        if i == 2:
            break
    print("after")
    for v, w in zip(closing(4), [1, 2]):
        print(v, w)
    return any(v == 1 for v in closing(3)), next(closing(2)), x


@programs(2.5)
def at_the_end_of_the_function(x):
    items = closing(5)
    print(next(items))
    return x


@programs(1.5)
@programs(9.0)
@programs(-1.0)
def left_as_the_run_decides(x):
    for v in printing(5):
        if v > x:
            break
    print("after")
    return v


class Log:
    def __init__(self):
        self.lines = []

    def opened(self, x):
        self.lines.append("open")
        try:
            yield x
            yield x + 1
        finally:
            self.lines.append("close")


@programs(2.5)
def in_methods(x):
    log = Log()
    for v in log.opened(x):
        if v is not None:
            break
    log.lines.append("after")
    return v, next(log.opened(x)), log.lines


def deciding(x):
    try:
        yield x
        yield 2 * x
    finally:
        if x > 0:
            print("positive")


def failing(x):
    try:
        yield x
    finally:
        print(1 // int(x))


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("generator", [closing, deciding, failing])
def test_what_the_run_decides_is_refused(generator):
    def function(x):
        for v in generator(3 if generator is closing else x):
            if generator is not closing or v > x:
                break
        print("after")
        return v

    message = refused(ag.errors.AutographError, function, 0.5)
    assert "AG0585" in message or "AG0334" in message


def test_what_is_returned_is_refused():
    def function(x):
        items = closing(3)
        next(items)
        return items

    assert "AG0585" in refused(ag.errors.AutographError, function, 0.5)
