"""What is imported when the first kernel is made, and not if all are found on disk."""

from __future__ import annotations

import functools
from typing import Any

from autograph.kernels.native import compiler


@functools.cache
def making() -> Any:
    """The module `autograph.kernels.making`."""
    with compiler.lock:  # a process that is forked meanwhile could never import it
        from autograph.kernels import making

        return making
