"""The collector of cyclic garbage, which waits while a function is compiled.

A graph consists of many small objects that refer to each other and stay. Python would go through
all of them again each time their number has grown by some part, which in the end takes longer than
compiling.
"""

from __future__ import annotations

import functools
import gc
from collections.abc import Callable
from typing import Any


def collector_waits(function: Callable) -> Callable:
    """The function, during calls of which no cyclic garbage is collected."""

    @functools.wraps(function)
    def called(*args: Any, **kwargs: Any) -> Any:
        if not gc.isenabled():
            return function(*args, **kwargs)
        gc.disable()
        try:
            return function(*args, **kwargs)
        finally:
            gc.enable()

    return called
