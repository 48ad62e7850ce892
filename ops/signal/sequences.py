"""Convolutions of vectors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ops.arrays.contraction import matmul
from ops.arrays.creation import zeros_like
from ops.arrays.indexing import index_add, subscript
from ops.arrays.joining import as_arrays, atleast_1d
from ops.arrays.rearrange import flip
from ops.core.batching import Size
from ops.core.lengths import RunLength, lengths_of, positions
from ops.core.numpy_table import covers
from ops.core.operands import Symbolic, dtype_of, ndim_of, operand_type
from ops.core.reads import ElementReader
from ops.core.registry import Linear
from ops.core.types import ArrayType
from ops.elementwise import add, greater, maximum, minimum, multiply, subtract
from ops.elementwise.conversion import conjugate, promote, where
from ops.shapes.padding import pad_zeros
from ops.shapes.windows import sliding_windows
from ops.structure.identity import refine
from ops.structure.reshaping import count, expand_dims

__all__ = [
    "convolve",
    "convolve_full",
    "correlate",
]


def _infer(x: ArrayType, y: ArrayType) -> tuple[ArrayType]:
    (m,), (n,) = x.shape, y.shape
    length = None if m is None or n is None else m + n - 1
    return (ArrayType(promote(x, y), (length,)),)


def _transpose(ct: Any, like: Any, other: Any) -> Any:
    """The cotangent of ``like``, of which ``convolve_full(like, other)`` has the cotangent."""
    n, size = count(lengths_of(other)), count(lengths_of(like))
    whole = convolve_full(ct, flip(other))
    part = subscript(whole, slice(n - 1, n - 1 + size))
    return refine(part, shape=operand_type(like).shape)


def _convolve_batch(size: Size, batched: Sequence[bool], args: Sequence[Any]) -> Any:
    """One vector's windows with the other, reversed, if its length is known; else all products,
    added up where they belong."""
    if operand_type(args[1]).shape[-1] is None:
        batched, args = batched[::-1], args[::-1]
    (x, y), n = args, operand_type(args[1]).shape[-1]
    if n is not None:
        around = pad_zeros(x, widths=(*[(0, 0)] * batched[0], (n - 1, n - 1)))
        windows = sliding_windows(around, n, axis=-1)
        assert matmul.batch is not None
        return matmul.batch(size, batched, (windows, flip(y, -1)))
    m, n = (count(lengths_of(z)[-1:]) for z in args)
    places = add(expand_dims(positions(m), 1), positions(n))
    products = multiply(expand_dims(x, -1), expand_dims(y, -2))
    total = RunLength(subtract(add(m, n), 1))
    zeros = zeros_like(products, shape=(size, total))
    return index_add(zeros, products, places, index=(("slice", None, None, None), ("arg", 0)))


def _convolve_reads(
    read: ElementReader, index: tuple, types: Sequence[ArrayType], attrs: dict[str, Any]
) -> Any:
    (m,), (n,) = (t.known_shape for t in types)
    (k,), longer = index, 0 if m >= n else 1

    def term(j: Any) -> Any:
        return read(longer, (k - j,)) * read(1 - longer, (j,))  # what is out of range is not there

    return read.total(min(m, n), term)


convolve_full = Linear(
    "convolve_full",
    _infer,
    "np.convolve({0}, {1})",
    transposes=[
        lambda ct, x, y: _transpose(ct, x, y),
        lambda ct, x, y: _transpose(ct, y, x),
    ],
    zeros="lost",
    joint=False,
    raises=lambda types, attrs: any(None in t.shape for t in types),
    unknown_lengths=True,
    batch=_convolve_batch,
    reads=_convolve_reads,
    doc="""The products of two polynomials: ``out[k]`` is the sum of all ``x[i] * y[k - i]``.

    Args:
        x, y: vectors that are not empty.
    """,
    product=True,
)


def _vectors(x: Any, y: Any, names: tuple[str, str]) -> tuple[Any, Any]:
    x, y = as_arrays((x, y))
    for z, name in zip((x, y), names):
        if ndim_of(z) > 1:
            raise ValueError("object too deep for desired array")
        if ndim_of(z) == 0:
            raise ValueError("object of too small depth for desired array")
        if operand_type(z).shape == (0,):
            raise ValueError(f"{name} cannot be empty")
    return x, y


def _cut(whole: Any, x: Any, y: Any, mode: str, reverse: bool) -> Any:
    """The part of a full convolution that ``mode`` asks for.

    With ``reverse`` the middle is counted from the other end where it matters.
    """
    if mode == "full":
        return whole
    if mode not in ("same", "valid"):
        raise ValueError(f"mode must be one of 'valid', 'same', or 'full' (got '{mode}')")
    m, n = sizes = [count(lengths_of(z)) for z in (x, y)]
    of_the_run = any(isinstance(size, Symbolic) for size in sizes)
    short, long = (minimum(m, n), maximum(m, n)) if of_the_run else sorted((m, n))
    if mode == "valid":
        return subscript(whole, slice(short - 1, long))
    start = short - 1 - short // 2
    from_behind = m + n - 1 - start - long
    if reverse and of_the_run:
        start = where(greater(n, m), from_behind, start)
    elif reverse and n > m:
        start = from_behind
    return subscript(whole, slice(start, start + long))


@covers(np.convolve, "a v mode")
def convolve(a: Any, v: Any, mode: str = "full") -> Any:
    """The convolution of two vectors, as the product of polynomials has it.

    Args:
        a, v: the vectors.
        mode: "full", "same" for the middle part, as long as the longer vector, or "valid" for where
            they overlap completely.

    Raises:
        ValueError: a vector is empty, or has more than one axis.
    """
    a, v = map(atleast_1d, as_arrays((a, v)))
    a, v = _vectors(a, v, ("a", "v"))
    return _cut(convolve_full(a, v), a, v, mode, reverse=False)


@covers(np.correlate, "a v mode")
def correlate(a: Any, v: Any, mode: str = "valid") -> Any:
    """The correlation of two vectors: ``out[k]`` is the sum of all ``a[n + k] * conj(v[n])``.

    Args:
        a, v, mode: as for `convolve`.
    """
    a, v = _vectors(a, v, ("first argument", "second argument"))
    moved = flip(conjugate(v) if dtype_of(v).kind == "c" else v)
    return _cut(convolve_full(a, moved), a, v, mode, reverse=True)
