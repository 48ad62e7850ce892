"""Attention of several heads, with rotary positions, and with a cache for generation."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

import ops
from autograph.nn import init
from autograph.nn.checks import require, require_features
from autograph.nn.dense import Dense
from autograph.nn.fields import static


def rotary(x: Any, positions: Any, base: float = 10000.0) -> Any:
    """Vectors turned by angles that grow with their position: products of two depend on how far
    they are apart. Su et al., arXiv:2104.09864; each feature of the first half is paired with one
    of the second.

    Args:
        x: ``(..., steps, features)``, an even number of features.
        positions: ``(steps,)`` ints.
        base: the longest wave is about ``2 pi base`` steps.

    Examples:
        >>> nn.rotary(np.array([[1.0, 0.0], [1.0, 0.0]]), np.array([0, 1])).round(3)
        array([[1.   , 0.   ],
               [0.54 , 0.841]])
    """
    width = x.shape[-1]
    require(width % 2 == 0, f"rotary positions of {width} features", "make their number even")
    waves = base ** (-np.arange(0, width, 2) / width)
    angles = np.asarray(positions)[:, None] * waves
    cos, sin = np.cos(angles).astype(x.dtype), np.sin(angles).astype(x.dtype)
    first, second = x[..., : width // 2], x[..., width // 2 :]
    return np.concatenate([first * cos - second * sin, second * cos + first * sin], axis=-1)


class Cache(NamedTuple):
    """Keys and values of the steps so far.

    Attributes:
        keys, values: ``(..., heads, capacity, width)``.
        length: how many steps there are in it.
    """

    keys: Any
    values: Any
    length: Any


@dataclass
class MultiHeadAttention:
    """Each step is a mean of the values of others, weighted by how its query fits their keys, in
    several heads. Vaswani et al., arXiv:1706.03762; heads that share keys and values: Ainslie et
    al., arXiv:2305.13245.

    Attributes:
        query, key, value, out: the layers before and after.
        heads: how many queries each step has.
        key_heads: how many keys and values; it divides the heads.
        base: of rotary positions, or None to have none.

    Examples:
        >>> layer = nn.MultiHeadAttention.make(ops.random.key(0), 8, 2)
        >>> layer(np.ones((3, 5, 8), np.float32), causal=True).shape
        (3, 5, 8)
    """

    query: Dense
    key: Dense
    value: Dense
    out: Dense
    heads: int = static()
    key_heads: int = static()
    base: float | None = static(default=None)

    @classmethod
    def make(
        cls,
        key: Any,
        features: int,
        heads: int,
        *,
        key_heads: int | None = None,
        width: int | None = None,
        context_features: int | None = None,
        base: float | None = None,
        bias: bool = True,
        initial: Callable = init.glorot_uniform,
        dtype: Any = np.float32,
    ) -> MultiHeadAttention:
        """A layer with weights by `nn.init`, and biases of zero.

        Args:
            key: of `ops.random`.
            features: of what comes in and goes out.
            heads: how many.
            key_heads: how many keys and values the heads share; by default each has its own.
            width: of a head; by default the features divided by the heads.
            context_features: of the context, where that has others than ``x``.
            base: of rotary positions, 10000 for instance; by default there are none.
            bias: whether the four layers have one.
            initial: of `nn.init`.
            dtype: of the parameters.
        """
        key_heads = heads if key_heads is None else key_heads
        if width is None:
            require(
                features % heads == 0,
                f"{features} features in {heads} heads",
                "choose a number of heads that divides them, or a width",
            )
            width = features // heads
        require(
            heads % key_heads == 0,
            f"{heads} heads that share {key_heads} keys",
            "choose a number of keys that divides the heads",
        )
        of_context = features if context_features is None else context_features
        q, k, v, o = ops.random.split(key, 4)
        options = {"bias": bias, "initial": initial, "dtype": dtype}
        return cls(
            Dense.make(q, features, heads * width, **options),
            Dense.make(k, of_context, key_heads * width, **options),
            Dense.make(v, of_context, key_heads * width, **options),
            Dense.make(o, heads * width, features, **options),
            heads,
            key_heads,
            base,
        )

    def cache(self, shape: tuple[int, ...], capacity: int) -> Cache:
        """An empty cache for batches of a shape, and at most so many steps."""
        weight = self.key.weight
        width = weight.shape[0] // self.key_heads
        zeros = np.zeros((*shape, self.key_heads, capacity, width), weight.dtype)
        return Cache(zeros, np.zeros_like(zeros), 0)

    def __call__(
        self,
        x: Any,
        context: Any = None,
        *,
        mask: Any = None,
        causal: bool = False,
        cache: Cache | None = None,
    ) -> Any:
        """``(..., steps, features)`` to the same shape; with a cache ``(result, cache)``.

        Args:
            x: what asks.
            context: ``(..., steps, features)``: what is attended to; by default ``x`` itself.
            mask: broadcasts to ``(..., heads, steps of x, steps of the context)``; True where a
                step may be attended to, or floats that are added to the products.
            causal: each step attends to itself and those before it only.
            cache: of the steps before ``x``. What there is of them and of ``x`` is attended to,
                causally.

        Raises:
            IndexError: there are more steps than the cache has room for.
        """
        require_features("MultiHeadAttention", x, -1, self.query.weight.shape[1])
        context = x if context is None else context
        queries = _heads(self.query(x), self.heads)
        keys = _heads(self.key(context), self.key_heads)
        values = _heads(self.value(context), self.key_heads)
        start = 0 if cache is None else cache.length
        places = start + np.arange(queries.shape[-2])
        if self.base is not None:
            queries = rotary(queries, places, self.base)
            keys = rotary(keys, start + np.arange(keys.shape[-2]), self.base)
        if cache is not None:
            cache = _extended(cache, keys, values, places)
            keys, values = cache.keys, cache.values
            seen = np.arange(keys.shape[-2]) <= places[:, None]
            mask = seen if mask is None else _both(seen, mask)
        *lead, heads, steps, width = queries.shape
        shared = heads // self.key_heads
        found = ops.nn.scaled_dot_product_attention(
            np.reshape(queries, (*lead, self.key_heads, shared, steps, width)),
            np.expand_dims(keys, -3),
            np.expand_dims(values, -3),
            None if mask is None else _by_group(mask, self.key_heads),
            is_causal=causal and cache is None,
        )
        found = np.reshape(found, (*lead, heads, steps, width))
        found = np.reshape(np.swapaxes(found, -2, -3), (*lead, steps, heads * width))
        y = self.out(found)
        return y if cache is None else (y, cache)


def _heads(x: Any, heads: int) -> Any:
    """``(..., steps, heads * width)`` to ``(..., heads, steps, width)``."""
    *lead, features = x.shape
    return np.swapaxes(np.reshape(x, (*lead, heads, features // heads)), -2, -3)


def _extended(cache: Cache, keys: Any, values: Any, places: Any) -> Cache:
    all_keys, all_values = cache.keys.copy(), cache.values.copy()
    all_keys[..., places, :] = keys
    all_values[..., places, :] = values
    return Cache(all_keys, all_values, cache.length + keys.shape[-2])


def _both(seen: Any, mask: Any) -> Any:
    """A mask of booleans or of floats, where steps have been seen."""
    return seen & mask if mask.dtype == bool else np.where(seen, mask, -np.inf)


def _by_group(mask: Any, groups: int) -> Any:
    """A mask for heads that are divided into groups."""
    if mask.ndim < 3:
        return mask
    *lead, heads, steps, others = mask.shape
    if heads == 1:
        return np.expand_dims(mask, -3)
    return np.reshape(mask, (*lead, groups, heads // groups, steps, others))
