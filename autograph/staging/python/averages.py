"""Python's module ``statistics``, of numbers known only at run time.

Python computes with fractions, and so does the program.
"""

from __future__ import annotations

import functools
import statistics
import sys
from collections.abc import Callable, Iterable
from typing import Any, NoReturn

import numpy as np

import ops
from autograph.errors import UnsupportedFunctionError
from autograph.staging.arrays.array import GraphArray, located_error
from autograph.staging.python.aggregates import ordered
from autograph.staging.python.mathematics import exact_sum, to_float
from ops.core.recording import raises_as_python
from ops.statistics.exact_statistics import exact_statistic

_FEW = "must have at least two data points"
_NAMES_ROOTS = sys.version_info >= (3, 11)  # errors of standard deviations; else variances
_TAKES_ZERO = sys.version_info >= (3, 13)  # the geometric mean
_NOT_POSITIVE = "geometric mean requires a non-empty dataset containing positive numbers"


def _floats(name: str, data: Iterable, instead: str) -> tuple[list, bool]:
    """The data, and whether they are Python's floats rather than NumPy's of 64 bits.

    Raises:
        UnsupportedFunctionError: they are others, of which the result may be of another type.
    """
    numbers = list(data)
    for kind in (float, np.float64):
        if all(_is_of(number, kind) for number in numbers):
            return numbers, kind is float
    raise located_error(
        UnsupportedFunctionError,
        f"statistics.{name}() of what may be other than floats",
        fix=f"make them floats, or use {instead}",
    )


def _is_of(number: Any, kind: type) -> bool:
    if isinstance(number, GraphArray):
        dtype = np.int64 if kind is int else np.float64
        scalar = not number.ndim and not number.is_array and number.dtype == dtype
        return scalar and number.type.weak == (kind is not np.float64)
    return type(number) is kind


def _given(result: Any, weak: bool) -> Any:
    return ops.cast(result, dtype="float64", weak=weak)


def mean(data: Iterable) -> Any:
    """``statistics.mean`` of floats: the exact sum, rounded, by how many there are."""
    numbers, weak = _floats("mean", data, "statistics.fmean or np.mean")
    _require(numbers, 1, "mean requires at least one data point")
    return _given(_exact("mean", numbers), weak)


def float_mean(data: Iterable, weights: Any = None) -> Any:
    """``statistics.fmean``."""
    if weights is not None:
        raise located_error(
            UnsupportedFunctionError,
            "statistics.fmean() with weights",
            fix="use np.average(data, weights=weights)",
        )
    numbers = data if isinstance(data, GraphArray) else list(data)
    if not isinstance(numbers, GraphArray):
        _require(numbers, 1, "fmean requires at least one data point")
    return exact_sum(numbers) / len(numbers)


def geometric_mean(data: Iterable) -> Any:
    """``statistics.geometric_mean``: the exponential of the mean of logarithms."""
    if _TAKES_ZERO:
        return _later_geometric_mean(list(data))
    numbers = list(map(to_float, data))
    _require(numbers, 1, _NOT_POSITIVE)
    # NaN is no number that is too small.
    _require_all([ops.logical_not(ops.less_equal(x, 0.0)) for x in numbers], _NOT_POSITIVE)
    logs = [ops.log(x) for x in numbers]
    return _given(ops.exp(exact_sum(logs) / len(logs)), weak=True)


def _later_geometric_mean(given: list) -> Any:
    """The same as Python computes it from 3.13 on: 0.0 if a number is, but NaN beside infinity."""
    _require(given, 1, "Must have a non-empty dataset")
    numbers = list(map(to_float, given))
    for number, x in zip(given, numbers):
        error = statistics.StatisticsError("No negative inputs allowed", number)
        ops.cond(ops.less(x, 0.0), functools.partial(_raise, error), lambda: None)
    zeros = [ops.equal(x, 0.0) for x in numbers]
    total = exact_sum([ops.log(ops.where(zero, 1.0, x)) for zero, x in zip(zeros, numbers)])
    some_zero = functools.reduce(ops.logical_or, zeros)
    beside = ops.where(ops.isfinite(total), 0.0, np.nan)
    return _given(ops.where(some_zero, beside, ops.exp(total / len(numbers))), weak=True)


