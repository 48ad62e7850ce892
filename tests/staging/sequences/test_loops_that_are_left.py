"""Iterators that a loop goes through, in whole or in part, and what is left of them."""

import itertools

import numpy as np
import pytest

import autograph as ag
from autograph.errors import MutationError
from tests.support.oracle import check

X = np.random.default_rng(0).normal(size=5)


def given(n):
    yield from range(n)


ITERATORS = {
    "zip": lambda: zip([0, 1, 2, 3], [4, 5, 6, 7]),
    "map": lambda: map(lambda a: (a, a + 1), [0, 1, 2, 3]),
    "items": lambda: iter({0: 1, 1: 2, 2: 3, 3: 4}.items()),
    "chain": lambda: itertools.chain([(0, 1), (1, 2)], [(2, 3), (3, 4)]),
    "generator": lambda: ((a, a) for a in given(4)),
    "enumerate": lambda: enumerate(range(4)),
    "reversed": lambda: enumerate(reversed(range(4))),
}


@pytest.mark.parametrize("make", ITERATORS.values(), ids=ITERATORS)
def test_what_a_loop_leaves(make):
    """A loop that ends takes no item more than it goes through."""

    def left(x):
        it = make()
        total = 0.0 * x[0]
        for a, b in it:
            total = total * 2 + x[a] * b
        return total, list(it)

    def ended(x):
        it = make()
        for pair in it:
            if pair[0] == 1:
                break
        total = x[pair[0]]
        for a, b in it:
            total = total * 2 + x[a] * b
        return total

    check(left, X)
    check(ended, X)


def test_a_generator_goes_on_after_a_loop_that_ends():
    def function(x):
        it = given(5)
        total = 0.0
        for a in it:
            total += x[a]
            if a == 1:
                break
        following = next(it)
        for a in it:
            total = total * 2 + x[a]
        return total, following

    check(function, X)


def looked_for(it):
    return 3 in it


def left_by_the_run(make, use):
    def function(x):
        it = make()
        for a, _ in it:
            if x[a] < 0:
                break
        return use(it)

    return function


@pytest.mark.parametrize("use", [list, next, looked_for, lambda it: [v for v in it]])
@pytest.mark.parametrize("make", ITERATORS.values(), ids=ITERATORS)
def test_what_only_the_run_knows_to_be_left(make, use):
    check(left_by_the_run(make, use), X)


@pytest.mark.parametrize("make", ITERATORS.values(), ids=ITERATORS)
def test_a_tuple_of_what_is_left_would_have_any_length(make):
    with pytest.raises(MutationError, match="AG0342"):
        ag.to_graph(left_by_the_run(make, tuple))(X)


def test_iterators_over_ranges_are_iterators():
    def function(x):
        it = enumerate(range(5))
        first = next(it)
        total = 0.0
        for i, j in it:
            total += x[i] * j
        again = reversed(range(3))
        a, b, c = again
        made = list(zip(range(3), range(5, 2, -1))), dict(zip(range(2), range(2)))
        told = iter(again) is again, type(again) is type(reversed(range(2)))
        more = sum(reversed(range(4))), [i for i in reversed(range(3))], max(reversed(range(3)))
        return total, first, a, b, c, made, told, more

    check(function, X)


def test_loops_over_ranges_from_behind_numbered_and_side_by_side():
    """Longer than what may run as Python."""

    def behind(x):
        total = x[0]
        for i in reversed(range(1, 400)):
            total = total * 0.5 + x[i % 5] * i
        return total

    def numbered(x):
        total = x[0]
        for i, (j, k) in enumerate(zip(range(400), reversed(range(700))), start=2):
            if x[j % 5] > 2.5:
                break
            total = total * 0.5 + i * j + k
        return total

    check(behind, X)
    check(numbered, X)


def test_what_has_to_be_known_in_loops_over_ranges():
    def function(x):
        layers = [1.0, "double", None]
        total = 0.0
        for i in reversed(range(3)):
            if layers[i] is None:
                total += 1
            elif layers[i] == "double":
                total = total * 2 + x[0]
            else:
                total = total * layers[i] + x[1]
        out = []
        for i in reversed(range(3)):
            for j, k in enumerate(range(i)):
                out.append(x[j] * k)
        return total, out

    check(function, X)
