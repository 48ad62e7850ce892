"""Results of exported functions beside those of Python."""

from __future__ import annotations

from typing import Any

import numpy as np

import autograph as ag

_TOLERANCE = {2: 1e-2, 4: 2e-5, 8: 1e-11}  # by bytes per number


def leaves_of(result: Any) -> list[np.ndarray]:
    """The arrays and numbers in a result, those of a dict in its order."""
    if isinstance(result, dict):
        result = list(result.values())
    if isinstance(result, (tuple, list)):
        return [leaf for part in result for leaf in leaves_of(part)]
    return [np.asarray(leaf) for leaf in ag.tree.leaves(result)]


def assert_same(
    found: list[np.ndarray], expected: list[np.ndarray], promoted: bool = False
) -> None:
    """The same values to rounding, and exactly the same dtypes and shapes; with ``promoted``, a
    number may be of a type that holds those that it is of on other paths."""
    assert len(found) == len(expected)
    for a, b in zip(found, expected):
        if promoted and not b.shape and np.result_type(a, b) == a.dtype:
            b = b.astype(a.dtype)
        assert (a.dtype, a.shape) == (b.dtype, b.shape), (a, b)
        rtol = _TOLERANCE[b.dtype.itemsize] if b.dtype.kind == "f" else 0.0
        np.testing.assert_allclose(a, b, rtol=rtol, atol=rtol * 1e-2)
