"""Eigenvalues and eigenvectors.

The derivatives are those of Giles (2008). With ``P = V^-1 dA V``, and off the diagonal
``F[i, j] = 1 / (w[j] - w[i])``, they are ``dw = diag(P)`` and ``dV = V (F * P)``, for general
matrices less the part along each eigenvector, whose length stays 1. Eigenvectors are determined but
for a factor of absolute value 1, and only of functions that do not depend on it the derivative is
defined. Where eigenvalues are equal, so are rotations among their vectors: the terms that would mix
these are left out, which is right for functions that depend on the space only that such vectors
span.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ops.arrays.contraction import matmul
from ops.arrays.diagonals import diagonal
from ops.arrays.reduction import argmin, max
from ops.core import reads
from ops.core.kernels import InnerLoops
from ops.core.numpy_table import covers
from ops.core.operands import dtype_of, known_length, operand_type
from ops.core.registry import Custom
from ops.core.types import ArrayType
from ops.elementwise import absolute, add, divide, equal, less_equal, multiply, subtract
from ops.elementwise.conversion import astype, where
from ops.linalg.common import (
    EighResult,
    EigResult,
    as_columns,
    as_rows,
    by_loop,
    check_square,
    conj,
    diagonal_matrix,
    h,
    has_loop,
    hermitian,
    hermitian_transpose,
    inverse_gaps,
    lapack_dtype,
    real_dtype,
    real_part,
    zero,
)
from ops.linalg.systems import solve
from ops.structure.lanes import with_same_attributes
from ops.structure.reshaping import squeeze

__all__ = [
    "eig",
    "eig_factors",
    "eigh",
    "eigh_factors",
    "eigvals",
    "eigvalsh",
]

# -- Hermitian matrices ----------------------------------------------------------------------------


def _triangle(UPLO: Any) -> str:
    if not isinstance(UPLO, str) or UPLO.upper() not in ("L", "U"):
        raise ValueError("UPLO argument must be 'L' or 'U'")
    return UPLO.upper()


def _eigh_infer(a: ArrayType, UPLO: str) -> tuple[ArrayType, ArrayType]:
    check_square(a)
    dtype = lapack_dtype(a)
    return ArrayType(real_dtype(dtype), a.shape[:-1]), ArrayType(dtype, a.shape)


def _eigh_jvp(tangents: Sequence, args: Sequence, outs: Sequence, UPLO: str) -> tuple:
    w, v = outs
    inner = matmul(h(v), matmul(hermitian(tangents[0], UPLO), v))
    change = diagonal(real_part(inner), axis1=-2, axis2=-1)
    return change, matmul(v, multiply(inverse_gaps(w), inner))


def _eigh_vjp(cts: Sequence, args: Sequence, outs: Sequence, UPLO: str) -> tuple:
    (by_w, by_v), (w, v) = cts, outs
    inner = None if by_w is None else diagonal_matrix(by_w)
    if by_v is not None:
        turned = multiply(inverse_gaps(w), matmul(h(v), conj(by_v)))
        inner = turned if inner is None else add(inner, turned)
    return (conj(hermitian_transpose(matmul(v, matmul(inner, h(v))), UPLO)),)


def _eigh_by_loop(a: Any, UPLO: str) -> Any:
    name = "eigh_lo" if UPLO == "L" else "eigh_up"
    shapes, dtypes = zip(*((t.shape, t.dtype) for t in _eigh_infer(operand_type(a), UPLO)))
    return by_loop(name, (a,), (2, 1, 2), shapes, dtypes)


def _eigvalsh_by_loop(a: Any, UPLO: str) -> Any:
    name = "eigvalsh_lo" if UPLO == "L" else "eigvalsh_up"
    (values, _) = _eigh_infer(operand_type(a), UPLO)
    return by_loop(name, (a,), (2, 1), [values.shape], [values.dtype])


eigh_factors = Custom(
    "eigh_factors",
    _eigh_infer,
    "np.linalg.eigh({0}, '{UPLO}')",
    vjp=_eigh_vjp,
    jvp=_eigh_jvp,
    linear=(),
    zeros="lost",
    raises=True,
    errors=(np.linalg.LinAlgError,),
    unknown_lengths=True,
    batch=with_same_attributes(),
    reads=reads.of_matrices(0),
    native=InnerLoops(_eigh_by_loop, has_loop),
    doc="Eigenvalues and eigenvectors; see `eigh`.",
)


@covers(np.linalg.eigh, "a UPLO")
def eigh(a: Any, UPLO: str = "L") -> Any:
    """The eigenvalues, from the smallest up, and eigenvectors of Hermitian matrices.

    Where eigenvalues are equal the derivative is finite, and right for functions of the eigenvalues
    alone and of the space that their vectors span. For functions that weigh such vectors by their
    eigenvalues, as ``(v * np.exp(w)) @ v.T``, it lacks what the mixing of the vectors adds.

    Args:
        a: square matrices.
        UPLO: which triangle is read, "L" or "U"; the derivative by elements of the other is 0.

    Returns:
        The eigenvalues, and matrices whose columns are the eigenvectors, of length 1.

    Raises:
        LinAlgError: a matrix is not square, or the computation does not converge.
    """
    return EighResult(*eigh_factors(a, UPLO=_triangle(UPLO)))


def _eigvalsh_vjp(cts: Sequence, args: Sequence, outs: Sequence, UPLO: str) -> tuple:
    return _eigh_vjp((cts[0], None), args, eigh_factors(args[0], UPLO=UPLO), UPLO)


def _eigvalsh_jvp(tangents: Sequence, args: Sequence, outs: Sequence, UPLO: str) -> tuple:
    _, v = eigh_factors(args[0], UPLO=UPLO)
    inner = matmul(h(v), matmul(hermitian(tangents[0], UPLO), v))
    return (diagonal(real_part(inner), axis1=-2, axis2=-1),)


eigvalsh = Custom(
    "eigvalsh",
    lambda a, UPLO: _eigh_infer(a, UPLO)[:1],
    "np.linalg.eigvalsh({0}, '{UPLO}')",
    vjp=_eigvalsh_vjp,
    jvp=_eigvalsh_jvp,
    linear=(),
    zeros="lost",
    raises=True,
    errors=(np.linalg.LinAlgError,),
    prepare=lambda a, UPLO="L": ((a,), {"UPLO": _triangle(UPLO)}),
    unknown_lengths=True,
    batch=with_same_attributes(),
    reads=reads.of_matrices(0),
    native=InnerLoops(_eigvalsh_by_loop, has_loop),
    doc="The eigenvalues of Hermitian matrices, from the smallest up; the arguments are `eigh`'s.",
)

covers(np.linalg.eigvalsh, "a UPLO")(eigvalsh)

# -- general matrices ------------------------------------------------------------------------------


def _check_complex(a: ArrayType, name: str) -> None:
    """Refuses real matrices: whether NumPy's results are complex then depends on the values.

    Raises:
        NotImplementedError: the matrices are real.
    """
    check_square(a)
    if lapack_dtype(a).kind != "c":
        raise NotImplementedError(
            f"np.linalg.{name} of real matrices, whose result is real or complex by what is in "
            "them; use a.astype(complex)"
        )


def _eig_infer(a: ArrayType) -> tuple[ArrayType, ArrayType]:
    _check_complex(a, "eig")
    return ArrayType(a.dtype, a.shape[:-1]), ArrayType(a.dtype, a.shape)


def _eigvals_infer(a: ArrayType) -> tuple[ArrayType]:
    _check_complex(a, "eigvals")
    return (ArrayType(a.dtype, a.shape[:-1]),)


def _complex_gaps(w: Any) -> Any:
    """`inverse_gaps` of complex numbers."""
    gaps = subtract(as_rows(w), as_columns(w))
    n = known_length(w, -1)
    if n == 0:
        return gaps
    size = absolute(w)
    near = as_rows(multiply(max(size, -1, keepdims=True), n * float(np.finfo(dtype_of(w)).eps)))
    same = less_equal(absolute(gaps), near)
    return where(same, zero(w), divide(1.0, where(same, dtype_of(w).type(1), gaps)))


def _eig_jvp(tangents: Sequence, args: Sequence, outs: Sequence) -> tuple:
    w, v = outs
    inner = solve(v, matmul(tangents[0], v))
    turned = matmul(v, multiply(_complex_gaps(w), inner))
    along = real_part(diagonal(matmul(h(v), turned), axis1=-2, axis2=-1))
    change = subtract(turned, multiply(v, as_rows(along)))
    return diagonal(inner, axis1=-2, axis2=-1), change


def _eig_vjp(cts: Sequence, args: Sequence, outs: Sequence) -> tuple:
    (by_w, by_v), (w, v) = cts, outs
    inner = None if by_w is None else diagonal_matrix(conj(by_w))
    if by_v is not None:
        by_v = conj(by_v)
        projected = matmul(h(v), by_v)
        along = real_part(diagonal(projected, axis1=-2, axis2=-1))
        across = subtract(projected, multiply(matmul(h(v), v), as_rows(along)))
        turned = multiply(conj(_complex_gaps(w)), across)
        inner = turned if inner is None else add(inner, turned)
    return (conj(solve(h(v), matmul(inner, h(v)))),)


eig_factors = Custom(
    "eig_factors",
    _eig_infer,
    "np.linalg.eig({0})",
    vjp=_eig_vjp,
    jvp=_eig_jvp,
    linear=(),
    zeros="lost",
    raises=True,
    errors=(np.linalg.LinAlgError,),
    backends=("numpy",),
    unknown_lengths=True,
    batch=with_same_attributes(),
    reads=reads.of_matrices(0),
    doc="Eigenvalues and eigenvectors; see `eig`.",
)


@covers(np.linalg.eig, "a")
def eig(a: Any) -> Any:
    """The eigenvalues and eigenvectors of complex square matrices.

    Returns:
        The eigenvalues in no particular order, and matrices whose columns are the eigenvectors, of
        length 1.

    Raises:
        NotImplementedError: the matrices are real. NumPy's result is then real or complex by what
            is in them.
        LinAlgError: a matrix is not square, or the computation does not converge.
    """
    return EigResult(*eig_factors(a))


def _places(found: Any, w: Any) -> Any:
    """Which of the eigenvalues ``w`` each of ``found`` is, as rows with a single one: LAPACK gives
    them in another order if it is not asked for eigenvectors."""
    distance = absolute(subtract(as_columns(found), as_rows(w)))
    n = known_length(w, -1)
    if n == 0:
        return distance
    nearest = argmin(distance, -1)
    return astype(equal(as_columns(nearest), np.arange(n)), dtype_of(distance))


def _eigvals_vjp(cts: Sequence, args: Sequence, outs: Sequence) -> tuple:
    w, v = eig_factors(args[0])
    by_w = squeeze(matmul(as_rows(cts[0]), _places(outs[0], w)), -2)
    return _eig_vjp((by_w, None), args, (w, v))


def _eigvals_jvp(tangents: Sequence, args: Sequence, outs: Sequence) -> tuple:
    w, v = eig_factors(args[0])
    change = diagonal(solve(v, matmul(tangents[0], v)), axis1=-2, axis2=-1)
    return (squeeze(matmul(_places(outs[0], w), as_columns(change)), -1),)


eigvals = Custom(
    "eigvals",
    _eigvals_infer,
    "np.linalg.eigvals({0})",
    vjp=_eigvals_vjp,
    jvp=_eigvals_jvp,
    linear=(),
    zeros="lost",
    raises=True,
    errors=(np.linalg.LinAlgError,),
    backends=("numpy",),
    unknown_lengths=True,
    batch=with_same_attributes(),
    reads=reads.of_matrices(0),
    doc="The eigenvalues of complex square matrices in no particular order; see `eig`.",
)

covers(np.linalg.eigvals, "a")(eigvals)
