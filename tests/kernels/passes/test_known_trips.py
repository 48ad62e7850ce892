"""Loops with a test whose trips can be counted when the kernel is made are written out."""

import warnings

import numpy as np
import pytest

pytest.importorskip("llvmlite")
import autograph as ag
import ops
from autograph.kernels.ir import ir
from autograph.kernels.passes.host import for_host
from tests.api.derivatives.test_expectations import metropolis

X = np.random.default_rng(0).integers(-(2**40), 2**40, 100)


def gray(x, n):
    total = 0
    for i in range(n):
        b, s = i ^ (i >> 1), 1
        while s < 32:
            b ^= b >> s
            s <<= 1
        total += b ^ (i + 1)
    return total


def elements(x, n):
    out = np.zeros(len(x), np.int64)
    for i in range(len(x)):
        k = 9
        while k > 0:
            out[i] += int(x[i]) % k
            k -= 2
    return out


def two_states(x, n):
    s = 0
    for i in range(len(x)):
        a, b = 1, 1
        while b < 100:
            if x[i] & b:
                s += a
            a, b = b, a + b
    return s, a, b


def no_trip(x, n):
    k, s = 5, n
    while k < 3:
        k += 1
        s *= 2
    return k, s


WRITTEN_OUT = [gray, elements, two_states]


def many_trips(x, n):
    k, s = 0, 0
    while k < 1000:
        s += int(x[k % 100]) & k
        k += 1
    return s


def of_arguments(x, n):
    k, s = 0, 0
    while k < n:
        s += k ^ n
        k += 3
    return s


def of_elements(x, n):
    k = 0
    while k < 5 and x[k] != n:
        k += 1
    return k


OTHERS = [many_trips, of_arguments, of_elements]


@pytest.mark.parametrize("program", [*WRITTEN_OUT, no_trip, *OTHERS])
def test_results(program):
    compiled = ag.to_graph(program)
    for n in (5, 77, 0):
        np.testing.assert_equal(compiled(X, n), program(X, n))
    y = X[::-1].copy()
    np.testing.assert_equal(compiled(y, 3), program(y, 3))


@pytest.mark.parametrize("program", [*WRITTEN_OUT, *OTHERS])
def test_which_are_written_out(program):
    (function,) = ag.to_graph(program).kernels(X, 5).values()
    kernel = for_host(function.kernel)
    waits = any(isinstance(s, ir.While) for s in ir.walk(kernel.body))
    assert waits == (program in OTHERS)


def morton(x, n):
    out = np.zeros(len(x), np.int64)
    for i in range(len(x)):
        z = 0
        for k in range(16):
            z |= ((int(x[i]) >> k) & 1) << (2 * k)
        out[i] = z
    return out


def test_counted_loops_of_scalars_are_written_out():
    compiled = ag.to_graph(morton)
    np.testing.assert_array_equal(compiled(X, 0), morton(X, 0))
    (function,) = compiled.kernels(X, 0).values()
    statements = ir.walk(for_host(function.kernel).body)
    assert not any(isinstance(s, ir.For) for s in statements)


def test_records_that_each_trip_takes_from_a_stack_stay_in_a_loop():
    """The memory of a record starts where the state says, which is another place in each trip."""
    keys = ops.random.split(ops.random.key(3), 100)
    scores = ag.vmap(ag.score_gradient(metropolis), in_axes=(None, 0))
    with warnings.catch_warnings():
        warnings.simplefilter("error", ag.errors.PerformanceWarning)
        assert np.all(np.isfinite(scores(0.3, keys)))
