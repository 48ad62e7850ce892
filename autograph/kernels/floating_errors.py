"""Whether NumPy shall do something about overflow, division by zero and the like.

Kernels do not tell of these. Where ``np.errstate`` asks for more than a warning, the program in
NumPy's terms runs in their place.
"""

from __future__ import annotations

import ctypes
from contextvars import ContextVar
from typing import Any

import numpy as np

from autograph.nonfinite import wanted

try:  # what `np.errstate` sets; looking at it is much faster than `np.geterr`
    from numpy._core import umath

    _setting: ContextVar | None = umath._extobj_contextvar
except (ImportError, AttributeError):
    _setting = None

_QUIET = ("ignore", "warn")

# A setting that was seen to ask for nothing but warnings, and where machine code finds its address.
_known: Any = None
quiet = ctypes.c_void_p()


def setting() -> ContextVar | None:
    """The variable that `np.errstate` sets; None if it is not known."""
    return _setting


def matter() -> bool:
    """Whether floating-point errors shall raise, or call something; also whether a function shall
    stop at what is not finite."""
    global _known
    if wanted.get():
        return True
    current = None if _setting is None else _setting.get()
    if current is not None and current is _known:
        return False
    if any(action not in _QUIET for action in np.geterr().values()):
        return True
    if current is not None:
        quiet.value = None  # the address of the one before may become that of another one
        _known = current
        quiet.value = id(current)
    return False
