"""Gamma numbers, by the method of G. Marsaglia and W. W. Tsang (A simple method for generating
gamma variables, ACM Transactions on Mathematical Software 26, 2000).

Attempt ``i`` of the element ``j`` uses block ``2**20 * j + i`` of the stream, so that one element
does not depend on how often others are drawn again.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ops.core.operands import broadcast_shapes, may_not_broadcast
from ops.core.registry import Custom
from ops.core.types import ArrayType
from ops.elementwise import multiply
from ops.random.philox import philox_rounds
from ops.special.declare import horner
from ops.special.errors import quantile_of_normal
from ops.special.gammas import _GAMMA, digamma_values, gammaln_of_1_plus, gammaln_values, stirling
from ops.structure.lanes import with_same_attributes


def gamma_uniforms(key, element, attempt):
    """Three uniform numbers between 0 and 1, of 32, 32 and 64 bits."""
    index = element * 2**20 + attempt
    zero = np.zeros_like(index)
    counter = index & 0xFFFFFFFF, index >> 32, zero, zero
    a, b, c, d = philox_rounds(counter, (key[0] + zero, key[1] + zero))
    wide = ((c << 20) ^ (d >> 12)) & (2**52 - 1)
    return (a + 0.5) * 2.0**-32, (b + 0.5) * 2.0**-32, (wide + 0.5) * 2.0**-52


def gamma_piece(key, a, element):
    """Gamma numbers of concentrations ``a``, the elements of these numbers."""
    sane = (a > 0) & (a < np.inf)
    raised = np.where(sane, np.where(a < 1, a + 1, a), 1.0)
    d = raised - 1 / 3
    found, missing, attempt = np.full_like(a, np.nan), sane, 0
    while attempt < 2**20 - 1 and bool(np.any(missing)):
        u, _, w = gamma_uniforms(key, element, attempt)
        x = quantile_of_normal(np.minimum(w, 1 - w), w - 0.5)
        v = 1 + x / (3 * np.sqrt(d))
        positive = missing & (v > 0)
        v = np.where(positive, v, 1.0) ** 3
        accepted = positive & (np.log(u) < 0.5 * x * x + d - d * v + d * np.log(v))
        found = np.where(accepted, d * v, found)
        missing = missing & ~accepted
        attempt += 1
    last = gamma_uniforms(key, element, 2**20 - 1)[2]
    small = (a < 1) & (a > 0)
    power = np.log(last) / np.where(small, a, 1.0)
    found = np.where(small, found * np.exp(np.maximum(power, -745.0)), found)
    return np.where(a == 0, 0.0, np.where(a == np.inf, np.inf, found))


def draws_in_pieces(draw, key, flat):
    """``draw(key, piece, element)`` for pieces of a vector of parameters that stay in the cache;
    ``element`` numbers their elements. With several keys the vector has as many parts."""
    found, keys = np.empty_like(flat), key.reshape(-1, 2)
    count = flat.size // max(len(keys), 1)
    step = 4096 if np.__name__ == "numpy" else max(flat.size, 1)
    for start in range(0, flat.size, step):
        piece = flat[start : start + step]
        number = np.arange(start, start + piece.size)
        words = key if key.ndim == 1 else keys[number // count].T
        found[start : start + step] = draw(words, piece, (number % count).astype("uint64"))
    return found


def gamma_draws(key, a):
    """Gamma numbers of concentrations ``a``."""
    key = np.asarray(key).astype("uint64")
    flat = np.asarray(a, dtype="float64").reshape(-1)
    found = draws_in_pieces(gamma_piece, key, flat)
    smallest = 1.1754943508222875e-38 if a.dtype == "float32" else 2.2250738585072014e-308
    found = np.where((flat > 0) & (found < smallest), smallest, found)
    return found.reshape(a.shape).astype(a.dtype)[()]


def gamma_slopes(a, x):
    """The derivative of the quantile function of the gamma distribution by the concentration, at
    the quantile ``x``: minus that of the distribution function, divided by the density.

    The distribution function is ``x**a * exp(-x) / gamma(a + 1)`` times the sum of the products of
    ``x / (a + k)`` (DLMF 8.7.1), of which each has minus the sum of ``1 / (a + k)`` as the
    derivative of its logarithm. For large ``a`` the quantile's own expansion is differentiated
    (E. A. Cornish and R. A. Fisher, 1937).
    """
    dtype = np.result_type(a, x)
    a, x = np.broadcast_arrays(np.asarray(a, dtype="float64"), np.asarray(x, dtype="float64"))
    sane = (a > 0) & (x > 0) & (a < np.inf) & (x < np.inf)
    large = sane & (a >= 1e5)
    # The quantile is a + sqrt(a) * g + (g**2 - 1) / 3 + (g**3 - 7 * g) / (36 * sqrt(a))
    # - (3 * g**4 + 7 * g**2 - 16) / (810 * a) + ...
    b, y = np.where(large, a, 1e5), np.where(large, x, 1e5)
    root = np.sqrt(b)
    g = (y - b) / root
    for _ in range(3):
        rest = (3 * g**4 + 7 * g * g - 16) / (810 * b)
        g = (y - b - (g * g - 1) / 3 + rest) / root - (g * g - 7) * g / (36 * b)
    far = 1 + g / (2 * root) - (g * g - 7) * g / (72 * b) / root + rest / b
    a, x = np.where(sane & ~large, a, 1.0), np.where(sane & ~large, x, 1.0)
    term, total, inverse, slope, n = np.ones_like(x), np.ones_like(x), 0 * x, 0 * x, 0
    while n < 1000000 and bool(np.any((term > 1e-18 * total) | (n < x - a))):
        n += 1
        term = term * (x / (a + n))
        inverse = inverse + 1 / (a + n)
        total = total + term
        slope = slope - term * inverse
    logarithmic = np.log(x) - digamma_values(a + 1) + slope / total
    # The distribution function divided by the density.
    found = -(x / a) * total * logarithmic
    found = np.where(large, far, found)
    return np.where(sane, found, np.nan).astype(dtype)[()]


def _draw_infer(key: ArrayType, a: ArrayType) -> tuple[ArrayType]:
    return (a,)


def _vjp(cts: Sequence, args: Sequence, outs: Sequence) -> tuple:
    return None, multiply(cts[0], gamma_slope(args[1], outs[0]))


def _jvp(tangents: Sequence, args: Sequence, outs: Sequence) -> tuple:
    return (multiply(tangents[1], gamma_slope(args[1], outs[0])),)


random_gamma = Custom(
    "random_gamma",
    _draw_infer,
    "gamma_draws({0}, {1})",
    vjp=_vjp,
    jvp=_jvp,
    linear=(),
    zeros="lost",
    helpers=(
        *(gamma_draws, draws_in_pieces, gamma_piece, gamma_uniforms, philox_rounds),
        *(quantile_of_normal, horner),
    ),
    creates=True,
    unknown_lengths=True,
    batch=with_same_attributes(),
    doc="""Gamma numbers.

    Args:
        key: a key, or an array of keys for as many parts of ``a``.
        a: concentrations, an array of float32 or float64; NaN and numbers below 0 give NaN.
    """,
)


def _refused(*args: Any, **attrs: Any) -> Any:
    raise NotImplementedError("the second derivative of gamma numbers by their concentration")


gamma_slope = Custom(
    "gamma_slope",
    lambda a, x: (ArrayType(x.dtype, broadcast_shapes(a.shape, x.shape)),),
    "gamma_slopes({0}, {1})",
    vjp=_refused,
    jvp=_refused,
    linear=(),
    zeros="lost",
    raises=may_not_broadcast,
    helpers=(gamma_slopes, digamma_values, gammaln_values, gammaln_of_1_plus, stirling, *_GAMMA),
    unknown_lengths=True,
    batch=with_same_attributes(core=0),
    doc="The derivative of a quantile of the gamma distribution by the concentration.",
)
