"""Functions that choose between scalar floats, on machines with mask registers."""

import numpy as np
import pytest

pytest.importorskip("llvmlite")
import autograph as ag
from autograph.kernels.llvm import Target, print_apart
from autograph.kernels.mathematics import expanded
from autograph.kernels.passes.host import for_host
from tests.kernels.kernel_check import check

X = np.random.default_rng(0).uniform(0.1, 1.0, 400)
WIDE = "+avx2,+fma,+avx512f,+avx512dq,+avx512bw,+avx512vl"
WITHOUT = f'"target-features"="{WIDE},-avx512f"'


def waits(x):
    """Choices inside of logarithms, in a loop that has an end of its own."""
    t, k = 0.0, 0
    for v in x:
        t = t * 0.9 - np.log(v)
        k += 1
        if t > 40.0:
            break
    return t, k


def best_of_three(x):
    """What decides which number is the best decides which type it has as well."""
    best, row = 0.0, np.zeros(len(x) + 1)
    for i in range(3):
        before, gap = 0.0, -1e9
        for j in range(1, len(x) + 1):
            gap = max(gap - 0.1, row[j - 1] - 0.5)
            here = max(0.0, before + (1.0 if x[j - 1] > 0.4 * i else -1.0), gap)
            before, row[j] = row[j], here
            best = max(best, here)
    return best, row


def nearest(x):
    """What is computed in the loop around it would be too much for one choice."""
    total = 0.0
    for i in range(len(x)):
        least, which = 1e9, -1
        for j in range(len(x)):
            away = abs(x[j] - x[i])
            if 1e-6 < away < least:
                least, which = away, j
        y = x[which]
        for k in range(1, 9):
            y = (y * 0.5 + x[i] / k) * (least - y) / (y * y + k) + (y - least) * 0.25
        total += y
    return total


def roots(x):
    """In vectors of floats."""
    return np.where(x > 0.5, np.sqrt(x), np.log(x) * x)


def added_up(x):
    total = 0.0
    for v in x:
        total = total * 0.5 + v
    return total


def text(function, features):
    (kernel,) = ag.to_graph(function).kernels(X).values()
    target = Target.of("x86_64-unknown-linux-gnu", "skylake-avx512", features)
    return print_apart(expanded(for_host(kernel.kernel)), target)


@pytest.mark.parametrize("function", [waits, best_of_three, nearest])
def test_they_have_none(function):
    found = text(function, WIDE)
    assert "nounwind #0 {" in found and WITHOUT in found
    assert WITHOUT not in text(function, "+avx2,+fma")


@pytest.mark.parametrize("function", [roots, added_up])
def test_others_may(function):
    assert WITHOUT not in text(function, WIDE)


@pytest.mark.parametrize("function", [waits, best_of_three, nearest, roots, added_up])
def test_as_python(function):
    check(function, X, ulps=16)


def test_who_reads_kernels_is_not_told():
    (kernel,) = ag.to_graph(waits).kernels(X).values()
    assert "attributes #0" not in kernel.llvm
