"""Errors that occur while the compiled program runs name the user's line of the operation.

The line is the one marked ``# here``; the caret is under the column of the operation.
"""

import linecache
import sys
import traceback

import numpy as np
import pytest

import autograph as ag
from tests.support.lines import line_of


class TooLarge(ValueError):
    """An exception of the user's."""


def in_nested_loops(x, n):
    total = 0.0
    for i in range(n):
        j = 0
        while j < n:
            total = total + x[i + j] * 2.0  # here
            j += 1
    return total


def picks(x, i):
    return x[i] * 2.0  # here


def in_a_called_function(x, n):
    total = 0.0
    for i in range(n):
        total = 1.0 + total + picks(x, i)
    return total


def in_an_inner_function(n):
    def divided(k):
        return 7 // k  # here

    total = 0
    for i in range(n):
        total += divided(n - i - 3)
    return total


def in_a_recursion(x, n):
    if n == 0:
        return 10 // n  # here
    return in_a_recursion(x, n - 1) + 1


def in_one_of_two_called_functions(x, i, n):
    return picks(x, i) + 1 // n  # and here


def in_an_argument_of_a_call(x, i, n):
    return picks(  # and here
        x,
        i // n,
    )


def in_a_branch(x, i):
    if x[0] > 0.0:
        y = x[i] + 1.0  # here
    else:
        y = x[0]
    return y


def in_a_condition(x, i):
    while x[i] > 0.0:  # here
        i += 1
    return i


def in_a_conditional_expression(x, i):
    return (
        x[0] if x[0] > 10.0 else x[i]  # here
    )


def stores(x, i):
    y = x * 2.0
    for k in range(3):
        y[i + k] = 1.0  # here
    return y


def raised_by_the_user(x):
    while x > 0.0:
        x = x - 1.0
        if x < 2.0:
            raise TooLarge("below two")  # here
    return x


def asserted(x):
    for i in range(3):
        assert x < i + 2, "too large"  # here
    return x


def floating_point(x):
    y = x * 2.0
    while y > 0.0:
        y = y - 1.0
    return np.log(y - 3.0)  # here


def singular(a, n):
    for _ in range(n):
        a = np.linalg.inv(a)  # here
    return a


X = np.ones(3)
CASES = [
    (in_nested_loops, (X, 3), IndexError, "is out of bounds", "x[i + j]"),
    (in_a_called_function, (X, 5), IndexError, "is out of bounds", "x[i]"),
    (in_an_inner_function, (5,), ZeroDivisionError, "by zero", "7 // k"),
    (in_a_recursion, (1.0, 3), ZeroDivisionError, "by zero", "10 // n"),
    (in_a_branch, (X, 7), IndexError, "index 7 is out of bounds", "x[i]"),
    (in_a_condition, (X, 1), IndexError, "index 3 is out of bounds", "x[i]"),
    (in_a_conditional_expression, (X, 7), IndexError, "index 7", "x[i]"),
    (stores, (X, 2), IndexError, "index 3 is out of bounds", None),
    (raised_by_the_user, (5.0,), TooLarge, "below two", "raise"),
    (asserted, (2.5,), AssertionError, "too large", "assert"),
    (floating_point, (2.0,), FloatingPointError, "invalid value", "np.log"),
    (singular, (np.zeros((2, 2)), 1), np.linalg.LinAlgError, "Singular", "np.linalg"),
]
GRADIENTS = [case for case in CASES if case[0] in (in_nested_loops, in_a_called_function)]


def marked(function, mark="# here"):
    """The number and the text of a function's marked line; those of the one it calls if it has
    none."""
    number = line_of(function, mark) or line_of(picks)
    return number, linecache.getline(__file__, number).strip()


def shown(error):
    return "".join(traceback.format_exception(type(error), error, error.__traceback__))


def check(compiled, function, args, kind, says, under):
    number, line = marked(function)
    with pytest.raises(kind, match=says) as caught, np.errstate(all="raise"):
        compiled(*args)
    assert type(caught.value) is kind
    text = shown(caught.value)
    assert f"at {__file__}:{number}" in text
    if sys.version_info >= (3, 11) and under is not None:
        assert f"    {line}\n    {' ' * line.index(under)}^" in text


@pytest.mark.parametrize("function, args, kind, says, under", CASES)
def test_the_line_of_the_operation(function, args, kind, says, under):
    with np.errstate(all="raise"), pytest.raises(kind):
        function(*args)
    check(ag.to_graph(function), function, args, kind, says, under)


@pytest.mark.parametrize("function, args, kind, says, under", GRADIENTS)
def test_under_a_gradient(function, args, kind, says, under):
    check(ag.grad(function), function, args, kind, says, under)


@pytest.mark.parametrize(
    "function, args, mark",
    [
        (in_one_of_two_called_functions, (X, 7, 1), "# here"),
        (in_one_of_two_called_functions, (X, 1, 0), "# and here"),
        (in_an_argument_of_a_call, (X, 7, 1), "# here"),
    ],
)
def test_operations_of_several_lines_are_told_apart(function, args, mark):
    number, _ = marked(picks if mark == "# here" else function, mark)
    with pytest.raises((IndexError, ZeroDivisionError)) as caught:
        ag.to_graph(function)(*args)
    assert f"at {__file__}:{number}" in shown(caught.value)


def test_a_line_with_letters_beyond_ascii():
    def f(x, größe):
        return x[0] + größe * x[größe]  # here

    with pytest.raises(IndexError) as caught:
        ag.to_graph(f)(X, 5)
    caret = " " * len("    return x[0] + größe * ") + "^\n"
    if sys.version_info >= (3, 11):
        assert f"    return x[0] + größe * x[größe]  # here\n{caret}" in shown(caught.value)


def test_an_exception_of_the_users_that_python_handles_outside():
    compiled = ag.to_graph(raised_by_the_user)
    try:
        compiled(5.0)
    except TooLarge as error:
        assert error.args == ("below two",)
    assert compiled(-1.0) == -1.0


def test_what_fails_first_is_raised():
    """Also if what it computes is needed only after something else that fails."""

    def program(x, a, n):
        u, w = x * 2.0, 1.0
        for _ in range(3):
            u += float(np.linalg.inv(a[:1, None] * x)[0, 0])
            w = float(a[n]) + 1 / x
            u += x + 1.5
        return u, w

    a = np.array([0.5, -1.0])
    with pytest.raises(np.linalg.LinAlgError):
        ag.to_graph(program)(0.0, a, 5)
    with pytest.raises(IndexError):
        ag.to_graph(program)(1.0, a, 5)
    assert ag.to_graph(program)(1.0, a, 1) == program(1.0, a, 1)
