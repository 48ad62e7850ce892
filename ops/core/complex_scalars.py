"""Complex numbers in the scalar language of `ops.core.kernels`, where they are pairs of real ones.

An elementwise operator that says how it is computed of these (``complex_kernel``) has a native
form for complex numbers; both parts of its result are expressions of real scalars. The formulas are
NumPy's, or those of the C library that NumPy calls, with the same infinities, NaN and signs of
zeros as annex G of C99 asks for. Like those of real scalars they also compute on NumPy's arrays,
which is how the tests hold them to NumPy.
"""

from __future__ import annotations

import dataclasses
import functools
import math
import operator
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ops.core import kernels
from ops.core.kernels import with_operators
from ops.core.records import dataclass


@with_operators
@dataclass(frozen=True, eq=False)
class ComplexScalar:
    """A complex number of the language.

    Attributes:
        real, imag: scalars of one dtype.
        is_real: whether it stands for a real operand, whose imaginary part is 0.
        literal: its value, where that is known.
        is_number: whether it is one number, not one of many elements that are computed at once: a
            branch then saves what is on the other side.
    """

    real: Any
    imag: Any
    is_real: bool = False
    literal: Any = None
    is_number: bool = False

    __hash__ = object.__hash__

    def __kernel__(self, function: str, operands: Sequence[Any]) -> Any:
        """Python's operators, applied to complex and real numbers among which is this one."""
        pairs = [x if isinstance(x, ComplexScalar) else of_real(x) for x in operands]
        return _OPERATIONS[function, len(pairs)](*pairs)


_ONE = ComplexScalar(1.0, 0.0)


def of_real(x: Any) -> ComplexScalar:
    """A real number as a complex one."""
    return ComplexScalar(x, 0.0, True)


def total(x: ComplexScalar, y: ComplexScalar) -> ComplexScalar:
    """The sum."""
    return ComplexScalar(x.real + y.real, x.imag + y.imag)


def difference(x: ComplexScalar, y: ComplexScalar) -> ComplexScalar:
    """The difference."""
    return ComplexScalar(x.real - y.real, x.imag - y.imag)


def product(x: ComplexScalar, y: ComplexScalar) -> ComplexScalar:
    """As NumPy, and Python before 3.14, multiply: of infinite numbers it may be NaN."""
    return ComplexScalar(
        x.real * y.real - x.imag * y.imag,
        x.real * y.imag + x.imag * y.real,
    )


def quotient(x: ComplexScalar, y: ComplexScalar) -> ComplexScalar:
    """As NumPy divides.

    Smith, "Algorithm 116: Complex division", Communications of the ACM 5 (1962), with one quotient
    by what both parts are divided by; by zero the parts are divided themselves.
    """
    if y.is_real:
        return _over_real(x, y.real)
    first = kernels.fabs(y.real) >= kernels.fabs(y.imag)
    large, small = kernels.select(first, y.real, y.imag), kernels.select(first, y.imag, y.real)
    ratio = small / large
    scale = 1.0 / (large + small * ratio)
    real = kernels.select(first, x.real + x.imag * ratio, x.real * ratio + x.imag) * scale
    imag = kernels.select(first, x.imag - x.real * ratio, x.imag * ratio - x.real) * scale
    zero = first & (kernels.fabs(y.real) == 0)
    length = kernels.fabs(y.real)
    return ComplexScalar(
        kernels.select(zero, x.real / length, real), kernels.select(zero, x.imag / length, imag)
    )


def _over_real(x: ComplexScalar, y: Any) -> ComplexScalar:
    """The same where the imaginary part of the divisor is 0."""
    ratio, scale = kernels.copysign(0.0, y), 1.0 / y
    real, imag = (x.real + x.imag * ratio) * scale, (x.imag - x.real * ratio) * scale
    zero, length = y == 0, kernels.fabs(y)
    return ComplexScalar(
        kernels.select(zero, x.real / length, real), kernels.select(zero, x.imag / length, imag)
    )


