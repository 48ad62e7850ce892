"""Stochastic gradient descent."""

from __future__ import annotations

from typing import Any, NamedTuple

from autograph.api.leafwise import cast_like, of_state, of_updates
from autograph.optim.base import GradientTransformation, ScalarOrSchedule, identity
from autograph.optim.combining import chain
from autograph.optim.numerics import zeros_like
from autograph.optim.scaling import scale_by_learning_rate


class TraceState(NamedTuple):
    """The state of `trace`.

    Attributes:
        trace: the sum of the updates so far, those of long ago with less weight.
    """

    trace: Any


def trace(
    decay: float, nesterov: bool = False, accumulator_dtype: Any = None
) -> GradientTransformation:
    """Momentum: a sum of all updates so far, in which each counts ``decay`` times what the next
    one does (Polyak 1964).

    Args:
        decay: less than one.
        nesterov: whether a step is as that of Nesterov (1983), written as by Sutskever et al.
            (2013).
        accumulator_dtype: of the sum; that of the parameters by default.

    Examples:
        >>> momentum = ag.optim.trace(0.9)
        >>> state = momentum.init(np.zeros(1))
        >>> for _ in range(2):
        ...     update, state = momentum.update(np.ones(1), state)
        >>> update
        array([1.9])
    """

    def init(params: Any) -> TraceState:
        return TraceState(zeros_like(params, accumulator_dtype))

    def update(updates: Any, state: TraceState, params: Any = None) -> tuple[Any, TraceState]:
        add = lambda g, t: g + cast_like(decay, g) * t
        total = of_updates(add, updates, state.trace)
        made = of_updates(add, updates, total) if nesterov else total
        return made, TraceState(of_state(lambda t, new: new, state.trace, total))

    return GradientTransformation(init, update)


def sgd(
    learning_rate: ScalarOrSchedule,
    momentum: float | None = None,
    nesterov: bool = False,
    accumulator_dtype: Any = None,
) -> GradientTransformation:
    """Stochastic gradient descent (Robbins and Monro 1951), with momentum if it is given; see
    `trace`.

    Args:
        learning_rate: a number or a schedule.
        momentum, nesterov, accumulator_dtype: see `trace`.

    Examples:
        >>> params, optimiser = {"w": np.array([1.0, 2.0])}, ag.optim.sgd(0.1, momentum=0.9)
        >>> gradient = ag.grad(lambda params: np.sum(params["w"] ** 2))(params)
        >>> updates, state = optimiser.update(gradient, optimiser.init(params))
        >>> ag.optim.apply_updates(params, updates)
        {'w': array([0.8, 1.6])}
    """
    first = identity() if momentum is None else trace(momentum, nesterov, accumulator_dtype)
    return chain(first, scale_by_learning_rate(learning_rate))
