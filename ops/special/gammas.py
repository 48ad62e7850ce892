"""The gamma function, its logarithm and the derivatives of that, and the beta function.

From 3 up Stirling's series is used (DLMF 5.11), its remainder replaced by a rational function;
between 1 and 3 a rational function times the zeros; elsewhere the recurrences and the reflection
formula (DLMF 5.5). The rational functions interpolate at Chebyshev nodes and were computed in 60
digits; they are right to 1e-16 or better.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ops.core.operands import dtype_of
from ops.core.registry import Elementwise
from ops.elementwise import (
    absolute,
    add,
    equal,
    floor,
    greater_equal,
    less_equal,
    logical_and,
    multiply,
    positive,
    remainder,
    subtract,
)
from ops.elementwise import divide as over
from ops.elementwise.conversion import astype, where
from ops.special.declare import horner, special

__all__ = [
    "beta",
    "betaln",
    "comb",
    "digamma",
    "factorial",
    "gamma",
    "gammaln",
    "gammasgn",
    "multigammaln",
    "polygamma",
    "psi",
    "rgamma",
    "zeta",
]


def sin_pi(x):
    """``sin(pi * x)``, right also near its zeros."""
    whole = np.rint(x)
    sign = 1 - 2 * np.remainder(whole, 2)
    return sign * np.sin(3.141592653589793 * (x - whole))


def stirling(x):
    """``log(gamma(x))`` minus ``(x - 0.5) * log(x) - x + 0.5 * log(2 * pi)``, for ``x >= 3``."""
    p = (
        *(-0.011789803842683697, 1.2501948519249801, 9.573779818443809, 15.276567940513942),
        *(7.934646452795653, 1.4765973070185408, 0.08333333333333333),
    )
    q = (
        *(17.7655831892834, 120.30137041423347, 186.3501528268548, 95.79798365794323),
        *(17.752501017555822, 1.0),
    )
    w = 1 / x / x
    return horner(w, p) / horner(w, q) / x


def gammaln_of_1_plus(t):
    """The logarithm of the gamma function of ``1 + t``, for ``t >= 0``."""
    p = (
        *(1.54621296801624e-07, 0.00010318936786846241, 0.004630212547046027),
        *(0.06620652414372981, 0.4175253681048576, 1.3226883681228077),
        *(2.1865334418937055, 1.795879018997928, 0.5772156649015329),
    )
    q = (
        *(2.4701852219090835e-05, 0.0017463681006452904, 0.03613884447121401),
        *(0.3239769173460576, 1.4771004522959044, 3.6722217552107503),
        *(5.021257900661251, 3.5361659629745215, 1.0),
    )
    u = np.minimum(t, 2.0)
    near = u * (u - 1) * horner(u, p) / horner(u, q)
    y = np.clip(t, 2.0, 2.5563e305) + 1
    far = (y - 0.5) * np.log(y) - y + 0.9189385332046728 + stirling(y)
    return np.where(t <= 2.0, near, np.where(t > 2.5563e305, np.inf, far))


def gammaln_values(x):
    """The logarithm of the absolute value of the gamma function."""
    found = gammaln_of_1_plus(
        np.where(x < -1.0, -x - 1, np.where(x < 0, x + 1, np.where(x < 1.0, x, x - 1)))
    )
    small = np.where((x > -1.0) & (x < 1.0) & (x != 0), x, 0.5)
    step = np.log(abs(small)) + np.where(small < 0, np.log1p(np.minimum(small, 0.0)), 0.0)
    below = np.where((x < -1.0) & (x != np.rint(x)), x, -1.5)
    below = np.where(below == np.rint(below), -1.5, below)
    mirrored = 1.1447298858494002 - np.log(abs(below * sin_pi(below))) - found
    found = np.where(x >= 1.0, found, np.where(x < -1.0, mirrored, found - step))
    pole = (x <= 0) & (x == np.rint(x))
    found = np.where(pole, np.where(x == -np.inf, -np.inf, np.inf), found)
    return np.where(x != x, np.nan, found)


def gamma_of_positive(x):
    """The gamma function, for ``1 <= x <= 171.624...``."""
    p = (
        *(5.078276141022565e-06, 4.0247553725728683e-05, 0.0004635917905087376),
        *(0.002770180331927695, 0.01695892210922205, 0.06853064011698419),
        *(0.2526782282063424, 0.5597378819940056, 1.0),
    )
    q = (
        *(-1.53289713793618e-05, 0.00036232328686158587, -0.0030998275477711864),
        *(0.008018474727587124, 0.033817917602984866, -0.19474196602739463),
        *(-0.0801103695875567, 1.1369535468955256, 1.0),
    )
    p_far = (
        *(0.16271987654632042, 1.927229271306181, 6.209149150933224, 12.12517849124551),
        *(12.105432089840255, 9.039242072727824, 3.235613376103843, 1.0),
    )
    q_far = (
        *(0.04714154574683477, 1.4798187243722254, 5.263461004249933, 11.156225006857714),
        *(11.366078012941115, 8.773079846941386, 3.1522800427705095, 1.0),
    )
    t = np.minimum(x, 3.0) - 1
    y = np.maximum(x, 3.0)
    half = np.power(y, 0.5 * y - 0.25)  # of the power, which alone would overflow
    series = 2.5066282746310002 * (horner(1 / y, p_far) / horner(1 / y, q_far))
    far = half * np.exp(-y) * series * half
    return np.where(x <= 3.0, horner(t, p) / horner(t, q), far)


def gamma_values(x):
    """The gamma function."""
    largest = 171.62437695630272
    size = np.where(x < -1.0, -x, np.where(x < 0, x + 2, np.where(x < 1.0, x + 1, x)))
    found = gamma_of_positive(np.minimum(size, largest))
    small = np.where((x > -1.0) & (x < 1.0) & (x != 0), x, 0.5)
    tiny = abs(small) < 5.6e-309
    step = np.where(tiny, 1.0, small) * np.where(small < 0, 1 + small, 1.0)
    stepped = np.where(abs(x) < 1.0, found, 1.0) / step
    stepped = np.where(tiny, np.copysign(np.inf, small), stepped)
    below = np.where((x < -1.0) & (x != np.rint(x)), x, -1.5)
    mirrored = -3.141592653589793 / (below * sin_pi(below)) / found
    found = np.where(x > largest, np.inf, found)
    mirrored = np.where(x < -largest, 0.0, mirrored)
    found = np.where(x >= 1.0, found, np.where(x < -1.0, mirrored, stepped))
    found = np.where(x == 0, np.copysign(np.inf, x), found)
    pole = (x < 0) & (x == np.rint(x))
    return np.where(pole | (x != x), np.nan, found)


def rgamma_values(x):
    """One divided by the gamma function."""
    pole = (x <= 0) & (x == np.rint(x))
    tiny = abs(x) < 1e-300
    large = abs(x) > 170.0
    found = gamma_values(np.where(pole | tiny | large, 0.5, x))
    sign = np.where((x < 0) & (np.remainder(np.floor(x), 2) == 1), -1.0, 1.0)
    logarithm = gammaln_values(np.where(large & ~pole, x, 0.5))
    found = np.where(large, sign * np.exp(np.clip(-logarithm, -746.0, 709.7)), 1 / found)
    found = np.where(large & (-logarithm > 709.7), sign * np.inf, found)
    return np.where(tiny, x, np.where(pole, 0.0, found))


def gammasgn_values(x):
    """The sign of the gamma function."""
    odd = np.remainder(np.floor(np.where(abs(x) < np.inf, x, 0.5)), 2) == 1
    sign = np.where((x < 0) & odd, -1.0, 1.0)
    sign = np.where(x == 0, np.copysign(1.0, x), sign)
    return np.where((x != x) | ((x < 0) & (x == np.rint(x))), np.nan, sign)


def digamma_values(x):
    """The logarithmic derivative of the gamma function."""
    p = (
        *(2.132222519130402e-09, 2.9439514984194216e-06, 0.000239854074919172),
        *(0.006350582117172025, 0.07543735973844712, 0.45361054458056704),
        *(1.4176486061915108, 2.1633942914346003, 1.2503801375034054),
    )
    q = (
        *(5.237974431442859e-07, 5.9152057788445143e-05, 0.0020141591703143674),
        *(0.03028762771808635, 0.2332747854268785, 0.9730907043034267),
        *(2.1818840960343415, 2.413736080343141, 1.0),
    )
    p_far = (
        *(1.0782229367225984, 21.01730541366536, 57.6565145633749, 48.84724624586828),
        *(15.850824113085535, 2.023481407606978, 0.08333333333333333),
    )
    q_far = (
        *(25.927999700660514, 305.5239721805984, 744.2665009245396, 604.3159627551232),
        *(192.60044799853722, 24.381776891283728, 1.0),
    )
    size = np.where(x < 0, 1 - x, np.where(x < 1.0, x + 1, x))
    near = np.minimum(size, 3.0)
    t = near - 1
    # The zero lies between two doubles.
    near = (near - 1.4616321449683622 - 9.549995429965697e-17) * horner(t, p) / horner(t, q)
    y = np.maximum(size, 3.0)
    w = 1 / y / y
    far = np.log(y) - 0.5 / y - w * horner(w, p_far) / horner(w, q_far)
    found = np.where(size <= 3.0, near, far)
    pole = (x <= 0) & (x == np.rint(x))
    small = np.where((x < 1.0) & (x > 0), x, 1.0)
    tiny = small < 5.6e-309
    step = np.where(tiny, np.inf, 1 / np.where(tiny, 1.0, small))
    found = np.where((x < 1.0) & (x > 0), found - step, found)
    below = np.where((x < 0) & ~pole, x - np.rint(x), 0.25)
    tiny = abs(below) < 1e-308
    cotangent = 3.141592653589793 / np.tan(3.141592653589793 * np.where(tiny, 0.25, below))
    found = np.where(x < 0, found - np.where(tiny, np.copysign(np.inf, below), cotangent), found)
    return np.where(pole, np.where(x == 0, -np.copysign(np.inf, x), np.nan), found)


def zeta_of_positive(s, q):
    """The Hurwitz zeta function for ``s > 1`` and ``q > 0`` by Euler and Maclaurin's formula (DLMF
    25.11.5): twelve terms, then the series with Bernoulli numbers."""
    huge = -s * np.log(q) > 709.7
    q = np.where(huge, 1.0, q)
    total = q**-s
    for k in range(1, 12):
        total = total + (q + k) ** -s
    a = q + 12
    power = a**-s
    total = total + a ** (1 - s) / (s - 1) + 0.5 * power
    factor = s * power / a
    bernoulli = (
        *(1 / 12, -1 / 720, 1 / 30240, -1 / 1209600, 1 / 47900160, -691 / 1307674368000),
        *(1 / 74724249600, -3617 / 10670622842880000, 43867 / 5109094217170944000),
        *(-174611 / 802857662698291200000, 77683 / 14101100039391805440000),
    )
    for j, coefficient in enumerate(bernoulli):
        total = total + coefficient * factor
        factor = factor * (s + 2 * j + 1) * (s + 2 * j + 2) / a / a
    return np.where(huge, np.inf, total)


def zeta_values(s, q):
    """The Hurwitz zeta function."""
    s, q = np.broadcast_arrays(s, q)
    sane = (s > 1) & (s < np.inf) & (q < np.inf)
    order = np.where(sane, s, 2.0)
    negative = sane & (q < 0) & (s == np.rint(s)) & (q != np.rint(q))
    first = np.where(sane & (q > 0), q, np.where(negative, 1 - q, 1.0))
    found = zeta_of_positive(order, first)
    # The sum over all integers, to both sides, has period 1.
    fraction = np.where(negative, q - np.floor(q), 0.5)
    sign = 1 - 2 * np.remainder(order, 2)
    everything = zeta_of_positive(order, fraction) + sign * zeta_of_positive(order, 1 - fraction)
    found = np.where(negative, everything - sign * found, found)
    found = np.where((q <= 0) & (q == np.rint(q)), np.inf, found)
    found = np.where((q < 0) & (s != np.rint(s)) & (q != np.rint(q)), np.nan, found)
    found = np.where(q == np.inf, 0.0, found)
    found = np.where((s == np.inf) & (q > 0), np.where(q > 1, 0.0, np.where(q < 1, s, 1.0)), found)
    found = np.where(s == 1, np.inf, found)
    return np.where((s < 1) | (s != s) | (q != q), np.nan, found)


def betaln_values(a, b):
    """The logarithm of the absolute value of the beta function, after J. M. DiDonato and A. H.
    Morris (Algorithm 708, ACM Transactions on Mathematical Software 18, 1992)."""
    large, small = np.maximum(a, b), np.minimum(a, b)
    third = 1 - small - large
    finite = (
        (small < 0)
        & (small == np.rint(small))
        & (large == np.rint(large))
        & (third > 0)
        & (large > 0)
    )
    one, two = np.where(finite, third, small), large
    large, small = np.maximum(one, two), np.minimum(one, two)
    negative = small <= 0
    one, two = (np.where(negative, x, 1.0) for x in (small, large))
    plain = gammaln_values(one) + gammaln_values(two) - gammaln_values(one + two)
    inner = ~negative & (large < 10)
    p, q = np.where(inner, large, 1.0), np.where(inner, small, 1.0)
    tiny = q < 1e-290
    direct = np.log(gamma_values(np.where(tiny, 1.0, q)) * (gamma_values(p) / gamma_values(p + q)))
    direct = np.where(tiny, np.log1p(q / p) - np.log(q), direct)
    p = np.where((large >= 10) & (large < np.inf), large, 10.0)
    q = np.where((small > 0) & (small < np.inf), small, 1.0)
    one = gammaln_values(q) + stirling(p) - stirling(p + q) + q - q * np.log(p + q)
    one = one + (p - 0.5) * np.log1p(-q / (p + q))
    r = np.maximum(q, 10.0)
    s = np.maximum(p, r)
    both = 0.9189385332046728 - 0.5 * np.log(s) + stirling(r) + stirling(s) - stirling(s + r)
    both = both + (r - 0.5) * np.log(r / (r + s)) + s * np.log1p(-r / (r + s))
    found = np.where(inner, direct, np.where(small < 10, one, both))
    found = np.where(negative, plain, found)
    found = np.where((large == np.inf) & (small > 0), -np.inf, found)
    found = np.where((small == 0) | ((small < 0) & (small == np.rint(small))), np.inf, found)
    return np.where((a != a) | (b != b), np.nan, found)


def beta_values(a, b):
    """The beta function."""
    logarithm = betaln_values(a, b)
    sign = gammasgn_values(a) * gammasgn_values(b) * gammasgn_values(a + b)
    sign = np.where((a > 0) & (b > 0), 1.0, sign)
    large, small = np.maximum(a, b), np.minimum(a, b)
    finite = (small < 0) & (small == np.rint(small)) & (large == np.rint(large))
    finite = finite & (1 - small - large > 0) & (large > 0)
    sign = np.where(finite, 1 - 2 * np.remainder(large, 2), sign)
    sign = np.where((sign != sign) & (logarithm == np.inf), 1.0, sign)
    return sign * np.where(logarithm > 709.7, np.inf, np.exp(np.minimum(logarithm, 709.7)))


_LOGARITHM = (gammaln_values, gammaln_of_1_plus, stirling, sin_pi, horner)
_GAMMA = (gamma_values, gamma_of_positive, sin_pi, horner)


def no_derivative(argument: str) -> Any:
    def partial(*args: Any) -> Any:
        raise NotImplementedError(f"the derivative by '{argument}'")

    return partial


_hurwitz: Elementwise = special(
    "zeta",
    (zeta_values, zeta_of_positive),
    [
        no_derivative("x"),
        lambda s, q, out: multiply(multiply(-1.0, s), _hurwitz(add(s, 1), q)),
    ],
    "The Hurwitz zeta function; see `zeta`.",
    first="f",
)


def zeta(x: Any, q: Any = None) -> Any:
    """The Hurwitz zeta function, the sum of ``(q + k) ** -x`` over ``k`` from 0 up.

    Its derivative by ``x`` is not known.

    Args:
        x: greater than 1; NaN below.
        q: any number; infinite at 0, -1, -2 ..., below 0 for integer ``x`` only.

    Raises:
        NotImplementedError: ``q`` is not given, which would mean Riemann's function.
    """
    if q is None:
        raise NotImplementedError("zeta(): without the argument 'q'; for x > 1 write zeta(x, 1)")
    return _hurwitz(x, q)


def _polygamma(order: int, x: Any) -> Any:
    """`polygamma` of a known order in the dtype of ``x``."""
    if order == 0:
        return digamma(x)
    return multiply((-1.0) ** (order + 1) * math.factorial(order), _hurwitz(order + 1.0, x))


gammaln = special(
    "gammaln",
    _LOGARITHM,
    [lambda x, out: digamma(x)],
    "The logarithm of the absolute value of the gamma function.",
    safe=0.5,
)

digamma: Elementwise
digamma = psi = special(
    "digamma",
    (digamma_values, horner),
    [lambda x, out: _polygamma(1, x)],
    "The derivative of `gammaln`.",
    safe=0.5,
)

gamma = special(
    "gamma",
    _GAMMA,
    [lambda x, out: multiply(out, digamma(x))],
    "The gamma function: NaN at the negative integers.",
    safe=0.5,
)

gammasgn = special(
    "gammasgn", (gammasgn_values,), [None], "The sign of the gamma function.", safe=0.5
)


rgamma = special(
    "rgamma",
    (rgamma_values, gammaln_values, gammaln_of_1_plus, stirling, *_GAMMA),
    [lambda x, out: multiply(-1.0, multiply(out, digamma(x)))],
    "One divided by the gamma function, whose derivative is not known at its zeros.",
    safe=0.5,
)

betaln = special(
    "betaln",
    (betaln_values, *_LOGARITHM, *_GAMMA[:2]),
    [
        lambda a, b, out: subtract(digamma(a), digamma(add(a, b))),
        lambda a, b, out: subtract(digamma(b), digamma(add(a, b))),
    ],
    "The logarithm of the absolute value of the beta function.",
    safe=0.5,
)

beta = special(
    "beta",
    (beta_values, betaln_values, gammasgn_values, *_LOGARITHM, *_GAMMA[:2]),
    [
        lambda a, b, out: multiply(out, subtract(digamma(a), digamma(add(a, b)))),
        lambda a, b, out: multiply(out, subtract(digamma(b), digamma(add(a, b)))),
    ],
    "The beta function, ``gamma(a) * gamma(b) / gamma(a + b)``.",
    safe=0.5,
)


def polygamma(n: Any, x: Any) -> Any:
    """The derivative of order ``n`` of `digamma`, in double precision as SciPy's.

    Args:
        n: a whole number from 0 up, or an array of such; with others the result is NaN.
        x: an array or number.
    """
    x = astype(x, np.float64)
    if isinstance(n, (int, np.integer)) and not isinstance(n, bool) and n >= 0:
        return _polygamma(int(n), x)
    n = astype(n, np.float64)
    sign = subtract(1, multiply(2, equal(remainder(n, 2), 0)))
    higher = multiply(multiply(sign, gamma(add(n, 1))), _hurwitz(add(n, 1), x))
    is_order = equal(n, floor(n))
    return where(equal(n, 0), digamma(x), where(is_order, higher, np.nan))


def multigammaln(a: Any, d: int) -> Any:
    """The logarithm of the multivariate gamma function.

    Args:
        a: numbers greater than ``(d - 1) / 2``; SciPy's ValueError for others is not raised.
        d: the dimension, a known integer.

    Raises:
        ValueError: ``d`` is not a positive integer.
    """
    if d != math.floor(d) or d < 1:
        raise ValueError("d should be a positive integer (dimension)")
    total = d * (d - 1) / 4 * math.log(math.pi)
    for j in range(1, int(d) + 1):
        total = add(total, gammaln(subtract(a, (j - 1) / 2)))
    return total


def comb(N: Any, k: Any, *, exact: bool = False, repetition: bool = False) -> Any:
    """The number of ways to take ``k`` of ``N`` things, as floats; 0 where there are none.

    Raises:
        NotImplementedError: ``exact`` or ``repetition``.
    """
    if exact:
        raise NotImplementedError("comb(): the argument 'exact' is not supported")
    if repetition:
        raise NotImplementedError("comb(): 'repetition'; use comb(N + k - 1, k)")
    N, k = (astype(x, np.float64) for x in (N, k))
    valid = logical_and(logical_and(less_equal(k, N), greater_equal(N, 0)), greater_equal(k, 0))
    n, m = where(valid, N, 1.0), where(valid, k, 0.0)
    found = over(1, multiply(add(n, 1), beta(add(subtract(n, m), 1), add(m, 1))))
    return positive(where(valid, found, 0.0))  # of numbers a number


def factorial(n: Any, exact: bool = False) -> Any:
    """The product of the numbers from 1 to ``n``, as a float; 0 for negative numbers.

    Raises:
        NotImplementedError: ``exact``, or numbers that are not integers.
    """
    if exact:
        raise NotImplementedError("factorial(): the argument 'exact' is not supported")
    if dtype_of(n).kind not in "biu":
        raise NotImplementedError("factorial() of numbers that are not integers; write gamma(n+1)")
    n = astype(n, np.float64)
    return positive(where(greater_equal(n, 0), gamma(add(absolute(n), 1)), 0.0))
