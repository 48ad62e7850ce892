"""Cholesky, QR and LU factorisations of stacks of matrices.

The derivative of Cholesky is by Murray, "Differentiation of the Cholesky decomposition" (2016),
that of QR by Seeger et al., "Auto-differentiating linear algebra" (2017), extended to more columns
than rows and to complex numbers. In reverse mode the rules work with conjugated cotangents, in
which ``df`` is the real part of the inner product with the change.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ops.arrays.contraction import matmul
from ops.arrays.creation import zeros_like
from ops.arrays.indexing import subscript
from ops.arrays.joining import concatenate
from ops.arrays.rearrange import take_along_axis
from ops.core import reads
from ops.core.kernels import InnerLoops
from ops.core.lengths import counting, lengths_of, made_beside
from ops.core.numpy_table import covers
from ops.core.operands import dims_of, dtype_of, ndim_of, operand_type
from ops.core.registry import Custom
from ops.core.types import ArrayType
from ops.elementwise import add, less_equal, negative, subtract
from ops.elementwise.conversion import astype, where
from ops.linalg.common import (
    QRResult,
    by_loop,
    check_stacked,
    conj,
    h,
    half_lower,
    has_loop,
    hermitian,
    hermitian_transpose,
    imaginary,
    lapack_dtype,
    lower,
    matrix_moves,
    on_diagonal,
    square_infer,
    t,
    upper,
    zero,
)
from ops.linalg.failures import fails_as
from ops.linalg.systems import triangular_solve
from ops.order.sorting import argsort
from ops.shapes.padding import pad_zeros
from ops.structure.broadcasting import broadcast_to
from ops.structure.lanes import with_same_attributes
from ops.structure.reshaping import expand_dims

__all__ = [
    "cholesky",
    "cholesky_lower",
    "lu",
    "lu_packed",
    "lu_solve",
    "qr",
    "qr_factors",
]

# -- cholesky --------------------------------------------------------------------------------------


def _cholesky_vjp(cts: Sequence, args: Sequence, outs: Sequence) -> tuple:
    (factor,) = outs
    inner = half_lower(matmul(h(factor), conj(cts[0])))
    right = h(triangular_solve(h(factor), h(inner), lower=False))  # inner L^-1
    full = triangular_solve(h(factor), right, lower=False)  # L^-H inner L^-1
    return (conj(hermitian_transpose(full)),)


def _cholesky_jvp(tangents: Sequence, args: Sequence, outs: Sequence) -> tuple:
    (factor,) = outs
    change = hermitian(tangents[0])
    right = h(triangular_solve(factor, change))
    return (matmul(factor, half_lower(triangular_solve(factor, right))),)


def _cholesky_by_loop(a: Any) -> Any:
    (result,) = square_infer(operand_type(a))
    return by_loop("cholesky_lo", (a,), (2, 2), [result.shape], [result.dtype])


cholesky_lower = Custom(
    "cholesky_lower",
    square_infer,
    "np.linalg.cholesky({0})",
    vjp=_cholesky_vjp,
    jvp=_cholesky_jvp,
    linear=(),
    zeros="moved",
    moves=matrix_moves,
    raises=True,
    errors=(np.linalg.LinAlgError,),
    conditions=fails_as("cholesky_lower", np.linalg.cholesky),
    unknown_lengths=True,
    batch=with_same_attributes(),
    reads=reads.of_matrices(0),
    native=InnerLoops(_cholesky_by_loop, has_loop),
    doc="""The lower triangular ``L`` with ``L @ L.conj().T`` equal to a positive definite matrix.

    As in NumPy only the lower triangle of the matrix is read, and the derivative is that of this
    function: by elements above the diagonal it is 0.

    Raises:
        LinAlgError: the matrix is not square, or not positive definite.
    """,
)


@covers(np.linalg.cholesky, "a upper")
def cholesky(a: Any, /, *, upper: bool = False) -> Any:
    """The triangular factor of positive definite matrices.

    Args:
        a: Hermitian matrices, of which one triangle is read; the derivative by elements of the
            other is 0.
        upper: the factor is upper triangular, ``U`` with ``U.conj().T @ U == a``, and read is the
            upper triangle; else it is lower triangular, ``L`` with ``L @ L.conj().T == a``.

    Raises:
        LinAlgError: a matrix is not square, or not positive definite.
    """
    return h(cholesky_lower(h(a))) if upper else cholesky_lower(a)


# -- QR --------------------------------------------------------------------------------------------


def _qr_infer(a: ArrayType, mode: str) -> tuple[ArrayType, ArrayType]:
    check_stacked(a)
    dtype = lapack_dtype(a)
    *batch, m, n = a.shape
    k = m if mode == "complete" else min(m, n)
    return ArrayType(dtype, (*batch, m, k)), ArrayType(dtype, (*batch, k, n))


def _square_qr_change(change: Any, q: Any, r: Any) -> tuple[Any, Any]:
    """How Q and R change for matrices with as many columns as Q, and R, has."""
    scaled = t(triangular_solve(t(r), t(change)))  # dA R^-1
    inner = matmul(h(q), scaled)
    below = lower(inner, -1)
    rotation = subtract(below, h(below))
    if dtype_of(inner).kind == "c":  # the diagonal of R stays real
        rotation = add(rotation, on_diagonal(inner, imaginary(inner), zero(inner)))
    rest = subtract(inner, rotation)
    return add(matmul(q, subtract(rotation, inner)), scaled), matmul(upper(rest), r)


def _qr_jvp(tangents: Sequence, args: Sequence, outs: Sequence, mode: str) -> tuple:
    (change,), (q, r) = tangents, outs
    m, n = dims_of(change)[-2:]
    k = min(m, n)
    q1, q2 = subscript(q, (..., slice(None, k))), subscript(q, (..., slice(k, None)))
    r1 = subscript(r, (..., slice(None, k), slice(None, k)))
    dq, dr = _square_qr_change(subscript(change, (..., slice(None, k))), q1, r1)
    if n > k:  # the other columns of R are Q^H times those of the matrix
        others, moved = (subscript(x, (..., slice(k, None))) for x in (matmul(q1, r), change))
        rest = add(matmul(h(dq), others), matmul(h(q1), moved))
        dr = concatenate([dr, rest], axis=-1)
    if mode == "complete" and m > k:
        dq2 = negative(matmul(q1, matmul(h(dq), q2)))
        dq = concatenate([dq, dq2], axis=-1)
        dr = _with_rows(dr, m - k)
    return dq, dr


def _with_rows(x: Any, count: int) -> Any:
    """Matrices with ``count`` rows of zeros below."""
    return pad_zeros(x, widths=((0, 0),) * (ndim_of(x) - 2) + ((0, count), (0, 0)))


def _qr_vjp(cts: Sequence, args: Sequence, outs: Sequence, mode: str) -> tuple:
    q, r = outs
    m, n = dims_of(args[0])[-2:]
    k = min(m, n)
    q1 = subscript(q, (..., slice(None, k)))
    r1 = subscript(r, (..., slice(None, k), slice(None, k)))
    by_q = None if cts[0] is None else conj(cts[0])
    by_r = None if cts[1] is None else subscript(conj(cts[1]), (..., slice(None, k), slice(None)))
    if by_q is not None and mode == "complete" and m > k:
        q2, by_q2 = (subscript(x, (..., slice(k, None))) for x in (q, by_q))
        turned = matmul(q2, matmul(h(by_q2), q1))
        by_q = subtract(subscript(by_q, (..., slice(None, k))), turned)
    by_others = None
    if n > k:
        others = subscript(matmul(q1, r), (..., slice(k, None)))
        if by_r is not None:
            by_r2 = subscript(by_r, (..., slice(k, None)))
            by_r = subscript(by_r, (..., slice(None, k)))
            by_others = matmul(q1, by_r2)
            from_others = matmul(others, h(by_r2))
            by_q = from_others if by_q is None else add(by_q, from_others)
        else:
            by_others = zeros_like(others)
    inner = None if by_r is None else matmul(r1, h(by_r))
    if by_q is not None:
        turned = matmul(h(by_q), q1)
        inner = negative(turned) if inner is None else subtract(inner, turned)
    total = matmul(q1, hermitian(inner))
    if by_q is not None:
        total = add(by_q, total)
    result = h(triangular_solve(r1, h(total), lower=False))  # total R^-H
    if by_others is not None:
        result = concatenate([result, by_others], axis=-1)
    return (conj(result),)


def _qr_by_loop(a: Any, mode: str) -> Any:
    """``geqrf`` leaves R, and below it the reflections that Q is made of."""
    q_type, r_type = _qr_infer(operand_type(a), mode)
    *batch, m, n = dims_of(a)
    tau = (*batch, min(m, n))
    is_complex = q_type.dtype.kind == "c"
    double = np.dtype(np.complex128 if is_complex else np.float64)
    packed, factors = by_loop("qr_r_raw", (a,), (2, 1), [tau], [double], fails=False, changes=(0,))
    kind = "complete" if mode == "complete" and m > n else "reduced"
    q = by_loop(
        f"qr_{kind}", (packed, factors), (2, 1, 2), [q_type.shape], [q_type.dtype], fails=False
    )
    # A mask that is known now would be an argument of the kernel, which an expansion has not.
    rows, columns = (made_beside(packed, counting, length) for length in r_type.shape[-2:])
    above = less_equal(expand_dims(rows, 1), columns)
    r = where(
        above, subscript(packed, (..., slice(None, r_type.shape[-2]), slice(None))), zero(packed)
    )
    return q, astype(r, r_type.dtype)


qr_factors = Custom(
    "qr_factors",
    _qr_infer,
    "np.linalg.qr({0}, '{mode}')",
    vjp=_qr_vjp,
    jvp=_qr_jvp,
    linear=(),
    zeros="lost",
    raises=True,
    errors=(np.linalg.LinAlgError,),
    unknown_lengths=True,
    batch=with_same_attributes(),
    reads=reads.of_matrices(0),
    native=InnerLoops(_qr_by_loop, has_loop),
    doc="""Q and R; see `qr`, of which ``mode`` is "reduced" or "complete".""",
)


@covers(np.linalg.qr, "a mode")
def qr(a: Any, mode: str = "reduced") -> Any:
    """Matrices as products of one with orthonormal columns and an upper triangular one.

    The derivative needs the first ``min(m, n)`` columns to be linearly independent. With mode
    "complete" the columns of Q behind those are any that complete the basis, so only of functions
    that do not depend on which these are the derivative is defined.

    Args:
        a: ``(..., m, n)``.
        mode: "reduced" for ``Q`` of shape ``(..., m, k)`` and ``R`` of shape ``(..., k, n)`` with
            ``k = min(m, n)``; "complete" for ``k = m``; "r" for the ``R`` of "reduced" alone.

    Raises:
        NotImplementedError: mode "raw".
        LinAlgError: ``a`` has fewer than two axes.
    """
    if mode == "raw":
        raise NotImplementedError("np.linalg.qr with mode='raw'; use mode='reduced'")
    if mode not in ("reduced", "complete", "r"):
        raise ValueError(f"Unrecognized mode '{mode}'")
    q, r = qr_factors(a, mode="reduced" if mode == "r" else mode)
    return r if mode == "r" else QRResult(q, r)


# -- LU --------------------------------------------------------------------------------------------


def lu_rows(x):
    """Gaussian elimination with row exchanges: both factors in one matrix, and the order of the
    rows."""
    x = np.array(x)
    m, n = x.shape[-2:]
    order = np.broadcast_to(np.arange(m), x.shape[:-1])
    for k in range(min(m, n)):
        column = x[..., k:, k]
        size = np.abs(column.real) + np.abs(column.imag)  # as LAPACK chooses
        pivot = np.argmax(size, axis=-1)[..., None] + k
        rows = np.arange(m)
        swap = np.where(rows == k, pivot, np.where(rows == pivot, k, rows))
        x = np.take_along_axis(x, swap[..., None], -2)
        order = np.take_along_axis(order, swap, -1)
        divisor = x[..., k : k + 1, k]
        x[..., k + 1 :, k] /= np.where(divisor == 0, 1, divisor)
        x[..., k + 1 :, k + 1 :] -= x[..., k + 1 :, k : k + 1] * x[..., k : k + 1, k + 1 :]
    return x, order


def _lu_infer(a: ArrayType) -> tuple[ArrayType, ArrayType]:
    check_stacked(a)
    return ArrayType(lapack_dtype(a), a.shape), ArrayType(np.dtype(np.intp), a.shape[:-1])


def _unpacked(packed: Any) -> tuple[Any, Any]:
    """The factors L and U of those in one matrix, both continued to squares by the identity."""
    m, n = dims_of(packed)[-2:]
    one, k = dtype_of(packed).type(1), min(m, n)
    first = lower(subscript(packed, (..., slice(None, k))))
    second = upper(subscript(packed, (..., slice(None, k), slice(None))))
    if m > k:
        first = pad_zeros(first, widths=((0, 0),) * (ndim_of(packed) - 1) + ((0, m - k),))
    if n > k:
        second = _with_rows(second, n - k)
        behind = np.arange(n) >= k  # of whose diagonal the ones are
        second = where(behind[:, None] & np.eye(n, dtype=bool), one, second)
    return on_diagonal(first, one, first), second


def _lu_jvp(tangents: Sequence, args: Sequence, outs: Sequence) -> tuple:
    """``dL = L tril(L^-1 P dA U^-1)``, and ``dU`` with the upper part."""
    packed, order = outs
    first, second = _unpacked(packed)
    change = _reordered(tangents[0], order)
    left = triangular_solve(first, change, unit_diagonal=True)
    inner = t(triangular_solve(t(second), t(left)))
    return add(matmul(first, lower(inner, -1)), matmul(upper(inner), second)), None


def _lu_vjp(cts: Sequence, args: Sequence, outs: Sequence) -> tuple:
    if cts[0] is None:
        return (None,)
    packed, order = outs
    first, second = _unpacked(packed)
    by_first = lower(matmul(t(first), lower(cts[0], -1)), -1)
    inner = add(by_first, upper(matmul(upper(cts[0]), t(second))))
    left = triangular_solve(t(first), inner, lower=False, unit_diagonal=True)
    result = t(triangular_solve(second, t(left), lower=False))
    return (_reordered(result, _inverse_order(order)),)


def _reordered(x: Any, order: Any) -> Any:
    return take_along_axis(x, broadcast_to(expand_dims(order, -1), lengths_of(x)), -2)


def _inverse_order(order: Any) -> Any:
    return argsort(order, axis=-1)


lu_packed = Custom(
    "lu_packed",
    _lu_infer,
    "lu_rows({0})",
    vjp=_lu_vjp,
    jvp=_lu_jvp,
    linear=(),
    zeros="lost",
    helpers=[lu_rows],
    unknown_lengths=True,
    batch=with_same_attributes(),
    reads=reads.of_matrices(0),
    doc="""The factors of matrices by Gaussian elimination with row exchanges.

    Args:
        a: ``(..., m, n)``.

    Returns:
        A matrix with U in its upper triangle and L, whose diagonal is 1, below it; and for each row
        of ``L @ U`` which row of ``a`` it is.
    """,
)


def lu(a: Any) -> tuple[Any, Any, Any]:
    """Matrices as ``L @ U`` with their rows in another order, in which elimination is stable.

    The derivative needs the first ``min(m, n)`` columns to be linearly independent.

    Args:
        a: ``(..., m, n)``.

    Returns:
        L, ``(..., m, k)`` with ``k = min(m, n)`` and a diagonal of ones; U, ``(..., k, n)``; and
        for each row of their product which row of ``a`` it is.
    """
    a = astype(a, np.float64) if dtype_of(a).kind in "biu" else a
    packed, order = lu_packed(a)
    k = min(dims_of(a)[-2:])
    left = subscript(packed, (..., slice(None), slice(None, k)))
    left = on_diagonal(left, dtype_of(packed).type(1), lower(left))
    return left, upper(subscript(packed, (..., slice(None, k), slice(None)))), order


def lu_solve(packed: Any, order: Any, b: Any, adjoint: str = "N") -> Any:
    """The solution of ``a @ x = b`` by the factors that `lu_packed` gives for ``a``.

    Args:
        packed: ``(n, n)``.
        order: ``(n,)``.
        b: ``(n,)`` or ``(n, k)``.
        adjoint: "T" for the transpose of ``a`` in its place, "C" for the conjugate transpose.
    """
    if adjoint == "N":
        inner = triangular_solve(packed, subscript(b, order), unit_diagonal=True)
        return triangular_solve(packed, inner, lower=False)
    packed = h(packed) if adjoint == "C" else t(packed)
    inner = triangular_solve(packed, b)
    inner = triangular_solve(packed, inner, lower=False, unit_diagonal=True)
    return subscript(inner, _inverse_order(order))
