"""Choices and orders, drawn by NumPy's generators, of what only the run knows the length of."""

import copy
import functools

import numpy as np
import pytest

import autograph as ag
from tests.support.oracle import assert_same_outcome, outcome

X = np.arange(8) - 2.0


def grown(x):
    found = []
    for value in x:
        if value > 0:
            found.append(value)
    return found


def shuffled(items, rng):
    rng.shuffle(items)
    return items


def moves_until_none_is_left(x, rng):
    x, moves = np.zeros(9), []
    while True:
        free = np.where(x == 0)[0]
        if len(free) == 0:
            return moves
        place = rng.choice(free)
        x[place] = 1
        moves.append(place)


FUNCTIONS = [
    lambda x, rng: rng.choice(np.flatnonzero(x > 0)),
    lambda x, rng: rng.choice(np.flatnonzero(x > 10)),
    lambda x, rng: rng.choice(x[x > 10], size=0),
    lambda x, rng: rng.choice(x[x > 0], size=(2, 3)),
    lambda x, rng: rng.choice(x[x > 0], 2, replace=False),
    lambda x, rng: rng.choice(x[x > 0], 9, replace=False),
    lambda x, rng: rng.choice(x[x > 0], 2, p=x[x > 0] / x[x > 0].sum()),
    lambda x, rng: rng.choice(x[x > 0], p=x[x > 0]),
    lambda x, rng: rng.choice(grown(x)),
    lambda x, rng: rng.choice(len(grown(x)), p=[v / 15 for v in grown(x)]),
    lambda x, rng: (rng.choice(range(5)), rng.choice(range(2, 5), p=[0.2, 0.3, 0.5])),
    lambda x, rng: (rng.choice(range(int(x[-1]))), rng.choice(range(len(x)), 2)),
    lambda x, rng: (rng.choice(int(x[-1])), rng.choice(len(x[x > 0]), 3)),
    lambda x, rng: rng.choice(int(x[0])),
    lambda x, rng: (rng.permutation(range(4)), rng.permutation(x[x > 0])),
    lambda x, rng: (rng.permutation(len(x[x > 0])), rng.permutation(grown(x))),
    lambda x, rng: rng.permutation(x.reshape(4, 2)[x[::2] > 0]),
    lambda x, rng: shuffled(x[x > 0], rng),
    lambda x, rng: shuffled(grown(x), rng),
    lambda x, rng: shuffled([(row, k) for k, row in enumerate(x.reshape(4, 2))], rng),
    lambda x, rng: shuffled([[1, 2], [3], [4, 5]], rng),
    lambda x, rng: shuffled([1, 2.5, 3], rng),
    lambda x, rng: shuffled([], rng),
    moves_until_none_is_left,
]


@pytest.mark.parametrize("kind", [np.random.default_rng, np.random.RandomState])
@pytest.mark.parametrize("function", FUNCTIONS)
def test_what_is_drawn_is_what_numpy_draws(function, kind):
    compiled, theirs, ours = ag.to_graph(function), kind(3), kind(3)
    for _ in range(2):
        expected = outcome(functools.partial(function, rng=theirs), (X,))
        assert_same_outcome(outcome(functools.partial(compiled, rng=ours), (X,)), expected)
        assert ours.random() == theirs.random()


def test_a_list_of_the_caller_is_shuffled():
    theirs = [(np.full(2, float(k)), k) for k in range(20)]
    ours = copy.deepcopy(theirs)
    shuffled(theirs, np.random.default_rng(1))
    ag.to_graph(shuffled)(ours, np.random.default_rng(1))
    assert [k for _, k in ours] == [k for _, k in theirs]


@pytest.mark.parametrize("kind", [np.random.default_rng, np.random.RandomState])
def test_a_choice_among_nothing(kind):
    f = lambda x, rng: rng.choice(x)
    with pytest.raises(ValueError, match="cannot be empty unless no samples") as expected:
        f(X[:0], kind(0))
    with pytest.raises(ValueError, match=str(expected.value)):
        ag.to_graph(f)(X[:0], kind(0))


def test_parameters_of_other_draws_have_a_known_length():
    with pytest.raises(ag.errors.UnsupportedFunctionError, match=r"rng\.poisson of arrays"):
        ag.to_graph(lambda x, rng: rng.poisson(x[x > 0]))(X, np.random.default_rng(0))
