"""Exported functions in shared libraries, called as programs in C call them."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

import autograph as ag

_NUMBERS: dict[type, Callable[[Any], Any]] = {
    float: ctypes.c_double,
    int: ctypes.c_int64,
    bool: ctypes.c_bool,
}


def call(library: Path, name: str, args: Any, results: Sequence[np.ndarray]) -> int:
    """Call a function with arguments and room for results; what it returns."""
    given = [
        _NUMBERS[type(leaf)](leaf) if type(leaf) in _NUMBERS else _address(np.asarray(leaf))
        for leaf in ag.tree.leaves(args)
    ]
    return getattr(ctypes.CDLL(str(library)), name)(*given, *map(_address, results))


def _address(array: np.ndarray) -> Any:
    assert array.flags.c_contiguous
    return array.ctypes.data_as(ctypes.c_void_p)


def check(run: Callable[[list[np.ndarray]], int], expected: Any) -> list[np.ndarray]:
    """What a call writes into room for results, which is what Python gives, to rounding."""
    wanted = [np.asarray(leaf) for leaf in ag.tree.leaves(expected)]
    results = [np.full_like(leaf, 77) for leaf in wanted]
    assert run(results) == 0
    for a, b in zip(results, wanted):
        tolerance = 1e-5 if b.dtype.itemsize == 4 else 1e-12
        np.testing.assert_allclose(a, b, rtol=tolerance, atol=tolerance)
    return results
