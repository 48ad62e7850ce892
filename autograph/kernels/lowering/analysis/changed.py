"""Which array a result was before elements of it were changed."""

from __future__ import annotations

from collections.abc import Callable

from autograph.graph.graph import Graph, Node, Value
from autograph.graph.wiring import is_loop, sources_of
from ops.control import regions


def _of_no_call(node: Node, position: int) -> Value | None:
    return None


def unchanged(
    region: Graph,
    position: int,
    outside: frozenset[Value] = frozenset(),
    before_call: Callable[[Node, int], Value | None] = _of_no_call,
) -> Value:
    """What a result of a region was before elements of it were changed.

    Args:
        outside: values of the regions around this one in which the search ends.
        before_call: gives the array that a call changes to get a result, if it does.
    """
    value = region.outputs[position]
    outside = outside or frozenset(region.captures)
    while value.producer is not None and value not in outside:
        node = value.producer
        if node.op.updates:
            value = node.inputs[0]
        elif node.op is regions.cond:
            place = node.place(value)
            sources = {unchanged(inner, place, outside, before_call) for inner in node.regions}
            if len(sources) > 1:
                break
            (value,) = sources
        elif is_loop(node):
            value, _ = sources_of(node)[value]
        elif node.op is regions.call:
            source = before_call(node, node.place(value))
            if source is None:
                break
            value = source
        else:
            break
    return value
