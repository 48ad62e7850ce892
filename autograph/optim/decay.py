"""Weights that decay."""

from __future__ import annotations

from typing import Any, NamedTuple

from autograph.api.leafwise import cast_like, needed, of_updates
from autograph.optim.base import EmptyState, GradientTransformation, ScalarOrSchedule
from autograph.optim.masking import masked
from autograph.optim.numerics import safe_increment, zero_count


class WeightDecaySchedule(NamedTuple):
    """How many steps there have been.

    Attributes:
        count: an int32.
    """

    count: Any


def add_decayed_weights(
    weight_decay: ScalarOrSchedule = 0.0, mask: Any = None
) -> GradientTransformation:
    """Updates with a multiple of the parameters added.

    Args:
        weight_decay: how much of them, a number or a schedule.
        mask: which parameters decay; see `masked`.

    Raises:
        OptionError: (of ``update``) there are no parameters.

    Examples:
        >>> decay = ag.optim.add_decayed_weights(0.01)
        >>> decay.update(np.zeros(2), decay.init(np.ones(2)), np.array([1.0, 2.0]))[0]
        array([0.01, 0.02])
    """

    def init(params: Any) -> Any:
        return WeightDecaySchedule(zero_count()) if callable(weight_decay) else EmptyState()

    def update(updates: Any, state: Any, params: Any = None) -> tuple[Any, Any]:
        needed(params, "add_decayed_weights")
        amount = weight_decay(state.count) if callable(weight_decay) else weight_decay
        decayed = of_updates(
            lambda g, p: g + cast_like(amount, p) * p, updates, params, what="parameters"
        )
        if callable(weight_decay):
            state = WeightDecaySchedule(safe_increment(state.count))
        return decayed, state

    every = GradientTransformation(init, update)
    return every if mask is None else masked(every, mask)
