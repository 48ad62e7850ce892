"""Whether NumPy shall do something about overflow, division by zero and the like.

Kernels do not tell of these. Where ``np.errstate`` asks for more than a warning, the program in
NumPy's terms runs in their place.
"""

from __future__ import annotations

import numpy as np

try:  # what `np.errstate` sets; looking at it is much faster than `np.geterr`
    from numpy._core.umath import _extobj_contextvar as _setting
except ImportError:
    _setting = None

_QUIET = ("ignore", "warn")


def _is_quiet() -> bool:
    return all(action in _QUIET for action in np.geterr().values())


_usual = _setting.get() if _setting is not None and _is_quiet() else None


def matter() -> bool:
    """Whether floating-point errors shall raise, or call something."""
    if _usual is not None and _setting.get() is _usual:
        return False
    return not _is_quiet()
