"""Least squares of as many points as the run says."""

import numpy as np
import pytest

import autograph as ag
from tests.support.oracle import Programs

programs = Programs()
X = np.arange(8) - 2.0


def columns(x):
    return np.stack([x**0, x], axis=1)


@programs(X)
def least_squares(x):
    y, few = x[x > 0], x[x > 4]
    by_default = np.linalg.lstsq(columns(y), y**2, rcond=None)
    return by_default, np.linalg.lstsq(columns(y), y, rcond=0.1), np.linalg.lstsq(columns(few), few)


@programs(X)
def polynomials(x):
    y = x[x > 0]
    weighted = np.polyfit(y, y**2, 1, w=y)
    return np.polyfit(y, y**2, 2), weighted, np.polyfit(y, columns(y), 1), np.polyfit(y, x[:5], 1)


@programs(X)
def no_points(x):
    return np.polyfit(x[x > 9], x[x > 9], 2)


@programs(X)
def fewer_values(x):
    return np.polyfit(x[x > 0], x[x > 1], 2)


@programs(X)
def fewer_weights(x):
    return np.polyfit(x[x > 0], x[x > 0], 2, w=x[x > 1])


@programs(X)
def fewer_rows(x):
    return np.linalg.lstsq(columns(x[x > 0]), x[x > 1], rcond=None)


@programs.test
def test_fits(call):
    call.run()


def test_a_derivative_by_them_is_refused():
    with pytest.raises(ag.errors.MissingDerivativeError, match="least_squares"):
        ag.grad(lambda x: np.polyfit(x[x > 0], x[x > 0] ** 2, 1)[0])(X)
