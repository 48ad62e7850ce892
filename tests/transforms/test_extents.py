"""Lengths known only at run time, found equal by where they come from."""

from __future__ import annotations

import pytest

import ops
from autograph.graph.builder import Builder
from autograph.transforms.analysis.extents import Extents
from ops.core import types

ROWS, INDICES = types.array("f8", (None, 4)), types.array("i8", (None,))
ALL = slice(None)
at = ops.subscript
EQUAL = {
    "rows at the same places": lambda x, y, i: (at(x, i), at(y, i)),
    "parts of them": lambda x, y, i: (at(x, (i, slice(1, 3))), at(y, (i, slice(0, 2)))),
    "elements of them": lambda x, y, i: (at(x, (i, 1)), at(y, (i, at(i, 0)))),
    "rows after arithmetic": lambda x, y, i: (at(x, i) * 2.0, ops.added(at(y, i), 0, 1.0)),
    "places and what is there": lambda x, y, i: (at(x, (i, 0)), i),
}
UNEQUAL = {
    "another array": lambda x, y, i: (x, y),
    "at the places or all": lambda x, y, i: (at(x, i), x),
    "at other places": lambda x, y, i: (at(x, i), at(x, at(y, (ALL, 0)) > 0.0)),
    "places that are broadcast": lambda x, y, i: (at(x, (i, at(i, slice(0, 1)))), at(x, (ALL, 0))),
}


@pytest.mark.parametrize("name", [*EQUAL, *UNEQUAL])
def test_lengths(name):
    with Builder("lengths") as builder:
        inputs = [builder.input(type) for type in (ROWS, ROWS, INDICES)]
        values = {**EQUAL, **UNEQUAL}[name](*inputs)
        assert Extents().may_be_broadcast(values, 0) == (name in UNEQUAL)
