"""Densities and distribution functions of ``scipy.stats``, without importing it.

They take SciPy's arguments: the variable, the shape parameters, ``loc`` and, of continuous ones,
``scale``. As there, all is computed in float64; outside of the support a density is 0, and where a
parameter has no meaning the result is NaN. The formulas are those of Johnson, Kotz & Balakrishnan,
"Continuous Univariate Distributions" (1994), and of "Univariate Discrete Distributions" (2005).
"""

from __future__ import annotations

import inspect
import math
import types
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from ops.arrays.indexing import subscript
from ops.core.operands import ndim_of
from ops.elementwise import (
    absolute,
    add,
    arctan,
    divide,
    equal,
    exp,
    expm1,
    floor,
    greater,
    greater_equal,
    isinf,
    isnan,
    less_equal,
    log,
    log1p,
    logical_and,
    multiply,
    negative,
    square,
    subtract,
)
from ops.elementwise.conversion import astype, where
from ops.special.entropy import expit, log_expit, xlog1py, xlogy
from ops.special.errors import log_ndtr, ndtr
from ops.special.gammas import betaln, gammaln
from ops.special.incomplete import betainc, gammainc, gammaincc
from ops.statistics import multivariate

_INFINITY = float("inf")


class Distribution(NamedTuple):
    """A distribution with ``loc`` 0 and ``scale`` 1.

    Attributes:
        shapes: the names of its parameters.
        is_valid: whether these have a meaning.
        support: from where to where it reaches, given the parameters.
        log_density: of a value in there, and the parameters.
        cdf, sf: the distribution function and one minus it, for what is inside; None if there is no
            form for it. ``sf`` is one minus ``cdf`` by default.
        log_cdf, log_sf: their logarithms, where these have forms of their own.
        inside: a value that is in the support for all parameters.
        is_discrete: whether it is of whole numbers.
    """

    shapes: tuple[str, ...]
    is_valid: Callable[..., Any]
    support: Callable[..., tuple[Any, Any]]
    log_density: Callable[..., Any]
    cdf: Callable[..., Any] | None = None
    sf: Callable[..., Any] | None = None
    log_cdf: Callable[..., Any] | None = None
    log_sf: Callable[..., Any] | None = None
    inside: float = 0.5
    is_discrete: bool = False


def _always(*shapes: Any) -> bool:
    return True


def _positive(*shapes: Any) -> Any:
    result: Any = True
    for shape in shapes:
        result = logical_and(result, greater(shape, 0.0))
    return result


def _line(*shapes: Any) -> tuple[float, float]:
    return -_INFINITY, _INFINITY


def _half_line(*shapes: Any) -> tuple[float, float]:
    return 0.0, _INFINITY


def _unit(*shapes: Any) -> tuple[float, float]:
    return 0.0, 1.0


def _log_t(y: Any, df: Any) -> Any:
    is_normal = isinf(df)
    n = where(is_normal, 1.0, df)
    halves = multiply(0.5, add(n, 1.0))
    constant = gammaln(halves) - gammaln(multiply(0.5, n)) - multiply(0.5, log(multiply(n, np.pi)))
    student = subtract(constant, multiply(halves, log1p(divide(square(y), n))))
    return where(is_normal, _log_normal(y), student)


def _t_cdf(y: Any, df: Any) -> Any:
    is_normal = isinf(df)
    n = where(is_normal, 1.0, df)
    tail = multiply(0.5, betainc(multiply(0.5, n), 0.5, divide(n, add(n, square(y)))))
    return where(is_normal, ndtr(y), where(greater(y, 0.0), subtract(1.0, tail), tail))


def _log_normal(y: Any) -> Any:
    return subtract(multiply(-0.5, square(y)), 0.5 * math.log(2 * math.pi))


def _log_logistic(y: Any) -> Any:
    below = negative(absolute(y))
    return subtract(below, multiply(2.0, log1p(exp(below))))


def _log_gamma(y: Any, a: Any) -> Any:
    return xlogy(subtract(a, 1.0), y) - y - gammaln(a)


def _log_chi2(y: Any, df: Any) -> Any:
    half = multiply(0.5, df)
    return xlogy(half - 1.0, y) - multiply(0.5, y) - gammaln(half) - multiply(math.log(2.0), half)


def _log_beta(y: Any, a: Any, b: Any) -> Any:
    return xlog1py(subtract(b, 1.0), negative(y)) + xlogy(subtract(a, 1.0), y) - betaln(a, b)


def _log_lognorm(y: Any, s: Any) -> Any:
    positive = where(greater(y, 0.0), y, 1.0)
    found = -square(log(positive)) / (2.0 * square(s)) - log(s * positive * math.sqrt(2 * math.pi))
    return where(greater(y, 0.0), found, -_INFINITY)


def _lognorm_cdf(y: Any, s: Any) -> Any:
    return ndtr(divide(log(where(greater(y, 0.0), y, 1.0)), s))


