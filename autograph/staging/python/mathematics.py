"""The module ``math`` on symbolic values: results are Python numbers, errors are those of ``math``.

``math`` raises where NumPy gives NaN without a NaN among the arguments, or an infinity without an
infinity among them.
"""

from __future__ import annotations

import math
import operator
import sys
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

import ops
from autograph.staging.arrays.array import GraphArray
from autograph.staging.ground.examples import example
from autograph.staging.python.aggregates import folded, to_bool
from autograph.staging.sequences.items import Arithmetic
from ops.control import effects
from ops.core.operands import dtype_of
from ops.numbers import mathematics

# -- real functions --------------------------------------------------------------------------------


def to_float(x: Any) -> Any:
    """A Python float of an argument: ``math`` takes numbers and arrays of one element."""
    if not isinstance(x, GraphArray):
        return x if type(x) is float else _float_of(x)
    if x.ndim:
        float(example(x))  # NumPy raises if it takes no array of one element
    if x.dtype.kind == "c":
        raise TypeError("must be real number, not complex")
    return ops.cast(ops.reshape(x, ()), dtype="float64", weak=True)


def _float_of(x: Any) -> float:
    if isinstance(x, (str, bytes)):
        raise TypeError(f"must be real number, not {type(x).__name__}")
    return float(x)


def to_integer(x: Any) -> Any:
    """A Python int of an argument that has to be an integer."""
    if isinstance(x, GraphArray):
        operator.index(example(x))  # Python's own error
        return ops.cast(x, dtype="int64", weak=True)
    return operator.index(x)


def _exponent(i: Any) -> Any:
    """The second argument of ``math.ldexp``, which is a Python int and nothing like one."""
    if not isinstance(example(i) if isinstance(i, GraphArray) else i, int):
        raise TypeError("Expected an int as second argument to ldexp.")
    return to_integer(i)


def _require(condition: Any, error: str, message: str) -> None:
    effects.check(condition, error=error, message=message)


def _numpy(name: str, overflows: bool = False, checked: bool = True) -> Callable:
    """A function that NumPy has as ``name``, on floats."""
    function = getattr(np, name)

    def compute(*args: Any) -> Any:
        floats = [ops.cast(to_float(x), dtype="float64") for x in args]
        result = function(*floats)
        if checked:
            proper = np.isfinite(result)
            for x in floats:
                accounted = np.where(np.isnan(result), np.isnan(x), np.isinf(x))
                proper = np.logical_or(proper, accounted)
            if overflows:
                _require(proper, "OverflowError", "math range error")
            else:
                _require(proper, "ValueError", "math domain error")
        return ops.cast(result, dtype="float64", weak=True)

    return compute


def _scalar(op: Callable) -> Callable:
    """A function that is an operator on Python floats."""
    return lambda *args: op(*map(to_float, args))


def power(x: Any, y: Any) -> Any:
    """``math.pow``."""
    x, y = (ops.cast(to_float(v), dtype="float64") for v in (x, y))
    result = np.power(x, y)
    finite = np.logical_and(np.isfinite(x), np.isfinite(y))
    pole = np.logical_and(ops.equal(x, 0), ops.less(y, 0))
    undefined = np.logical_or(np.isnan(result), np.logical_and(pole, np.isinf(result)))
    undefined = np.logical_and(finite, undefined)
    if sys.version_info < (3, 11):  # there the exponent may be infinite
        undefined = np.logical_or(undefined, pole)
    _require(np.logical_not(undefined), "ValueError", "math domain error")
    proper = np.logical_not(np.logical_and(finite, np.isinf(result)))
    _require(proper, "OverflowError", "math range error")
    return ops.cast(result, dtype="float64", weak=True)


def logarithm(x: Any, *base: Any) -> Any:
    """``math.log``."""
    return _LOG(x) / _LOG(*base) if base else _LOG(x)


_LOG = _numpy("log")


def hypotenuse(*coordinates: Any) -> Any:
    """``math.hypot``, of any number of coordinates."""
    result = ops.cast(0.0, dtype="float64")
    for x in coordinates:
        result = np.hypot(result, ops.cast(to_float(x), dtype="float64"))
    return ops.cast(result, dtype="float64", weak=True)


def distance(p: Any, q: Any) -> Any:
    """``math.dist``."""
    p, q = list(p), list(q)
    if len(p) != len(q):
        raise ValueError("both points must have the same number of dimensions")
    return hypotenuse(*(to_float(a) - to_float(b) for a, b in zip(p, q)))


def modf(x: Any) -> tuple:
    """``math.modf``: the fraction and the whole part, both with the sign of ``x``."""
    x = ops.cast(to_float(x), dtype="float64")
    whole = np.trunc(x)
    fraction = np.copysign(np.where(np.isinf(x), 0.0, x - whole), x)
    return tuple(ops.cast(part, dtype="float64", weak=True) for part in (fraction, whole))


def is_close(a: Any, b: Any, *, rel_tol: Any = 1e-09, abs_tol: Any = 0.0) -> Any:
    """``math.isclose``."""
    a, b = (ops.cast(to_float(v), dtype="float64") for v in (a, b))
    negative = ops.logical_or(ops.less(rel_tol, 0), ops.less(abs_tol, 0))
    _require(ops.logical_not(negative), "ValueError", "tolerances must be non-negative")
    allowed = np.maximum(rel_tol * np.maximum(np.abs(a), np.abs(b)), abs_tol)
    near = np.logical_and(np.abs(a - b) <= allowed, np.logical_and(np.isfinite(a), np.isfinite(b)))
    return to_bool(np.logical_or(a == b, near))


