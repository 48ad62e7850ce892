"""Distributions of draws: how likely a value is, and how likely one below a threshold is.

Each formula is written with operators. What does not depend on the parameters is left out of
logarithms, which are only differentiated by them.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import ops
from ops.core.records import NamedTuple


class Continuous(NamedTuple):
    """A distribution of real numbers without parameters.

    Attributes:
        below: the probability of a number below this one.
        log_density: the logarithm of the density where it is not zero, but for a constant; None if
            it has a jump that moves with any scale.
        shifts: whether the density is not zero anywhere, so that it may also be moved.
    """

    below: Callable[[Any], Any]
    log_density: Callable[[Any], Any] | None
    shifts: bool


def _clipped(x: Any) -> Any:
    return ops.minimum(ops.maximum(x, 0.0), 1.0)


def _below_laplace(x: Any) -> Any:
    tail = ops.multiply(0.5, ops.exp(ops.negative(ops.absolute(x))))
    return ops.where(ops.less(x, 0.0), tail, ops.subtract(1.0, tail))


def _log_logistic(x: Any) -> Any:
    both = ops.logaddexp(0.0, ops.negative(x))
    return ops.subtract(ops.negative(x), ops.multiply(2.0, both))


CONTINUOUS = {
    "uniform": Continuous(_clipped, None, False),
    "normal": Continuous(ops.special.ndtr, lambda x: ops.multiply(-0.5, ops.multiply(x, x)), True),
    "exponential": Continuous(
        lambda x: ops.negative(ops.expm1(ops.negative(ops.maximum(x, 0.0)))),
        ops.negative,
        False,
    ),
    "gumbel": Continuous(
        lambda x: ops.exp(ops.negative(ops.exp(ops.negative(x)))),
        lambda x: ops.negative(ops.add(x, ops.exp(ops.negative(x)))),
        True,
    ),
    "laplace": Continuous(_below_laplace, lambda x: ops.negative(ops.absolute(x)), True),
    "logistic": Continuous(ops.special.expit, _log_logistic, True),
    "cauchy": Continuous(
        lambda x: ops.add(0.5, ops.divide(ops.arctan(x), math.pi)),
        lambda x: ops.negative(ops.log1p(ops.multiply(x, x))),
        True,
    ),
}


# -- with parameters -------------------------------------------------------------------------------

# Each takes what is drawn, as floats, and the parameters.


def _gamma(x: Any, a: Any) -> Any:
    return ops.subtract(ops.multiply(ops.subtract(a, 1.0), ops.log(x)), ops.special.gammaln(a))


def _poisson(k: Any, mean: Any) -> Any:
    return ops.subtract(ops.special.xlogy(k, mean), mean)


def _binomial(k: Any, n: Any, p: Any) -> Any:
    rest = ops.subtract(n, k)
    return ops.add(ops.special.xlogy(k, p), ops.special.xlog1py(rest, ops.negative(p)))


def _geometric(k: Any, p: Any) -> Any:
    failures = ops.special.xlog1py(ops.subtract(k, 1.0), ops.negative(p))
    return ops.add(ops.log(p), failures)


def _chosen(k: Any, logarithms: Any) -> Any:
    """Those at the places ``k`` along the last axis."""
    place = ops.expand_dims(ops.astype(k, "int64"), -1)
    return ops.subscript(ops.take_along_axis(logarithms, place, -1), (..., 0))


def _categorical(k: Any, logits: Any) -> Any:
    return ops.subtract(_chosen(k, logits), ops.special.logsumexp(logits, -1))


def _choice(k: Any, p: Any) -> Any:
    """Of one of several, with probabilities but for a factor."""
    return ops.subtract(ops.log(_chosen(k, p)), ops.log(ops.sum(p, -1)))


CONTINUOUS_FAMILIES: dict[str, Callable] = {"gamma": _gamma}

DISCRETE: dict[str, Callable] = {
    "poisson": _poisson,
    "binomial": _binomial,
    "geometric": _geometric,
    "categorical": _categorical,
    "choice": _choice,
}
