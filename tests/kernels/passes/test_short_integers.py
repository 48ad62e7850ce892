"""Places that are computed in integers of few bits, which wrap."""

import numpy as np
import pytest

pytest.importorskip("llvmlite")
import autograph as ag
from autograph.kernels.ir import ir
from autograph.kernels.passes.host import for_host
from tests.kernels.kernel_check import check

RNG = np.random.default_rng(0)
SHORT = [np.int8, np.int16, np.int32]


def knapsack(weights, prices, capacity):
    best = np.zeros(capacity + 1, dtype=np.int32)
    for weight, price in zip(weights, prices):
        for room in range(capacity, weight - 1, -1):
            with_it = best[room - weight] + price
            if with_it > best[room]:
                best[room] = with_it
    return best


def behind(weights, prices, capacity):
    out = np.zeros(capacity)
    for weight in weights:
        for i in range(capacity):
            j = weight + i
            if 0 <= j and j < capacity:
                out[j] = 0.5 * out[j] + prices[0]
    return out


def wrapped(weights, prices, capacity):
    total = 0
    for i in range(len(weights)):
        place = weights[i] * weights[i] - prices[i]
        if place >= 0 and place < capacity:
            total += weights[place % len(weights)]
    return total


@pytest.mark.costly
@pytest.mark.parametrize("function", [knapsack, behind, wrapped])
@pytest.mark.parametrize("dtype", SHORT)
def test_programs(function, dtype):
    weights, prices = (RNG.integers(1, 12, 9).astype(dtype) for _ in range(2))
    check(function, weights, prices, 100)
    most = np.iinfo(dtype).max
    extremes = np.array([-most - 1, -most, -1, 0, 1, most - 1, most], dtype)
    for weight in extremes:
        changed = weights.copy()
        changed[3] = weight
        check(function, changed, prices, 60, kernels=None)


def test_a_place_that_is_known_to_be_inside_is_not_checked():
    weights, prices = (RNG.integers(1, 12, 9).astype(np.int32) for _ in range(2))
    (kernel,) = ag.to_graph(knapsack).kernels(weights, prices, 100).values()
    loops = [s for s in ir.walk(for_host(kernel.kernel).body) if isinstance(s, ir.For)]
    free = [s for s in loops if not any(isinstance(x, ir.Check) for x in ir.walk(s.body))]
    assert free