def harmonic_mean(data: Iterable, weights: Any = None) -> Any:
    """``statistics.harmonic_mean`` of floats."""
    if weights is not None:
        raise located_error(
            UnsupportedFunctionError,
            "statistics.harmonic_mean() with weights",
            fix="use 1 / np.average(1 / x, weights=weights) of an array x",
        )
    numbers, weak = _floats("harmonic_mean", data, "len(x) / np.sum(1 / x)")
    _require(numbers, 1, "harmonic_mean requires at least one data point")
    negative = "harmonic mean does not support negative values"
    _require_all([ops.logical_not(ops.less(x, 0.0)) for x in numbers], negative)
    if len(numbers) == 1:
        return numbers[0]
    values = [to_float(x) for x in numbers]
    some_zero = functools.reduce(ops.logical_or, [ops.equal(x, 0.0) for x in values])
    inverse = [ops.where(ops.equal(x, 0.0), 1.0, 1.0 / ops.cast(x, "float64")) for x in values]
    found = len(values) / exact_sum(inverse)
    if not weak:  # which NumPy's floats can be divided by
        return ops.cond(some_zero, lambda: np.float64(0.0), lambda: ops.call(np.float64, found))
    return ops.cond(some_zero, lambda: 0, lambda: found)  # an int, as in Python


def covariance(x: Iterable, y: Iterable) -> Any:
    """``statistics.covariance``."""
    a, b = _from_means("covariance", x, y)
    return _product(a, b) / (len(a) - 1)


def correlation(x: Iterable, y: Iterable) -> Any:
    """``statistics.correlation``, that of Pearson."""
    a, b = _from_means("correlation", x, y)
    squares = _product(a, a) * _product(b, b)
    _require_all([ops.not_equal(squares, 0.0)], "at least one of the inputs is constant")
    return _product(a, b) / _given(ops.sqrt(squares), weak=True)


def _from_means(name: str, x: Iterable, y: Iterable) -> list[list]:
    """How far the numbers of two series are from their means."""
    series = [list(map(to_float, numbers)) for numbers in (x, y)]
    if len(series[0]) != len(series[1]):
        message = f"{name} requires that both inputs have same number of data points"
        raise statistics.StatisticsError(message)
    _require(series[0], 2, f"{name} requires at least two data points")
    means = [exact_sum(numbers) / len(numbers) for numbers in series]
    return [[number - mean for number in numbers] for numbers, mean in zip(series, means)]


def _product(a: list, b: list) -> Any:
    return exact_sum([x * y for x, y in zip(a, b)])


def _exact(name: str, numbers: list, mean: Any = None) -> Any:
    """The function of this name; ``mean`` is what it is given for the mean."""
    if mean is not None:
        instead = "np.var" if name.endswith("variance") else "np.std"
        raise located_error(
            UnsupportedFunctionError,
            "a function of the module statistics is given the mean",
            fix=f"leave it out, or use {instead}",
        )
    floats = [to_float(number) for number in numbers]
    return exact_statistic(ops.array(floats, dtype="float64"), of=name)


def variance(data: Iterable, xbar: Any = None) -> Any:
    """``statistics.variance`` of floats."""
    numbers, weak = _floats("variance", data, "np.var(data, ddof=1)")
    _require(numbers, 2, "variance requires at least two data points")
    return _given(_exact("variance", numbers, xbar), weak)


def pvariance(data: Iterable, mu: Any = None) -> Any:
    """``statistics.pvariance`` of floats."""
    numbers, weak = _floats("pvariance", data, "np.var(data)")
    _require(numbers, 1, "pvariance requires at least one data point")
    return _given(_exact("pvariance", numbers, mu), weak)


def stdev(data: Iterable, xbar: Any = None) -> Any:
    """``statistics.stdev``, a float of whatever numbers."""
    numbers = list(data)
    name = "stdev" if _NAMES_ROOTS else "variance"
    _require(numbers, 2, f"{name} requires at least two data points")
    return _exact("stdev", numbers, xbar)