def reciprocal(x: ComplexScalar) -> ComplexScalar:
    """As NumPy's ``np.reciprocal``."""
    first = kernels.fabs(x.imag) <= kernels.fabs(x.real)
    large, small = kernels.select(first, x.real, x.imag), kernels.select(first, x.imag, x.real)
    ratio = small / large
    divisor = large + small * ratio
    return ComplexScalar(
        kernels.select(first, 1.0, ratio) / divisor, -kernels.select(first, ratio, 1.0) / divisor
    )


def length(x: ComplexScalar) -> Any:
    """The absolute value, which does not overflow before it has to."""
    return kernels.hypot(x.real, x.imag)


def exponential(x: ComplexScalar) -> ComplexScalar:
    """``exp(x)``; also where that of the real part would overflow, and that times a small cosine or
    sine does not."""
    most = _most_exponent(x.real)
    rest, cosine, sine = x.real, kernels.cos(x.imag), kernels.sin(x.imag)
    for _ in range(2):
        over = rest > most
        cosine = kernels.select(over, cosine * math.exp(most), cosine)
        sine = kernels.select(over, sine * math.exp(most), sine)
        rest = kernels.select(over, rest - most, rest)
    if x.is_number:  # of a number on the unit circle
        modulus = kernels.choose(rest == 0, lambda: 1.0 + rest, lambda: kernels.exp(rest))
    else:
        modulus = kernels.exp(rest)
    real, imag = modulus * cosine, modulus * sine
    no_angle = ~(kernels.fabs(x.imag) < math.inf)
    vanishes, explodes = no_angle & (x.real == -math.inf), no_angle & (x.real == math.inf)
    real = kernels.select(vanishes, 0.0 * modulus, kernels.select(explodes, modulus, real))
    imag = kernels.select(vanishes, kernels.copysign(0.0 * modulus, x.imag), imag)
    return ComplexScalar(real, kernels.select(x.imag == 0, x.imag, imag))


def hyperbolic_sine(x: ComplexScalar) -> ComplexScalar:
    """``sinh(x)``."""
    real, imag = _hyperbolic(x.real, kernels.cos(x.imag), kernels.sin(x.imag))
    no_angle = ~(kernels.fabs(x.imag) < math.inf)
    real = kernels.select(no_angle & (x.real == 0), 0.0, real) * kernels.copysign(1.0, x.real)
    real = kernels.select(no_angle & (kernels.fabs(x.real) == math.inf), math.inf, real)
    return ComplexScalar(real, kernels.select(x.imag == 0, x.imag, imag))


def hyperbolic_cosine(x: ComplexScalar) -> ComplexScalar:
    """``cosh(x)``."""
    imag, real = _hyperbolic(x.real, kernels.sin(x.imag), kernels.cos(x.imag))
    no_angle = ~(kernels.fabs(x.imag) < math.inf)
    real = kernels.select(no_angle & (kernels.fabs(x.real) == math.inf), math.inf, real)
    sign = kernels.select(x.real == x.real, kernels.copysign(1.0, x.real), 1.0)
    imag = kernels.select(x.imag == 0, x.imag, imag) * sign
    return ComplexScalar(real, kernels.select(no_angle & (x.real == 0), 0.0, imag))


def _hyperbolic(x: Any, first: Any, second: Any) -> tuple[Any, Any]:
    """``sinh(abs(x)) * first`` and ``cosh(x) * second``; also where these products do not overflow,
    but the first factors do."""
    most = _most_exponent(x)
    size = kernels.fabs(x)
    rest, odd, even = size, first, second
    for factor in (0.5 * math.exp(most), math.exp(most)):
        over = rest > most
        odd = kernels.select(over, odd * factor, odd)
        even = kernels.select(over, even * factor, even)
        rest = kernels.select(over, rest - most, rest)
    grown = kernels.expm1(rest)
    ratio = grown / (grown + 1.0)
    large = size > most
    odd = kernels.select(large, (grown + 1.0) * odd, (grown + ratio) * 0.5 * first)
    even = kernels.select(large, (grown + 1.0) * even, (grown * ratio * 0.5 + 1.0) * second)
    return odd, even


