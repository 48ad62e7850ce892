"""Random numbers of continuous distributions, and what they are made of, with JAX's signatures.

All are transformed uniform numbers, so they are differentiable by their parameters.
"""

from __future__ import annotations

import math
from typing import Any, cast

import numpy as np

from ops.arrays.contraction import matmul
from ops.arrays.indexing import subscript
from ops.core.operands import broadcast_shapes, dtype_of, shape_of
from ops.core.types import numpy_dtype
from ops.elementwise import (
    absolute,
    add,
    divide,
    exp,
    greater,
    less,
    log,
    log1p,
    maximum,
    minimum,
    multiply,
    negative,
    power,
    right_shift,
    sign,
    sqrt,
    subtract,
    tan,
)
from ops.elementwise.conversion import astype, where
from ops.linalg import cholesky
from ops.random.draws import marked
from ops.random.gammas import random_gamma
from ops.random.keys import Shape, bits, checked, lengths, split
from ops.special import logit, ndtr, ndtri
from ops.structure.broadcasting import broadcast_to, sum

__all__ = [
    "bernoulli",
    "beta",
    "cauchy",
    "chisquare",
    "dirichlet",
    "exponential",
    "gamma",
    "gumbel",
    "laplace",
    "logistic",
    "lognormal",
    "multivariate_normal",
    "normal",
    "pareto",
    "rademacher",
    "rayleigh",
    "t",
    "truncated_normal",
    "uniform",
    "weibull_min",
]

_MANTISSA = {"float16": 11, "float32": 24, "float64": 53}


def _floating(dtype: Any) -> np.dtype:
    dtype = numpy_dtype(dtype)
    if dtype.name not in _MANTISSA:
        raise TypeError(f"random floats are float16, float32 or float64, not {dtype}")
    return dtype


def unmarked_uniform(key: Any, shape: Shape, dtype: Any, within: bool = False) -> Any:
    """Multiples of a power of two from 0 to below 1; ``within``, odd multiples of its half, which
    are neither 0 nor 1. For draws that have a mark of their own, if any."""
    dtype = _floating(dtype)
    count = _MANTISSA[dtype.name] - within
    width = 8 * dtype.itemsize
    whole = right_shift(bits(key, shape, f"uint{width}"), width - count)
    whole = astype(whole, np.float32) if dtype == np.float16 else astype(whole, dtype)
    return astype(multiply(add(whole, 0.5) if within else whole, 2.0**-count), dtype)


def uniform(
    key: Any, shape: Shape = (), dtype: Any = float, minval: Any = 0.0, maxval: Any = 1.0
) -> Any:
    """Numbers uniform between ``minval``, included, and ``maxval``.

    Args:
        key: a key.
        shape: of the result.
        dtype: float16, float32 or float64.
        minval, maxval: arrays or numbers that broadcast to the shape.
    """
    dtype = _floating(dtype)
    fractions = marked("uniform", unmarked_uniform(key, shape, dtype))
    if (minval, maxval) == (0.0, 1.0) if _are_numbers(minval, maxval) else False:
        return fractions
    low, high = astype(minval, dtype), astype(maxval, dtype)
    return add(multiply(fractions, subtract(high, low)), low)


def _are_numbers(*values: Any) -> bool:
    return all(isinstance(value, (int, float)) for value in values)


def normal(key: Any, shape: Shape = (), dtype: Any = float) -> Any:
    """Standard normal numbers: quantiles of uniform ones."""
    draws = ndtri(unmarked_uniform(key, shape, _at_least_single(dtype), within=True))
    return marked("normal", draws)


def _at_least_single(dtype: Any) -> np.dtype:
    dtype = _floating(dtype)
    if dtype == np.float16:
        raise NotImplementedError("float16; draw float32 and convert")
    return dtype


def truncated_normal(
    key: Any, lower: Any, upper: Any, shape: Shape | None = None, dtype: Any = float
) -> Any:
    """Standard normal numbers between ``lower`` and ``upper``, also far from 0."""
    dtype = _at_least_single(dtype)
    lower, upper = astype(lower, dtype), astype(upper, dtype)
    shape = _of_shape(shape, lower, upper)
    mirrored = greater(lower, 0)
    low, high = where(mirrored, negative(upper), lower), where(mirrored, negative(lower), upper)
    bottom, top = ndtr(low), ndtr(high)
    fractions = marked("uniform", unmarked_uniform(key, shape, dtype, within=True))
    found = ndtri(add(bottom, multiply(fractions, subtract(top, bottom))))
    found = minimum(maximum(found, low), high)
    return where(mirrored, negative(found), found)


def bernoulli(key: Any, p: Any = 0.5, shape: Shape | None = None) -> Any:
    """True with probability ``p``."""
    dtype = dtype_of(p) if dtype_of(p).kind == "f" else np.dtype(float)
    shape = shape_of(p) if shape is None else shape
    return less(uniform(key, shape, dtype), p)


def rademacher(key: Any, shape: Shape = (), dtype: Any = int) -> Any:
    """-1 and 1 with equal probabilities."""
    return subtract(multiply(astype(bernoulli(key, 0.5, shape), dtype), 2), 1)


def exponential(key: Any, shape: Shape = (), dtype: Any = float) -> Any:
    """Exponential numbers of mean 1."""
    return marked("exponential", negative(log1p(negative(unmarked_uniform(key, shape, dtype)))))


def gumbel(key: Any, shape: Shape = (), dtype: Any = float) -> Any:
    """Standard Gumbel numbers, ``-log(-log(u))``."""
    return marked("gumbel", unmarked_gumbel(key, shape, dtype))


def unmarked_gumbel(key: Any, shape: Shape, dtype: Any) -> Any:
    """Standard Gumbel numbers, for draws that have a mark of their own."""
    return negative(log(negative(log(unmarked_uniform(key, shape, dtype, within=True)))))


