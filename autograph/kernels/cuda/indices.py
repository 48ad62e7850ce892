"""Indices as sums of scalars, of which one is the trip of a loop."""

from __future__ import annotations

from collections.abc import Mapping

from autograph.kernels.ir import ir
from autograph.kernels.ir.ir import Number, Operand, Var

# A sum of scalars, each times a number; None stands for the trip, 1 for a constant.
Place = dict[object, int]
Made = dict[Operand, ir.Compute]


def place_of(x: Operand, trip: Var, made: Mapping[Operand, ir.Compute]) -> Place | None:
    """An index as a sum; None where it depends on the trip otherwise.

    Args:
        trip: of a loop around.
        made: how scalars are computed.
    """
    if isinstance(x, Number):
        return {1: int(x.value)} if int(x.value) else {}
    if x is trip:
        return {None: 1}
    s = made.get(x)
    if s is not None and s.function == "cast" and s.operands[0].dtype == ir.LONG:
        return place_of(s.operands[0], trip, made)
    if s is None or s.function not in ("+", "-", "*") or len(s.operands) != 2:
        return {x: 1}
    a, b = (place_of(y, trip, made) for y in s.operands)
    if a is None or b is None:
        return None
    if s.function == "*":
        constant = next((n for n in (a, b) if not n.keys() - {1}), None)
        if constant is None:
            return None if None in a or None in b else {x: 1}
        other, factor = (b if constant is a else a), constant.get(1, 0)
        return {key: n * factor for key, n in other.items() if n * factor}
    sign = 1 if s.function == "+" else -1
    total = {key: a.get(key, 0) + sign * b.get(key, 0) for key in [*a, *b]}
    return {key: n for key, n in total.items() if n}
