"""Loops over the bits of integers are counted at once, and only those that are nothing else."""

import numpy as np
import pytest

pytest.importorskip("llvmlite")
import autograph as ag
from autograph.kernels.ir import ir
from autograph.kernels.passes.host import for_host

NUMBERS = np.concatenate(
    (
        [0, 1, 2, 3, 2**62, 2**63 - 1, 2**53 + 1],
        np.random.default_rng(0).integers(0, 2**63 - 1, 40),
        np.arange(30),
    )
)


def ones(x):
    out = np.zeros(len(x), dtype=np.int64)
    for i in range(len(x)):
        v, count = int(x[i]), 0
        while v:
            v &= v - 1
            count += 1
        out[i] = count
    return out


def ones_of_positive(x):
    total, last = 3, 0
    for i in range(len(x)):
        v = int(x[i]) - 5
        while v > 0:
            v = (v - 1) & v
            total += 2
        last = v
    return total, last


def ones_of_numpy(x):
    total = 0
    for i in range(len(x)):
        v = x[i]
        while v != 0:
            v &= v - 1
            total += 1
    return total


def bits(x):
    total, length, weighted = 0, 0, 0
    for i in range(len(x)):
        v = int(x[i])
        while v != 0:
            total += v & 1
            length += 1
            weighted += 1000
            v >>= 1
    return total, length, weighted


def bits_of_positive(x):
    out = np.zeros((len(x), 2), dtype=np.int64)
    for i in range(len(x)):
        v = int(x[i])
        while v > 0:
            v >>= 1
            out[i, 0] += 1
        out[i, 1] = v
    return out


def places(x):
    """What is more than a count."""
    counts = np.zeros(64, dtype=np.int64)
    for i in range(len(x)):
        v, k = int(x[i]), 0
        while v:
            counts[k] += v & 1
            v >>= 1
            k += 1
    return counts


def weighted(x):
    """What is added differs from trip to trip."""
    total = 0
    for i in range(len(x)):
        v = int(x[i])
        while v:
            total = (total * 3 + (v & 1)) & 0xFFFF
            v >>= 1
    return total


def two_at_a_time(x):
    total = 0
    for i in range(len(x)):
        v = int(x[i])
        while v:
            total += v & 3
            v >>= 2
    return total


COUNTED = [ones, ones_of_positive, ones_of_numpy, bits]
FUNCTIONS = [*COUNTED, bits_of_positive, places, weighted, two_at_a_time]


def waits(function, x):
    (kernel,) = ag.to_graph(function).kernels(x).values()
    return any(isinstance(s, ir.While) for s in ir.walk(for_host(kernel.kernel).body))


@pytest.mark.parametrize("function", FUNCTIONS)
def test_bits_are_counted(function):
    compiled = ag.to_graph(function)
    for x in (NUMBERS, NUMBERS[:3], NUMBERS[:0]):
        found, expected = compiled(x), function(x)
        np.testing.assert_array_equal(found, expected)
        assert type(found) is type(expected)


@pytest.mark.parametrize("function", COUNTED)
def test_no_trip_is_left(function):
    assert not waits(function, NUMBERS)


@pytest.mark.parametrize("function", [places, weighted, two_at_a_time])
def test_others_stay(function):
    assert waits(function, NUMBERS)


@pytest.mark.parametrize("function", [ones_of_positive, bits_of_positive])
def test_what_is_not_positive_makes_no_trip(function):
    x = -NUMBERS[:20]
    for found, expected in zip(ag.to_graph(function)(x), function(x)):
        np.testing.assert_array_equal(found, expected)


def test_negative_integers_of_numpy_have_64_bits():
    x = np.array([-1, -2, -(2**63), 5])
    with np.errstate(over="ignore"):
        assert ag.to_graph(ones_of_numpy)(x) == ones_of_numpy(x) == 64 + 63 + 1 + 2


def test_counts_that_leave_64_bits_are_pythons():
    def counted(x, first):
        v, count = int(x[0]), first
        while v:
            v &= v - 1
            count += 1
        return count

    x = np.array([7])
    compiled = ag.to_graph(counted)
    for first in (0, 2**63 - 4, 2**63 - 3, 2**63 - 1):
        assert compiled(x, first) == first + 3
