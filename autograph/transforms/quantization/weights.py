"""Weights as integers of few bits."""

from __future__ import annotations

from typing import Any

import numpy as np

import ops
from autograph.graph.graph import Constant
from autograph.transforms.quantization.grids import Grid, bounds, on_grid, steps_of_weights


def stored(weights: np.ndarray, axes: tuple[int, ...], bits: int, group: int | None) -> Any:
    """Weights as a constant of integers, and what makes floats of them, added to the graph.

    Args:
        axes: those that a channel has all of, the ones that products are added up along.
        bits: 8, or fewer: two numbers of 4 bits share a byte.
        group: how many neighbours along the last of these axes share a step; None for all.
    """
    shape, dtype = weights.shape, weights.dtype
    parts = _in_groups(weights, axes, group)
    step = steps_of_weights(parts, _axes_of_group(axes, group, weights.ndim), bits)
    _, high = bounds(bits)
    integers = np.clip(np.rint(parts / step), -high, high).astype(np.int8)
    if bits > 4 or integers.shape[0] % 2:
        numbers = Constant(integers)
    else:
        numbers = _unpacked(integers)
    floats = ops.multiply(ops.cast(numbers, dtype=dtype), Constant(step))
    return ops.reshape(floats, shape)


def _in_groups(weights: np.ndarray, axes: tuple[int, ...], group: int | None) -> np.ndarray:
    if group is None:
        return weights
    axis = axes[-1] % weights.ndim
    n = weights.shape[axis]
    return weights.reshape(*weights.shape[:axis], n // group, group, *weights.shape[axis + 1 :])


def _axes_of_group(axes: tuple[int, ...], group: int | None, ndim: int) -> tuple[int, ...]:
    if group is None:
        return axes
    axis = axes[-1] % ndim
    others = [a % ndim for a in axes[:-1]]
    return (*(a + (a > axis) for a in others), axis + 1)


def _unpacked(integers: np.ndarray) -> Any:
    """Numbers of which two are in a byte, taken apart by the graph."""
    first, second = np.split(integers, 2)
    packed = Constant((first & 15) | (second << 4))
    # The sign of the lower half is that of its highest bit.
    lower = ops.right_shift(ops.left_shift(packed, np.int8(4)), np.int8(4))
    upper = ops.right_shift(packed, np.int8(4))
    return ops.concatenate([lower, upper], 0)


def rounded(weights: Any, axes: tuple[int, ...], bits: int) -> Any:
    """Weights that are trained, as numbers of few bits that follow them: their steps are computed
    each time, without a derivative."""
    _, high = bounds(bits)
    fixed = ops.stop_gradient(weights)
    largest = ops.max(ops.abs(fixed), axes, True)
    step = ops.divide(largest, weights.type.dtype.type(high))
    step = ops.where(ops.greater(step, 0), step, weights.type.dtype.type(1))
    return on_grid(weights, Grid(step, 0, -high, high))
