"""What an index outside of a list says: where it is read, where it is assigned, and of an array in
the same line."""

import numpy as np

from tests.support.oracle import Programs

programs = Programs()


@programs.test
def test_program(call):
    call.run()


@programs([1, 2, 3], 1.0)
@programs([1, 2, 3], 3.0)
@programs([1, 2, 3], -4.0)
def read_and_assigned(xs, x):
    p = int(x)
    xs[p] = xs[p] + 1
    return xs


@programs(1.0)
@programs(12.0)
def in_a_loop(x):
    xs = [0] * 10
    p = 0
    while p < x:
        xs[p] += 1
        p += 1
    return xs


@programs([1, 2, 3], np.array([1, 5]), 1.0)
@programs([1, 2, 3], np.array([1, 5]), 2.0)
@programs([1, 2, 3], np.array([1, 2]), 1.0)
def of_an_array_in_the_same_line(xs, places, x):
    return xs[places[int(x)]]


@programs([1, 2, 3], 3.0, 2.0)
@programs([1, 2, 3], 1.0, 0.0)
def beside_a_division(xs, x, y):
    return xs[int(x)] / y


@programs([1, 2, 3], 3.0)
def assigned_alone(xs, x):
    xs[int(x)] = 7
    return xs


@programs(1.0)
def deleted_from_an_empty_list(x):
    xs = []
    del xs[int(x)]
    return xs
