"""Python's module ``statistics``, of numbers that are only known when the program runs.

Python computes with fractions, and so does the program.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

import ops
from autograph.errors import UnsupportedFunctionError
from autograph.staging.arrays.array import GraphArray, located_error
from autograph.staging.python.aggregates import ordered
from autograph.staging.python.mathematics import exact_sum, to_float
from ops.statistics.exact_statistics import exact_statistic


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
        scalar = not number.ndim and not number.is_array and number.dtype == np.float64
        return scalar and number.type.weak == (kind is float)
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
    _require(numbers, 2, "stdev requires at least two data points")
    return _exact("stdev", numbers, xbar)


def pstdev(data: Iterable, mu: Any = None) -> Any:
    """``statistics.pstdev``, a float of whatever numbers."""
    numbers = list(data)
    _require(numbers, 1, "pstdev requires at least one data point")
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


def _require(numbers: list, least: int, message: str) -> None:
    if len(numbers) < least:
        raise statistics.StatisticsError(message)


FUNCTIONS: dict[Callable, Callable] = {
    getattr(statistics, name): function
    for name, function in {
        "mean": mean,
        "fmean": float_mean,
        "variance": variance,
        "pvariance": pvariance,
        "stdev": stdev,
        "pstdev": pstdev,
        "median": median,
        "median_low": median_low,
        "median_high": median_high,
    }.items()
}
