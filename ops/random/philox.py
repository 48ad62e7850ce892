"""The generator behind all random numbers: Philox4x32-10, which enciphers counters.

J. K. Salmon, M. A. Moraes, R. O. Dror, D. E. Shaw, "Parallel random numbers: as easy as 1, 2, 3"
(SC 2011). A key, an array of two uint32, stands for a stream. Block ``i`` of it is the counter
``(i, i >> 32, 0, domain)`` enciphered, four uint32; the domain tells numbers, keys split off and
keys folded from each other. Nothing depends on how a computation is divided, on the array library,
or on whether it is compiled.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ops.core import kernels
from ops.core.batching import Size
from ops.core.index_maps import one_of
from ops.core.operands import broadcast_shapes, may_not_broadcast, ndim_of
from ops.core.registry import Custom
from ops.core.types import ArrayType
from ops.structure.lanes import aligned, all_with_lanes
from ops.structure.reshaping import spread

NUMBERS, SPLIT, FOLD = 0, 1, 2  # domains


def philox_rounds(counter, key):
    """Ten rounds on four words of a counter and two of a key, all uint64 arrays below 2**32."""
    mask = 0xFFFFFFFF
    a, b, c, d = counter
    first, second = key
    for _ in range(10):
        p, q = a * 0xD2511F53, c * 0xCD9E8D57
        a, b, c, d = (q >> 32) ^ b ^ first, q & mask, (p >> 32) ^ d ^ second, p & mask
        first, second = (first + 0x9E3779B9) & mask, (second + 0xBB67AE85) & mask
    return a, b, c, d


def philox_blocks(key, start, length, domain):
    """``length`` blocks of the stream of a key, from block ``start`` on."""
    key, start = np.asarray(key).astype("uint64"), np.asarray(start).astype("uint64")
    keys = key[..., 0, None], key[..., 1, None]
    batch = np.broadcast(key[..., 0], start).shape
    blocks = np.empty((*batch, length, 4), dtype="uint32")
    step = 4096 if np.__name__ == "numpy" else max(length, 1)  # what stays in the cache
    for first in range(0, length, step):
        last = min(first + step, length)
        index = start[..., None] + np.arange(first, last, dtype="uint64")
        zero = np.zeros_like(index)
        counter = index & 0xFFFFFFFF, index >> 32, zero, zero + domain
        for word, values in enumerate(philox_rounds(counter, keys)):
            blocks[..., first:last, word] = values
    return blocks


def _infer(key: ArrayType, start: ArrayType, length: int, domain: int) -> tuple[ArrayType]:
    if key.dtype != np.uint32 or key.shape[-1:] != (2,):
        raise TypeError(f"a key is an array of two uint32 made by ops.random.key, not {key}")
    if start.dtype.kind not in "iu":
        raise TypeError(f"the number of a block is an integer, not {start}")
    batch = broadcast_shapes(key.shape[:-1], start.shape)
    return (ArrayType(np.dtype(np.uint32), (*batch, length, 4)),)


def _blocks_batch(size: Size, batched: Sequence[bool], args: Sequence[Any], **attrs: Any) -> Any:
    key, start = args
    key_ndim, start_ndim = ndim_of(key) - 1 - batched[0], ndim_of(start) - batched[1]
    key = spread(key, start_ndim - key_ndim) if batched[0] else key
    start = spread(start, key_ndim - start_ndim) if batched[1] else start
    return random_blocks(key, start, **attrs)


def _blocks_element(
    read: Callable, index: tuple, types: Sequence[ArrayType], attrs: dict[str, Any]
) -> Any:
    *batch, block, word = index
    key, start = types
    place = kernels.aligned(batch, key.shape[:-1])
    first, second = (kernels.cast(read(0, (*place, i)), np.uint64) for i in (0, 1))
    number = kernels.cast(read(1, kernels.aligned(batch, start.shape)), np.uint64)
    number = number + (block if isinstance(block, int) else kernels.cast(block, np.uint64))
    counter = number & 0xFFFFFFFF, number >> 32, number * 0, number * 0 + attrs["domain"]
    words = philox_rounds(counter, (first, second))
    return kernels.cast(one_of(word, range(4), words.__getitem__), np.uint32)


random_blocks = Custom(
    "random_blocks",
    _infer,
    "philox_blocks({0}, {1}, {length!r}, {domain})",
    helpers=(philox_blocks, philox_rounds),
    raises=lambda types, attrs: may_not_broadcast(
        [types[0]._replace(shape=types[0].shape[:-1]), types[1]], attrs
    ),
    differentiable=False,
    creates=True,
    unknown_lengths=True,
    batch=_blocks_batch,
    native=kernels.Element(_blocks_element),
    doc="""Blocks of the stream of a key.

    Args:
        key: uint32 of shape ``(..., 2)``.
        start: the number of the first block, an integer of a shape that broadcasts with the keys'.
        length: how many blocks.
        domain: `NUMBERS`, `SPLIT` or `FOLD`.

    Returns:
        uint32 of shape ``(..., length, 4)``.
    """,
    cost=40,
)


def wide_product(x, y):
    """The upper and the lower half of a product of two uint64, in words of 32 bits."""
    mask = 0xFFFFFFFF
    a, b, c, d = x >> 32, x & mask, y >> 32, y & mask
    middle = a * d + (b * d >> 32)
    lower = (middle & mask) + b * c
    return a * c + (middle >> 32) + (lower >> 32), (lower << 32) + (b * d & mask)


def bounded_bits(high, low, minval, maxval):
    """``minval + ((high * 2**64 + low) * span >> 128)``."""
    dtype, shape = minval.dtype, high.shape
    # Of one dimension at least: NumPy's scalars warn where arrays wrap around.
    high, low, minval, maxval = (np.atleast_1d(np.asarray(x)) for x in (high, low, minval, maxval))
    maxval, minval = np.maximum(minval, maxval).astype("uint64"), minval.astype("uint64")
    span = maxval - minval
    upper, lower = wide_product(high, span)
    carried = wide_product(low, span)[0]
    result = minval + upper + (lower + carried < lower)
    return result.astype(dtype).reshape(shape)[()]


def _bounded_infer(
    high: ArrayType, low: ArrayType, minval: ArrayType, maxval: ArrayType
) -> tuple[ArrayType]:
    if broadcast_shapes(high.shape, minval.shape, maxval.shape) != high.shape:
        raise ValueError(f"bounds of shapes {minval.shape} and {maxval.shape} for {high.shape}")
    return (ArrayType(minval.dtype, high.shape),)


def _bounded_batch(size: Size, batched: Sequence[bool], args: Sequence[Any]) -> Any:
    bits = all_with_lanes(size, batched[:2], args[:2])
    _, *bounds = aligned((True, *batched[2:]), (bits[0], *args[2:]))
    return random_integers(*bits, *bounds)


def _bounded_element(
    read: Callable, index: tuple, types: Sequence[ArrayType], attrs: dict[str, Any]
) -> Any:
    high, low, first, last = (read(i, kernels.aligned(index, t.shape)) for i, t in enumerate(types))
    last = kernels.select(last > first, last, first)
    span = kernels.cast(last, np.uint64) - kernels.cast(first, np.uint64)
    upper, lower = wide_product(high, span)
    total = lower + wide_product(low, span)[0]
    found = kernels.cast(first, np.uint64) + upper + kernels.cast(total < lower, np.uint64)
    return kernels.cast(found, types[2].dtype)


random_integers = Custom(
    "random_integers",
    _bounded_infer,
    "bounded_bits({0}, {1}, {2}, {3})",
    helpers=(bounded_bits, wide_product),
    raises=may_not_broadcast,
    differentiable=False,
    unknown_lengths=True,
    batch=_bounded_batch,
    native=kernels.Element(
        _bounded_element, when=lambda types, attrs: types[2].dtype == types[3].dtype
    ),
    doc="""Integers uniform from ``minval`` to below ``maxval``, from 128 random bits each: without
    a bias that could be seen.

    Args:
        high, low: random uint64.
        minval, maxval: int64 or uint64, which broadcast to the shape of the bits.
    """,
)
