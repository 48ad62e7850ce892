"""The sign and logarithm of determinants: an operator with two results."""

import numpy as np
import pytest

import ops
from ops.core.types import type_of
from tests.ops.forward_mode import difference
from tests.ops.recorded import record, run

X = np.random.default_rng(0).normal(size=(2, 3, 3))


@pytest.mark.parametrize("dtype", ["float32", "float64", "complex128"])
def test_results_and_types(dtype):
    x = X.astype(dtype)
    results = run(record(ops.linalg.sign_and_log_det, [x]), [x])
    for result, expected in zip(results, np.linalg.slogdet(x)):
        assert type_of(result) == type_of(expected)
        np.testing.assert_array_equal(result, expected)


def test_derivatives():
    tangent = np.random.default_rng(1).normal(size=X.shape)
    outs = ops.linalg.sign_and_log_det(X)
    _, forward = ops.linalg.sign_and_log_det.jvp((tangent,), (X,), outs)
    expected = difference(lambda x: np.linalg.slogdet(x)[1], [X], [tangent])
    np.testing.assert_allclose(forward, expected, rtol=1e-6)
    ct = np.array([2.0, 3.0])
    (pulled,) = ops.linalg.sign_and_log_det.vjp((None, ct), (X,), outs)
    np.testing.assert_allclose(np.sum(pulled * tangent), np.sum(ct * forward))
    assert ops.linalg.sign_and_log_det.vjp((ct, None), (X,), outs) == (None,)
