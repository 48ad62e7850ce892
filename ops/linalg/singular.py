"""Singular values and vectors, and what is made of them.

The derivative in complex numbers is that of Wan and Zhang, "Automatic differentiation for complex
valued SVD" (2019). With ``F[i, j] = 1 / (s[j]^2 - s[i]^2)`` off the diagonal and ``P = U^H dA V``:

    dS = real(diag(P))
    dU = U (F * (P S + S P^H) + D) + (1 - U U^H) dA V / S
    dV = V (F * (S P + P^H S))     + (1 - V V^H) dA^H U / S

D is the diagonal matrix of ``i imag(P[j, j]) / s[j]``. Singular vectors are determined but for a
factor of absolute value 1, and only of functions that do not depend on it the derivative is
defined. Where singular values are equal, or zero, so are more general rotations among their
vectors: the terms that would mix these are left out.
"""

from __future__ import annotations

import builtins
from collections.abc import Sequence
from typing import Any

import numpy as np

from ops.arrays.contraction import matmul
from ops.arrays.diagonals import diagonal
from ops.arrays.indexing import subscript
from ops.arrays.joining import concatenate
from ops.arrays.rearrange import flip, take_along_axis
from ops.arrays.reduction import any, count_nonzero, max
from ops.core import reads
from ops.core.kernels import InnerLoops
from ops.core.lengths import lengths_of
from ops.core.numpy_table import covers
from ops.core.operands import dims_of, dtype_of, ndim_of, operand_type
from ops.core.registry import Custom
from ops.core.types import ArrayType
from ops.elementwise import (
    absolute,
    add,
    divide,
    equal,
    greater,
    multiply,
    negative,
    not_equal,
    subtract,
)
from ops.elementwise.conversion import cast, where
from ops.linalg.common import (
    SVDResult,
    as_columns,
    as_rows,
    by_loop,
    check_stacked,
    conj,
    diagonal_matrix,
    h,
    has_loop,
    imaginary,
    inverse_gaps,
    lapack_dtype,
    on_diagonal,
    real_dtype,
    real_part,
    zero,
)
from ops.linalg.eigen import eigh, eigvalsh
from ops.order.sorting import argsort, sort
from ops.structure.broadcasting import broadcast_to
from ops.structure.lanes import with_same_attributes
from ops.structure.reshaping import expand_dims

__all__ = [
    "matrix_rank",
    "svd",
    "svd_factors",
    "svdvals",
]


def _svd_infer(a: ArrayType, full_matrices: bool) -> tuple[ArrayType, ArrayType, ArrayType]:
    check_stacked(a)
    dtype = lapack_dtype(a)
    *batch, m, n = a.shape
    k = min(m, n)
    rows, columns = (m, n) if full_matrices else (k, k)
    return (
        ArrayType(dtype, (*batch, m, rows)),
        ArrayType(real_dtype(dtype), (*batch, k)),
        ArrayType(dtype, (*batch, columns, n)),
    )


def _inverse(s: Any) -> Any:
    """``1 / s``, and 0 where that is 0."""
    none = equal(s, 0)
    return where(none, zero(s), divide(1.0, where(none, dtype_of(s).type(1), s)))


def _square_gaps(s: Any) -> Any:
    """``1 / (s[j]^2 - s[i]^2)``, without the loss of digits that the squares would bring."""
    return multiply(inverse_gaps(s), _inverse(add(as_rows(s), as_columns(s))))


def _thin(x: Any, u: Any, vh: Any) -> tuple[Any, Any, Any, Any]:
    """The first ``min(m, n)`` singular vectors on both sides, and the others or None."""
    k = min(dims_of(x)[-2:])
    u1, vh1 = subscript(u, (..., slice(None, k))), subscript(vh, (..., slice(None, k), slice(None)))
    u2 = subscript(u, (..., slice(k, None))) if dims_of(u)[-1] > k else None
    v2 = h(subscript(vh, (..., slice(k, None), slice(None)))) if dims_of(vh)[-2] > k else None
    return u1, vh1, u2, v2


def _outside(basis: Any, x: Any) -> Any:
    """What of ``x`` is orthogonal to the columns of ``basis``."""
    return subtract(x, matmul(basis, matmul(h(basis), x)))


