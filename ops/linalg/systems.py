"""Systems of linear equations, and inverses.

The derivatives are those of Giles, "Collected matrix derivative results for forward and reverse
mode algorithmic differentiation" (2008), and for pseudo-inverses Golub and Pereyra (1973).
"""

from __future__ import annotations

import math
import operator
from collections.abc import Sequence
from typing import Any

import numpy as np

from ops.contraction import matmul
from ops.elementwise import add, multiply, negative, subtract
from ops.linalg import common
from ops.linalg.common import (
    as_lapack,
    as_rows,
    check_square,
    check_stacked,
    conj,
    h,
    lapack_dtype,
    on_diagonal,
    real_dtype,
    real_part,
    square_infer,
    t,
)
from ops.linalg.singular import svd
from ops.numpy_table import covers
from ops.reduction import sum
from ops.registry import Custom, broadcast_shapes, dtype_of, ndim_of, shape_of
from ops.structural import expand_dims, ravel, refine, reshape, squeeze, sum_to, transpose
from ops.types import ArrayType

__all__ = [
    "inv",
    "inverse_or_nan",
    "least_squares",
    "lstsq",
    "pinv",
    "pseudo_inverse",
    "solve",
    "tensorinv",
    "tensorsolve",
    "triangular_solve",
]

# -- solve -----------------------------------------------------------------------------------------


def _solve_infer(a: ArrayType, b: ArrayType) -> tuple[ArrayType]:
    check_square(a)
    dtype = lapack_dtype(a, b)
    rows = b.shape[-1:] if b.ndim == 1 else b.shape[-2:-1]
    if b.ndim == 0 or rows != a.shape[-1:]:
        raise ValueError(f"solve: a matrix of shape {a.shape} and a right side of {b.shape}")
    if b.ndim == 1:
        return (ArrayType(dtype, a.shape[:-1]),)
    batch = broadcast_shapes(a.shape[:-2], b.shape[:-2])
    return (ArrayType(dtype, (*batch, *b.shape[-2:])),)


def _as_columns(x: Any, b: Any) -> Any:
    """``x`` as matrices of columns, where ``b`` says whether it is vectors."""
    return expand_dims(x, -1) if ndim_of(b) == 1 else x


def _as_vectors(x: Any, b: Any) -> Any:
    return squeeze(x, -1) if ndim_of(b) == 1 else x


def _solve_vjp(cts: Sequence, args: Sequence, outs: Sequence) -> tuple:
    (ct,), (a, b), (x,) = cts, args, outs
    ct_b = solve(t(a), _as_columns(ct, b))
    ct_a = negative(matmul(ct_b, t(_as_columns(x, b))))
    return (sum_to(ct_a, shape_of(a)), sum_to(_as_vectors(ct_b, b), shape_of(b)))


def _solve_jvp(tangents: Sequence, args: Sequence, outs: Sequence) -> tuple:
    (ta, tb), (a, b), (x,) = tangents, args, outs
    change = subtract(_as_columns(tb, b), matmul(ta, _as_columns(x, b)))
    return (_as_vectors(solve(a, change), b),)


def _solve_code(args: Sequence[str], types: Sequence[ArrayType], attrs: dict[str, Any]) -> str:
    """With as many axes on both sides: that way all versions of the libraries mean the same."""
    (a, b), (first, second) = args, types
    missing = first.ndim - max(second.ndim, 2)
    if second.ndim == 1 and missing:
        return f"np.linalg.solve({a}, {b}[{'None, ' * missing}:, None])[..., 0]"
    if missing > 0:
        b = f"{b}[{', '.join(['None'] * missing)}]"
    elif missing < 0:
        a = f"{a}[{', '.join(['None'] * -missing)}]"
    return f"np.linalg.solve({a}, {b})"


solve = Custom(
    "solve",
    _solve_infer,
    _solve_code,
    vjp=_solve_vjp,
    jvp=_solve_jvp,
    raises=True,
    doc="""The ``x`` with ``a @ x`` equal to ``b``.

    Args:
        a: square matrices.
        b: one vector, or matrices of right sides as columns.

    Raises:
        LinAlgError: a matrix is not square, or singular.
    """,
)

