"""Comparisons of integers with numbers that their dtype does not hold, as NumPy compares them."""

import numpy as np
import pytest

import autograph as ag

NUMBERS = (-300, -129, -1, 0, 127, 128, 255, 256, 70000)


def below(x):
    return np.stack([x < n for n in NUMBERS])


def same(x):
    return np.stack([(x == n) | (n != x) for n in NUMBERS])


def chosen(x):
    return np.stack([np.where(n >= x, x, x + x) for n in NUMBERS])


@pytest.mark.parametrize("dtype", ["uint8", "int8", "int16", "uint32"])
@pytest.mark.parametrize("function", [below, same, chosen])
def test_with_numbers_that_do_not_fit(function, dtype):
    info = np.iinfo(dtype)
    x = np.array([info.min, 0, 1, 100, info.max - 1, info.max], dtype)
    compiled = ag.to_graph(function)
    result, expected = compiled(x), function(x)
    np.testing.assert_array_equal(result, expected)
    assert result.dtype == expected.dtype
    assert len(compiled.kernels(x)) == 1


def test_a_histogram_of_bytes_is_a_kernel():
    def counts(x):
        return np.histogram(x, bins=256, range=(0, 256))[0]

    x = np.random.default_rng(0).integers(0, 256, size=500).astype(np.uint8)
    np.testing.assert_array_equal(ag.to_graph(counts)(x), counts(x))
    assert len(ag.to_graph(counts).kernels(x)) == 1
