"""Functions of the module ``math`` that NumPy lacks, on Python floats.

They raise what ``math`` raises. The programs call them by the names that they have there, through
helpers.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Sequence
from typing import Any

from ops.creation import ones_like
from ops.elementwise import add, divide, exp, multiply, negative, rint, square, subtract
from ops.registry import Custom, Linear
from ops.types import ArrayType, weak

__all__ = [
    "erf",
    "erfc",
    "float_ldexp",
    "fsum",
    "gamma",
    "ieee_remainder",
    "lgamma",
    "polygamma",
]


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


def _scalar(name: str, helper: Callable, partials: list, doc: str) -> Custom:
    """An operator on Python numbers that calls ``helper``.

    Args:
        partials: for each argument ``partial(*args, out)``, the derivative by it, or None.
    """

    def parts(args: Sequence, out: Any) -> list:
        return [None if partial is None else partial(*args, out) for partial in partials]

    def vjp(cts: Sequence, args: Sequence, outs: Sequence) -> tuple:
        return tuple(p if p is None else multiply(cts[0], p) for p in parts(args, outs[0]))

    def jvp(tangents: Sequence, args: Sequence, outs: Sequence) -> tuple:
        pairs = zip(tangents, parts(args, outs[0]))
        terms = [multiply(t, p) for t, p in pairs if t is not None and p is not None]
        return (functools.reduce(add, terms),)

    operands = ", ".join(f"{{{i}}}" for i in range(len(partials)))
    return Custom(
        name,
        lambda *types: (weak(float),),
        f"{helper.__name__}({operands})",
        vjp=vjp,
        jvp=jvp,
        helpers=(helper,),
        raises=True,
        doc=doc,
    )


def _bell(x: Any) -> Any:
    return multiply(2 / math.sqrt(math.pi), exp(negative(square(x))))


erf = _scalar("erf", math_erf, [lambda x, out: _bell(x)], "The error function.")

erfc = _scalar(
    "erfc", math_erfc, [lambda x, out: negative(_bell(x))], "One minus the error function."
)

gamma = _scalar(
    "gamma",
    math_gamma,
    [lambda x, out: multiply(out, polygamma(x, order=0))],
    "The gamma function.",
)

lgamma = _scalar(
    "lgamma",
    math_lgamma,
    [lambda x, out: polygamma(x, order=0)],
    "The logarithm of the absolute value of the gamma function.",
)

ieee_remainder = _scalar(
    "ieee_remainder",
    math_ieee_remainder,
    [lambda x, y, out: 1.0, lambda x, y, out: negative(rint(divide(subtract(x, out), y)))],
    "``x`` minus the nearest multiple of ``y``.",
)

float_ldexp = _scalar(
    "float_ldexp",
    math_ldexp,
    [lambda x, i, out: float_ldexp(1.0, i), None],
    "``x * 2**i``, an error if that is too large.",
)

polygamma = Custom(
    "polygamma",
    lambda x, order: (weak(float),),
    "math_polygamma({order}, {0})",
    vjp=lambda cts, args, outs, order: (multiply(cts[0], polygamma(args[0], order=order + 1)),),
    jvp=lambda tangents, args, outs, order: (
        multiply(tangents[0], polygamma(args[0], order=order + 1)),
    ),
    helpers=(math_polygamma,),
    raises=True,
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


def _fsum_infer(x: ArrayType) -> tuple[ArrayType]:
    if len(x.shape) != 1:
        raise TypeError(f"fsum() takes numbers, not an array of shape {x.shape}")
    return (weak(float),)


fsum = Linear(
    "fsum",
    _fsum_infer,
    "math_fsum({0})",
    transposes=[lambda ct, x: multiply(ones_like(x), ct)],
    helpers=(math_fsum,),
    raises=True,
    unknown_lengths=True,
    doc="""The sum of the elements, rounded only once.

    Args:
        x: an array of one dimension.
    """,
)
