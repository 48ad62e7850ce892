"""Grids of numbers: integers between two bounds, times a step, moved."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

import ops


@dataclass(frozen=True)
class Grid:
    """Numbers ``(i - middle) * step`` for the integers ``i`` from ``low`` to ``high``.

    Attributes:
        step: a positive float, or an array of them that broadcasts.
        middle: the integer of 0.
        low, high: bounds of the integers.
    """

    step: Any
    middle: int
    low: int
    high: int


def bounds(bits: int) -> tuple[int, int]:
    """The least and the largest integer of some bits, with a sign."""
    return -(2 ** (bits - 1)), 2 ** (bits - 1) - 1


def grid_of_range(least: float, largest: float, bits: int, symmetric: bool) -> Grid:
    """The grid of what lies between two numbers. 0 is one of its numbers: zeros are what padding
    and activations leave, and have no error."""
    low, high = bounds(bits)
    least, largest = min(least, 0.0), max(largest, 0.0)
    if symmetric:
        step = max(-least, largest) / high
        return Grid(step or 1.0, 0, -high, high)
    step = (largest - least) / (high - low)
    if not step:
        return Grid(1.0, 0, low, high)
    middle = int(np.clip(np.rint(low - least / step), low, high))
    return Grid(step, middle, low, high)


def steps_of_weights(weights: np.ndarray, axes: tuple[int, ...], bits: int) -> np.ndarray:
    """The step of each channel of weights: the largest size is the largest integer.

    Args:
        axes: those that a channel has all of, which are kept with a length of 1.
    """
    largest = np.max(np.abs(weights), axis=axes, keepdims=True)
    step = largest / bounds(bits)[1]
    return np.where(step > 0, step, 1).astype(weights.dtype)


def on_grid(x: Any, grid: Grid) -> Any:
    """The nearest numbers of a grid. Their derivative is that of numbers that are not rounded: 1,
    also at the ends of the grid, and 0 outside."""
    steps = ops.divide(x, grid.step)
    # What is cut there is rounded to an end, and an end is not where it is cut.
    inside = ops.clip(steps, grid.low - grid.middle - 0.49, grid.high - grid.middle + 0.49)
    return ops.multiply(ops.rint_through(inside), grid.step)
