"""Loops that run so long that they ask, now and then, whether the user wants to stop."""

import numpy as np
import pytest

pytest.importorskip("llvmlite")
import autograph as ag
from autograph.kernels.ir import ir
from autograph.kernels.llvm.polling import looks
from autograph.kernels.passes.host import for_host
from tests.kernels.kernel_check import check


def primes(n):
    flags = np.ones(n + 1, dtype=bool)
    flags[:2] = False
    i = 2
    while i * i <= n:
        if flags[i]:
            for j in range(i * i, n + 1, i):
                flags[j] = False
        i += 1
    return np.sum(flags)


def test_vectors_outlive_the_question():
    """What a vector register holds before the question, it holds after it."""
    check(primes, 100_000)


def row_without(x, v):
    """Two loops of few trips, of which the run decides how many."""
    for i in range(9):
        found = False
        for j in range(9):
            if x[i, j] == v or x[j, i] == v:
                found = True
                break
        if not found:
            return i
    return -1


def first_at_least(x, v):
    k = 0
    while x[0, k] < v:
        k += 1
    return k


def test_few_trips_do_not_ask():
    x = np.random.default_rng(0).integers(0, 12, (9, 9))
    for v in range(12):
        assert ag.to_graph(row_without)(x, v) == row_without(x, v)
    (kernel,) = ag.to_graph(row_without).kernels(x, 3).values()
    outer, inner = (s for s in ir.walk(for_host(kernel.kernel).body) if isinstance(s, ir.While))
    assert looks(outer) and not looks(inner)
    (kernel,) = ag.to_graph(first_at_least).kernels(x, 3).values()
    (loop,) = (s for s in ir.walk(for_host(kernel.kernel).body) if isinstance(s, ir.While))
    assert looks(loop)
