"""Ranges where an array is wanted: NumPy makes arrays of them, as of lists."""

from __future__ import annotations

from typing import Any

import numpy as np

from autograph.staging.arrays.creation import CREATORS
from autograph.staging.sequences.items import Arithmetic


def is_range(value: Any) -> bool:
    return isinstance(value, (range, Arithmetic))


def holds_range(value: Any) -> bool:
    return is_range(value) or (type(value) in (list, tuple) and any(map(is_range, value)))


def as_array(numbers: Any) -> Any:
    """The array that NumPy makes of a range, whose length has to be known."""
    if isinstance(numbers, range):
        return np.array(numbers)
    found = CREATORS[np.arange](numbers.start, numbers.stop, numbers.step)
    return found if found.type.shape != (0,) else np.array([])  # NumPy sees no integer in it


def without_ranges(argument: Any) -> Any:
    """An argument of a NumPy function with lists or arrays in place of ranges. What has to be known
    when the function is recorded, such as axes, stays so."""
    if isinstance(argument, range):
        return list(argument)
    if isinstance(argument, Arithmetic):
        return as_array(argument)
    if type(argument) in (list, tuple) and any(map(is_range, argument)):
        return type(argument)(map(without_ranges, argument))
    return argument
