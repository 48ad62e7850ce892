"""Adam and its kin: updates by moments of the gradient."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from autograph.api.leafwise import of_state, of_updates
from autograph.optim.base import GradientTransformation, ScalarOrSchedule
from autograph.optim.combining import chain
from autograph.optim.decay import add_decayed_weights
from autograph.optim.numerics import (
    bias_correction,
    safe_increment,
    update_moment,
    zero_count,
    zeros_like,
)
from autograph.optim.scaling import scale_by_learning_rate, scale_by_trust_ratio


class ScaleByAdamState(NamedTuple):
    """The state of `scale_by_adam` and `scale_by_adamax`.

    Attributes:
        count: how many steps there have been, an int32.
        mu: the moving average of the gradients.
        nu: that of their squares, or their largest size.
    """

    count: Any
    mu: Any
    nu: Any


def first_moment(updates: Any, mu: Any, b1: Any, count: Any, nesterov: bool) -> Any:
    """The corrected average of gradients after a step, or, in the way of Nesterov, what it will be
    after the next one."""
    if not nesterov:
        return bias_correction(mu, b1, count)
    ahead = bias_correction(mu, b1, safe_increment(count))
    now = bias_correction(updates, b1, count)
    return of_updates(lambda g, m: b1 * m + (1 - b1) * g, now, ahead)


def scale_by_adam(
    b1: float = 0.9,
    b2: float = 0.999,
    eps: float = 1e-8,
    eps_root: float = 0.0,
    mu_dtype: Any = None,
    *,
    nesterov: bool = False,
) -> GradientTransformation:
    """The average of gradients divided by the root of that of their squares (Kingma and Ba 2015).

    Args:
        b1, b2: how slowly the averages of gradients and of squares forget.
        eps: added to the root.
        eps_root: added below the root: where gradients are zero, a derivative through the step
            needs one.
        mu_dtype: of the average of gradients; that of the parameters by default.
        nesterov: whether the average is that of the next step (Dozat 2016).

    Examples:
        >>> adam = ag.optim.scale_by_adam()
        >>> adam.update(np.array([1e3, -1e-3]), adam.init(np.zeros(2)))[0].round(4)
        array([ 1., -1.])
    """

    def init(params: Any) -> ScaleByAdamState:
        return ScaleByAdamState(zero_count(), zeros_like(params, mu_dtype), zeros_like(params))

    def update(
        updates: Any, state: ScaleByAdamState, params: Any = None
    ) -> tuple[Any, ScaleByAdamState]:
        count = safe_increment(state.count)
        mu = update_moment(updates, state.mu, b1, 1)
        nu = update_moment(updates, state.nu, b2, 2)
        average = first_moment(updates, mu, b1, count, nesterov)
        squares = bias_correction(nu, b2, count)
        made = of_updates(
            lambda g, m, v: m / (np.sqrt(v + eps_root) + eps), updates, average, squares
        )
        return made, ScaleByAdamState(count, mu, nu)

    return GradientTransformation(init, update)


def scale_by_adamax(
    b1: float = 0.9, b2: float = 0.999, eps: float = 1e-8
) -> GradientTransformation:
    """The average of gradients divided by the largest that there was, long ago counting less
    (Kingma and Ba 2015, section 7).

    Args:
        b1, b2: how slowly the average and the largest size forget.
        eps: added to the size of gradients.

    Examples:
        >>> adamax = ag.optim.scale_by_adamax()
        >>> adamax.update(np.array([10.0, -0.1]), adamax.init(np.zeros(2)))[0].round(4)
        array([ 1., -1.])
    """

    def init(params: Any) -> ScaleByAdamState:
        return ScaleByAdamState(zero_count(), zeros_like(params), zeros_like(params))

    def update(
        updates: Any, state: ScaleByAdamState, params: Any = None
    ) -> tuple[Any, ScaleByAdamState]:
        count = safe_increment(state.count)
        mu = update_moment(updates, state.mu, b1, 1)
        nu = of_state(lambda v, g: np.maximum(np.abs(g) + eps, b2 * v), state.nu, updates)
        average = bias_correction(mu, b1, count)
        made = of_updates(lambda g, m, v: m / v, updates, average, nu)
        return made, ScaleByAdamState(count, mu, nu)

    return GradientTransformation(init, update)


class ScaleByAmsgradState(NamedTuple):
    """The state of `scale_by_amsgrad`.

    Attributes:
        count: how many steps there have been, an int32.
        mu, nu: the moving averages of the gradients and of their squares.
        nu_max: the largest average of squares that there was.
    """

    count: Any
    mu: Any
    nu: Any
    nu_max: Any


def scale_by_amsgrad(
    b1: float = 0.9,
    b2: float = 0.999,
    eps: float = 1e-8,
    eps_root: float = 0.0,
    mu_dtype: Any = None,
) -> GradientTransformation:
    """As `scale_by_adam`, with the largest average of squares so far (Reddi, Kale, Kumar 2018).

    Args:
        b1, b2, eps, eps_root, mu_dtype: see `scale_by_adam`.

    Examples:
        >>> amsgrad = ag.optim.scale_by_amsgrad()
        >>> amsgrad.update(np.array([10.0, -0.1]), amsgrad.init(np.zeros(2)))[0].round(4)
        array([ 1., -1.])
    """

    def init(params: Any) -> ScaleByAmsgradState:
        mu, nu, largest = zeros_like(params, mu_dtype), zeros_like(params), zeros_like(params)
        return ScaleByAmsgradState(zero_count(), mu, nu, largest)

    def update(
        updates: Any, state: ScaleByAmsgradState, params: Any = None
    ) -> tuple[Any, ScaleByAmsgradState]:
        count = safe_increment(state.count)
        mu = update_moment(updates, state.mu, b1, 1)
        nu = update_moment(updates, state.nu, b2, 2)
        average, squares = bias_correction(mu, b1, count), bias_correction(nu, b2, count)
        largest = of_state(lambda most, v: np.maximum(most, v), state.nu_max, squares)
        made = of_updates(
            lambda g, m, v: m / (np.sqrt(v + eps_root) + eps), updates, average, largest
        )
        return made, ScaleByAmsgradState(count, mu, nu, largest)

    return GradientTransformation(init, update)


def adam(
    learning_rate: ScalarOrSchedule,
    b1: float = 0.9,
    b2: float = 0.999,
    eps: float = 1e-8,
    eps_root: float = 0.0,
    mu_dtype: Any = None,
    *,
    nesterov: bool = False,
) -> GradientTransformation:
    """Adam (Kingma and Ba, "Adam: a method for stochastic optimization", 2015).

    Args:
        learning_rate: a number or a schedule.
        b1, b2, eps, eps_root, mu_dtype, nesterov: see `scale_by_adam`.

    Examples:
        >>> params, optimiser = {"w": np.array([1.0, -2.0])}, ag.optim.adam(0.1)
        >>> gradient = ag.grad(lambda params: np.sum(params["w"] ** 2))(params)
        >>> updates, state = optimiser.update(gradient, optimiser.init(params))
        >>> ag.optim.apply_updates(params, updates)["w"].round(6)
        array([ 0.9, -1.9])
    """
    return chain(
        scale_by_adam(b1, b2, eps, eps_root, mu_dtype, nesterov=nesterov),
        scale_by_learning_rate(learning_rate),
    )


def nadam(
    learning_rate: ScalarOrSchedule,
    b1: float = 0.9,
    b2: float = 0.999,
    eps: float = 1e-8,
    eps_root: float = 0.0,
    mu_dtype: Any = None,
) -> GradientTransformation:
    """Adam in the way of Nesterov (Dozat, "Incorporating Nesterov momentum into Adam", 2016).

    Args:
        learning_rate: a number or a schedule.
        b1, b2, eps, eps_root, mu_dtype: see `scale_by_adam`.

    Examples:
        >>> optimiser = ag.optim.nadam(0.1)
        >>> optimiser.update(np.array([1.0]), optimiser.init(np.zeros(1)))[0].round(6)
        array([-0.147368])
    """
    return adam(learning_rate, b1, b2, eps, eps_root, mu_dtype, nesterov=True)


def adamw(
    learning_rate: ScalarOrSchedule,
    b1: float = 0.9,
    b2: float = 0.999,
    eps: float = 1e-8,
    eps_root: float = 0.0,
    mu_dtype: Any = None,
    weight_decay: ScalarOrSchedule = 1e-4,
    mask: Any = None,
    *,
    nesterov: bool = False,
) -> GradientTransformation:
    """Adam with weights that decay apart from the gradient (Loshchilov and Hutter, "Decoupled
    weight decay regularization", 2019). The decay is times the learning rate.

    Args:
        learning_rate: a number or a schedule.
        b1, b2, eps, eps_root, mu_dtype, nesterov: see `scale_by_adam`.
        weight_decay, mask: see `add_decayed_weights`.

    Examples:
        >>> optimiser, params = ag.optim.adamw(0.1, weight_decay=0.5), np.array([2.0])
        >>> optimiser.update(np.array([1.0]), optimiser.init(params), params)[0].round(6)
        array([-0.2])
    """
    return chain(
        scale_by_adam(b1, b2, eps, eps_root, mu_dtype, nesterov=nesterov),
        add_decayed_weights(weight_decay, mask),
        scale_by_learning_rate(learning_rate),
    )


def nadamw(
    learning_rate: ScalarOrSchedule,
    b1: float = 0.9,
    b2: float = 0.999,
    eps: float = 1e-8,
    eps_root: float = 0.0,
    mu_dtype: Any = None,
    weight_decay: ScalarOrSchedule = 1e-4,
    mask: Any = None,
) -> GradientTransformation:
    """`nadam` with weights that decay as in `adamw`.

    Args:
        learning_rate: a number or a schedule.
        b1, b2, eps, eps_root, mu_dtype: see `scale_by_adam`.
        weight_decay, mask: see `add_decayed_weights`.

    Examples:
        >>> optimiser, params = ag.optim.nadamw(0.1, weight_decay=0.5), np.array([2.0])
        >>> optimiser.update(np.array([1.0]), optimiser.init(params), params)[0].round(6)
        array([-0.247368])
    """
    return adamw(learning_rate, b1, b2, eps, eps_root, mu_dtype, weight_decay, mask, nesterov=True)


def adamax(
    learning_rate: ScalarOrSchedule, b1: float = 0.9, b2: float = 0.999, eps: float = 1e-8
) -> GradientTransformation:
    """Adam with the largest size of gradients in place of their mean square (Kingma and Ba 2015,
    section 7).

    Args:
        learning_rate: a number or a schedule.
        b1, b2, eps: see `scale_by_adamax`.

    Examples:
        >>> optimiser = ag.optim.adamax(0.1)
        >>> optimiser.update(np.array([3.0]), optimiser.init(np.zeros(1)))[0].round(6)
        array([-0.1])
    """
    return chain(scale_by_adamax(b1, b2, eps), scale_by_learning_rate(learning_rate))


def amsgrad(
    learning_rate: ScalarOrSchedule,
    b1: float = 0.9,
    b2: float = 0.999,
    eps: float = 1e-8,
    eps_root: float = 0.0,
    mu_dtype: Any = None,
) -> GradientTransformation:
    """Adam whose steps do not grow again where gradients were large (Reddi, Kale, Kumar, "On the
    convergence of Adam and beyond", 2018).

    Args:
        learning_rate: a number or a schedule.
        b1, b2, eps, eps_root, mu_dtype: see `scale_by_adam`.

    Examples:
        >>> optimiser = ag.optim.amsgrad(0.1)
        >>> optimiser.update(np.array([3.0]), optimiser.init(np.zeros(1)))[0].round(6)
        array([-0.1])
    """
    return chain(
        scale_by_amsgrad(b1, b2, eps, eps_root, mu_dtype), scale_by_learning_rate(learning_rate)
    )


def lamb(
    learning_rate: ScalarOrSchedule,
    b1: float = 0.9,
    b2: float = 0.999,
    eps: float = 1e-6,
    eps_root: float = 0.0,
    weight_decay: ScalarOrSchedule = 0.0,
    mask: Any = None,
) -> GradientTransformation:
    """Adam with steps as long as the parameters are, for large batches (You et al., "Large batch
    optimization for deep learning: training BERT in 76 minutes", 2020).

    Args:
        learning_rate: a number or a schedule.
        b1, b2, eps, eps_root: see `scale_by_adam`.
        weight_decay, mask: see `add_decayed_weights`.

    Examples:
        >>> optimiser, params = ag.optim.lamb(0.1), np.array([3.0, 4.0])
        >>> optimiser.update(np.array([1.0, 0.0]), optimiser.init(params), params)[0].round(6)
        array([-0.5, -0. ])
    """
    return chain(
        scale_by_adam(b1, b2, eps, eps_root),
        add_decayed_weights(weight_decay, mask),
        scale_by_trust_ratio(),
        scale_by_learning_rate(learning_rate),
    )
