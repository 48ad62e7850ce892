"""First values of weights.

Each function takes a key, a shape and a dtype. The shape is that of a layer's weight: its first
axis counts what comes out, its second what goes in, and its other axes, if there are any, are the
window of a convolution. *Fan in* is how many numbers are summed for one that comes out, *fan out*
how many sums one that goes in is part of.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

import ops
from autograph.nn.checks import require

__all__ = [
    "glorot_normal",
    "glorot_uniform",
    "he_normal",
    "he_uniform",
    "lecun_normal",
    "lecun_uniform",
    "normal",
    "ones",
    "orthogonal",
    "truncated_normal",
    "uniform",
    "zeros",
]

Shape = tuple[int, ...]

# The standard deviation of a normal distribution that is cut off at two of its own.
_CUT = 0.87962566103423978


def fans(shape: Shape) -> tuple[int, int]:
    """Fan in and fan out of a weight."""
    require(len(shape) >= 2, f"a weight of shape {shape} has no fans", "give two axes or more")
    window = math.prod(shape[2:])
    return shape[1] * window, shape[0] * window


def zeros(key: Any, shape: Shape, dtype: Any = np.float32) -> Any:
    """Zeros; the key is not looked at.

    Examples:
        >>> nn.init.zeros(None, (2,))
        array([0., 0.], dtype=float32)
    """
    return np.zeros(shape, dtype)


def ones(key: Any, shape: Shape, dtype: Any = np.float32) -> Any:
    """Ones; the key is not looked at.

    Examples:
        >>> nn.init.ones(None, (2,))
        array([1., 1.], dtype=float32)
    """
    return np.ones(shape, dtype)


def normal(key: Any, shape: Shape, dtype: Any = np.float32, *, std: float = 0.02) -> Any:
    """Normal numbers with a standard deviation.

    Examples:
        >>> nn.init.normal(ops.random.key(0), (2, 3)).shape
        (2, 3)
    """
    return ops.random.normal(key, shape, dtype) * std


def uniform(key: Any, shape: Shape, dtype: Any = np.float32, *, limit: float = 0.01) -> Any:
    """Numbers between ``-limit`` and ``limit``, all as likely.

    Examples:
        >>> float(np.max(np.abs(nn.init.uniform(ops.random.key(0), (99,), limit=2.0)))) < 2.0
        True
    """
    return ops.random.uniform(key, shape, dtype, -limit, limit)


def truncated_normal(key: Any, shape: Shape, dtype: Any = np.float32, *, std: float = 0.02) -> Any:
    """Numbers with a standard deviation, of a normal distribution without what is more than two of
    its own standard deviations from its mean.

    Examples:
        >>> draws = nn.init.truncated_normal(ops.random.key(0), (99, 99), std=1.0)
        >>> round(float(np.std(draws)), 1), float(np.max(draws)) < 2.3
        (1.0, True)
    """
    return ops.random.truncated_normal(key, -2.0, 2.0, shape, dtype) * (std / _CUT)


def lecun_normal(key: Any, shape: Shape, dtype: Any = np.float32) -> Any:
    """`truncated_normal` with variance 1 / fan in: LeCun et al., *Efficient BackProp* (1998).

    Examples:
        >>> nn.init.lecun_normal(ops.random.key(0), (2, 3)).dtype
        dtype('float32')
    """
    return truncated_normal(key, shape, dtype, std=math.sqrt(1.0 / fans(shape)[0]))


def lecun_uniform(key: Any, shape: Shape, dtype: Any = np.float32) -> Any:
    """`uniform` with variance 1 / fan in.

    Examples:
        >>> nn.init.lecun_uniform(ops.random.key(0), (2, 3)).dtype
        dtype('float32')
    """
    return uniform(key, shape, dtype, limit=math.sqrt(3.0 / fans(shape)[0]))


def glorot_normal(key: Any, shape: Shape, dtype: Any = np.float32) -> Any:
    """`truncated_normal` with variance 2 / (fan in + fan out): Glorot and Bengio, *Understanding
    the difficulty of training deep feedforward neural networks* (2010).

    Examples:
        >>> nn.init.glorot_normal(ops.random.key(0), (2, 3)).dtype
        dtype('float32')
    """
    return truncated_normal(key, shape, dtype, std=math.sqrt(2.0 / sum(fans(shape))))


def glorot_uniform(key: Any, shape: Shape, dtype: Any = np.float32) -> Any:
    """`uniform` with variance 2 / (fan in + fan out).

    Examples:
        >>> nn.init.glorot_uniform(ops.random.key(0), (2, 3)).dtype
        dtype('float32')
    """
    return uniform(key, shape, dtype, limit=math.sqrt(6.0 / sum(fans(shape))))


def he_normal(key: Any, shape: Shape, dtype: Any = np.float32) -> Any:
    """`truncated_normal` with variance 2 / fan in, for rectified units: He et al., *Delving Deep
    into Rectifiers*, arXiv:1502.01852.

    Examples:
        >>> nn.init.he_normal(ops.random.key(0), (2, 3)).dtype
        dtype('float32')
    """
    return truncated_normal(key, shape, dtype, std=math.sqrt(2.0 / fans(shape)[0]))


def he_uniform(key: Any, shape: Shape, dtype: Any = np.float32) -> Any:
    """`uniform` with variance 2 / fan in.

    Examples:
        >>> nn.init.he_uniform(ops.random.key(0), (2, 3)).dtype
        dtype('float32')
    """
    return uniform(key, shape, dtype, limit=math.sqrt(6.0 / fans(shape)[0]))


def orthogonal(key: Any, shape: Shape, dtype: Any = np.float32, *, scale: float = 1.0) -> Any:
    """A matrix with orthonormal rows, or columns if it has more rows than columns, times a number;
    axes after the second are counted to it. Saxe et al., arXiv:1312.6120.

    Examples:
        >>> w = nn.init.orthogonal(ops.random.key(0), (2, 3), float)
        >>> bool(np.allclose(w @ w.T, np.eye(2)))
        True
    """
    rows, columns = shape[0], math.prod(shape[1:])
    drawn = ops.random.normal(key, (max(rows, columns), min(rows, columns)))
    q, r = np.linalg.qr(drawn)
    q = q * np.sign(np.diagonal(r))  # else some matrices are likelier than others
    q = q if rows >= columns else q.T
    return (scale * np.reshape(q, shape)).astype(dtype)
