"""Loops over places known only at run time look once whether all are inside, and do what Python
does where they are not."""

import numpy as np
import pytest

pytest.importorskip("llvmlite")
import autograph as ag
from autograph.kernels.ir import ir
from autograph.kernels.ir.builder import KernelBuilder
from autograph.kernels.ir.interpreter import interpret
from autograph.kernels.passes.improving import improved
from tests.kernels.kernel_check import check

VALUES = np.random.default_rng(0).normal(size=60)
WEIGHTS = np.random.default_rng(1).integers(1, 30, 12)


def row_sums(values, starts):
    out = np.zeros(len(starts) - 1)
    for i in range(len(out)):
        total = 0.0
        for k in range(starts[i], starts[i + 1]):
            total += values[k]
        out[i] = total
    return out


def added_in_parts(values, starts):
    """Trips that become lanes where all places are inside."""
    out = values.copy()
    for i in range(len(starts) - 1):
        for k in range(starts[i], starts[i + 1]):
            out[k] += values[k] * i
    return out


def downwards(values, starts):
    out = values.copy()
    for start in starts:
        for k in range(59, start - 1, -1):
            out[k] = max(out[k], out[k - start] + 1.0)
    return out


def upwards(values, starts):
    """Each trip reads what one before it wrote."""
    out = values.copy()
    for start in starts:
        for k in range(start, 60):
            out[k] = max(out[k], out[k - start] + 1.0)
    return out


def in_steps(values, starts):
    total = 0.0
    for start in starts:
        for k in range(9):
            total += values[start + 3 * k] * values[start - 2 * k]
    return total


def best_row(values, start, stop):
    best = -np.inf
    for k in range(start, stop):
        best = max(best, values[k])
    return best


def by_calls(values, starts):
    out = np.zeros(len(starts) - 1)
    for i in range(len(out)):
        out[i] = best_row(values, starts[i], starts[i + 1])
    return out


PROGRAMS = [row_sums, added_in_parts, downwards, upwards, in_steps, by_calls]
PLACES = {
    "inside": [0, 3, 3, 20, 32],
    "all": [0, 60],
    "in no order": [40, 20, 30, 10, 16],
    "counted from the end": [-30, -20, -5],
    "from the end and the beginning": [-7, 9],
    "outside": [10, 50, 61],
    "before the beginning": [-61, -50],
    "far away": [0, 2**62, 2**63 - 1],
    "far away, downwards": [-(2**63), -(2**62), 0, 1],
}


@pytest.mark.parametrize("places", PLACES)
@pytest.mark.parametrize("function", PROGRAMS)
def test_as_python(function, places):
    check(function, VALUES, np.array(PLACES[places]), kernels=None, ulps=0)


@pytest.mark.parametrize("dtype", ["f4", "i4", "i8"])
@pytest.mark.parametrize("function", [row_sums, downwards, upwards])
def test_of_other_dtypes(function, dtype):
    values = (VALUES * 10).astype(dtype)
    check(function, values, np.array(PLACES["inside"], np.int32), kernels=None, ulps=0)


def knapsack(weights, prices, capacity):
    best = np.zeros(capacity + 1, dtype=np.int64)
    for weight, price in zip(weights, prices):
        for room in range(capacity, weight - 1, -1):
            with_it = best[room - weight] + price
            if with_it > best[room]:
                best[room] = with_it
    return best


def checks(function, *args):
    """How many checks there are in each of the innermost loops."""
    (kernel,) = ag.to_graph(function).kernels(*args).values()
    loops = [s for s in ir.walk(improved(kernel.kernel).body) if isinstance(s, ir.For | ir.Each)]
    inside = [list(ir.walk(s.body)) for s in loops]
    inner = [b for b in inside if not any(isinstance(s, ir.For | ir.Each) for s in b)]
    return sorted(sum(isinstance(s, ir.Check) for s in statements) for statements in inner)


def test_a_loop_without_checks_beside_that_with_them():
    assert checks(row_sums, VALUES, np.array(PLACES["inside"])) == [0, 0, 1]  # with the zeros
    assert checks(knapsack, WEIGHTS, WEIGHTS, 100) == [0, 0, 2]


@pytest.mark.parametrize("weights", [WEIGHTS, -WEIGHTS, WEIGHTS - 5, WEIGHTS * 0, WEIGHTS + 90])
def test_a_table_that_is_filled_downwards(weights):
    check(knapsack, weights, WEIGHTS, 100, kernels=None)


def test_trips_that_do_not_depend_on_each_other_become_lanes():
    (kernel,) = ag.to_graph(added_in_parts).kernels(VALUES, np.array([0, 60])).values()
    found = [s for s in ir.walk(improved(kernel.kernel).body) if isinstance(s, ir.If)]
    assert any(isinstance(s, ir.Each) for branch in found for s in branch.then)


