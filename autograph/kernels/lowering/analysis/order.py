"""In which order the nodes of a kernel are gone through.

A change of elements at places that an array of indices gives needs what it adds in memory, and so
has all computed that waits. Of several that do not need each other, as the forces on both ends of
edges, each would have its own pass over what they share. So what does not need such a change comes
before it.
"""

from __future__ import annotations

from dataclasses import replace

import ops
from autograph.graph.graph import Graph, Node, Value
from autograph.kernels.lowering.values import is_array

# How many bytes what is added in all changes may have, which is then in memory at one time.
_MOST_BYTES = 1 << 25


def with_changes_last(graph: Graph) -> Graph:
    """A graph whose nodes come in the order of how many such changes one after the other they need;
    the same graph, if there are loops, branches or effects in it, which stay where they are, or if
    that would take much memory. What may raise need not stay: a kernel gives up then, whatever it
    was to do first.
    """
    is_plain = all(node.op.effect is None and not node.regions for node in graph.nodes)
    added = [node.inputs[1] for node in graph.nodes if _is_change(node)]
    if not is_plain or len(added) < 2 or not all(v.type.is_static for v in added):
        return graph
    if sum(v.type.size * v.type.dtype.itemsize for v in added) > _MOST_BYTES:
        return graph
    needed: dict[Value, int] = {}  # before a value is there
    rank: dict[Node, tuple[int, bool]] = {}
    for node in graph.nodes:
        count, changes = max((needed.get(v, 0) for v in node.uses()), default=0), _is_change(node)
        rank[node] = (count, changes)
        needed.update((v, count + changes) for v in node.outputs)
    return replace(graph, nodes=tuple(sorted(graph.nodes, key=rank.__getitem__)))


def _is_change(node: Node) -> bool:
    return node.op in (ops.index_add, ops.index_update) and any(map(is_array, node.inputs[2:]))