def laplace(key: Any, shape: Shape = (), dtype: Any = float) -> Any:
    """Standard Laplace numbers."""
    signed = subtract(multiply(unmarked_uniform(key, shape, dtype, within=True), 2), 1)
    draws = negative(multiply(sign(signed), log1p(negative(absolute(signed)))))
    return marked("laplace", draws)


def logistic(key: Any, shape: Shape = (), dtype: Any = float) -> Any:
    """Standard logistic numbers."""
    draws = logit(unmarked_uniform(key, shape, _at_least_single(dtype), within=True))
    return marked("logistic", draws)


def cauchy(key: Any, shape: Shape = (), dtype: Any = float) -> Any:
    """Standard Cauchy numbers."""
    fractions = unmarked_uniform(key, shape, dtype, within=True)
    return marked("cauchy", tan(multiply(subtract(fractions, 0.5), math.pi)))


def gamma(key: Any, a: Any, shape: Shape | None = None, dtype: Any = float) -> Any:
    """Gamma numbers of concentration ``a`` and scale 1.

    The derivative by ``a`` is that of the quantile function at the number drawn (implicit
    reparametrisation: M. Figurnov, S. Mohamed, A. Mnih, NeurIPS 2018); of first order only.

    Args:
        key: a key.
        a: positive numbers.
        shape: of the result; by default that of ``a``.
        dtype: float32 or float64.
    """
    dtype = _at_least_single(dtype)
    a = astype(a, dtype)
    shape = shape_of(a) if shape is None else lengths(shape)
    return random_gamma(checked(key), broadcast_to(a, shape))


def beta(key: Any, a: Any, b: Any, shape: Shape | None = None, dtype: Any = float) -> Any:
    """Beta numbers: a gamma number divided by its sum with another."""
    shape = _of_shape(shape, a, b)
    first, second = split(key)
    x, y = gamma(first, a, shape, dtype), gamma(second, b, shape, dtype)
    return divide(x, add(x, y))


def dirichlet(key: Any, alpha: Any, shape: Shape | None = None, dtype: Any = float) -> Any:
    """Dirichlet vectors: gamma numbers divided by their sum.

    Args:
        key: a key.
        alpha: concentrations, along the last axis.
        shape: of the batch; by default that of ``alpha`` without its last axis.
        dtype: float32 or float64.
    """
    batch = shape_of(alpha)[:-1] if shape is None else lengths(shape)
    draws = gamma(key, alpha, (*batch, shape_of(alpha)[-1]), dtype)
    return divide(draws, sum(draws, axis=-1, keepdims=True))


def t(key: Any, df: Any, shape: Shape = (), dtype: Any = float) -> Any:
    """Numbers of Student's distribution with ``df`` degrees of freedom."""
    first, second = split(key)
    half = divide(astype(df, dtype), 2)
    scale = sqrt(divide(half, gamma(second, half, shape or None, dtype)))
    return multiply(normal(first, shape or shape_of(scale), dtype), scale)


def chisquare(key: Any, df: Any, shape: Shape | None = None, dtype: Any = float) -> Any:
    """Chi-square numbers with ``df`` degrees of freedom."""
    return multiply(gamma(key, divide(astype(df, dtype), 2), shape, dtype), 2)


def _of_shape(shape: Shape | None, *parameters: Any) -> Shape:
    return _broadcast(*map(shape_of, parameters)) if shape is None else shape


def _broadcast(*shapes: tuple[int, ...]) -> tuple[int, ...]:
    return cast("tuple[int, ...]", broadcast_shapes(*shapes))  # all lengths are known


def lognormal(key: Any, sigma: Any = 1.0, shape: Shape | None = None, dtype: Any = float) -> Any:
    """The exponentials of normal numbers of standard deviation ``sigma``."""
    return exp(multiply(normal(key, _of_shape(shape, sigma), dtype), astype(sigma, dtype)))


def pareto(key: Any, b: Any, shape: Shape | None = None, dtype: Any = float) -> Any:
    """Pareto numbers of shape parameter ``b``, from 1 up."""
    return exp(divide(exponential(key, _of_shape(shape, b), dtype), astype(b, dtype)))


def rayleigh(key: Any, scale: Any, shape: Shape | None = None, dtype: Any = float) -> Any:
    """Rayleigh numbers."""
    root = sqrt(multiply(exponential(key, _of_shape(shape, scale), dtype), 2))
    return multiply(root, astype(scale, dtype))


def weibull_min(
    key: Any,
    scale: Any,
    concentration: Any,
    shape: Shape | None = None,
    dtype: Any = float,
) -> Any:
    """Weibull numbers."""
    draws = exponential(key, _of_shape(shape, scale, concentration), dtype)
    return multiply(power(draws, divide(1, astype(concentration, dtype))), astype(scale, dtype))


def multivariate_normal(
    key: Any, mean: Any, cov: Any, shape: Shape | None = None, dtype: Any = float
) -> Any:
    """Normal vectors.

    Args:
        key: a key.
        mean: of shape ``(..., n)``.
        cov: positive definite matrices of shape ``(..., n, n)``.
        shape: of the batch; by default the two shapes before the vectors broadcast.
        dtype: float32 or float64.

    Raises:
        LinAlgError: a matrix is not positive definite.
    """
    mean, cov = astype(mean, dtype), astype(cov, dtype)
    batch = _broadcast(shape_of(mean)[:-1], shape_of(cov)[:-2])
    batch = batch if shape is None else lengths(shape)
    draws = normal(key, (*batch, shape_of(mean)[-1], 1), dtype)
    return add(mean, subscript(matmul(cholesky(cov), draws), (..., 0)))
