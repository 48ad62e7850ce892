"""Numbers that are looked for in lists: of one of several types, in displays, and in vain."""

from collections import deque

import numpy as np

from tests.support.oracle import Programs

programs = Programs()
X = np.array([0.2, 0.7, 0.1])


@programs.test
def test_program(call):
    call.run()


@programs(X, 0.5)
@programs(X, 0.05)
def of_several_types(xs, p):
    """An element and what is looked for are an int or a float, as the run decides."""
    v = 0 if xs[0] > p else xs[0]
    d = [v, 3.0, 1]
    return d.index(v), d.count(v), v in d, d.index(min(d)), d.count(0)


@programs(X, 0.5)
@programs(X, 0.05)
def of_several_types_among_floats(xs, p):
    v = 0 if xs[0] > p else xs[0]
    d = []
    for x in xs:
        if x > 0.15:
            d.append(x)
    return d.count(v), v in d, v in [0, 1, 2], (0, 1).count(v), v in {0: 1, 2: 3}


@programs(X, 0.5)
@programs(X, 0.05)
def in_tuples(xs, p):
    d = []
    for k, x in enumerate(xs):
        if x > 0.15:
            d.append((k, x if x < p else 1))
    v = 0 if xs[0] > p else 1
    return d.count((1, v)), (1, v) in d, d.index((1, 1)), (0, 1) in d


@programs(X, 0.5)
@programs(X, 0.05)
def removed(xs, p):
    v = 0 if xs[0] > p else float(xs[0])
    d = [3.0, v, 1]
    d.remove(v)
    return d


@programs(0.5)
def in_a_display(x):
    return [x, x + 1].index(x + 1), [x, 2 * x].count(1.0)


@programs(0.5)
def in_vain_in_a_display(x):
    return [x, x + 1].index(3.0)


@programs(0.5)
@programs(200.0)
def in_vain_on_one_path(x):
    xs = []
    if x > 100:
        return xs.index(x * 2)
    return x


@programs(0.5)
def in_vain_in_nothing(x):
    return deque().index(x)


@programs(0.5)
def in_vain_and_handled(x):
    try:
        return [].index(x)
    except ValueError as error:
        return str(error)
