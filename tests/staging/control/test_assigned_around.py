"""Functions that assign variables of the function around them, and may fail where that is handled:
what they assign behind the failure is not assigned."""

import pytest

from tests.support.oracle import check, check_grad


def counted(x):
    n = 5

    def count():
        nonlocal n
        n = n + 1 / x
        return 1.0

    try:
        y = count()
    except ZeroDivisionError:
        y = 0.0
    return n, y


def grown(x):
    xs = [1.0]

    def grow():
        nonlocal xs
        xs = xs + [1 / x]
        return 2.0

    try:
        y = grow()
    except ZeroDivisionError:
        y = 0.0
    return xs, y


def printed(x):
    n = 5

    def count():
        nonlocal n
        n = n + 1 / x
        return 1.0

    try:
        count()
    finally:
        print(n)
    return n


def in_a_loop(x):
    best, total = (0, 0.0), 0.0

    def find(k):
        nonlocal best
        best = k, 1 / (x - k)
        return best[1]

    for k in range(4):
        try:
            total = total + find(k)
        except ZeroDivisionError:
            total = total + 0.5
    return best, total


@pytest.mark.parametrize("x", [0.0, 2.0])
@pytest.mark.parametrize("program", [counted, grown, printed, in_a_loop])
def test_assigned_by_what_fails(program, x):
    check(program, x)


def test_gradient():
    check_grad(lambda x: counted(x)[0] * x, 2.0)
