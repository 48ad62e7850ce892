"""Python's ``sorted`` of numbers in kernels, which leave NaN to Python's own algorithm."""

import numpy as np
import pytest

from tests.kernels.kernel_check import ALL, check

RNG = np.random.default_rng(0)


def neighbours(x):
    total = 0.0
    for i in range(x.size - 3):
        low, middle, high = sorted([x[i], x[i + 1], x[i + 2]])
        total += middle - low * high
    return total


def by_keys(x):
    total = 0.0
    for i in range(x.size - 3):
        pairs = sorted([(x[i], 1.0), (x[i + 1], x[i]), (x[i + 2], 3.0)], key=lambda pair: -pair[0])
        total += pairs[1][1] + sorted([(x[i], x[i + 1]), (x[i + 1], x[i])])[0][1]
    return total


def of_filtered(x):
    found = sorted([v for v in x if v > 0.3])
    return found[0] + found[-1] * found[1]


def in_reverse(x):
    total = 0.0
    for i in range(4):
        found = sorted(x * i, reverse=True)
        total += found[0] + found[3]
    return total


@pytest.mark.parametrize("function", [neighbours, by_keys, of_filtered, in_reverse])
def test_programs(function):
    check(function, RNG.random(12), kernels=ALL, scale=10.0)
    check(function, RNG.integers(0, 4, 12).astype(float), kernels=ALL, scale=10.0)


@pytest.mark.parametrize("function", [neighbours, of_filtered, in_reverse])
def test_nan(function):
    x = RNG.random(12)
    x[4] = np.nan
    check(function, x, kernels=ALL, scale=10.0)
