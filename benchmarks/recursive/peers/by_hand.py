"""Python: the functions run by it. It has no derivatives."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from benchmarks.recursive import programs

PACKAGE = "numpy"
REFUSES = {"derivative": "no derivatives"}
NOTES: dict[str, str] = {}

to_numpy = np.asarray


def _maker(function: Callable) -> Callable:
    return lambda *args: lambda: function(*args)


_NAMES = ("fibonacci", "takeuchi", "tree", "quicksort", "mergesort", "queens", "quadrature")
MAKERS = {name: _maker(getattr(programs, name)) for name in _NAMES}
