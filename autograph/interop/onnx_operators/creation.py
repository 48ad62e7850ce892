"""Operators that make arrays."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from autograph.interop.known_numbers import integers
from autograph.interop.onnx_operators.marks import Dtype, Known


def ConstantOfShape(shape: Known, *, value: Any = None) -> Any:
    if value is None:
        return np.zeros(integers(shape), np.float32)
    return np.full(integers(shape), value[0])


def EyeLike(x: Any, *, dtype: Dtype = None, k: int = 0) -> Any:
    rows, columns = x.shape
    return np.eye(rows, columns, k=k, dtype=x.dtype if dtype is None else dtype)


def Range(start: Any, limit: Any, delta: Any) -> Any:
    start, limit, delta = [np.reshape(x, ()) for x in (start, limit, delta)]
    count = max(math.ceil((limit - start) / delta), 0)
    return start + delta * np.arange(count).astype(start.dtype)


def HannWindow(size: Known, *, output_datatype: Dtype = np.float32, periodic: int = 1) -> Any:
    return _cosines(size, (0.5, 0.5, 0.0), periodic).astype(output_datatype)


def HammingWindow(size: Known, *, output_datatype: Dtype = np.float32, periodic: int = 1) -> Any:
    return _cosines(size, (25 / 46, 21 / 46, 0.0), periodic).astype(output_datatype)


def BlackmanWindow(size: Known, *, output_datatype: Dtype = np.float32, periodic: int = 1) -> Any:
    return _cosines(size, (0.42, 0.5, 0.08), periodic).astype(output_datatype)


def _cosines(size: Any, weights: tuple[float, float, float], periodic: int) -> Any:
    (count,) = integers(size)
    angles = 2 * np.pi * np.arange(count) / (count if periodic else count - 1)
    a, b, c = weights
    return a - b * np.cos(angles) + c * np.cos(2 * angles)
