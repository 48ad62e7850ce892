"""``bisect`` on lists and arrays of symbolic elements.

The places that are looked at are those of Python's `bisect`, so that what is not in order gives
what it gives there.
"""

from __future__ import annotations

import bisect
import operator
from collections.abc import Callable
from typing import Any

import ops
from autograph.errors import OperandValueError
from autograph.staging.arrays.array import located_error
from autograph.staging.python.aggregates import compare
from ops.control import effects
from ops.core.operands import Symbolic


def _search(is_left: bool) -> Callable[..., Any]:
    """``bisect.bisect_left`` or ``bisect.bisect_right``."""

    def search(a: Any, x: Any, lo: Any = 0, hi: Any = None, *, key: Any = None) -> Any:
        return _place(a, x, lo, hi, key, is_left)

    return search


def _is_less(one: Any, other: Any) -> Any:
    return compare(operator.lt, one, other)


def place_behind(a: Any, x: Any, is_less: Callable) -> Any:
    """Where ``x`` belongs in a list that is in order, behind its equals."""
    return _place(a, x, 0, None, None, False, is_less)


def _place(
    a: Any, x: Any, lo: Any, hi: Any, key: Any, is_left: bool, is_less: Callable = _is_less
) -> Any:
    message = "lo must be non-negative"
    if isinstance(lo, Symbolic):
        is_place = ops.greater_equal(lo, 0)
        effects.check(is_place, error="ValueError", message=message)
    elif lo < 0:
        raise located_error(OperandValueError, message, fix="count places from 0")

    def body(lo: Any, hi: Any) -> tuple:
        middle = (lo + hi) // 2
        element = ops.call(operator.getitem, a, middle)
        element = element if key is None else ops.call(key, element)
        if is_left:
            goes_on = is_less(element, x)
            return ops.cond(goes_on, lambda: (middle + 1, hi), lambda: (lo, middle))
        return ops.cond(is_less(x, element), lambda: (lo, middle), lambda: (middle + 1, hi))

    end = ops.call(len, a) if hi is None else hi
    found = ops.while_loop(lambda lo, hi: lo < hi, body, (lo, end), ("lo", "hi"))
    return found[0]


def _insertion(is_left: bool) -> Callable[..., None]:
    """``bisect.insort_left`` or ``bisect.insort_right``."""

    def insert(a: Any, x: Any, lo: Any = 0, hi: Any = None, *, key: Any = None) -> None:
        wanted = x if key is None else ops.call(key, x)
        a.insert(_place(a, wanted, lo, hi, key, is_left), x)

    return insert


FUNCTIONS = {
    bisect.bisect_left: _search(True),
    bisect.bisect_right: _search(False),  # which `bisect.bisect` is
    bisect.insort_left: _insertion(True),
    bisect.insort_right: _insertion(False),
}
