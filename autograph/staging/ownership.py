"""Which functions, classes and objects are the user's, and not part of a library."""

from __future__ import annotations

import functools
import sys
import types
from typing import Any

from autograph.backends.select import is_array
from autograph.source.free import LIBRARY_PATHS, OWN_PACKAGES

_MADE_BY_STATEMENT = 1 << 9  # Py_TPFLAGS_HEAPTYPE


@functools.lru_cache(maxsize=4096)
def is_user_class(kind: type) -> bool:
    """A class made by a class statement outside of this package and libraries."""
    if not kind.__flags__ & _MADE_BY_STATEMENT:
        return False
    if kind.__module__.partition(".")[0] in (*OWN_PACKAGES, "numpy"):
        return False
    file = getattr(sys.modules.get(kind.__module__), "__file__", None)
    return file is None or not file.startswith(LIBRARY_PATHS)


def is_user_object(value: Any) -> bool:
    """An instance of a user's class that can be copied attribute by attribute."""
    kind = type(value)
    if kind is types.SimpleNamespace:
        return True
    return is_user_class(kind) and kind.__new__ is object.__new__ and not is_array(value)
