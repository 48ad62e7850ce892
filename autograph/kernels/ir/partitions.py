"""How a call says which places a partition is asked for: by the kind of an `ir.SortCall`."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

import numpy as np

_PREFIX = "part"


def listed(kth: Any) -> tuple[Any, ...]:
    """The places of a partition, of which there may be one or several."""
    return kth if isinstance(kth, tuple) else (kth,)


def kind_of(kth: int | Sequence[int]) -> str:
    """The kind of a partition in `autograph.kernels.ir.ir.SortCall`, a part of names of symbols:
    ``part_3_m1`` of the places 3 and -1."""
    return _PREFIX + "".join(f"_{k}" if k >= 0 else f"_m{-k}" for k in listed(kth))


def is_kind(kind: str) -> bool:
    """Whether a kind of sorting is a partition."""
    return kind.startswith(_PREFIX)


@functools.cache
def places_of(kind: str) -> np.ndarray:
    """The places of a kind, as an array that is never freed."""
    return np.array([int(k.replace("m", "-")) for k in kind.split("_")[1:]], np.intp)
