"""Least squares, and pseudo-inverses.

The derivatives are those of Golub and Pereyra, "The differentiation of pseudo-inverses and
nonlinear least squares problems whose variables separate" (1973).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ops.arrays.contraction import matmul
from ops.arrays.reduction import max as largest
from ops.core import reads
from ops.core.batching import Size
from ops.core.kernels import InnerLoops
from ops.core.lengths import length
from ops.core.numpy_table import covers
from ops.core.operands import broadcast_shapes, dims_of, dtype_of, ndim_of, operand_type
from ops.core.registry import Custom
from ops.core.types import ArrayType
from ops.elementwise import add, divide, greater, maximum, multiply, negative, subtract
from ops.elementwise.conversion import where
from ops.linalg import common
from ops.linalg.common import (
    as_lapack,
    as_rows,
    check_square,
    check_stacked,
    conj,
    h,
    has_loop,
    lapack_dtype,
    real_dtype,
    real_part,
    t,
)
from ops.linalg.singular import svd, svd_by_loop
from ops.structure.broadcasting import sum
from ops.structure.identity import refine
from ops.structure.lanes import all_with_lanes, with_lanes
from ops.structure.reshaping import expand_dims, spread, squeeze

__all__ = [
    "least_squares",
    "lstsq",
    "pinv",
    "pseudo_inverse",
]

# -- pseudo-inverses -------------------------------------------------------------------------------


def _pinv_infer(a: ArrayType, rcond: ArrayType) -> tuple[ArrayType]:
    check_stacked(a)
    *batch, m, n = a.shape
    if batch != list(broadcast_shapes(tuple(batch), rcond.shape)):
        raise ValueError(f"pinv: rcond of shape {rcond.shape} for matrices of shape {a.shape}")
    return (ArrayType(lapack_dtype(a), (*batch, n, m)),)


def _projections(a: Any, inverse: Any, x: Any) -> tuple[Any, Any]:
    """What a matrix and its pseudo-inverse leave of ``x`` on the left and of ``x`` on the right."""
    left = subtract(x, matmul(inverse, matmul(a, x)))
    right = subtract(x, matmul(matmul(x, a), inverse))
    return left, right


def _pinv_jvp(tangents: Sequence, args: Sequence, outs: Sequence) -> tuple:
    (a, _), (inverse,) = args, outs
    change = tangents[0]
    adjoint = h(inverse)
    _, right = _projections(a, inverse, matmul(inverse, matmul(adjoint, h(change))))
    left, _ = _projections(a, inverse, matmul(matmul(h(change), adjoint), inverse))
    return (subtract(add(right, left), matmul(inverse, matmul(change, inverse))),)


def _pinv_vjp(cts: Sequence, args: Sequence, outs: Sequence) -> tuple:
    (a, _), (inverse,) = args, outs
    ct, adjoint = conj(cts[0]), h(inverse)
    _, right = _projections(a, inverse, ct)
    left, _ = _projections(a, inverse, ct)
    result = add(
        matmul(h(right), matmul(inverse, adjoint)), matmul(matmul(adjoint, inverse), h(left))
    )
    return (conj(subtract(result, matmul(adjoint, matmul(ct, adjoint)))), None)


def _pinv_batch(size: Size, batched: Sequence[bool], args: Sequence[Any]) -> Any:
    a, rcond = with_lanes(size, batched[0], args[0]), args[1]
    if batched[1]:
        rcond = spread(rcond, ndim_of(a) - 2 - ndim_of(rcond))
    return pseudo_inverse(a, rcond)


def _pinv_by_loop(a: Any, rcond: Any) -> Any:
    """What the Python of ``np.linalg.pinv`` computes, around a loop."""
    u, s, vh = svd_by_loop(conj(a), full_matrices=False)
    is_large = greater(s, multiply(expand_dims(rcond, -1), largest(s, axis=-1, keepdims=True)))
    one = dtype_of(s).type(1)
    inverse = where(is_large, divide(one, where(is_large, s, one)), dtype_of(s).type(0))
    return matmul(t(vh), multiply(expand_dims(inverse, -1), t(u)))


pseudo_inverse = Custom(
    "pseudo_inverse",
    _pinv_infer,
    "np.linalg.pinv({0}, {1})",
    vjp=_pinv_vjp,
    jvp=_pinv_jvp,
    linear=(),
    zeros="lost",
    raises=True,
    errors=(ValueError,),
    unknown_lengths=True,
    batch=_pinv_batch,
    native=InnerLoops(_pinv_by_loop, lambda types, attrs: has_loop(types[:1], attrs)),
    reads=reads.of_matrices(0),
    doc="""The Moore-Penrose inverse of matrices.

    The derivative is that among matrices of the same rank.

    Args:
        a: ``(..., m, n)``.
        rcond: singular values of at most so many times the largest count as 0; a scalar, or one
            for each matrix.
    """,
)


@covers(np.linalg.pinv, "a rcond hermitian rtol")
def pinv(a: Any, rcond: Any = None, hermitian: bool = False, *, rtol: Any = np._NoValue) -> Any:
    """``np.linalg.pinv``: the Moore-Penrose inverse of matrices.

    Args:
        a: ``(..., m, n)``.
        rcond, rtol: singular values of at most so many times the largest count as 0; by default
            1e-15, with ``rtol=None`` what fits the dtype. Neither has a derivative.
        hermitian: only the lower triangles of the matrices, which are Hermitian, are read.
    """
    if rcond is None:
        if rtol is np._NoValue:
            rcond = 1e-15
        else:
            rcond = (
                multiply(max(dims_of(a)[-2:]), np.finfo(dtype_of(a)).eps) if rtol is None else rtol
            )
    elif rtol is not np._NoValue:
        raise ValueError("`rtol` and `rcond` can't be both set.")
    if isinstance(rcond, (list, tuple)):
        rcond = np.asarray(rcond)
    if hermitian and 0 not in dims_of(a)[-2:]:
        check_square(operand_type(a))
        a = common.hermitian(as_lapack(a))
    return pseudo_inverse(a, rcond)


# -- least squares ---------------------------------------------------------------------------------


def _lstsq_infer(a: ArrayType, b: ArrayType, rcond: ArrayType) -> tuple[ArrayType, ...]:
    *batch, m, n = a.shape
    columns = b.shape[-1]
    dtype = lapack_dtype(a, b)
    part = real_dtype(dtype)
    return (
        ArrayType(dtype, (*batch, n, columns)),
        ArrayType(part, (*batch, None if m is None or m > n else 0)),
        ArrayType(np.dtype(np.int32), tuple(batch)),
        ArrayType(part, (*batch, None if m is None else min(m, n))),
    )


def _residuals(a: Any, b: Any, x: Any) -> Any:
    return subtract(b, matmul(a, x))


def _lstsq_jvp(tangents: Sequence, args: Sequence, outs: Sequence) -> tuple:
    (da, db, _), (a, b, rcond), (x, *_) = tangents, args, outs
    inverse, rest = pseudo_inverse(a, rcond), _residuals(a, b, x)
    (change,) = _pinv_jvp((da,), (a, rcond), (inverse,))
    dx = add(matmul(change, b), matmul(inverse, db))
    moved = subtract(db, matmul(da, x))
    d_squares = None
    if dims_of(a)[-2] > dims_of(a)[-1]:
        d_squares = multiply(sum(real_part(multiply(conj(rest), moved)), -2), 2.0)
        d_squares = refine(d_squares, shape=(*dims_of(a)[:-2], None))
    u, _, vh = svd(a, full_matrices=False)
    ds = real_part(sum(multiply(conj(u), matmul(da, h(vh))), -2))
    return dx, d_squares, None, ds


def _lstsq_vjp(cts: Sequence, args: Sequence, outs: Sequence) -> tuple:
    (ct_x, ct_squares, _, ct_s), (a, b, rcond), (x, *_) = cts, args, outs
    by_a, by_b = [], []
    if ct_x is not None:
        inverse = pseudo_inverse(a, rcond)
        by_b.append(matmul(t(inverse), ct_x))
        by_a.append(_pinv_vjp((matmul(ct_x, t(b)),), (a, rcond), (inverse,))[0])
    if ct_squares is not None and dims_of(a)[-2] > dims_of(a)[-1]:
        weights = refine(ct_squares, shape=(*dims_of(b)[:-2], dims_of(b)[-1]))
        scaled = multiply(conj(_residuals(a, b, x)), as_rows(multiply(weights, 2.0)))
        by_b.append(scaled)
        by_a.append(negative(matmul(scaled, t(x))))
    if ct_s is not None:
        u, _, vh = svd(a, full_matrices=False)
        by_a.append(conj(matmul(multiply(u, as_rows(ct_s)), vh)))
    return _total(by_a), _total(by_b), None


def _total(terms: Sequence[Any]) -> Any:
    total = None
    for term in terms:
        total = term if total is None else add(total, term)
    return total


def least_squares_of_each(a, b, rcond):
    """``np.linalg.lstsq`` for several matrices, which have as many sums of squares each."""
    batch, (m, n), k = a.shape[:-2], a.shape[-2:], b.shape[-1]
    rcond = np.broadcast_to(rcond, batch)
    found = [np.linalg.lstsq(a[i], b[i], rcond[i]) for i in np.ndindex(*batch)]
    if len({len(squares) for _, squares, _, _ in found}) > 1:
        raise ValueError("some matrices have sums of squares that are left, others have none")
    count = len(found)
    if not found:
        found = [np.linalg.lstsq(np.eye(m, n, dtype=a.dtype), np.zeros((m, k), b.dtype), 0.0)]
    parts = [np.stack(part)[:count] for part in zip(*found)]
    return tuple(part.reshape(*batch, *part.shape[1:]) for part in parts)


def _lstsq_code(args: Sequence[str], types: Sequence[ArrayType], attrs: dict[str, Any]) -> str:
    name = "np.linalg.lstsq" if types[0].ndim == 2 else "least_squares_of_each"
    return f"{name}({', '.join(args)})"


def _lstsq_batch(size: Size, batched: Sequence[bool], args: Sequence[Any]) -> Any:
    return least_squares(*all_with_lanes(size, batched[:2], args[:2]), args[2])


least_squares = Custom(
    "least_squares",
    _lstsq_infer,
    _lstsq_code,
    helpers=[least_squares_of_each],
    vjp=_lstsq_vjp,
    jvp=_lstsq_jvp,
    linear=(1,),
    zeros="lost",
    raises=True,
    errors=(ValueError,),
    backends=("numpy",),
    unknown_lengths=True,
    batch=_lstsq_batch,
    doc="What `lstsq` gives for a right side that is a matrix.",
)


@covers(np.linalg.lstsq, "a b rcond")
def lstsq(a: Any, b: Any, rcond: Any = None) -> tuple[Any, Any, Any, Any]:
    """``np.linalg.lstsq``: the shortest ``x`` for which ``a @ x`` is closest to ``b``.

    The derivative of the solution is that among matrices of the same rank. Of the sums of squares
    there is one only if there are any: where the rank is full, and there are more rows than
    columns.

    Args:
        a: ``(m, n)``; the rows may be as many as the run says, where there is no derivative by it.
        b: ``(m,)``, or ``(m, k)`` with right sides as columns.
        rcond: singular values of less than so many times the largest count as 0.

    Returns:
        The solution, the sums of squares that are left (whether there are any only the run knows),
        the rank, and the singular values.
    """
    vector = ndim_of(b) == 1
    b = expand_dims(b, 1) if vector else b
    for z in (a, b):
        if ndim_of(z) != 2:
            raise np.linalg.LinAlgError(
                f"{ndim_of(z)}-dimensional array given. Array must be two-dimensional"
            )
    (rows, columns), found = dims_of(a), dims_of(b)[0]
    if rows != found and None not in (rows, found):  # else NumPy sees it
        raise np.linalg.LinAlgError("Incompatible dimensions")
    if columns is None:
        raise NotImplementedError(
            "np.linalg.lstsq for a number of unknowns that only the run knows"
        )
    if rcond is None:
        most = maximum(length(a, axis=0), columns) if rows is None else max(rows, columns)
        rcond = multiply(most, float(np.finfo(lapack_dtype(*map(operand_type, (a, b)))).eps))
    x, squares, rank, s = least_squares(a, b, rcond)
    return squeeze(x, 1) if vector else x, squares, rank, s
