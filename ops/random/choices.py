"""Random integers, permutations and choices, with JAX's signatures."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.lib.array_utils import normalize_axis_index

from ops.arrays.cumulative import cumsum
from ops.arrays.indexing import subscript
from ops.arrays.rearrange import take, take_along_axis
from ops.arrays.reduction import argmax
from ops.core.operands import dtype_of, length_from, ndim_of, shape_of
from ops.core.types import numpy_dtype
from ops.elementwise import add, log, multiply, negative, subtract
from ops.elementwise.conversion import astype
from ops.order.searching import searchsorted
from ops.order.sorting import argsort
from ops.random.distributions import gumbel, unmarked_gumbel, unmarked_uniform
from ops.random.draws import marked
from ops.random.keys import Shape, bits, lengths
from ops.random.philox import random_integers
from ops.structure.broadcasting import broadcast_to
from ops.structure.permuting import moveaxis

__all__ = ["categorical", "choice", "permutation", "randint", "shuffle"]


def randint(key: Any, shape: Shape, minval: Any, maxval: Any, dtype: Any = int) -> Any:
    """Integers uniform from ``minval`` to below ``maxval``; ``minval`` where there are none.

    Args:
        key: a key.
        shape: of the result.
        minval, maxval: integers that broadcast to the shape.
        dtype: an integer dtype.

    Raises:
        TypeError: the dtype, or a bound, is not of integers.
    """
    dtype = numpy_dtype(dtype)
    if dtype.kind not in "iu" or any(dtype_of(x).kind not in "iu" for x in (minval, maxval)):
        raise TypeError("randint() takes integers and an integer dtype")
    shape = lengths(shape)
    pairs = bits(key, (2, *shape), np.uint64)
    high, low = (subscript(pairs, i) for i in range(2))
    wide = np.dtype(np.uint64 if dtype == np.uint64 else np.int64)
    found = random_integers(high, low, astype(minval, wide), astype(maxval, wide))
    return astype(found, dtype)


def permutation(key: Any, x: Any, axis: int = 0, independent: bool = False) -> Any:
    """The numbers below ``x``, or the array ``x`` along an axis, in random order.

    Args:
        key: a key.
        x: a known integer, or an array.
        axis: along which to permute.
        independent: permute each vector along the axis by itself.
    """
    if ndim_of(x) == 0:
        return argsort(bits(key, length_from(x), np.uint64))
    axis = normalize_axis_index(axis, ndim_of(x))
    if independent:
        return take_along_axis(x, argsort(bits(key, shape_of(x), np.uint64), axis), axis)
    return take(x, argsort(bits(key, shape_of(x)[axis], np.uint64)), axis)


def shuffle(key: Any, x: Any, axis: int = 0) -> Any:
    """`permutation` of an array: a new array."""
    return permutation(key, x, axis)


def choice(
    key: Any, a: Any, shape: Shape = (), replace: bool = True, p: Any = None, axis: int = 0
) -> Any:
    """Elements of ``a``, or numbers below ``a``, drawn at random.

    Args:
        key: a key.
        a: a known integer, or an array.
        shape: of the result; that of what one choice gives comes after it, at ``axis``.
        replace: whether the same one may be drawn again.
        p: the probabilities; by default all are equal.
        axis: of ``a``, along which to choose.

    Raises:
        ValueError: there are fewer elements than are to be drawn without replacement, or none, or
            ``p`` has another shape.
    """
    shape = lengths(shape)
    counts = ndim_of(a) == 0
    if not counts:
        axis = normalize_axis_index(axis, ndim_of(a))
    n, size = length_from(a) if counts else shape_of(a)[axis], math.prod(shape)
    if n <= 0 and size:
        raise ValueError("a must be greater than 0 unless no samples are taken")
    if not replace and size > n:
        raise ValueError("Cannot take a larger sample than population when 'replace=False'")
    if p is not None and shape_of(p) != (n,):
        raise ValueError("p must be None or match the shape of a")
    if p is None:
        if replace:
            index = randint(key, shape, 0, n)
        else:
            index = subscript(permutation(key, n), slice(size)).reshape(shape)
    elif replace:
        p = p if dtype_of(p).kind == "f" else astype(p, float)
        total = cumsum(p)
        u = unmarked_uniform(key, shape, dtype_of(p))
        index = searchsorted(total, multiply(subtract(1, u), subscript(total, -1)))
        index = marked("choice", index, broadcast_to(p, (*shape, n)))
    else:
        p = p if dtype_of(p).kind == "f" else astype(p, float)
        scores = add(gumbel(key, (n,), dtype_of(p)), log(p))
        index = subscript(argsort(negative(scores)), slice(size)).reshape(shape)
    return index if counts else take(a, index, axis)


def categorical(
    key: Any, logits: Any, axis: int = -1, shape: Shape | None = None, replace: bool = True
) -> Any:
    """Positions drawn with probabilities whose logarithms, but for a constant, are ``logits``.

    Args:
        key: a key.
        logits: an array of floats.
        axis: along which the probabilities are.
        shape: of the result, which ends in that of ``logits`` without the axis; by default that.
        replace: must be True.

    Raises:
        ValueError: the shapes do not fit.
    """
    if not replace:
        raise NotImplementedError("categorical(): the argument 'replace' is not supported")
    axis = normalize_axis_index(axis, ndim_of(logits))
    batch = tuple(n for i, n in enumerate(shape_of(logits)) if i != axis)
    shape = batch if shape is None else lengths(shape)
    extra = len(shape) - len(batch)
    if extra < 0 or shape[extra:] != batch:
        raise ValueError(f"shape {shape} does not end in {batch}, that of the probabilities")
    full = (*shape[:extra], *shape_of(logits))
    found = argmax(add(unmarked_gumbel(key, full, dtype_of(logits)), logits), axis=extra + axis)
    return marked("categorical", found, moveaxis(broadcast_to(logits, full), extra + axis, -1))
