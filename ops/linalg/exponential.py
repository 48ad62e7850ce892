"""The exponential of matrices.

The algorithm is scaling and squaring by Al-Mohy and Higham, "A new scaling and squaring algorithm
for the matrix exponential" (2009), with the Padé approximant of degree 13 alone, so that matrices
of a stack take the same steps. How often a matrix is halved is read from norms of its powers, which
keeps the digits of matrices that are far from normal. The derivative in the direction of E is the
upper right block of ``expm([[A, E], [0, A]])`` (Mathias, "A chain rule for matrix functions",
1996), which has derivatives itself, to any order.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ops.arrays.creation import zeros_like
from ops.arrays.indexing import subscript
from ops.arrays.joining import concatenate
from ops.core import reads
from ops.core.lengths import lengths_of
from ops.core.registry import Custom
from ops.linalg.common import square_infer, t
from ops.structure.lanes import with_same_attributes

__all__ = ["expm"]


def scaled_and_squared(x):
    """The exponentials of stacked matrices; NaN where a matrix holds infinities or NaNs."""
    finite = np.all(np.isfinite(x), axis=(-2, -1), keepdims=True)
    x = np.where(finite, x, x.dtype.type(0))
    one = np.eye(x.shape[-1], dtype=x.dtype)
    precision = np.finfo(x.dtype).eps / 2

    def norm(a):
        return np.max(np.sum(np.abs(a), axis=-2, keepdims=True), axis=-1, keepdims=True, initial=0)

    x2 = x @ x
    x4 = x2 @ x2
    x6 = x2 @ x4
    # |x| is an upper bound of all of these, and what is left where a power overflows.
    by6, by8, by10 = norm(x6) ** (1 / 6), norm(x4 @ x4) ** (1 / 8), norm(x4 @ x6) ** (1 / 10)
    size = np.fmin(np.fmin(np.maximum(by6, by8), np.maximum(by8, by10)), norm(x))
    halvings = np.maximum(np.ceil(np.log2(size / 4.25)), 0.0)
    # The backward error by its first term, that of the power 27.
    column = np.ones_like(x[..., :1, :]) + 0 * norm(x)
    magnitude = np.abs(x) * 0.5**halvings
    for _ in range(27):
        column = np.abs(column) @ magnitude
    share = norm(column) / norm(magnitude) / 1.132507756060211e35
    more = np.ceil(np.log2(share / precision) / 26)
    halvings += np.where(np.isfinite(more), np.maximum(more, 0.0), 0.0)
    factor = (0.5**halvings).astype(precision.dtype)
    x, x2, x4, x6 = x * factor, x2 * factor**2, x4 * factor**4, x6 * factor**6
    # Where a power overflows but not the matrix that was halved.
    if not np.all(np.isfinite(x6)):
        x2 = x @ x
        x4 = x2 @ x2
        x6 = x2 @ x4
    odd = x6 @ (x6 + 16380 * x4 + 40840800 * x2)
    odd += 33522128640 * x6 + 10559470521600 * x4 + 1187353796428800 * x2
    odd = x @ (odd + 32382376266240000 * one)
    even = x6 @ (182 * x6 + 960960 * x4 + 1323241920 * x2)
    even += 670442572800 * x6 + 129060195264000 * x4 + 7771770303897600 * x2
    even += 64764752532480000 * one
    result = one + 2 * np.linalg.solve(even - odd, odd)  # one exactly, where x is 0
    for i in range(int(np.max(halvings, initial=0))):
        result = np.where(i < halvings, result @ result, result)
    return np.where(finite, result, np.nan)


def exponential_rows(x):
    """`scaled_and_squared` without NumPy's warnings: powers that overflow do no harm."""
    if np.__name__ != "numpy":
        return scaled_and_squared(x)
    with np.errstate(all="ignore"):
        return scaled_and_squared(x)


def _block(a: Any, e: Any) -> Any:
    """``[[a, e], [0, a]]``."""
    upper = concatenate([a, e], axis=-1)
    return concatenate([upper, concatenate([zeros_like(a), a], axis=-1)], axis=-2)


def _along(a: Any, e: Any) -> Any:
    """The change of ``expm(a)`` by a change ``e`` of ``a``."""
    n = lengths_of(a)[-1]
    return subscript(expm(_block(a, e)), (..., slice(None, n), slice(n, None)))


def _expm_jvp(tangents: Sequence, args: Sequence, outs: Sequence) -> tuple:
    return (_along(args[0], tangents[0]),)


def _expm_vjp(cts: Sequence, args: Sequence, outs: Sequence) -> tuple:
    """The sum of the elements of ``ct * L(a, e)`` is that of ``L(a.T, ct) * e``."""
    return (_along(t(args[0]), cts[0]),)


expm = Custom(
    "expm",
    square_infer,
    "exponential_rows({0})",
    vjp=_expm_vjp,
    jvp=_expm_jvp,
    linear=(),
    zeros="lost",
    helpers=[scaled_and_squared, exponential_rows],
    unknown_lengths=True,
    batch=with_same_attributes(),
    reads=reads.of_matrices(0),
    doc="""The exponentials of square matrices, ``sum(a**k / k!)``.

    A matrix with infinities or NaNs in it gives NaNs.

    Args:
        a: ``(..., n, n)``.

    Raises:
        LinAlgError: ``a`` is not made of square matrices.
    """,
)
