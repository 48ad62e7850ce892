"""What several optimisers have in common."""

from __future__ import annotations

from typing import Any

import numpy as np

from autograph.api.leafwise import cast_like, floats, of_parameters, of_state, of_updates

LARGEST = np.iinfo(np.int32).max


def zero_count() -> Any:
    """How many steps there have been before the first one."""
    return np.zeros((), np.int32)


def safe_increment(count: Any) -> Any:
    """One more, or the largest int32."""
    return np.where(count < LARGEST, count + np.int32(1), np.int32(LARGEST))


def full_like(params: Any, value: Any, dtype: Any = None) -> Any:
    """Arrays like the parameters that hold one value."""
    return of_parameters(lambda leaf: np.full_like(leaf, value, dtype=dtype), params)


def zeros_like(params: Any, dtype: Any = None) -> Any:
    """Zeros like the parameters."""
    return of_parameters(lambda leaf: np.zeros_like(leaf, dtype=dtype), params)


def update_moment(updates: Any, moments: Any, decay: Any, order: int) -> Any:
    """An exponential moving average of powers of the updates."""
    return of_state(lambda m, g: (1 - decay) * g**order + decay * m, moments, updates)


def bias_correction(moments: Any, decay: Any, count: Any) -> Any:
    """A moving average that began with zeros, as if it had begun with what it is of (Kingma and Ba
    2015, section 3)."""
    correction = 1 - decay**count
    return of_updates(lambda m: m / cast_like(correction, m), moments)


def global_norm(updates: Any) -> Any:
    """The Euclidean norm of all leaves together.

    Examples:
        >>> float(ag.optim.global_norm({"a": np.array([3.0]), "b": (4.0, None)}))
        5.0
    """
    total = 0.0
    for leaf in floats(updates):
        total = total + np.sum(np.square(leaf))
    return np.sqrt(total)


def dot(tree: Any, other: Any) -> Any:
    """The inner product of two trees that are nested alike."""
    total = 0.0
    for left, right in zip(floats(tree), floats(other)):
        total = total + np.sum(left * right)
    return total


def moved(params: Any, distance: Any, direction: Any) -> Any:
    """The parameters after a distance in a direction."""
    return of_updates(
        lambda param, step: param + cast_like(distance, param) * step, params, direction
    )
