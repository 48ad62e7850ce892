"""Loops that are seen never to end: a trip leaves the state as it was, and goes on.

Bounces that come ever faster are an example: at some time the next one takes no time any more. Such
a loop runs forever, in Python as well. Where a gradient looks at the state now and then, as a
budget for its memory does, it can tell.
"""

from __future__ import annotations

from collections.abc import Sequence

import ops
from autograph.graph.builder import Builder, current_builder
from autograph.graph.graph import Node, Value, walk
from autograph.graph.purity import has_own_effect
from ops.control import effects, regions
from ops.core.types import ArrayType

# The text by which a program's RuntimeError is known for this one.
ENDLESS = "this loop does not end: its trips leave its variables as they are"

_FAILURE = {"error": "RuntimeError", "args": (ENDLESS,), "kind": None, "names": ()}


def refuse_endless(
    loop: Node, going: Value, before: Sequence[Value], after: Sequence[Value]
) -> None:
    """Add to the current builder what raises a RuntimeError if a loop goes on though some trips
    have left its state as it was.

    Args:
        loop: the loop; one whose trips depend on more than its state, or do more than that, is let
            be.
        going: whether it goes on.
        before, after: its state before these trips and after them.
    """
    if not all(isinstance(v.type, ArrayType) and v.type.is_static for v in after):
        return
    if any(_does_more(node) for region in loop.regions for node in walk(region)):
        return
    with current_builder().at(loop.location):
        same = going
        for old, new in zip(before, after):
            same = ops.logical_and(same, _same(old, new))
        with Builder("then") as builder, builder.at(loop.location):
            builder.add(effects.fail, [], dict(_FAILURE), [])
            then = builder.finish([], loop.location)
        with Builder("else") as builder:
            orelse = builder.finish([], loop.location)
        current_builder().add(regions.cond, [same], {}, [], [then, orelse])


def _does_more(node: Node) -> bool:
    """Whether a node does more than to compute its results from its operands, or to raise."""
    return node.op.effect != "raises" and has_own_effect(node, None)


def _same(old: Value, new: Value) -> Value:
    """Whether two values of one type are equal, NaN and NaN as well."""
    found = ops.equal(old, new)
    if old.type.inexact:
        both = ops.logical_and(ops.not_equal(old, old), ops.not_equal(new, new))
        found = ops.logical_or(found, both)
    return ops.all(found) if found.type.shape else found
