"""Weights and data that all models begin with: float32, laid out as PyTorch has them."""

from __future__ import annotations

from typing import Any

import numpy as np

VOCABULARY, WIDTH, HEADS, BLOCKS, LENGTH = 96, 64, 4, 2, 64
CHARACTERS = 64  # that are written in one call
HIDDEN, INPUTS, STEPS = 128, 32, 50

Arrays = dict[str, np.ndarray]


class Draws:
    """Arrays of normal numbers, one after the other."""

    def __init__(self) -> None:
        self._rng = np.random.default_rng(0)

    def __call__(self, *shape: int) -> np.ndarray:
        """Of the size that keeps sums over all axes but the first of size 1."""
        size = np.prod(shape[1:]) if len(shape) > 1 else 100
        return (self._rng.normal(size=shape) / np.sqrt(size)).astype(np.float32)

    def integers(self, high: int, *shape: int) -> np.ndarray:
        """Numbers from 0 to below ``high``."""
        return self._rng.integers(0, high, shape)


def convolution() -> tuple[Any, ...]:
    """A batch of images, and a kernel."""
    draw = Draws()
    return draw(64, 1, 28, 28) * 28, draw(32, 1, 5, 5)


def cnn() -> tuple[Any, ...]:
    """Two convolutions 5 x 5 and a dense layer; 64 images and their labels."""
    draw = Draws()
    weights = {
        "first": draw(16, 1, 5, 5),
        "first_bias": draw(16),
        "second": draw(32, 16, 5, 5),
        "second_bias": draw(32),
        "out": draw(10, 32 * 7 * 7),
        "out_bias": draw(10),
    }
    return weights, draw(64, 1, 28, 28) * 28, draw.integers(10, 64)


def lstm() -> tuple[Any, ...]:
    """A cell and a dense layer; 32 sequences of 50 steps and their labels."""
    draw = Draws()
    weights = {
        "weight_ih": draw(4 * HIDDEN, INPUTS),
        "weight_hh": draw(4 * HIDDEN, HIDDEN),
        "bias_ih": draw(4 * HIDDEN),
        "bias_hh": draw(4 * HIDDEN),
        "out": draw(10, HIDDEN),
        "out_bias": draw(10),
    }
    return weights, draw(STEPS, 32, INPUTS) * 30, draw.integers(10, 32)


def _transformer(draw: Draws) -> Arrays:
    weights = {"table": draw(VOCABULARY, WIDTH), "places": draw(LENGTH, WIDTH)}
    for block in range(BLOCKS):
        for name in ("query", "key", "value", "out"):
            weights[f"{block}.{name}"] = draw(WIDTH, WIDTH)
            weights[f"{block}.{name}_bias"] = draw(WIDTH)
        weights[f"{block}.wide"] = draw(4 * WIDTH, WIDTH)
        weights[f"{block}.wide_bias"] = draw(4 * WIDTH)
        weights[f"{block}.narrow"] = draw(WIDTH, 4 * WIDTH)
        weights[f"{block}.narrow_bias"] = draw(WIDTH)
        for norm in ("norm_1", "norm_2"):
            weights[f"{block}.{norm}"] = 1 + draw(WIDTH)
            weights[f"{block}.{norm}_bias"] = draw(WIDTH)
    weights["norm"], weights["norm_bias"] = 1 + draw(WIDTH), draw(WIDTH)
    return weights


def transformer() -> tuple[Any, ...]:
    """A transformer, and 16 texts of 64 characters, each with the one that follows."""
    draw = Draws()
    return _transformer(draw), draw.integers(VOCABULARY, 16, LENGTH + 1)


def generation() -> tuple[Any, ...]:
    """A transformer, and the character with which it begins to write."""
    return _transformer(Draws()), 7
