"""Gradients that are gathered over several steps."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from autograph.api.leafwise import cast_like, of_state, of_updates, refuse_option
from autograph.optim.base import (
    GradientTransformation,
    GradientTransformationExtraArgs,
    with_extra_args_support,
)
from autograph.optim.numerics import (
    bias_correction,
    safe_increment,
    update_moment,
    zero_count,
    zeros_like,
)


class EmaState(NamedTuple):
    """The state of `ema`.

    Attributes:
        count: how many steps there have been, an int32.
        ema: the average.
    """

    count: Any
    ema: Any


def ema(decay: float, debias: bool = True, accumulator_dtype: Any = None) -> GradientTransformation:
    """The exponential moving average of the updates.

    Args:
        decay: how slowly it forgets.
        debias: whether it is that of what there was, without the zeros that it begins with.
        accumulator_dtype: its dtype; that of the parameters by default.

    Examples:
        >>> average = ag.optim.ema(0.5, debias=False)
        >>> average.update(np.ones(2), average.init(np.zeros(2)))[0]
        array([0.5, 0.5])
    """

    def init(params: Any) -> EmaState:
        return EmaState(zero_count(), zeros_like(params, accumulator_dtype))

    def update(updates: Any, state: EmaState, params: Any = None) -> tuple[Any, EmaState]:
        count = safe_increment(state.count)
        average = update_moment(updates, state.ema, decay, 1)
        corrected = bias_correction(average, decay, count) if debias else average
        return of_updates(lambda u, m: m, updates, corrected), EmaState(count, average)

    return GradientTransformation(init, update)


class ApplyEvery(NamedTuple):
    """The state of `apply_every`.

    Attributes:
        count: how many updates have been gathered, an int32.
        grad_acc: their sum.
    """

    count: Any
    grad_acc: Any


def apply_every(k: int = 1) -> GradientTransformation:
    """The sum of ``k`` updates at each ``k``-th step, and zeros at the others.

    It stands after what scales gradients, in a `chain`; `MultiSteps` is around all of it.

    Examples:
        >>> gathered = ag.optim.apply_every(2)
        >>> state = gathered.init(np.zeros(1))
        >>> for _ in range(4):
        ...     update, state = gathered.update(np.ones(1), state)
        ...     print(update)
        [0.]
        [2.]
        [0.]
        [2.]
    """
    if k < 1:
        refuse_option(f"apply_every of k={k} updates", "give a positive number of updates")

    def init(params: Any) -> ApplyEvery:
        return ApplyEvery(zero_count(), zeros_like(params))

    def update(updates: Any, state: ApplyEvery, params: Any = None) -> tuple[Any, ApplyEvery]:
        is_first, is_last = state.count == 0, state.count == k - 1
        total = of_state(lambda t, g: np.where(is_first, g, t + g), state.grad_acc, updates)
        made = of_updates(lambda u, t: np.where(is_last, t, np.zeros_like(t)), updates, total)
        return made, ApplyEvery(safe_increment(state.count) % np.int32(k), total)

    return GradientTransformation(init, update)


class MultiStepsState(NamedTuple):
    """The state of `MultiSteps`.

    Attributes:
        mini_step: how many gradients have been gathered, an int32.
        gradient_step: how many steps the optimiser has made, an int32.
        inner_opt_state: its state.
        acc_grads: the mean, or sum, of what has been gathered.
    """

    mini_step: Any
    gradient_step: Any
    inner_opt_state: Any
    acc_grads: Any


class MultiSteps:
    """An optimiser that makes a step of several gradients together: a batch in parts.

    Args:
        opt: the optimiser.
        every_k_schedule: how many gradients a step is of; or a function that says so for the number
            of steps before.
        use_grad_mean: whether the step is of their mean, not of their sum.
        accumulator_dtype: of what is gathered; that of the parameters by default. (In Optax it is
            float32.)

    Examples:
        >>> optimiser = ag.optim.MultiSteps(ag.optim.sgd(0.1), 2)
        >>> state = optimiser.init(np.zeros(1))
        >>> for gradient in (1.0, 3.0):
        ...     update, state = optimiser.update(np.array([gradient]), state)
        ...     print(update, optimiser.has_updated(state))
        [0.] False
        [-0.2] True
    """

    def __init__(
        self,
        opt: GradientTransformation,
        every_k_schedule: int | Callable[[Any], Any],
        use_grad_mean: bool = True,
        accumulator_dtype: Any = None,
    ):
        if not callable(every_k_schedule) and every_k_schedule < 1:
            refuse_option(
                f"a step of {every_k_schedule} gradients", "give a positive number of gradients"
            )
        self._opt = with_extra_args_support(opt)
        self._every = every_k_schedule
        self._use_mean = use_grad_mean
        self._dtype = accumulator_dtype

    def init(self, params: Any) -> MultiStepsState:
        """The first state."""
        gathered = zeros_like(params, self._dtype)
        return MultiStepsState(zero_count(), zero_count(), self._opt.init(params), gathered)

    def update(
        self, updates: Any, state: MultiStepsState, params: Any = None, **extra: Any
    ) -> tuple[Any, MultiStepsState]:
        """Zeros, or the step of all that has been gathered; and the next state."""
        mini_step, step, inner, gathered = state
        every = self._every(step) if callable(self._every) else self._every
        weight = 1.0 / (mini_step + 1.0) if self._use_mean else 1.0
        kept = 1.0 if not self._use_mean else 1.0 - weight
        gathered = of_state(
            lambda acc, g: cast_like(kept, acc) * acc + cast_like(weight, acc) * g,
            gathered,
            updates,
        )
        step_of = of_updates(lambda u, acc: acc, updates, gathered)
        made = of_updates(np.zeros_like, updates)
        mini_step = safe_increment(mini_step)
        if mini_step >= every:
            made, inner = self._opt.update(step_of, inner, params, **extra)
            step = safe_increment(step)
            mini_step = zero_count()
            gathered = of_state(np.zeros_like, gathered)
        return made, MultiStepsState(mini_step, step, inner, gathered)

    def has_updated(self, state: MultiStepsState) -> Any:
        """Whether the optimiser has made a step at the last update."""
        return (state.mini_step == 0) & (state.gradient_step > 0)

    def gradient_transformation(self) -> GradientTransformationExtraArgs:
        """It as a `GradientTransformation`, for `chain` and others."""
        return GradientTransformationExtraArgs(self.init, self.update)