def test_sums_that_leave_64_bits_are_not_taken_for_places():
    b = KernelBuilder("far")
    x, start, y = b.input("f8", 40, "x"), b.parameter("i8", "start"), b.output("f8", 40, "y")

    def trip(i):
        place = b.compute("-", b.compute("+", start, i), 2**63 - 20)
        b.check(b.compute(">=", place, 0))
        b.check(b.compute("<", place, 40))
        b.store(y, place, b.load(x, place))
        return ()

    b.for_(30, (), trip)
    kernel = improved(b.finish())
    for first in (2**63 - 20, 2**63 - 10):
        out = np.zeros(40)
        interpret(kernel, [np.arange(40.0), first], [out])
        expected = np.zeros(40)
        expected[first - 2**63 + 20 :][:30] = np.arange(40.0)[first - 2**63 + 20 :][:30]
        np.testing.assert_array_equal(out, expected)


def test_gradients_and_lanes():
    places = np.array(PLACES["inside"])
    total = lambda x: np.sum(row_sums(x, places) ** 2)
    found = ag.grad(total)(VALUES)
    expected = np.zeros(60)
    for i in range(len(places) - 1):
        part = slice(places[i], places[i + 1])
        expected[part] += 2 * np.sum(VALUES[part])
    np.testing.assert_allclose(found, expected, rtol=1e-12)
    rows = np.stack([VALUES, 2 * VALUES])
    found = ag.vmap(row_sums, in_axes=(0, None))(rows, places)
    np.testing.assert_allclose(found, [row_sums(x, places) for x in rows], rtol=1e-12)


def test_loops_that_take_records():
    """What a trip left names the memory that it lies in."""

    def triangle(x):
        factor, place = np.eye(4), 0
        for i in range(4):
            for j in range(i):
                factor[i, j] = np.sin(x[place])
                place += 1
        return np.sum((np.arange(8.0).reshape(2, 4) @ factor.T) ** 2)

    found, expected = ag.grad(triangle)(VALUES[:6]), np.zeros(6)
    for k in range(6):
        step = np.zeros(6)
        step[k] = 1e-6
        both = triangle(VALUES[:6] + step), triangle(VALUES[:6] - step)
        expected[k] = (both[0] - both[1]) / 2e-6
    np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-6)


def clamped(x, r):
    """Places that are brought inside by what only the run knows."""
    total = np.concatenate((np.zeros(1), np.cumsum(x)))
    out = np.zeros(len(x))
    for i in range(len(x)):
        low, high = max(i - r, 0), min(i + r + 1, len(x))
        out[i] = (total[high] - total[low]) / (high - low)
    return out


@pytest.mark.parametrize("r", [0, 1, 7, 59, 60, 200, -1, -30, 2**63 - 2, 2**62])
def test_windows_that_are_clamped(r):
    check(clamped, VALUES, r, kernels=None, ulps=20, scale=1.0)


def test_windows_are_not_checked_in_the_loop():
    assert min(checks(clamped, VALUES, 3)) == 0


def euclid(a, b):
    while b:
        a, b = b, a % b
    return a


def euclids(x, y):
    out = np.zeros(len(x), dtype=np.int64)
    for i in range(len(x)):
        a, b = x[i], y[i]
        while b != 0:
            rest = a % b
            a = b
            b = rest
        out[i] = a
    return out


def inverse(a, m):
    """Of a number, where it has one, by quotients that Python rounds down."""
    old, s = 1, 0
    b = m
    while b != 0:
        q = a // b
        a, b = b, a - q * b
        old, s = s, old - q * s
    return a, old


PAIRS = [(12, 18), (0, 5), (5, 0), (0, 0), (2**62, 3**39), (17, -5), (-17, 5), (-48, -36), (1, -1)]
FAR = [(-(2**63), -1), (-(2**63), 7), (7, -(2**63)), (2**63 - 1, -1)]


@pytest.mark.parametrize("function", [euclid, inverse])
def test_rests_of_numbers_of_any_sign(function):
    compiled = ag.to_graph(function)
    for a, b in [*PAIRS, *FAR]:
        found, expected = compiled(a, b), function(a, b)
        assert found == expected
        assert type(found) is type(expected)


def test_rests_in_a_loop():
    x, y = np.array(PAIRS).T
    check(euclids, x, y, kernels=None, ulps=0)
    (kernel,) = ag.to_graph(euclids).kernels(x, y).values()
    loops = [s for s in ir.walk(improved(kernel.kernel).body) if isinstance(s, ir.While)]
    assert sorted(len(list(s.body)) for s in loops)[0] == 1  # the rest of the machine
