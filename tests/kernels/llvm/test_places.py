"""Places that the run finds, which may count from the end: the check asks first whether they count
from the start."""

import numpy as np
import pytest

pytest.importorskip("llvmlite")
import autograph as ag
from autograph.kernels import program

A = np.random.default_rng(0).normal(size=12)


@pytest.fixture(autouse=True)
def native_code_has_to_be_made(monkeypatch):
    monkeypatch.setattr(program, "VERIFY", True)


def followed(a, following, k):
    total = 0.0
    for _ in range(20):
        total = total * 0.5 + a[k]
        if total > 0.0:
            total -= a[k] * a[k - 1]
        k = following[k]
    return total, k


def counted(counts, where):
    for k in where:
        counts[k] += 1
        counts[k - 1] -= counts[k]
    return counts


def in_rows(a, where):
    x = a.reshape(3, 4) * 1.0
    for k in where:
        for j in range(4):
            x[k, j] += x[k - 1, where[j]]
    return x


def twice(a, k, j):
    s = 0.0
    if k < j:
        s += a[k] + a[j]
    else:
        s += a[j] - a[k] * a[j]
    while s < 10.0 and k < 40:
        s += 1.0 + a[k]
        k += 5
    return s


def partition(a, j):
    """``j`` is known to be below the end, but not how far down it goes."""
    i, steps = 0, 0
    j = min(j, len(a) - 1)
    while i <= j and steps < 40:
        while a[j] > a[i]:
            j -= 1
            steps += 1
        a[i], a[j] = a[j], a[i]
        i += 1
        j -= 1
    return a[j], steps


def downwards(a, limit):
    j, total = len(a) - 1, 0.0
    while total < limit:
        if j >= -5:
            total += 0.25
        total += a[j] * a[j] + 1.0
        j -= 1
    return total, j


def not_a_place(a, k):
    """What asks for the same numbers as a place does, of an integer that is larger."""
    if k < -12:
        raise IndexError("index")
    return k + 12 if k < 0 else k


USES = [
    (followed, (A, np.arange(11, -1, -1), 3)),
    (followed, (A, np.arange(12) - 12, -1)),
    (followed, (A, (np.arange(12) * 5) % 24 - 12, -12)),
    (followed, (A, np.arange(12) + 1, 3)),
    (followed, (A, np.arange(12) - 14, 3)),
    (followed, (A, np.arange(12), 2**63 - 1)),
    (followed, (A, np.arange(12), -(2**63))),
    (counted, (np.zeros(12, np.int64), np.array([0, 11, -11, 5, -1]))),
    (counted, (np.zeros(12, np.int64), np.array([0, 11, -13, 5, -1]))),
    (counted, (np.zeros(12, np.int64), np.array([0, -12, 12]))),
    (in_rows, (A, np.array([0, 2, -3, -1]))),
    (in_rows, (A, np.array([0, 2, -4, -1]))),
    (in_rows, (A, np.array([0, 3, 2, -1]))),
    (twice, (A, -12, 3)),
    (twice, (A, 3, -12)),
    (twice, (A, 3, 12)),
    (twice, (A, -13, 0)),
    (partition, (A, 11)),
    (partition, (np.sort(A), 40)),
    (partition, (np.sort(A)[::-1], 7)),
    (partition, (A, -3)),
    (partition, (A, -12)),
    (partition, (A, -20)),
    (downwards, (A, 9.0)),
    (downwards, (A, 25.0)),
    (downwards, (A, 90.0)),
    (not_a_place, (A, 30)),
    (not_a_place, (A, -12)),
]


@pytest.mark.parametrize(("function", "args"), USES)
def test_as_python(function, args):
    mine, theirs = ([np.array(x) if np.ndim(x) else x for x in args] for _ in range(2))
    try:
        expected = function(*theirs)
    except IndexError as error:
        with pytest.raises(IndexError, match=str(error)[:30]):
            ag.to_graph(function)(*mine)
    else:
        found = ag.to_graph(function)(*mine)
        pairs = zip(found, expected) if isinstance(expected, tuple) else [(found, expected)]
        assert all(np.array_equal(x, y) for x, y in pairs)
        assert all(map(np.array_equal, mine, theirs))
