"""Steps that are made under a condition."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from autograph.api.leafwise import floats, of_updates, refuse_option
from autograph.optim.base import (
    GradientTransformation,
    GradientTransformationExtraArgs,
    with_extra_args_support,
)
from autograph.optim.numerics import safe_increment, zero_count


class ApplyIfFiniteState(NamedTuple):
    """The state of `apply_if_finite`.

    Attributes:
        notfinite_count: how many of the last updates were not finite, an int32.
        last_finite: whether the last one was.
        total_notfinite: how many were not, an int32.
        inner_state: that of the optimiser.
    """

    notfinite_count: Any
    last_finite: Any
    total_notfinite: Any
    inner_state: Any


def apply_if_finite(
    inner: GradientTransformation, max_consecutive_errors: int
) -> GradientTransformationExtraArgs:
    """An optimiser that makes no step where gradients hold NaNs or infinities.

    Args:
        inner: the optimiser.
        max_consecutive_errors: after so many of them, one after the other, it makes the step.

    Examples:
        >>> optimiser = ag.optim.apply_if_finite(ag.optim.sgd(0.1), 2)
        >>> optimiser.update(np.array([np.nan, 1.0]), optimiser.init(np.zeros(2)))[0]
        array([0., 0.])
    """
    if max_consecutive_errors < 0:
        refuse_option(
            f"max_consecutive_errors is {max_consecutive_errors}", "give a number of at least 0"
        )
    inner = with_extra_args_support(inner)

    def init(params: Any) -> ApplyIfFiniteState:
        return ApplyIfFiniteState(zero_count(), np.array(True), zero_count(), inner.init(params))

    def update(
        updates: Any, state: ApplyIfFiniteState, params: Any = None, **extra: Any
    ) -> tuple[Any, ApplyIfFiniteState]:
        is_finite = np.array(True)
        for leaf in floats(updates):
            is_finite = is_finite & np.all(np.isfinite(leaf))
        bad = np.where(is_finite, np.int32(0), safe_increment(state.notfinite_count))
        total = np.where(is_finite, state.total_notfinite, safe_increment(state.total_notfinite))
        inner_state = state.inner_state
        made = of_updates(np.zeros_like, updates)
        if is_finite | (bad > max_consecutive_errors):
            made, inner_state = inner.update(updates, inner_state, params, **extra)
        return made, ApplyIfFiniteState(bad, is_finite, total, inner_state)

    return GradientTransformationExtraArgs(init, update)
