"""Whether compiled functions stop at NaNs and infinities; see `autograph.debug`."""

from __future__ import annotations

from contextvars import ContextVar
from typing import Any

import numpy as np

NAN, INFINITY = "NaN", "infinity"

# What functions that are called now shall stop at.
wanted: ContextVar[frozenset[str]] = ContextVar("autograph.nonfinite", default=frozenset())

_TESTS = {NAN: np.isnan, INFINITY: np.isinf}


def found_in(value: Any, kinds: frozenset[str]) -> str | None:
    """What of some kinds is in an array, a number, or nested tuples and lists of such, in words;
    None if there is nothing."""
    if isinstance(value, (tuple, list)):
        return next((text for item in value if (text := found_in(item, kinds))), None)
    kind = getattr(getattr(value, "dtype", None), "kind", "")
    if not (kind in ("f", "c") or isinstance(value, (float, complex))):
        return None
    for name in sorted(kinds):
        flags = np.asarray(_on_host(_TESTS[name](value)))
        if flags.any():
            if not flags.shape:
                return f"is {name}"
            first = tuple(int(axis[0]) for axis in np.nonzero(flags))
            count = np.count_nonzero(flags)
            return f"has {name} in {count} of {flags.size} elements, the first at {list(first)}"
    return None


def _on_host(flags: Any) -> Any:
    get = getattr(flags, "get", None)
    return flags if get is None else get()
