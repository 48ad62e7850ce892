"""Layers that standardise."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

import ops
from autograph.nn.checks import require_features, require_groups
from autograph.nn.fields import static


@dataclass
class LayerNorm:
    """Mean 0 and variance 1 along the last axis, times ``weight``, plus ``bias``. Ba et al.,
    arXiv:1607.06450.

    Attributes:
        weight: ``(features,)``.
        bias: ``(features,)``, or None.
        eps: is added to the variance.

    Examples:
        >>> nn.LayerNorm.make(2)(np.array([[1.0, 3.0]])).round(3)
        array([[-1.,  1.]])
    """

    weight: Any
    bias: Any = None
    eps: float = static(default=1e-5)

    @classmethod
    def make(
        cls, features: int, *, bias: bool = True, eps: float = 1e-5, dtype: Any = np.float32
    ) -> LayerNorm:
        """A layer with weights of 1 and biases of 0."""
        return cls(np.ones(features, dtype), np.zeros(features, dtype) if bias else None, eps)

    def __call__(self, x: Any) -> Any:
        """``(..., features)``, standardised."""
        require_features("LayerNorm", x, -1, len(self.weight))
        return ops.nn.layer_norm(x, self.weight, self.bias, eps=self.eps)


@dataclass
class RMSNorm:
    """Divided by the root of the mean square along the last axis, times ``weight``. Zhang and
    Sennrich, arXiv:1910.07467.

    Attributes:
        weight: ``(features,)``.
        eps: is added to the mean square.

    Examples:
        >>> nn.RMSNorm.make(2)(np.array([[3.0, 4.0]])).round(3)
        array([[0.849, 1.131]])
    """

    weight: Any
    eps: float = static(default=1e-6)

    @classmethod
    def make(cls, features: int, *, eps: float = 1e-6, dtype: Any = np.float32) -> RMSNorm:
        """A layer with weights of 1."""
        return cls(np.ones(features, dtype), eps)

    def __call__(self, x: Any) -> Any:
        """``(..., features)``, divided."""
        require_features("RMSNorm", x, -1, len(self.weight))
        return ops.nn.rms_norm(x, self.weight, eps=self.eps)


@dataclass
class GroupNorm:
    """Mean 0 and variance 1 in each group of channels. Wu and He, arXiv:1803.08494.

    Attributes:
        weight, bias: ``(channels,)``.
        groups: how many there are; as many as channels make it an instance norm.
        eps: is added to the variance.

    Examples:
        >>> nn.GroupNorm.make(4, 2)(np.ones((1, 4, 3), np.float32)).shape
        (1, 4, 3)
    """

    weight: Any
    bias: Any
    groups: int = static()
    eps: float = static(default=1e-5)

    @classmethod
    def make(
        cls, channels: int, groups: int, *, eps: float = 1e-5, dtype: Any = np.float32
    ) -> GroupNorm:
        """A layer with weights of 1 and biases of 0."""
        require_groups(groups, channels)
        return cls(np.ones(channels, dtype), np.zeros(channels, dtype), groups, eps)

    def __call__(self, x: Any) -> Any:
        """``(batch, channels, *lengths)``, standardised."""
        require_features("GroupNorm", x, 1, len(self.weight))
        return ops.nn.group_norm(x, self.groups, self.weight, self.bias, self.eps)


class Statistics(NamedTuple):
    """What `BatchNorm` has seen of each channel."""

    mean: Any
    var: Any


@dataclass
class BatchNorm:
    """Mean 0 and variance 1 of each channel, over a batch. Ioffe and Szegedy, arXiv:1502.03167.

    It is called with the statistics of former batches, and returns the new ones: they are no
    parameters, and nothing is hidden.

    Attributes:
        weight, bias: ``(channels,)``.
        momentum: the share of a batch in the statistics.
        eps: is added to the variance.

    Examples:
        >>> norm = nn.BatchNorm.make(2)
        >>> x = np.array([[1.0, 2.0], [3.0, 6.0]])
        >>> y, seen = norm(x, norm.statistics(), training=True)
        >>> y.round(3)
        array([[-1., -1.],
               [ 1.,  1.]])
        >>> y, seen = norm(x, seen)
    """

    weight: Any
    bias: Any
    momentum: float = static(default=0.1)
    eps: float = static(default=1e-5)

    @classmethod
    def make(
        cls, channels: int, *, momentum: float = 0.1, eps: float = 1e-5, dtype: Any = np.float32
    ) -> BatchNorm:
        """A layer with weights of 1 and biases of 0."""
        return cls(np.ones(channels, dtype), np.zeros(channels, dtype), momentum, eps)

    def statistics(self) -> Statistics:
        """Those before the first batch: mean 0 and variance 1."""
        return Statistics(np.zeros_like(self.bias), np.ones_like(self.weight))

    def __call__(
        self, x: Any, statistics: Statistics, training: bool = False
    ) -> tuple[Any, Statistics]:
        """``(batch, channels, *lengths)``, standardised by what the batch is in training, else by
        the statistics; and these, with the batch in them in training."""
        require_features("BatchNorm", x, 1, len(self.weight))
        y, mean, var = ops.nn.batch_norm(
            x,
            statistics.mean,
            statistics.var,
            self.weight,
            self.bias,
            training,
            self.momentum,
            self.eps,
        )
        return y, Statistics(mean, var)
