"""`sum` of Python's floats, which loses nothing to rounding from Python 3.12 on."""

import numpy as np

import autograph as ag
from tests.support.oracle import Programs

programs = Programs()

ROUNDED = [1e16, 1.0, -1e16, 3.0]


@programs(ROUNDED)
@programs([float("inf"), 1.0, 2.5])
@programs([1e308, 1e308, -1e308])
@programs([-0.0, -0.0])
@programs([1, 1e16, 1.0, True, -1e16])
def of_lists(x):
    return sum(x), sum(x, 0.0), sum([v * 2 for v in x]), sum(v for v in x), sum(map(abs, x))


@programs(ROUNDED, 2.0)
@programs(ROUNDED, 1e17)
def of_unknown_length(x, least):
    kept = []
    for v in x:
        if abs(v) > least:
            kept.append(v)
    return sum(kept), sum([v for v in kept if v < least]), sum(kept, 1.5)


@programs([3, 5, 2**20, 7], 2)
@programs([3, 1], 9)
def of_integers_of_unknown_number(x, least):
    kept = [v for v in x if v > least]
    return sum(kept), [sum(v * w for w in kept) for v in kept], sum(kept, 1)


@programs(np.array(ROUNDED))
def of_arrays(x):
    return sum(x), sum(x.tolist()), sum([float(v) for v in x]), sum([x, x])


@programs(*ROUNDED)
def of_other_numbers(a, b, c, d):
    return sum([a, b, c, d, np.float64(1.0)]), sum([a, 1j, b, c]), sum([1, True]), sum((a, b), 1)


@programs.test
def test_sums(call):
    call.run()


def test_gradients_are_those_of_a_sum():
    f = lambda *args: sum([v * v for v in args])
    assert ag.grad(f, argnums=(0, 1, 2))(1e16, 1.0, 3.0) == (2e16, 2.0, 6.0)
