"""Handlers that use an exception of which the run decides which of several it is."""

import math

import numpy as np
import pytest

from tests.support.oracle import Programs, check

programs = Programs()


def limited(x):
    if x < 0:
        raise ValueError("negative")
    if x > 10:
        raise ValueError("large")
    return x


@programs(1.0)
@programs(-1.0)
@programs(11.0)
def its_text(x):
    try:
        limited(x)
    except ValueError as error:
        print(error, repr(error), f"{error}")
        return str(error), repr(error), str(error).upper(), len(str(error))
    return "", "", "", 0


@programs(4.0)
@programs(-1.0)
@programs(-0.5)
def with_one_of_pythons(x):
    try:
        if x < -0.7:
            raise ValueError(f"negative {x}")
        y = math.sqrt(x)
    except ValueError as error:
        print(error)
        y = 0.0
    return y


@programs(np.arange(6.0).reshape(2, 3), 1, 2)
@programs(np.arange(6.0).reshape(2, 3), 2, 2)
@programs(np.arange(6.0).reshape(2, 3), 1, -4)
def of_two_axes(a, i, j):
    try:
        v = a[i, j]
    except IndexError as error:
        print(error)
        v = a[-1, -1]
    return v


def limited_to(x, n):
    if x < 0:
        raise ValueError("negative")
    if x > 10:
        raise ValueError(f"large: {x} and {n}")
    if n > 5:
        raise ValueError(f"many: {n}")
    return x


@programs(1.0, 1)
@programs(-1.0, 1)
@programs(11.0, 2)
@programs(1.0, 7)
def its_text_with_values(x, n):
    try:
        limited_to(x, n)
    except ValueError as error:
        print(error, error.args, repr(error))
        return str(error)
    return ""


@programs(1.0, 1)
@programs(-1.0, 1)
@programs(11.0, 2)
@programs(1.0, 7)
def the_cause_of_another(x, n):
    try:
        return limited_to(x, n)
    except ValueError as error:
        raise RuntimeError(f"not possible: {error}") from error


@programs([3, -1, 20])
@programs([3, -1, 20] * 9)
def with_values_in_a_loop(xs):
    for x in xs:
        try:
            limited_to(x, 1)
            print("fine", x)
        except ValueError as error:
            print("failed", error)
    return len(xs)


class Account:
    def __init__(self, balance):
        self.balance, self.history = balance, [("open", balance)]

    def deposit(self, x):
        if x <= 0:
            raise ValueError("nothing to deposit")
        self.balance += x
        self.history.append(("deposit", x))

    def withdraw(self, x):
        if x > self.balance:
            raise ValueError(f"no more than {self.balance}")
        self.balance -= x
        self.history.append(("withdraw", x))


@programs(100.0, 30.0)
@programs(10.0, 30.0)
@programs(10.0, -1.0)
def tuples_with_texts_in_a_list(balance, x):
    account = Account(balance)
    try:
        account.deposit(x)
        account.withdraw(2 * x + 1)
    except ValueError as error:
        print("failed:", error)
    return account.balance, account.history


@programs(1.0)
@programs(-1.0)
@programs(11.0)
def compared(x):
    try:
        limited(x)
    except ValueError as error:
        if str(error) == "negative":
            return 1
        return 2 if "arg" in str(error) else 3
    return 0


@programs(4.0)
@programs(-1.0)
@programs(0.0)
def of_several_classes(x):
    found = []
    try:
        if x < 0:
            raise KeyError("key")
        found.append(str(1 / x > 0))
    except (KeyError, ZeroDivisionError) as error:
        found.append(type(error).__name__)
        found.append(str(error))
    return found


@programs.test
def test_handlers_of_several_exceptions(call):
    call.run()


@pytest.mark.filterwarnings("ignore::numpy.exceptions.ComplexWarning")
def test_a_complex_number_to_fill_floats_with():
    """Which failed as a mistake of ours."""
    check(lambda x: np.full_like(x, 1j), np.ones(2))
