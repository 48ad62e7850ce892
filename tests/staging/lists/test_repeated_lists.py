"""Lists repeated as often as only the run knows: ``[0] * n``."""

from __future__ import annotations

import numpy as np
import pytest

import autograph as ag
from tests.support.oracle import Programs, check

programs = Programs()


@programs(np.array([1, 4, 3]))
@programs(np.array([0, 0]))
@programs(np.array([-2]))
def table(a):
    n = int(np.max(a))
    dp = [0] * (n + 1)
    for i in range(n + 1):
        dp[i] = i * i
    return dp, len(dp)


@programs(np.array([2, 3]), 1.5)
def on_the_left(a, x):
    return np.max(a) * [x, 2.0, 3.0]


@programs(np.array([5, 2, 3]))
@programs(np.array([1]))
def counting_sort(a):
    counts = [0] * (int(np.max(a)) + 1)
    for v in a:
        counts[v] += 1
    found = []
    for v in range(len(counts)):
        for _ in range(counts[v]):
            found.append(v)
    return found


@programs(np.array([1, 2, 5]), 11)
@programs(np.array([2, 4]), 7)
def coins(values, amount):
    least = [amount + 1] * (amount + 1)
    least[0] = 0
    for x in range(1, amount + 1):
        for v in values:
            if v <= x:
                least[x] = min(least[x], least[x - v] + 1)
    return least[amount]


@programs(np.array([3, 1, 2]))
def in_a_loop(a):
    total = 0
    for n in a:
        row = [1] * (n + 1)
        for j in range(1, n + 1):
            row[j] = row[j - 1] * 2
        total += row[n]
    return total


@programs(np.array([2.0, 3.0]))
def of_a_branch(x):
    n = 2 if x[0] > x[1] else 3
    return [x[0]] * n


@programs()
def unrolled():
    """The loop runs as Python, where the length is known."""
    shapes = []
    for i in range(4):
        row = [0.5] * (i + 1)
        shapes.append(np.zeros(len(row)).shape[0])
    return shapes


@programs(np.array([3]))
def nothing(a):
    return [] * int(a[0])


@programs.test
def test_repeated_lists(call):
    call.run()


def test_a_list_as_often_as_a_float_says():
    with pytest.raises(TypeError):
        ag.to_graph(lambda x: [0] * x)(2.0)


def test_gradients():
    def powers(x, a):
        made = [x] * int(np.max(a))
        total = 1.0
        for v in made:
            total = total * v
        return total

    check(powers, 3.0, np.array([4, 2]))
    assert ag.grad(powers)(3.0, np.array([4, 2])) == 4 * 3.0**3
