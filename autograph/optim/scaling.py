"""Updates that are multiplied by a number: the learning rate, and others."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from autograph.api.leafwise import cast_like, needed, of_updates
from autograph.optim.base import (
    GradientTransformation,
    ScalarOrSchedule,
    identity,
    leaf_by_leaf,
    stateless,
)
from autograph.optim.numerics import safe_increment, zero_count


def scale(step_size: Any) -> GradientTransformation:
    """Updates times a number.

    Examples:
        >>> ag.optim.scale(-0.1).update(np.array([2.0, 3.0]), ag.optim.EmptyState())[0]
        array([-0.2, -0.3])
    """

    return leaf_by_leaf(lambda u: cast_like(step_size, u) * u)


class ScaleByScheduleState(NamedTuple):
    """How many steps there have been.

    Attributes:
        count: an int32.
    """

    count: Any


def scale_by_schedule(step_size_fn: Callable[[Any], Any]) -> GradientTransformation:
    """Updates times what a schedule gives for the number of steps before.

    Examples:
        >>> half = ag.optim.scale_by_schedule(lambda count: 0.5**count)
        >>> state = half.init(1.0)
        >>> for _ in range(3):
        ...     update, state = half.update(1.0, state)
        >>> float(update)
        0.25
    """

    def init(params: Any) -> ScaleByScheduleState:
        return ScaleByScheduleState(zero_count())

    def update(
        updates: Any, state: ScaleByScheduleState, params: Any = None
    ) -> tuple[Any, ScaleByScheduleState]:
        step_size = step_size_fn(state.count)
        scaled = of_updates(lambda u: cast_like(step_size, u) * u, updates)
        return scaled, ScaleByScheduleState(safe_increment(state.count))

    return GradientTransformation(init, update)


def scale_by_learning_rate(
    learning_rate: ScalarOrSchedule | None = None, *, flip_sign: bool = True
) -> GradientTransformation:
    """Updates times a learning rate, and downhill.

    Args:
        learning_rate: a number, or a schedule: a function of the number of steps before. None
            leaves updates as they are.
        flip_sign: whether they are to lead downhill.

    Examples:
        >>> ag.optim.scale_by_learning_rate(0.1).update(np.ones(2), ag.optim.EmptyState())[0]
        array([-0.1, -0.1])
    """
    if learning_rate is None:
        return identity()
    sign = -1 if flip_sign else 1
    if callable(learning_rate):
        schedule = learning_rate
        return scale_by_schedule(lambda count: sign * schedule(count))
    return scale(sign * learning_rate)


def scale_by_trust_ratio(
    min_norm: float = 0.0, trust_coefficient: float = 1.0, eps: float = 0.0
) -> GradientTransformation:
    """Each leaf of the updates times the ratio of the norm of the parameter to its own (You,
    Gitman, Ginsburg 2017; You et al. 2020).

    Args:
        min_norm: norms are at least this large.
        trust_coefficient: times the ratio.
        eps: added to the norm of the update.

    Raises:
        OptionError: (of ``update``) there are no parameters.

    Examples:
        >>> trusted = ag.optim.scale_by_trust_ratio()
        >>> trusted.update(np.array([3.0, 4.0]), trusted.init(0.0), np.array([0.0, 10.0]))[0]
        array([6., 8.])
    """

    def scaled(updates: Any, params: Any) -> Any:
        needed(params, "scale_by_trust_ratio")
        return of_updates(of_leaf, updates, params, what="parameters")

    def of_leaf(update: Any, param: Any) -> Any:
        size, length = _norm(param, min_norm), _norm(update, min_norm)
        is_zero = (size == 0.0) | (length == 0.0)
        ratio = trust_coefficient * size / (np.where(is_zero, 1.0, length) + eps)
        return update * cast_like(np.where(is_zero, 1.0, ratio), update)

    return stateless(scaled)


def scale_by_param_block_norm(min_scale: float = 1e-3) -> GradientTransformation:
    """Each leaf of the updates times the norm of its parameter.

    Args:
        min_scale: the least factor.

    Raises:
        OptionError: (of ``update``) there are no parameters.

    Examples:
        >>> scaled = ag.optim.scale_by_param_block_norm()
        >>> scaled.update(np.ones(2), scaled.init(0.0), np.array([3.0, 4.0]))[0]
        array([5., 5.])
    """

    def scaled(updates: Any, params: Any) -> Any:
        needed(params, "scale_by_param_block_norm")
        of_leaf = lambda update, param: update * _norm(param, min_scale)
        return of_updates(of_leaf, updates, params, what="parameters")

    return stateless(scaled)


def scale_by_param_block_rms(min_scale: float = 1e-3) -> GradientTransformation:
    """Each leaf of the updates times the root of the mean square of its parameter.

    Args:
        min_scale: the least factor.

    Raises:
        OptionError: (of ``update``) there are no parameters.

    Examples:
        >>> scaled = ag.optim.scale_by_param_block_rms()
        >>> scaled.update(np.ones(2), scaled.init(0.0), np.array([2.0, -2.0]))[0]
        array([2., 2.])
    """

    def scaled(updates: Any, params: Any) -> Any:
        needed(params, "scale_by_param_block_rms")
        of_leaf = lambda update, param: update * root_mean_square(param, min_scale)
        return of_updates(of_leaf, updates, params, what="parameters")

    return stateless(scaled)


def _norm(x: Any, least: float) -> Any:
    """The norm of a leaf, or the least one; where that is more, it has no derivative."""
    squared = np.sum(np.square(x))
    is_short = squared <= least * least
    return np.where(is_short, least, np.sqrt(np.where(is_short, 1.0, squared)))


def root_mean_square(x: Any, least: float) -> Any:
    """The root of the mean square of a leaf, or the least one."""
    squared = np.mean(np.square(x))
    is_small = squared <= least * least
    return np.where(is_small, least, np.sqrt(np.where(is_small, 1.0, squared)))
