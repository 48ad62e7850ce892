"""Linear algebra on stacks of matrices: factorisations, systems of equations, determinants, norms.

The rules follow Giles, "Collected matrix derivative results for forward and reverse mode
algorithmic differentiation" (2008), and for Cholesky Murray, "Differentiation of the Cholesky
decomposition" (2016). They are written with operators, so they hold to any order.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.lib.array_utils import normalize_axis_tuple

from ops.contraction import matmul
from ops.conversion import astype, cast, conjugate, promote, real
from ops.elementwise import (
    absolute,
    add,
    multiply,
    negative,
    not_equal,
    power,
    sqrt,
    square,
    subtract,
)
from ops.numpy_table import covers
from ops.rearrange import trace, tril
from ops.reduction import max, min, sum
from ops.registry import Custom, dtype_of, ndim_of, shape_of
from ops.structural import expand_dims, reshape, squeeze, sum_to, swapaxes
from ops.types import ArrayType

__all__ = [
    "cholesky",
    "det",
    "inv",
    "norm",
    "slogdet",
    "solve",
]


def _t(x: Any) -> Any:
    return swapaxes(x, -1, -2)


def _float_type(*types: ArrayType) -> np.dtype:
    """The dtype LAPACK computes in: integers are taken as float64.

    Raises:
        TypeError: it has no routine for the dtype.
    """
    dtype = promote(*types)
    if dtype.kind in "biu":
        return np.dtype(np.float64)
    if dtype.name not in ("float32", "float64", "complex64", "complex128"):
        raise TypeError(f"array type {dtype.name} is unsupported in linalg")
    return dtype


def _check_square(x: ArrayType) -> None:
    if x.ndim < 2:
        raise np.linalg.LinAlgError(
            f"{x.ndim}-dimensional array given. Array must be at least two-dimensional"
        )
    if x.shape[-1] != x.shape[-2]:
        raise np.linalg.LinAlgError("Last 2 dimensions of the array must be square")


def _square_infer(x: ArrayType) -> tuple[ArrayType]:
    _check_square(x)
    return (ArrayType(_float_type(x), x.shape),)


# -- cholesky --------------------------------------------------------------------------------------


def _half_lower(x: Any) -> Any:
    """The lower triangle with its diagonal halved."""
    n = shape_of(x)[-1]
    weights = (np.tri(n) - np.eye(n) / 2).astype(dtype_of(x))
    return multiply(x, weights)


def _check_real(x: Any) -> None:
    if dtype_of(x).kind == "c":
        raise TypeError("the derivative of cholesky is there for real matrices only")


def _cholesky_vjp(cts: Sequence, args: Sequence, outs: Sequence) -> tuple:
    """Only the lower triangle of the matrix is read, so only that has a cotangent."""
    _check_real(args[0])
    (factor,) = outs
    inner = _half_lower(matmul(_t(factor), cts[0]))
    right = _t(solve(_t(factor), inner))  # (L^-T inner)^T
    full = solve(_t(factor), right)  # (L^-T inner L^-1)^T
    return (add(tril(full), tril(_t(full), -1)),)


def _cholesky_jvp(tangents: Sequence, args: Sequence, outs: Sequence) -> tuple:
    _check_real(args[0])
    (factor,) = outs
    change = add(tril(tangents[0]), _t(tril(tangents[0], -1)))
    right = _t(solve(factor, change))
    return (matmul(factor, _half_lower(solve(factor, right))),)


cholesky = Custom(
    "cholesky",
    _square_infer,
    "np.linalg.cholesky({0})",
    vjp=_cholesky_vjp,
    jvp=_cholesky_jvp,
    raises=True,
    doc="""The lower triangular ``L`` with ``L @ L.T`` equal to a positive definite matrix.

    As in NumPy only the lower triangle of the matrix is read, and the derivative is that of this
    function: by elements above the diagonal it is 0.

    Raises:
        LinAlgError: the matrix is not square, or not positive definite.
    """,
)

covers(np.linalg.cholesky, "a upper=False")(cholesky)

# -- systems of equations --------------------------------------------------------------------------


def _solve_infer(a: ArrayType, b: ArrayType) -> tuple[ArrayType]:
    _check_square(a)
    x = np.broadcast_shapes(a.shape[:-2], b.shape[:-2])
    rows = b.shape[-1:] if b.ndim == 1 else b.shape[-2:-1]
    if b.ndim == 0 or rows != a.shape[-1:]:
        raise ValueError(f"solve: a matrix of shape {a.shape} and a right side of {b.shape}")
    shape = (*x, *(b.shape if b.ndim == 1 else b.shape[-2:]))
    return (ArrayType(_float_type(a, b), shape),)


def _as_columns(x: Any, b: Any) -> Any:
    """``x`` as matrices of columns, where ``b`` says whether it is vectors."""
    return expand_dims(x, -1) if ndim_of(b) == 1 else x


def _solve_vjp(cts: Sequence, args: Sequence, outs: Sequence) -> tuple:
    (ct,), (a, b), (x,) = cts, args, outs
    ct_b = _as_vectors(solve(_t(a), _as_columns(ct, b)), b)
    ct_a = negative(matmul(_as_columns(ct_b, b), _t(_as_columns(x, b))))
    return (sum_to(ct_a, shape_of(a)), sum_to(ct_b, shape_of(b)))


def _as_vectors(x: Any, b: Any) -> Any:
    return reshape(x, shape_of(x)[:-1]) if ndim_of(b) == 1 else x


def _solve_jvp(tangents: Sequence, args: Sequence, outs: Sequence) -> tuple:
    (ta, tb), (a, b), (x,) = tangents, args, outs
    change = subtract(_as_columns(tb, b), matmul(ta, _as_columns(x, b)))
    return (_as_vectors(solve(a, change), b),)


solve = Custom(
    "solve",
    _solve_infer,
    "np.linalg.solve({0}, {1})",
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


def _inv_vjp(cts: Sequence, args: Sequence, outs: Sequence) -> tuple:
    inverse = _t(outs[0])
    return (negative(matmul(matmul(inverse, cts[0]), inverse)),)


def _inv_jvp(tangents: Sequence, args: Sequence, outs: Sequence) -> tuple:
    return (negative(matmul(matmul(outs[0], tangents[0]), outs[0])),)


inv = Custom(
    "inv",
    _square_infer,
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

# -- determinants ----------------------------------------------------------------------------------


def _det_infer(x: ArrayType) -> tuple[ArrayType]:
    _check_square(x)
    return (ArrayType(_float_type(x), x.shape[:-2]),)


def _matrix_weight(x: Any) -> Any:
    """Numbers, one per matrix, with two axes for its rows and columns."""
    return expand_dims(x, (-1, -2))


def _det_vjp(cts: Sequence, args: Sequence, outs: Sequence) -> tuple:
    return (multiply(_matrix_weight(multiply(cts[0], outs[0])), _t(inv(args[0]))),)


def _det_jvp(tangents: Sequence, args: Sequence, outs: Sequence) -> tuple:
    return (multiply(outs[0], _trace_of_solution(args[0], tangents[0])),)


def _trace_of_solution(x: Any, change: Any) -> Any:
    return trace(solve(x, change), axis1=-2, axis2=-1)


det = Custom(
    "det",
    _det_infer,
    "np.linalg.det({0})",
    vjp=_det_vjp,
    jvp=_det_jvp,
    doc="""The determinant of square matrices. The derivative needs them to be invertible.

    Raises:
        LinAlgError: a matrix is not square.
    """,
)

covers(np.linalg.det, "a")(det)


def _slogdet_infer(x: ArrayType) -> tuple[ArrayType, ArrayType]:
    (sign,) = _det_infer(x)
    return sign, ArrayType(np.zeros((), sign.dtype).real.dtype, sign.shape)


def _slogdet_vjp(cts: Sequence, args: Sequence, outs: Sequence) -> tuple:
    if dtype_of(args[0]).kind == "c":
        raise TypeError("the derivative of slogdet is there for real matrices only")
    return (None if cts[1] is None else multiply(_matrix_weight(cts[1]), _t(inv(args[0]))),)


def _slogdet_jvp(tangents: Sequence, args: Sequence, outs: Sequence) -> tuple:
    if dtype_of(args[0]).kind == "c":
        raise TypeError("the derivative of slogdet is there for real matrices only")
    return (None, _trace_of_solution(args[0], tangents[0]))


slogdet = Custom(
    "slogdet",
    _slogdet_infer,
    "np.linalg.slogdet({0})",
    vjp=_slogdet_vjp,
    jvp=_slogdet_jvp,
    doc="""The sign of the determinant of square matrices, and the logarithm of its absolute value.

    Raises:
        LinAlgError: a matrix is not square.
    """,
)

covers(np.linalg.slogdet, "a")(slogdet)

# -- norms -----------------------------------------------------------------------------------------


@covers(np.linalg.norm, "x ord axis keepdims")
def norm(x: Any, ord: Any = None, axis: Any = None, keepdims: bool = False) -> Any:
    """A norm of vectors or matrices, as ``np.linalg.norm``.

    Args:
        x: an array.
        ord: for vectors a number, 2 by default; for matrices 1, -1, inf, -inf or ``fro``, the
            default.
        axis: the axis of the vectors, or the two axes of the matrices; None for all.
        keepdims: keep these axes with length 1.

    Raises:
        NotImplementedError: a matrix norm that needs singular values.
        ValueError: there is no norm of this order.
    """
    ndim = ndim_of(x)
    if dtype_of(x).kind not in "fc":
        x = cast(x, np.float64)
    if axis is None and ord is None:
        axes = tuple(range(ndim))
    else:
        axes = normalize_axis_tuple(range(ndim) if axis is None else axis, ndim)
    if ord is None or (ord == "fro" and len(axes) == 2) or (ord == 2 and len(axes) == 1):
        return sqrt(sum(_squared(x), axes, keepdims=keepdims))
    if len(axes) == 1:
        return _vector_norm(x, ord, axes, keepdims)
    if len(axes) != 2:
        raise ValueError("Improper number of dimensions to norm.")
    if ord in (2, -2, "nuc"):
        raise NotImplementedError(f"np.linalg.norm: ord={ord!r} of a matrix needs singular values")
    if ord not in (1, -1, np.inf, -np.inf):
        raise ValueError("Invalid norm order for matrices.")
    summed, compared = axes if abs(ord) == 1 else axes[::-1]
    extremum = max if ord > 0 else min
    totals = sum(absolute(x), summed, keepdims=True)
    result = extremum(totals, compared, keepdims=True)
    return result if keepdims else squeeze(result, axes)


def _squared(x: Any) -> Any:
    return real(multiply(x, conjugate(x))) if dtype_of(x).kind == "c" else square(x)


def _vector_norm(x: Any, ord: Any, axis: tuple[int, ...], keepdims: bool) -> Any:
    if isinstance(ord, str):
        raise ValueError(f"Invalid norm order '{ord}' for vectors")
    size = absolute(x)
    if ord == np.inf:
        return max(size, axis, keepdims)
    if ord == -np.inf:
        return min(size, axis, keepdims)
    if ord == 0:
        return sum(astype(not_equal(x, 0), dtype_of(size)), axis, keepdims=keepdims)
    if ord == 1:
        return sum(size, axis, keepdims=keepdims)
    return power(sum(power(size, ord), axis, keepdims=keepdims), 1 / ord)
