"""Updates divided by how large gradients have been: AdaGrad and RMSProp."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from autograph.api.leafwise import of_state, of_updates
from autograph.optim.base import GradientTransformation, ScalarOrSchedule, identity
from autograph.optim.combining import chain
from autograph.optim.gradient_descent import trace
from autograph.optim.numerics import (
    bias_correction,
    full_like,
    safe_increment,
    update_moment,
    zero_count,
    zeros_like,
)
from autograph.optim.scaling import scale_by_learning_rate


class ScaleByRssState(NamedTuple):
    """The state of `scale_by_rss`.

    Attributes:
        sum_of_squares: of all gradients.
    """

    sum_of_squares: Any


def scale_by_rss(
    initial_accumulator_value: float = 0.1, eps: float = 1e-7
) -> GradientTransformation:
    """Updates divided by the root of the sum of the squares of all of them (Duchi, Hazan, Singer
    2011).

    Args:
        initial_accumulator_value: what the sum begins with.
        eps: added below the root.

    Examples:
        >>> adagrad = ag.optim.scale_by_rss(0.0)
        >>> state = adagrad.init(np.zeros(1))
        >>> for _ in range(4):
        ...     update, state = adagrad.update(np.ones(1), state)
        >>> update.round(6)
        array([0.5])
    """

    def init(params: Any) -> ScaleByRssState:
        return ScaleByRssState(full_like(params, initial_accumulator_value))

    def update(
        updates: Any, state: ScaleByRssState, params: Any = None
    ) -> tuple[Any, ScaleByRssState]:
        total = of_state(lambda t, g: t + np.square(g), state.sum_of_squares, updates)
        made = of_updates(_over_root(eps), updates, total)
        return made, ScaleByRssState(total)

    return GradientTransformation(init, update)


def _over_root(eps: float) -> Any:
    """Divides by the root of a sum of squares, where that is not zero."""

    def divided(g: Any, total: Any) -> Any:
        is_zero = total == 0.0
        return np.where(is_zero, 0.0, g / np.sqrt(np.where(is_zero, 1.0, total) + eps))

    return divided


class ScaleByRmsState(NamedTuple):
    """The state of `scale_by_rms`.

    Attributes:
        count: how many steps there have been, an int32.
        nu: the moving average of the squares of the gradients.
    """

    count: Any
    nu: Any


def scale_by_rms(
    decay: float = 0.9,
    eps: float = 1e-8,
    initial_scale: float = 0.0,
    eps_in_sqrt: bool = True,
    bias_correction: bool = False,
) -> GradientTransformation:
    """Updates divided by the root of the moving average of their squares (Hinton 2012).

    Args:
        decay: how slowly the average forgets.
        eps: added to it.
        initial_scale: what the average begins with.
        eps_in_sqrt: whether ``eps`` is added below the root.
        bias_correction: whether the average is that of what there was, without its beginning.

    Examples:
        >>> rms = ag.optim.scale_by_rms(bias_correction=True)
        >>> rms.update(np.array([10.0, -0.1]), rms.init(np.zeros(2)))[0].round(4)
        array([ 1., -1.])
    """

    def init(params: Any) -> ScaleByRmsState:
        return ScaleByRmsState(zero_count(), full_like(params, initial_scale))

    def update(
        updates: Any, state: ScaleByRmsState, params: Any = None
    ) -> tuple[Any, ScaleByRmsState]:
        count = safe_increment(state.count)
        nu = update_moment(updates, state.nu, decay, 2)
        squares = _corrected(nu, decay, count) if bias_correction else nu
        made = of_updates(lambda g, v: _over(g, v, eps, eps_in_sqrt), updates, squares)
        return made, ScaleByRmsState(count, nu)

    return GradientTransformation(init, update)


_corrected = bias_correction  # arguments have that name, too


def _over(g: Any, squares: Any, eps: float, eps_in_sqrt: bool) -> Any:
    return g / np.sqrt(squares + eps) if eps_in_sqrt else g / (np.sqrt(squares) + eps)


class ScaleByRStdDevState(NamedTuple):
    """The state of `scale_by_stddev`.

    Attributes:
        count: how many steps there have been, an int32.
        mu, nu: the moving averages of the gradients and of their squares.
    """

    count: Any
    mu: Any
    nu: Any


def scale_by_stddev(
    decay: float = 0.9,
    eps: float = 1e-8,
    initial_scale: float = 0.0,
    eps_in_sqrt: bool = True,
    bias_correction: bool = False,
) -> GradientTransformation:
    """Updates divided by a moving estimate of their standard deviation (Graves 2013).

    Args:
        decay, eps, initial_scale, eps_in_sqrt, bias_correction: see `scale_by_rms`.

    Examples:
        >>> stddev = ag.optim.scale_by_stddev()
        >>> stddev.update(np.array([1.0]), stddev.init(np.zeros(1)))[0].round(4)
        array([3.3333])
    """

    def init(params: Any) -> ScaleByRStdDevState:
        return ScaleByRStdDevState(
            zero_count(), zeros_like(params), full_like(params, initial_scale)
        )

    def update(
        updates: Any, state: ScaleByRStdDevState, params: Any = None
    ) -> tuple[Any, ScaleByRStdDevState]:
        count = safe_increment(state.count)
        mu = update_moment(updates, state.mu, decay, 1)
        nu = update_moment(updates, state.nu, decay, 2)
        average, squares = mu, nu
        if bias_correction:
            average, squares = _corrected(mu, decay, count), _corrected(nu, decay, count)
        # Below zero it is rounding.
        variances = of_updates(lambda m, v: np.maximum(v - np.square(m), 0.0), average, squares)
        made = of_updates(lambda g, v: _over(g, v, eps, eps_in_sqrt), updates, variances)
        return made, ScaleByRStdDevState(count, mu, nu)

    return GradientTransformation(init, update)


def adagrad(
    learning_rate: ScalarOrSchedule, initial_accumulator_value: float = 0.1, eps: float = 1e-7
) -> GradientTransformation:
    """AdaGrad (Duchi, Hazan, Singer, "Adaptive subgradient methods for online learning and
    stochastic optimization", 2011).

    Args:
        learning_rate: a number or a schedule.
        initial_accumulator_value, eps: see `scale_by_rss`.

    Examples:
        >>> optimiser = ag.optim.adagrad(0.1, initial_accumulator_value=0.0)
        >>> optimiser.update(np.array([3.0]), optimiser.init(np.zeros(1)))[0].round(6)
        array([-0.1])
    """
    return chain(
        scale_by_rss(initial_accumulator_value, eps), scale_by_learning_rate(learning_rate)
    )


def rmsprop(
    learning_rate: ScalarOrSchedule,
    decay: float = 0.9,
    eps: float = 1e-8,
    initial_scale: float = 0.0,
    eps_in_sqrt: bool = True,
    centered: bool = False,
    momentum: float | None = None,
    nesterov: bool = False,
    bias_correction: bool = False,
) -> GradientTransformation:
    """RMSProp (Hinton, lecture 6 of "Neural networks for machine learning", 2012), or centred, in
    the way of Graves ("Generating sequences with recurrent neural networks", 2013).

    Args:
        learning_rate: a number or a schedule.
        decay, eps, initial_scale, eps_in_sqrt, bias_correction: see `scale_by_rms`.
        centered: whether to divide by the standard deviation.
        momentum, nesterov: of what has been scaled; see `trace`.

    Examples:
        >>> optimiser = ag.optim.rmsprop(0.1, decay=0.75)
        >>> optimiser.update(np.array([3.0]), optimiser.init(np.zeros(1)))[0].round(6)
        array([-0.2])
    """
    scaled = scale_by_stddev if centered else scale_by_rms
    return chain(
        scaled(decay, eps, initial_scale, eps_in_sqrt, bias_correction),
        scale_by_learning_rate(learning_rate),
        identity() if momentum is None else trace(momentum, nesterov),
    )
