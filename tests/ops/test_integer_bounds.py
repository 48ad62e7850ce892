"""Bounds of what Python's operators give of ints, beside all ints between some."""

import itertools

import pytest

import ops
from ops.core.integer_bounds import INFINITE, UNKNOWN

ENDS = [-9, -4, -1, 0, 1, 3, 8]
INTERVALS = [(low, high) for low, high in itertools.product(ENDS, ENDS) if low <= high]
BOUNDED = [
    op
    for op in vars(ops).values()
    if getattr(getattr(op, "python", None), "bounds", None) is not None
]


@pytest.mark.parametrize("op", BOUNDED, ids=lambda op: op.name)
def test_bounds(op):
    python, known = op.python, 0
    for intervals in itertools.product(INTERVALS, repeat=len(op.partials)):
        low, high = python.bounds(*intervals)
        wider = python.bounds(*((-INFINITE, b) if a == -9 else (a, b) for a, b in intervals))
        assert wider[0] <= low and wider[1] >= high
        wider = python.bounds(*((a, INFINITE) if b == 8 else (a, b) for a, b in intervals))
        assert wider[0] <= low and wider[1] >= high
        known += (low, high) != UNKNOWN
        for operands in itertools.product(*(range(a, b + 1) for a, b in intervals)):
            try:
                result = python.compute(*operands)
            except (ZeroDivisionError, ValueError):
                continue
            assert low <= result <= high, (operands, intervals)
    assert known > len(INTERVALS) / 2


def test_all_that_combine_ints_have_bounds():
    assert len(BOUNDED) >= 12
