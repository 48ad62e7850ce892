"""The module ``cmath`` on symbolic values: results are Python numbers, errors are those of
``cmath``.

NumPy computes the same, also of infinities. ``cmath`` raises besides: where no value makes sense,
as with the logarithm of 0, and where finite numbers give infinite ones.
"""

from __future__ import annotations

import cmath
import math
from collections.abc import Callable
from typing import Any

import numpy as np

import ops
from autograph.staging.arrays.array import GraphArray
from autograph.staging.ground.examples import example
from autograph.staging.python.aggregates import to_bool
from autograph.staging.python.mathematics import to_float
from ops.control import effects


def _to_complex(z: Any) -> Any:
    """An argument as ``cmath`` takes it: a number, or an array of one element."""
    if not isinstance(z, GraphArray):
        if isinstance(z, (str, bytes)):
            raise TypeError(f"must be real number, not {type(z).__name__}")
        return ops.cast(complex(z), dtype="complex128")
    if z.ndim:
        complex(example(z))  # NumPy raises if it takes no array of one element
    return ops.cast(ops.reshape(z, ()), dtype="complex128")


def _real(z: Any) -> Any:
    return ops.cast(to_float(z), dtype="float64")


def _float(x: Any) -> Any:
    return ops.cast(x, dtype="float64", weak=True)


def _complex(z: Any) -> Any:
    return ops.cast(z, dtype="complex128", weak=True)


def _refuse(condition: Any) -> None:
    message = "math domain error"
    effects.check(ops.logical_not(condition), error="ValueError", message=message)


def _require_finite(result: Any, *args: Any) -> None:
    """Raise if finite numbers have given an infinite one."""
    proper = ops.logical_not(np.isinf(result))
    for z in args:
        proper = np.logical_or(proper, ops.logical_not(np.isfinite(z)))
    effects.check(proper, error="OverflowError", message="math range error")


# -- where there is no value -----------------------------------------------------------------------


def _exponential(z: Any) -> Any:
    proper = np.logical_or(np.isfinite(z.real), ops.equal(z.real, math.inf))
    return np.logical_and(np.isinf(z.imag), proper)


def _of_imaginary_axis(z: Any) -> Any:
    return np.logical_and(np.isinf(z.imag), ops.logical_not(np.isnan(z.real)))


def _tanh(z: Any) -> Any:
    return np.logical_and(np.isinf(z.imag), np.isfinite(z.real))


def _one_of(*points: complex) -> Callable:
    def found(z: Any) -> Any:
        result = ops.equal(z, points[0])
        for point in points[1:]:
            result = np.logical_or(result, ops.equal(z, point))
        return result

    return found


def _turned(condition: Callable) -> Callable:
    """The same of ``z`` times the imaginary unit, up to signs."""

    def of_turned(z: Any) -> Any:
        return condition(ops.complex_of_parts(z.imag, z.real))

    return of_turned


# -- functions -------------------------------------------------------------------------------------


def _numpy(name: str, refused: Callable | None = None, overflows: bool = False) -> Callable:
    """A function that NumPy has as ``name``.

    Args:
        refused: of which arguments there is no value.
        overflows: whether finite numbers may give infinite ones.
    """
    function = getattr(np, name)

    def compute(z: Any) -> Any:
        z = _to_complex(z)
        if refused is not None:
            _refuse(refused(z))
        result = function(z)
        if overflows:
            _require_finite(result, z)
        return _complex(result)

    return compute


def logarithm(z: Any, *base: Any) -> Any:
    """``cmath.log``, which with a base takes 0, too."""
    if not base:
        return _LOG(z)
    divisor = ops.cast(_LOG(*base), dtype="complex128")
    _refuse(ops.equal(divisor, 0))
    return _complex(np.log(_to_complex(z)) / divisor)


_LOG = _numpy("log", _one_of(0j))


