"""Which array a result was before elements of it were changed."""

from __future__ import annotations

from autograph.graph.graph import Graph, Value
from autograph.graph.wiring import is_loop, sources_of
from ops.control import regions


def unchanged(region: Graph, position: int, outside: frozenset[Value] = frozenset()) -> Value:
    """What a result of a region was before elements of it were changed.

    Args:
        outside: values of the regions around this one in which the search ends.
    """
    value = region.outputs[position]
    outside = outside or frozenset(region.captures)
    while value.producer is not None and value not in outside:
        node = value.producer
        if node.op.updates:
            value = node.inputs[0]
        elif node.op is regions.cond:
            place = node.place(value)
            sources = {unchanged(inner, place, outside) for inner in node.regions}
            if len(sources) > 1:
                break
            (value,) = sources
        elif is_loop(node):
            value, _ = sources_of(node)[value]
        else:
            break
    return value
