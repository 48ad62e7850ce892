"""Convolutions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

import ops
from autograph.interop.onnx_operators.windows import padding


def with_bias(y: Any, bias: Any) -> Any:
    """Channels, which are along axis 1, with a number added to each."""
    return y if bias is None else y + np.reshape(bias, (-1, *[1] * (y.ndim - 2)))


def Conv(
    x: Any,
    w: Any,
    b: Any = None,
    *,
    auto_pad: str = "NOTSET",
    dilations: Sequence[int] | None = None,
    group: int = 1,
    kernel_shape: Sequence[int] | None = None,
    pads: Sequence[int] | None = None,
    strides: Sequence[int] | None = None,
) -> Any:
    count = x.ndim - 2
    strides = strides or (1,) * count
    dilations = dilations or (1,) * count
    pairs = padding(auto_pad, pads, x.shape[2:], w.shape[2:], strides, dilations)
    return with_bias(ops.nn.conv(x, w, strides, pairs, dilations, group), b)


def ConvTranspose(
    x: Any,
    w: Any,
    b: Any = None,
    *,
    auto_pad: str = "NOTSET",
    dilations: Sequence[int] | None = None,
    group: int = 1,
    kernel_shape: Sequence[int] | None = None,
    output_padding: Sequence[int] | None = None,
    output_shape: Sequence[int] | None = None,
    pads: Sequence[int] | None = None,
    strides: Sequence[int] | None = None,
) -> Any:
    count = x.ndim - 2
    strides = strides or (1,) * count
    dilations = dilations or (1,) * count
    more = output_padding or (0,) * count
    y = ops.nn.conv_transpose(x, w, strides, 0, 0, dilations, group)
    if output_shape is None and auto_pad in ("SAME_UPPER", "SAME_LOWER"):
        output_shape = [n * stride for n, stride in zip(x.shape[2:], strides)]
    if output_shape is None:
        pairs = list(zip(pads[:count], pads[count:])) if pads else [(0, 0)] * count
        lengths = [n + m - sum(pair) for n, m, pair in zip(y.shape[2:], more, pairs)]
        starts = [before for before, _ in pairs]
    else:
        lengths = list(output_shape)[-count:]
        totals = [n + m - length for n, m, length in zip(y.shape[2:], more, lengths)]
        starts = [t // 2 if auto_pad == "SAME_UPPER" else t - t // 2 for t in totals]
    y = _part(y, starts, lengths)
    return with_bias(y, b)


def _part(y: Any, starts: Sequence[int], lengths: Sequence[int]) -> Any:
    """A part of an array, with zeros where it reaches out of it."""
    before = [max(-start, 0) for start in starts]
    behind = [max(a + n - m, 0) for a, n, m in zip(starts, lengths, y.shape[2:])]
    if any(before) or any(behind):
        y = np.pad(y, [(0, 0), (0, 0), *zip(before, behind)])
    begins = [start + more for start, more in zip(starts, before)]
    return y[(slice(None), slice(None), *[slice(a, a + n) for a, n in zip(begins, lengths)])]
