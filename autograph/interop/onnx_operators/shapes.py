"""Operators that move elements, or change their dtype, and leave them as they are."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from autograph.interop.known_numbers import integers
from autograph.interop.onnx_operators.marks import Dtype, Known


def Identity(x: Any) -> Any:
    return x


def Cast(x: Any, *, to: Dtype, saturate: int = 1, round_mode: str = "up") -> Any:
    return x.astype(to)


def CastLike(x: Any, like: Any, *, saturate: int = 1, round_mode: str = "up") -> Any:
    return x.astype(like.dtype)


def BitCast(x: Any, *, to: Dtype) -> Any:
    return x.view(to)


def Shape(x: Any, *, start: int = 0, end: int | None = None) -> Any:
    return np.array(x.shape[start:end], np.int64)


def Shape_before_15(x: Any) -> Any:
    return np.array(x.shape, np.int64)


def Size(x: Any) -> Any:
    return np.array(x.size, np.int64)


def Reshape(x: Any, shape: Known, *, allowzero: int = 0) -> Any:
    """A length of 0 is that of ``x``."""
    sizes = integers(shape)
    if not allowzero:
        sizes = [x.shape[i] if n == 0 else n for i, n in enumerate(sizes)]
    return np.reshape(x, sizes)


def Flatten(x: Any, *, axis: int = 1) -> Any:
    first = axis if axis >= 0 else x.ndim + axis
    return np.reshape(x, (math.prod(x.shape[:first]), math.prod(x.shape[first:])))


def Transpose(x: Any, *, perm: Sequence[int] | None = None) -> Any:
    return np.transpose(x, perm)


def Squeeze(x: Any, axes: Known = None) -> Any:
    return np.squeeze(x) if axes is None else np.squeeze(x, tuple(integers(axes)))


def Unsqueeze(x: Any, axes: Known) -> Any:
    return np.expand_dims(x, tuple(integers(axes)))


def Concat(*xs: Any, axis: int) -> Any:
    return np.concatenate(xs, axis=axis)


def Split(
    x: Any,
    split: Known = None,
    *,
    axis: int = 0,
    num_outputs: int | None = None,
    outputs: int = 1,
) -> Any:
    if split is None:
        size = -(-x.shape[axis] // outputs)
        sizes = [size] * (outputs - 1)
    else:
        sizes = integers(split)[:-1]
    places = [sum(sizes[: i + 1]) for i in range(len(sizes))]
    found = np.split(x, places, axis=axis)
    return found[0] if outputs == 1 else tuple(found)


def Tile(x: Any, repeats: Known) -> Any:
    return np.tile(x, integers(repeats))


def Expand(x: Any, shape: Known) -> Any:
    """Both are broadcast."""
    wanted = np.broadcast_shapes(x.shape, tuple(integers(shape)))
    return np.broadcast_to(x, wanted)


def Pad(
    x: Any, pads: Known, value: Any = None, axes: Known = None, *, mode: str = "constant"
) -> Any:
    """Negative numbers cut something off."""
    numbers = integers(pads)
    along = range(x.ndim) if axes is None else integers(axes)
    pairs, cut = [(0, 0)] * x.ndim, [slice(None)] * x.ndim
    for i, axis in enumerate(along):
        low, high = numbers[i], numbers[i + len(numbers) // 2]
        pairs[axis] = (max(low, 0), max(high, 0))
        cut[axis] = slice(max(-low, 0), x.shape[axis] - max(-high, 0))
    x = x[tuple(cut)]
    if mode == "constant":
        filled = 0 if value is None else value
        return np.pad(x, pairs, constant_values=filled)
    way: Any = mode
    return np.pad(x, pairs, mode=way)


def CenterCropPad(x: Any, shape: Known, *, axes: Sequence[int] | None = None) -> Any:
    along = range(x.ndim) if axes is None else axes
    for axis, wanted in zip(along, integers(shape)):
        n = x.shape[axis]
        if wanted < n:
            start = (n - wanted) // 2
            x = np.take(x, np.arange(start, start + wanted), axis=axis)
        elif wanted > n:
            pairs = [(0, 0)] * x.ndim
            pairs[axis] = ((wanted - n) // 2, wanted - n - (wanted - n) // 2)
            x = np.pad(x, pairs)
    return x


def DepthToSpace(x: Any, *, blocksize: int, mode: str = "DCR") -> Any:
    n, c, h, w = x.shape
    if mode == "DCR":
        parts = np.reshape(x, (n, blocksize, blocksize, c // blocksize**2, h, w))
        moved = np.transpose(parts, (0, 3, 4, 1, 5, 2))
    else:
        parts = np.reshape(x, (n, c // blocksize**2, blocksize, blocksize, h, w))
        moved = np.transpose(parts, (0, 1, 4, 2, 5, 3))
    return np.reshape(moved, (n, c // blocksize**2, h * blocksize, w * blocksize))


def SpaceToDepth(x: Any, *, blocksize: int) -> Any:
    n, c, h, w = x.shape
    parts = np.reshape(x, (n, c, h // blocksize, blocksize, w // blocksize, blocksize))
    moved = np.transpose(parts, (0, 3, 5, 1, 2, 4))
    return np.reshape(moved, (n, c * blocksize**2, h // blocksize, w // blocksize))


def Trilu(x: Any, k: Known = 0, *, upper: int = 1) -> Any:
    (diagonal,) = integers(k)
    return np.triu(x, diagonal) if upper else np.tril(x, diagonal)


def ReverseSequence(x: Any, sequence_lens: Any, *, batch_axis: int = 1, time_axis: int = 0) -> Any:
    """The first elements of each sequence, as many as are said, in reverse order."""
    steps = np.arange(x.shape[time_axis])
    shape = [1] * x.ndim
    shape[time_axis] = -1
    steps = np.reshape(steps, shape)
    shape = [1] * x.ndim
    shape[batch_axis] = -1
    lengths = np.reshape(sequence_lens, shape)
    places = np.where(steps < lengths, lengths - 1 - steps, steps)
    return np.take_along_axis(x, np.broadcast_to(places, x.shape), axis=time_axis)
