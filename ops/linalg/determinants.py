"""Determinants, their logarithms, and cofactors.

The derivative of the determinant is the matrix of cofactors, which singular matrices have as well.
With ``a = U S V^H`` it is ``det(U V^H)`` times ``V g(S) U^H`` transposed, where g takes each
singular value to the product of the others: there is no division, and none in its derivative.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ops.arrays.contraction import matmul
from ops.arrays.cumulative import products_of_others
from ops.arrays.diagonals import trace
from ops.arrays.reduction import all, max
from ops.control import effects
from ops.core import reads
from ops.core.kernels import InnerLoops
from ops.core.numpy_table import covers
from ops.core.operands import dtype_of, known_length, operand_type
from ops.core.registry import Custom
from ops.core.types import ArrayType
from ops.elementwise import absolute, add, less, multiply, subtract
from ops.elementwise.conversion import astype, where
from ops.linalg.common import (
    SlogdetResult,
    as_rows,
    by_loop,
    check_square,
    conj,
    diagonal_matrix,
    h,
    has_loop,
    imaginary,
    lapack_dtype,
    matrix_moves,
    on_diagonal,
    real_dtype,
    square_infer,
    t,
    weight,
    zero,
)
from ops.linalg.singular import svd
from ops.linalg.systems import inv, inverse_by_loop, solve
from ops.numbers.complex_numbers import real
from ops.structure.broadcasting import sum
from ops.structure.lanes import with_same_attributes

__all__ = [
    "adjugate",
    "det",
    "sign_and_log_det",
    "slogdet",
]

# -- cofactors -------------------------------------------------------------------------------------


def adjugates(x):
    """The transposed matrices of cofactors: the inverse times the determinant if that is safe."""
    if x.shape[-1] == 0 or x.size == 0:
        return np.zeros(x.shape, x.dtype)
    try:
        inverse = np.linalg.inv(x)
        condition = np.abs(inverse).sum(-1).max(-1) * np.abs(x).sum(-1).max(-1)
        if bool(np.all(condition < float(np.finfo(inverse.dtype).eps) ** -0.5)):
            return inverse * np.linalg.det(x)[..., None, None]
    except ValueError:  # a LinAlgError: singular
        pass
    finite = np.isfinite(x).all((-2, -1))[..., None, None]
    u, s, vh = np.linalg.svd(np.where(finite, x, 0))
    n = s.shape[-1]
    rest = np.broadcast_to(s[..., None, :], (*s.shape, n))
    others = np.prod(np.where(np.eye(n, dtype=bool), 1, rest), axis=-1).astype(s.dtype)
    unit = (np.linalg.det(u) * np.linalg.det(vh))[..., None, None]
    products = (np.conj(vh.swapaxes(-1, -2)) * others[..., None, :]) @ np.conj(u.swapaxes(-1, -2))
    return np.where(finite, unit * products, np.nan)


def _products_of_other_pairs(s: Any) -> Any:
    """For each two of the numbers the product of the rest; 0 for one and itself."""
    same = np.eye(known_length(s, -1), dtype=np.bool_)
    rows = where(same, dtype_of(s).type(1), as_rows(s))
    return where(same, zero(s), products_of_others(rows))


def _turned(x: Any) -> tuple[Any, Any, Any, Any]:
    """``U``, ``V^H``, their determinants multiplied, and the products without pairs."""
    u, s, vh = svd(x)
    return u, vh, weight(multiply(det(u), det(vh))), _products_of_other_pairs(s)


def _change_of_diagonal(change: Any, products: Any) -> Any:
    """The change of the adjugate of a diagonal matrix; symmetric in its bilinear form."""
    on = sum(multiply(products, as_rows(sum(diagonal_of(change), -1))), -1)
    return subtract(diagonal_matrix(on), multiply(products, change))


def diagonal_of(x: Any) -> Any:
    """Matrices with zeros off the diagonal."""
    return on_diagonal(x, x, zero(x))


def _adjugate_jvp(tangents: Sequence, args: Sequence, outs: Sequence) -> tuple:
    u, vh, unit, products = _turned(args[0])
    change = matmul(h(u), matmul(tangents[0], h(vh)))
    return (multiply(unit, matmul(h(vh), matmul(_change_of_diagonal(change, products), h(u)))),)


def _adjugate_vjp(cts: Sequence, args: Sequence, outs: Sequence) -> tuple:
    u, vh, unit, products = _turned(args[0])
    ct = multiply(unit, matmul(conj(vh), matmul(cts[0], conj(u))))
    change = _change_of_diagonal(ct, products)
    return (matmul(conj(u), matmul(change, conj(vh))),)


def _adjugate_by_loop(a: Any) -> Any:
    """As `adjugates` does where that is safe; a kernel leaves other matrices to it."""
    inverse = inverse_by_loop(a)
    norms = [max(sum(absolute(x), -1), -1) for x in (inverse, astype(a, dtype_of(inverse)))]
    limit = float(np.finfo(dtype_of(inverse)).eps) ** -0.5
    safe = less(multiply(*norms), dtype_of(norms[0]).type(limit))
    effects.check(all(safe), error="ValueError", message="singular values are needed")
    return multiply(inverse, weight(_det_by_loop(a)))


adjugate = Custom(
    "adjugate",
    square_infer,
    "adjugates({0})",
    vjp=_adjugate_vjp,
    jvp=_adjugate_jvp,
    linear=(),
    zeros="moved",
    moves=matrix_moves,
    raises=True,
    errors=(np.linalg.LinAlgError,),
    helpers=[adjugates],
    unknown_lengths=True,
    batch=with_same_attributes(),
    reads=reads.of_matrices(0),
    native=InnerLoops(_adjugate_by_loop, has_loop),
    doc="""The matrix whose product with ``a`` is the determinant times the identity: the transposed
    matrix of cofactors. Singular matrices have one too.

    Raises:
        LinAlgError: a matrix is not square.
    """,
)

# -- det -------------------------------------------------------------------------------------------


def _det_infer(a: ArrayType) -> tuple[ArrayType]:
    check_square(a)
    return (ArrayType(lapack_dtype(a), a.shape[:-2]),)


def _det_vjp(cts: Sequence, args: Sequence, outs: Sequence) -> tuple:
    return (multiply(weight(cts[0]), t(adjugate(args[0]))),)


def _det_jvp(tangents: Sequence, args: Sequence, outs: Sequence) -> tuple:
    return (sum(multiply(t(adjugate(args[0])), tangents[0]), (-2, -1)),)


def _det_by_loop(a: Any) -> Any:
    (result,) = _det_infer(operand_type(a))
    return by_loop("det", (a,), (2, 0), [result.shape], [result.dtype], fails=False)


det = Custom(
    "det",
    _det_infer,
    "np.linalg.det({0})",
    vjp=_det_vjp,
    jvp=_det_jvp,
    linear=(),
    zeros="moved",
    moves=lambda numbers, a: (weight(numbers),),
    unknown_lengths=True,
    batch=with_same_attributes(),
    reads=reads.of_matrices(0),
    native=InnerLoops(_det_by_loop, has_loop),
    doc="""The determinant of square matrices. Its derivatives are there for singular ones as well.

    Raises:
        LinAlgError: a matrix is not square.
    """,
)

covers(np.linalg.det, "a")(det)

# -- slogdet ---------------------------------------------------------------------------------------


def _slogdet_infer(a: ArrayType) -> tuple[ArrayType, ArrayType]:
    (sign,) = _det_infer(a)
    return sign, ArrayType(real_dtype(sign.dtype), sign.shape)


def _slogdet_vjp(cts: Sequence, args: Sequence, outs: Sequence) -> tuple:
    by_sign, by_log = cts
    total = by_log
    if by_sign is not None and dtype_of(args[0]).kind == "c":
        turn = imaginary(multiply(by_sign, outs[0]))
        total = turn if total is None else add(total, turn)
    return (None if total is None else multiply(weight(total), t(inv(args[0]))),)


def _slogdet_jvp(tangents: Sequence, args: Sequence, outs: Sequence) -> tuple:
    change = trace(solve(args[0], tangents[0]), axis1=-2, axis2=-1)
    if dtype_of(args[0]).kind != "c":
        return (None, change)
    return (multiply(outs[0], imaginary(change)), real(change))


def _slogdet_by_loop(a: Any) -> Any:
    results = _slogdet_infer(operand_type(a))
    shapes, dtypes = zip(*((t.shape, t.dtype) for t in results))
    return by_loop("slogdet", (a,), (2, 0, 0), shapes, dtypes, fails=False)


sign_and_log_det = Custom(
    "sign_and_log_det",
    _slogdet_infer,
    "np.linalg.slogdet({0})",
    vjp=_slogdet_vjp,
    jvp=_slogdet_jvp,
    linear=(),
    zeros="lost",
    unknown_lengths=True,
    batch=with_same_attributes(),
    reads=reads.of_matrices(0),
    native=InnerLoops(_slogdet_by_loop, has_loop),
    doc="What `slogdet` gives.",
)


@covers(np.linalg.slogdet, "a")
def slogdet(a: Any) -> Any:
    """The sign of the determinant of square matrices, and the logarithm of its absolute value.

    The derivative needs them to be regular: it is a LinAlgError for singular ones.

    Raises:
        LinAlgError: a matrix is not square.
    """
    return SlogdetResult(*sign_and_log_det(a))
