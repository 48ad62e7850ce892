"""What the modules of this package share: LAPACK's dtypes, checks of shapes, parts of matrices."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ops.arrays.reduction import max
from ops.core.inner_loops import inner_loop
from ops.core.operands import dims_of, dtype_of, ndim_of
from ops.core.types import ArrayType
from ops.elementwise import absolute, add, divide, less_equal, multiply, subtract
from ops.elementwise.conversion import astype, conjugate, where
from ops.numbers.complex_numbers import imag, real
from ops.structure.broadcasting import sum
from ops.structure.permuting import swapaxes
from ops.structure.reshaping import expand_dims

# NumPy's own classes of results, which it doesn't name in public.
EighResult = type(np.linalg.eigh(np.eye(1)))
EigResult = type(np.linalg.eig(np.eye(1)))
QRResult = type(np.linalg.qr(np.eye(1)))
SlogdetResult = type(np.linalg.slogdet(np.eye(1)))
SVDResult = type(np.linalg.svd(np.eye(1)))

_NAMES = ("float32", "float64", "complex64", "complex128")


# -- types -----------------------------------------------------------------------------------------


def lapack_dtype(*types: ArrayType) -> np.dtype:
    """The dtype that NumPy's linear algebra gives for operands of these types.

    Integers are taken as float64.

    Raises:
        TypeError: LAPACK has no routine for one of the dtypes.
    """
    dtypes = [np.dtype(np.float64) if t.dtype.kind in "biu" else t.dtype for t in types]
    for dtype in dtypes:
        if dtype.name not in _NAMES:
            raise TypeError(f"array type {dtype.name} is unsupported in linalg")
    return np.result_type(*dtypes)


def real_dtype(dtype: np.dtype) -> np.dtype:
    """That of the real part of numbers of the given dtype."""
    return np.zeros((), dtype).real.dtype


def as_lapack(x: Any) -> Any:
    """``x`` in the dtype that LAPACK computes in."""
    return astype(x, np.float64) if dtype_of(x).kind in "biu" else x


def check_stacked(x: ArrayType) -> None:
    """Raises LinAlgError unless ``x`` has two axes or more, of which the last are known."""
    if x.ndim < 2:
        raise np.linalg.LinAlgError(
            f"{x.ndim}-dimensional array given. Array must be at least two-dimensional"
        )
    x.known((-2, -1))


def check_square(x: ArrayType) -> None:
    """Raises LinAlgError unless ``x`` holds square matrices."""
    check_stacked(x)
    if x.shape[-1] != x.shape[-2]:
        raise np.linalg.LinAlgError("Last 2 dimensions of the array must be square")


def square_infer(x: ArrayType) -> tuple[ArrayType]:
    """The rule of operators from square matrices to matrices of the same shape."""
    check_square(x)
    return (ArrayType(lapack_dtype(x), x.shape),)


# -- in kernels ------------------------------------------------------------------------------------


def by_loop(
    name: str,
    arrays: Sequence[Any],
    core: Sequence[int],
    shapes: Sequence[tuple],
    dtypes: Sequence[np.dtype],
    fails: bool = True,
    changes: Sequence[int] = (),
) -> Any:
    """What the Python of ``np.linalg`` makes of arrays by one of its ufuncs, in double precision.

    Args:
        name: of the ufunc.
        core: how many axes belong to each matrix, or vector, of the operands and results.
        shapes, dtypes: of the results.
        fails: whether the ufunc tells of matrices that have no result.
        changes: which arrays it changes. They come first, as it leaves them.
    """
    is_complex = any(dtype_of(x).kind == "c" for x in arrays)
    given = np.dtype(np.complex128 if is_complex else np.float64)
    made = [np.dtype(np.complex128 if d.kind == "c" else np.float64) for d in dtypes]
    every = [*(ndim_of(x) for x in arrays), *map(len, shapes)]
    found = inner_loop(
        [astype(x, given) for x in arrays],
        f"numpy.linalg._umath_linalg.{name}",
        given.char * len(arrays) + "".join(d.char for d in made),
        [range(ndim - n, ndim) for ndim, n in zip(every, core)],
        shapes,
        changes=changes,
        fails=fails,
    )
    dtypes = [*(given for _ in changes), *dtypes]
    if len(dtypes) == 1:
        return astype(found, dtypes[0])
    return tuple(astype(x, dtype) for x, dtype in zip(found, dtypes))


def has_loop(types: Sequence[ArrayType], attrs: dict[str, Any]) -> bool:
    """Whether `by_loop` is for operands of these types: they have elements, and several stacks of
    matrices have the same shape."""
    if not all(t.dtype.kind in "biu" or t.dtype.name in _NAMES for t in types):
        return False
    if any(length == 0 for t in types for length in t.shape):
        return False
    stacks = [t.shape[:-2] for t in types if t.ndim > 2]
    return all(stack == stacks[0] for stack in stacks[1:])


# -- parts of matrices -----------------------------------------------------------------------------


def t(x: Any) -> Any:
    """The transpose of each matrix."""
    return swapaxes(x, -1, -2)


def conj(x: Any) -> Any:
    """The conjugate; a real array as it is."""
    return conjugate(x) if dtype_of(x).kind == "c" else x


def h(x: Any) -> Any:
    """The conjugate transpose of each matrix."""
    return t(conj(x))


def real_part(x: Any) -> Any:
    """The real part; a real array as it is."""
    return real(x) if dtype_of(x).kind == "c" else x


def imaginary(x: Any) -> Any:
    """The imaginary part of a complex array times ``i``."""
    return multiply(imag(x), dtype_of(x).type(1j))


def as_rows(x: Any) -> Any:
    """Vectors as matrices of one row each: multiplied with it, columns are weighted."""
    return expand_dims(x, -2)


def as_columns(x: Any) -> Any:
    """Vectors as matrices of one column each: multiplied with it, rows are weighted."""
    return expand_dims(x, -1)


def weight(x: Any) -> Any:
    """Numbers, one per matrix, with two axes for its rows and columns."""
    return expand_dims(x, (-1, -2))


def matrix_moves(numbers: Any, *args: Any, **attrs: Any) -> tuple:
    """`Custom.moves` of an operator from matrices to matrices, each for itself."""
    return (sum(numbers, (-2, -1), keepdims=True),)


def on_diagonal(mask_of: Any, x: Any, y: Any) -> Any:
    """``x`` on the diagonals of matrices, ``y`` elsewhere; ``mask_of`` has their shape."""
    return where(np.eye(*dims_of(mask_of)[-2:], dtype=bool), x, y)


def zero(x: Any) -> Any:
    """The number 0 of the dtype of ``x``."""
    return dtype_of(x).type(0)


def diagonal_matrix(x: Any) -> Any:
    """Vectors on the diagonals of matrices of zeros."""
    n = dims_of(x)[-1]
    return where(np.eye(n, dtype=bool), as_rows(x), zero(x))


def lower(x: Any, k: int = 0) -> Any:
    """The lower triangles of matrices: nothing above the ``k``-th diagonal."""
    return where(np.tri(*dims_of(x)[-2:], k, bool), x, zero(x))


def upper(x: Any, k: int = 0) -> Any:
    """The upper triangles of matrices: nothing below the ``k``-th diagonal."""
    return where(~np.tri(*dims_of(x)[-2:], k - 1, bool), x, zero(x))


def half_lower(x: Any) -> Any:
    """The lower triangles of matrices with their diagonals halved."""
    n = dims_of(x)[-1]
    weights = np.tri(n) - np.eye(n) / 2
    return multiply(x, weights.astype(real_dtype(dtype_of(x))))


def hermitian(x: Any, triangle: str = "L") -> Any:
    """The Hermitian matrices that LAPACK takes from one triangle of ``x``; the imaginary part of
    the diagonal is not read."""
    part = lower(x, -1) if triangle == "L" else upper(x, 1)
    return add(add(part, h(part)), on_diagonal(x, real_part(x), zero(x)))


def hermitian_transpose(ct: Any, triangle: str = "L") -> Any:
    """The transpose of `hermitian`, of conjugated cotangents."""
    both = add(ct, h(ct))
    part = lower(both, -1) if triangle == "L" else upper(both, 1)
    return add(part, on_diagonal(ct, real_part(ct), zero(ct)))


def inverse_gaps(x: Any) -> Any:
    """``1 / (x[j] - x[i])`` for each two elements of vectors; 0 where these are all but equal."""
    gaps = subtract(as_rows(x), as_columns(x))
    n = dims_of(x)[-1]
    if n == 0:
        return gaps
    rounding = n * float(np.finfo(dtype_of(x)).eps)
    near = multiply(expand_dims(max(absolute(x), -1, keepdims=True), -1), rounding)
    same = less_equal(absolute(gaps), near)
    inverse = divide(1.0, where(same, dtype_of(x).type(1), gaps))
    return where(same, zero(x), inverse)
