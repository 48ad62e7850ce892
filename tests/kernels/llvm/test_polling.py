"""Loops that run so long that they ask, now and then, whether the user wants to stop."""

import numpy as np
import pytest

pytest.importorskip("llvmlite")
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
