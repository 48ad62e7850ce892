"""Hyperparameters as a part of the state: numbers that can be read, set and scheduled."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import numpy as np

from autograph.api.leafwise import dtype_of, is_float, refuse_option
from autograph.api.signatures import arguments_by_name, names_of_arguments
from autograph.optim.base import (
    GradientTransformation,
    GradientTransformationExtraArgs,
    with_extra_args_support,
)
from autograph.optim.numerics import safe_increment, zero_count


class StatefulSchedule:
    """A schedule that depends on more than the number of steps: classes with these methods, which
    `inject_hyperparams` takes in place of a number."""

    def init(self) -> Any:
        """The first state."""
        raise NotImplementedError

    def update(self, state: Any, **extra_args: Any) -> Any:
        """The next state; ``extra_args`` are what the optimiser's ``update`` is given by name."""
        raise NotImplementedError

    def __call__(self, state: Any, **extra_args: Any) -> Any:
        """The number at a state."""
        raise NotImplementedError


class WrappedScheduleState(NamedTuple):
    """The state of a schedule that depends on the number of steps alone.

    Attributes:
        count: how many there have been, an int32.
    """

    count: Any


class _OfCount(StatefulSchedule):
    """A schedule of the number of steps."""

    def __init__(self, schedule: Callable[[Any], Any]):
        self.schedule = schedule

    def init(self) -> WrappedScheduleState:
        return WrappedScheduleState(zero_count())

    def update(self, state: WrappedScheduleState, **extra_args: Any) -> WrappedScheduleState:
        return WrappedScheduleState(safe_increment(state.count))

    def __call__(self, state: WrappedScheduleState, **extra_args: Any) -> Any:
        return self.schedule(state.count)


class InjectStatefulHyperparamsState(NamedTuple):
    """The state of `inject_hyperparams`.

    Attributes:
        count: how many steps there have been, an int32.
        hyperparams: the numbers of the last step, by their names.
        hyperparams_states: the states of the schedules, by their names.
        inner_state: that of the optimiser.
    """

    count: Any
    hyperparams: dict[str, Any]
    hyperparams_states: dict[str, Any]
    inner_state: Any


def inject_hyperparams(
    inner_factory: Callable[..., GradientTransformation],
    static_args: str | Iterable[str] = (),
    hyperparam_dtype: Any = None,
) -> Callable[..., GradientTransformationExtraArgs]:
    """A constructor whose optimisers have their numbers in the state: ``state.hyperparams[name]``
    is read, or set between steps, and any of them may be a schedule.

    Args:
        inner_factory: makes an optimiser, such as `adam`.
        static_args: the names of arguments that stay what they are: numbers that decide shapes or
            loops, and functions that are no schedules, such as a ``mask``. Bools, texts and None
            stay by themselves.
        hyperparam_dtype: that of the numbers; by default the one that all parameters have in
            common.

    Returns:
        A function with the arguments of ``inner_factory``. A function in place of a number is a
        schedule of the number of steps; a `StatefulSchedule` one of its own state.

    Raises:
        OptionError: a name in ``static_args`` is not that of an argument.

    Examples:
        >>> optimiser = ag.optim.inject_hyperparams(ag.optim.sgd)(learning_rate=0.1)
        >>> state = optimiser.init(np.zeros(1))
        >>> state.hyperparams["learning_rate"] = 0.5
        >>> optimiser.update(np.ones(1), state)[0]
        array([-0.5])
    """
    names = names_of_arguments(inner_factory)
    fixed = {static_args} if isinstance(static_args, str) else set(static_args)
    unknown = sorted(fixed - set(names))
    if unknown:
        refuse_option(
            f"static_args names {unknown[0]!r}, which is no argument",
            f"choose from {', '.join(map(repr, names))}",
        )

    def construct(*args: Any, **kwargs: Any) -> GradientTransformationExtraArgs:
        schedules, numbers, others = {}, {}, {}
        for name, value in arguments_by_name(inner_factory, args, kwargs).items():
            if name in fixed or value is None or isinstance(value, (bool, str)):
                others[name] = value
            elif isinstance(value, StatefulSchedule):
                schedules[name] = value
            elif callable(value):
                schedules[name] = _OfCount(value)
            elif isinstance(value, (int, float, np.ndarray, np.generic)):
                numbers[name] = value
            else:
                others[name] = value
        return _injected(inner_factory, schedules, numbers, others, hyperparam_dtype)

    return construct


def _injected(
    inner_factory: Callable[..., GradientTransformation],
    schedules: dict[str, Any],
    numbers: dict[str, Any],
    others: dict[str, Any],
    hyperparam_dtype: Any,
) -> GradientTransformationExtraArgs:
    """The optimiser of `inject_hyperparams`."""

    def number(value: Any, like: Any) -> Any:
        if not is_float(value):
            return np.asarray(value)
        return np.asarray(value, dtype_of(like) if hyperparam_dtype is None else hyperparam_dtype)

    def init(params: Any) -> InjectStatefulHyperparamsState:
        states = {name: schedule.init() for name, schedule in schedules.items()}
        found = {name: number(value, params) for name, value in numbers.items()}
        for name, schedule in schedules.items():
            found[name] = number(schedule(states[name]), params)
        inner = inner_factory(**others, **found).init(params)
        return InjectStatefulHyperparamsState(zero_count(), found, states, inner)

    def update(
        updates: Any, state: InjectStatefulHyperparamsState, params: Any = None, **extra: Any
    ) -> tuple[Any, InjectStatefulHyperparamsState]:
        like = updates if params is None else params
        found = {name: number(value, like) for name, value in state.hyperparams.items()}
        states = {}
        for name, schedule in schedules.items():
            before = state.hyperparams_states[name]
            found[name] = number(schedule(before, **extra), like)
            states[name] = schedule.update(before, **extra)
        inner = with_extra_args_support(inner_factory(**others, **found))
        made, inner_state = inner.update(updates, state.inner_state, params, **extra)
        count = safe_increment(state.count)
        return made, InjectStatefulHyperparamsState(count, found, states, inner_state)

    return GradientTransformationExtraArgs(init, update)
