"""Calls like earlier ones whose results are lists of a length that the run knows."""

import copy

import numpy as np
import pytest

pytest.importorskip("llvmlite")

import autograph as ag
from tests.kernels.native.test_object_calls import looked_up


def numbers(n, x):
    found = []
    for k in range(n):
        if k % 3:
            found.append(x * k)
    return found


def numpys(n, x):
    found = []
    for k in range(n):
        found.append(np.float64(x) * k)
    return found


def pairs(n, x):
    found = []
    for k in range(n):
        if k % 3:
            found.append((x * k, k))
    return found


def arrays(n, x):
    found = []
    for k in range(n):
        found.append(np.array([x, x * k]))
    return found


def one_twice(n, x):
    found = [x]
    for k in range(n):
        if x * k > 3:
            found.append(x * k)
    return found, {"count": len(found), "again": found}


def grows(items, n):
    while n > 1:
        n = n // 2
        items.append(n)
    return n


def becomes(items, n):
    found = []
    while n > 1:
        n = n // 2
        found.append(n)
    items[:] = found
    return found


def grows_by_pairs(items, n):
    found = []
    while n > 1:
        n = n // 2
        found.append((n, 1.5))
    items.extend(found)
    return items


PROGRAMS = {
    "numbers": (numbers, lambda n: (n, 2.0)),
    "NumPy's": (numpys, lambda n: (n, 2.0)),
    "pairs": (pairs, lambda n: (n, 2.0)),
    "arrays": (arrays, lambda n: (n, 2.0)),
    "one twice": (one_twice, lambda n: (n, 2.0)),
    "a list that grows": (grows, lambda n: ([1, 2], 9 * n)),
    "one that becomes another": (becomes, lambda n: ([1, 2, 3], 9 * n)),
    "one that grows by pairs": (grows_by_pairs, lambda n: ([(1, 2.5)], 9 * n)),
}


def described(value):
    """A value with the types of all of its parts."""
    if isinstance(value, list | tuple):
        return type(value), [described(x) for x in value]
    if isinstance(value, dict):
        return dict, [(k, described(x)) for k, x in value.items()]
    dtype = value.dtype.name if isinstance(value, np.ndarray) else None
    return type(value), dtype, np.asarray(value).tolist()


@pytest.mark.parametrize("name", PROGRAMS)
def test_lists(name):
    python, arguments = PROGRAMS[name]
    function = ag.to_graph(python)
    function(*arguments(3))
    assert looked_up(function, *(copy.deepcopy(arguments(n)) for n in (4, 5))) == 0
    for n in (0, 3, 5, 1, 20, 0):
        ours, pythons = arguments(n), arguments(n)
        found, wanted = function(*ours), python(*pythons)
        assert described(found) == described(wanted)
        assert described(ours) == described(pythons)
        is_given = isinstance(wanted, list) and wanted is pythons[0]
        assert (found is ours[0]) == is_given


def test_one_list_in_two_places_of_a_result():
    function = ag.to_graph(one_twice)
    for n in (3, 9, 4):
        found, others = function(n, 2.0)
        assert found is others["again"]
