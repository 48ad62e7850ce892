"""What the state is between the times: the polynomials of the steps.

A polynomial is known by its coefficients, or by its values at as many points. Points lie within a
step, where the state is one that was integrated; an event may end that before the polynomial does.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np


class Pieces(NamedTuple):
    """What the state is between the times, step by step.

    Attributes:
        starts: where steps begin; infinite beyond the last one.
        lengths: how long they are.
        coefficients: for each the state where it begins, and the coefficients of the polynomial in
            the share of the step that is added to it.
        count: how many there are.
    """

    starts: Any
    lengths: Any
    coefficients: Any
    count: Any


def state_at(starts: Any, lengths: Any, coefficients: Any, count: Any, t: Any) -> Any:
    """The state at a time, or at times, of pieces; before the first one and after the last one,
    that which their polynomials give.

    Args:
        coefficients: of shape ``[most, degree + 1, ...]``.
    """
    t = np.asarray(t)
    forwards = lengths[0] > 0.0
    first = np.where(np.isinf(starts) | forwards, starts, -starts)
    place = np.searchsorted(first, np.where(forwards, t, -t), side="right") - 1
    place = np.clip(place, 0, np.maximum(count - 1, 0))
    s = (t - starts[place]) / lengths[place]
    s = s.reshape(t.shape + (1,) * (coefficients.ndim - 2))
    degree = coefficients.shape[1] - 1
    total = 0.0
    for power in range(degree, 0, -1):
        total = s * (coefficients[place, power] + total)
    return coefficients[place, 0] + total


def points(pieces: Pieces, end: Any) -> tuple[Any, Any]:
    """The points of each step, Chebyshev's, and powers of the share of it that was integrated.

    Args:
        end: the time at which the last step ends, and where points beyond it are.

    Returns:
        The times, of shape ``[most, degree + 1]``, and the powers from 0 to the degree, likewise.
    """
    starts = pieces.starts
    number = np.arange(len(starts))
    begin = np.where(number < pieces.count, starts, end)
    following = np.concatenate([starts[1:], starts[:1]])
    span = np.where(number < pieces.count - 1, following, end) - begin
    degree = pieces.coefficients.shape[1] - 1
    share = span / pieces.lengths
    share = np.where(share > 0.0, share, 1.0)
    powers = share[:, None] ** np.arange(degree + 1)
    nodes = _nodes(degree).astype(starts.dtype)
    return begin[:, None] + nodes * span[:, None], powers


def in_order(times: Any, forwards: Any) -> Any:
    """The positions of times in their order; of the same ones, the first comes first."""
    return np.argsort(np.where(forwards, times, -times), kind="stable")


def values(coefficients: Any, powers: Any) -> Any:
    """The states at the points, in a row: of shape ``[most * (degree + 1), ...]``."""
    shape = coefficients.shape
    flat = coefficients.reshape(shape[0], shape[1], -1) * powers[:, :, None]
    found = _vandermonde(shape[1] - 1).astype(coefficients.dtype) @ flat
    return found.reshape(shape[0] * shape[1], *shape[2:])


def interpolated(values: Any, powers: Any) -> Any:
    """The coefficients, from the states at the points."""
    shape = (*powers.shape, *values.shape[1:])
    flat = values.reshape(shape[0], shape[1], -1)
    matrix = np.linalg.inv(_vandermonde(shape[1] - 1)).astype(values.dtype)
    return ((matrix @ flat) / powers[:, :, None]).reshape(shape)


def spread(coefficients: Any, powers: Any, count: Any) -> Any:
    """The cotangents of the states at the points, from those of the coefficients."""
    shape = coefficients.shape
    kept = np.arange(shape[0]) < count
    kept = kept.reshape(-1, *(1,) * (len(shape) - 1))
    found = np.where(kept, coefficients, 0.0)
    flat = found.reshape(shape[0], shape[1], -1) / powers[:, :, None]
    matrix = np.linalg.inv(_vandermonde(shape[1] - 1)).T.astype(coefficients.dtype)
    return (matrix @ flat).reshape(shape[0] * shape[1], *shape[2:])


def _nodes(degree: int) -> Any:
    return 0.5 - 0.5 * np.cos(np.pi * (np.arange(degree + 1) + 0.5) / (degree + 1))


def _vandermonde(degree: int) -> Any:
    return _nodes(degree)[:, None] ** np.arange(degree + 1)
