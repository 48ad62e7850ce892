"""Gradients that are gathered over several steps."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from autograph.api.leafwise import (
    cast_like,
    dtype_of,
    floats,
    is_flag,
    of_state,
    of_updates,
    refuse_option,
)
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
        skip_state: what ``should_skip_update_fn`` has told of the last gradient.
    """

    mini_step: Any
    gradient_step: Any
    inner_opt_state: Any
    acc_grads: Any
    skip_state: Any = ()


def skip_not_finite(updates: Any, gradient_step: Any, params: Any) -> tuple[Any, Any]:
    """Whether updates hold NaNs or infinities: a ``should_skip_update_fn`` of `MultiSteps`.

    Returns:
        It, and a dict of it, ``"should_skip"``, and of how many there are, ``"num_not_finite"``.

    Examples:
        >>> skip, told = ag.optim.skip_not_finite(np.array([1.0, np.nan, -np.inf]), 0, None)
        >>> bool(skip), int(told["num_not_finite"])
        (True, 2)
    """
    count = np.zeros((), int)
    for leaf in floats(updates):
        count = count + np.sum(~np.isfinite(leaf))
    should_skip = count > 0
    return should_skip, {"should_skip": should_skip, "num_not_finite": count}


def skip_large_updates(
    updates: Any, gradient_step: Any, params: Any, max_squared_norm: float
) -> tuple[Any, Any]:
    """Whether the square of the norm of updates is not below a number, or is NaN: a
    ``should_skip_update_fn`` of `MultiSteps`, with ``functools.partial``.

    Returns:
        It, and a dict of it, ``"should_skip"``, and of the square, ``"norm_squared"``.

    Examples:
        >>> skip, told = ag.optim.skip_large_updates(np.array([3.0, 4.0]), 0, None, 10.0)
        >>> bool(skip), float(told["norm_squared"])
        (True, 25.0)
    """
    squared = np.zeros((), dtype_of(updates))
    for leaf in floats(updates):
        squared = squared + np.sum(np.square(leaf))
    should_skip = ~(squared < max_squared_norm)
    return should_skip, {"should_skip": should_skip, "norm_squared": squared}


class MultiSteps:
    """An optimiser that makes a step of several gradients together: a batch in parts.

    Args:
        opt: the optimiser.
        every_k_schedule: how many gradients a step is of; or a function that says so for the number
            of steps before.
        use_grad_mean: whether the step is of their mean, not of their sum.
        should_skip_update_fn: says which gradients are left out, as if they had never been: takes
            the gradient, the number of steps and the parameters, and returns a bool and what is to
            be told of it in the state; see `skip_not_finite` and `skip_large_updates`.
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
        should_skip_update_fn: Callable[..., tuple[Any, Any]] | None = None,
        accumulator_dtype: Any = None,
    ):
        if not callable(every_k_schedule) and every_k_schedule < 1:
            refuse_option(
                f"a step of {every_k_schedule} gradients", "give a positive number of gradients"
            )
        self._opt = with_extra_args_support(opt)
        self._every = every_k_schedule
        self._use_mean = use_grad_mean
        self._skips = should_skip_update_fn
        self._dtype = accumulator_dtype

    def init(self, params: Any) -> MultiStepsState:
        """The first state."""
        gathered = zeros_like(params, self._dtype)
        _, told = self._skipped(zeros_like(params), zero_count(), params)
        inner = self._opt.init(params)
        return MultiStepsState(zero_count(), zero_count(), inner, gathered, told)

    def _skipped(self, updates: Any, step: Any, params: Any) -> tuple[Any, Any]:
        """Whether a gradient is left out, and what is told of it."""
        if self._skips is None:
            return False, ()
        should_skip, told = self._skips(updates, step, params)
        if not is_flag(should_skip):
            refuse_option(
                "should_skip_update_fn returns something else than one bool, and what it tells",
                "return a pair such as (np.any(...), ())",
            )
        return should_skip, told

    def update(
        self, updates: Any, state: MultiStepsState, params: Any = None, **extra: Any
    ) -> tuple[Any, MultiStepsState]:
        """Zeros, or the step of all that has been gathered; and the next state."""
        mini_step, step, inner, gathered, _ = state
        should_skip, told = self._skipped(updates, step, params)
        made = of_updates(np.zeros_like, updates)
        if not should_skip:
            every = self._every(step) if callable(self._every) else self._every
            gathered = self._gathered(updates, gathered, mini_step)
            step_of = of_updates(lambda u, acc: acc, updates, gathered)
            mini_step = safe_increment(mini_step)
            if mini_step >= every:
                made, inner = self._opt.update(step_of, inner, params, **extra)
                step = safe_increment(step)
                mini_step = zero_count()
                gathered = of_state(np.zeros_like, gathered)
        return made, MultiStepsState(mini_step, step, inner, gathered, told)

    def _gathered(self, updates: Any, gathered: Any, mini_step: Any) -> Any:
        """The mean, or sum, with one gradient more."""
        weight = 1.0 / (mini_step + 1.0) if self._use_mean else 1.0
        kept = 1.0 if not self._use_mean else 1.0 - weight
        return of_state(
            lambda acc, g: cast_like(kept, acc) * acc + cast_like(weight, acc) * g,
            gathered,
            updates,
        )

    def has_updated(self, state: MultiStepsState) -> Any:
        """Whether the optimiser has made a step at the last update."""
        return (state.mini_step == 0) & (state.gradient_step > 0)

    def gradient_transformation(self) -> GradientTransformationExtraArgs:
        """It as a `GradientTransformation`, for `chain` and others."""
        return GradientTransformationExtraArgs(self.init, self.update)
