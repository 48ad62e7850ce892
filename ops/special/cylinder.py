"""The Bessel functions of orders 0 and 1.

Up to 5, rational functions of ``x**2`` times the zeros, with the logarithmic part of the second
kind apart (DLMF 10.8); above, the modulus and phase form (DLMF 10.17). The rational functions
interpolate at Chebyshev nodes and were computed in 45 digits.
"""

from __future__ import annotations

import numpy as np

from ops.core.registry import Elementwise
from ops.elementwise import divide, negative, subtract
from ops.special.bessel import over_argument
from ops.special.declare import horner, special

__all__ = ["j0", "j1", "y0", "y1"]


def j0_near(x):
    """The first kind of order 0, for ``0 <= x <= 5``."""
    p = (
        *(-3.9896640145964984e-19, 5.342931310678659e-16, -3.282354351128414e-13),
        *(1.1621484783664919e-10, -2.4903602793306595e-08, 3.1459913872080667e-06),
        *(-0.00021138138923336468, 0.005674693325155617),
    )
    q = (
        *(2.8582008773115415e-11, 3.6768742744272346e-08, 2.1920981165565255e-05),
        *(0.007017289329018901, 1.0),
    )
    # The zeros lie between two doubles.
    zeros = ((x - 2.404825557695773) + 1.176691651530894e-16) * (x + 2.404825557695773)
    zeros = zeros * ((x - 5.520078110286311) - 8.088597146146722e-17) * (x + 5.520078110286311)
    return zeros * horner(x * x, p) / horner(x * x, q)


def j1_near(x):
    """The first kind of order 1, for ``0 <= x <= 5``."""
    p = (
        *(-1.6918714610869736e-20, 2.5157574985335e-17, -1.7357727911586546e-14),
        *(6.9926532665649024e-12, -1.7312903590311735e-09, 2.5739508928570997e-07),
        *(-2.0818660930250182e-05, 0.0006919228366408253),
    )
    q = (
        *(1.9964366793415803e-11, 2.843416395830734e-08, 1.8597866307501197e-05),
        *(0.006483545435875047, 1.0),
    )
    zeros = ((x - 3.8317059702075125) + 1.5269184090088067e-16) * (x + 3.8317059702075125)
    zeros = zeros * ((x - 7.015586669815619) + 9.414165653410389e-17) * (x + 7.015586669815619)
    return x * zeros * horner(x * x, p) / horner(x * x, q)


def y0_near(x):
    """The second kind of order 0, for ``0 < x <= 5``."""
    p = (
        *(-3.534321597847054e-16, 3.5686604165711225e-13, -1.587010045559958e-10),
        *(3.873636707451683e-08, -5.380180182761028e-06, 0.0004059766812048179),
        *(-0.01454480995770478, 0.17696953829180287, -0.07380429510868722),
    )
    q = (
        *(7.530834060184035e-11, 7.285321998506677e-08, 3.37780605598269e-05),
        *(0.00862386906245674, 1.0),
    )
    regular = horner(x * x, p) / horner(x * x, q)
    return 0.6366197723675814 * np.log(x) * j0_near(x) + regular


def y1_near(x):
    """The second kind of order 1, for ``0 < x <= 5``."""
    p = (
        *(-1.7069905293183697e-17, 1.9660672699634562e-14, -1.0174572938562401e-11),
        *(2.9642935659561207e-09, -5.086883042479332e-07, 4.9907616204469695e-05),
        *(-0.0025334338661382226, 0.05280715536899265, -0.19605709064623894),
    )
    q = (
        *(4.865684380571784e-11, 5.357344371177355e-08, 2.782094027614788e-05),
        *(0.007862672992016905, 1.0),
    )
    regular = x * horner(x * x, p) / horner(x * x, q)
    return 0.6366197723675814 * (np.log(x) * j1_near(x) - 1 / x) + regular


