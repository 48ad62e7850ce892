"""NumPy: arrays in the memory of the host."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import numpy

name = "numpy"
host = True
kernels = "llvm"


def module() -> ModuleType:
    """The array library."""
    return numpy


def from_host(x: Any) -> Any:
    """A NumPy array as an array of this library."""
    return x


def to_host(x: Any) -> Any:
    """An array of this library as a NumPy array; anything else as it is."""
    return x


def is_array(x: Any) -> bool:
    """Whether ``x`` is an array of this library, rather than a number."""
    return isinstance(x, numpy.ndarray)
