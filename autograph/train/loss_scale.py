"""Scales of losses, for gradients that float16 has no numbers for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np

from autograph import tree
from autograph.api.leafwise import cast_like, floats, refuse_option
from autograph.nn.fields import static

Tree = TypeVar("Tree")

_LARGEST = np.finfo(np.float32).max


@dataclass
class LossScale:
    """What a loss is multiplied with before it is differentiated, and its gradient divided by.

    Gradients in float16 that are below 6e-8 are 0, those above 65504 are infinite. A scale moves
    them in between. A dynamic one grows after some steps in a row whose gradients were finite, and
    shrinks after one whose were not, which is to be left out (Micikevicius et al., "Mixed precision
    training", ICLR 2018). It is a value like parameters are: carry it in the state of a training,
    through loops, and into checkpoints.

    Attributes:
        value: the scale, float32.
        good_steps: how many steps in a row were finite since it changed, int32.
        growth_interval: after how many of them it grows; None for a scale that stays as it is.
        growth_factor: what it grows by.
        backoff_factor: what it is multiplied with after gradients that are not finite.
        least: how small it may get.

    Examples:
        >>> scale = ag.LossScale.make(1024.0, growth_interval=2)
        >>> float(scale.scale(0.5))
        512.0
        >>> scale.unscale({"w": np.float32([512.0, 1.0])})
        {'w': array([0.5       , 0.00097656], dtype=float32)}
        >>> finite = scale.is_finite({"w": np.float32([np.inf, 1.0])})
        >>> float(scale.adjust(finite).value)
        512.0
        >>> float(scale.adjust(True).adjust(True).value)
        2048.0
    """

    value: Any
    good_steps: Any
    growth_interval: int | None = static(default=2000)
    growth_factor: float = static(default=2.0)
    backoff_factor: float = static(default=0.5)
    least: float = static(default=1.0)

    @classmethod
    def make(
        cls,
        initial: float = 2.0**16,
        *,
        growth_interval: int | None = 2000,
        growth_factor: float = 2.0,
        backoff_factor: float = 0.5,
        least: float = 1.0,
    ) -> LossScale:
        """A scale to begin with; the defaults are those of ``torch.amp.GradScaler``.

        Args:
            initial: its value.
            growth_interval: None for a static one, which `adjust` leaves as it is.
            growth_factor: at least 1.
            backoff_factor: above 0 and at most 1.
            least: how small it may get.

        Raises:
            OptionError: one of them is out of its range.
        """
        if not 0 < least <= initial < np.inf:
            refuse_option(f"a loss scale of {initial}, at least {least}", "give positive numbers")
        if growth_interval is not None and growth_interval < 1:
            refuse_option(
                f"a loss scale that grows after {growth_interval} steps",
                "give a number of at least 1, or None for a static scale",
            )
        if growth_factor < 1 or not 0 < backoff_factor <= 1:
            refuse_option(
                f"a loss scale that grows by {growth_factor} and shrinks by {backoff_factor}",
                "give factors of at least 1, and of at most 1",
            )
        return cls(
            np.asarray(initial, np.float32),
            np.zeros((), np.int32),
            growth_interval,
            growth_factor,
            backoff_factor,
            least,
        )

    def scale(self, loss: Any) -> Any:
        """A loss, to be differentiated, times the scale, in its dtype."""
        return loss * cast_like(self.value, loss)

    def unscale(self, gradients: Tree) -> Tree:
        """Gradients of a scaled loss divided by the scale, in their dtype; None for what has none
        stays None."""
        return tree.map(lambda leaf: leaf / cast_like(self.value, leaf), gradients)

    @staticmethod
    def is_finite(gradients: Any) -> Any:
        """Whether gradients hold neither infinities nor NaNs, a bool."""
        found = np.array(True)
        for leaf in floats(gradients):
            found = found & np.all(np.isfinite(leaf))
        return found

    def adjust(self, is_finite: Any) -> LossScale:
        """The scale for the next step.

        Args:
            is_finite: whether the gradients of this one were, see `is_finite`.
        """
        if self.growth_interval is None:
            return self
        good_steps = self.good_steps + np.int32(1)
        grows = good_steps >= self.growth_interval
        fits = self.value <= _LARGEST / np.float32(self.growth_factor)
        larger = self.value * np.where(fits, np.float32(self.growth_factor), np.float32(1.0))
        smaller = np.maximum(self.value * np.float32(self.backoff_factor), np.float32(self.least))
        value = np.where(is_finite, np.where(grows, larger, self.value), smaller)
        good_steps = np.where(np.logical_and(is_finite, ~grows), good_steps, np.int32(0))
        return LossScale(
            value,
            good_steps,
            self.growth_interval,
            self.growth_factor,
            self.backoff_factor,
            self.least,
        )
