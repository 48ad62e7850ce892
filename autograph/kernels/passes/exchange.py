"""Two loops, one in the other, in the other order: loop interchange (Allen & Kennedy, "Automatic
loop interchange", 1984)."""

from __future__ import annotations

import dataclasses

from autograph.kernels.ir import ir
from autograph.kernels.ir.ir import Block, Var
from autograph.kernels.passes.dependence import Dependences, defined_in, is_understood
from autograph.kernels.passes.promotion import invariant_elements


def exchanged(outer: ir.For, dependences: Dependences) -> ir.For | None:
    """What was the inner loop, around what was the outer one; None unless the trips of the inner
    one are independent of each other through all trips of the outer one, and of a number that these
    do not change."""
    nested = [s for s in outer.body if ir.blocks(s)]
    inner = nested[0] if len(nested) == 1 else None
    if isinstance(inner, ir.Each) and inner.mode == "parallel" and not inner.reductions:
        body = inner.body
        if any(isinstance(s, ir.Local) for s in body):  # memory of each trip
            return None
        plain = ir.For(inner.index, inner.count, body)
        outer = dataclasses.replace(
            outer, body=Block([plain if s is inner else s for s in outer.body])
        )
        inner = plain
    if not isinstance(inner, ir.For):
        return None
    if any(loop.state or loop.freed is not None for loop in (outer, inner)):
        return None
    if not all(s is inner or isinstance(s, ir.Compute | ir.Load | ir.Check) for s in outer.body):
        return None
    varying: set[Var] = {outer.index, *defined_in(outer.body)}
    count = dependences.facts.form(inner.count)
    if count is None or inner.count in varying or varying.intersection(count.variables):
        return None
    if any(isinstance(s, ir.Check) for s in outer.body) and dependences.facts.least(count) < 1:
        return None  # what is checked once for each trip would not be checked at all
    together = [x for s in outer.body for x in (inner.body if s is inner else [s])]
    moved = dataclasses.replace(outer, body=Block(together))
    if not is_understood(together) or not dependences.independent(inner.index, [moved]):
        return None
    return dataclasses.replace(inner, body=Block([moved]))


def keeping_elements(outer: ir.For, dependences: Dependences) -> ir.For | None:
    """Two loops in the other order, if an element stays in a register then, and did not before."""
    swapped = exchanged(outer, dependences)
    if swapped is None:
        return None
    (moved,) = swapped.body
    assert isinstance(moved, ir.For)
    if any(ir.blocks(s) for s in moved.body) or not invariant_elements(moved, dependences):
        return None
    before = next(s for s in outer.body if ir.blocks(s))
    if isinstance(before, ir.For) and invariant_elements(before, dependences):
        return None
    return swapped
