"""Bounds of random integers of which the run decides one."""

import numpy as np

import autograph as ag


def drawn(n, seed):
    rng = np.random.default_rng(seed)
    total = 0
    for i in range(1, n):
        total += rng.integers(3, 3 + i) + rng.integers(-i, -0) + rng.integers(2**32 - 2, 2**33 + i)
        total += rng.integers(7, 6 + i, endpoint=True) + rng.integers(i, 40)
    return total


def test_a_known_bound_beside_another_one():
    compiled = ag.to_graph(drawn)
    for args in ((1, 0), (2, 1), (30, 2)):
        assert compiled(*args) == drawn(*args)
