"""Counting in native kernels: `np.bincount` and `np.histogram`, in loops as well."""

import numpy as np
import pytest

pytest.importorskip("llvmlite")
from tests.kernels.kernel_check import check


def histograms(x, w):
    return np.histogram(x, 7, (-1.0, 1.0))[0], np.histogram(x, 5, (-1.0, 1.0), weights=w)[0]


def histogram_of_the_range(x, w):
    return np.histogram(x, 7)[0] * 2


def histogram_between_edges(x, w):
    return np.histogram(x, np.array([-1.0, -0.5, 0.1, 2.0]))[0] * 2


@pytest.mark.parametrize("function", [histograms, histogram_of_the_range, histogram_between_edges])
def test_histograms(function):
    random = np.random.default_rng(0)
    x, w = np.round(random.normal(size=500), 1), random.normal(size=500)
    check(function, x, w, kernels="some", ulps=0)


def counted_in_a_loop(x, w):
    total = 0.0
    for i in range(4):
        counts = np.bincount((x + i) % 11, w, 12)
        total += counts[3] * len(counts) + np.sum(np.bincount(x))
    return total


def counted(x, w):
    counts = np.bincount(x)
    return np.sum(counts * np.arange(len(counts)))


@pytest.mark.parametrize("function", [counted_in_a_loop, counted])
def test_integers(function):
    random = np.random.default_rng(0)
    x, w = random.integers(0, 30, 200), random.normal(size=200)
    check(function, x, w, kernels="some", ulps=0)
    check(function, x.astype(np.uint8), w, kernels="some", ulps=0)
    check(function, x[:0], w[:0], kernels=None)


@pytest.mark.parametrize("function", [counted_in_a_loop, counted])
def test_negative_integers_fail_as_in_numpy(function):
    """Native code adds at no place from the end."""
    check(function, np.array([3, -1, 2]), np.ones(3), kernels=None)