def hyperbolic_tangent(x: ComplexScalar) -> ComplexScalar:
    """``tanh(x)``.

    Kahan, "Branch cuts for complex elementary functions", see `square_root`, with the sine and the
    cosine of the imaginary part in the place of its tangent.
    """
    size, cosine, sine = kernels.fabs(x.real), kernels.cos(x.imag), kernels.sin(x.imag)
    most = 0.5 * _most_exponent(x.real)
    far = size > most
    grown = kernels.expm1(kernels.select(far, most, size))
    ratio = grown / (grown + 1.0)
    sinh, cosh = (grown + ratio) * 0.5, grown * ratio * 0.5 + 1.0
    divisor = sinh * sinh + cosine * cosine
    real = kernels.select(far, 1.0 + 0.0 * cosine, sinh * cosh / divisor)
    small = kernels.exp(-size)
    imag = kernels.select(far, 4.0 * sine * cosine * small * small, sine * cosine / divisor)
    no_angle = ~(kernels.fabs(x.imag) < math.inf)
    infinite = size == math.inf
    real = kernels.select(infinite, 1.0, kernels.select(no_angle & (size == 0), 0.0, real))
    imag = kernels.select(infinite & no_angle, kernels.copysign(0.0, x.imag), imag)
    imag = kernels.select(x.imag == 0, x.imag, imag)
    return ComplexScalar(kernels.copysign(real, x.real), imag)


def sine(x: ComplexScalar) -> ComplexScalar:
    """``sin(x)``."""
    turned = hyperbolic_sine(ComplexScalar(x.imag, x.real))
    return ComplexScalar(turned.imag, turned.real)


def cosine(x: ComplexScalar) -> ComplexScalar:
    """``cos(x)``."""
    return hyperbolic_cosine(ComplexScalar(-x.imag, x.real))


def tangent(x: ComplexScalar) -> ComplexScalar:
    """``tan(x)``."""
    turned = hyperbolic_tangent(ComplexScalar(x.imag, x.real))
    return ComplexScalar(turned.imag, turned.real)


