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
