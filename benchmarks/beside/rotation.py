"""Calls with other data each time.

Called again and again on the same data, a program that branches on them is timed as no user sees
it: processors learn tens of thousands of branches by heart.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import cycle


def in_rotation(function: Callable, inputs: Sequence[Sequence]) -> Callable[[], object]:
    """Calls of a function on each of several inputs, one after the other, and then again."""
    if len(inputs) == 1:
        (args,) = inputs
        return lambda: function(*args)
    following = cycle(inputs).__next__
    return lambda: function(*following())
