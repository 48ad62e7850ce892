"""Arrays read at places between their elements, and windows put together."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from autograph.interop.known_numbers import integers
from autograph.interop.onnx_operators.marks import Known


def AffineGrid(theta: Any, size: Known, *, align_corners: int = 0) -> Any:
    """The places that an affine map takes those of a grid to, from -1 to 1 along each axis."""
    batch, _, *lengths = integers(size)
    lines = [
        np.linspace(-1, 1, n) if align_corners else (2 * np.arange(n) + 1) / n - 1 for n in lengths
    ]
    grids = np.meshgrid(*lines, indexing="ij")
    ones = np.ones(lengths)
    places = np.stack([*grids[::-1], ones], axis=-1).astype(theta.dtype)
    flat = np.reshape(places, (math.prod(lengths), len(lengths) + 1))
    moved = flat @ np.swapaxes(theta, 1, 2)
    return np.reshape(moved, (batch, *lengths, len(lengths)))


def GridSample(
    x: Any,
    grid: Any,
    *,
    align_corners: int = 0,
    mode: str = "linear",
    padding_mode: str = "zeros",
) -> Any:
    """``(batch, channels, *lengths)`` at places from -1 to 1, whose last axis has them of the last
    axis first."""
    lengths = x.shape[2:]
    count = len(lengths)
    places = []
    for i, n in enumerate(lengths):
        g = grid[..., count - 1 - i]
        place = (g + 1) / 2 * (n - 1) if align_corners else ((g + 1) * n - 1) / 2
        if padding_mode == "border" and mode not in ("cubic", "bicubic"):
            place = np.minimum(np.maximum(place, 0), n - 1)
        elif padding_mode == "reflection" and mode not in ("cubic", "bicubic"):
            place = _reflected(place, n, align_corners)
        places.append(place)
    if mode == "nearest":
        return _read(x, [np.rint(place) for place in places], padding_mode, align_corners)
    if mode in ("cubic", "bicubic"):
        offsets: Any = (-1, 0, 1, 2)
        weigh = _cubic
    else:
        offsets, weigh = (0, 1), _linear
    floors = [np.floor(place) for place in places]
    total = 0.0
    for taps in itertools.product(offsets, repeat=count):
        weight = 1.0
        for place, floor, tap in zip(places, floors, taps):
            weight = weight * weigh(np.abs(place - floor - tap))
        chosen = [floor + tap for floor, tap in zip(floors, taps)]
        found = _read(x, chosen, padding_mode, align_corners)
        total = total + found * np.expand_dims(weight, 1)
    return total


def _linear(distance: Any) -> Any:
    return 1 - distance


def _cubic(distance: Any) -> Any:
    """Keys, IEEE Trans. ASSP 29, 1981, with -0.75."""
    a = -0.75
    near = ((a + 2) * distance - (a + 3)) * distance**2 + 1
    far = ((a * distance - 5 * a) * distance + 8 * a) * distance - 4 * a
    return np.where(distance <= 1, near, far)


def _reflected(place: Any, n: int, align_corners: int) -> Any:
    """A place that is moved back into the array by mirrors at its ends."""
    low, high = (0.0, n - 1.0) if align_corners else (-0.5, n - 0.5)
    width = high - low
    if width == 0:
        return np.zeros_like(place)
    far = np.mod(place - low, 2 * width)
    return low + np.where(far > width, 2 * width - far, far)


def _read(x: Any, places: list[Any], padding_mode: str, align_corners: int) -> Any:
    """The elements at whole places; beyond the array what the mode says."""
    batch = np.reshape(np.arange(x.shape[0]), (-1, *[1] * (places[0].ndim - 1)))
    inside, chosen = True, []
    for place, n in zip(places, x.shape[2:]):
        if padding_mode == "reflection":
            place = np.rint(_reflected(place, n, align_corners))
        inside = inside & (place >= 0) & (place <= n - 1)
        chosen.append(np.clip(place, 0, n - 1).astype(np.int64))
    last = np.moveaxis(x, 1, -1)
    found = np.moveaxis(last[(batch, *chosen)], -1, 1)
    return np.where(np.expand_dims(inside, 1), found, 0) if padding_mode == "zeros" else found


def Col2Im(
    x: Any,
    image_shape: Known,
    block_shape: Known,
    *,
    dilations: Sequence[int] | None = None,
    pads: Sequence[int] | None = None,
    strides: Sequence[int] | None = None,
) -> Any:
    """The sum of overlapping blocks."""
    lengths, block = integers(image_shape), integers(block_shape)
    count = len(lengths)
    dilations, strides = dilations or (1,) * count, strides or (1,) * count
    pads = pads or (0,) * (2 * count)
    padded = [n + pads[i] + pads[i + count] for i, n in enumerate(lengths)]
    steps = [
        (n - dilation * (m - 1) - 1) // stride + 1
        for n, m, stride, dilation in zip(padded, block, strides, dilations)
    ]
    channels = x.shape[1] // math.prod(block)
    parts: Any = np.reshape(x, (x.shape[0], channels, *block, *steps))
    y = np.zeros((x.shape[0], channels, *padded), x.dtype)
    for place in itertools.product(*[range(m) for m in block]):
        spans: Any = [
            slice(p * dilation, p * dilation + stride * (n - 1) + 1, stride)
            for p, dilation, stride, n in zip(place, dilations, strides, steps)
        ]
        y[(slice(None), slice(None), *spans)] += parts[(slice(None), slice(None), *place)]
    inner = [slice(pads[i], pads[i] + n) for i, n in enumerate(lengths)]
    return y[(slice(None), slice(None), *inner)]
