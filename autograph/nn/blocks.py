"""Layers made of layers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

import ops
from autograph.nn import init
from autograph.nn.attention import Cache, MultiHeadAttention
from autograph.nn.checks import require
from autograph.nn.dense import Dense
from autograph.nn.dropout import Dropout
from autograph.nn.fields import static
from autograph.nn.norm import LayerNorm, RMSNorm


@dataclass
class Sequential:
    """One layer or function after the other.

    Examples:
        >>> first, second = ops.random.split(ops.random.key(0))
        >>> layers = [nn.Dense.make(first, 3, 8), np.tanh, nn.Dense.make(second, 8, 1)]
        >>> model = nn.Sequential(layers)
        >>> model(np.ones((5, 3), np.float32)).shape
        (5, 1)
    """

    layers: list[Any]

    def __call__(self, x: Any) -> Any:
        """What the last one gives."""
        for layer in self.layers:
            x = layer(x)
        return x


@dataclass
class Residual:
    """``x + layer(x)``. He et al., arXiv:1512.03385.

    Examples:
        >>> nn.Residual(np.negative)(np.ones(2))
        array([0., 0.])
    """

    layer: Any

    def __call__(self, x: Any, *args: Any) -> Any:
        """The sum; other arguments are the layer's."""
        return x + self.layer(x, *args)


def flatten(x: Any) -> Any:
    """``(batch, ...)`` to ``(batch, features)``, as between convolutions and dense layers.

    Examples:
        >>> nn.flatten(np.ones((2, 3, 4))).shape
        (2, 12)
    """
    return np.reshape(x, (x.shape[0], -1))


@dataclass
class MLP:
    """Dense layers with a function between them.

    Attributes:
        layers: of class `Dense`.
        activation: is applied to what all layers but the last give.

    Examples:
        >>> model = nn.MLP.make(ops.random.key(0), [3, 8, 8, 1], np.tanh)
        >>> model(np.ones((5, 3), np.float32)).shape
        (5, 1)
    """

    layers: list[Dense]
    activation: Callable = static(default=ops.nn.relu)

    @classmethod
    def make(
        cls,
        key: Any,
        sizes: Sequence[int],
        activation: Callable = ops.nn.relu,
        *,
        bias: bool = True,
        initial: Callable = init.lecun_normal,
        dtype: Any = np.float32,
    ) -> MLP:
        """Layers between some numbers of features, with weights by `nn.init`."""
        require(len(sizes) > 1, f"layers of sizes {sizes}", "give two or more, inputs and outputs")
        keys = ops.random.split(key, len(sizes) - 1)
        options = {"bias": bias, "initial": initial, "dtype": dtype}
        layers = [Dense.make(k, n, m, **options) for k, n, m in zip(keys, sizes, sizes[1:])]
        return cls(layers, activation)

    def __call__(self, x: Any) -> Any:
        """``(..., sizes[0])`` to ``(..., sizes[-1])``."""
        for layer in self.layers[:-1]:
            x = self.activation(layer(x))
        return self.layers[-1](x)


@dataclass
class TransformerBlock:
    """Attention, then a network for each step, each added to what comes in, which is standardised
    before: the block of Xiong et al., arXiv:2002.04745. With a context it attends to that, too.

    Attributes:
        attention: of the steps to each other.
        mlp: for each step.
        norms: one before each part.
        cross: attention to a context, or None.
        dropout: of what is added.

    Examples:
        >>> block = nn.TransformerBlock.make(ops.random.key(0), 8, 2, base=10000.0)
        >>> block(np.ones((3, 5, 8), np.float32), causal=True).shape
        (3, 5, 8)
    """

    attention: MultiHeadAttention
    mlp: MLP
    norms: list[LayerNorm | RMSNorm]
    cross: MultiHeadAttention | None = None
    dropout: Dropout = static(default_factory=lambda: Dropout(0.0))

    @classmethod
    def make(
        cls,
        key: Any,
        features: int,
        heads: int,
        *,
        hidden: int | None = None,
        cross: bool = False,
        activation: Callable = ops.nn.gelu,
        norm: Any = LayerNorm,
        dropout: float = 0.0,
        key_heads: int | None = None,
        base: float | None = None,
        bias: bool = True,
        dtype: Any = np.float32,
    ) -> TransformerBlock:
        """A block with weights by `nn.init`.

        Args:
            key: of `ops.random`.
            features: of each step.
            heads: of the attention.
            hidden: units of the network, by default four times the features.
            cross: whether it attends to a context, too.
            activation: of the network.
            norm: `LayerNorm` or `RMSNorm`.
            dropout: the rate.
            key_heads, base, bias: as for `MultiHeadAttention.make`.
            dtype: of the parameters.
        """
        first, second, third = ops.random.split(key, 3)
        options = {"key_heads": key_heads, "bias": bias, "dtype": dtype}
        hidden = 4 * features if hidden is None else hidden
        return cls(
            MultiHeadAttention.make(first, features, heads, base=base, **options),
            MLP.make(second, [features, hidden, features], activation, bias=bias, dtype=dtype),
            [norm.make(features, dtype=dtype) for _ in range(3 if cross else 2)],
            MultiHeadAttention.make(third, features, heads, **options) if cross else None,
            Dropout(dropout),
        )

    def __call__(
        self,
        x: Any,
        context: Any = None,
        *,
        mask: Any = None,
        causal: bool = False,
        cache: Cache | None = None,
        key: Any = None,
    ) -> Any:
        """``(..., steps, features)`` to the same shape; with a cache ``(result, cache)``.

        Args:
            x: the steps.
            context: what is attended to besides, if the block is made for that.
            mask, causal, cache: of the attention to each other, see `MultiHeadAttention`.
            key: for dropout, in training.
        """
        keys = [None] * 3 if key is None else ops.random.split(key, 3)
        seen = self.attention(self.norms[0](x), mask=mask, causal=causal, cache=cache)
        if cache is not None:
            seen, cache = seen
        x = x + self.dropout(seen, keys[0])
        if self.cross is not None:
            require(
                context is not None, "a block for a context is called without one", "give it one"
            )
            x = x + self.dropout(self.cross(self.norms[2](x), context), keys[2])
        x = x + self.dropout(self.mlp(self.norms[1](x)), keys[1])
        return x if cache is None else (x, cache)
