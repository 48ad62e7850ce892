"""NumPy's functions on polynomials that are given by their coefficients.

The functions directly in ``np`` have the highest power first, those in ``np.polynomial`` the lowest
one. What leaves out coefficients because they are zero is not supported: the length would depend on
the data.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ops.arrays.contraction import matmul
from ops.arrays.creation import zeros_like
from ops.arrays.indexing import assigned, subscript
from ops.arrays.joining import as_arrays, atleast_1d, concatenate, stack
from ops.arrays.reduction import argmax
from ops.control.effects import check
from ops.core.lengths import length, lengths_of
from ops.core.numpy_table import CREATORS, FUNCTIONS, covers
from ops.core.operands import (
    Symbolic,
    concrete,
    dims_of,
    index_of,
    ndim_of,
    operand_type,
    shape_of,
)
from ops.core.types import ArrayType
from ops.elementwise import (
    absolute,
    add,
    divide,
    equal,
    less_equal,
    logical_not,
    multiply,
    negative,
    not_equal,
    sqrt,
    subtract,
)
from ops.elementwise.conversion import astype, promote
from ops.numbers.complex_numbers import real
from ops.signal.sequences import convolve
from ops.structure.broadcasting import sum
from ops.structure.permuting import transpose
from ops.structure.reshaping import count, reshape

__all__ = [
    "poly",
    "polyadd",
    "polyder",
    "polydiv",
    "polyfit",
    "polyint",
    "polymul",
    "polysub",
    "polyval",
    "vander",
]


# -- np.polyval and its like: the highest power first ----------------------------------------------


def _coefficients(p: Any) -> Any:
    p = np.asarray(p.coeffs) if isinstance(p, np.poly1d) else p
    return atleast_1d(as_arrays((p,))[0])


@covers(np.polyval, "p x")
def polyval(p: Any, x: Any) -> Any:
    """The polynomial with coefficients ``p`` at ``x``, by Horner's rule.

    Args:
        p: coefficients, along the first axis.
        x: where to evaluate it: an array, or a polynomial to put in.
    """
    p = _coefficients(p)
    (x,) = as_arrays((x,))
    result = zeros_like(x)
    for i in range(shape_of(p)[0]):
        result = add(multiply(result, x), subscript(p, i))
    return result


@covers(np.polyadd, "a1 a2")
def polyadd(a1: Any, a2: Any) -> Any:
    """The sum of two polynomials."""
    a1, a2 = _padded(a1, a2)
    return add(a1, a2)


@covers(np.polysub, "a1 a2")
def polysub(a1: Any, a2: Any) -> Any:
    """The difference of two polynomials."""
    a1, a2 = _padded(a1, a2)
    return subtract(a1, a2)


def _padded(a1: Any, a2: Any) -> list[Any]:
    """Two polynomials with as many coefficients."""
    parts = [_coefficients(a1), _coefficients(a2)]
    size = max(shape_of(p)[0] for p in parts)
    return [
        p
        if shape_of(p)[0] == size
        else concatenate([zeros_like(p, shape=size - shape_of(p)[0]), p])
        for p in parts
    ]


@covers(np.polymul, "a1 a2")
def polymul(a1: Any, a2: Any) -> Any:
    """The product of two polynomials.

    Raises:
        ValueError: a polynomial of traced coefficients begins with a zero, when the program runs.
            NumPy leaves that out, and the result has another length.
    """
    return convolve(_trimmed(a1), _trimmed(a2))


def _trimmed(p: Any) -> Any:
    """A polynomial without zeros at the beginning."""
    p = concrete(_coefficients(p))
    if not isinstance(p, Symbolic):
        return np.poly1d(p).coeffs
    if shape_of(p)[0] > 1:
        message = (
            "np.polymul leaves out zeros at the beginning of a polynomial, so that the length of "
            "the product depends on the data; use np.convolve"
        )
        check(not_equal(subscript(p, 0), 0), error="ValueError", message=message)
    return p


@covers(np.polydiv)
def polydiv(u: Any, v: Any) -> tuple[Any, Any]:
    """The quotient and the remainder of two polynomials.

    Only the run knows the length of the remainder: coefficients at its beginning that are nearly
    zero, 1e-8 at most, are left out.
    """
    u, v = (add(_coefficients(p), 0.0) for p in (u, v))
    dtype = promote(operand_type(u), operand_type(v))
    rest, divisor = astype(u, dtype), astype(v, dtype)
    m, n = shape_of(u)[0], shape_of(v)[0]
    scale = divide(1.0, subscript(divisor, 0))
    quotient = []
    for k in range(m - n + 1):
        factor = multiply(scale, subscript(rest, k))
        quotient.append(factor)
        part = slice(k, k + n)
        rest = assigned(rest, part, subtract(subscript(rest, part), multiply(factor, divisor)))
    large = logical_not(less_equal(absolute(rest), 1e-8))  # also NaN
    ends = concatenate([subscript(large, slice(None, -1)), np.ones(1, bool)])
    rest = subscript(rest, slice(argmax(ends), None))
    return (stack(quotient) if quotient else zeros_like(rest, shape=1)), rest


@covers(np.polyder, "p m")
def polyder(p: Any, m: int = 1) -> Any:
    """The ``m``-th derivative of a polynomial.

    Raises:
        ValueError: ``m`` is negative.
    """
    m = index_of(m)
    if m < 0:
        raise ValueError("Order of derivative must be positive (see polyint)")
    p = _coefficients(p)
    for _ in range(m):
        n = shape_of(p)[0] - 1
        p = multiply(subscript(p, slice(None, max(n, 0))), np.arange(n, 0, -1))
    return p


@covers(np.polyint, "p m k")
def polyint(p: Any, m: int = 1, k: Any = None) -> Any:
    """The ``m``-th integral of a polynomial.

    Args:
        p: coefficients.
        m: the order.
        k: the constants of integration, one for all or one for each, the first integral's first.

    Raises:
        ValueError: ``m`` is negative, or there is another number of constants.
    """
    m = index_of(m)
    if m < 0:
        raise ValueError("Order of integral must be positive (see polyder)")
    p = _coefficients(p)
    k = np.zeros(m) if k is None else atleast_1d(as_arrays((k,))[0])
    if shape_of(k)[0] == 1 and m > 1:
        constants = [subscript(k, 0)] * m
    elif shape_of(k)[0] < m:
        raise ValueError("k must be a scalar or a rank-1 array of length 1 or >m.")
    else:
        constants = [subscript(k, i) for i in range(m)]
    for constant in constants:
        scaled = divide(p, np.arange(shape_of(p)[0], 0, -1))
        p = concatenate([scaled, reshape(constant, 1)])
    return p


@covers(np.poly, "seq_of_zeros")
def poly(seq_of_zeros: Any) -> Any:
    """The coefficients of the polynomial with the given zeros, or of a matrix's characteristic one.

    Raises:
        NotImplementedError: the zeros, or the matrix, are complex. NumPy leaves out imaginary parts
            if the zeros come in conjugate pairs.
        ValueError: there is neither a vector nor a square matrix.
    """
    (zeros,) = as_arrays((seq_of_zeros,))
    zeros = atleast_1d(zeros)
    shape = shape_of(zeros)
    dtype = operand_type(zeros).dtype
    is_matrix = len(shape) == 2 and shape[0] == shape[1] > 0
    if len(shape) != 1 and not is_matrix:
        raise ValueError("input must be 1d or non-empty square 2d array.")
    if dtype.kind == "c":
        raise NotImplementedError(
            "np.poly of complex zeros, which is real if they come in pairs; multiply the factors "
            "with np.convolve"
        )
    if is_matrix:
        matrix = astype(zeros, np.result_type(dtype, np.complex64))
        return real(_product(FUNCTIONS[np.linalg.eigvals](matrix)))
    if shape[0] == 0:
        return 1.0
    return _product(zeros if dtype == np.float32 else astype(zeros, np.float64))


def _product(zeros: Any) -> Any:
    """The coefficients of the polynomial with the given zeros."""
    dtype = operand_type(zeros).dtype
    result: Any = np.ones(1, dtype)
    for i in range(shape_of(zeros)[0]):
        zero = negative(subscript(zeros, slice(i, i + 1)))
        result = convolve(result, concatenate([np.ones(1, dtype), zero]))
    return result


def _powers(x: Any, n: int) -> list[Any]:
    """The powers 0, 1 ... n - 1 of ``x``, of which those above 1 are products of the others."""
    powers = [zeros_like(x) + 1, x][:n]
    while len(powers) < n:
        powers.append(multiply(powers[-1], x))
    return powers


@covers(np.vander, "x N increasing")
def vander(x: Any, N: int | None = None, increasing: bool = False) -> Any:
    """The powers of the elements of a vector: the matrix of an interpolation.

    Args:
        x: the vector.
        N: how many powers; by default as many as elements.
        increasing: whether the powers grow from left to right.

    Raises:
        ValueError: ``x`` is no vector.
    """
    if ndim_of(x) != 1:
        raise ValueError("x must be a one-dimensional array or sequence.")
    n = shape_of(x)[0] if N is None else index_of(N)
    x = astype(x, promote(operand_type(x), ArrayType(np.dtype(int))))
    if n == 0:
        return zeros_like(x, shape=(*lengths_of(x), 0))
    powers = _powers(x, n)
    return stack(powers if increasing else powers[::-1], axis=1)


def require_points(x: Any, y: Any) -> None:
    """Raise TypeError for data that no polynomial can be fitted to."""
    if ndim_of(x) != 1:
        raise TypeError("expected 1D vector for x")
    none = "expected non-empty vector for x"
    if dims_of(x)[0] is None:
        check(not_equal(length(x), 0), error="TypeError", message=none)
    elif dims_of(x)[0] == 0:
        raise TypeError(none)
    if ndim_of(y) not in (1, 2):
        raise TypeError("expected 1D or 2D array for y")
    _require_as_many(x, y, "expected x and y to have same length")


def _require_as_many(x: Any, y: Any, message: str) -> None:
    """Raise TypeError if two arrays are not as long as each other, maybe when the program runs."""
    if None in (dims_of(x)[0], dims_of(y)[0]):
        same = equal(length(x), length(y))
        check(same, error="TypeError", message=message)
    elif dims_of(x)[0] != dims_of(y)[0]:
        raise TypeError(message)


@covers(np.polyfit, "x y deg rcond full w cov")
def polyfit(
    x: Any,
    y: Any,
    deg: int,
    rcond: float | None = None,
    full: bool = False,
    w: Any = None,
    cov: Any = False,
) -> Any:
    """The coefficients of the polynomial that fits points best, by least squares.

    Args:
        x, y: the coordinates of the points; ``y`` may have a column for each of several fits.
        deg: the degree.
        rcond: singular values below it, relative to the largest, are left out.
        w: a weight for each point.
        cov: also give the covariance matrix of the coefficients, scaled by the mean squared
            residual unless it is "unscaled". The matrix of the fit has to be of full rank.

    Raises:
        NotImplementedError: ``full``.
        TypeError, ValueError: the arguments do not fit, as in NumPy.
    """
    if full:
        raise NotImplementedError("np.polyfit with full; use np.linalg.lstsq")
    x, y = (add(z, 0.0) for z in as_arrays((x, y)))
    deg = index_of(deg)
    if deg < 0:
        raise ValueError("expected deg >= 0")
    require_points(x, y)
    if rcond is None:
        rcond = multiply(count(lengths_of(x)), np.finfo(operand_type(x).dtype).eps)
    left, right = vander(x, deg + 1), y
    if w is not None:
        w = add(as_arrays((w,))[0], 0.0)
        if ndim_of(w) != 1:
            raise TypeError("expected a 1-d array for weights")
        _require_as_many(w, y, "expected w and y to have the same length")
        column = reshape(w, (-1, 1))
        left = multiply(left, column)
        right = multiply(right, column if ndim_of(y) == 2 else w)
    scale = sqrt(sum(multiply(left, left), axis=0))
    left = divide(left, scale)
    found = FUNCTIONS[np.linalg.lstsq](left, right, rcond)[0]
    result = transpose(divide(transpose(found), scale))
    if not cov:
        return result
    covariance = FUNCTIONS[np.linalg.inv](matmul(transpose(left), left))
    covariance = divide(covariance, multiply(reshape(scale, (-1, 1)), scale))
    if ndim_of(y) == 2:
        covariance = reshape(covariance, (deg + 1, deg + 1, 1))
    if cov == "unscaled":
        return result, covariance
    n = shape_of(x)[0]
    if n <= deg + 1:
        raise ValueError(
            "the number of data points must exceed order to scale the covariance matrix"
        )
    residual = subtract(right, matmul(left, found))
    return result, multiply(covariance, divide(sum(multiply(residual, residual), 0), n - deg - 1))


# -- np.polynomial: the lowest power first ---------------------------------------------------------


def _series(name: str, module: Any, next_term: Callable) -> Callable:
    """The function that evaluates a series in the polynomials of one family.

    Args:
        name: that of NumPy's function.
        module: where NumPy has it.
        next_term: gives from ``n``, x, and the polynomials ``n - 1`` and ``n - 2`` at x that of
            degree ``n``; from 1, x, that of degree 0 and None the first.
    """

    def value(x: Any, c: Any, tensor: bool = True) -> Any:
        x, c = as_arrays((x, c))
        c = atleast_1d(c)
        if operand_type(c).dtype.kind in "biu":
            c = astype(c, np.float64)
        if tensor:
            c = reshape(c, lengths_of(c) + (1,) * ndim_of(x))
        result, one, two = subscript(c, 0), zeros_like(x) + 1, None
        for i in range(1, shape_of(c)[0]):
            one, two = next_term(i, x, one, two), one
            result = add(result, multiply(subscript(c, i), one))
        return add(result, zeros_like(x))

    value.__name__ = value.__qualname__ = name
    value.__doc__ = f"""``np.polynomial``'s ``{name}``: a series at ``x``.

    Args:
        x: where.
        c: the coefficients, along the first axis.
        tensor: whether each column of coefficients is evaluated at each element of ``x``, not at
            the one that it meets by broadcasting.
    """
    covers(getattr(module, name), creates=True)(value)
    return value


def _linear(scale: Callable, past: Callable) -> Callable:
    """A recurrence ``p[n] = scale(n, x) * p[n - 1] - past(n) * p[n - 2]``."""

    def next_term(n: int, x: Any, one: Any, two: Any) -> Any:
        grown = multiply(scale(n, x), one)
        return grown if two is None else subtract(grown, multiply(past(n), two))

    return next_term


_module = np.polynomial
FAMILIES = [
    ("polyval", _module.polynomial, _linear(lambda n, x: x, lambda n: 0)),
    (
        "chebval",
        _module.chebyshev,
        _linear(lambda n, x: x if n == 1 else multiply(x, 2), lambda n: 1),
    ),
    (
        "legval",
        _module.legendre,
        _linear(lambda n, x: multiply(x, (2 * n - 1) / n), lambda n: (n - 1) / n),
    ),
    ("hermval", _module.hermite, _linear(lambda n, x: multiply(x, 2), lambda n: 2 * (n - 1))),
    ("hermeval", _module.hermite_e, _linear(lambda n, x: x, lambda n: n - 1)),
    (
        "lagval",
        _module.laguerre,
        _linear(lambda n, x: divide(subtract(2 * n - 1, x), n), lambda n: (n - 1) / n),
    ),
]
for _family in FAMILIES:
    _series(*_family)


def float_series(c: Any) -> Any:
    """Coefficients, or points, as an array of floats."""
    c = atleast_1d(as_arrays((c,))[0])
    return astype(c, np.float64) if operand_type(c).dtype.kind in "biu" else c


@covers(np.polynomial.polynomial.polyvander, "x deg", creates=True)
def power_series_vander(x: Any, deg: int) -> Any:
    """``np.polynomial.polynomial.polyvander``: powers of ``x`` up to ``deg``, as a last axis."""
    deg = index_of(deg)
    if deg < 0:
        raise ValueError("deg must be non-negative")
    x = add(atleast_1d(as_arrays((x,))[0]), 0.0)
    return stack(_powers(x, deg + 1), axis=-1)


@covers(np.polynomial.polynomial.polyfromroots, "roots", creates=True)
def power_series_of_roots(roots: Any) -> Any:
    """``np.polynomial.polynomial.polyfromroots``: the power series with the given zeros."""
    roots = float_series(roots)
    one = zeros_like(roots, shape=1) + 1
    result = one
    for i in range(shape_of(roots)[0]):
        root = negative(subscript(roots, slice(i, i + 1)))
        result = convolve(result, concatenate([root, one]))
    return result


def value_of_series(series: Any, x: Any) -> Any:
    """``series(x)`` for an object of one of the classes of ``np.polynomial``."""
    offset, scale = np.polynomial.polyutils.mapparms(series.domain, series.window)
    (x,) = as_arrays((x,))
    value = CREATORS[getattr(type(series)._val, "__func__", type(series)._val)]
    return value(add(offset, multiply(scale, x)), series.coef)
