"""Which inputs of a graph its results may be themselves, for kernels, which make their results."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import ops
from autograph.closure import closure
from autograph.graph.graph import Graph, Node, Value
from autograph.graph.wiring import is_loop, loop_of, sources_of
from ops.control import regions
from ops.core.types import ArrayType


def given_as_results(graph: Graph, *, calls: bool) -> set[Value]:
    """The inputs of a graph that its results without axes may be themselves: where one is an array
    without axes, so is the result, which a kernel does not give.

    Args:
        calls: whether the kernel calls Python, which any input may be given to.
    """
    if calls:
        return set(filter(_is_scalar, graph.inputs))

    def unchanged(node: Node) -> Iterable[Value]:
        passes = node.op is ops.cast or node.op is regions.call
        return filter(_is_scalar, node.inputs) if passes else ()

    may_be = _may_be(unchanged)
    return closure(filter(_is_scalar, graph.outputs), may_be) & set(graph.inputs)


def may_be_argument(graph: Graph, output: Value) -> bool:
    """Whether a result whose number of rows only the run knows may be an array of known shape that
    the graph is given: on a path where nothing is done with it."""

    found = closure([output], _may_be(lambda node: node.inputs if node.op is ops.refine else ()))
    given = (v for v in graph.inputs if isinstance(v.type, ArrayType) and v.type.is_static)
    return any(v in found for v in given)


def _may_be(unchanged: Callable[[Node], Iterable[Value]]) -> Callable[[Value], Iterable[Value]]:
    """What gives the values that one may itself be, by branches, loops, and other nodes.

    Args:
        unchanged: gives the operands that the result of another node may be.
    """

    def may_be(value: Value) -> Iterable[Value]:
        node = value.producer
        if node is None:
            return ()
        if node.op is regions.cond:
            return sources_of(node)[value]
        if is_loop(node):
            loop = loop_of(node)
            return [v for v in (*loop.body.outputs, *loop.start) if v.type == value.type]
        return unchanged(node)

    return may_be


def _is_scalar(value: Value) -> bool:
    """Whether a value is an array without axes, or a scalar of NumPy's."""
    type = value.type
    return isinstance(type, ArrayType) and type.shape == () and not type.weak
