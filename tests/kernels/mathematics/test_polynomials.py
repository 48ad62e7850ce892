"""The polynomials of elementary functions are those that their script derives."""

from __future__ import annotations

import pytest
from mpmath import mpf

from autograph.kernels.mathematics import (
    error_function,
    exponential,
    hyperbolic,
    inverse_trigonometric,
    logarithm,
    power,
    roots,
    trigonometric,
)
from autograph.kernels.mathematics.arithmetic import DOUBLE, SINGLE
from tests.kernels.mathematics.derive_polynomials import POLYNOMIALS, fitted, largest_error

USED = {
    "asin": inverse_trigonometric._ASIN,
    "atan": inverse_trigonometric._ATAN,
    "atanh_rest": {DOUBLE: power._ATANH_REST},
    "cos": trigonometric._COS,
    "erf": error_function._ERF,
    "erfc_double": {DOUBLE: error_function._ERFC[DOUBLE]},
    "erfc_single": {SINGLE: error_function._ERFC[SINGLE]},
    "exp": exponential._EXP,
    "exp2": exponential._EXP2,
    "exp2_short": {DOUBLE: power._EXP2_SHORT},
    "inverse_cbrt": roots._INVERSE_CBRT,
    "log": {SINGLE: logarithm._LOG_SINGLE},
    "log2_ratio": {DOUBLE: power._LOG2_SHORT},
    "log_ratio": {DOUBLE: logarithm._LOG_RATIO_DOUBLE},
    "sin": trigonometric._SIN,
    "sinh": hyperbolic._SINH,
    "tan": trigonometric._TAN,
    "tanh": hyperbolic._TANH,
}


def test_every_polynomial_is_derived():
    assert set(USED) == set(POLYNOMIALS)


@pytest.mark.costly
@pytest.mark.parametrize("name", POLYNOMIALS)
def test_a_polynomial_is_as_near_as_one_can_be(name):
    f, weight, low, high, *degrees = POLYNOMIALS[name]
    wanted = dict(zip((SINGLE, DOUBLE), degrees))
    for dtype, coefficients in USED[name].items():
        assert len(coefficients) == wanted[dtype] + 1
        _, _, least = fitted(f, weight, low, high, wanted[dtype], dtype.name)
        used = [mpf(c) for c in coefficients]
        assert largest_error(f, weight, mpf(low), mpf(high), used) <= least * 1.01