def bessel_waves(x, order):
    """Both kinds of order 0 or 1, for ``x >= 5``."""
    p_0 = (
        *(44568396.32497572, 275105322.74060905, 267184393.00678447),
        *(83621015.82245219, 10819914.842554025, 643742.2161476332),
        *(18089.85037771788, 227.14090223125328, 1.0),
    )
    p_0_under = (
        *(53356919.491914436, 288507781.10128945, 272176149.9467216),
        *(84321604.21010081, 10863359.138418326, 644990.3644508811),
        *(18105.71401415407, 227.21121473125328, 1.0),
    )
    q_0 = (
        *(-13425659.411828032, -81196661.31408215, -67770606.44367477),
        *(-18288316.089392446, -2068719.9999130121, -109036.90444113498),
        *(-2745.0284935241525, -31.164453616313253, -0.125),
    )
    q_0_under = (
        *(260119567.45813867, 856482517.8932024, 610880557.0773536),
        *(154939429.26459518, 17031299.210171822, 884807.0735743442),
        *(22104.837783260245, 249.9015664305059, 1.0),
    )
    p_1 = (
        *(44834279.423852086, 244260967.822019, 240141677.53407276),
        *(77011804.568484, 10192651.051491445, 618138.0670750614),
        *(17649.70708068145, 224.59380876832523, 1.0),
    )
    p_1_under = (
        *(31686482.324363012, 223836134.99005455, 232386835.0566889),
        *(75903872.62459955, 10122847.547056513, 616104.4997846744),
        *(17623.545422183208, 224.47662126832523, 1.0),
    )
    q_1 = (
        *(45028818.51637732, 229830232.12424368, 189681934.96706444),
        *(51683181.27667859, 5926228.6506792735, 316592.5767691643),
        *(8068.7089569001855, 92.60566842970898, 0.375),
    )
    q_1_under = (
        *(184345527.27684456, 702107650.3535845, 535993808.6580282),
        *(141671780.55061227, 16020955.78276455, 849970.908392141),
        *(21583.416749172928, 247.22188664589058, 1.0),
    )
    p, p_under = (p_1, p_1_under) if order else (p_0, p_0_under)
    q, q_under = (q_1, q_1_under) if order else (q_0, q_0_under)
    w = 1 / x / x
    even = horner(w, p) / horner(w, p_under)
    odd = horner(w, q) / horner(w, q_under) / x
    # The cosine and sine of x - pi / 4 or x - 3 * pi / 4, times the root of 2.
    sine, cosine = np.sin(x), np.cos(x)
    cosine, sine = sine + cosine, sine - cosine
    if order:
        cosine, sine = sine, -cosine
    scale = 0.5641895835477563 / np.sqrt(x)
    return scale * (even * cosine - odd * sine), scale * (even * sine + odd * cosine)


def bessel_of_first_kind(x, near, order):
    """The first kind of order 0 or 1, with its function up to 5."""
    size = abs(x)
    far = bessel_waves(np.clip(size, 5.0, 1e300), order)[0]
    found = np.where(size <= 5.0, near(np.minimum(size, 5.0)), far)
    found = np.where(size == np.inf, 0.0, np.where(x != x, np.nan, found))
    return np.where(x < 0, -found, found) if order else found


def bessel_of_second_kind(x, near, order):
    """The second kind of order 0 or 1, with its function up to 5."""
    far = bessel_waves(np.clip(x, 5.0, 1e300), order)[1]
    inner = np.where((x > 0) & (x <= 5.0), x, 1.0)
    tiny = inner < 1e-300
    found = np.where(x <= 5.0, near(np.where(tiny, 1.0, inner)), far)
    small = -0.6366197723675814 / inner if order else 0.6366197723675814 * np.log(inner)
    found = np.where(tiny, small, np.where(x == np.inf, 0.0, found))
    found = np.where(x == 0, -np.inf, found)
    return np.where((x < 0) | (x != x), np.nan, found)


def j0_values(x):
    """The first kind of order 0."""
    return bessel_of_first_kind(x, j0_near, 0)


def j1_values(x):
    """The first kind of order 1."""
    return bessel_of_first_kind(x, j1_near, 1)


def y0_values(x):
    """The second kind of order 0."""
    return bessel_of_second_kind(x, y0_near, 0)


def y1_values(x):
    """The second kind of order 1."""
    return bessel_of_second_kind(x, y1_near, 1)


_FIRST = (bessel_of_first_kind, bessel_waves, horner)
_SECOND = (bessel_of_second_kind, bessel_waves, horner)

j0 = special(
    "j0",
    (j0_values, j0_near, *_FIRST),
    [lambda x, out: negative(j1(x))],
    "The Bessel function of the first kind of order 0.",
)

j1: Elementwise = special(
    "j1",
    (j1_values, j1_near, *_FIRST),
    [lambda x, out: subtract(j0(x), over_argument(out, x))],
    """The Bessel function of the first kind of order 1.

    Its derivatives of order 3 and higher are not right at 0 exactly.
    """,
)

y0 = special(
    "y0",
    (y0_values, y0_near, j0_near, *_SECOND),
    [lambda x, out: negative(y1(x))],
    "The Bessel function of the second kind of order 0; NaN below 0.",
    safe=0.5,
)

y1: Elementwise = special(
    "y1",
    (y1_values, y1_near, j1_near, *_SECOND),
    [lambda x, out: subtract(y0(x), divide(out, x))],
    "The Bessel function of the second kind of order 1; NaN below 0.",
    safe=0.5,
)
