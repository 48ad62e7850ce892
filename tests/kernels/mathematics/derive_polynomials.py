"""Derives the polynomials of `autograph.kernels.mathematics`.

    python tests/kernels/mathematics/derive_polynomials.py [name ...]

prints the coefficients, lowest power first, and the largest error that they leave. The algorithm is
Remez' second one, with a weight (Muller, Elementary Functions, 3rd ed., chapter 3).
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence

import mpmath
from mpmath import mpf

mpmath.mp.dps = 40

Function = Callable[[mpf], mpf]


def remez(f: Function, weight: Function, low: mpf, high: mpf, degree: int) -> list[mpf]:
    """The polynomial of a degree that is nearest to a function.

    Args:
        weight: the error is multiplied by this.
        low, high: the interval, neither end of which need belong to the domain of ``f``.
    """
    count = degree + 1
    middle, half = (low + high) / 2, (high - low) / 2
    grid = [middle - half * mpmath.cos(mpmath.pi * (i + mpf(1) / 2) / 600) for i in range(600)]
    values = [(x, f(x), weight(x)) for x in grid]
    chosen = [round(599 * (1 - mpmath.cos(mpmath.pi * i / count)) / 2) for i in range(count + 1)]
    for _ in range(30):
        rows = mpmath.matrix(count + 1, count + 1)
        right = mpmath.matrix(count + 1, 1)
        for i, k in enumerate(chosen):
            x, y, w = values[k]
            for power in range(count):
                rows[i, power] = x**power
            rows[i, count] = (-1) ** i / w
            right[i] = y
        solution = mpmath.lu_solve(rows, right)
        coefficients = list(solution)[:count]

        def error(k: int, c: list[mpf] = coefficients) -> mpf:
            x, y, w = values[k]
            return w * (y - value(c, x))

        errors = [error(k) for k in range(600)]
        # The largest error of each run of one sign.
        peaks: list[int] = []
        for k, e in enumerate(errors):
            if peaks and (e > 0) == (errors[peaks[-1]] > 0):
                if abs(e) > abs(errors[peaks[-1]]):
                    peaks[-1] = k
            else:
                peaks.append(k)
        while len(peaks) > count + 1:
            weakest = 0 if abs(errors[peaks[0]]) < abs(errors[peaks[-1]]) else -1
            peaks.pop(weakest)
        if len(peaks) < count + 1 or peaks == chosen:
            break
        chosen = peaks
    return coefficients


def fitted(
    f: Function, weight: Function, low: float, high: float, degree: int, dtype: str
) -> tuple[list[float], list[float], mpf]:
    """Coefficients of a dtype of a polynomial near to a function, what rounding took from them, and
    the largest weighted error."""
    low, high = mpf(low), mpf(high)
    exact = remez(f, weight, low, high, degree)
    done = [mpf(nearest(c, dtype)) for c in exact]
    lost = [float(c - d) for c, d in zip(exact, done)]
    return [float(c) for c in done], lost, largest_error(f, weight, low, high, done)


def largest_error(
    f: Function, weight: Function, low: mpf, high: mpf, coefficients: Sequence[mpf]
) -> mpf:
    """How far a polynomial is from a function, with the weight."""
    points = [low + (high - low) * (i + mpf(1) / 2) / 500 for i in range(500)]
    return max(abs(weight(x) * (f(x) - value(coefficients, x))) for x in points)


def value(coefficients: Sequence[mpf], x: mpf) -> mpf:
    """A polynomial, lowest power first."""
    total = mpf(0)
    for c in reversed(coefficients):
        total = total * x + c
    return total


def nearest(x: mpf, dtype: str) -> float:
    """A number rounded to a dtype."""
    with mpmath.workprec(53 if dtype == "float64" else 24):
        return float(+x)


def _root(x: mpf) -> mpf:
    return mpmath.sqrt(x)


def _scaled_erfc(c: float) -> Function:
    def of_ratio(t: mpf) -> mpf:
        x = c * (1 + t) / (1 - t)
        return mpmath.exp(x * x) * mpmath.erfc(x) * (x + c)

    return of_ratio


LN2 = mpmath.log(2)
# name: (function, weight, low, high, degree for float32, degree for float64)
POLYNOMIALS = {
    # exp(r) = 1 + r + r^2 p(r); also of expm1, relative to which the error is.
    "exp": (
        lambda r: (mpmath.expm1(r) - r) / r**2,
        lambda r: abs(r**2 / mpmath.expm1(r)),
        -0.3475,
        0.3475,
        4,
        9,
    ),
    # 2^r = 1 + r p(r)
    "exp2": (
        lambda r: (mpf(2) ** r - 1) / r,
        lambda r: abs(r) / mpf(2) ** r,
        -0.5,
        0.5,
        5,
        10,
    ),
    # log(1 + f) = f - f^2/2 + f^3 p(f)
    "log": (
        lambda f: (mpmath.log1p(f) - f + f * f / 2) / f**3,
        lambda f: f**3 / mpmath.log1p(f),
        -0.29290,
        0.41422,
        7,
        None,
    ),
    # log((1 + s) / (1 - s)) = 2 s + s p(s^2) with p(0) = 0, given as p(z) / z
    "log_ratio": (
        lambda z: (2 * mpmath.atanh(_root(z)) / _root(z) - 2) / z,
        lambda z: z,
        0,
        0.02945,
        None,
        6,
    ),
    # sin(r) = r + r^3 p(r^2)
    "sin": (
        lambda z: (mpmath.sin(_root(z)) / _root(z) - 1) / z,
        lambda z: z * _root(z) / mpmath.sin(_root(z)),
        0,
        0.79**2,
        2,
        5,
    ),
    # cos(r) = 1 - r^2/2 + r^4 p(r^2)
    "cos": (
        lambda z: (mpmath.cos(_root(z)) - 1 + z / 2) / z**2,
        lambda z: z**2 / mpmath.cos(_root(z)),
        0,
        0.79**2,
        2,
        5,
    ),
    # tan(r) = r + r^3 p(r^2)
    "tan": (
        lambda z: (mpmath.tan(_root(z)) / _root(z) - 1) / z,
        lambda z: z * _root(z) / mpmath.tan(_root(z)),
        0,
        0.79**2,
        6,
        14,
    ),
    # tanh(x) = x + x^3 p(x^2)
    "tanh": (
        lambda z: (mpmath.tanh(_root(z)) / _root(z) - 1) / z,
        lambda z: z * _root(z) / mpmath.tanh(_root(z)),
        0,
        0.625**2,
        4,
        10,
    ),
    # sinh(x) = x + x^3 p(x^2)
    "sinh": (
        lambda z: (mpmath.sinh(_root(z)) / _root(z) - 1) / z,
        lambda z: z * _root(z) / mpmath.sinh(_root(z)),
        0,
        1,
        3,
        7,
    ),
    # atan(x) = x + x^3 p(x^2)
    "atan": (
        lambda z: (mpmath.atan(_root(z)) / _root(z) - 1) / z,
        lambda z: z * _root(z) / mpmath.atan(_root(z)),
        0,
        1,
        8,
        19,
    ),
    # asin(x) = x + x^3 p(x^2)
    "asin": (
        lambda z: (mpmath.asin(_root(z)) / _root(z) - 1) / z,
        lambda z: z * _root(z) / mpmath.asin(_root(z)),
        0,
        0.25,
        4,
        11,
    ),
    # atanh(s) = s + s^3 (1/3 + s^2 p(s^2)), for powers
    "atanh_rest": (
        lambda z: ((mpmath.atanh(_root(z)) / _root(z) - 1) / z - mpf(1) / 3) / z,
        lambda z: z * z,
        0,
        0.02945,
        None,
        6,
    ),
    # log2((1 + s) / (1 - s)) / s, in double for powers of float32
    "log2_ratio": (
        lambda z: 2 * mpmath.atanh(_root(z)) / _root(z) / LN2,
        lambda z: mpf(1),
        0,
        0.02945,
        None,
        5,
    ),
    # 2^r, for powers of float32
    "exp2_short": (
        lambda r: (mpf(2) ** r - 1) / r,
        lambda r: abs(r) / mpf(2) ** r,
        -0.5,
        0.5,
        None,
        6,
    ),
    # (1 + f)^(-1/3)
    "inverse_cbrt": (
        lambda f: (1 + f) ** (-mpf(1) / 3),
        lambda f: (1 + f) ** (mpf(1) / 3),
        -0.2929,
        0.41422,
        5,
        7,
    ),
    # erf(x) = x + x p(x^2)
    "erf": (
        lambda z: mpmath.erf(_root(z)) / _root(z) - 1,
        lambda z: _root(z) / mpmath.erf(_root(z)),
        0,
        1,
        6,
        12,
    ),
    # exp(x^2) erfc(x) (x + c) = p((x - c) / (x + c)), for x from 3/4 to 10.6 or 27.5
    "erfc_single": (_scaled_erfc(1), lambda t: mpf(1), -0.25 / 1.75, 9.6 / 11.6, 10, None),
    "erfc_double": (_scaled_erfc(2), lambda t: mpf(1), -1.25 / 2.75, 25.5 / 29.5, None, 21),
}


def main(names: list[str]) -> None:
    for name in names or POLYNOMIALS:
        f, weight, low, high, *degrees = POLYNOMIALS[name]
        for dtype, degree in zip(("float32", "float64"), degrees):
            if degree is None:
                continue
            coefficients, lost, error = fitted(f, weight, low, high, degree, dtype)
            print(f"{name} {dtype}: error 2^{mpmath.nstr(mpmath.log(error, 2), 4)}")
            print("    " + ",\n    ".join(map(repr, coefficients)) + ",")
            print(f"    rounding took {lost[0]!r}, {lost[1]!r} from the first two")


if __name__ == "__main__":
    main(sys.argv[1:])
