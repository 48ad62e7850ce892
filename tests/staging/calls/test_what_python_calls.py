"""Functions that Python and NumPy call: what they print and change is part of the program."""

from collections import defaultdict

import numpy as np

from tests.support.oracle import Programs

programs = Programs()


@programs.test
def test_program(call):
    call.run()
    call.run()


def made():
    print("made")
    return 1.5


def twice(v):
    print("twice", v)
    return v * 2.0


@programs(1.5)
def factories_of_dicts(x):
    table = defaultdict(made)
    table[1] += x
    table[2] += table[3]
    print(table)
    return table, table.copy()


@programs(1.5)
def factories_of_dicts_in_branches(x):
    table = defaultdict(made, {1: x})
    if x > 1.0:
        table[2] *= x
    else:
        table[2] = x
    return table


@programs(np.array([1.5, 2.0]))
def elements(x):
    return np.vectorize(twice)(x), np.vectorize(twice, otypes=[float])(x)


@programs(defaultdict(made, {1: 2.0}), 1.5)
def dicts_of_the_caller(table, x):
    table[1] += x
    table[2] += x
    return table
