"""Layers that multiply by a matrix, or take rows of one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

import ops
from autograph.nn import init
from autograph.nn.checks import require_features


@dataclass
class Dense:
    """``x @ weight.T + bias``.

    Attributes:
        weight: ``(outputs, inputs)``.
        bias: ``(outputs,)``, or None.

    Examples:
        >>> layer = nn.Dense.make(ops.random.key(0), 3, 2)
        >>> layer(np.ones((5, 3), np.float32)).shape
        (5, 2)
    """

    weight: Any
    bias: Any = None

    @classmethod
    def make(
        cls,
        key: Any,
        inputs: int,
        outputs: int,
        *,
        bias: bool = True,
        initial: Callable = init.lecun_normal,
        dtype: Any = np.float32,
    ) -> Dense:
        """A layer with weights by `nn.init`, and biases of zero."""
        weight = initial(key, (outputs, inputs), dtype)
        return cls(weight, np.zeros(outputs, dtype) if bias else None)

    def __call__(self, x: Any) -> Any:
        """``(..., inputs)`` to ``(..., outputs)``."""
        require_features("Dense", x, -1, self.weight.shape[1])
        return ops.nn.linear(x, self.weight, self.bias)


@dataclass
class Embedding:
    """A vector for each of some ids.

    Attributes:
        weight: ``(ids, features)``.

    Examples:
        >>> layer = nn.Embedding.make(ops.random.key(0), 10, 4)
        >>> layer(np.array([[1, 2, 9]])).shape
        (1, 3, 4)
    """

    weight: Any

    @classmethod
    def make(
        cls,
        key: Any,
        ids: int,
        features: int,
        *,
        initial: Callable = init.normal,
        dtype: Any = np.float32,
    ) -> Embedding:
        """A layer with weights by `nn.init`."""
        return cls(initial(key, (ids, features), dtype))

    def __call__(self, ids: Any) -> Any:
        """Ids of any shape to ``(*ids.shape, features)``.

        Raises:
            IndexError: an id is out of range.
        """
        return ops.nn.embedding(ids, self.weight)

    def attend(self, x: Any) -> Any:
        """The products with all vectors, as scores of a network that predicts ids: ``(...,
        features)`` to ``(..., ids)``."""
        require_features("Embedding.attend", x, -1, self.weight.shape[1])
        return ops.nn.linear(x, self.weight)
