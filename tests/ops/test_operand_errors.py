"""Operands that do not fit: NumPy's type of error, before the program runs."""

import numpy as np
import pytest

import ops
from tests.ops.recorded import record

A, B, V = np.ones((2, 3)), np.ones((4, 3)), np.ones(5)
AXIS = np.exceptions.AxisError


@pytest.mark.parametrize(
    "function, args, error, message",
    [
        (ops.add, [A, V], ValueError, "could not be broadcast together"),
        (ops.where, [A > 0, A, V], ValueError, "could not be broadcast together"),
        (lambda x: ops.sum(x, axis=2), [A], AXIS, "out of bounds"),
        (lambda x: ops.sum(x, axis=(0, 0)), [A], ValueError, "repeated axis"),
        (lambda x: ops.cumsum(x, axis=-3), [A], AXIS, "out of bounds"),
        (lambda x: ops.argmax(x, axis=2), [A], AXIS, "out of bounds"),
        (lambda x: ops.sort(x, axis=2), [A], AXIS, "out of bounds"),
        (lambda x: ops.concatenate([x, x], axis=2), [A], AXIS, "out of bounds"),
        (lambda x: ops.transpose(x, (0, 2)), [A], AXIS, "out of bounds"),
        (lambda x: ops.transpose(x, (0,)), [A], ValueError, "axes don't match"),
        (lambda x: ops.transpose(x, (0, 0)), [A], ValueError, "repeated axis"),
        (lambda x: ops.expand_dims(x, 3), [A], AXIS, "out of bounds"),
        (lambda x: ops.squeeze(x, 0), [A], ValueError, "not equal to one"),
        (lambda x: ops.cast(x, "no such dtype"), [A], TypeError, "no such dtype"),
        (lambda x: ops.reshape(x, (4, 2)), [A], ValueError, "cannot reshape array of size 6"),
        (lambda x: ops.reshape(x, (4, -1)), [A], ValueError, "cannot reshape array of size 6"),
        (lambda x: ops.reshape(x, (-1, -1)), [A], ValueError, "one unknown dimension"),
        (lambda x: ops.reshape(x, (-2, -3)), [A], ValueError, "negative dimensions"),
        (lambda x: ops.broadcast_to(x, (3, 2)), [A], ValueError, "could not be broadcast"),
        (lambda x: ops.broadcast_to(x, (3,)), [A], ValueError, "cannot be broadcast"),
        (lambda x, y: ops.concatenate([x, y], 1), [A, B], ValueError, "must match exactly"),
        (lambda x, y: ops.concatenate([x, y]), [A, V], ValueError, "dimensions must match"),
        (lambda x: ops.concatenate([x]), [2.0], ValueError, "zero-dimensional"),
        (lambda x, y: ops.stack([x, y]), [A, B], ValueError, "same shape"),
        (lambda x: ops.split(x, 2, axis=1), [A], ValueError, "equal division"),
        (lambda x: ops.pad(x, -1), [A], ValueError, "negative"),
        (lambda x: ops.max(x, axis=0), [np.ones((0, 3))], ValueError, "has no value"),
        (lambda x: ops.argmin(x), [np.ones((0, 3))], ValueError, "empty sequence"),
        (lambda x: ops.argmin(x, 1), [np.ones((0, 0))], ValueError, "empty sequence"),
        (lambda x: ops.max(x, 1), [np.ones((0, 0, 2))], ValueError, "empty array"),
        (ops.matmul, [A, B], ValueError, "3 columns, 4 rows"),
        (ops.matmul, [A, 2.0], ValueError, "scalar"),
        (lambda x, y: ops.tensordot(x, y, 1), [A, B], ValueError, "shape-mismatch"),
        (lambda x, y: ops.einsum("ij,jk", x, y), [A, B], ValueError, "'j' has lengths 3 and 4"),
        (lambda x: ops.einsum("ij->k", x), [A], ValueError, "unknown"),
        (lambda x: ops.einsum("i", x), [A], ValueError, "does not label 2 axes"),
        (lambda x: ops.einsum("ij,jk", x), [A], ValueError, "2 terms"),
        (lambda x: ops.diag(x), [np.ones((1, 1, 1))], ValueError, "1- or 2-d"),
        (lambda x: ops.full(3, x), [V], ValueError, "scalar"),
        (ops.linalg.cholesky_lower, [A], np.linalg.LinAlgError, "must be square"),
        (ops.linalg.inv, [V], np.linalg.LinAlgError, "at least two-dimensional"),
        (ops.linalg.solve, [np.eye(3), V], ValueError, "solve"),
        (ops.linalg.inv, [np.eye(2, dtype="f2")], TypeError, "unsupported in linalg"),
        (ops.subtract, [A > 0, A > 0], TypeError, "boolean subtract"),
        (ops.bitwise_and, [A, A], TypeError, "not supported"),
        (ops.left_shift, [1.0, 2], TypeError, "unsupported operand"),
        (ops.negative, [A > 0], TypeError, "boolean negative"),
        (lambda x: ops.add(x, "a"), [A], TypeError, "'a'"),
    ],
)
def test_error(function, args, error, message):
    with pytest.raises(error, match=message):
        record(function, args)
