"""Loops that are seen never to end: a trip leaves the state as it was, and goes on.

Bounces that come ever faster are an example: at some time the next one takes no time any more. Such
a loop runs forever, in Python as well. Where a gradient looks at the state now and then, as a
budget for its memory does, it can tell: the loop ends there, and what comes after it finds that it
should have gone on. So what raises is not in the loop, which may be one kernel.
"""

from __future__ import annotations

from collections.abc import Sequence

import ops
from autograph.graph.builder import Builder, current_builder, inline
from autograph.graph.graph import Node, Value, walk
from autograph.graph.purity import has_own_effect
from autograph.graph.rewrite import Env
from autograph.graph.wiring import loop_of
from ops.control import effects, regions
from ops.core.types import ArrayType

# The text by which a program's RuntimeError is known for this one.
ENDLESS = "this loop does not end: its trips leave its variables as they are"

_FAILURE = {"error": "RuntimeError", "args": (ENDLESS,), "kind": None, "names": ()}


def unless_endless(
    loop: Node, going: Value, before: Sequence[Value], after: Sequence[Value]
) -> Value:
    """Whether a loop goes on, which it does not if some trips have left its state as it was.

    Args:
        loop: the loop; whether it goes on is not looked at where more than its state decides.
        going: whether it says that it goes on.
        before, after: its state before these trips and after them.
    """
    if not _depends_on_its_state(loop):
        return going
    same = going
    for old, new in zip(before, after):
        same = ops.logical_and(same, _same(old, new))
    goes_on = ops.logical_and(going, ops.logical_not(same))
    return ops.cast(goes_on, dtype="bool", weak=True) if going.type.weak else goes_on


def refuse_endless(loop: Node, env: Env, state: Sequence[Value]) -> None:
    """Add to the current builder what raises if a loop that has ended with this state should have
    gone on."""
    if not _depends_on_its_state(loop):
        return
    with current_builder().at(loop.location):
        (test,) = loop_of(loop).tests
        (going,) = inline(test, state, env)
        with Builder("then") as builder, builder.at(loop.location):
            builder.add(effects.fail, [], dict(_FAILURE), [])
            then = builder.finish([], loop.location)
        with Builder("else") as builder:
            orelse = builder.finish([], loop.location)
        current_builder().add(regions.cond, [going], {}, [], [then, orelse])


def _depends_on_its_state(loop: Node) -> bool:
    """Whether what a trip does depends on the state alone, which has a known size."""
    types = [v.type for v in loop_of(loop).start]
    known = all(isinstance(type, ArrayType) and type.is_static for type in types)
    return known and not any(_does_more(node) for graph in loop.regions for node in walk(graph))


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
