"""From a graph to the nodes of a model: each node by its rule.

An array is a `Tensor`. What a loop or branch keeps for its backward pass is `KeptArrays`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np

from autograph.export.bounds import Bounds
from autograph.export.elements import element_of, has_form
from autograph.export.elementwise import elementwise
from autograph.export.onnx_model.nodes import Nodes
from autograph.export.onnx_model.records import NOTHING, KeptArrays
from autograph.export.onnx_model.refusals import refuse
from autograph.export.onnx_model.terms import OnnxFormat, Tensor, known
from autograph.graph.builder import Builder
from autograph.graph.graph import Constant, Graph, Node, Value, walk
from ops.control import effects, regions
from ops.core.registry import Elementwise, Op
from ops.core.types import ArrayType, UnknownLengthError

Held: TypeAlias = Tensor | KeptArrays

Rule = Callable[["ModelWriter", Node, Sequence[Any]], Any]

RULES: dict[Op, Rule] = {}

_INSTEAD: dict[Op, str] = {
    effects.print_: "leave it out, or return what is printed",
    effects.warn_: "leave it out, or return what it is about",
    effects.log_: "leave it out, or return what it is about",
}


def rule(*found: Op) -> Callable[[Rule], Rule]:
    """Enter what operators become."""

    def enter(function: Rule) -> Rule:
        RULES.update(dict.fromkeys(found, function))
        return function

    return enter


class ModelWriter:
    """Writes the nodes of graphs.

    Args:
        graphs: those that are called, by name.
    """

    def __init__(self, nodes: Nodes, main: Graph, graphs: Mapping[str, Graph]):
        self.nodes = nodes
        self.form = OnnxFormat(nodes)
        self.graphs = graphs
        self.bounds = Bounds(main)
        self.held: dict[Value, Held] = {}
        self.calls: list[str] = []  # of graphs that are being written
        self._users: dict[Value, list[Node]] = {}
        for graph in (main, *graphs.values()):
            for node in walk(graph):
                for value in node.inputs:
                    self._users.setdefault(value, []).append(node)

    # -- values ------------------------------------------------------------------------------------

    def get(self, value: Value) -> Any:
        """What stands for a value."""
        if not isinstance(value, Constant):
            return self.held[value]
        if isinstance(value.type, ArrayType):
            if value.is_array:
                data = np.asarray(value.data)
                name = self.nodes.constant(data, value.type.dtype, value.name)
                return Tensor(self.nodes, name, value.type.dtype, data if data.size < 64 else None)
            return known(self.nodes, value.data, value.type.dtype)
        if value.data is None:
            return KeptArrays(NOTHING, ())
        raise refuse("what a forward pass has left is part of the function", self.nodes.place)

    def array(self, value: Value) -> Tensor:
        found = self.get(value)
        assert isinstance(found, Tensor)
        return found

    def users(self, value: Value) -> Sequence[Node]:
        """The nodes that take a value."""
        return self._users.get(value, ())

    def set(self, value: Value, found: Held) -> None:
        """What stands for a value from now on; it bears the name of the user's variable."""
        if isinstance(found, Tensor) and found._name is not None and value.name:
            found._name = self.nodes.renamed(found._name, value.name)
        self.held[value] = found

    # -- nodes -------------------------------------------------------------------------------------

    def write(self, graph: Graph) -> list[Any]:
        """The nodes of a graph or region, whose inputs are known; what its outputs are."""
        around = self.nodes.place
        for node in graph.nodes:
            self.nodes.place = node.location or around
            self._node(node)
        self.nodes.place = around
        return [self.get(v) for v in graph.outputs]

    def _node(self, node: Node) -> None:
        for value in (*node.inputs, *node.outputs):
            if isinstance(value.type, ArrayType):
                self.nodes.element_type(value.type.dtype)
        operands = [self.get(v) for v in node.inputs]
        try:
            found = self._found(node, operands)
        except UnknownLengthError:
            raise self.refused(node) from None
        results = found if isinstance(found, (list, tuple)) else [found]
        if len(results) != len(node.outputs):
            raise AssertionError(f"{node.op.name} has {len(node.outputs)} results")
        for value, result in zip(node.outputs, results):
            self.set(value, result)

    def _found(self, node: Node, operands: Sequence[Any]) -> Any:
        if node.op in RULES:
            return RULES[node.op](self, node, operands)
        if isinstance(node.op, Elementwise):
            return elementwise(self.form, self.bounds, node, operands)
        if has_form(node):
            return element_of(self.form, node, operands)
        if node.op.expansion is not None:
            return self._expanded(node)
        raise self.refused(node)

    def refused(self, node: Node) -> Exception:
        """What has no form in ONNX."""
        shown = ", ".join(str(v.type) for v in node.inputs)
        what = f"the operator '{node.op.name}'" + (f" of {shown}" if shown else "")
        fix = _INSTEAD.get(node.op)
        message = f"there is no form in ONNX of {what}"
        place = self.nodes.place
        return refuse(message, place, fix) if fix else refuse(message, place)

    def _expanded(self, node: Node) -> list[Any]:
        """By the operators that kernels have for it."""
        with Builder(node.op.name) as builder, builder.at(node.location):
            inputs = [builder.input(v.type, v.name) for v in node.inputs]
            assert node.op.expansion is not None
            found = node.op.expansion(*inputs, **node.attrs)
            graph = builder.finish(found if isinstance(found, tuple) else [found])
        return self.written(graph, [self.get(v) for v in node.inputs])

    def written(self, graph: Graph, operands: Iterable[Any]) -> list[Any]:
        """A graph in this place, given what its inputs are."""
        self.held.update(zip(graph.inputs, operands))
        return self.write(graph)


@rule(regions.call)
def _call(writer: ModelWriter, node: Node, operands: Sequence[Any]) -> list[Any]:
    callee = node.attrs["callee"]
    if callee in writer.calls:
        raise refuse(
            f"'{callee}' calls itself, and a model of ONNX has no recursion",
            node.location,
            fix="write it as a loop, with a list for what is still to do",
        )
    writer.calls.append(callee)
    place = writer.nodes.place
    graph = writer.graphs[callee]
    writer.bounds._enter(graph)
    found = writer.written(graph, operands)
    writer.nodes.place = place
    writer.calls.pop()
    return found
