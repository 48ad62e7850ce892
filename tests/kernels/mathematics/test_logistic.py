"""The logistic function of float32, which kernels compute in float32."""

import numpy as np
import pytest

pytest.importorskip("llvmlite")

import autograph as ag
import ops

RANDOM = np.random.default_rng(0)
NUMBERS = np.concatenate([RANDOM.normal(size=50_000) * scale for scale in (1.0, 10.0, 40.0)])


def units(found, x):
    """How many units in the last place results differ from the exact ones, at most."""
    exact = 1.0 / (1.0 + np.exp(-x.astype(np.float64)))
    return np.max(np.abs(found - exact) / np.spacing(exact.astype(np.float32)))


def test_values_are_within_three_units():
    x = NUMBERS.astype(np.float32)
    found = ag.to_graph(lambda x: ops.nn.sigmoid(x) * 1)(x)
    assert found.dtype == np.float32
    assert units(found, x) < 3.0


def test_slopes_keep_their_digits_where_the_function_is_nearly_one():
    x = np.linspace(-60.0, 60.0, 2001).astype(np.float32)
    slope = ag.vmap(ag.grad(ops.nn.sigmoid))(x)
    far = np.exp(-np.abs(x).astype(np.float64))
    assert slope == pytest.approx(far / (1.0 + far) ** 2, rel=1e-6, abs=1e-44)


def test_ends():
    x = np.array([-np.inf, -200.0, -100.0, 0.0, 200.0, np.inf, np.nan], np.float32)
    found = ag.to_graph(lambda x: ops.nn.sigmoid(x) * 1)(x)
    assert found[[0, 1, 3, 4, 5]].tolist() == [0.0, 0.0, 0.5, 1.0, 1.0]
    assert found[2] == pytest.approx(np.exp(-100.0), rel=0.05)  # it has few digits left
    assert np.isnan(found[6])
