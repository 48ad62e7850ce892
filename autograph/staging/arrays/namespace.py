"""The namespace of the Python array API standard that symbolic arrays name while recording.

It is `ops`, but arrays that it makes of numbers, lists and shapes are symbolic, as in converted
code. So they may be written, and a library that asks all arrays at hand for their namespace finds
one only.
"""

from __future__ import annotations

from typing import Any

import numpy as np

import ops
from autograph.staging.arrays.creation import CREATORS, recorded

_MAKERS = {
    **{name: CREATORS[getattr(np, name)] for name in ("arange", "eye")},
    **{
        name: recorded(getattr(ops, name))
        for name in (
            *("asarray", "empty", "empty_like", "full", "full_like", "linspace", "meshgrid"),
            *("ones", "ones_like", "zeros", "zeros_like"),
        )
    },
}


def __getattr__(name: str) -> Any:
    return _MAKERS[name] if name in _MAKERS else getattr(ops, name)


def __dir__() -> list[str]:
    return dir(ops)
