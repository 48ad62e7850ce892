"""What `ir.Draw` draws: NumPy's distributions, by the C functions that its generators call.

A function is given the place of a ``bitgen_t``, NumPy's own description of where random bits come
from, and the parameters of a distribution. It is NumPy's, so the numbers are those of its stream,
whatever the version.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ops.core.records import NamedTuple

# What a parameter has to be for a kernel to draw; otherwise NumPy decides, which may raise.
ANY, NOT_NEGATIVE, POSITIVE, PROBABILITY = "any", "not negative", "positive", "probability"
INTEGER = "integer"  # not negative, too


class Parameter(NamedTuple):
    """A parameter of a distribution.

    Attributes:
        name: of the argument of the generator's method.
        allowed: which numbers.
        default: None if it has to be given.
    """

    name: str
    allowed: str = ANY
    default: float | None = None


class Drawn(NamedTuple):
    """What a generator's method draws.

    Attributes:
        function: of NumPy's in C; "" for what `autograph.kernels.llvm.draws` writes itself.
        parameters: in the order in which that takes them.
        dtype: of the numbers.
    """

    function: str
    parameters: tuple[Parameter, ...] = ()
    dtype: str = "float64"


_SCALE = Parameter("scale", NOT_NEGATIVE, 1.0)


def _located(function: str) -> Drawn:
    return Drawn(function, (Parameter("loc", ANY, 0.0), _SCALE))


DISTRIBUTIONS = {
    "random": Drawn(""),
    "standard_normal": Drawn("random_standard_normal"),
    "standard_exponential": Drawn("random_standard_exponential"),
    "standard_cauchy": Drawn("random_standard_cauchy"),
    "normal": _located("random_normal"),
    "laplace": _located("random_laplace"),
    "gumbel": _located("random_gumbel"),
    "logistic": _located("random_logistic"),
    "lognormal": Drawn(
        "random_lognormal", (Parameter("mean", ANY, 0.0), Parameter("sigma", NOT_NEGATIVE, 1.0))
    ),
    "exponential": Drawn("random_exponential", (_SCALE,)),
    "rayleigh": Drawn("random_rayleigh", (_SCALE,)),
    "standard_gamma": Drawn("random_standard_gamma", (Parameter("shape", NOT_NEGATIVE),)),
    "gamma": Drawn("random_gamma", (Parameter("shape", NOT_NEGATIVE), _SCALE)),
    "beta": Drawn("random_beta", (Parameter("a", POSITIVE), Parameter("b", POSITIVE))),
    "chisquare": Drawn("random_chisquare", (Parameter("df", POSITIVE),)),
    "standard_t": Drawn("random_standard_t", (Parameter("df", POSITIVE),)),
    "pareto": Drawn("random_pareto", (Parameter("a", POSITIVE),)),
    "power": Drawn("random_power", (Parameter("a", POSITIVE),)),
    "weibull": Drawn("random_weibull", (Parameter("a", NOT_NEGATIVE),)),
    "wald": Drawn("random_wald", (Parameter("mean", POSITIVE), Parameter("scale", POSITIVE))),
    "geometric": Drawn("random_geometric", (Parameter("p", PROBABILITY),), "int64"),
    "poisson": Drawn("random_poisson", (Parameter("lam", NOT_NEGATIVE, 1.0),), "int64"),
    "binomial": Drawn(
        "random_binomial", (Parameter("p", PROBABILITY), Parameter("n", INTEGER)), "int64"
    ),
}

# The largest mean of a Poisson distribution whose numbers surely are int64.
MOST_POISSON = 9e18

# The bytes that functions are given to work with, which begin with an int that is to be 0.
WORKSPACE = {"random_binomial": 256}


INTERVAL = "random_interval"  # of integers, by which NumPy draws orders


def filling(dtype: np.dtype) -> str:
    """The function that writes integers of a dtype within bounds."""
    return f"random_bounded_uint{8 * dtype.itemsize}_fill"


def is_filling(function: str) -> bool:
    """Whether a function writes several numbers: its operands are the least of them, how much more
    the largest is, and how many there are."""
    return function.endswith("_fill")


def at_most(generator: np.random.Generator, last: int) -> int:
    """What `INTERVAL` gives: one of the numbers from 0 to ``last``, by as many bits as that has,
    drawn until they are one of these."""
    bits = generator.bit_generator.ctypes
    draw = bits.next_uint32 if last < 1 << 32 else bits.next_uint64
    number = last and last + 1
    while number > last:
        number = draw(bits.state) & ((1 << last.bit_length()) - 1)
    return number


def from_python(generator: Any, function: str, given: list[Any], dtype: np.dtype) -> Any:
    """What a function draws, by a method of a generator: for the interpreter of kernels."""
    if is_filling(function):
        low, more, count = map(int, given)
        return generator.integers(low, low + more, count, dtype, endpoint=True)
    if function == INTERVAL:
        return at_most(generator, int(given[0]))
    if not function:
        return generator.random(dtype=dtype)
    found = next(k for k, d in DISTRIBUTIONS.items() if d.function == function)
    names = [parameter.name for parameter in DISTRIBUTIONS[found].parameters]
    return getattr(generator, found)(**dict(zip(names, given)))
