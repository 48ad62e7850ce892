"""Random counts: Poisson numbers.

Up to a mean of 10, the exponential waiting times before 1 are counted (D. E. Knuth, The Art of
Computer Programming 2, 3.4.1); from there on, W. Hoermann's method PTRS (The transformed rejection
method for generating Poisson random variables, Insurance: Mathematics and Economics 12, 1993).
Attempt ``i`` of the element ``j`` uses block ``2**20 * j + i`` of the stream.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ops.core.operands import dtype_of, shape_of
from ops.core.registry import Custom
from ops.core.types import ArrayType, numpy_dtype
from ops.elementwise.conversion import astype
from ops.random.gammas import draws_in_pieces, gamma_uniforms
from ops.random.keys import Shape, checked, lengths
from ops.random.philox import philox_rounds
from ops.special.declare import horner
from ops.special.gammas import gammaln_of_1_plus, stirling
from ops.structure.broadcasting import broadcast_to
from ops.structure.lanes import with_same_attributes

__all__ = ["poisson"]


def poisson_piece(key, mean, element):
    """Poisson numbers, as floats, of these means, the elements of these numbers."""
    small = (mean > 0) & (mean < 10)
    rate = np.where(small, mean, 1.0)
    waited, few, waiting, attempt = np.zeros_like(mean), np.zeros_like(mean), small, 0
    while bool(np.any(waiting)):
        waited = waited - np.log(gamma_uniforms(key, element, attempt)[2])
        waiting = waiting & (waited < rate)
        few = few + waiting
        attempt += 1
    large = (mean >= 10) & (mean < 2.0**62)
    rate = np.where(large, mean, 10.0)
    b = 0.931 + 2.53 * np.sqrt(rate)
    a = -0.059 + 0.02483 * b
    inverse = 1.1239 + 1.1328 / (b - 3.4)
    top = 0.9277 - 3.6224 / (b - 2)
    many, missing, attempt = np.zeros_like(mean), large, 0
    while bool(np.any(missing)):
        v, _, w = gamma_uniforms(key, element, attempt)
        u = w - 0.5
        us = 0.5 - abs(u)
        k = np.floor((2 * a / us + b) * u + rate + 0.43)
        n = np.maximum(k, 0.0)
        bound = n * np.log(rate) - rate - gammaln_of_1_plus(n)
        likely = np.log(v * inverse / (a / (us * us) + b)) <= bound
        likely = likely & ~((us < 0.013) & (v > us))
        accepted = missing & (k >= 0) & (((us >= 0.07) & (v <= top)) | likely)
        many = np.where(accepted, k, many)
        missing = missing & ~accepted
        attempt += 1
    return np.where(small, few, many)


def poisson_draws(key, mean):
    """Poisson numbers of these means; -1 where a mean is negative, NaN or too large."""
    key = np.asarray(key).astype("uint64")
    flat = np.asarray(mean, dtype="float64").reshape(-1)
    found = draws_in_pieces(poisson_piece, key, flat)
    found = np.where((flat >= 0) & (flat < 2.0**62), found, -1.0)
    return found.reshape(np.shape(mean)).astype("int64")[()]


random_poisson = Custom(
    "random_poisson",
    lambda key, mean: (ArrayType(np.dtype(np.int64), mean.shape),),
    "poisson_draws({0}, {1})",
    helpers=(
        *(poisson_draws, draws_in_pieces, poisson_piece, gamma_uniforms, philox_rounds),
        *(gammaln_of_1_plus, stirling, horner),
    ),
    differentiable=False,
    creates=True,
    unknown_lengths=True,
    batch=with_same_attributes(),
    doc="""Poisson numbers.

    Args:
        key: a key, or an array of keys for as many parts of ``mean``.
        mean: an array of floats.
    """,
)


def poisson(key: Any, lam: Any, shape: Shape | None = None, dtype: Any = int) -> Any:
    """Poisson numbers.

    Args:
        key: a key.
        lam: the means; -1 is drawn where one is negative or NaN.
        shape: of the result; by default that of ``lam``.
        dtype: an integer dtype.

    Raises:
        TypeError: the dtype is not of integers.
    """
    dtype = numpy_dtype(dtype)
    if dtype.kind not in "iu":
        raise TypeError(f"poisson() gives integers, not {dtype}")
    lam = astype(lam, dtype_of(lam) if dtype_of(lam).kind == "f" else np.float64)
    shape = shape_of(lam) if shape is None else lengths(shape)
    return astype(random_poisson(checked(key), broadcast_to(lam, shape)), dtype)
