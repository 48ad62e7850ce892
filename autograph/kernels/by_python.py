"""Named graphs that a kernel has Python compute: calls out of it.

A loop in which something is printed now and then is worth a kernel all the same, and so is one with
an operator that has no native form. Such a node is a named graph by itself, a function of the
program, which the kernel calls where it stands.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from autograph.graph.graph import Graph, Node, callees, walk
from ops.arrays.contraction import matmul
from ops.control import regions
from ops.control.regions import Container, Structured
from ops.core.registry import Elementwise, Op
from ops.core.types import ArrayType, Type
from ops.random.numpy_streams import GivenGenerator, draw
from ops.signal.convolution import grouped_convolution
from ops.signal.sequences import convolve_full

_PRODUCTS = (matmul, grouped_convolution, convolve_full)


def is_for_python(node: Node) -> bool:
    """Whether a kernel can have Python do what a node does: show numbers and arrays, or compute
    some of others. They have known axes, and lengths that are known when the kernel begins."""
    if not is_left_to_python(node.op) or bool(node.outputs) == (node.op.effect == "shows"):
        return False
    return not node.is_view and all(_is_passed(v.type) for v in (*node.inputs, *node.outputs))


def is_left_to_python(op: Op) -> bool:
    """Whether an operator shows something, draws random numbers, or computes results of operands,
    always the same, and has no native form for any operands."""
    if op.effect == "shows" or op is draw:
        return True
    if isinstance(op, Elementwise) and op.kernels:  # most are
        return False
    if isinstance(op, (Structured, Container)) or op.updates or op in _PRODUCTS:
        return False
    if op.effect is not None or op.collective is not None or op.made_once is not None:
        return False
    native = (op.element, op.fold, op.scan, op.ordering, op.expansion, op.inner_loops)
    return all(form is None for form in native)


def _is_passed(type: Type) -> bool:
    """Whether a kernel can give values of a type to Python."""
    if not isinstance(type, ArrayType) or not type.is_static:
        return False
    return type.dtype.kind in "biu" or type.dtype.name in ("float32", "float64")


def call_attrs(name: str) -> dict[str, Any]:
    """The attributes of a call of a named graph that Python computes for kernels."""
    return {"callee": name, "python": True}


def is_python_call(node: Node) -> bool:
    """Whether a node calls such a graph."""
    return node.op is regions.call and "python" in node.attrs


def calls_of_python(graph: Graph) -> list[Node]:
    """The nodes of a graph, its regions included, that call such a graph."""
    return [node for node in walk(graph) if node.op is regions.call and is_python_call(node)]


def python_calls(graph: Graph, graphs: Mapping[str, Graph]) -> dict[str, Graph]:
    """The named graphs that Python computes for a kernel of a graph, by name.

    Args:
        graphs: those that are called.
    """
    parts = (graph, *(graphs[name] for name in callees(graph, graphs)))
    names = (node.attrs["callee"] for part in parts for node in calls_of_python(part))
    return {name: graphs[name] for name in names}


def generators(graphs: Iterable[Graph]) -> list[GivenGenerator]:
    """The generators from outside that named graphs which Python computes draw from, in order of
    their numbers."""
    found = {n.attrs["generator"] for graph in graphs for n in walk(graph) if n.op is draw}
    return sorted(found, key=lambda handle: handle.number)
