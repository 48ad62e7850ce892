"""Normalisations."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

import ops
from autograph.interop.onnx_operators.marks import several, unsupported


def BatchNormalization(
    x: Any,
    scale: Any,
    bias: Any,
    mean: Any,
    var: Any,
    *,
    epsilon: float = 1e-5,
    momentum: float = 0.9,
    training_mode: int = 0,
    outputs: int = 1,
) -> Any:
    if not training_mode:
        y, *_ = ops.nn.batch_norm(x, mean, var, scale, bias, eps=epsilon)
        return several((y, mean, var), outputs)
    axes = (0, *range(2, x.ndim))
    found_mean, found_var = np.mean(x, axes), np.var(x, axes)
    y, *_ = ops.nn.batch_norm(x, found_mean, found_var, scale, bias, eps=epsilon)
    new_mean = mean * momentum + found_mean * (1 - momentum)
    return several((y, new_mean, var * momentum + found_var * (1 - momentum)), outputs)


def BatchNormalization_before_14(
    x: Any,
    scale: Any,
    bias: Any,
    mean: Any,
    var: Any,
    *,
    epsilon: float = 1e-5,
    momentum: float = 0.9,
) -> Any:
    y, *_ = ops.nn.batch_norm(x, mean, var, scale, bias, eps=epsilon)
    return y


def BatchNormalization_before_9(
    x: Any,
    scale: Any,
    bias: Any,
    mean: Any,
    var: Any,
    *,
    epsilon: float = 1e-5,
    momentum: float = 0.9,
    spatial: int = 1,
) -> Any:
    if not spatial:
        return scale * (x - mean) / np.sqrt(var + epsilon) + bias
    y, *_ = ops.nn.batch_norm(x, mean, var, scale, bias, eps=epsilon)
    return y


def BatchNormalization_before_7(
    x: Any,
    scale: Any,
    bias: Any,
    mean: Any,
    var: Any,
    *,
    epsilon: float = 1e-5,
    is_test: int = 0,
    momentum: float = 0.9,
    spatial: int = 1,
) -> Any:
    if not is_test:
        raise unsupported("a BatchNormalization that trains, of an operator set before 7")
    return BatchNormalization_before_9(x, scale, bias, mean, var, epsilon=epsilon, spatial=spatial)


def InstanceNormalization(x: Any, scale: Any, bias: Any, *, epsilon: float = 1e-5) -> Any:
    return ops.nn.group_norm(x, x.shape[1], scale, bias, epsilon)


def _wide(x: Any) -> Any:
    """Half precision is computed in single precision."""
    return x.astype(np.float32) if x.dtype == np.float16 else x


def LayerNormalization(
    x: Any,
    scale: Any,
    bias: Any = None,
    *,
    axis: int = -1,
    epsilon: float = 1e-5,
    stash_type: int = 1,
    outputs: int = 1,
) -> Any:
    axes = tuple(range(axis % x.ndim, x.ndim))
    wide = _wide(x)
    y = ops.nn.layer_norm(wide, axis=axes, eps=epsilon).astype(x.dtype) * scale
    if bias is not None:
        y = y + bias
    if outputs == 1:
        return y
    mean = np.mean(wide, axes, keepdims=True)
    inverse = 1 / np.sqrt(np.var(wide, axes, keepdims=True) + epsilon)
    return several((y, mean, inverse), outputs)


def RMSNormalization(
    x: Any, scale: Any, *, axis: int = -1, epsilon: float = 1e-5, stash_type: int = 1
) -> Any:
    axes = tuple(range(axis % x.ndim, x.ndim))
    return ops.nn.rms_norm(_wide(x), axis=axes, eps=epsilon).astype(x.dtype) * scale


def GroupNormalization(
    x: Any,
    scale: Any,
    bias: Any,
    *,
    epsilon: float = 1e-5,
    num_groups: int,
    stash_type: int = 1,
) -> Any:
    y = ops.nn.group_norm(_wide(x), num_groups, eps=epsilon).astype(x.dtype)
    shape = (-1, *[1] * (x.ndim - 2))
    return y * np.reshape(scale, shape) + np.reshape(bias, shape)


def GroupNormalization_before_21(
    x: Any, scale: Any, bias: Any, *, epsilon: float = 1e-5, num_groups: int
) -> Any:
    """The scale and bias are those of the groups."""
    size = x.shape[1] // num_groups
    return GroupNormalization(
        x, np.repeat(scale, size), np.repeat(bias, size), epsilon=epsilon, num_groups=num_groups
    )


def MeanVarianceNormalization(x: Any, *, axes: Sequence[int] = (0, 2, 3)) -> Any:
    mean = np.mean(x, tuple(axes), keepdims=True)
    deviation = np.sqrt(np.mean(x * x, tuple(axes), keepdims=True) - mean * mean)
    return (x - mean) / (deviation + 1e-9)


def LpNormalization(x: Any, *, axis: int = -1, p: int = 2) -> Any:
    if p == 1:
        norm = np.sum(np.abs(x), axis, keepdims=True)
    else:
        norm = np.sqrt(np.sum(x * x, axis, keepdims=True))
    return np.where(norm == 0, 0, x / np.where(norm == 0, 1, norm))


def LRN(x: Any, *, alpha: float = 1e-4, beta: float = 0.75, bias: float = 1.0, size: int) -> Any:
    """By the squares of neighbouring channels."""
    channels = x.shape[1]
    low, high = (size - 1) // 2, size - 1 - (size - 1) // 2
    squares = np.pad(x * x, [(0, 0), (low, high), *[(0, 0)] * (x.ndim - 2)])
    total = squares[:, 0:channels]
    for i in range(1, size):
        total = total + squares[:, i : i + channels]
    return x / (bias + alpha / size * total) ** beta


def Dropout(
    x: Any, ratio: Any = None, training_mode: Any = None, *, seed: int = 0, outputs: int = 1
) -> Any:
    """Nothing is left out where nothing is trained."""
    if training_mode is not None and training_mode and (ratio is None or ratio != 0):
        raise unsupported("a Dropout that trains: it draws random numbers")
    return several((x, np.ones(x.shape, bool)), outputs)


def Dropout_before_12(x: Any, *, ratio: float = 0.5, outputs: int = 1) -> Any:
    return several((x, np.ones(x.shape, bool)), outputs)


def Dropout_before_7(x: Any, *, ratio: float = 0.5, is_test: int = 0, outputs: int = 1) -> Any:
    if not is_test:
        raise unsupported("a Dropout that trains: it draws random numbers")
    return several((x, np.ones(x.shape, x.dtype)), outputs)
