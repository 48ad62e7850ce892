"""Arrays that a branch makes anew, or not, and that a loop then changes in place."""

import numpy as np

from tests.support.oracle import Programs

programs = Programs()
X = np.array([[0.5, -1.5, 2.0], [-1.0, 3.0, 0.25], [0.75, 1.0, -0.5]])


@programs.test
def test_arrays_rebound_in_branches(call):
    call.run()


@programs.smooth(X)
def before_a_loop(x):
    y = x * 3.0
    if x[0, 1] > 0:
        y = y - 1.0
    for i in range(3):
        y[i] += x[i] * y[i]
    return np.sum(y**2)


@programs.smooth(X)
def in_each_trip(x):
    y = x * 3.0
    for k in range(3):
        if x[k, 0] > 0:
            y = y - x
        for i in range(2):
            y[i] += 1.0
    return np.sum(y**2)


@programs.smooth(X)
def one_or_the_other(x):
    y, z = x * 2.0, x * 3.0
    for k in range(3):
        if x[k, 0] > 0:
            z = z + 1.0
        else:
            y = y - 1.0
        for i in range(3):
            y[i] += z[i]
    return np.sum(y * z)


@programs(X)
def until_it_is_large(x):
    y = x * 3.0
    while y[0, 0] < 9.0:
        if y[1, 1] > 0:
            y = y + 1.0
        i = 0
        while i < 2:
            y[i] *= 1.5
            i += 1
    return y


@programs.smooth(X)
def in_a_called_function(x):
    def grow(v):
        for i in range(2):
            v[i] += 1.0

    y = x * 1.0
    for k in range(3):
        if x[k, 0] > 0:
            y = y * 2.0
        grow(y)
    return np.sum(y**2)


@programs.smooth(X)
def in_a_branch_after(x):
    y = x * 1.0
    for k in range(3):
        if x[k, 0] > 0:
            y = y * 2.0
        if x[k, 1] > 0:
            y[k] = 0.0
            y[0, 0] += x[k, 2]
    return np.sum(y**2)
