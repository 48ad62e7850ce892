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


@programs(defaultdict(made), 1.5)
def which_factory_it_is(table, x):
    own = defaultdict(made, {1: x})
    return own.default_factory is made, own.default_factory is table.default_factory


class Source:
    def __init__(self, values):
        self.values = values
        self.taken = 0

    def read(self):
        self.taken += 1
        print("read", self.taken)
        return self.values[self.taken - 1] if self.taken <= len(self.values) else -1.0


@programs(np.array([1.5, 2.0, 4.0]))
@programs(np.array([1.5, -1.0, 4.0]))
@programs(np.array([]))
def calls_until_a_value(values):
    source = Source(values)
    total = 0.0
    for value in iter(source.read, -1.0):
        total += value * value
    return total, source.taken


@programs(1, 9)
@programs(2, 3)
@programs(3, 9)
def calls_that_have_ended(step, most):
    count = [0]

    def following():
        count[0] += step
        return count[0]

    steps = iter(following, 6)
    total = 0
    for value in steps:
        if value > most:
            break
        total += value
    return total, next(steps, -1), next(steps, -1), count


@programs(1.5)
def calls_until_a_known_value(x):
    texts = ["a", "b", "", "c"]

    def read():
        print("read")
        return texts.pop(0)

    return [text * 2 for text in iter(read, "")], texts, x
