"""autograph: the functions as they are."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

import autograph as ag
from benchmarks.recursive import programs

PACKAGE = "autograph-compiler"
REFUSES: dict[str, str] = {}
NOTES: dict[str, str] = {}

to_numpy = np.asarray


def _maker(function: Callable, transform: Callable = ag.to_graph) -> Callable:
    def make(*args):
        compiled = transform(function)
        return lambda: compiled(*args)

    return make


_NAMES = ("fibonacci", "takeuchi", "tree", "quicksort", "mergesort", "queens", "quadrature")
MAKERS = {name: _maker(getattr(programs, name)) for name in _NAMES}
MAKERS["derivative"] = _maker(programs.quadrature, ag.grad)
