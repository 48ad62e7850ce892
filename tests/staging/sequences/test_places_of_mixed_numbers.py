"""Places that are Python's integers on some paths and NumPy's on others."""

import numpy as np
import pytest

import autograph as ag
from tests.support.oracle import check

TABLE = np.cumsum(np.abs(np.random.default_rng(0).normal(size=(9, 8))), axis=1)


def followed(table, k):
    found = np.zeros(6, np.int64)
    for i in range(6):
        found[i] = k
        k = np.searchsorted(table[k], 0.5 * i)  # NumPy's integer, where Python's was
    return found, table[k]


def of_a_list(table, k):
    total = 0.0
    rows = [table[0], table[1], table[2]]
    for i in range(3):
        total = total + rows[k][i]
        k = np.argmin(table[k, :3])
    return total


@pytest.mark.parametrize("k", [0, 2, -1])
@pytest.mark.parametrize("function", [followed, of_a_list])
def test_as_python(function, k):
    check(function, TABLE, k)


def test_outside():
    check(followed, TABLE, 9)


def test_integers_of_any_type_select_the_same():
    assert "cond" not in str(ag.to_graph(followed).graph(TABLE, 1))
