"""Keys: explicit states of random numbers. A key is used once, or split into others.

key = ops.random.key(0)
for i in range(n):
    key, now = ops.random.split(key)
    x = x + ops.random.normal(now, (3,))
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from ops.arrays.indexing import subscript
from ops.arrays.joining import stack
from ops.core.operands import Symbolic, dims_of, dtype_of, index_of, length_from
from ops.core.types import numpy_dtype
from ops.elementwise import bitwise_and, bitwise_or, left_shift, right_shift
from ops.elementwise.conversion import astype, cast
from ops.random.philox import FOLD, NUMBERS, SPLIT, random_blocks
from ops.structure.reshaping import reshape

__all__ = ["bits", "fold_in", "key", "split"]

Shape = int | Sequence[int]


def key(seed: Any) -> Any:
    """The key that a seed stands for: uint32 of shape ``(2,)``, the lower half of the seed first.

    Args:
        seed: an integer of 64 bits, signed or not.

    Raises:
        TypeError: it is not an integer.
        OverflowError: it has more bits.
    """
    if not isinstance(seed, Symbolic):
        seed = index_of(seed)
        if not -(2**63) <= seed < 2**64:
            raise OverflowError(f"the seed {seed} does not fit into 64 bits")
        seed = np.uint64(seed % 2**64)
    if dtype_of(seed).kind not in "iu" or dims_of(seed):
        raise TypeError("a seed is an integer")
    seed = cast(seed, np.uint64)
    return astype(stack([bitwise_and(seed, 0xFFFFFFFF), right_shift(seed, 32)]), np.uint32)


def checked(key: Any) -> Any:
    """A key.

    Raises:
        TypeError: it is something else.
    """
    if dims_of(key) != (2,) or dtype_of(key) != np.uint32:
        raise TypeError(
            f"expected a key made by ops.random.key(seed), not {dtype_of(key)}{list(dims_of(key))}"
        )
    return key


def lengths(shape: Shape) -> tuple[int, ...]:
    """A shape as a tuple of ints.

    Raises:
        ValueError: a length is negative.
    """
    sequence = shape if isinstance(shape, (tuple, list)) else (shape,)
    shape = tuple(map(length_from, sequence))
    if any(n < 0 for n in shape):
        raise ValueError(f"negative dimensions are not allowed: {shape}")
    return shape


def split(key: Any, num: Shape = 2) -> Any:
    """New keys, independent of each other and of all that comes from ``key`` otherwise.

    Args:
        key: a key; it should not be used for anything else.
        num: how many, or the shape of the array of keys.

    Returns:
        uint32 of shape ``(num, 2)``.
    """
    shape = lengths(num)
    blocks = random_blocks(checked(key), 0, length=math.prod(shape), domain=SPLIT)
    return reshape(subscript(blocks, (..., slice(2))), (*shape, 2))


def fold_in(key: Any, data: Any) -> Any:
    """A new key for ``key`` and an integer, such as the number of a step of a loop."""
    if dtype_of(data).kind not in "iu" or dims_of(data):
        raise TypeError("fold_in() takes an integer")
    blocks = random_blocks(checked(key), data, length=1, domain=FOLD)
    return subscript(blocks, (0, slice(2)))


def bits(key: Any, shape: Shape = (), dtype: Any = np.uint32) -> Any:
    """Random bits.

    Args:
        key: a key.
        shape: of the result.
        dtype: uint8, uint16, uint32 or uint64.

    Raises:
        TypeError: another dtype.
    """
    shape, dtype = lengths(shape), numpy_dtype(dtype)
    if dtype.kind != "u":
        raise TypeError(f"random bits are unsigned integers, not {dtype}")
    size = math.prod(shape)
    words = (size * dtype.itemsize + 3) // 4
    blocks = random_blocks(checked(key), 0, length=(words + 3) // 4, domain=NUMBERS)
    flat = subscript(reshape(blocks, -1), slice(words))
    if dtype.itemsize == 8:
        pairs = astype(reshape(flat, (size, 2)), np.uint64)
        low, high = (subscript(pairs, (slice(None), i)) for i in range(2))
        flat = bitwise_or(low, left_shift(high, 32))
    elif dtype.itemsize < 4:
        shifts = np.arange(0, 32, 8 * dtype.itemsize, dtype=np.uint32)
        parts = right_shift(reshape(flat, (words, 1)), shifts)
        flat = subscript(reshape(astype(parts, dtype), -1), slice(size))
    return reshape(flat, shape)