def _log_binom(k: Any, n: Any, p: Any) -> Any:
    ways = gammaln(add(n, 1.0)) - gammaln(add(k, 1.0)) - gammaln(add(subtract(n, k), 1.0))
    return ways + xlogy(k, p) + xlog1py(subtract(n, k), negative(p))


def _is_share(p: Any) -> Any:
    return logical_and(greater_equal(p, 0.0), less_equal(p, 1.0))


DISTRIBUTIONS = {
    "norm": Distribution(
        (),
        _always,
        _line,
        _log_normal,
        ndtr,
        lambda y: ndtr(negative(y)),
        log_ndtr,
        lambda y: log_ndtr(negative(y)),
    ),
    "expon": Distribution(
        (),
        _always,
        _half_line,
        negative,
        lambda y: negative(expm1(negative(y))),
        lambda y: exp(negative(y)),
        log_sf=negative,
    ),
    "uniform": Distribution((), _always, _unit, lambda y: multiply(y, 0.0), lambda y: y),
    "laplace": Distribution(
        (),
        _always,
        _line,
        lambda y: subtract(math.log(0.5), absolute(y)),
        lambda y: where(
            greater(y, 0.0),
            subtract(1.0, multiply(0.5, exp(negative(absolute(y))))),
            multiply(0.5, exp(negative(absolute(y)))),
        ),
    ),
    "cauchy": Distribution(
        (),
        _always,
        _line,
        lambda y: subtract(-math.log(math.pi), log1p(square(y))),
        lambda y: add(0.5, divide(arctan(y), np.pi)),
    ),
    "logistic": Distribution(
        (),
        _always,
        _line,
        _log_logistic,
        expit,
        lambda y: expit(negative(y)),
        log_expit,
        lambda y: log_expit(negative(y)),
    ),
    "gamma": Distribution(
        ("a",),
        _positive,
        _half_line,
        _log_gamma,
        lambda y, a: gammainc(a, y),
        lambda y, a: gammaincc(a, y),
    ),
    "chi2": Distribution(
        ("df",),
        _positive,
        _half_line,
        _log_chi2,
        lambda y, df: gammainc(multiply(0.5, df), multiply(0.5, y)),
        lambda y, df: gammaincc(multiply(0.5, df), multiply(0.5, y)),
    ),
    "beta": Distribution(
        ("a", "b"),
        _positive,
        _unit,
        _log_beta,
        lambda y, a, b: betainc(a, b, y),
        lambda y, a, b: betainc(b, a, subtract(1.0, y)),
    ),
    "t": Distribution(
        ("df",), _positive, _line, _log_t, _t_cdf, lambda y, df: _t_cdf(negative(y), df)
    ),
    "lognorm": Distribution(("s",), _positive, _half_line, _log_lognorm, _lognorm_cdf),
    "poisson": Distribution(
        ("mu",),
        lambda mu: greater_equal(mu, 0.0),
        _half_line,
        lambda k, mu: xlogy(k, mu) - gammaln(add(k, 1.0)) - mu,
        lambda k, mu: gammaincc(add(floor(k), 1.0), mu),
        lambda k, mu: gammainc(add(floor(k), 1.0), mu),
        inside=0.0,
        is_discrete=True,
    ),
    "binom": Distribution(
        ("n", "p"),
        lambda n, p: logical_and(
            logical_and(greater_equal(n, 0.0), equal(n, floor(n))), _is_share(p)
        ),
        lambda n, p: (0.0, n),
        _log_binom,
        lambda k, n, p: betainc(subtract(n, floor(k)), add(floor(k), 1.0), subtract(1.0, p)),
        inside=0.0,
        is_discrete=True,
    ),
    "bernoulli": Distribution(
        ("p",),
        _is_share,
        lambda p: (0.0, 1.0),
        lambda k, p: _log_binom(k, 1.0, p),
        lambda k, p: subtract(1.0, p),
        inside=0.0,
        is_discrete=True,
    ),
    "geom": Distribution(
        ("p",),
        lambda p: logical_and(greater(p, 0.0), less_equal(p, 1.0)),
        lambda p: (1.0, _INFINITY),
        lambda k, p: xlog1py(subtract(k, 1.0), negative(p)) + log(p),
        lambda k, p: negative(expm1(xlog1py(floor(k), negative(p)))),
        inside=1.0,
        is_discrete=True,
    ),
}


class _Point(NamedTuple):
    """Where a function of a distribution is evaluated.

    Attributes:
        y: the variable, moved and scaled.
        scale: None for a discrete distribution.
        shapes: the parameters.
        is_valid: whether all of these have a meaning.
    """

    y: Any
    scale: Any
    shapes: tuple
    is_valid: Any


