"""What random programs found: each was wrong once."""

import numpy as np
import pytest
from oracle import check, check_grad

import autograph as ag
from autograph.errors import MutationError, UnsupportedConstructError


def check_unless_refused(program, *args):
    """It may be refused, but not be something else than in Python."""
    try:
        check(program, *args)
    except MutationError:
        pass


def test_a_variable_called_t_is_no_temporary():
    def program(x, f):
        y = x * 0.5
        y[1] = f
        total = 0.0
        for t in (y[0], y[1], y[2]):
            total += t * f
        return np.sin(total)

    x = np.array([0.31, -1.27, 0.74])
    check(program, x, 0.83)
    check_grad(program, x, 0.83, argnums=1)


def test_alias_made_in_an_inner_branch_and_changed_in_the_outer_one():
    def program(x, f):
        x = x.copy()
        v, y = x[1:], np.ones(3)
        if f > 0.3:
            if f > 0.4:
                y = x
            v[0] = f
        return np.sum(y)

    for f in (0.83, 0.35, 0.1):
        check_unless_refused(program, np.arange(3.0), f)


def test_view_made_again_in_a_branch_of_a_loop():
    def program(x, a):
        v = x[1:]
        count = 0
        while count < 3:
            count += 1
            if a > 0:
                v = x[1:]
            else:
                v[0] = x[1] * 0.5 + 1.0
            a += 1
        x[0], x[1] = x[1], x[0]

    for a in (-5, -1, 2):
        check_unless_refused(program, np.arange(3.0), a)


def test_finally_that_prints_when_only_the_run_knows_of_the_error():
    def program(x, n):
        if n > 0:
            k = n
        try:
            x = x + 10 // n
        finally:
            print("finally")
        return x + k

    with pytest.raises(UnsupportedConstructError, match="finally"):
        ag.to_graph(program)(1.0, 2)


def test_short_circuit_over_a_list_of_unknown_length():
    def program(x):
        stack = []
        for v in x:
            while stack and stack[-1] > v:
                stack.pop()
            stack.append(v)
        return len(stack), stack[-1]

    check(program, np.array([1.0, 3.0, 2.0, 5.0, 4.0]))


def test_list_begun_again_in_a_branch():
    def program(codes):
        current, longest = [], 0
        for c in codes:
            if c == 0:
                current = []
            else:
                current.append(c)
            longest = max(longest, len(current))
        return longest

    check(program, np.array([1, 2, 0, 1, 2, 3, 0]))


def test_singletons_match_traced_booleans():
    def program(x, y):
        match (x > 0, y > 0):
            case (True, True):
                return 1
            case (False, _):
                return 2
        return 3

    for x, y in ((1, 1), (1, -1), (-1, 1)):
        check(program, x, y)


def test_conversion_before_the_format_of_an_f_string():
    def program(x):
        return f"{x.ndim!r:>4}|{x.shape!s:<10}|"

    check(program, np.zeros((2, 3)))
