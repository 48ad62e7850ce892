"""From a graph to the nodes of a model: each node by its rule.

An array is a `Tensor`. What a loop or branch keeps for its backward pass is `KeptArrays`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from autograph.export.layouts import NOTHING
from autograph.export.onnx_model.nodes import Nodes
from autograph.export.onnx_model.records import KeptArrays
from autograph.export.onnx_model.terms import OnnxFormat, Tensor
from autograph.export.writer import ExportRules, GraphWriter
from autograph.graph.graph import Constant, Graph, Node, Value, walk
from ops.control import effects, regions
from ops.core.registry import Op
from ops.core.types import ArrayType, UnknownLengthError

RULES = ExportRules()
rule = RULES.enter


class ModelWriter(GraphWriter):
    """Writes the nodes of graphs; see `GraphWriter`."""

    instead: ClassVar[Mapping[Op, str]] = {
        effects.print_: "leave it out, or return what is printed",
        effects.warn_: "leave it out, or return what it is about",
        effects.log_: "leave it out, or return what it is about",
    }
    recursion = (
        "a model of ONNX has no recursion",
        "write it as a loop, with a list for what is still to do",
    )

    def __init__(self, nodes: Nodes, main: Graph, graphs: Mapping[str, Graph]):
        super().__init__(nodes, OnnxFormat(nodes), RULES, main, graphs)
        self.nodes = nodes
        self._users: dict[Value, list[Node]] = {}
        for graph in (main, *graphs.values()):
            for node in walk(graph):
                for value in node.inputs:
                    self._users.setdefault(value, []).append(node)

    def constant(self, value: Constant) -> Any:
        if not value.is_array:
            return super().constant(value)
        data = np.asarray(value.data)
        name = self.nodes.constant(data, value.type.dtype, value.name)
        return Tensor(self.nodes, name, value.type.dtype, data if data.size < 64 else None)

    def nothing(self) -> KeptArrays:
        return KeptArrays(NOTHING, ())

    def array(self, value: Value) -> Tensor:
        """What stands for an array."""
        found = self.get(value)
        assert isinstance(found, Tensor)
        return found

    def users(self, value: Value) -> Sequence[Node]:
        """The nodes that take a value."""
        return self._users.get(value, ())

    def set(self, value: Value, found: Any) -> None:
        """What stands for a value from now on; it bears the name of the user's variable."""
        if isinstance(found, Tensor) and found._name is not None and value.name:
            found._name = self.nodes.renamed(found._name, value.name)
        super().set(value, found)

    def check(self, node: Node) -> None:
        for value in (*node.inputs, *node.outputs):
            if isinstance(value.type, ArrayType):
                self.nodes.element_type(value.type.dtype)

    def found(self, node: Node, operands: Sequence[Any]) -> Any:
        try:
            return super().found(node, operands)
        except UnknownLengthError:
            raise self.refused(node) from None


rule(regions.call)(ModelWriter.call)
