"""Systems of linear equations, and inverses.

The derivatives are those of Giles, "Collected matrix derivative results for forward and reverse
mode algorithmic differentiation" (2008).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from ops.arrays.contraction import matmul
from ops.core import reads
from ops.core.batching import Size
from ops.core.kernels import InnerLoops
from ops.core.kernels import aligned as aligned_places
from ops.core.lengths import lengths_of
from ops.core.numpy_table import covers
from ops.core.operands import broadcast_shapes, dtype_of, index_of, ndim_of, operand_type, shape_of
from ops.core.reads import EVERY, everything
from ops.core.registry import Custom
from ops.core.types import ArrayType
from ops.elementwise import negative, subtract
from ops.linalg import common
from ops.linalg.common import (
    as_lapack,
    by_loop,
    check_square,
    has_loop,
    lapack_dtype,
    matrix_moves,
    on_diagonal,
    square_infer,
    t,
)
from ops.linalg.failures import fails_as
from ops.structure.broadcasting import sum, sum_to
from ops.structure.lanes import aligned, with_same_attributes
from ops.structure.permuting import transpose
from ops.structure.reshaping import expand_dims, merged, ravel, reshape, squeeze

__all__ = [
    "inv",
    "inverse_or_nan",
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
        b.known((-min(b.ndim, 2),) if b.ndim else ())
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
    return (sum_to(ct_a, lengths_of(a)), sum_to(_as_vectors(ct_b, b), lengths_of(b)))


def _solve_moves(numbers: Any, a: Any, b: Any) -> tuple:
    """A matrix and its right sides count where any element of the solution does."""
    some = sum(_as_columns(numbers, b), (-2, -1), keepdims=True)
    sizes = [(*lengths_of(a)[:-2], 1, 1), (*lengths_of(b)[: -min(ndim_of(b), 2)], 1, 1)]
    by_a, by_b = (sum_to(some, size) for size in sizes)
    return by_a, by_b if ndim_of(b) > 1 else reshape(by_b, (1,))


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


def _solve_batch(size: Size, batched: Sequence[bool], args: Sequence[Any]) -> Any:
    a, b = args
    a_ndim, b_ndim = (ndim_of(z) - flag for z, flag in zip(args, batched))
    if not batched[0] and a_ndim == 2 and b_ndim == 1:  # the lanes as columns of one system
        return t(solve(a, t(b)))
    if not batched[0] and a_ndim == 2 and b_ndim == 2:
        lanes, rows, columns = lengths_of(b)
        x = solve(a, reshape(transpose(b, (1, 0, 2)), (rows, merged((lanes, columns)))))
        return transpose(reshape(x, (rows, lanes, columns)), (1, 0, 2))
    if not batched[1] and b_ndim == 1:
        return solve(a, b)
    b = expand_dims(b, -1) if b_ndim == 1 else b
    x = solve(*aligned(batched, (a, b), core=2))
    return squeeze(x, -1) if b_ndim == 1 else x


def _solve_reads(read: Any, index: tuple, types: Sequence[ArrayType], attrs: dict) -> Any:
    """All of the matrix, and of the right side the same column."""
    a, b = types
    stack = index[:-1] if b.ndim == 1 else index[:-2]
    column = (EVERY,) if b.ndim == 1 else (*aligned_places(stack, b.shape[:-2]), EVERY, index[-1])
    return everything(
        read, [(0, (*aligned_places(stack, a.shape[:-2]), EVERY, EVERY)), (1, column)]
    )


def _solve_by_loop(a: Any, b: Any) -> Any:
    types = [operand_type(x) for x in (a, b)]
    (result,) = _solve_infer(*types)
    name, core = ("solve1", (2, 1, 1)) if ndim_of(b) == 1 else ("solve", (2, 2, 2))
    return by_loop(name, (a, b), core, [result.shape], [result.dtype])


def _solve_has_loop(types: Sequence[ArrayType], attrs: dict[str, Any]) -> bool:
    """One vector for many matrices becomes a matrix in NumPy's terms."""
    a, b = types
    return has_loop(types, attrs) and (b.ndim > 1 or a.ndim == 2)


solve = Custom(
    "solve",
    _solve_infer,
    _solve_code,
    vjp=_solve_vjp,
    jvp=_solve_jvp,
    linear=(1,),
    zeros="moved",
    moves=_solve_moves,
    raises=True,
    errors=(np.linalg.LinAlgError,),
    conditions=fails_as("solve", lambda a: np.linalg.solve(a, a)),
    unknown_lengths=True,
    batch=_solve_batch,
    reads=_solve_reads,
    native=InnerLoops(_solve_by_loop, _solve_has_loop),
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


def inverse_by_loop(a: Any) -> Any:
    """The same in a kernel, which gives up where there is none."""
    (result,) = square_infer(operand_type(a))
    return by_loop("inv", (a,), (2, 2), [result.shape], [result.dtype])


inv = Custom(
    "inv",
    square_infer,
    "np.linalg.inv({0})",
    vjp=_inv_vjp,
    jvp=_inv_jvp,
    linear=(),
    zeros="moved",
    moves=matrix_moves,
    raises=True,
    errors=(np.linalg.LinAlgError,),
    conditions=fails_as("inv", np.linalg.inv),
    unknown_lengths=True,
    batch=with_same_attributes(),
    reads=reads.of_matrices(0),
    native=InnerLoops(inverse_by_loop, has_loop),
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
    linear=(),
    zeros="moved",
    moves=matrix_moves,
    helpers=[inverse_where_regular],
    unknown_lengths=True,
    batch=with_same_attributes(),
    reads=reads.of_matrices(0),
    doc="The inverse of square matrices; NaN instead of an error if there is none.",
)


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
    ind = index_of(ind)
    if ind <= 0:
        raise ValueError("Invalid ind argument.")
    shape = shape_of(a)
    inverse = inv(reshape(a, (math.prod(shape[ind:]), -1)))
    return reshape(inverse, shape[ind:] + shape[:ind])
