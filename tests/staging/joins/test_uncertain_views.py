"""Arrays that may share memory or not: written freely as long as nobody uses the other one."""

import numpy as np
import pytest

import autograph as ag
from tests.support.oracle import check

M = np.arange(6.0).reshape(2, 3)
OUTSIDE = np.arange(6.0).reshape(2, 3)


def of_a_temporary(x):
    y = (x * 2).reshape(-1)
    y[0] = 5.0
    y[1:3] += y[0]
    return y


def raveled(x):
    y = (x[0] * 2).ravel()
    y[0] = 5.0
    return y, np.sum(y)


def in_a_loop(x):
    z = x * 2
    y = z.reshape(-1)
    for i in range(3):
        y[i] = i
    if y[1] > 0:
        y[2] = 7.0
    return y


def in_both_branches(x):
    y = (x + 1).ravel()
    if x[0, 1] > 0:
        y[2] = 7.0
    else:
        y[1] = 3.0
    return y


def with_views_of_it(x):
    y = (x + 0).reshape(-1)
    s = 0.0
    for i in range(3):
        if y[i] > 1:
            y[i] = 0.0
        s += y[i]
        part = y[1:3]
        part += 1
    return s, y


def under_two_names(x):
    y = (x * 2).reshape(-1)
    z = y
    for i in range(2):
        z[i] = 4.0
    return y, z


def in_a_list(x):
    ys = [(x * 2).reshape(-1), x.reshape(-1) * 1]
    for i in range(2):
        ys[0][i] = 4.0
    return ys


def passed_on(x):
    def change(v):
        v[0] = 3.0
        return v.sum()

    y = (x * 2).reshape(-1)
    return change(y), y


def rebound_base(x):
    z = x + 0
    y = z.reshape(-1)
    for i in range(2):
        z = x * i
        y[i] = z[0, 1]
    return y, z


@pytest.mark.parametrize(
    "function",
    [
        *(of_a_temporary, raveled, in_a_loop, in_both_branches, with_views_of_it),
        *(under_two_names, in_a_list, passed_on, rebound_base),
    ],
)
def test_as_numpy(function):
    check(function, M)
    check(function, -M)


def of_an_argument(x):
    y = x.reshape(-1)
    y[0] = 9.0
    return y[0]


def of_an_array_from_outside(x):
    y = OUTSIDE.ravel()
    for i in range(3):
        y[i] = x[0, i]
    return y


def both_used(x):
    z = x * 2
    y = z.reshape(-1)
    if x[0, 1] > 0:
        y[2] = 7.0
    return y, z


def another_view_used(x):
    z = x * 2
    y, w = z.ravel(), z.ravel()
    for i in range(6):
        y[i] = y[i] + i
    return w


def a_row_used(x):
    z = x * 2
    y, w = z.reshape(-1), z[0]
    y[0] = 1.0
    return w


def base_changed(x):
    z = x + 0
    y = z.reshape(-1)
    for i in range(2):
        y[i] = 7.0
        z[0] = 1.0
    return y


@pytest.mark.parametrize(
    "function",
    [
        *(of_an_argument, of_an_array_from_outside, both_used, another_view_used, a_row_used),
        base_changed,
    ],
)
def test_refused_where_the_other_one_is_used(function):
    with pytest.raises(ag.errors.MutationError, match=r"AG0324.*may share memory"):
        ag.to_graph(function)(M.copy())


def test_gradient():
    def total(x):
        y = (x * x).reshape(-1)
        for i in range(3):
            y[i] = y[i] * y[i + 1]
        return np.sum(y * y)

    ag.check_grads(total, (M / 3,))
