"""Integers that stand for numbers: ``scale * (q - zero_point)``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from autograph.interop.onnx_operators.convolution import Conv
from autograph.interop.onnx_operators.marks import Dtype, several


def _spread(values: Any, x: Any, axis: int, block_size: int) -> Any:
    """One for all, one for each place along an axis, or one for each block of places."""
    if values is None or values.ndim == 0 or values.size == 1:
        return values if values is None else np.reshape(values, ())
    if block_size:
        length = x.shape[axis]
        repeated = np.repeat(values, block_size, axis=axis)
        return np.take(repeated, np.arange(length), axis=axis)
    return np.reshape(values, [-1, *[1] * (x.ndim - 1 - axis % x.ndim)])


def _rounded(x: Any, scale: Any, zero_point: Any, dtype: Any) -> Any:
    found = np.rint(x / scale)
    if zero_point is not None:
        found = found + zero_point.astype(found.dtype)
    limits = np.iinfo(dtype)
    return np.clip(found, limits.min, limits.max).astype(dtype)


def QuantizeLinear(
    x: Any,
    y_scale: Any,
    y_zero_point: Any = None,
    *,
    axis: int = 1,
    block_size: int = 0,
    output_dtype: Dtype = None,
    precision: int = 0,
    saturate: int = 1,
) -> Any:
    if y_zero_point is not None:
        dtype = y_zero_point.dtype
    else:
        dtype = np.dtype(np.uint8 if output_dtype is None else output_dtype)
    scale = _spread(y_scale, x, axis, block_size)
    return _rounded(x, scale, _spread(y_zero_point, x, axis, block_size), dtype)


def DequantizeLinear(
    x: Any,
    x_scale: Any,
    x_zero_point: Any = None,
    *,
    axis: int = 1,
    block_size: int = 0,
    output_dtype: Dtype = None,
) -> Any:
    scale = _spread(x_scale, x, axis, block_size)
    found = x.astype(scale.dtype)
    if x_zero_point is not None:
        found = found - _spread(x_zero_point, x, axis, block_size).astype(scale.dtype)
    return (found * scale).astype(x_scale.dtype if output_dtype is None else output_dtype)


def DynamicQuantizeLinear(x: Any, *, outputs: int = 3) -> Any:
    low, high = np.minimum(np.min(x), 0), np.maximum(np.max(x), 0)
    scale = (high - low) / np.array(255, x.dtype)
    zero_point = np.clip(np.rint(-low / scale), 0, 255).astype(np.uint8)
    return several((_rounded(x, scale, zero_point, np.dtype(np.uint8)), scale, zero_point), outputs)


def _centred(x: Any, zero_point: Any, dtype: Any, is_right: bool = False) -> Any:
    """Less the zero point, of which there may be one for each row, or column on the right."""
    wide = x.astype(dtype)
    if zero_point is None:
        return wide
    wide_point = zero_point.astype(dtype)
    if zero_point.ndim == 1 and zero_point.size > 1 and not is_right:
        wide_point = wide_point[:, None]
    return wide - wide_point


def MatMulInteger(a: Any, b: Any, a_zero_point: Any = None, b_zero_point: Any = None) -> Any:
    left = _centred(a, a_zero_point, np.int32)
    return left @ _centred(b, b_zero_point, np.int32, True)


def QLinearMatMul(
    a: Any,
    a_scale: Any,
    a_zero_point: Any,
    b: Any,
    b_scale: Any,
    b_zero_point: Any,
    y_scale: Any,
    y_zero_point: Any,
) -> Any:
    found = MatMulInteger(a, b, a_zero_point, b_zero_point)
    scale = a_scale.astype(np.float32) * b_scale.astype(np.float32) / y_scale.astype(np.float32)
    return _rounded(found * scale, np.float32(1), y_zero_point, y_zero_point.dtype)


def ConvInteger(
    x: Any,
    w: Any,
    x_zero_point: Any = None,
    w_zero_point: Any = None,
    *,
    auto_pad: str = "NOTSET",
    dilations: Sequence[int] | None = None,
    group: int = 1,
    kernel_shape: Sequence[int] | None = None,
    pads: Sequence[int] | None = None,
    strides: Sequence[int] | None = None,
) -> Any:
    """The sums are exact: doubles hold them."""
    found = Conv(
        _centred(x, x_zero_point, np.float64),
        w.astype(np.float64) - _of_features(w_zero_point, w),
        auto_pad=auto_pad,
        dilations=dilations,
        group=group,
        pads=pads,
        strides=strides,
    )
    return found.astype(np.int32)


def _of_features(values: Any, w: Any) -> Any:
    """One for all features, or one for each, which are along axis 0."""
    if values is None:
        return 0.0
    wide = values.astype(np.float64)
    return wide if values.size == 1 else np.reshape(wide, (-1, *[1] * (w.ndim - 1)))


def QLinearConv(
    x: Any,
    x_scale: Any,
    x_zero_point: Any,
    w: Any,
    w_scale: Any,
    w_zero_point: Any,
    y_scale: Any,
    y_zero_point: Any,
    b: Any = None,
    *,
    auto_pad: str = "NOTSET",
    dilations: Sequence[int] | None = None,
    group: int = 1,
    kernel_shape: Sequence[int] | None = None,
    pads: Sequence[int] | None = None,
    strides: Sequence[int] | None = None,
) -> Any:
    found = ConvInteger(
        x,
        w,
        x_zero_point,
        w_zero_point,
        auto_pad=auto_pad,
        dilations=dilations,
        group=group,
        pads=pads,
        strides=strides,
    )
    shape = (-1, *[1] * (x.ndim - 2))
    if b is not None:
        found = found + np.reshape(b, shape)
    scale = x_scale * (np.reshape(w_scale, shape) if w_scale.size > 1 else w_scale) / y_scale
    return _rounded(found * scale, np.float32(1), y_zero_point, y_zero_point.dtype)
