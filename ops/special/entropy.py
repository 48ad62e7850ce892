"""Logarithms, entropies and the logistic function."""

from __future__ import annotations

from typing import Any

import numpy as np

from ops.core.registry import Elementwise
from ops.elementwise import (
    add,
    divide,
    equal,
    log,
    log1p,
    logical_and,
    multiply,
    negative,
    reciprocal,
    subtract,
)
from ops.special.declare import special

__all__ = [
    "entr",
    "expit",
    "kl_div",
    "log_expit",
    "logit",
    "rel_entr",
    "xlog1py",
    "xlogy",
]


def expit_values(x):
    """The logistic function."""
    small = np.exp(-abs(x))
    return np.where(x >= 0, 1 / (1 + small), small / (1 + small))


def log_expit_values(x):
    """The logarithm of the logistic function."""
    return np.minimum(x, 0.0) - np.log1p(np.exp(-abs(x)))


def logit_values(p):
    """The inverse of the logistic function: near 0.5 by the distance from there."""
    inner = (p > 0.3) & (p < 0.65)
    s = 2 * (np.where(inner, p, 0.5) - 0.5)
    outer = (p > 0) & (p < 1) & ~inner
    q = np.where(outer, p, 0.25)
    found = np.where(inner, np.log1p(s) - np.log1p(-s), np.log(q / (1 - q)))
    found = np.where(p == 0, -np.inf, np.where(p == 1, np.inf, found))
    return np.where((p >= 0) & (p <= 1), found, np.nan)


def logarithm(x):
    """``log(x)``, without a warning where it is infinite or NaN."""
    found = np.log(np.where(x > 0, x, 1.0))
    return np.where(x > 0, found, np.where(x == 0, -np.inf, np.nan))


def xlogy_values(x, y):
    """``x * log(y)``, and 0 where ``x`` is 0."""
    zero = (x == 0) & (y == y)
    return np.where(zero, 0.0, np.where(zero, 1.0, x) * np.where(zero, 1.0, logarithm(y)))


def xlog1py_values(x, y):
    """``x * log(1 + y)``, and 0 where ``x`` is 0."""
    zero = (x == 0) & (y == y)
    inside = y > -1
    found = np.log1p(np.where(inside, y, 0.0))
    found = np.where(inside, found, np.where(y == -1, -np.inf, np.nan))
    return np.where(zero, 0.0, np.where(zero, 1.0, x) * np.where(zero, 1.0, found))


def entr_values(x):
    """``-x * log(x)``."""
    found = -np.where(x > 0, x, 1.0) * np.log(np.where(x > 0, x, 1.0))
    found = np.where(x > 0, found, np.where(x == 0, 0.0, -np.inf))
    return np.where(x != x, np.nan, found)


def log_of_ratio(x, y):
    """``log(x / y)`` of positive numbers, whose quotient may overflow or vanish."""
    ratio = np.clip(x / np.maximum(y, 1e-290), 0.0, 1e300)
    u = (x - y) / y
    near = abs(u) < 0.5
    plain = (x > 1e-200) & (x < 1e200) & (y > 1e-100) & (y < 1e100)
    apart = np.where(plain, np.log(np.where(plain, ratio, 1.0)), np.log(x) - np.log(y))
    return np.where(near, np.log1p(np.where(near, u, 0.0)), apart)


def rel_entr_values(x, y):
    """``x * log(x / y)``."""
    inner = (x > 0) & (y > 0) & (x < np.inf) & (y < np.inf)
    found = np.where(inner, x, 1.0)
    found = found * log_of_ratio(found, np.where(inner, y, 1.0))
    found = np.where(inner, found, np.where((x == 0) & (y >= 0), 0.0, np.inf))
    found = np.where((x > 0) & (x < np.inf) & (y == np.inf), -np.inf, found)
    return np.where((x != x) | (y != y) | ((x == np.inf) & (y == np.inf)), np.nan, found)


def kl_div_values(x, y):
    """``x * log(x / y) - x + y``."""
    inner = (x > 0) & (y > 0)
    finite = inner & (x < np.inf) & (y < np.inf)
    one, two = np.where(finite, x, 1.0), np.where(finite, y, 1.0)
    found = np.where(finite, one * log_of_ratio(one, two) - one + two, np.nan)
    found = np.where(inner, found, np.where((x == 0) & (y >= 0), y, np.inf))
    return np.where((x != x) | (y != y), np.nan, found)


def _moved(y: Any, x: Any) -> Any:
    """``y``, but 1 where both it and ``x`` are 0."""
    return add(y, logical_and(equal(x, 0), equal(y, 0)))


expit: Elementwise = special(
    "expit",
    (expit_values,),
    [lambda x, out: multiply(out, expit(negative(x)))],
    "The logistic function ``1 / (1 + exp(-x))``.",
    single=True,
)

log_expit = special(
    "log_expit",
    (log_expit_values,),
    [lambda x, out: expit(negative(x))],
    "The logarithm of `expit`.",
)

logit = special(
    "logit",
    (logit_values,),
    [lambda p, out: reciprocal(multiply(p, subtract(1, p)))],
    "``log(p / (1 - p))``: infinite at 0 and 1, NaN beyond.",
    safe=0.5,
)

xlogy = special(
    "xlogy",
    (xlogy_values, logarithm),
    [
        lambda x, y, out: log(_moved(y, x)),
        lambda x, y, out: divide(x, _moved(y, x)),
    ],
    "``x * log(y)``, and 0 where ``x`` is 0, with both derivatives 0 where ``y`` is 0 as well.",
    safe=0.5,
)

xlog1py = special(
    "xlog1py",
    (xlog1py_values,),
    [
        lambda x, y, out: log1p(_moved_from_minus_1(y, x)),
        lambda x, y, out: divide(x, add(_moved_from_minus_1(y, x), 1)),
    ],
    "``x * log(1 + y)``, and 0 where ``x`` is 0; see `xlogy`.",
    safe=0.5,
)


def _moved_from_minus_1(y: Any, x: Any) -> Any:
    return add(y, logical_and(equal(x, 0), equal(y, -1)))


entr = special(
    "entr",
    (entr_values,),
    [lambda x, out: negative(add(log(x), 1))],
    "``-x * log(x)``, 0 at 0, minus infinity below.",
    first="f",
    safe=0.5,
)

rel_entr = special(
    "rel_entr",
    (rel_entr_values, log_of_ratio),
    [
        lambda x, y, out: add(log(divide(x, y)), 1),
        lambda x, y, out: negative(divide(x, y)),
    ],
    "``x * log(x / y)``, 0 where ``x`` is 0, infinite where one is negative or only ``y`` is 0.",
    first="f",
    safe=0.5,
)

kl_div = special(
    "kl_div",
    (kl_div_values, log_of_ratio),
    [
        lambda x, y, out: log(divide(x, y)),
        lambda x, y, out: subtract(1, divide(x, y)),
    ],
    "``x * log(x / y) - x + y``; see `rel_entr`.",
    first="f",
    safe=0.5,
)
