"""What the functions share: formats, polynomials, sums and products without an error, powers of 2.

The error-free transformations are those of Dekker (1971), Knuth and Moller; see Muller and others,
Handbook of Floating-Point Arithmetic, 2nd ed., chapter 4. A number in two parts, ``(high, low)``,
is their sum, with ``high`` the sum rounded.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from ops.core.kernels import bits, fma, from_bits, select, shift_left, shift_right
from ops.core.records import dataclass

SINGLE, DOUBLE = np.dtype("float32"), np.dtype("float64")
INF, NAN = float("inf"), float("nan")


@dataclass(frozen=True)
class Format:
    """A binary floating-point format.

    Attributes:
        fraction: bits of the significand that are stored.
        bias: of the exponent.
    """

    fraction: int
    bias: int

    @property
    def one(self) -> int:
        """The bits of 1."""
        return self.bias << self.fraction

    @property
    def fraction_mask(self) -> int:
        """What the stored part of a significand can be."""
        return (1 << self.fraction) - 1

    @property
    def exponent_mask(self) -> int:
        """What a biased exponent can be."""
        return 2 * self.bias + 1

    @property
    def smallest_normal(self) -> float:
        return 2.0 ** (1 - self.bias)

    @property
    def rounder(self) -> float:
        """A number near which floats are integers: ``x + rounder - rounder`` is ``rint(x)``, and
        the low bits of ``x + rounder`` are that integer, in two's complement."""
        return 1.5 * 2.0**self.fraction


FORMATS: dict[np.dtype, Format] = {
    SINGLE: Format(23, 127),
    DOUBLE: Format(52, 1023),
}


def number(x: Any, value: float) -> Any:
    """A number of the dtype of ``x``, where nothing else gives its dtype."""
    return x.dtype.type(value)


def parts(value: Fraction, dtype: np.dtype, count: int = 2) -> tuple[float, ...]:
    """A number as a sum of floats of a dtype, each the nearest to what is left."""
    found: list[float] = []
    for _ in range(count):
        found.append(float(dtype.type(float(value))))
        value -= Fraction(found[-1])
    return tuple(found)


def by_dtype(value: Fraction, count: int = 2) -> dict[np.dtype, tuple[float, ...]]:
    """The `parts` of a number for either dtype."""
    return {dtype: parts(value, dtype, count) for dtype in FORMATS}


LOG_2 = Fraction("0.693147180559945309417232121458176568075500134360255254")
PI = Fraction("3.14159265358979323846264338327950288419716939937510582097494459230781640629")


def polynomial(x: Any, coefficients: Sequence[Any]) -> Any:
    """A polynomial, lowest power first, by Horner's rule."""
    total: Any = coefficients[-1]
    for c in coefficients[-2::-1]:
        total = fma(total, x, c)
    return total


def polynomial_by_pairs(x: Any, coefficients: Sequence[float]) -> Any:
    """The same by pairs of terms, which do not wait for each other: it is there in half of the
    time, but less exact in its last place."""
    pairs: list[Any] = [fma(x, odd, even) for even, odd in zip(*2 * [iter(coefficients)])]
    return polynomial(x * x, [*pairs, *coefficients[2 * len(pairs) :]])


def two_sum(x: Any, y: Any) -> tuple[Any, Any]:
    """``x + y`` in two parts."""
    total = x + y
    other = total - x
    return total, (x - (total - other)) + (y - other)


def fast_two_sum(x: Any, y: Any) -> tuple[Any, Any]:
    """``x + y`` in two parts, where ``abs(x) >= abs(y)``, or ``x`` is a multiple of the last bit
    of ``y``."""
    total = x + y
    return total, y - (total - x)


def two_product(x: Any, y: Any) -> tuple[Any, Any]:
    """``x * y`` in two parts."""
    product = x * y
    return product, fma(x, y, -product)


def clamped(x: Any, low: float, high: float) -> Any:
    """``x`` moved into an interval; NaN stays."""
    x = at_most(x, high)
    return select(x < low, low, x)


def at_most(x: Any, high: float) -> Any:
    return select(x > high, high, x)


def with_sign_flipped(x: Any, flips: Any) -> Any:
    """``x`` with its sign bit changed where that of the integer ``flips`` is set."""
    return from_bits(bits(x) ^ flips)


def sign_bit(x: Any) -> Any:
    """The bits of -0 or of 0, whichever has the sign of ``x``."""
    return bits(x) & (-1 << (x.dtype.itemsize * 8 - 1))


def rounded(x: Any, scale: float = 1.0) -> tuple[Any, Any]:
    """``rint(x * scale)`` for an ``x`` below 2**(fraction - 2), and the same number as an integer
    in the low bits. A half may round either way."""
    rounder = FORMATS[x.dtype].rounder
    shifted = fma(x, scale, rounder)
    return shifted - rounder, bits(shifted)


def power_of_two(biased: Any, dtype: np.dtype) -> Any:
    """The float with a biased exponent in the low bits of an integer. The bit above it, which
    becomes the sign, is not set; those above that do not matter."""
    return from_bits(shift_left(biased, FORMATS[dtype].fraction))


class Exponent:
    """The integer ``n = rint(x * scale)``, and multiplication by ``2**n``.

    Attributes:
        value: ``n`` as a float.
        biased: ``n + 2 * bias`` in the low bits of an integer, with 0 above.
    """

    def __init__(self, x: Any, scale: float):
        form = FORMATS[x.dtype]
        rounder = form.rounder + 2 * form.bias
        shifted = fma(x, scale, rounder)
        self.value = shifted - rounder
        self.biased = bits(shifted)

    def times(self, x: Any) -> Any:
        """``x * 2**n``, where ``2**n`` is a normal number."""
        form = FORMATS[x.dtype]
        return x * power_of_two(self.biased - form.bias, x.dtype)

    def scaled(self, x: Any, more: int = 0) -> Any:
        """``x * 2**(n + more)``, rounded once if ``x`` is between 1/2 and 2 and ``n`` not far out
        of the range of exponents: by two powers of 2, since one might not be a normal number."""
        first, second = self._halves(x, more)
        return x * first * second

    def scaled_sum(self, x: Any, y: Any, more: int = 0) -> Any:
        """``(1 + x * y) * 2**(n + more)`` likewise, one product sooner: ``y`` is there before
        ``x``."""
        first, second = self._halves(x, more)
        return fma(x, y * first, first) * second

    def _halves(self, x: Any, more: int) -> tuple[Any, Any]:
        first = shift_right(self.biased, 1)
        second = self.biased - first
        if more:
            second = second + more
        return power_of_two(first, x.dtype), power_of_two(second, x.dtype)
