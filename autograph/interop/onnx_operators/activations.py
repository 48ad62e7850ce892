"""Activations, of each element or along an axis."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

import ops


def Relu(x: Any) -> Any:
    return ops.nn.relu(x)


def LeakyRelu(x: Any, *, alpha: float = 0.01) -> Any:
    return ops.nn.leaky_relu(x, alpha)


def PRelu(x: Any, slope: Any) -> Any:
    return np.where(x < 0, slope * x, x)


def PRelu_before_7(x: Any, slope: Any) -> Any:
    """The slopes are one, or one for each channel."""
    if slope.size > 1:
        slope = np.reshape(slope, (-1, *[1] * (x.ndim - 2)))
    return np.where(x < 0, slope * x, x)


def ThresholdedRelu(x: Any, *, alpha: float = 1.0) -> Any:
    return np.where(x > alpha, x, 0)


def Elu(x: Any, *, alpha: float = 1.0) -> Any:
    return ops.nn.elu(x, alpha)


def Celu(x: Any, *, alpha: float = 1.0) -> Any:
    return ops.nn.celu(x, alpha)


def Selu(x: Any, *, alpha: float = 1.6732632423543772, gamma: float = 1.0507009873554805) -> Any:
    return gamma * ops.nn.elu(x, alpha)


def Gelu(x: Any, *, approximate: str = "none") -> Any:
    return ops.nn.gelu(x, approximate == "tanh")


def Sigmoid(x: Any) -> Any:
    return ops.nn.sigmoid(x)


def HardSigmoid(x: Any, *, alpha: float = 0.2, beta: float = 0.5) -> Any:
    return np.maximum(0, np.minimum(1, alpha * x + beta))


def HardSwish(x: Any) -> Any:
    return ops.nn.hard_swish(x)


def Swish(x: Any, *, alpha: float = 1.0) -> Any:
    return x * ops.nn.sigmoid(alpha * x)


def Mish(x: Any) -> Any:
    return ops.nn.mish(x)


def Softplus(x: Any) -> Any:
    return ops.nn.softplus(x)


def Softsign(x: Any) -> Any:
    return ops.nn.soft_sign(x)


def Shrink(x: Any, *, bias: float = 0.0, lambd: float = 0.5) -> Any:
    outer = np.where(x > lambd, x - bias, 0)
    return np.where(x < -lambd, x + bias, outer).astype(x.dtype)


def Softmax(x: Any, *, axis: int = -1) -> Any:
    return ops.nn.softmax(x, axis)


def LogSoftmax(x: Any, *, axis: int = -1) -> Any:
    return ops.nn.log_softmax(x, axis)


def Hardmax(x: Any, *, axis: int = -1) -> Any:
    largest = np.argmax(x, axis, keepdims=True)
    places = np.reshape(np.arange(x.shape[axis]), [-1, *[1] * (x.ndim - 1 - axis % x.ndim)])
    return (places == largest).astype(x.dtype)


def _rows(x: Any, axis: int) -> Any:
    """A matrix: the axes from ``axis`` on are one."""
    rows = math.prod(x.shape[: axis % x.ndim if axis < 0 else axis])
    return np.reshape(x, (rows, x.size // rows if rows else 0))


def Softmax_before_13(x: Any, *, axis: int = 1) -> Any:
    return np.reshape(ops.nn.softmax(_rows(x, axis), 1), x.shape)


def LogSoftmax_before_13(x: Any, *, axis: int = 1) -> Any:
    return np.reshape(ops.nn.log_softmax(_rows(x, axis), 1), x.shape)


def Hardmax_before_13(x: Any, *, axis: int = 1) -> Any:
    return np.reshape(Hardmax(_rows(x, axis), axis=1), x.shape)
