"""Operands that do not fit, in branches and loops that an integer says are not run: no error."""

import numpy as np

from tests.support.oracle import Programs

programs = Programs()
X = np.array([0.5, 1.5, -2.0, 3.0])


@programs.test
def test_code_that_is_not_run(call):
    call.run()


@programs(X, 0)
@programs(X, 1)
def in_a_branch(x, mode):
    if mode == 1:
        return x.sum()
    if mode == 2:
        return x.reshape(3, 2).sum()
    return x[mode:] @ np.ones(4 - mode)


@programs(X, 0)
def in_an_expression(x, mode):
    return x.reshape(2, 3) if mode == 3 else x, mode == 3 and x[7] > 0


@programs(X, 0)
def in_a_loop(x, n):
    s = x.sum()
    for _ in range(n):
        s = s + (x + np.ones(3)).sum()
    while n > 0:
        s = s + x[9]
        n -= 1
    return s


@programs(X, 3)
@programs(X, 2)
def in_one_trip(x, n):
    for k in range(3):
        if k == n:
            x = x[k:] + np.ones(2)
    return x


@programs(X, 0)
def in_a_called_function(x, kind):
    def of_kind(y):
        return y @ np.ones(5) if kind == 5 else y.sum()

    return of_kind(x) + of_kind(2 * x)


class Model:
    def __init__(self, kind):
        self.kind = kind

    def __call__(self, x):
        if self.kind == 1:
            return x.nothing()
        return x * 2


@programs(X, 0)
def in_a_method(x, kind):
    return Model(kind)(x)
