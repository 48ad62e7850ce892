"""Which functions stand for those of ``scipy.linalg``, without importing it.

They have SciPy's arguments. Those that let it use memory again (``overwrite_a``) change nothing, as
elsewhere: an array that is given keeps its elements. With ``check_finite``, the default, infinities
and NaNs raise, as in SciPy.
"""

from __future__ import annotations

import difflib
import sys
from collections.abc import Callable
from typing import Any

import numpy as np

from ops.arrays.contraction import matmul
from ops.arrays.creation import zeros
from ops.arrays.indexing import subscript
from ops.arrays.joining import array, concatenate
from ops.arrays.reduction import all
from ops.control import effects
from ops.core.operands import dims_of, dtype_of, ndim_of
from ops.elementwise import add, equal, exp, isfinite
from ops.elementwise.conversion import astype, conjugate
from ops.linalg import (
    common,
    determinants,
    eigen,
    exponential,
    factorisations,
    norms,
    singular,
    systems,
)
from ops.linalg.common import as_lapack, h, t
from ops.linalg.exchanges import exchanges_of_order, order_of_exchanges
from ops.linalg.least_squares import pinv as _pinv
from ops.special.scipy_names import of_lists
from ops.structure.reshaping import expand_dims

_GENERAL = (None, "gen", "general")
# The part of the matrix that is read, where it is assumed to have zeros elsewhere.
_PARTS: dict[str | None, Callable[[Any], Any]] = {
    **dict.fromkeys((*_GENERAL, "banded"), lambda a: a),
    "diagonal": lambda a: common.lower(common.upper(a)),
    "tridiagonal": lambda a: common.lower(common.upper(a, -1), 1),
    "upper triangular": common.upper,
    "lower triangular": common.lower,
}
_SYMMETRIC = ("sym", "symmetric", "pos", "positive definite")
_HERMITIAN = ("her", "hermitian")


def _checked(x: Any, check_finite: bool) -> Any:
    """An array in the dtype of LAPACK; with infinities or NaNs in it, the program raises."""
    x = as_lapack(_as_array(x))
    if check_finite:
        message = "array must not contain infs or NaNs"
        effects.check(all(isfinite(x)), error="ValueError", message=message)
    return x


def _as_array(x: Any) -> Any:
    return array(x) if isinstance(x, (list, tuple)) else x


def _lengths(x: Any, name: str) -> tuple[int, ...]:
    """The shape of an array, which has to be known while the function is recorded."""
    dims = dims_of(x)
    found = tuple(n for n in dims if n is not None)
    if len(found) < len(dims):
        raise NotImplementedError(f"scipy.linalg.{name} of lengths known only at run time")
    return found


def _mirrored(a: Any, lower: bool, conjugates: bool) -> Any:
    """The matrices of which one triangle is read."""
    triangle = common.lower(a) if lower else common.upper(a)
    rest = common.lower(a, -1) if lower else common.upper(a, 1)
    return add(triangle, h(rest) if conjugates else t(rest))


def solve(
    a: Any,
    b: Any,
    lower: bool = False,
    overwrite_a: bool = False,
    overwrite_b: bool = False,
    check_finite: bool = True,
    assume_a: str | None = None,
    transposed: bool = False,
) -> Any:
    """``scipy.linalg.solve``."""
    a, b = _checked(a, check_finite), _checked(b, check_finite)
    if assume_a in _HERMITIAN or assume_a in _SYMMETRIC:
        conjugates = assume_a in _HERMITIAN or str(assume_a).startswith("pos")
        a = _mirrored(a, lower, conjugates)
    elif assume_a in _PARTS:
        a = _PARTS[assume_a](a)
    else:
        raise NotImplementedError(f"scipy.linalg.solve with assume_a={assume_a!r}")
    return systems.solve(t(a) if transposed else a, b)


def solve_triangular(
    a: Any,
    b: Any,
    trans: int | str = 0,
    lower: bool = False,
    unit_diagonal: bool = False,
    overwrite_b: bool = False,
    check_finite: bool = True,
) -> Any:
    """``scipy.linalg.solve_triangular``."""
    a, b = _checked(a, check_finite), _checked(b, check_finite)
    if trans not in (0, 1, 2, "N", "T", "C"):
        raise ValueError(f"trans is {trans!r}, not one of 0, 1, 2, 'N', 'T' and 'C'")
    if trans in (0, "N"):
        return systems.triangular_solve(a, b, lower, unit_diagonal)
    turned = h(a) if trans in (2, "C") else t(a)
    return systems.triangular_solve(turned, b, not lower, unit_diagonal)


