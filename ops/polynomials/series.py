"""NumPy's functions on series of polynomials: power series, Chebyshev, Legendre, Hermite, Laguerre.

Evaluating one series is in `ops.polynomials.polynomials`. What is linear in the coefficients,
derivatives and integrals, is a product with the matrix that NumPy's function gives for the unit
vectors, but for power series, where that is sparse; products of series are bilinear. What leaves
out coefficients because they are zero raises a ValueError where traced ones are, for then the
length of the result would depend on the data.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import ModuleType
from typing import Any

import numpy as np
from numpy.lib.array_utils import normalize_axis_index

from ops.arrays.contraction import matmul
from ops.arrays.creation import zeros_like
from ops.arrays.indexing import assigned, subscript
from ops.arrays.joining import as_arrays, concatenate, stack
from ops.arrays.reduction import any
from ops.control.effects import check
from ops.core.lengths import lengths_of
from ops.core.numpy_table import CREATORS, FUNCTIONS, covers
from ops.core.operands import (
    Symbolic,
    concrete,
    dims_of,
    dtype_of,
    index_of,
    ndim_of,
    operand_type,
    shape_of,
)
from ops.elementwise import add, divide, equal, multiply, not_equal, sqrt, subtract
from ops.elementwise.conversion import astype, where
from ops.elementwise.conversion import conjugate as conj
from ops.numbers.complex_numbers import real
from ops.polynomials.polynomials import FAMILIES, float_series, require_points
from ops.structure.broadcasting import sum
from ops.structure.identity import copy
from ops.structure.permuting import moveaxis, transpose
from ops.structure.reshaping import reshape

__all__ = []


def _enter(
    module: ModuleType, name: str, function: Callable, doc: str, signature="", creates=False
) -> None:
    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"``{module.__name__}.{name}``: {doc}"
    covers(getattr(module, name), *([signature] if signature else []), creates=creates)(function)


# -- values ----------------------------------------------------------------------------------------


def _vander(next_term: Callable) -> Callable:
    def vander(x: Any, deg: int) -> Any:
        deg = index_of(deg)
        if deg < 0:
            raise ValueError("deg must be non-negative")
        x = float_series(x)
        terms, before = [zeros_like(x) + 1], None
        for i in range(1, deg + 1):
            terms.append(next_term(i, x, terms[-1], before))
            before = terms[-2]
        return stack(terms, axis=-1)

    return vander


def _at_points(value: Callable, count: int) -> Callable:
    """The value of a series in several variables at points."""

    def values(*args: Any) -> Any:
        *points, c = as_arrays(args)
        if len(points) != count:
            raise TypeError(f"expected {count + 1} arguments, not {len(args)}")
        if len({dims_of(x) for x in points}) > 1:
            raise ValueError(f"{'x, y, z' if count == 3 else 'x, y'} are incompatible")
        for i, x in enumerate(points):
            c = value(x, c, tensor=i == 0)
        return c

    return values


def _on_grid(value: Callable, count: int) -> Callable:
    """The value of a series in several variables on the grid of all combinations."""

    def values(*args: Any) -> Any:
        *points, c = as_arrays(args)
        if len(points) != count:
            raise TypeError(f"expected {count + 1} arguments, not {len(args)}")
        for x in points:
            c = value(x, c)
        return c

    return values


# -- derivatives and integrals ---------------------------------------------------------------------


def _order(m: Any, what: str) -> int:
    m = index_of(m)
    if m < 0:
        raise ValueError(f"The order of {what} must be non-negative")
    return m


def _applied(matrix: np.ndarray, c: Any) -> Any:
    """A matrix times the coefficients along the first axis."""
    flat = reshape(c, (lengths_of(c)[0], -1)) if ndim_of(c) != 1 else c
    result = matmul(astype(matrix, dtype_of(c)), flat)
    return reshape(result, (len(matrix), *lengths_of(c)[1:]))


def _derivative(derived: Callable) -> Callable:
    """The derivatives of series, given ``derived(c, m, scl)`` for ``m > 0``."""

    def derivative(c: Any, m: int = 1, scl: Any = 1, axis: int = 0) -> Any:
        m = _order(m, "derivation")
        c = float_series(c)
        axis = normalize_axis_index(axis, ndim_of(c))
        if m == 0:
            return copy(c)
        return moveaxis(derived(moveaxis(c, axis, 0), m, scl), 0, axis)

    return derivative


def _derived_by(of: Callable) -> Callable:
    """A derivative by the matrix that NumPy's function ``of`` gives for the unit vectors."""

    def derived(c: Any, m: int, scl: Any) -> Any:
        result = _applied(of(np.eye(shape_of(c)[0]), m), c)
        for _ in range(m):
            result = multiply(result, scl)
        return result

    return derived