def pstdev(data: Iterable, mu: Any = None) -> Any:
    """``statistics.pstdev``, a float of whatever numbers."""
    numbers = list(data)
    name = "pstdev" if _NAMES_ROOTS else "pvariance"
    _require(numbers, 1, f"{name} requires at least one data point")
    return _exact("pstdev", numbers, mu)


def _sorted(data: Iterable) -> list:
    numbers = list(ordered(data))
    _require(numbers, 1, "no median for empty data")
    return numbers


def median(data: Iterable) -> Any:
    """``statistics.median``."""
    numbers = _sorted(data)
    middle = len(numbers) // 2
    if len(numbers) % 2:
        return numbers[middle]
    return (numbers[middle - 1] + numbers[middle]) / 2


def median_low(data: Iterable) -> Any:
    """``statistics.median_low``."""
    numbers = _sorted(data)
    return numbers[(len(numbers) - 1) // 2]


def median_high(data: Iterable) -> Any:
    """``statistics.median_high``."""
    numbers = _sorted(data)
    return numbers[len(numbers) // 2]


def quantiles(data: Iterable, *, n: int = 4, method: str = "exclusive") -> Any:
    """``statistics.quantiles``."""
    numbers = list(data)
    if n < 1:
        raise statistics.StatisticsError("n must be at least 1")
    if len(numbers) == 1 and sys.version_info >= (3, 13):
        return numbers * (n - 1)
    _require(
        numbers, 2, _FEW if sys.version_info < (3, 13) else "must have at least one data point"
    )
    if method not in ("exclusive", "inclusive"):
        raise ValueError(f"Unknown method: {method!r}")
    numbers = list(ordered(numbers))
    count = len(numbers)
    found = []
    for i in range(1, n):
        if method == "inclusive":
            place, rest = divmod(i * (count - 1), n)
        else:
            place = min(max(i * (count + 1) // n, 1), count - 1)
            place, rest = place - 1, i * (count + 1) - place * n
        above = numbers[place + 1] if place + 1 < count else numbers[place]
        found.append((numbers[place] * (n - rest) + above * rest) / n)
    return found


def mode(data: Iterable) -> Any:
    """``statistics.mode``: of the numbers that occur most often, the one that does first."""
    numbers = list(data)
    _require(numbers, 1, "no mode for empty data")
    if not any(all(_is_of(x, kind) for x in numbers) for kind in (float, int, np.float64)):
        raise located_error(
            UnsupportedFunctionError,
            "statistics.mode() of numbers of several types",
            fix="make all of them floats",
        )
    best, most = numbers[0], _times(numbers[0], numbers)
    for number in numbers[1:]:
        times = _times(number, numbers)
        is_more = ops.greater(times, most)
        this, other = (functools.partial(tuple, [one]) for one in (number, best))
        (best,) = ops.cond(is_more, this, other, ("mode",))
        most = ops.maximum(times, most)
    return best


def _times(number: Any, numbers: list) -> Any:
    """How often a number is among some: where it is, also if it is NaN."""
    found: Any = 0
    for other in numbers:
        is_it = True if other is number else ops.equal(other, number)
        found = found + ops.where(is_it, 1, 0)
    return found


def _require_all(conditions: list, message: str) -> None:
    """Conditions of a function of ``statistics``; if one does not hold, it fails in the run."""
    fails = lambda: _raise(statistics.StatisticsError(message))
    ops.cond(functools.reduce(ops.logical_and, conditions), lambda: None, fails)


@raises_as_python
def _raise(error: Exception) -> NoReturn:
    raise error


def _require(numbers: list, least: int, message: str) -> None:
    if len(numbers) < least:
        raise statistics.StatisticsError(message)


_BY_NAME: dict[str, Callable] = {
    "mean": mean,
    "fmean": float_mean,
    "geometric_mean": geometric_mean,
    "harmonic_mean": harmonic_mean,
    "covariance": covariance,
    "correlation": correlation,
    "variance": variance,
    "pvariance": pvariance,
    "stdev": stdev,
    "pstdev": pstdev,
    "median": median,
    "median_low": median_low,
    "median_high": median_high,
    "quantiles": quantiles,
    "mode": mode,
}
FUNCTIONS = {getattr(statistics, name): function for name, function in _BY_NAME.items()}
