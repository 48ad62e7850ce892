"""Operators of each element: arithmetic, comparisons, logic."""

from __future__ import annotations

from typing import Any

import numpy as np

import ops
from autograph.interop.onnx_operators.marks import Known


def Abs(x: Any) -> Any:
    return np.abs(x)


def Neg(x: Any) -> Any:
    return -x


def Add(a: Any, b: Any) -> Any:
    return a + b


def Sub(a: Any, b: Any) -> Any:
    return a - b


def Mul(a: Any, b: Any) -> Any:
    return a * b


def Div(a: Any, b: Any) -> Any:
    """Integers are rounded towards zero."""
    if a.dtype.kind not in "iu":
        return a / b
    found = a // b
    if a.dtype.kind == "i":
        found = found + ((found < 0) & (found * b != a)).astype(a.dtype)
    return found


def _aligned(a: Any, b: Any, axis: int | None, broadcast: int) -> Any:
    """``b`` with axes of length 1 behind its own, which are those of ``a`` from ``axis`` on."""
    if not broadcast or axis is None:
        return b
    behind = len(a.shape) - (axis % len(a.shape)) - len(b.shape)
    return np.reshape(b, (*b.shape, *[1] * behind))


def Add_before_7(a: Any, b: Any, *, axis: int | None = None, broadcast: int = 0) -> Any:
    return a + _aligned(a, b, axis, broadcast)


def Sub_before_7(a: Any, b: Any, *, axis: int | None = None, broadcast: int = 0) -> Any:
    return a - _aligned(a, b, axis, broadcast)


def Mul_before_7(a: Any, b: Any, *, axis: int | None = None, broadcast: int = 0) -> Any:
    return a * _aligned(a, b, axis, broadcast)


def Div_before_7(a: Any, b: Any, *, axis: int | None = None, broadcast: int = 0) -> Any:
    return Div(a, _aligned(a, b, axis, broadcast))


def Pow(x: Any, y: Any) -> Any:
    return (x**y).astype(x.dtype)


def Pow_before_7(x: Any, y: Any, *, axis: int | None = None, broadcast: int = 0) -> Any:
    return Pow(x, _aligned(x, y, axis, broadcast))


def Mod(a: Any, b: Any, *, fmod: int = 0) -> Any:
    return np.fmod(a, b) if fmod else np.mod(a, b)


def Sum(*xs: Any) -> Any:
    found = xs[0]
    for x in xs[1:]:
        found = found + x
    return found


def Mean(*xs: Any) -> Any:
    return Sum(*xs) / len(xs)


def Max(*xs: Any) -> Any:
    found = xs[0]
    for x in xs[1:]:
        found = np.maximum(found, x)
    return found


def Min(*xs: Any) -> Any:
    found = xs[0]
    for x in xs[1:]:
        found = np.minimum(found, x)
    return found


def Clip(x: Any, min: Any = None, max: Any = None) -> Any:
    if min is not None:
        x = np.maximum(x, min)
    if max is not None:
        x = np.minimum(x, max)
    return x


def Sqrt(x: Any) -> Any:
    return np.sqrt(x)


def Reciprocal(x: Any) -> Any:
    return 1 / x


def Exp(x: Any) -> Any:
    return np.exp(x)


def Log(x: Any) -> Any:
    return np.log(x)


def Sin(x: Any) -> Any:
    return np.sin(x)


def Cos(x: Any) -> Any:
    return np.cos(x)


def Tan(x: Any) -> Any:
    return np.tan(x)


def Asin(x: Any) -> Any:
    return np.arcsin(x)


def Acos(x: Any) -> Any:
    return np.arccos(x)


def Atan(x: Any) -> Any:
    return np.arctan(x)


def Sinh(x: Any) -> Any:
    return np.sinh(x)


def Cosh(x: Any) -> Any:
    return np.cosh(x)


def Tanh(x: Any) -> Any:
    return np.tanh(x)


def Asinh(x: Any) -> Any:
    return np.arcsinh(x)


def Acosh(x: Any) -> Any:
    return np.arccosh(x)