def _derived_powers(c: Any, m: int, scl: Any) -> Any:
    """The derivative of power series."""
    if m >= shape_of(c)[0]:
        return zeros_like(subscript(c, slice(None, 1)))
    for _ in range(m):
        c = subscript(c, slice(1, None))
        c = multiply(multiply(c, scl), _exponents(c))
    return c


def _exponents(c: Any) -> np.ndarray:
    """1, 2 ... for coefficients along the first axis."""
    exponents = np.arange(1, shape_of(c)[0] + 1, dtype=dtype_of(c))
    return exponents.reshape(-1, *[1] * (ndim_of(c) - 1))


def _integral(integrated: Callable, value: Callable) -> Callable:
    """The integrals of series, given one from 0, ``integrated(c)``, and their values."""

    def integral(
        c: Any, m: int = 1, k: Sequence = (), lbnd: Any = 0, scl: Any = 1, axis: int = 0
    ) -> Any:
        m = _order(m, "integration")
        k = list(k) if isinstance(k, (list, tuple)) else [k]
        if len(k) > m:
            raise ValueError("Too many integration constants")
        for name, z in (("lbnd", lbnd), ("scl", scl)):
            if isinstance(z, (list, tuple)) or ndim_of(z):
                raise ValueError(f"{name} must be a scalar.")
        c = float_series(c)
        axis = normalize_axis_index(axis, ndim_of(c))
        if m == 0:
            return copy(c)
        c = moveaxis(c, axis, 0)
        for constant in k + [0] * (m - len(k)):
            _require_growth(c)
            whole = integrated(multiply(c, scl))
            start = subtract(constant, value(lbnd, whole))
            c = assigned(whole, 0, add(subscript(whole, 0), start))
        return moveaxis(c, 0, axis)

    return integral


def _integrated_by(of: Callable) -> Callable:
    """An integral by the matrix that NumPy's function ``of`` gives for the unit vectors."""
    return lambda c: _applied(of(np.eye(shape_of(c)[0])), c)


def _integrated_powers(c: Any) -> Any:
    """The integral of power series."""
    return concatenate([zeros_like(subscript(c, slice(None, 1))), divide(c, _exponents(c))])


def _require_growth(c: Any) -> None:
    """Check that the integral of a series has a coefficient more, which that of 0 has not."""
    if dims_of(c)[0] == 1:
        message = "the integral of a series that is zero has another length; add a coefficient"
        check(any(not_equal(c, 0)), error="ValueError", message=message)


# -- arithmetic ------------------------------------------------------------------------------------


def _series(*given: Any) -> list[Any]:
    """Vectors of coefficients without zeros at their ends, of one dtype."""
    found = []
    for c in given:
        c = float_series(c)
        if ndim_of(c) != 1:
            raise ValueError("Coefficient array is not 1-d")
        if shape_of(c)[0] == 0:
            raise ValueError("Coefficient array is empty")
        c = concrete(c)
        if isinstance(c, Symbolic):
            _require_end(c)
        else:
            c = np.polynomial.polyutils.trimseq(c)
        found.append(c)
    dtype = np.result_type(*(dtype_of(c) for c in found))
    return [astype(c, dtype) for c in found]


def _require_end(c: Any) -> None:
    if shape_of(c)[0] > 1:
        message = (
            "a series ends with a coefficient that is zero, which NumPy leaves out, so that the "
            "length would depend on the data"
        )
        check(not_equal(subscript(c, -1), 0), error="ValueError", message=message)


def _sum_by(combine: Callable) -> Callable:
    def total(c1: Any, c2: Any) -> Any:
        c1, c2 = _series(c1, c2)
        m, n = shape_of(c1)[0], shape_of(c2)[0]
        if m < n:
            c1 = concatenate([c1, zeros_like(c1, shape=n - m)])
        elif n < m:
            c2 = concatenate([c2, zeros_like(c2, shape=m - n)])
        result = combine(c1, c2)
        if m == n and isinstance(result, Symbolic):
            _require_end(result)
        return result if isinstance(result, Symbolic) else np.polynomial.polyutils.trimseq(result)

    return total


