"""Products of matrices."""

from __future__ import annotations

from typing import Any

import numpy as np


def MatMul(a: Any, b: Any) -> Any:
    return a @ b


def Gemm(
    a: Any,
    b: Any,
    c: Any = None,
    *,
    alpha: float = 1.0,
    beta: float = 1.0,
    transA: int = 0,
    transB: int = 0,
) -> Any:
    y = (a.T if transA else a) @ (b.T if transB else b)
    if alpha != 1.0:
        y = y * alpha
    if c is None:
        return y
    return y + (c if beta == 1.0 else c * beta)


def Gemm_before_7(
    a: Any,
    b: Any,
    c: Any,
    *,
    alpha: float = 1.0,
    beta: float = 1.0,
    broadcast: int = 0,
    transA: int = 0,
    transB: int = 0,
) -> Any:
    return Gemm(a, b, c, alpha=alpha, beta=beta, transA=transA, transB=transB)


def Einsum(*xs: Any, equation: str) -> Any:
    return np.einsum(equation, *xs)


def Det(x: Any) -> Any:
    return np.linalg.det(x)
