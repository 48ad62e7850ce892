"""Learning rates that change: functions of the number of steps before, of one idea each.

A schedule takes a Python int or an int32 that is traced, and returns a number. Where it stands for
a learning rate it takes the dtype of the gradient.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from autograph.api.leafwise import refuse_option

Schedule = Callable[[Any], Any]


def constant_schedule(value: float) -> Schedule:
    """Always the same value.

    Examples:
        >>> ag.optim.constant_schedule(0.1)(100)
        0.1
    """
    return lambda count: value


def polynomial_schedule(
    init_value: float,
    end_value: float,
    power: float,
    transition_steps: int,
    transition_begin: int = 0,
) -> Schedule:
    """From one value to another, along a power of the steps that are left.

    Args:
        init_value, end_value: the first and the last value.
        power: 1 for a line.
        transition_steps: how many steps it takes; with none, the value stays the first one.
        transition_begin: after how many steps it begins.

    Examples:
        >>> schedule = ag.optim.polynomial_schedule(1.0, 0.0, 2, 4)
        >>> [float(schedule(count)) for count in range(6)]
        [1.0, 0.5625, 0.25, 0.0625, 0.0, 0.0]
    """
    if transition_steps <= 0:
        return constant_schedule(init_value)
    begin = max(transition_begin, 0)

    def schedule(count: Any) -> Any:
        done = np.clip(count - begin, 0, transition_steps)
        left = 1 - done / transition_steps
        return (init_value - end_value) * left**power + end_value

    return schedule


def linear_schedule(
    init_value: float, end_value: float, transition_steps: int, transition_begin: int = 0
) -> Schedule:
    """From one value to another along a line.

    Args:
        init_value, end_value, transition_steps, transition_begin: see `polynomial_schedule`.

    Examples:
        >>> schedule = ag.optim.linear_schedule(0.0, 1.0, 4)
        >>> [float(schedule(count)) for count in range(6)]
        [0.0, 0.25, 0.5, 0.75, 1.0, 1.0]
    """
    return polynomial_schedule(init_value, end_value, 1, transition_steps, transition_begin)


def piecewise_constant_schedule(
    init_value: float, boundaries_and_scales: Mapping[int, float] | None = None
) -> Schedule:
    """Values that change at some steps.

    Args:
        init_value: the first one.
        boundaries_and_scales: for the number of a step, what the value is multiplied by from then
            on.

    Raises:
        OptionError: a factor is negative.

    Examples:
        >>> schedule = ag.optim.piecewise_constant_schedule(1.0, {2: 0.5, 4: 0.1})
        >>> [round(float(schedule(count)), 3) for count in range(6)]
        [1.0, 1.0, 0.5, 0.5, 0.05, 0.05]
    """
    steps = sorted_steps(boundaries_and_scales, "piecewise_constant_schedule")

    def schedule(count: Any) -> Any:
        value: Any = init_value
        for boundary, factor in steps:
            value = np.where(count >= boundary, factor * value, value)
        return value

    return schedule


def sorted_steps(given: Mapping[int, float] | None, what: str) -> list[tuple[int, float]]:
    """The steps at which a value changes, in order, and its factors."""
    steps = sorted((given or {}).items())
    for boundary, factor in steps:
        if factor < 0.0:
            refuse_option(
                f"{what} is given the factor {factor} at step {boundary}",
                "give factors that are not negative",
            )
    return steps


def exponential_decay(
    init_value: float,
    transition_steps: int,
    decay_rate: float,
    transition_begin: int = 0,
    staircase: bool = False,
    end_value: float | None = None,
) -> Schedule:
    """``init_value * decay_rate ** (count / transition_steps)``.

    Args:
        init_value: the first value.
        transition_steps: after how many steps it has been multiplied by ``decay_rate``; with none,
            it stays.
        decay_rate: the factor; with zero, the value stays.
        transition_begin: after how many steps it begins.
        staircase: whether it changes after ``transition_steps`` steps only.
        end_value: the least value, or the largest one if the rate is above one.

    Examples:
        >>> schedule = ag.optim.exponential_decay(1.0, 2, 0.25, end_value=0.1)
        >>> [float(schedule(count)) for count in range(6)]
        [1.0, 0.5, 0.25, 0.125, 0.1, 0.1]
    """
    if transition_steps <= 0 or decay_rate == 0:
        return constant_schedule(init_value)
    begin = max(transition_begin, 0)

    def schedule(count: Any) -> Any:
        transitions = np.maximum(count - begin, 0) / transition_steps
        if staircase:
            transitions = np.floor(transitions)
        value = init_value * decay_rate**transitions
        if end_value is None:
            return value
        return np.maximum(value, end_value) if decay_rate < 1.0 else np.minimum(value, end_value)

    return schedule


def cosine_decay_schedule(
    init_value: float, decay_steps: int, alpha: float = 0.0, exponent: float = 1.0
) -> Schedule:
    """Down along half a wave of the cosine (Loshchilov and Hutter 2017).

    Args:
        init_value: the first value.
        decay_steps: how many steps it takes.
        alpha: the last value, as a part of the first one.
        exponent: of the wave.

    Raises:
        OptionError: ``decay_steps`` is not positive.

    Examples:
        >>> schedule = ag.optim.cosine_decay_schedule(1.0, 4)
        >>> [round(float(schedule(count)), 3) for count in range(6)]
        [1.0, 0.854, 0.5, 0.146, 0.0, 0.0]
    """
    if decay_steps <= 0:
        refuse_option(
            f"cosine_decay_schedule is to take {decay_steps} steps", "give a positive decay_steps"
        )

    def schedule(count: Any) -> Any:
        done = np.minimum(count, decay_steps) / decay_steps
        wave = 0.5 * (1 + np.cos(np.pi * done))
        return init_value * ((1 - alpha) * wave**exponent + alpha)

    return schedule


def join_schedules(schedules: Sequence[Schedule], boundaries: Sequence[int]) -> Schedule:
    """Schedules one after the other, each of which counts from its own beginning.

    Args:
        schedules: the schedules.
        boundaries: at which step the second begins, the third and so on.

    Raises:
        OptionError: there are not as many boundaries as schedules but one.

    Examples:
        >>> warm = ag.optim.linear_schedule(0.0, 1.0, 2)
        >>> schedule = ag.optim.join_schedules([warm, ag.optim.exponential_decay(1.0, 1, 0.5)], [2])
        >>> [float(schedule(count)) for count in range(5)]
        [0.0, 0.5, 1.0, 0.5, 0.25]
    """
    if len(boundaries) != len(schedules) - 1:
        refuse_option(
            f"join_schedules is given {len(schedules)} schedules and {len(boundaries)} boundaries",
            "give one boundary less than schedules",
        )

    def schedule(count: Any) -> Any:
        value = schedules[0](count)
        for boundary, each in zip(boundaries, schedules[1:]):
            value = np.where(count < boundary, value, each(count - boundary))
        return value

    return schedule


def warmup_constant_schedule(init_value: float, peak_value: float, warmup_steps: int) -> Schedule:
    """Up along a line, and on.

    Args:
        init_value, peak_value: the first and the last value.
        warmup_steps: how many steps it takes.

    Examples:
        >>> schedule = ag.optim.warmup_constant_schedule(0.0, 1.0, 2)
        >>> [float(schedule(count)) for count in range(4)]
        [0.0, 0.5, 1.0, 1.0]
    """
    return linear_schedule(init_value, peak_value, warmup_steps)


def warmup_cosine_decay_schedule(
    init_value: float,
    peak_value: float,
    warmup_steps: int,
    decay_steps: int,
    end_value: float = 0.0,
    exponent: float = 1.0,
) -> Schedule:
    """Up along a line, then down along half a wave; see `cosine_decay_schedule`.

    Args:
        init_value, peak_value, end_value: the first, the largest and the last value.
        warmup_steps: how many steps lead up.
        decay_steps: how many there are in all.
        exponent: of the wave.

    Raises:
        OptionError: there are not more steps in all than lead up.

    Examples:
        >>> schedule = ag.optim.warmup_cosine_decay_schedule(0.0, 1.0, 2, 6)
        >>> [round(float(schedule(count)), 3) for count in range(7)]
        [0.0, 0.5, 1.0, 0.854, 0.5, 0.146, 0.0]
    """
    if decay_steps <= warmup_steps:
        refuse_option(
            f"warmup_cosine_decay_schedule is to take {decay_steps} steps, of which {warmup_steps} "
            "lead up",
            "give a decay_steps that is more than warmup_steps: it is the number of all steps",
        )
    alpha = 0.0 if peak_value == 0.0 else end_value / peak_value
    up = linear_schedule(init_value, peak_value, warmup_steps)
    down = cosine_decay_schedule(peak_value, decay_steps - warmup_steps, alpha, exponent)
    return join_schedules([up, down], [warmup_steps])


def warmup_exponential_decay_schedule(
    init_value: float,
    peak_value: float,
    warmup_steps: int,
    transition_steps: int,
    decay_rate: float,
    transition_begin: int = 0,
    staircase: bool = False,
    end_value: float | None = None,
) -> Schedule:
    """Up along a line, then down exponentially.

    Args:
        init_value, peak_value: the first and the largest value.
        warmup_steps: how many steps lead up.
        transition_steps, decay_rate, transition_begin, staircase, end_value: see
            `exponential_decay`; counted from the largest value.

    Examples:
        >>> schedule = ag.optim.warmup_exponential_decay_schedule(0.0, 1.0, 2, 1, 0.5)
        >>> [float(schedule(count)) for count in range(5)]
        [0.0, 0.5, 1.0, 0.5, 0.25]
    """
    up = linear_schedule(init_value, peak_value, warmup_steps)
    down = exponential_decay(
        peak_value, transition_steps, decay_rate, transition_begin, staircase, end_value
    )
    return join_schedules([up, down], [warmup_steps])
