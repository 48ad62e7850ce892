"""Named graphs that a kernel has Python compute: calls out of it.

A loop in which something is printed now and then is worth a kernel all the same. What is printed
is a named graph of one node, a function of the program, which the kernel calls where it stands.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from autograph.closure import closure
from autograph.graph.graph import Graph, Node, called, walk
from ops.control import regions
from ops.core.types import ArrayType, Type


def is_for_python(node: Node) -> bool:
    """Whether a kernel can have Python do what a node does: show numbers and arrays of known
    axes."""
    shows = node.op.effect == "shows" and not node.outputs
    return shows and all(_is_passed(v.type) for v in node.inputs)


def _is_passed(type: Type) -> bool:
    """Whether a kernel can give values of a type to Python."""
    if not isinstance(type, ArrayType) or not type.is_static:
        return False
    return type.dtype.kind in "biu" or type.dtype.name in ("float32", "float64")


def is_python(graph: Graph) -> bool:
    """Whether Python computes a named graph for kernels."""
    return len(graph.nodes) == 1 and is_for_python(graph.nodes[0]) and not graph.outputs


def python_calls(graph: Graph, graphs: Mapping[str, Graph]) -> dict[str, Graph]:
    """The named graphs that Python computes for a kernel of a graph, by name.

    Args:
        graphs: those that are called.
    """
    names = closure(called(graph), lambda name: called(graphs[name]))
    return {name: graphs[name] for name in names if is_python(graphs[name])}


def calls_of_python(graph: Graph, graphs: Mapping[str, Graph]) -> Iterator[Node]:
    """The nodes of a graph, its regions included, that call such a graph."""
    for node in walk(graph):
        if node.op is regions.call and is_python(graphs[node.attrs["callee"]]):
            yield node
