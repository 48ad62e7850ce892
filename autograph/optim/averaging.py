"""Averages of parameters along the way, which are often better than the last ones."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from autograph import tree
from autograph.api.leafwise import cast_like, refuse_option, updated
from autograph.optim.numerics import safe_increment, zero_count


def incremental_update(new_tensors: Any, old_tensors: Any, step_size: Any) -> Any:
    """A part of the way from old parameters to new ones (Polyak and Juditsky 1992).

    Args:
        new_tensors, old_tensors: nested alike. What has no number among the new ones stays.
        step_size: how much of the way.

    Examples:
        >>> ag.optim.incremental_update({"w": np.ones(2)}, {"w": np.zeros(2)}, 0.1)
        {'w': array([0.1, 0.1])}
    """

    def of_leaf(old: Any, new: Any) -> Any:
        part = cast_like(step_size, old)
        return part * new + (1.0 - part) * old

    return updated(old_tensors, new_tensors, of_leaf)


def periodic_update(new_tensors: Any, old_tensors: Any, steps: Any, update_period: int) -> Any:
    """The new parameters at each ``update_period``-th step, the old ones at the others.

    Args:
        new_tensors, old_tensors: nested alike.
        steps: how many steps there have been.
        update_period: after how many the new ones come.

    Examples:
        >>> [ag.optim.periodic_update(1.0, 0.0, steps, 2) for steps in range(3)]
        [1.0, 0.0, 1.0]
    """
    if update_period < 1:
        refuse_option(f"update_period is {update_period}", "give a positive number of steps")
    return new_tensors if steps % update_period == 0 else old_tensors


class AverageState(NamedTuple):
    """The state of an average of parameters.

    Attributes:
        count: how many steps there have been, an int32.
        average: the average, nested like the parameters.
    """

    count: Any
    average: Any


class Averaging(NamedTuple):
    """An average of parameters along the way.

    Attributes:
        init: ``init(params)`` is the first `AverageState`.
        update: ``update(params, state)`` is the next one, after a step.
    """

    init: Callable[[Any], AverageState]
    update: Callable[[Any, AverageState], AverageState]


def _begun(params: Any) -> AverageState:
    """An average of the first parameters: a copy, whose objects are others."""
    return AverageState(zero_count(), tree.map(lambda leaf: leaf, params))


def params_ema(decay: float) -> Averaging:
    """The exponential moving average of parameters, which begins with the first ones.

    Args:
        decay: how slowly it forgets.

    Examples:
        >>> averaging = ag.optim.params_ema(0.9)
        >>> state = averaging.init({"w": np.zeros(2)})
        >>> averaging.update({"w": np.ones(2)}, state).average["w"].round(6)
        array([0.1, 0.1])
    """

    def update(params: Any, state: AverageState) -> AverageState:
        average = incremental_update(params, state.average, 1.0 - decay)
        return AverageState(safe_increment(state.count), average)

    return Averaging(_begun, update)


def swa(start: int = 0, every: int = 1) -> Averaging:
    """Stochastic weight averaging: the mean of the parameters after some of the steps (Izmailov et
    al., "Averaging weights leads to wider optima and better generalization", 2018).

    Args:
        start: after how many steps it begins; before, the average is the last parameters.
        every: how many steps are between two that count.

    Examples:
        >>> averaging = ag.optim.swa(start=1)
        >>> state = averaging.init(0.0)
        >>> for params in (5.0, 1.0, 2.0):
        ...     state = averaging.update(params, state)
        >>> float(state.average)
        1.5
    """
    if start < 0 or every < 1:
        refuse_option(
            f"swa with start={start} and every={every}",
            "give start=0 or more, and every=1 or more",
        )

    def update(params: Any, state: AverageState) -> AverageState:
        after = state.count - start
        counts = after >= 0
        # How many parameters are in the mean, with these.
        number = np.where(counts, after // every + 1, 1)
        part = np.where(counts & (after % every != 0), 0.0, 1.0 / number)
        average = incremental_update(params, state.average, part)
        return AverageState(safe_increment(state.count), average)

    return Averaging(_begun, update)
