"""``itertools.groupby`` where only the run knows which keys are equal."""

import itertools

import numpy as np
import pytest

import autograph as ag
from tests.support.oracle import check, check_grad

KEYS = np.array([3, 3, 1, 3, 2, 2, 3])
VALUES = np.array([1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0])


def numbers(keys):
    return [int(k) for k in keys]


def keys_alone(keys, values):
    return [k for k, _ in itertools.groupby(numbers(keys))]


def run_lengths(keys, values):
    return [(k, len(list(group))) for k, group in itertools.groupby(numbers(keys))]


def of_sorted_pairs(keys, values):
    pairs = sorted(zip(numbers(keys), values), key=lambda pair: pair[0])
    first = lambda pair: pair[0]
    largest = [(k, max(v for _, v in group)) for k, group in itertools.groupby(pairs, key=first)]
    return largest, {k: [v for _, v in group] for k, group in itertools.groupby(pairs, first)}


def longest_run(keys, values):
    best = 0
    for above, group in itertools.groupby(keys > 1):
        n = sum(1 for _ in group)
        if above and n > best:
            best = n
    return best


def not_all_of_it(keys, values):
    total = 0
    for k, group in itertools.groupby(numbers(keys)):
        if k > 1:
            total += next(group) * 100
        total += sum(group)  # noqa: B031
        for _ in range(3):
            total += len(list(group))  # noqa: B031
    return total


def numbered(keys, values):
    total = 0.0
    for _, group in itertools.groupby(zip(numbers(keys), values), key=lambda pair: pair[0]):
        for i, (k, v) in enumerate(group):
            total += k * v * i
    return total


def of_lists(keys, values):
    chosen = [int(v) for v in values if v > 2]
    parity = lambda x: x % 2 == 0
    runs = [(even, len(list(group))) for even, group in itertools.groupby(chosen, key=parity)]
    return runs, [list(group) for _, group in itertools.groupby(numbers(keys))]


def known(keys, values):
    letters = [k for k, _ in itertools.groupby("aab")]
    return letters, [(k, len(list(group))) for k, group in itertools.groupby([1, 1, 2])], values[0]


PROGRAMS = [
    *(keys_alone, run_lengths, of_sorted_pairs, longest_run, not_all_of_it, numbered, of_lists),
    known,
]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_as_python(program):
    check(program, KEYS, VALUES)
    check(program, KEYS[::-1].copy(), VALUES * 2.0)
    check(program, KEYS[:4], VALUES[:4])


def squares(values, keys):
    pairs, total = zip(numbers(keys), values), 0.0
    for k, group in itertools.groupby(pairs, key=lambda pair: pair[0]):
        total = total + sum(v for _, v in group) ** 2 * k
    return total


def test_derivatives():
    check_grad(squares, VALUES, KEYS)


def kept(keys):
    groups = list(itertools.groupby(numbers(keys)))
    return [len(list(group)) for _, group in groups]


def after_the_loop(keys):
    for _, group in itertools.groupby(numbers(keys)):
        pass
    return list(group)


@pytest.mark.parametrize("program", [kept, after_the_loop], ids=lambda program: program.__name__)
def test_groups_that_python_has_left_are_refused(program):
    with pytest.raises(ag.errors.AutographError) as raised:
        ag.to_graph(program)(KEYS)
    assert raised.value.location.file == __file__