def Atanh(x: Any) -> Any:
    return np.arctanh(x)


def Erf(x: Any) -> Any:
    return ops.erf(x).astype(x.dtype)


def Floor(x: Any) -> Any:
    return np.floor(x)


def Ceil(x: Any) -> Any:
    return np.ceil(x)


def Round(x: Any) -> Any:
    return np.rint(x)


def Sign(x: Any) -> Any:
    return np.sign(x)


def IsNaN(x: Any) -> Any:
    return np.isnan(x)


def IsInf(x: Any, *, detect_negative: int = 1, detect_positive: int = 1) -> Any:
    negative = np.isneginf(x) if detect_negative else np.zeros(x.shape, bool)
    positive = np.isposinf(x) if detect_positive else np.zeros(x.shape, bool)
    return negative | positive


# -- comparisons and logic -------------------------------------------------------------------------


def Equal(a: Any, b: Any) -> Any:
    return a == b


def Greater(a: Any, b: Any) -> Any:
    return a > b


def GreaterOrEqual(a: Any, b: Any) -> Any:
    return a >= b


def Less(a: Any, b: Any) -> Any:
    return a < b


def LessOrEqual(a: Any, b: Any) -> Any:
    return a <= b


def And(a: Any, b: Any) -> Any:
    return np.logical_and(a, b)


def Or(a: Any, b: Any) -> Any:
    return np.logical_or(a, b)


def Xor(a: Any, b: Any) -> Any:
    return np.logical_xor(a, b)


def Not(x: Any) -> Any:
    return np.logical_not(x)


def Equal_before_7(a: Any, b: Any, *, axis: int | None = None, broadcast: int = 0) -> Any:
    return a == _aligned(a, b, axis, broadcast)


def Greater_before_7(a: Any, b: Any, *, axis: int | None = None, broadcast: int = 0) -> Any:
    return a > _aligned(a, b, axis, broadcast)


def Less_before_7(a: Any, b: Any, *, axis: int | None = None, broadcast: int = 0) -> Any:
    return a < _aligned(a, b, axis, broadcast)


def And_before_7(a: Any, b: Any, *, axis: int | None = None, broadcast: int = 0) -> Any:
    return np.logical_and(a, _aligned(a, b, axis, broadcast))


def Or_before_7(a: Any, b: Any, *, axis: int | None = None, broadcast: int = 0) -> Any:
    return np.logical_or(a, _aligned(a, b, axis, broadcast))


def Xor_before_7(a: Any, b: Any, *, axis: int | None = None, broadcast: int = 0) -> Any:
    return np.logical_xor(a, _aligned(a, b, axis, broadcast))


def Where(condition: Any, x: Any, y: Any) -> Any:
    return np.where(condition, x, y)


def BitwiseAnd(a: Any, b: Any) -> Any:
    return a & b


def BitwiseOr(a: Any, b: Any) -> Any:
    return a | b


def BitwiseXor(a: Any, b: Any) -> Any:
    return a ^ b


def BitwiseNot(x: Any) -> Any:
    return ~x


def BitShift(x: Any, y: Any, *, direction: str) -> Any:
    return np.left_shift(x, y) if direction == "LEFT" else np.right_shift(x, y)


# -- running sums and products ---------------------------------------------------------------------


def CumSum(x: Any, axis: Known, *, exclusive: int = 0, reverse: int = 0) -> Any:
    return _running(np.cumsum, x, int(axis), exclusive, reverse, 0)


def CumProd(x: Any, axis: Known, *, exclusive: int = 0, reverse: int = 0) -> Any:
    return _running(np.cumprod, x, int(axis), exclusive, reverse, 1)


def _running(function: Any, x: Any, axis: int, exclusive: int, reverse: int, first: int) -> Any:
    if reverse:
        x = np.flip(x, axis)
    if exclusive:
        one = np.full([1 if i == axis % x.ndim else n for i, n in enumerate(x.shape)], first)
        x = np.concatenate([one.astype(x.dtype), np.delete(x, -1, axis)], axis)
    found = function(x, axis, dtype=x.dtype)
    return np.flip(found, axis) if reverse else found
