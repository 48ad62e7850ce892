"""Adafactor: the squares of gradients of a matrix, kept as those of its rows and columns."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from autograph.api.leafwise import cast_like, needed, of_parameters, of_state, of_updates
from autograph.optim.accumulation import ema
from autograph.optim.base import GradientTransformation, ScalarOrSchedule
from autograph.optim.clipping import clip_by_block_rms
from autograph.optim.combining import chain
from autograph.optim.decay import add_decayed_weights
from autograph.optim.numerics import safe_increment, zero_count
from autograph.optim.scaling import scale, scale_by_learning_rate, scale_by_param_block_rms


class FactoredState(NamedTuple):
    """The state of `scale_by_factored_rms`.

    Attributes:
        count: how many steps there have been, an int32.
        v_row, v_col: the averages of squares, along the longest axis and along the second longest,
            where both are long enough. Elsewhere a single zero.
        v: the average of squares where they are not.
    """

    count: Any
    v_row: Any
    v_col: Any
    v: Any


def scale_by_factored_rms(
    factored: bool = True,
    decay_rate: float = 0.8,
    step_offset: int = 0,
    min_dim_size_to_factor: int = 128,
    epsilon: float = 1e-30,
) -> GradientTransformation:
    """Updates divided by the root of the average of their squares, which is kept for rows and
    columns (Shazeer and Stern 2018).

    Args:
        factored: whether any average is kept so.
        decay_rate: after ``t`` steps the average forgets ``t ** -decay_rate`` of what it was.
        step_offset: how many steps there have been before the first.
        min_dim_size_to_factor: how long the two longest axes of an array have to be.
        epsilon: added to the squares.

    Raises:
        OptionError: (of ``update``) there are no parameters.

    Examples:
        >>> scaled = ag.optim.scale_by_factored_rms(min_dim_size_to_factor=2)
        >>> params = np.zeros((3, 2))
        >>> state = scaled.init(params)
        >>> state.v_row.shape, state.v_col.shape
        ((2,), (3,))
        >>> scaled.update(np.full((3, 2), -3.0), state, params)[0][0]
        array([-1., -1.])
    """

    def axes(leaf: Any) -> tuple[int, int] | None:
        return _longest(np.shape(leaf), min_dim_size_to_factor) if factored else None

    def kept(which: int | None) -> Any:
        """What makes the first averages: without one of the longest axes, or whole ones."""

        def of_leaf(param: Any) -> Any:
            longest, shape = axes(param), np.shape(param)
            if (longest is None) != (which is None):
                shape = (1,)
            elif longest is not None and which is not None:
                shape = _without(shape, longest[which])
            return np.zeros_like(param, shape=shape)

        return of_leaf

    def averaged(which: int | None, rate: Any) -> Any:
        """What makes the averages after a step."""

        def of_leaf(v: Any, g: Any) -> Any:
            longest, decay = axes(g), cast_like(rate, v)
            if (longest is None) != (which is None):
                return v
            squares = np.square(g) + epsilon
            if longest is not None and which is not None:
                squares = np.mean(squares, axis=longest[which])
            return decay * v + (1.0 - decay) * squares

        return of_leaf

    def scaled(g: Any, row: Any, column: Any, whole: Any) -> Any:
        longest = axes(g)
        if longest is None:
            return g / np.sqrt(whole)
        second, first = longest
        mean = np.mean(row, axis=second - 1 if second > first else second, keepdims=True)
        by_row = np.expand_dims(np.sqrt(row / mean), first)
        return g / by_row / np.expand_dims(np.sqrt(column), second)

    def init(params: Any) -> FactoredState:
        averages = [of_parameters(kept(which), params) for which in (1, 0, None)]
        return FactoredState(zero_count(), *averages)

    def update(updates: Any, state: FactoredState, params: Any = None) -> tuple[Any, FactoredState]:
        needed(params, "scale_by_factored_rms")
        rate = 1.0 - (state.count - step_offset + 1.0) ** -decay_rate
        v_row = of_state(averaged(1, rate), state.v_row, updates, any_shape=True)
        v_col = of_state(averaged(0, rate), state.v_col, updates, any_shape=True)
        v = of_state(averaged(None, rate), state.v, updates, any_shape=True)
        made = of_updates(scaled, updates, v_row, v_col, v, any_shape=True)
        return made, FactoredState(safe_increment(state.count), v_row, v_col, v)

    return GradientTransformation(init, update)


def _longest(shape: tuple[int, ...], least: int) -> tuple[int, int] | None:
    """The second longest and the longest axis; None if one of them is too short."""
    if len(shape) < 2:
        return None
    second, first = sorted(range(len(shape)), key=lambda axis: shape[axis])[-2:]
    return None if shape[second] < least else (second, first)


def _without(shape: tuple[int, ...], axis: int) -> tuple[int, ...]:
    return shape[:axis] + shape[axis + 1 :]


def adafactor(
    learning_rate: ScalarOrSchedule | None = None,
    min_dim_size_to_factor: int = 128,
    decay_rate: float = 0.8,
    decay_offset: int = 0,
    multiply_by_parameter_scale: bool = True,
    clipping_threshold: float | None = 1.0,
    momentum: float | None = None,
    dtype_momentum: Any = np.float32,
    weight_decay_rate: ScalarOrSchedule | None = None,
    eps: float = 1e-30,
    factored: bool = True,
    weight_decay_mask: Any = None,
) -> GradientTransformation:
    """Adafactor (Shazeer and Stern, "Adafactor: adaptive learning rates with sublinear memory
    cost", 2018).

    Args:
        learning_rate: a number or a schedule; None for steps relative to the parameters alone.
        min_dim_size_to_factor, decay_rate, factored: see `scale_by_factored_rms`.
        decay_offset: its ``step_offset``.
        multiply_by_parameter_scale: whether steps are relative to the size of the parameters.
        clipping_threshold: see `clip_by_block_rms`; None clips nothing.
        momentum: see `ema`; None for none.
        dtype_momentum: of its average.
        weight_decay_rate, weight_decay_mask: see `add_decayed_weights`.
        eps: the ``epsilon`` of `scale_by_factored_rms`.

    Examples:
        >>> optimiser, params = ag.optim.adafactor(0.1), np.array([2.0, -2.0])
        >>> optimiser.update(np.array([3.0, 1.0]), optimiser.init(params), params)[0].round(6)
        array([-0.2, -0.2])
    """
    steps = [scale_by_factored_rms(factored, decay_rate, decay_offset, min_dim_size_to_factor, eps)]
    if clipping_threshold is not None:
        steps.append(clip_by_block_rms(clipping_threshold))
    if learning_rate is not None:
        steps.append(scale_by_learning_rate(learning_rate, flip_sign=False))
    if multiply_by_parameter_scale:
        steps.append(scale_by_param_block_rms())
    if momentum is not None:
        steps.append(ema(momentum, debias=False, accumulator_dtype=dtype_momentum))
    if weight_decay_rate is not None:
        steps.append(add_decayed_weights(weight_decay_rate, weight_decay_mask))
    steps.append(scale(-1))
    return chain(*steps)
