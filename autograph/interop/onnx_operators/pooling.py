"""Pooling."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

import ops
from autograph.interop.known_numbers import integers
from autograph.interop.onnx_operators.marks import Known
from autograph.interop.onnx_operators.windows import padding


def _layout(
    x: Any,
    window: Sequence[int],
    auto_pad: str,
    ceil_mode: int,
    dilations: Sequence[int] | None,
    pads: Sequence[int] | None,
    strides: Sequence[int] | None,
) -> tuple[Any, Any, Any, Any]:
    """What is put around each axis, how much more is put behind it so that the last window is
    whole, and the strides and dilations."""
    count = len(window)
    strides = strides or (1,) * count
    dilations = dilations or (1,) * count
    lengths = x.shape[2:]
    pairs = padding(auto_pad, pads, lengths, window, strides, dilations)
    more = [0] * count
    if ceil_mode and auto_pad in ("NOTSET", ""):
        for i in range(count):
            low, high = pairs[i]
            reach = dilations[i] * (window[i] - 1) + 1
            steps = -(-(lengths[i] + low + high - reach) // strides[i])
            if steps * strides[i] >= lengths[i] + low:  # it would begin behind the array
                steps -= 1
            more[i] = max(steps * strides[i] + reach - lengths[i] - low - high, 0)
    return pairs, more, strides, dilations


def _around(x: Any, pairs: Any, more: Any, value: Any) -> Any:
    if not any(low or high for low, high in pairs) and not any(more):
        return x
    both = [(low, high + extra) for (low, high), extra in zip(pairs, more)]
    return np.pad(x, [(0, 0), (0, 0), *both], constant_values=value)


def _lowest(dtype: Any) -> Any:
    return dtype.type(-np.inf) if dtype.kind == "f" else np.iinfo(dtype).min


def MaxPool(
    x: Any,
    *,
    auto_pad: str = "NOTSET",
    ceil_mode: int = 0,
    dilations: Sequence[int] | None = None,
    kernel_shape: Sequence[int],
    pads: Sequence[int] | None = None,
    storage_order: int = 0,
    strides: Sequence[int] | None = None,
    outputs: int = 1,
) -> Any:
    pairs, more, strides, dilations = _layout(
        x, kernel_shape, auto_pad, ceil_mode, dilations, pads, strides
    )
    padded = _around(x, pairs, more, _lowest(x.dtype))
    y = ops.nn.max_pool(padded, kernel_shape, strides, 0, dilations)
    if outputs == 1:
        return y
    numbers = np.reshape(np.arange(x.size), x.shape)
    if storage_order:  # of the last axes, the first one runs fastest
        lengths = x.shape[2:]
        inner = np.reshape(np.arange(math.prod(lengths)), lengths[::-1]).T
        planes = np.arange(x.size // math.prod(lengths)) * math.prod(lengths)
        numbers = np.reshape(planes, (*x.shape[:2], *[1] * len(lengths))) + inner
    values = _windows(padded, kernel_shape, strides, dilations)
    places = _windows(_around(numbers, pairs, more, 0), kernel_shape, strides, dilations)
    chosen = np.argmax(values, -1, keepdims=True)
    return y, np.take_along_axis(places, chosen, -1)[..., 0]


def _windows(x: Any, window: Any, strides: Any, dilations: Any) -> Any:
    """``(batch, channels, *places, elements)``."""
    found = x
    for i, (m, stride, dilation) in enumerate(zip(window, strides, dilations)):
        count = (x.shape[i + 2] - dilation * (m - 1) - 1) // stride + 1
        index = np.arange(count)[:, None] * stride + np.arange(m) * dilation
        found = np.moveaxis(np.take(found, index, axis=i + 2), i + 3, -1)
    return np.reshape(found, (*found.shape[: x.ndim], -1))


def _sums(x: Any, window: Any, strides: Any, dilations: Any) -> Any:
    return ops.window_sum(
        x, window=tuple(window), strides=tuple(strides), dilation=tuple(dilations)
    )


def AveragePool(
    x: Any,
    *,
    auto_pad: str = "NOTSET",
    ceil_mode: int = 0,
    count_include_pad: int = 0,
    dilations: Sequence[int] | None = None,
    kernel_shape: Sequence[int],
    pads: Sequence[int] | None = None,
    strides: Sequence[int] | None = None,
) -> Any:
    pairs, more, strides, dilations = _layout(
        x, kernel_shape, auto_pad, ceil_mode, dilations, pads, strides
    )
    totals = _sums(_around(x, pairs, more, 0), kernel_shape, strides, dilations)
    if not any(low or high for low, high in pairs) and not any(more):
        return totals / math.prod(kernel_shape)
    ones = np.ones((1, 1, *x.shape[2:]), x.dtype)
    none = [0] * len(more)
    if count_include_pad:
        ones = _around(ones, pairs, none, 1)
        ones = _around(ones, [(0, 0)] * len(more), more, 0)
    else:
        ones = _around(ones, pairs, more, 0)
    return totals / _sums(ones, kernel_shape, strides, dilations)


def LpPool(
    x: Any,
    *,
    auto_pad: str = "NOTSET",
    ceil_mode: int = 0,
    dilations: Sequence[int] | None = None,
    kernel_shape: Sequence[int],
    p: int = 2,
    pads: Sequence[int] | None = None,
    strides: Sequence[int] | None = None,
) -> Any:
    pairs, more, strides, dilations = _layout(
        x, kernel_shape, auto_pad, ceil_mode, dilations, pads, strides
    )
    powers = _around(np.abs(x) ** p, pairs, more, 0)
    return _sums(powers, kernel_shape, strides, dilations) ** (1 / p)


def GlobalAveragePool(x: Any) -> Any:
    return np.mean(x, axis=tuple(range(2, x.ndim)), keepdims=True)


def GlobalMaxPool(x: Any) -> Any:
    return np.max(x, axis=tuple(range(2, x.ndim)), keepdims=True)


def GlobalLpPool(x: Any, *, p: int = 2) -> Any:
    return np.sum(np.abs(x) ** p, axis=tuple(range(2, x.ndim)), keepdims=True) ** (1 / p)


def MaxUnpool(
    x: Any,
    indices: Any,
    output_shape: Known = None,
    *,
    kernel_shape: Sequence[int],
    pads: Sequence[int] | None = None,
    strides: Sequence[int] | None = None,
) -> Any:
    count = len(kernel_shape)
    strides = strides or (1,) * count
    pads = pads or (0,) * (2 * count)
    lengths = [
        (n - 1) * stride + m - pads[i] - pads[i + count]
        for i, (n, stride, m) in enumerate(zip(x.shape[2:], strides, kernel_shape))
    ]
    shape = (*x.shape[:2], *lengths)
    flat = np.zeros(math.prod(shape), x.dtype)
    flat[np.reshape(indices, (-1,))] = np.reshape(x, (-1,))
    y = np.reshape(flat, shape)
    if output_shape is None:
        return y
    wanted = integers(output_shape)
    return np.pad(y, [(0, m - n) for n, m in zip(shape, wanted)])