covers(np.linalg.solve, "a b")(solve)


def triangular_solve(a: Any, b: Any, lower: bool = True, unit_diagonal: bool = False) -> Any:
    """The ``x`` with ``a @ x`` equal to ``b`` for triangular ``a``.

    Args:
        a: square matrices, of which one triangle is read.
        b: one vector, or matrices of right sides as columns.
        lower: it is the lower triangle; else the upper one.
        unit_diagonal: take the elements on the diagonal as ones.

    Raises:
        LinAlgError: a matrix is not square, or has a zero on its diagonal.
    """
    a = as_lapack(a)
    a = common.lower(a) if lower else common.upper(a)
    return solve(on_diagonal(a, dtype_of(a).type(1), a) if unit_diagonal else a, b)


# -- inverses --------------------------------------------------------------------------------------


def _inv_vjp(cts: Sequence, args: Sequence, outs: Sequence) -> tuple:
    inverse = t(outs[0])
    return (negative(matmul(matmul(inverse, cts[0]), inverse)),)


def _inv_jvp(tangents: Sequence, args: Sequence, outs: Sequence) -> tuple:
    return (negative(matmul(matmul(outs[0], tangents[0]), outs[0])),)


inv = Custom(
    "inv",
    square_infer,
    "np.linalg.inv({0})",
    vjp=_inv_vjp,
    jvp=_inv_jvp,
    raises=True,
    doc="""The inverse of square matrices.

    Raises:
        LinAlgError: a matrix is not square, or singular.
    """,
)

covers(np.linalg.inv, "a")(inv)


def inverse_where_regular(x):
    """The inverses of matrices, NaN for those that have none."""
    try:
        return np.linalg.inv(x)
    except ValueError:  # a LinAlgError: singular
        if x.ndim > 2:
            return np.stack([inverse_where_regular(matrix) for matrix in x])
        return np.full(x.shape, np.nan, np.linalg.inv(np.ones((1, 1), x.dtype)).dtype)


inverse_or_nan = Custom(
    "inverse_or_nan",
    square_infer,
    "inverse_where_regular({0})",
    vjp=_inv_vjp,
    jvp=_inv_jvp,
    helpers=[inverse_where_regular],
    doc="The inverse of square matrices; NaN instead of an error if there is none.",
)


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


