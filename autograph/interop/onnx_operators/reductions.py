"""Sums, extremes and the like along axes. ``axes`` are all where none are given."""

from __future__ import annotations

from typing import Any

import numpy as np

import ops
from autograph.interop.known_numbers import integers
from autograph.interop.onnx_operators.marks import Known


def _along(x: Any, axes: Any, noop: int) -> tuple[int, ...]:
    found = () if axes is None else tuple(integers(axes))
    return found if found or noop else tuple(range(x.ndim))


def ReduceSum(
    x: Any, axes: Known = None, *, keepdims: int = 1, noop_with_empty_axes: int = 0
) -> Any:
    along = _along(x, axes, noop_with_empty_axes)
    return np.sum(x, along, keepdims=bool(keepdims), dtype=x.dtype)


def ReduceProd(
    x: Any, axes: Known = None, *, keepdims: int = 1, noop_with_empty_axes: int = 0
) -> Any:
    along = _along(x, axes, noop_with_empty_axes)
    return np.prod(x, along, keepdims=bool(keepdims), dtype=x.dtype)


def ReduceMean(
    x: Any, axes: Known = None, *, keepdims: int = 1, noop_with_empty_axes: int = 0
) -> Any:
    along = _along(x, axes, noop_with_empty_axes)
    return np.mean(x, along, keepdims=bool(keepdims)).astype(x.dtype)


def ReduceMax(
    x: Any, axes: Known = None, *, keepdims: int = 1, noop_with_empty_axes: int = 0
) -> Any:
    along = _along(x, axes, noop_with_empty_axes)
    if x.size:
        return np.max(x, along, keepdims=bool(keepdims))
    return _of_nothing(x, along, keepdims, _least(x.dtype))


def ReduceMin(
    x: Any, axes: Known = None, *, keepdims: int = 1, noop_with_empty_axes: int = 0
) -> Any:
    along = _along(x, axes, noop_with_empty_axes)
    if x.size:
        return np.min(x, along, keepdims=bool(keepdims))
    return _of_nothing(x, along, keepdims, _largest(x.dtype))


def _least(dtype: Any) -> Any:
    if dtype.kind == "b":
        return False
    return -np.inf if dtype.kind == "f" else np.iinfo(dtype).min


def _largest(dtype: Any) -> Any:
    if dtype.kind == "b":
        return True
    return np.inf if dtype.kind == "f" else np.iinfo(dtype).max


def _of_nothing(x: Any, along: tuple[int, ...], keepdims: int, value: Any) -> Any:
    zeros = np.sum(x, along, keepdims=bool(keepdims))
    return np.full(zeros.shape, value, x.dtype)


def ReduceL1(
    x: Any, axes: Known = None, *, keepdims: int = 1, noop_with_empty_axes: int = 0
) -> Any:
    along = _along(x, axes, noop_with_empty_axes)
    return np.sum(np.abs(x), along, keepdims=bool(keepdims), dtype=x.dtype)


def ReduceL2(
    x: Any, axes: Known = None, *, keepdims: int = 1, noop_with_empty_axes: int = 0
) -> Any:
    along = _along(x, axes, noop_with_empty_axes)
    return np.sqrt(np.sum(x * x, along, keepdims=bool(keepdims), dtype=x.dtype)).astype(x.dtype)


def ReduceSumSquare(
    x: Any, axes: Known = None, *, keepdims: int = 1, noop_with_empty_axes: int = 0
) -> Any:
    along = _along(x, axes, noop_with_empty_axes)
    return np.sum(x * x, along, keepdims=bool(keepdims), dtype=x.dtype)


def ReduceLogSum(
    x: Any, axes: Known = None, *, keepdims: int = 1, noop_with_empty_axes: int = 0
) -> Any:
    along = _along(x, axes, noop_with_empty_axes)
    return np.log(np.sum(x, along, keepdims=bool(keepdims))).astype(x.dtype)


def ReduceLogSumExp(
    x: Any, axes: Known = None, *, keepdims: int = 1, noop_with_empty_axes: int = 0
) -> Any:
    along = _along(x, axes, noop_with_empty_axes)
    return ops.nn.logsumexp(x, along, keepdims=bool(keepdims)).astype(x.dtype)


def ArgMax(x: Any, *, axis: int = 0, keepdims: int = 1, select_last_index: int = 0) -> Any:
    if select_last_index:
        found = np.argmax(np.flip(x, axis), axis, keepdims=bool(keepdims))
        return x.shape[axis] - 1 - found
    return np.argmax(x, axis, keepdims=bool(keepdims))


def ArgMin(x: Any, *, axis: int = 0, keepdims: int = 1, select_last_index: int = 0) -> Any:
    if select_last_index:
        found = np.argmin(np.flip(x, axis), axis, keepdims=bool(keepdims))
        return x.shape[axis] - 1 - found
    return np.argmin(x, axis, keepdims=bool(keepdims))