def cholesky(
    a: Any, lower: bool = False, overwrite_a: bool = False, check_finite: bool = True
) -> Any:
    """``scipy.linalg.cholesky``."""
    return factorisations.cholesky(_checked(a, check_finite), upper=not lower)


def cho_factor(
    a: Any, lower: bool = False, overwrite_a: bool = False, check_finite: bool = True
) -> tuple[Any, bool]:
    """``scipy.linalg.cho_factor``: the other triangle holds what ``a`` has there."""
    a = _checked(a, check_finite)
    factor = factorisations.cholesky(a, upper=not lower)
    rest = common.upper(a, 1) if lower else common.lower(a, -1)
    return add(factor, rest), lower


def cho_solve(
    c_and_lower: tuple[Any, bool], b: Any, overwrite_b: bool = False, check_finite: bool = True
) -> Any:
    """``scipy.linalg.cho_solve``."""
    c, lower = c_and_lower
    c, b = _checked(c, check_finite), _checked(b, check_finite)
    if lower:
        return systems.triangular_solve(h(c), systems.triangular_solve(c, b, True), False)
    return systems.triangular_solve(c, systems.triangular_solve(h(c), b, True), False)


def det(a: Any, overwrite_a: bool = False, check_finite: bool = True) -> Any:
    """``scipy.linalg.det``: of double precision, also for matrices of single precision."""
    result = determinants.det(_checked(a, check_finite))
    return astype(result, np.complex128 if dtype_of(result).kind == "c" else np.float64)


def inv(
    a: Any,
    overwrite_a: bool = False,
    check_finite: bool = True,
    *,
    assume_a: str | None = None,
    lower: bool = False,
) -> Any:
    """``scipy.linalg.inv``."""
    if assume_a not in _GENERAL:
        raise NotImplementedError(f"scipy.linalg.inv with assume_a={assume_a!r}")
    return systems.inv(_checked(a, check_finite))


def pinv(
    a: Any,
    *,
    atol: Any = None,
    rtol: Any = None,
    return_rank: bool = False,
    check_finite: bool = True,
) -> Any:
    """``scipy.linalg.pinv``."""
    if atol is not None or return_rank:
        raise NotImplementedError("scipy.linalg.pinv with atol, or return_rank")
    return _pinv(_checked(a, check_finite), rtol=rtol)


def norm(
    a: Any,
    ord: Any = None,
    axis: Any = None,
    keepdims: bool = False,
    check_finite: bool = True,
) -> Any:
    """``scipy.linalg.norm``."""
    return norms.norm(_checked(a, check_finite), ord, axis, keepdims)


def lu(
    a: Any,
    permute_l: bool = False,
    overwrite_a: bool = False,
    check_finite: bool = True,
    p_indices: bool = False,
) -> tuple:
    """``scipy.linalg.lu``, of one matrix."""
    a = _checked(a, check_finite)
    if ndim_of(a) != 2 or p_indices:
        raise NotImplementedError("scipy.linalg.lu of stacked matrices, or with p_indices")
    lower, upper, order = factorisations.lu(a)
    rows = np.arange(_lengths(a, "lu")[0])
    permutation = astype(
        equal(expand_dims(rows, 1), expand_dims(order, 0)), common.real_dtype(dtype_of(a))
    )
    if permute_l:
        return matmul(astype(permutation, dtype_of(a)), lower), upper
    return permutation, lower, upper


def lu_factor(a: Any, overwrite_a: bool = False, check_finite: bool = True) -> tuple[Any, Any]:
    """``scipy.linalg.lu_factor``, of one matrix. No warning tells of one that is singular."""
    a = _checked(a, check_finite)
    if ndim_of(a) != 2:
        raise NotImplementedError("scipy.linalg.lu_factor of stacked matrices")
    packed, order = factorisations.lu_packed(a)
    return packed, exchanges_of_order(order, steps=min(_lengths(a, "lu_factor")))


def lu_solve(
    lu_and_piv: tuple[Any, Any],
    b: Any,
    trans: int = 0,
    overwrite_b: bool = False,
    check_finite: bool = True,
) -> Any:
    """``scipy.linalg.lu_solve``, by the factors of one matrix."""
    packed, exchanges = lu_and_piv
    packed, b = _checked(packed, check_finite), _checked(b, check_finite)
    if trans not in (0, 1, 2):
        raise ValueError(f"trans is {trans!r}, not one of 0, 1 and 2")
    if ndim_of(packed) != 2 or ndim_of(b) > 2:
        raise NotImplementedError("scipy.linalg.lu_solve of stacked matrices")
    n, m = _lengths(packed, "lu_solve")
    if n != m or dims_of(b)[0] not in (n, None):
        raise ValueError(f"factors of {(n, m)} and b of {dims_of(b)} do not fit")
    order = order_of_exchanges(exchanges, rows=n)
    return factorisations.lu_solve(packed, order, b, "NTC"[trans])