def _svd_jvp(tangents: Sequence, args: Sequence, outs: Sequence, full_matrices: bool) -> tuple:
    (change,), (u, s, vh) = tangents, outs
    m, n = dims_of(change)[-2:]
    u, vh, u2, v2 = _thin(change, u, vh)
    v = h(vh)
    inner = matmul(h(u), matmul(change, v))
    gaps = _square_gaps(s)
    columns, rows = multiply(inner, as_rows(s)), multiply(as_columns(s), inner)
    inverse = _inverse(s)
    du = matmul(u, _with_turn(multiply(gaps, add(columns, h(columns))), inner, inverse))
    dv = matmul(v, multiply(gaps, add(rows, h(rows))))
    if m > n:
        du = add(du, multiply(_outside(u, matmul(change, v)), as_rows(inverse)))
    if n > m:
        dv = add(dv, multiply(_outside(v, matmul(h(change), u)), as_rows(inverse)))
    du, dv = _completed(u, du, u2), _completed(v, dv, v2)
    return du, diagonal(real_part(inner), axis1=-2, axis2=-1), h(dv)


def _with_turn(x: Any, inner: Any, inverse: Any) -> Any:
    """``x`` and the turn of the phases, which is put on U."""
    if dtype_of(inner).kind != "c":
        return x
    turn = multiply(imaginary(inner), as_rows(inverse))
    return add(x, on_diagonal(inner, turn, zero(inner)))


def _completed(first: Any, change: Any, rest: Any) -> Any:
    """The change of a whole orthonormal basis, given that of its first part."""
    if rest is None:
        return change
    return concatenate([change, negative(matmul(first, matmul(h(change), rest)))], axis=-1)


def _of_first(first: Any, ct: Any, rest: Any) -> Any:
    """The transpose of `_completed`."""
    if rest is None or ct is None:
        return ct
    k = dims_of(first)[-1]
    by_rest = subscript(ct, (..., slice(k, None)))
    turned = matmul(rest, matmul(h(by_rest), first))
    return subtract(subscript(ct, (..., slice(None, k))), turned)


def _svd_vjp(cts: Sequence, args: Sequence, outs: Sequence, full_matrices: bool) -> tuple:
    by_u, by_s, by_vh = (None if ct is None else conj(ct) for ct in cts)
    u, s, vh = outs
    m, n = dims_of(args[0])[-2:]
    u, vh, u2, v2 = _thin(args[0], u, vh)
    v = h(vh)
    by_u = _of_first(u, by_u, u2)
    by_v = _of_first(v, None if by_vh is None else h(by_vh), v2)
    inverse, gaps = _inverse(s), None
    inner = None if by_s is None else diagonal_matrix(by_s)
    if by_u is not None or by_v is not None:
        gaps = _square_gaps(s)
    if by_u is not None:
        projected = matmul(h(u), by_u)
        both = multiply(gaps, projected)
        term = multiply(add(both, h(both)), as_rows(s))
        term = _with_turn(term, projected, inverse)
        inner = term if inner is None else add(inner, term)
    if by_v is not None:
        both = multiply(gaps, matmul(vh, by_v))
        term = multiply(as_columns(s), add(both, h(both)))
        inner = term if inner is None else add(inner, term)
    result = matmul(u, matmul(inner, vh))
    if by_u is not None and m > n:
        result = add(result, matmul(multiply(_outside(u, by_u), as_rows(inverse)), vh))
    if by_v is not None and n > m:
        result = add(result, matmul(u, h(multiply(_outside(v, by_v), as_rows(inverse)))))
    return (conj(result),)


def svd_by_loop(a: Any, full_matrices: bool) -> Any:
    """What `svd_factors` gives, in a kernel."""
    name = "svd_f" if full_matrices else "svd_s"
    results = _svd_infer(operand_type(a), full_matrices)
    shapes, dtypes = zip(*((t.shape, t.dtype) for t in results))
    return by_loop(name, (a,), (2, 2, 1, 2), shapes, dtypes)


def _svdvals_by_loop(a: Any) -> Any:
    (result,) = _svdvals_infer(operand_type(a))
    return by_loop("svd", (a,), (2, 1), [result.shape], [result.dtype])


svd_factors = Custom(
    "svd_factors",
    _svd_infer,
    "np.linalg.svd({0}, full_matrices={full_matrices})",
    vjp=_svd_vjp,
    jvp=_svd_jvp,
    linear=(),
    zeros="lost",
    raises=True,
    errors=(np.linalg.LinAlgError,),
    unknown_lengths=True,
    batch=with_same_attributes(),
    reads=reads.of_matrices(0),
    native=InnerLoops(svd_by_loop, has_loop),
    doc="Singular vectors and values; see `svd`.",
)


