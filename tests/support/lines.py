"""Lines of functions in the files of tests, for errors that have to name them."""

from __future__ import annotations

import inspect
from collections.abc import Callable


def first_line(function: Callable) -> int:
    """The line that a function begins on."""
    return function.__code__.co_firstlineno


def line_of(function: Callable, mark: str = "# here") -> int | None:
    """The line of a function that ends with a mark, the first of several; None if none does."""
    lines, first = inspect.getsourcelines(function)
    marked = (n for n, line in enumerate(lines, first) if line.rstrip().endswith(mark))
    return next(marked, None)