# -- sums and products -----------------------------------------------------------------------------


def exact_sum(numbers: Iterable) -> Any:
    """``math.fsum``."""
    if isinstance(numbers, GraphArray) and numbers.ndim == 1:
        return mathematics.fsum(ops.cast(numbers, dtype="float64"))
    floats = [to_float(number) for number in numbers]
    return mathematics.fsum(ops.array(floats, dtype="float64")) if floats else 0.0


def sum_of_products(p: Iterable, q: Iterable) -> Any:
    """``math.sumprod``."""
    p, q = list(p), list(q)
    if len(p) != len(q):
        raise ValueError("Inputs are not the same length")
    products = [a * b for a, b in zip(p, q)]
    if all(dtype_of(product).kind == "f" for product in products):
        return exact_sum(products)
    return folded(operator.add, products, 0)


def product(numbers: Iterable, *, start: Any = 1) -> Any:
    """``math.prod``."""
    return folded(operator.mul, numbers, start)


# -- integers --------------------------------------------------------------------------------------


def _rounded(function: Callable) -> Callable:
    """``floor``, ``ceil`` or ``trunc``: a Python int."""

    def compute(x: Any) -> Any:
        getattr(math, function.__name__)(example(x))  # what NumPy's types have no method for
        if isinstance(x, GraphArray) and x.type.weak and x.dtype.kind in "bi":
            return to_integer(x)
        return ops.cast(function(to_float(x)), dtype="int64", weak=True)

    return compute


def _common(function: Callable, neutral: int) -> Callable:
    """``gcd`` or ``lcm``."""

    def compute(*numbers: Any) -> Any:
        return folded(function, [to_integer(number) for number in numbers], neutral)

    return compute


def factorial(n: Any) -> Any:
    """``math.factorial``."""
    n = to_integer(n)
    _require(n >= 0, "ValueError", "factorial() not defined for negative values")
    return folded(operator.mul, Arithmetic(1, n + 1, 1, n), 1)


def permutations(n: Any, k: Any = None) -> Any:
    """``math.perm``."""
    if k is None:
        return factorial(n)
    n, k = to_integer(n), to_integer(k)
    _require(ops.greater_equal(n, 0), "ValueError", "n must be a non-negative integer")
    _require(ops.greater_equal(k, 0), "ValueError", "k must be a non-negative integer")
    return folded(operator.mul, Arithmetic(n, n - k, -1, k), 1)


def combinations(n: Any, k: Any) -> Any:
    """``math.comb``: each quotient on the way is a binomial coefficient itself."""
    n, k = to_integer(n), to_integer(k)
    _require(ops.greater_equal(n, 0), "ValueError", "n must be a non-negative integer")
    _require(ops.greater_equal(k, 0), "ValueError", "k must be a non-negative integer")
    other = ops.cond(k > n, lambda: 0, lambda: n - k)
    count = ops.cond(ops.less(k, other), lambda: k, lambda: other)
    start = ops.cond(k > n, lambda: 0, lambda: 1)
    step = lambda so_far, i: so_far * (n - i) // (i + 1)
    return folded(step, Arithmetic(0, count, 1, count), start)


_SAME_NAME = (
    *("sqrt", "log2", "log10", "log1p", "fmod", "sin", "cos", "tan", "tanh"),
    *("degrees", "radians"),
)
_OTHER_NAME = {
    **{f"a{name}": f"arc{name}" for name in ("sin", "cos", "tan", "tan2", "sinh", "cosh", "tanh")},
    "fabs": "absolute",
}

FUNCTIONS: dict[Callable, Callable] = {
    **{getattr(math, name): _numpy(name) for name in _SAME_NAME},
    **{getattr(math, theirs): _numpy(ours) for theirs, ours in _OTHER_NAME.items()},
    **{
        getattr(math, name): _numpy(name, overflows=True)
        for name in ("exp", "expm1", "sinh", "cosh")
    },
    math.copysign: _numpy("copysign", checked=False),
    math.pow: power,
    math.log: logarithm,
    math.hypot: hypotenuse,
    math.dist: distance,
    math.modf: modf,
    math.ldexp: lambda x, i: mathematics.float_ldexp(to_float(x), _exponent(i)),
    math.remainder: _scalar(mathematics.ieee_remainder),
    math.erf: _scalar(mathematics.erf),
    math.erfc: _scalar(mathematics.erfc),
    math.gamma: _scalar(mathematics.gamma),
    math.lgamma: _scalar(mathematics.lgamma),
    math.isnan: lambda x: to_bool(np.isnan(to_float(x))),
    math.isinf: lambda x: to_bool(np.isinf(to_float(x))),
    math.isfinite: lambda x: to_bool(np.isfinite(to_float(x))),
    math.isclose: is_close,
    math.fsum: exact_sum,
    math.prod: product,
    math.floor: _rounded(np.floor),
    math.ceil: _rounded(np.ceil),
    math.trunc: _rounded(np.trunc),
    math.gcd: _common(mathematics.integer_gcd, 0),
    math.lcm: _common(mathematics.integer_lcm, 1),
    math.factorial: factorial,
    math.perm: permutations,
    math.comb: combinations,
    math.isqrt: lambda n: mathematics.integer_root(to_integer(n)),
}
# Functions of newer versions of Python.
for _name, _function in {
    "cbrt": _numpy("cbrt"),
    "exp2": _numpy("exp2", overflows=True),
    "sumprod": sum_of_products,
}.items():
    if hasattr(math, _name):
        FUNCTIONS[getattr(math, _name)] = _function
