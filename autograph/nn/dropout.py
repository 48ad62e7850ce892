"""Noise in training."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import ops
from autograph.nn.fields import static


@dataclass
class Dropout:
    """Zeros at random places, and the rest divided by the share that is kept. Srivastava et al.,
    *Dropout* (2014).

    Attributes:
        rate: the probability of a zero.

    Examples:
        >>> layer = nn.Dropout(0.5)
        >>> sorted(set(layer(np.ones(99), ops.random.key(0))))
        [np.float64(0.0), np.float64(2.0)]
        >>> layer(np.ones(3))
        array([1., 1., 1.])
    """

    rate: float = static(default=0.5)

    def __call__(self, x: Any, key: Any = None) -> Any:
        """With a key zeros at other places for each key; without one, as when a network is used,
        the array itself."""
        return x if key is None else ops.nn.dropout(key, x, self.rate)