def square_root(x: ComplexScalar) -> ComplexScalar:
    """The square root with a real part that is not negative.

    Kahan, "Branch cuts for complex elementary functions", in: The State of the Art in Numerical
    Analysis, 1987. Numbers near the ends of the range are scaled, so that nothing overflows, or is
    rounded where it is subnormal.
    """
    a, b = kernels.fabs(x.real), kernels.fabs(x.imag)
    largest = kernels.select(a >= b, a, b)
    ends = np.finfo(x.real.dtype)
    up = 2.0 ** (2 * (ends.nmant // 2 + 2))  # powers of 4, whose roots are exact
    huge, tiny = largest > float(ends.max) / 8, largest < float(ends.tiny) * up

    def scaled(part: Any, of_huge: float, of_tiny: float) -> Any:
        return kernels.select(huge, part * of_huge, kernels.select(tiny, part * of_tiny, part))

    a, b = scaled(a, 1 / 16, up), scaled(b, 1 / 16, up)
    longer = kernels.sqrt((a + kernels.hypot(a, b)) * 0.5)
    shorter = kernels.select(longer == 0, 0.0 * b, b / (longer * 2.0))
    longer, shorter = scaled(longer, 4.0, up**-0.5), scaled(shorter, 4.0, up**-0.5)
    negative = kernels.signbit(x.real)
    real = kernels.select(negative, shorter, longer)
    imag = kernels.select(negative, longer, shorter)
    # Infinite numbers.
    infinite = kernels.fabs(x.real) == math.inf
    real = kernels.select(infinite & negative & (x.imag == x.imag), 0.0, real)
    imag = kernels.select(infinite & ~negative & (x.imag == x.imag), 0.0, imag)
    imag = kernels.select(infinite & negative, math.inf, imag)
    real = kernels.select(infinite & ~negative, math.inf, real)
    above = kernels.fabs(x.imag) == math.inf
    real = kernels.select(above, math.inf, real)
    imag = kernels.select(above, math.inf, imag)
    return ComplexScalar(real, kernels.copysign(imag, x.imag))


def logarithm(x: ComplexScalar) -> ComplexScalar:
    """The logarithm with an imaginary part from -pi to pi."""
    return ComplexScalar(_logarithm_of_length(x), kernels.atan2(x.imag, x.real))


def _logarithm_of_length(x: ComplexScalar) -> Any:
    """``log(abs(x))``, also near 1, where ``abs(x)**2 - 1`` is computed in twice the digits."""
    a, b = kernels.fabs(x.real), kernels.fabs(x.imag)
    a, b = kernels.select(a >= b, a, b), kernels.select(a >= b, b, a)
    ends = np.finfo(x.real.dtype)
    up = float(ends.nmant + 3)
    huge, tiny = a > float(ends.max) / 4, a < float(ends.tiny) * 2.0**up

    def scaled(part: Any) -> Any:
        return kernels.select(huge, part * 0.25, kernels.select(tiny, part * 2.0**up, part))

    far = kernels.log(kernels.hypot(scaled(x.real), scaled(x.imag)))
    far = kernels.select(
        huge,
        far + 2.0 * math.log(2),
        kernels.select(tiny, far - up * math.log(2), far),
    )
    aa, bb = a * a, b * b
    rest = kernels.fma(a, a, -aa) + kernels.fma(b, b, -bb)
    above, first = _exact_sum(aa, -1.0)
    above, second = _exact_sum(above, bb)
    near = kernels.log1p(above + (rest + (first + second))) * 0.5
    return kernels.select((a < 2.0) & (aa + bb > 0.5) & (aa + bb < 3.0), near, far)


def _exact_sum(x: Any, y: Any) -> tuple[Any, Any]:
    """A sum, and what it is off: Knuth, The Art of Computer Programming, volume 2, 4.2.2."""
    total = x + y
    part = total - x
    return total, (x - (total - part)) + (y - part)


def _most_exponent(x: Any) -> float:
    """An integer whose exponential is finite, and not much less than the greatest number."""
    return float(math.floor(math.log(float(np.finfo(x.dtype).max))))


def is_infinite(x: ComplexScalar) -> Any:
    return (kernels.fabs(x.real) == math.inf) | (kernels.fabs(x.imag) == math.inf)


def is_finite(x: ComplexScalar) -> Any:
    return (kernels.fabs(x.real) < math.inf) & (kernels.fabs(x.imag) < math.inf)


def _is_small_power(exponent: Any) -> bool:
    """Whether an exponent is known, and an integer for which NumPy and Python multiply."""
    return exponent is not None and exponent == int(exponent.real) and abs(exponent) < 100


def power(x: ComplexScalar, y: ComplexScalar) -> ComplexScalar:
    """As NumPy takes powers: those to integers below 100 are squares of squares, multiplied."""
    if _is_small_power(y.literal):
        exponent = int(y.literal.real)
        found = _known_power(x, exponent)
        if exponent >= 0:
            return found
    elif y.literal == 0.5 and not x.is_number:  # of arrays, for ``x ** 0.5``
        return square_root(x)
    else:
        x, y = _with_imag(x), _with_imag(y)
        small = (kernels.fabs(y.real) < 100) & _is_whole(y)
        found = _small_power(x, kernels.select(small, y.real, 0.0))
        found = _one_of(small, found, lambda: exponential(_product_of_c(y, logarithm(x))))
    zero, above = (x.real == 0) & (x.imag == 0), y.real > 0
    unit = (y.real == 0) & (y.imag == 0)
    real, imag = (kernels.select(zero, math.nan, x) for x in (found.real, found.imag))
    return ComplexScalar(
        kernels.select(zero & unit, 1.0, kernels.select(zero & above, 0.0, real)),
        kernels.select(zero & (above | unit), 0.0, imag),
    )


def _with_imag(x: ComplexScalar) -> ComplexScalar:
    """A number whose imaginary part is a scalar as well, of its dtype, if it is real."""
    if not x.is_real:
        return x
    return dataclasses.replace(x, imag=kernels.fabs(kernels.copysign(0.0, x.real)))


def _is_whole(y: ComplexScalar) -> Any:
    whole = kernels.rint(y.real) == y.real
    return whole if y.is_real else whole & (y.imag == 0)


def _one_of(
    condition: Any, then: ComplexScalar, orelse: Callable[[], ComplexScalar]
) -> ComplexScalar:
    """One of two numbers, of which a kernel computes the other one only where it is needed."""
    if hasattr(condition, "__choose__"):
        return ComplexScalar(
            kernels.choose(condition, lambda: then.real, lambda: orelse().real),
            kernels.choose(condition, lambda: then.imag, lambda: orelse().imag),
        )
    return _selected(condition, then, orelse())


def _known_power(x: ComplexScalar, exponent: int) -> ComplexScalar:
    if exponent == 1:
        return x
    if exponent == 2:
        return product(x, x)
    if exponent == 3:
        return product(x, product(x, x))
    found = _natural_power(x, abs(exponent))
    return quotient(_ONE, found) if exponent < 0 else found


def _small_power(x: ComplexScalar, exponent: Any) -> ComplexScalar:
    """The same to an integer that is not known, at most 100."""
    found = _unknown_power(x, kernels.fabs(exponent))
    inverse = quotient(_ONE, found)
    square = product(x, x)
    known = (x, square, product(x, square))
    found = _selected(exponent < 0, inverse, found)
    for number, each in enumerate(known, 1):
        found = _selected(exponent == number, each, found)
    return found


def _unknown_power(x: ComplexScalar, exponent: Any) -> ComplexScalar:
    """`_natural_power` with a float for the exponent, which is at most 127."""
    found = _ONE
    for bit in range(7):
        half = kernels.floor(exponent * 0.5)
        found = _selected(half + half != exponent, product(found, x), found)
        exponent = half
        if bit < 6:
            x = product(x, x)
    return found


def _selected(condition: Any, x: ComplexScalar, y: ComplexScalar) -> ComplexScalar:
    return ComplexScalar(
        kernels.select(condition, x.real, y.real), kernels.select(condition, x.imag, y.imag)
    )


def _product_of_c(x: ComplexScalar, y: ComplexScalar) -> ComplexScalar:
    """As C multiplies: products of infinite numbers are infinite (annex G.5.1 of C99)."""
    (a, b), (c, d) = (x.real, x.imag), (y.real, y.imag)
    found = product(x, y)
    ends = [is_infinite(x), is_infinite(y)]
    large = functools.reduce(operator.or_, [_is_end(p * q) for p in (a, b) for q in (c, d)])

    def clear(part: Any, is_own: Any, is_other: Any) -> Any:
        one, zero = kernels.copysign(1.0, part), kernels.copysign(0.0, part)
        part = kernels.select(is_own, kernels.select(_is_end(part), one, zero), part)
        gone = (is_other | ~(ends[0] | ends[1])) & (part != part)
        return kernels.select(gone, kernels.copysign(0.0, part), part)

    a, b = clear(a, *ends), clear(b, *ends)
    c, d = clear(c, *ends[::-1]), clear(d, *ends[::-1])
    again = product(ComplexScalar(a, b), ComplexScalar(c, d))
    lost = (found.real != found.real) & (found.imag != found.imag)
    lost = lost & (ends[0] | ends[1] | large)
    return _selected(lost, ComplexScalar(again.real * math.inf, again.imag * math.inf), found)


def _is_end(x: Any) -> Any:
    return kernels.fabs(x) == math.inf


def _natural_power(x: ComplexScalar, exponent: int) -> ComplexScalar:
    found = _ONE
    while exponent:
        if exponent & 1:
            found = product(found, x)
        exponent >>= 1
        if exponent:
            x = product(x, x)
    return found


# -- Python's own numbers --------------------------------------------------------------------------

# Since Python 3.14 a real operand is not made complex first, and infinite products are recovered
# from NaN, as annex G of C99 has both.
_MIXES = math.copysign(1.0, (0.0 + complex(0.0, -0.0)).imag) < 0
_RECOVERS = not math.isnan((complex(math.inf, math.inf) * 1j).imag)


def python_sum(x: ComplexScalar, y: ComplexScalar) -> ComplexScalar:
    """``x + y`` of Python's numbers."""
    if _MIXES and (x.is_real or y.is_real):
        return ComplexScalar(x.real + y.real, y.imag if x.is_real else x.imag)
    return total(x, y)


def python_difference(x: ComplexScalar, y: ComplexScalar) -> ComplexScalar:
    """``x - y`` of Python's numbers."""
    if _MIXES and (x.is_real or y.is_real):
        return ComplexScalar(x.real - y.real, -y.imag if x.is_real else x.imag)
    return difference(x, y)


def python_product(x: ComplexScalar, y: ComplexScalar) -> ComplexScalar:
    """``x * y`` of Python's numbers; the kernel gives up where Python looks at NaN once more."""
    if _MIXES and (x.is_real or y.is_real):
        factor, other = (x.real, y) if x.is_real else (y.real, x)
        return ComplexScalar(factor * other.real, factor * other.imag)
    found = product(x, y)
    if _RECOVERS:
        kernels.require((found.real == found.real) | (found.imag == found.imag))
    return found


def python_quotient(x: ComplexScalar, y: ComplexScalar) -> ComplexScalar:
    """``x / y`` of Python's numbers, by Smith's algorithm with two quotients; the kernel gives up
    where Python raises, or looks at NaN once more."""
    kernels.require((y.real != 0) | (y.imag != 0))
    if _MIXES and y.is_real:
        return ComplexScalar(x.real / y.real, x.imag / y.real)
    if y.is_real:
        ratio = kernels.copysign(0.0, y.real)
        real, imag = x.real + x.imag * ratio, x.imag - x.real * ratio
        return ComplexScalar(real / y.real, imag / y.real)
    a, b = kernels.fabs(y.real), kernels.fabs(y.imag)
    first = a >= b
    large, small = kernels.select(first, y.real, y.imag), kernels.select(first, y.imag, y.real)
    ratio = small / large
    divisor = large + small * ratio
    real = kernels.select(first, x.real + x.imag * ratio, x.real * ratio + x.imag) / divisor
    imag = kernels.select(first, x.imag - x.real * ratio, x.imag * ratio - x.real) / divisor
    if _RECOVERS or _MIXES:
        kernels.require((real == real) | (imag == imag))
    unknown = ~(first | (b >= a))
    nothing = kernels.select(unknown, math.nan, 0.0 * ratio)
    return ComplexScalar(
        kernels.select(unknown, nothing, real), kernels.select(unknown, nothing, imag)
    )


def python_length(x: ComplexScalar) -> Any:
    """``abs(x)`` of Python's numbers; the kernel gives up where it overflows."""
    found = length(x)
    parts = kernels.fabs(x.real) + kernels.fabs(x.imag)
    kernels.require((found != math.inf) | is_infinite(x) | (parts != parts))
    return found


def python_power(x: ComplexScalar, y: ComplexScalar) -> ComplexScalar:
    """``x ** y`` of Python's numbers; the kernel gives up where it is not finite."""
    if _is_small_power(y.literal):
        exponent = int(y.literal.real)
        found = _natural_power(x, abs(exponent))
        if exponent <= 0:
            found = python_quotient(_ONE, found)
    else:
        small = (kernels.fabs(y.real) <= 100) & _is_whole(y)
        exponent = kernels.select(small, y.real, 0.0)
        found = _unknown_power(x, kernels.fabs(exponent))
        zero = (x.real == 0) & (x.imag == 0)
        kernels.require(~zero | (small & (exponent >= 0)))
        inverse = python_quotient(_ONE, _selected(exponent > 0, _ONE, found))
        found = _selected(exponent > 0, found, inverse)
        found = _one_of(small, found, lambda: _polar_power(x, y))
    kernels.require(is_finite(found))
    return found


def _polar_power(x: ComplexScalar, y: ComplexScalar) -> ComplexScalar:
    """As Python computes powers that are no products."""
    length, angle = kernels.hypot(x.real, x.imag), kernels.atan2(x.imag, x.real)
    size, phase = kernels.power(length, y.real), angle * y.real
    if not y.is_real:
        turned = y.imag != 0
        size = kernels.select(turned, size * kernels.exp(-angle * y.imag), size)
        phase = kernels.select(turned, phase + y.imag * kernels.log(length), phase)
    return ComplexScalar(size * kernels.cos(phase), size * kernels.sin(phase))


_OPERATIONS: dict[tuple[str, int], Any] = {
    ("+", 2): total,
    ("-", 2): difference,
    ("-", 1): lambda x: ComplexScalar(-x.real, -x.imag),
    ("*", 2): product,
    ("/", 2): quotient,
    ("==", 2): lambda x, y: (x.real == y.real) & (x.imag == y.imag),
    ("!=", 2): lambda x, y: (x.real != y.real) | (x.imag != y.imag),
}