def _svdvals_infer(a: ArrayType) -> tuple[ArrayType]:
    return (_svd_infer(a, False)[1],)


def _svdvals_jvp(tangents: Sequence, args: Sequence, outs: Sequence) -> tuple:
    u, _, vh = svd_factors(args[0], full_matrices=False)
    inner = matmul(h(u), matmul(tangents[0], h(vh)))
    return (diagonal(real_part(inner), axis1=-2, axis2=-1),)


def _svdvals_vjp(cts: Sequence, args: Sequence, outs: Sequence) -> tuple:
    u, _, vh = svd_factors(args[0], full_matrices=False)
    return (conj(matmul(multiply(u, as_rows(cts[0])), vh)),)


svdvals = Custom(
    "svdvals",
    _svdvals_infer,
    "np.linalg.svd({0}, compute_uv=False)",
    vjp=_svdvals_vjp,
    jvp=_svdvals_jvp,
    linear=(),
    zeros="lost",
    raises=True,
    errors=(np.linalg.LinAlgError,),
    unknown_lengths=True,
    batch=with_same_attributes(),
    reads=reads.of_matrices(0),
    native=InnerLoops(_svdvals_by_loop, has_loop),
    doc="""The singular values of matrices, largest first.

    The derivative of one that is 0 is that of ``u^H a v``, with its singular vectors.
    """,
)

covers(np.linalg.svdvals, "x")(svdvals)


@covers(np.linalg.svd, "a full_matrices compute_uv hermitian")
def svd(
    a: Any, full_matrices: bool = True, compute_uv: bool = True, hermitian: bool = False
) -> Any:
    """Matrices as ``U @ diag(S) @ Vh`` with orthonormal columns in U and rows in Vh.

    Args:
        a: ``(..., m, n)``.
        full_matrices: complete U and Vh to square matrices. Only of functions that do not depend on
            how this is done the derivative is defined.
        compute_uv: else the singular values alone are returned.
        hermitian: the matrices are Hermitian, and only their lower triangles are read.

    Returns:
        U, the singular values from the largest down, and Vh.

    Raises:
        LinAlgError: ``a`` has fewer than two axes, or the computation does not converge.
    """
    if hermitian:
        return _hermitian_svd(a, compute_uv)
    if not compute_uv:
        return svdvals(a)
    return SVDResult(*svd_factors(a, full_matrices=bool(full_matrices)))


def _hermitian_svd(a: Any, compute_uv: bool) -> Any:
    if not compute_uv:
        return flip(sort(absolute(eigvalsh(a))), -1)
    values, u = eigh(a)
    one = dtype_of(values).type(1)
    sign = where(greater(values, zero(values)), one, where(equal(values, 0), one, negative(one)))
    order = flip(argsort(absolute(values)), -1)
    s, sign = (take_along_axis(x, order, -1) for x in (absolute(values), sign))
    u = take_along_axis(u, broadcast_to(as_rows(order), lengths_of(u)), -1)
    return SVDResult(u, s, h(multiply(u, as_rows(sign))))


@covers(np.linalg.matrix_rank, "A tol hermitian rtol")
def matrix_rank(A: Any, tol: Any = None, hermitian: bool = False, rtol: Any = None) -> Any:
    """How many singular values of matrices are larger than a tolerance.

    Args:
        A: ``(..., m, n)``; of a vector or number, whether any element is not 0.
        tol: the tolerance, a number or one for each matrix.
        hermitian: only the lower triangles of the matrices are read.
        rtol: the tolerance relative to the largest singular value; by default what fits the dtype.
    """
    if rtol is not None and tol is not None:
        raise ValueError("`tol` and `rtol` can't be both set.")
    if ndim_of(A) < 2:
        return cast(any(not_equal(A, 0)), int, weak=True)
    s = svd(A, compute_uv=False, hermitian=hermitian)
    if tol is None:
        if rtol is None:
            rtol = multiply(builtins.max(dims_of(A)[-2:]), np.finfo(dtype_of(s)).eps)
        else:
            rtol = _for_each_matrix(rtol)
        tol = multiply(_largest(s), rtol)
    else:
        tol = _for_each_matrix(tol)
    return count_nonzero(greater(s, tol), axis=-1)


def _largest(s: Any) -> Any:
    return max(s, -1, keepdims=True) if dims_of(s)[-1] else zero(s)


def _for_each_matrix(x: Any) -> Any:
    x = np.asarray(x) if isinstance(x, (list, tuple)) else x
    return expand_dims(x, -1)
