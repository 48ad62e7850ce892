"""Floats as keys of dicts and members of sets: equal numbers are one key, and so are both zeros."""

from collections import Counter, defaultdict

import numpy as np
import pytest

import autograph as ag

NUMBERS = np.array([0.5, 1.5, -0.0, 0.5, 2.5, 0.0, 1e300, -1e300, 1.5, np.inf, -np.inf, np.inf])


def counted(xs):
    found = {}
    for x in xs:
        found[x] = found.get(x, 0) + 1
    return found


def members(xs):
    seen, twice = set(), 0
    for x in xs:
        if x in seen:
            twice += 1
        seen.add(x)
    return len(seen), twice, sorted(seen), len(set(xs.tolist()))


def in_tuples(xs):
    found = {}
    for i in range(len(xs)):
        key = (i % 2, xs[i])
        found[key] = found.get(key, 0) + 1
    return found


def grouped(xs):
    places = defaultdict(list)
    for i, x in enumerate(xs):
        places[x].append(i)
    return {key: sum(those) for key, those in places.items()}


def by_a_counter(xs):
    found = Counter(xs.tolist())
    return found, found.most_common(2), found[0.5], 0.5 in found, found[77.0]


def taken_out(xs):
    found = {}
    for x in xs:
        found[x] = 1.0
    del found[0.5]
    return found.pop(1.5), found, list(found)


def until_it_comes_again(xs):
    seen = set()
    x = xs[1]
    while x not in seen:
        seen.add(x)
        x = (x * 3.0 + 0.5) % 4.0
    return len(seen)


def remembered(xs):
    memo = {}

    def f(x):
        if x <= 1:
            return 1.0
        if x in memo:
            return memo[x]
        memo[x] = f(x - 1) + f(x - 2)
        return memo[x]

    return f(abs(xs[1]) * 8), len(memo)


def among_known_ones(xs):
    table = {0.5: 10.0, 1.5: 20.0, 2: 30.0, "a": 3.0}
    total = 0.0
    for x in xs:
        if x in table:
            total += table[x]
    return total, table.get(xs[0], -1.0), table.get(xs[4], -1.0)


FUNCTIONS = [
    *(counted, members, in_tuples, grouped, by_a_counter, taken_out, until_it_comes_again),
    *(remembered, among_known_ones),
]


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
def test_keys_are_those_of_python(function):
    assert repr(ag.to_graph(function)(NUMBERS)) == repr(function(NUMBERS))


def test_of_single_precision():
    xs = (NUMBERS[:6] / 3).astype(np.float32)
    assert repr(ag.to_graph(counted)(xs)) == repr(counted(xs))


def test_a_missing_key():
    def missing(xs):
        found = {}
        for x in xs:
            found[x] = 1
        return found[xs[0] + 0.25]

    for function in (ag.to_graph(missing), missing):
        with pytest.raises(KeyError, match=r"0\.75"):
            function(NUMBERS)


def test_nan_is_no_key():
    """Python finds it by which object it is."""
    with pytest.raises(ValueError, match="NaN"):
        ag.to_graph(counted)(np.array([1.0, np.nan]))


def weighted(xs):
    sums = {}
    for i in range(len(xs)):
        key = xs[i] - xs[i] % 0.5
        sums[key] = sums.get(key, 0.0) + xs[i] * xs[i]
    total = 0.0
    for key, value in sums.items():
        total += key * value
    return total


def test_derivatives_and_lanes():
    xs = np.array([0.1, 0.7, 0.3, 1.2, 0.6])
    ag.check_grads(weighted, (xs,), order=2)
    rows = np.stack([xs, xs + 0.25])
    found = ag.vmap(ag.grad(weighted))(rows)
    np.testing.assert_allclose(found, [ag.grad(weighted)(row) for row in rows])
