"""Learning rates that go from value to value: up and down in one cycle."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from autograph.api.leafwise import refuse_option
from autograph.optim.schedules import Schedule, sorted_steps


def piecewise_interpolate_schedule(
    interpolate_type: str,
    init_value: float,
    boundaries_and_scales: Mapping[int, float] | None = None,
) -> Schedule:
    """From value to value, along lines or halves of waves.

    Args:
        interpolate_type: ``"linear"`` or ``"cosine"``.
        init_value: the first value.
        boundaries_and_scales: for the number of a step, what the value is then, as a multiple of
            that at the boundary before.

    Raises:
        OptionError: there is no such type, or a factor is negative.

    Examples:
        >>> schedule = ag.optim.piecewise_interpolate_schedule("linear", 1.0, {2: 0.5, 4: 0.0})
        >>> [float(schedule(count)) for count in range(6)]
        [1.0, 0.75, 0.5, 0.25, 0.0, 0.0]
    """
    if interpolate_type not in ("linear", "cosine"):
        refuse_option(
            f"there is no interpolation {interpolate_type!r}", "choose 'linear' or 'cosine'"
        )
    steps = sorted_steps(boundaries_and_scales, "piecewise_interpolate_schedule")

    def schedule(count: Any) -> Any:
        begin, value = 0, init_value
        result = init_value + 0.0 * count
        for boundary, factor in steps:
            part = np.clip((count - begin) / max(boundary - begin, 1), 0.0, 1.0)
            if interpolate_type == "cosine":
                part = 0.5 * (1.0 - np.cos(np.pi * part))
            following = factor * value
            between = value + (following - value) * part
            result = np.where(
                count >= begin, np.where(count < boundary, between, following), result
            )
            begin, value = boundary, following
        return result

    return schedule


def linear_onecycle_schedule(
    transition_steps: int,
    peak_value: float,
    pct_start: float = 0.3,
    pct_final: float = 0.85,
    div_factor: float = 25.0,
    final_div_factor: float = 1e4,
) -> Schedule:
    """Up, down, and down further, along lines (Smith and Topin 2018).

    Args:
        transition_steps: how many steps there are.
        peak_value: the largest value.
        pct_start, pct_final: after which part of the steps it is the largest, and again the first.
        div_factor: the first value is the largest one divided by it.
        final_div_factor: the last value is the first one divided by it.

    Raises:
        OptionError: ``transition_steps`` is not positive.

    Examples:
        >>> schedule = ag.optim.linear_onecycle_schedule(10, 1.0)
        >>> [round(float(schedule(count)), 3) for count in (0, 3, 8, 10)]
        [0.04, 1.0, 0.04, 0.0]
    """
    _require_steps(transition_steps, "linear_onecycle_schedule")
    return piecewise_interpolate_schedule(
        "linear",
        peak_value / div_factor,
        {
            int(pct_start * transition_steps): div_factor,
            int(pct_final * transition_steps): 1.0 / div_factor,
            transition_steps: 1.0 / final_div_factor,
        },
    )


def cosine_onecycle_schedule(
    transition_steps: int,
    peak_value: float,
    pct_start: float = 0.3,
    div_factor: float = 25.0,
    final_div_factor: float = 1e4,
) -> Schedule:
    """Up and down along halves of waves (Smith and Topin 2018).

    Args:
        transition_steps: how many steps there are.
        peak_value: the largest value.
        pct_start: after which part of the steps it is that.
        div_factor: the first value is the largest one divided by it.
        final_div_factor: the last value is the first one divided by it.

    Raises:
        OptionError: ``transition_steps`` is not positive.

    Examples:
        >>> schedule = ag.optim.cosine_onecycle_schedule(10, 1.0)
        >>> [round(float(schedule(count)), 3) for count in (0, 3, 10)]
        [0.04, 1.0, 0.0]
    """
    _require_steps(transition_steps, "cosine_onecycle_schedule")
    return piecewise_interpolate_schedule(
        "cosine",
        peak_value / div_factor,
        {
            int(pct_start * transition_steps): div_factor,
            int(transition_steps): 1.0 / (div_factor * final_div_factor),
        },
    )


def _require_steps(steps: int, what: str) -> None:
    if steps <= 0:
        refuse_option(f"{what} is to take {steps} steps", "give a positive transition_steps")
