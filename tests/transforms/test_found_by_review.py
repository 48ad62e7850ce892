"""Programs that once went wrong, each with what was wrong."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import autograph as ag

DATA = np.array([1.0, np.nan, 3.0])  # a measurement is missing


def misfit(weight, x):
    """Leaves out what is missing, in each of some steps."""
    total = 0.0
    for k in range(3):
        if x == x:
            total = total + (weight - x) * (weight - x) * (k + 1)
    return total


def filtered(weight, x):
    estimate = 0.0
    t = 0
    while t < 4:
        estimate = estimate + 0.5 * (weight * x - estimate) if x == x else estimate * 0.9
        t += 1
    return estimate * estimate


@pytest.mark.parametrize("f, slope", [(misfit, 0.0), (filtered, 35.15625)])
def test_lanes_that_skip_a_branch_send_no_nan_through_a_loop(f, slope):
    # The branch was computed for all lanes, and zero times its infinite derivative became NaN.
    lanes = ag.vmap(f, in_axes=(None, 0))
    total = ag.grad(lambda weight: np.sum(lanes(weight, DATA)))
    np.testing.assert_allclose(total(2.0), slope, atol=1e-12)
    each = ag.vmap(ag.grad(f), in_axes=(None, 0))
    np.testing.assert_allclose(each(2.0, DATA), [ag.grad(f)(2.0, x) for x in DATA])
    second = ag.vmap(ag.hessian(f, argnums=(0, 1)), in_axes=(None, 0))(2.0, DATA)
    assert np.isfinite(second).all()


@pytest.mark.parametrize(
    "f",
    [
        lambda x: x * x if abs(x) < 1e100 else 1.0,
        lambda x: x - x if x < 1e300 else x,
        lambda x: np.square(x) - x if x < 1e100 else x,
        lambda x: int(x) if x < 1e18 else 0,
    ],
)
def test_lanes_that_skip_a_branch_give_no_warning(f):
    x = np.array([0.5, 1e200, np.inf, 2.0])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        expected = [f(v) for v in x]
        np.testing.assert_array_equal(ag.vmap(f)(x), expected)
        with np.errstate(all="raise"):
            np.testing.assert_array_equal(ag.vmap(f)(x), expected)