pseudo_inverse = Custom(
    "pseudo_inverse",
    _pinv_infer,
    "np.linalg.pinv({0}, {1})",
    vjp=_pinv_vjp,
    jvp=_pinv_jvp,
    raises=True,
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
            rcond = max(shape_of(a)[-2:]) * np.finfo(dtype_of(a)).eps if rtol is None else rtol
    elif rtol is not np._NoValue:
        raise ValueError("`rtol` and `rcond` can't be both set.")
    if isinstance(rcond, (list, tuple)):
        rcond = np.asarray(rcond)
    if hermitian and 0 not in shape_of(a)[-2:]:
        check_square(ArrayType(dtype_of(a), shape_of(a)))
        a = common.hermitian(as_lapack(a))
    return pseudo_inverse(a, rcond)


# -- tensors ---------------------------------------------------------------------------------------


@covers(np.linalg.tensorsolve, "a b axes")
def tensorsolve(a: Any, b: Any, axes: Any = None) -> Any:
    """The ``x`` with ``tensordot(a, x, x.ndim)`` equal to ``b``.

    Args:
        a: an array whose first axes are those of ``b``; the others are those of ``x``.
        b: the right side.
        axes: axes of ``a`` to move to its end first.

    Raises:
        LinAlgError: as many elements of ``x`` as of ``b`` it takes, or the system is singular.
    """
    if axes is not None:
        order = list(range(ndim_of(a)))
        for axis in axes:
            order.remove(axis)
            order.insert(ndim_of(a), axis)
        a = transpose(a, order)
    shape = shape_of(a)[-(ndim_of(a) - ndim_of(b)) :]
    size = math.prod(shape)
    if math.prod(shape_of(a)) != size**2:
        raise np.linalg.LinAlgError(
            "Input arrays must satisfy the requirement "
            "prod(a.shape[b.ndim:]) == prod(a.shape[:b.ndim])"
        )
    return reshape(solve(reshape(a, (size, size)), ravel(b)), shape)


@covers(np.linalg.tensorinv, "a ind")
def tensorinv(a: Any, ind: int = 2) -> Any:
    """The inverse of ``a`` for ``tensordot`` over its first ``ind`` axes.

    Raises:
        LinAlgError: ``a`` is not square in this sense, or singular.
        ValueError: ``ind`` is not positive.
    """
    ind = operator.index(ind)
    if ind <= 0:
        raise ValueError("Invalid ind argument.")
    shape = shape_of(a)
    inverse = inv(reshape(a, (math.prod(shape[ind:]), -1)))
    return reshape(inverse, shape[ind:] + shape[:ind])


# -- least squares ---------------------------------------------------------------------------------


def _lstsq_infer(a: ArrayType, b: ArrayType, rcond: ArrayType) -> tuple[ArrayType, ...]:
    (m, n), (_, columns) = a.shape, b.shape
    dtype = lapack_dtype(a, b)
    part = real_dtype(dtype)
    return (
        ArrayType(dtype, (n, columns)),
        ArrayType(part, (None,) if m > n else (0,)),
        ArrayType(np.dtype(np.int32), ()),
        ArrayType(part, (min(m, n),)),
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
    if shape_of(a)[0] > shape_of(a)[1]:
        d_squares = multiply(sum(real_part(multiply(conj(rest), moved)), 0), 2.0)
        d_squares = refine(d_squares, shape=(None,))
    u, _, vh = svd(a, full_matrices=False)
    ds = real_part(sum(multiply(conj(u), matmul(da, h(vh))), 0))
    return dx, d_squares, None, ds


def _lstsq_vjp(cts: Sequence, args: Sequence, outs: Sequence) -> tuple:
    (ct_x, ct_squares, _, ct_s), (a, b, rcond), (x, *_) = cts, args, outs
    by_a, by_b = [], []
    if ct_x is not None:
        inverse = pseudo_inverse(a, rcond)
        by_b.append(matmul(t(inverse), ct_x))
        by_a.append(_pinv_vjp((matmul(ct_x, t(b)),), (a, rcond), (inverse,))[0])
    if ct_squares is not None and shape_of(a)[0] > shape_of(a)[1]:
        weights = refine(ct_squares, shape=(shape_of(b)[1],))
        scaled = multiply(conj(_residuals(a, b, x)), multiply(weights, 2.0))
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


least_squares = Custom(
    "least_squares",
    _lstsq_infer,
    "np.linalg.lstsq({0}, {1}, {2})",
    vjp=_lstsq_vjp,
    jvp=_lstsq_jvp,
    raises=True,
    backends=("numpy",),
    doc="What `lstsq` gives for a right side that is a matrix.",
)


@covers(np.linalg.lstsq, "a b rcond")
def lstsq(a: Any, b: Any, rcond: Any = None) -> tuple[Any, Any, Any, Any]:
    """``np.linalg.lstsq``: the shortest ``x`` for which ``a @ x`` is closest to ``b``.

    The derivative of the solution is that among matrices of the same rank. Of the sums of squares
    there is one only if there are any: where the rank is full, and there are more rows than
    columns.

    Args:
        a: ``(m, n)``.
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
    if shape_of(a)[0] != shape_of(b)[0]:
        raise np.linalg.LinAlgError("Incompatible dimensions")
    if rcond is None:
        dtype = lapack_dtype(*(ArrayType(dtype_of(z), shape_of(z)) for z in (a, b)))
        rcond = max(shape_of(a)[-2:]) * float(np.finfo(dtype).eps)
    x, squares, rank, s = least_squares(a, b, rcond)
    return squeeze(x, 1) if vector else x, squares, rank, s