def _point(distribution: Distribution, args: tuple, kwargs: dict[str, Any]) -> _Point:
    names = ("k" if distribution.is_discrete else "x", *distribution.shapes, "loc", "scale")
    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    defaults = {"loc": 0.0, "scale": 1.0}
    parameters = [
        inspect.Parameter(name, kind, default=defaults.get(name, inspect.Parameter.empty))
        for name in names[: -1 if distribution.is_discrete else None]
    ]
    bound = inspect.Signature(parameters).bind(*args, **kwargs)
    bound.apply_defaults()
    x, *shapes = (astype(value, np.float64) for value in bound.arguments.values())
    scale = None if distribution.is_discrete else shapes.pop()
    loc = shapes.pop()
    y = subtract(x, loc) if scale is None else divide(subtract(x, loc), scale)
    is_valid = logical_and(distribution.is_valid(*shapes), equal(isnan(y), False))
    if scale is not None:
        is_valid = logical_and(is_valid, greater(scale, 0.0))
    return _Point(y, scale, tuple(shapes), is_valid)


def _density(distribution: Distribution, args: tuple, kwargs: dict[str, Any]) -> Any:
    y, scale, shapes, is_valid = _point(distribution, args, kwargs)
    low, high = distribution.support(*shapes)
    inside = logical_and(greater_equal(y, low), less_equal(y, high))
    if distribution.is_discrete:
        inside = logical_and(inside, equal(y, floor(y)))
    found = distribution.log_density(where(inside, y, distribution.inside), *shapes)
    found = found if scale is None else subtract(found, log(scale))
    return where(is_valid, where(inside, found, -_INFINITY), np.nan)


def _cumulative(distribution: Distribution, name: str, args: tuple, kwargs: dict[str, Any]) -> Any:
    own = {
        "cdf": distribution.cdf,
        "sf": distribution.sf,
        "logcdf": distribution.log_cdf,
        "logsf": distribution.log_sf,
    }[name]
    if own is None and name.startswith("log"):
        return log(_cumulative(distribution, name[3:], args, kwargs))
    if own is None and name == "sf":
        return subtract(1.0, _cumulative(distribution, "cdf", args, kwargs))
    if own is None:
        raise NotImplementedError("its distribution function")
    y, _, shapes, is_valid = _point(distribution, args, kwargs)
    low, high = distribution.support(*shapes)
    ends = (0.0, 1.0) if name.endswith("cdf") else (1.0, 0.0)
    if name.startswith("log"):
        ends = (-_INFINITY, 0.0) if name == "logcdf" else (0.0, -_INFINITY)
    after_low = greater_equal(y, low) if distribution.is_discrete else greater(y, low)
    inside = logical_and(after_low, greater(high, y))
    found = own(where(inside, y, distribution.inside), *shapes)
    outside = where(after_low, ends[1], ends[0])
    return where(is_valid, where(inside, found, outside), np.nan)


def _evaluated(name: str, method: str, args: tuple, kwargs: dict[str, Any]) -> Any:
    distribution = DISTRIBUTIONS[name]
    if method == ("logpmf" if distribution.is_discrete else "logpdf"):
        return _density(distribution, args, kwargs)
    if method == ("pmf" if distribution.is_discrete else "pdf"):
        return exp(_density(distribution, args, kwargs))
    return _cumulative(distribution, method, args, kwargs)


_FROZEN = ("rv_continuous_frozen", "rv_discrete_frozen")
_METHODS = ("pdf", "logpdf", "pmf", "logpmf", "cdf", "logcdf", "sf", "logsf")


def frozen_parameters(function: Any) -> Any:
    """The parameters that a method of a frozen distribution has besides its arguments."""
    owner: Any = function.__self__ if isinstance(function, types.MethodType) else None
    if isinstance(owner, multivariate.FrozenNormal):
        return owner
    if type(owner).__name__ in _FROZEN and _is_scipys(owner):
        return owner.args, owner.kwds
    return ()


def _is_scipys(owner: Any) -> bool:
    # As text: a class can leave it to its instances to say which module they are of.
    return str(type(owner).__module__).startswith("scipy.stats.")


def of_scipy_stats(function: Any) -> Callable | None:
    """What stands for a method of one of SciPy's distributions, frozen ones as well, or for what
    freezes one; None for other functions."""
    if type(function).__name__ == "multivariate_normal_gen":
        return multivariate.frozen if _is_scipys(function) else None
    if not isinstance(function, types.MethodType):
        return None
    owner: Any = function.__self__
    if isinstance(owner, multivariate.FrozenNormal):
        return function
    if not _is_scipys(owner):
        return None
    method = function.__name__
    if type(owner).__name__ in ("multivariate_normal_gen", "multivariate_normal_frozen"):
        return multivariate.method_of(owner, method)
    given, named = (), {}
    if type(owner).__name__ in _FROZEN:
        given, named = owner.args, owner.kwds
        owner = owner.dist
    name = getattr(owner, "name", None)
    if name not in DISTRIBUTIONS or type(owner).__name__ != f"{name}_gen":
        return None
    if method not in _METHODS:
        return None

    def call(x: Any, *args: Any, **kwargs: Any) -> Any:
        try:
            found = _evaluated(name, method, (x, *given, *args), {**named, **kwargs})
            return found if ndim_of(found) else subscript(found, ())  # a number
        except NotImplementedError:
            raise NotImplementedError(f"scipy.stats.{name}.{method} of traced arrays") from None

    return call