def expm(A: Any) -> Any:
    """``scipy.linalg.expm``."""
    a = _as_array(A)
    if ndim_of(a) == 0:
        a = expand_dims(a, (0, 1))
    if ndim_of(a) < 2:
        raise np.linalg.LinAlgError("The input array must be at least two-dimensional")
    a = as_lapack(a)
    return exp(a) if dims_of(a)[-2:] == (1, 1) else exponential.expm(a)


def svdvals(a: Any, overwrite_a: bool = False, check_finite: bool = True) -> Any:
    """``scipy.linalg.svdvals``."""
    return singular.svdvals(_checked(a, check_finite))


def eigvalsh(
    a: Any,
    b: Any = None,
    *,
    lower: bool = True,
    overwrite_a: bool = False,
    overwrite_b: bool = False,
    type: int = 1,
    check_finite: bool = True,
    subset_by_index: Any = None,
    subset_by_value: Any = None,
    driver: Any = None,
) -> Any:
    """``scipy.linalg.eigvalsh`` of one matrix, all of its eigenvalues."""
    if b is not None or subset_by_index is not None or subset_by_value is not None:
        raise NotImplementedError("scipy.linalg.eigvalsh of two matrices, or of a part")
    return eigen.eigvalsh(_checked(a, check_finite), "L" if lower else "U")


def block_diag(*arrs: Any) -> Any:
    """``scipy.linalg.block_diag`` of numbers, vectors, which are rows, and matrices."""
    blocks = [_as_matrix(_as_array(block)) for block in arrs or ([],)]
    shapes = [_lengths(block, "block_diag") for block in blocks]
    width = sum(m for _, m in shapes)
    dtype = np.result_type(*map(dtype_of, blocks))
    rows, before = [], 0
    for block, (n, m) in zip(blocks, shapes):
        left, right = zeros((n, before), dtype), zeros((n, width - before - m), dtype)
        rows.append(concatenate([left, astype(block, dtype), right], 1))
        before += m
    return concatenate(rows, 0)


def _as_matrix(block: Any) -> Any:
    if ndim_of(block) > 2:
        raise NotImplementedError("scipy.linalg.block_diag of stacked matrices")
    return expand_dims(block, tuple(range(2 - ndim_of(block))))


def toeplitz(c: Any, r: Any = None) -> Any:
    """``scipy.linalg.toeplitz`` of vectors."""
    c, r = _as_array(c), _as_array(r)
    if ndim_of(c) != 1 or (r is not None and ndim_of(r) != 1):
        raise NotImplementedError("scipy.linalg.toeplitz of what is no vector")
    r = conjugate(c) if r is None else r
    (n,), (m,) = _lengths(c, "toeplitz"), _lengths(r, "toeplitz")
    values = concatenate([subscript(c, slice(None, None, -1)), subscript(r, slice(1, None))])
    places = n - 1 - np.arange(n)[:, None] + np.arange(m)
    return subscript(values, places)


FUNCTIONS: dict[str, Callable] = {
    function.__name__: function
    for function in (
        *(block_diag, cho_factor, cho_solve, cholesky, det, eigvalsh, expm, inv, lu, lu_factor),
        *(lu_solve, norm, pinv, solve, solve_triangular, svdvals, toeplitz),
    )
}


def of_scipy_linalg(function: Callable) -> Callable | None:
    """What stands for a function of ``scipy.linalg``; None for functions from elsewhere.

    For those of SciPy's for which nothing does, a function that says so.
    """
    module = sys.modules.get("scipy.linalg")
    name = getattr(function, "__name__", None)
    if module is None or not isinstance(name, str) or getattr(module, name, None) is not function:
        return None
    if name in ("cho_solve", "lu_solve"):  # whose tuple is no array
        return FUNCTIONS[name]
    ours = FUNCTIONS.get(name)
    return _refused(name) if ours is None else of_lists(ours)


def _refused(name: str) -> Callable:
    near = difflib.get_close_matches(name, FUNCTIONS, n=1)
    nearest = f"; use scipy.linalg.{near[0]}, the nearest that is supported" if near else ""

    def refuse(*args: Any, **kwargs: Any) -> Any:
        raise NotImplementedError(f"scipy.linalg.{name} of traced arrays{nearest}")

    return refuse
