"""Which array a result was before elements of it were changed, and whether nothing else was."""

from __future__ import annotations

from collections.abc import Callable

from autograph.graph.graph import Graph, Node, Value
from autograph.graph.wiring import is_loop, loop_of, sources_of, wiring
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


def keeps_rows(body: Graph, entered: Value, left: Value, *, surely: bool) -> bool:
    """Whether trips of a loop change a list only by writing elements: no rows come or go.

    Args:
        entered, left: the list in a trip.
        surely: whether a trip that gets there writes some, rather than in one branch of some.
    """
    return entered is not left and _before_writes(body, left, surely) is entered


def _before_writes(region: Graph, value: Value, surely: bool) -> Value | None:
    """What a list was before elements of it were written, if nothing else was done with it."""
    outside = frozenset(region.captures)
    while value.producer is not None and value not in outside:
        node = value.producer
        place = node.place(value)
        if node.op.updates:
            value = node.inputs[0]
        elif is_loop(node):
            variable = next(v for v in wiring(node).carried if v.result is value)
            inner = loop_of(node).body
            if not keeps_rows(inner, variable.entered, variable.left, surely=surely):
                return None
            value = variable.start
        elif node.op is regions.cond and not surely:
            sources = {
                _before_writes(inner, inner.outputs[place], surely) for inner in node.regions
            }
            source = sources.pop()
            if sources or source is None:
                return None
            value = source
        else:
            return None
    return value
