"""Which arrays a function may have been given, rather than made.

What NumPy gives as a view of an array, and a loop that runs no trip, return memory that was there
before. A kernel always returns memory of its own. So it must not return such an array: where only
the run knows, it finds out, and gives up.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from autograph.graph.graph import Constant, Graph, Value, walk
from autograph.graph.wiring import loop_of, sources_of
from ops.control import regions
from ops.core.types import ArrayType

CONTROL_FLOW = (regions.cond, regions.while_loop, regions.for_loop)


def may_be_given(value: Value) -> bool:
    """Whether an array may be memory that was there before the graph ran that defines it."""
    pending, seen = [value], {value}
    while pending:
        value = pending.pop()
        if not isinstance(value.type, ArrayType) or not value.type.shape:
            continue
        node = value.producer
        if isinstance(value, Constant) or node is None or node.op is regions.call:
            return True
        sources: tuple[Value, ...] = ()
        if node.op is regions.cond:
            sources = sources_of(node)[value]
        elif node.op in CONTROL_FLOW:  # any array of the state may become any other one
            loop = loop_of(node)
            seen.update(loop.state)  # what these are is asked of what they become
            sources = (*loop.start, *loop.body.outputs)
        elif is_view(value):
            sources = node.inputs[:1]
        pending += [v for v in sources if v not in seen]
        seen.update(sources)
    return False


def inputs_given_back(graphs: Mapping[str, Graph]) -> dict[str, list[set[int]]]:
    """For each array that some graphs give, which of their inputs it may be, by position.

    Args:
        graphs: by their names, with all that they call.
    """
    found: dict[str, list[set[int]]] = {n: [set() for _ in g.outputs] for n, g in graphs.items()}
    joined: dict[Value, Sequence[Value]] = {}  # of those in which paths meet, what they may be
    for graph in graphs.values():
        for node in walk(graph):
            if node.regions:
                joined.update(sources_of(node))
    changes = True
    while changes:
        changes = False
        for name, graph in graphs.items():
            position = {v: i for i, v in enumerate(graph.inputs)}
            for k, value in enumerate(graph.outputs):
                now = {position[v] for v in _roots(value, joined, found) if v in position}
                changes |= now != found[name][k]
                found[name][k] = now
    return found


def _roots(
    value: Value,
    joined: Mapping[Value, Sequence[Value]],
    given_back: Mapping[str, list[set[int]]],
) -> set[Value]:
    """What arrays a value may be: those that no node defines, and those that are made."""
    pending, seen = [value], {value}
    while pending:
        value = pending.pop()
        node = value.producer
        if isinstance(value, Constant):
            continue
        sources: Sequence[Value] = joined.get(value, ())
        if node is None:
            pass  # of a region, or of a graph
        elif node.op is regions.call:
            given = given_back[node.attrs["callee"]][node.place(value)]
            sources = [node.inputs[i] for i in given]
        elif is_view(value):
            sources = node.inputs[:1]
        pending += [v for v in sources if v not in seen]
        seen.update(sources)
    return seen


def is_view(value: Value) -> bool:
    """Whether the operator that made an array may give its operand's memory."""
    node = value.producer
    return node is not None and node.is_view
