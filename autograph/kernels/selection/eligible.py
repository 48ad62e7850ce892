"""Whether a function of one lane can be a part of a native kernel: its control flow becomes loops
and branches on scalars, and its arrays are small enough to lie next to them.

What is asked here is answered before the graph is lowered, by looking at its nodes, since batching
goes another way for what can be a kernel (see `autograph.transforms.lanes.node`). It is no promise:
lowering may still give up.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping, Sequence
from contextvars import ContextVar

import ops
from autograph.errors import Location
from autograph.graph.capabilities import MOST_LANE_ELEMENTS, MOST_PARTING_ELEMENTS
from autograph.graph.graph import Graph, Node, Value, callees
from autograph.graph.wiring import wiring
from autograph.kernels.lowering import reasons
from autograph.kernels.lowering.analysis import orders
from autograph.kernels.lowering.analysis.nodes import PRODUCTS
from autograph.kernels.lowering.reasons import NoKernel
from autograph.kernels.selection import support
from ops.control import regions
from ops.control.regions import Structured
from ops.core.types import ArrayType

# The lanes that have been refused, for whoever watches.
_watched: ContextVar[list[tuple[Graph, NoKernel]] | None] = ContextVar("refused", default=None)


def refusal(graph: Graph, graphs: Mapping[str, Graph]) -> str | None:
    """Why a graph for one lane is no part of a kernel; None if it can be.

    Args:
        graph: a closed graph. Its inputs may be arrays of any length: they are read where they are.
        graphs: those that call themselves, or are not built in, which it may call, by name.
    """
    found = _refused([graph, *(graphs[name] for name in callees(graph, graphs))])
    if found is None:
        return None
    watched = _watched.get()
    if watched is not None:
        watched.append((graph, found))
    return str(found)


@contextlib.contextmanager
def watched() -> Iterator[list[tuple[Graph, NoKernel]]]:
    """The lanes that are refused in this block, each with the reason."""
    found: list[tuple[Graph, NoKernel]] = []
    token = _watched.set(found)
    try:
        yield found
    finally:
        _watched.reset(token)


def _refused(graphs: Sequence[Graph]) -> NoKernel | None:
    """Why graphs that one lane computes together are no part of a kernel; None if they can be."""
    nodes = [node for graph in graphs for node in _nodes(graph)]
    parts = any(node.op in (regions.cond, regions.while_loop) for node in nodes)
    most = MOST_PARTING_ELEMENTS if parts else MOST_LANE_ELEMENTS
    for node in nodes:
        found = _of_node(node, most)
        if found is not None:
            return found
    outputs = (value for graph in graphs for value in graph.outputs)
    return next(filter(None, (_too_large(v, most) for v in outputs)), None)


def _nodes(graph: Graph) -> Iterator[Node]:
    """The nodes of a graph that run, those of regions included."""
    for node in graph.nodes:
        yield node
        for region in wiring(node).runs if _is_replaced(node) else node.regions:
            yield from _nodes(region)


def _is_replaced(node: Node) -> bool:
    """Whether what its region computes stands in the node's place when it runs."""
    return isinstance(node.op, Structured) and not node.op.runs


def _too_large(value: Value, most: int, location: Location | None = None) -> NoKernel | None:
    type = value.type
    if isinstance(type, ArrayType) and type.is_static and type.size > most:
        return reasons.LANE_SIZE.of(location, size=type.size)
    return None


def _is_unknown(value: Value) -> bool:
    return isinstance(value.type, ArrayType) and not value.type.is_static


def _of_node(node: Node, most: int) -> NoKernel | None:
    large = next(filter(None, (_too_large(v, most, node.location) for v in node.outputs)), None)
    if large is not None or _is_replaced(node) or node.op is regions.call:
        return large
    if any(map(_is_unknown, (*node.inputs, *node.outputs))):
        return reasons.UNKNOWN.of(node.location)
    if node.op.ordering is not None and not orders.is_native(node, in_process=False):
        return reasons.of_operator(node)
    small = node.op is ops.matmul and _is_small_product(most, *(v.type for v in node.inputs))
    if node.op.inner_loops is not None or (node.op in PRODUCTS and not small):
        return reasons.LANE_PRODUCT.of(node.location, op=node.op.name)
    return support.refusal(node)


def _is_small_product(most: int, x: ArrayType, y: ArrayType) -> bool:
    """Whether a product of matrices is no work for a library, which takes those of all lanes."""
    columns = y.known_shape[-1] if y.ndim > 1 else 1
    return x.size * columns <= most
