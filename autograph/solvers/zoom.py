"""A search along a line for the strong conditions of Wolfe.

First the step grows until a good one lies between two, then that interval shrinks (Nocedal and
Wright, "Numerical optimization", 2006, algorithms 3.5 and 3.6). A decrease too small to be seen in
the value counts where the slope shows it (Hager and Zhang 2005, equation 4.1).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np


class SearchSettings(NamedTuple):
    """What is searched for, and how long.

    Attributes:
        max_steps: the most evaluations.
        max_length: the longest step, or None.
        tol: by how much conditions may be missed.
        increase: how much longer each trial is than the one before, at first.
        decrease_rate: the part of the slope at the beginning by which the value has to fall.
        curvature_rate: the part of that slope that may be left.
        approximate_rate: by how much, relative to it, the value may rise where slopes show a
            decrease; None if they do not count.
        shortest: the length of an interval where the search ends.
    """

    max_steps: int
    max_length: float | None = None
    tol: float = 0.0
    increase: float = 2.0
    decrease_rate: float = 1e-4
    curvature_rate: float = 0.9
    approximate_rate: float | None = 1e-6
    shortest: float = 1e-5


class Trial(NamedTuple):
    """What is known of a step.

    Attributes:
        length: of the step.
        value, slope: there.
    """

    length: Any
    value: Any
    slope: Any


class StepFound(NamedTuple):
    """Where the search ends.

    Attributes:
        length: of the step.
        value, gradient: there.
        steps: how many evaluations there were.
        decrease_error, curvature_error: by how much the conditions are missed at the last trial.
    """

    length: Any
    value: Any
    gradient: Any
    steps: Any
    decrease_error: Any
    curvature_error: Any


def zoom(
    at: Callable, value: Any, slope: Any, gradient: Any, first: Any, settings: SearchSettings
) -> StepFound:
    """A step along a line for which the value falls and the slope flattens enough.

    If there is none in time, it is the best step with a decrease, or else the last one that was
    tried, unless the function has no finite value there: then it is no step.

    Args:
        at: gives for the length of a step the value, the slope and the gradient there.
        value, slope, gradient: at the beginning of the line.
        first: the length of the first trial.
        settings: see there.
    """
    nothing = 0.0 * value
    here = Trial(nothing, value, slope)
    low = high = reference = last = here
    reached_gradient = gradient
    safe_length, safe_value, safe_gradient = nothing, value, gradient
    decrease = curvature = nothing + np.inf
    steps = 0
    is_between = False
    is_done = False
    has_failed = False
    while not (is_done or has_failed):
        too_short = is_between and np.abs(high.length - low.length) <= settings.shortest
        is_longest = False
        if is_between:
            length = _inside(low, high, reference)
        else:
            length = first if steps == 0 else settings.increase * last.length
            if settings.max_length is not None:
                is_longest = length >= settings.max_length
                length = np.minimum(length, settings.max_length)
        new_value, new_slope, new_gradient = at(length)
        new = Trial(length, new_value, new_slope)
        decrease = _decrease_error(new, here, settings)
        curvature = _curvature_error(new, here, settings)
        fits = np.maximum(decrease, curvature) <= settings.tol
        if decrease <= settings.tol and (not is_between or new_value < safe_value):
            safe_length, safe_value, safe_gradient = length, new_value, new_gradient
        if is_between:
            rises = decrease > 0.0 or new_value >= low.value
            turns = new_slope * (high.length - low.length) >= 0.0
            if rises:
                reference, high = high, new
            elif turns:
                reference, high, low = high, low, new
            else:
                reference, low = low, new
            is_done = fits
        else:
            rises = decrease > 0.0 or (new_value >= last.value and steps > 0)
            turns = new_slope >= 0.0
            if turns and not rises:
                low, high = new, last
            else:
                low, high = last, new
            reference = low
            is_between = rises or turns or fits
            is_done = fits or (is_longest and not is_between)
        last, reached_gradient = new, new_gradient
        steps += 1
        is_late = steps >= settings.max_steps or (too_short and safe_length > 0.0)
        has_failed = is_late and not is_done
    if has_failed and (safe_length > 0.0 or np.isinf(decrease)):
        return StepFound(safe_length, safe_value, safe_gradient, steps, decrease, curvature)
    return StepFound(last.length, last.value, reached_gradient, steps, decrease, curvature)


def along(value_and_gradient: Callable, x: Any, direction: Any) -> Callable:
    """What is searched along the line from ``x`` in a direction; see `zoom`."""

    def at(length: Any) -> tuple[Any, Any, Any]:
        reached, gradient = value_and_gradient(x + length * direction)
        return reached, gradient @ direction, gradient

    return at


def _decrease_error(new: Trial, here: Trial, settings: SearchSettings) -> Any:
    """By how much the value has not fallen enough; infinite where there is none."""
    risen = new.value - here.value
    error = risen - settings.decrease_rate * new.length * here.slope
    if settings.approximate_rate is not None:
        steep = new.slope - (2.0 * settings.decrease_rate - 1.0) * here.slope
        risen_much = risen - settings.approximate_rate * np.abs(here.value)
        error = np.minimum(np.maximum(steep, risen_much), error)
    return np.where(np.isnan(error), np.inf, np.maximum(error, 0.0))


def _curvature_error(new: Trial, here: Trial, settings: SearchSettings) -> Any:
    """By how much the slope has not flattened enough."""
    error = np.abs(new.slope) - settings.curvature_rate * np.abs(here.slope)
    return np.where(np.isnan(error), np.inf, np.maximum(error, 0.0))


def _inside(low: Trial, high: Trial, reference: Trial) -> Any:
    """Where between two steps the next trial is: the minimum of a cubic through three values, or
    that of a parabola, or the middle, the first of these that is not too near to an end."""
    left, right = np.minimum(low.length, high.length), np.maximum(low.length, high.length)
    width = right - left
    cubic = _minimum_of_cubic(low, high, reference)
    parabola = _minimum_of_parabola(low, high)
    if left + 0.2 * width < cubic < right - 0.2 * width:
        return cubic
    if left + 0.1 * width < parabola < right - 0.1 * width:
        return parabola
    return 0.5 * (low.length + high.length)


def _minimum_of_cubic(a: Trial, b: Trial, c: Trial) -> Any:
    """Of the cubic with the value and slope of ``a`` and the values of ``b`` and ``c``; NaN if
    there is none."""
    to_b, to_c = b.length - a.length, c.length - a.length
    scale = (to_b * to_c) ** 2 * (to_b - to_c)
    if scale == 0.0:
        return scale + np.nan
    at_b = b.value - a.value - a.slope * to_b
    at_c = c.value - a.value - a.slope * to_c
    third = (to_c**2 * at_b - to_b**2 * at_c) / scale
    second = (to_b**3 * at_c - to_c**3 * at_b) / scale
    radicand = second * second - 3.0 * third * a.slope
    if not (radicand >= 0.0 and third != 0.0):
        return radicand + np.nan
    return a.length + (np.sqrt(radicand) - second) / (3.0 * third)


def _minimum_of_parabola(a: Trial, b: Trial) -> Any:
    """Of the parabola with the value and slope of ``a`` and the value of ``b``; NaN if there is
    none."""
    to_b = b.length - a.length
    bend = b.value - a.value - a.slope * to_b
    if to_b == 0.0 or bend == 0.0:
        return to_b + np.nan
    return a.length - a.slope * to_b * to_b / (2.0 * bend)