def _product(of: Callable) -> Callable:
    def product(c1: Any, c2: Any) -> Any:
        c1, c2 = _series(c1, c2)
        m, n = shape_of(c1)[0], shape_of(c2)[0]
        table = np.zeros((m, n, m + n - 1))
        for i in range(m):
            for j in range(n):
                found = of([0] * i + [1], [0] * j + [1])
                table[i, j, : len(found)] = found
        pairs = reshape(multiply(reshape(c1, (m, 1)), c2), -1)
        return matmul(pairs, astype(table.reshape(m * n, -1), dtype_of(pairs)))

    return product


# -- fits ------------------------------------------------------------------------------------------


def _fit(vander: Callable) -> Callable:
    def fit(x: Any, y: Any, deg: Any, rcond: float | None = None, w: Any = None) -> Any:
        x, y = (add(z, 0.0) for z in as_arrays((x, y)))
        deg = np.asarray(deg if np.ndim(deg) else index_of(deg))
        if deg.ndim > 1 or deg.dtype.kind not in "iu" or deg.size == 0:
            raise TypeError("deg must be an int or non-empty 1-D array of int")
        if deg.min() < 0:
            raise ValueError("expected deg >= 0")
        require_points(x, y)
        left, right = vander(x, int(deg.max())), y
        if deg.ndim:
            deg = np.sort(deg)
            left = subscript(left, (slice(None), deg))
        if w is not None:
            w = add(as_arrays((w,))[0], 0.0)
            if ndim_of(w) != 1:
                raise TypeError("expected 1D vector for w")
            if shape_of(w)[0] != shape_of(x)[0]:
                raise TypeError("expected x and w to have same length")
            column = reshape(w, (-1, 1))
            left = multiply(left, column)
            right = multiply(right, column if ndim_of(y) == 2 else w)
        if rcond is None:
            rcond = multiply(shape_of(x)[0], np.finfo(operand_type(x).dtype).eps)
        scale = sqrt(sum(real(multiply(left, conj(left))), axis=0))
        scale = where(equal(scale, 0), dtype_of(scale).type(1), scale)
        found = FUNCTIONS[np.linalg.lstsq](divide(left, scale), right, rcond)[0]
        result = transpose(divide(transpose(found), scale))
        if not deg.ndim:
            return result
        lengths = (int(deg.max()) + 1, *lengths_of(result)[1:])
        return assigned(zeros_like(result, shape=lengths), deg, result)

    return fit


# -- the six families ------------------------------------------------------------------------------

for _name, _module, _next_term in FAMILIES:
    _prefix = _name.removesuffix("val")
    _value = CREATORS[getattr(_module, _name)]
    _basis = _vander(_next_term)
    for _count in (2, 3):
        _enter(_module, f"{_name}{_count}d", _at_points(_value, _count), "a series at points.")
        _grid = _on_grid(_value, _count)
        _enter(_module, f"{_prefix}grid{_count}d", _grid, "a series on a grid.")
    _enter(_module, f"{_prefix}fit", _fit(_basis), "a fit.", "x y deg rcond full=False w")
    _enter(_module, f"{_prefix}add", _sum_by(add), "the sum of two series.")
    _enter(_module, f"{_prefix}sub", _sum_by(subtract), "the difference of two series.")
    _of = getattr(_module, f"{_prefix}mul")
    _enter(_module, f"{_prefix}mul", _product(_of), "the product of two series.")
    if _prefix == "poly":
        _derived, _integrated = _derived_powers, _integrated_powers
    else:
        _enter(_module, f"{_prefix}vander", _basis, "the polynomials up to a degree at x.")
        _derived = _derived_by(getattr(_module, f"{_prefix}der"))
        _integrated = _integrated_by(getattr(_module, f"{_prefix}int"))
    _made = _derivative(_derived)
    _doc = "the m-th derivative of a series."
    _enter(_module, f"{_prefix}der", _made, _doc, creates=_prefix == "poly")
    _made = _integral(_integrated, _value)
    _doc = "the m-th integral of a series."
    _enter(_module, f"{_prefix}int", _made, _doc, creates=_prefix == "poly")
