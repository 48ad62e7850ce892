"""Gradients with noise."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

import ops
from autograph.api.leafwise import cast_like, floats, floats_replaced, of_updates
from autograph.optim.base import GradientTransformation
from autograph.optim.numerics import safe_increment, zero_count


class AddNoiseState(NamedTuple):
    """The state of `add_noise`.

    Attributes:
        count: how many steps there have been, an int32.
        rng_key: a key of `ops.random`.
    """

    count: Any
    rng_key: Any


def add_noise(eta: float, gamma: float, key: Any) -> GradientTransformation:
    """Updates with normal noise, whose variance after ``t`` steps is ``eta / t**gamma``
    (Neelakantan et al. 2015).

    Args:
        eta: the variance at first.
        gamma: how fast it decays.
        key: where the noise comes from, of `ops.random`; each step goes on to another one.

    Examples:
        >>> noisy = ag.optim.add_noise(1.0, 0.55, ops.random.key(0))
        >>> state = noisy.init(np.zeros(1000))
        >>> update, state = noisy.update(np.zeros(1000), state)
        >>> bool(0.9 < np.std(update) < 1.1)
        True
    """

    def init(params: Any) -> AddNoiseState:
        return AddNoiseState(zero_count(), key)

    def update(updates: Any, state: AddNoiseState, params: Any = None) -> tuple[Any, AddNoiseState]:
        count = safe_increment(state.count)
        deviation = np.sqrt(eta / count**gamma)
        following, drawn = ops.random.split(state.rng_key)
        draws = [
            ops.random.normal(ops.random.fold_in(drawn, place), np.shape(leaf))
            for place, leaf in enumerate(floats(updates))
        ]
        noise = floats_replaced(updates, draws)
        made = of_updates(lambda u, draw: u + cast_like(deviation * draw, u), updates, noise)
        return made, AddNoiseState(count, following)

    return GradientTransformation(init, update)