def phase(z: Any) -> Any:
    """``cmath.phase``."""
    z = _to_complex(z)
    return _float(np.arctan2(z.imag, z.real))


def polar(z: Any) -> tuple[Any, Any]:
    """``cmath.polar``."""
    z = _to_complex(z)
    radius = np.hypot(z.real, z.imag)
    _require_finite(radius, z)
    return _float(radius), _float(np.arctan2(z.imag, z.real))


def rect(r: Any, phi: Any) -> Any:
    """``cmath.rect``."""
    r, phi = _real(r), _real(phi)
    no_zero = ops.logical_not(np.logical_or(ops.equal(r, 0), np.isnan(r)))
    _refuse(np.logical_and(no_zero, np.isinf(phi)))
    straight = ops.equal(phi, 0)
    proper = np.where(np.isfinite(phi), phi, 0.0)
    real = np.where(straight, r, r * np.cos(proper))
    imag = np.where(straight, np.copysign(0.0, r) * phi, r * np.sin(proper))
    return _complex(ops.complex_of_parts(*_without_angle(r, phi, real, imag)))


def _without_angle(r: Any, phi: Any, real: Any, imag: Any) -> tuple[Any, Any]:
    """The parts where the angle is no number: those of zero are zero, others are none."""
    some = np.isfinite(phi)
    nothing = ops.equal(r, 0)
    far = np.where(np.isinf(r), math.inf, math.nan)
    return (
        np.where(some, real, np.where(nothing, 0.0, far)),
        np.where(some, imag, np.where(nothing, 0.0, math.nan)),
    )


def is_close(a: Any, b: Any, *, rel_tol: Any = 1e-09, abs_tol: Any = 0.0) -> Any:
    """``cmath.isclose``."""
    a, b, rel_tol, abs_tol = _to_complex(a), _to_complex(b), _real(rel_tol), _real(abs_tol)
    negative = ops.logical_or(ops.less(rel_tol, 0), ops.less(abs_tol, 0))
    message = "tolerances must be non-negative"
    effects.check(ops.logical_not(negative), error="ValueError", message=message)
    allowed = np.maximum(rel_tol * np.maximum(np.abs(a), np.abs(b)), abs_tol)
    infinite = np.logical_or(np.isinf(a), np.isinf(b))
    near = np.logical_and(np.abs(a - b) <= allowed, ops.logical_not(infinite))
    return to_bool(np.logical_or(ops.equal(a, b), near))


FUNCTIONS: dict[Callable, Callable] = {
    cmath.sqrt: _numpy("sqrt"),
    cmath.exp: _numpy("exp", _exponential, overflows=True),
    cmath.log: logarithm,
    cmath.log10: _numpy("log10", _one_of(0j)),
    cmath.sin: _numpy("sin", _turned(_of_imaginary_axis), overflows=True),
    cmath.cos: _numpy("cos", _turned(_of_imaginary_axis), overflows=True),
    cmath.tan: _numpy("tan", _turned(_tanh)),
    cmath.sinh: _numpy("sinh", _of_imaginary_axis, overflows=True),
    cmath.cosh: _numpy("cosh", _of_imaginary_axis, overflows=True),
    cmath.tanh: _numpy("tanh", _tanh),
    cmath.asin: _numpy("arcsin"),
    cmath.acos: _numpy("arccos"),
    cmath.atan: _numpy("arctan", _one_of(1j, -1j)),
    cmath.asinh: _numpy("arcsinh"),
    cmath.acosh: _numpy("arccosh"),
    cmath.atanh: _numpy("arctanh", _one_of(1, -1)),
    cmath.phase: phase,
    cmath.polar: polar,
    cmath.rect: rect,
    cmath.isnan: lambda z: to_bool(np.isnan(_to_complex(z))),
    cmath.isinf: lambda z: to_bool(np.isinf(_to_complex(z))),
    cmath.isfinite: lambda z: to_bool(np.isfinite(_to_complex(z))),
    cmath.isclose: is_close,
}
