"""Functions of the module ``math`` that NumPy lacks, on Python floats, or on Python ints, where
NumPy's wrap around.

They raise what ``math`` raises. The programs call them by the names that they have there, through
helpers; of many numbers at once, for each of them.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ops.arrays.creation import ones_like
from ops.core import kernels
from ops.core.operands import broadcast_shapes, dims_of, ndim_of
from ops.core.registry import Custom, Elementwise, Linear
from ops.core.types import ArrayType, weak
from ops.elementwise import add, divide, exp, gcd, multiply, negative, rint, square, subtract
from ops.special.errors import erf as special_erf
from ops.special.errors import erfc as special_erfc
from ops.special.gammas import gamma as special_gamma
from ops.special.gammas import gammaln as special_gammaln
from ops.structure.lanes import with_same_attributes
from ops.structure.reshaping import expand_dims

__all__ = [
    "bit_count",
    "bit_length",
    "erf",
    "erfc",
    "float_ldexp",
    "fsum",
    "gamma",
    "ieee_remainder",
    "integer_gcd",
    "integer_lcm",
    "integer_root",
    "lgamma",
    "polygamma",
]


_ERRORS = (ValueError, ArithmeticError)


def of_each(function, *args):
    """``function`` of the elements of arrays that broadcast, as Python numbers."""
    args = np.broadcast_arrays(*(np.asarray(x) for x in args))
    values = [function(*numbers) for numbers in zip(*(x.reshape(-1).tolist() for x in args))]
    return np.array(values, "float64").reshape(args[0].shape)


def ints_of_each(function, *args):
    """The same for a function of ints; an OverflowError if a result does not fit 64 bits."""
    args = np.broadcast_arrays(*(np.asarray(x) for x in args))
    values = [function(*numbers) for numbers in zip(*(x.reshape(-1).tolist() for x in args))]
    if not all(-(2**63) <= value < 2**63 for value in values):
        raise OverflowError("a Python int of a lane is beyond 64 bits")
    return np.array(values, "int64").reshape(args[0].shape)


def _each_infer(*types: ArrayType) -> tuple[ArrayType]:
    if all(t.weak for t in types):
        return (weak(float),)
    return (ArrayType(np.dtype(np.float64), broadcast_shapes(*(t.shape for t in types))),)


def _each_code(helper: Callable, *first: str) -> Callable:
    """The code that calls ``helper``, with further arguments first if these are given."""

    def code(args: Sequence[str], types: Sequence[ArrayType], attrs: dict[str, Any]) -> str:
        given = [attrs[name] for name in first]
        if all(t.weak for t in types):
            return f"{helper.__name__}({', '.join(map(str, [*given, *args]))})"
        return f"of_each({', '.join(map(str, [helper.__name__, *given, *args]))})"

    return code


def math_erf(x):
    """``math.erf``."""
    import math

    return math.erf(x)


def math_erfc(x):
    """``math.erfc``."""
    import math

    return math.erfc(x)


def math_gamma(x):
    """``math.gamma``."""
    import math

    return math.gamma(x)


def math_lgamma(x):
    """``math.lgamma``."""
    import math

    return math.lgamma(x)


def math_ieee_remainder(x, y):
    """``math.remainder``."""
    import math

    return math.remainder(x, y)


def math_ldexp(x, i):
    """``math.ldexp``."""
    import math

    return math.ldexp(x, i)


def math_gcd(x, y):
    """``math.gcd``."""
    import math

    return math.gcd(x, y)


def int_bit_length(n):
    """``n.bit_length()``."""
    return n.bit_length()


def int_bit_count(n):
    """``n.bit_count()``."""
    return n.bit_count()


def math_isqrt(n):
    """``math.isqrt``."""
    import math

    return math.isqrt(n)


def math_lcm(x, y):
    """``math.lcm``."""
    import math

    return math.lcm(x, y)


def math_polygamma(order, x):
    """The derivative of that order of the digamma function: the recurrence up to x >= 12, then the
    asymptotic series (Abramowitz and Stegun, 6.4.6 and 6.4.11)."""
    import math

    sign = -1.0 if order % 2 == 0 else 1.0
    total = 0.0
    while x < 12.0 + order:
        total += sign * math.factorial(order) / x ** (order + 1)
        x += 1.0
    if order == 0:
        total += math.log(x) - 0.5 / x
    else:
        total += sign * math.factorial(order - 1) / x**order
        total += sign * math.factorial(order) / (2 * x ** (order + 1))
    bernoulli = (1 / 6, -1 / 30, 1 / 42, -1 / 30, 5 / 66, -691 / 2730, 7 / 6, -3617 / 510)
    for k, b in enumerate(bernoulli, 1):
        factors = math.factorial(2 * k + order - 1) / math.factorial(2 * k)
        total += sign * b * factors / x ** (2 * k + order)
    return total


def _scalar(
    name: str,
    helper: Callable,
    partials: list,
    doc: str,
    kernel: Callable | None = None,
    linear: Sequence[int] = (),
    cost: float = 0.5,
) -> Custom:
    """An operator on Python numbers that calls ``helper``.

    Args:
        partials: for each argument ``partial(*args, out)``, the derivative by it, or None.
        kernel: how it is computed natively, in the language of `ops.core.kernels`.
        linear: the operands in which it is linear.
        cost: as for `Op`.
    """

    def element(read: Callable, index: tuple, types: Sequence[ArrayType], attrs: dict) -> Any:
        assert kernel is not None
        operands = (read(i, kernels.aligned(index, t.shape)) for i, t in enumerate(types))
        return kernel(*operands)

    def parts(args: Sequence, out: Any) -> list:
        return [None if partial is None else partial(*args, out) for partial in partials]

    def vjp(cts: Sequence, args: Sequence, outs: Sequence) -> tuple:
        return tuple(p if p is None else multiply(cts[0], p) for p in parts(args, outs[0]))

    def jvp(tangents: Sequence, args: Sequence, outs: Sequence) -> tuple:
        pairs = zip(tangents, parts(args, outs[0]))
        terms = [multiply(t, p) for t, p in pairs if t is not None and p is not None]
        return (functools.reduce(add, terms),)

    return Custom(
        name,
        _each_infer,
        _each_code(helper),
        vjp=vjp,
        jvp=jvp,
        linear=linear,
        zeros="kept",
        helpers=(helper, of_each),
        raises=True,
        errors=_ERRORS,
        unknown_lengths=True,
        batch=with_same_attributes(core=0),
        native=kernels.Element(element) if kernel else None,
        cost=cost,
        doc=doc,
    )


def _bell(x: Any) -> Any:
    return multiply(2 / math.sqrt(math.pi), exp(negative(square(x))))


def _kernel_of(op: Elementwise) -> Callable:
    """The kernel expression of an operator of floats, of numbers of any kind."""
    return lambda x: op.kernels["f"](kernels.cast(x, np.float64))


_MOST_EXACT = 23.0  # a whole number up to which the gamma function is a float without rounding


def _factorial(x: Any) -> Any:
    """The gamma function of a whole number from 1 up: none of the products is rounded."""
    found, _, _ = kernels.iterate(
        lambda product, k, x: k < x,
        lambda product, k, x: (product * k, k + 1.0, x),
        *(x * 0 + 1.0, x * 0 + 1.0, x),
    )
    return found


def _gamma_kernel(x: Any) -> Any:
    x = _without_poles(x)
    found = kernels.choose(
        (kernels.floor(x) == x) & (x <= _MOST_EXACT),
        lambda: _factorial(x),
        lambda: special_gamma.kernels["f"](x),
    )
    return _in_range(found, x)


def _lgamma_kernel(x: Any) -> Any:
    x = _without_poles(x)
    return _in_range(special_gammaln.kernels["f"](x), x)


def _without_poles(x: Any) -> Any:
    """A float at which the gamma function has no pole."""
    x = kernels.cast(x, np.float64)
    kernels.require((x > 0) | (kernels.floor(x) != x))
    return x


def _in_range(found: Any, x: Any) -> Any:
    """A result that is finite, unless the operand is not."""
    kernels.require((kernels.fabs(found) < math.inf) | (x - x != 0))
    return found


def _ldexp_kernel(x: Any, i: Any) -> Any:
    """Beyond 3000 the exponent does not count."""
    x = kernels.cast(x, np.float64)
    i = kernels.select(i > 3000, 3000, kernels.select(i < -3000, -3000, i))
    found = kernels.ldexp(x, kernels.cast(i, np.int32))
    kernels.require((kernels.fabs(found) < math.inf) | (x - x != 0))
    return found


erf = _scalar(
    "erf",
    math_erf,
    [lambda x, out: _bell(x)],
    "The error function.",
    _kernel_of(special_erf),
    cost=30,
)

erfc = _scalar(
    "erfc",
    math_erfc,
    [lambda x, out: negative(_bell(x))],
    "One minus the error function.",
    _kernel_of(special_erfc),
    cost=30,
)

gamma = _scalar(
    "gamma",
    math_gamma,
    [lambda x, out: multiply(out, polygamma(x, order=0))],
    "The gamma function.",
    _gamma_kernel,
    cost=60,
)

lgamma = _scalar(
    "lgamma",
    math_lgamma,
    [lambda x, out: polygamma(x, order=0)],
    "The logarithm of the absolute value of the gamma function.",
    _lgamma_kernel,
    cost=60,
)

ieee_remainder = _scalar(
    "ieee_remainder",
    math_ieee_remainder,
    [lambda x, y, out: 1.0, lambda x, y, out: negative(rint(divide(subtract(x, out), y)))],
    "``x`` minus the nearest multiple of ``y``.",
)

float_ldexp: Custom = _scalar(
    "float_ldexp",
    math_ldexp,
    [lambda x, i, out: float_ldexp(1.0, i), None],
    "``x * 2**i``, an error if that is too large.",
    _ldexp_kernel,
    linear=(0,),
)


def _integral(
    name: str, helper: Callable, doc: str, kernel: Callable, raises: bool = False
) -> Custom:
    """An operator on Python ints that calls ``helper``, which may raise."""

    def infer(*types: ArrayType) -> tuple[ArrayType]:
        if all(t.weak for t in types):
            return (weak(int),)
        return (ArrayType(np.dtype(np.int64), broadcast_shapes(*(t.shape for t in types))),)

    def code(args: Sequence[str], types: Sequence[ArrayType], attrs: dict[str, Any]) -> str:
        if all(t.weak for t in types):
            return f"{helper.__name__}({', '.join(args)})"
        return f"ints_of_each({', '.join([helper.__name__, *args])})"

    def element(read: Callable, index: tuple, types: Sequence[ArrayType], attrs: dict) -> Any:
        operands = (read(i, kernels.aligned(index, t.shape)) for i, t in enumerate(types))
        return kernel(*(kernels.cast(x, np.int64) for x in operands))

    return Custom(
        name,
        infer,
        code,
        helpers=(helper, ints_of_each),
        raises=lambda types, attrs: raises or not all(t.weak for t in types),
        differentiable=False,
        unknown_lengths=True,
        batch=with_same_attributes(core=0),
        native=kernels.Element(element),
        doc=doc,
    )


_LEAST = np.iinfo(np.int64).min


def _gcd_kernel(x: Any, y: Any) -> Any:
    """Gives up where the size of an operand does not fit."""
    kernels.require((x != _LEAST) & (y != _LEAST))
    return gcd.kernels["i"](x, y)


def _lcm_kernel(x: Any, y: Any) -> Any:
    divisor = _gcd_kernel(x, y)
    quotient = kernels.quotient(x, kernels.select(divisor == 0, 1, divisor))
    room = kernels.quotient(np.iinfo(np.int64).max, kernels.select(y == 0, 1, y))
    size, room = (kernels.select(n < 0, -n, n) for n in (quotient, room))
    kernels.require(size <= room)
    return size * kernels.select(y < 0, -y, y)


integer_gcd = _integral("integer_gcd", math_gcd, "``math.gcd`` of two Python ints.", _gcd_kernel)

integer_lcm = _integral("integer_lcm", math_lcm, "``math.lcm`` of two Python ints.", _lcm_kernel)


def _root_kernel(n: Any) -> Any:
    """The root of the float, corrected by one either way; that of the largest is too large."""
    kernels.require((n >= 0) & (n < 2**62))
    root = kernels.cast(kernels.sqrt(kernels.cast(n, np.float64)), np.int64)
    root = kernels.select(root * root > n, root - 1, root)
    return kernels.select((root + 1) * (root + 1) <= n, root + 1, root)


integer_root = _integral(
    "integer_root", math_isqrt, "``math.isqrt`` of a Python int.", _root_kernel, raises=True
)


def _size_kernel(n: Any) -> Any:
    kernels.require(n != _LEAST)
    return kernels.select(n < 0, -n, n)


def _bit_length_kernel(n: Any) -> Any:
    """How many bits are set once each has set all below it."""
    size = _size_kernel(n)
    for distance in (1, 2, 4, 8, 16, 32):
        size = size | kernels.shift_right(size, distance)
    return kernels.cast(kernels.popcount(size), np.int64)


bit_length = _integral(
    "bit_length", int_bit_length, "``n.bit_length()`` of a Python int.", _bit_length_kernel
)

bit_count = _integral(
    "bit_count",
    int_bit_count,
    "``n.bit_count()`` of a Python int.",
    lambda n: kernels.cast(kernels.popcount(_size_kernel(n)), np.int64),
)

polygamma: Custom = Custom(
    "polygamma",
    lambda x, order: _each_infer(x),
    _each_code(math_polygamma, "order"),
    vjp=lambda cts, args, outs, order: (multiply(cts[0], polygamma(args[0], order=order + 1)),),
    jvp=lambda tangents, args, outs, order: (
        multiply(tangents[0], polygamma(args[0], order=order + 1)),
    ),
    linear=(),
    zeros="kept",
    helpers=(math_polygamma, of_each),
    raises=True,
    errors=_ERRORS,
    unknown_lengths=True,
    batch=with_same_attributes(),
    doc="""The derivative of digamma, the logarithmic derivative of the gamma function.

    Args:
        x: a Python float.
        order: of the derivative, 0 for digamma itself.
    """,
)


def math_fsum(x):
    """``math.fsum``."""
    import math

    return math.fsum(x.tolist())


def math_fsums(x):
    """``math.fsum`` of each vector along the last axis."""
    import math

    sums = [math.fsum(x[i].tolist()) for i in np.ndindex(*x.shape[:-1])]
    return np.array(sums, "float64").reshape(x.shape[:-1])


def _fsum_infer(x: ArrayType) -> tuple[ArrayType]:
    if x.ndim == 1:
        return (weak(float),)
    return (ArrayType(np.dtype(np.float64), x.shape[:-1]),)


def _fsum_prepare(x: Any) -> tuple:
    if ndim_of(x) != 1:
        raise TypeError(f"fsum() takes numbers, not an array of shape {dims_of(x)}")
    return (x,), {}


def _fsum_transpose(ct: Any, x: Any) -> Any:
    return multiply(ones_like(x), ct if ndim_of(x) == 1 else expand_dims(ct, -1))


fsum = Linear(
    "fsum",
    _fsum_infer,
    lambda args, types, attrs: f"math_fsum{'' if types[0].ndim == 1 else 's'}({args[0]})",
    transposes=[_fsum_transpose],
    zeros="moved",
    helpers=(math_fsum, math_fsums),
    raises=True,
    errors=_ERRORS,
    unknown_lengths=True,
    prepare=_fsum_prepare,
    batch=with_same_attributes(),
    doc="""The sum of the elements, rounded only once.

    Args:
        x: an array of one dimension.
    """,
)
