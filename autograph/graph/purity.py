"""Which nodes do something besides computing their results, and which may raise.

A node with an *effect* has to run, in order, even if nobody uses what it computes. A node that may
*raise* must not run where the program would not have run it, so it cannot be moved out of a branch
or a loop.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

import numpy as np

from autograph.graph.graph import Constant, Graph, Module, Node, Value, exchanged, walk
from ops.arrays.creation import full
from ops.control import regions
from ops.control.regions import Container
from ops.core.registry import Elementwise
from ops.core.types import ArrayType


def has_own_effect(node: Node, effectful: Collection[str] | None) -> bool:
    """Whether the node itself, its regions aside, has an effect.

    Args:
        node: any node.
        effectful: names of the graphs that have effects; None if unknown, so that any may.
    """
    if node.op is regions.call:
        return effectful is None or node.attrs["callee"] in effectful
    return node.op.effect is not None


def has_effect(graph: Graph, effectful: Collection[str] | None) -> bool:
    """Whether a node of the graph, those of nested regions included, has an effect."""
    return any(has_own_effect(node, effectful) for node in walk(graph))


def effectful_graphs(module: Module) -> set[str]:
    """The names of the module's graphs that have effects, directly or through what they call.

    A node that has to run counts as an effect of its graph.
    """
    found = {name for name, graph in module.graphs.items() if any(n.required for n in walk(graph))}
    while True:
        more = found | {name for name, graph in module.graphs.items() if has_effect(graph, found)}
        if more == found:
            return found
        found = more


def without_required(graph: Graph) -> Graph:
    """A graph that has just been built, but of its nodes, those of regions included, none has to
    run that nobody needs, even if it might raise."""
    if not any(node.required for node in walk(graph)):
        return graph
    nodes = [
        exchanged(node, required=False, regions=tuple(map(without_required, node.regions)))
        for node in graph.nodes
    ]
    return replace(graph, nodes=tuple(nodes))


def is_speculatable(node: Node) -> bool:
    """Whether the node may run where the program would not have run it: it has no effect, does
    not raise and comes to an end, and so do all nodes in its regions."""
    return _is_safe(node) and all(_is_safe(n) for region in node.regions for n in walk(region))


def _is_safe(node: Node) -> bool:
    if node.op.effect or node.op in (regions.call, regions.while_loop):  # it may not end
        return False
    return not (isinstance(node.op, Container) and node.op.opens) and not _may_raise(node)


def _may_raise(node: Node) -> bool:
    types = [v.type for v in node.inputs]
    return node.op.may_raise(types, node.attrs) or _may_overflow(node)


def _may_overflow(node: Node) -> bool:
    """Whether a Python int meets an integer dtype that may not hold it, which NumPy refuses."""
    ints = [v for v in node.inputs if _is_int(v) and v.type.weak]
    dtypes = [v.type.dtype for v in (*node.inputs, *node.outputs) if _is_int(v) and not v.type.weak]
    return any(not _fits(v, np.iinfo(dtype)) for v in ints for dtype in dtypes)


def refuses_an_int(node: Node) -> bool:
    """Whether NumPy may raise at the node, since an operand is a Python int that the dtype of the
    result cannot hold."""
    if not (isinstance(node.op, Elementwise) and isinstance(node.op.ufunc, np.ufunc)):
        return node.op is full and _may_overflow(node)
    (result,) = node.outputs[:1]
    if not _is_int(result) or result.type.weak:
        return False
    info = np.iinfo(result.type.dtype)
    return any(_is_int(v) and v.type.weak and not _fits(v, info) for v in node.inputs)


def _is_int(value: Value) -> bool:
    return isinstance(value.type, ArrayType) and value.type.dtype.kind in "iu"


def _fits(value: Value, info: np.iinfo) -> bool:
    """Whether a Python int, which is an int64 unless it is known, is in a dtype's range."""
    if isinstance(value, Constant):
        return info.min <= value.data <= info.max
    return info.dtype == np.int64
