"""From a graph to operations: each node by its rule, or by what its operator declares for kernels.

An array is a `HloTerm`. What a loop or branch keeps for its backward pass is a `KeptTerms`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from autograph.export.bounds import Bounds
from autograph.export.elements import element_of, has_form
from autograph.export.elementwise import elementwise
from autograph.export.stablehlo_module.kept import NOTHING, KeptTerms
from autograph.export.stablehlo_module.terms import HloTerm, StableHloFormat, known, reduced
from autograph.export.stablehlo_module.text import Text, refuse, static
from autograph.graph.builder import Builder
from autograph.graph.graph import Constant, Graph, Node, Value
from ops.control import regions
from ops.core import kernels
from ops.core.kernels import Fold
from ops.core.registry import Elementwise, Op
from ops.core.types import ArrayType

Rule = Callable[["ModuleWriter", Node, Sequence[Any]], Any]

RULES: dict[Op, Rule] = {}


def rule(*found: Op) -> Callable[[Rule], Rule]:
    """Enter what operators become."""

    def enter(function: Rule) -> Rule:
        RULES.update(dict.fromkeys(found, function))
        return function

    return enter


class ModuleWriter:
    """Writes the nodes of graphs.

    Args:
        graphs: those that are called, by name.
    """

    def __init__(self, text: Text, main: Graph, graphs: Mapping[str, Graph]):
        self.text = text
        self.form = StableHloFormat(text)
        self.graphs = graphs
        self.bounds = Bounds(main)
        self.held: dict[Value, Any] = {}
        self.calls: list[str] = []  # of graphs that are being written

    # -- values ------------------------------------------------------------------------------------

    def get(self, value: Value) -> Any:
        """What stands for a value."""
        if not isinstance(value, Constant):
            return self.held[value]
        if isinstance(value.type, ArrayType):
            return known(self.text, value.data, value.type.dtype)
        if value.data is None:
            return KeptTerms(NOTHING)
        raise refuse("what a forward pass has left is part of the function", self.text.place)

    # -- nodes -------------------------------------------------------------------------------------

    def write(self, graph: Graph) -> list[Any]:
        """The nodes of a graph or region, whose inputs are known; what its outputs are."""
        around = self.text.place
        for node in graph.nodes:
            self.text.place = node.location or around
            self._node(node)
        self.text.place = around
        return [self.get(v) for v in graph.outputs]

    def _node(self, node: Node) -> None:
        for value in node.outputs:
            if isinstance(value.type, ArrayType) and not static(value.type):
                raise refuse(
                    f"only the run knows the shape of the result of '{node.op.name}'",
                    self.text.place,
                    "make an array of a known shape, and say in another which elements count",
                )
        operands = [self.get(v) for v in node.inputs]
        found = self._found(node, operands)
        results = found if isinstance(found, (list, tuple)) else [found]
        if len(results) != len(node.outputs):
            raise AssertionError(f"{node.op.name} has {len(node.outputs)} results")
        for value, result in zip(node.outputs, results):
            self.held[value] = result

    def _found(self, node: Node, operands: Sequence[Any]) -> Any:
        op = node.op
        if op in RULES:
            return RULES[op](self, node, operands)
        if isinstance(op, Elementwise):
            return elementwise(self.form, self.bounds, node, operands)
        if op.fold is not None and node.inputs[0].type.dtype.kind != "c":
            return folded(self, node, operands[0], op.fold)
        if has_form(node):
            return element_of(self.form, node, operands)
        if op.expansion is not None:
            return self._expanded(node)
        raise self.refused(node)

    def refused(self, node: Node) -> Exception:
        """What has no form in StableHLO."""
        shown = ", ".join(str(v.type) for v in node.inputs)
        what = f"the operator '{node.op.name}'" + (f" of {shown}" if shown else "")
        return self.form.refuse(f"there is no form in StableHLO of {what}")

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


def _least(x: Any, y: Any) -> Any:
    """The smaller of two; NaN if one is."""
    return kernels.select((x < y) | (x != x), x, y)


def _largest(x: Any, y: Any) -> Any:
    return kernels.select((x > y) | (x != x), x, y)


COMBINED: dict[str, Callable[[Any, Any], Any]] = {
    "+": lambda x, y: x | y if x.dtype == bool else x + y,
    "*": lambda x, y: x & y if x.dtype == bool else x * y,
    "&": lambda x, y: x & y,
    "|": lambda x, y: x | y,
    "min": _least,
    "max": _largest,
}


def folded(writer: ModuleWriter, node: Node, x: HloTerm, fold: Fold) -> HloTerm:
    """What a reduction becomes."""
    type, result = node.inputs[0].type, node.outputs[0].type
    axes = fold.axes(type, node.attrs)
    before = fold.before(x, result.dtype)
    before = before if isinstance(before, HloTerm) else known(writer.text, before, result.dtype)
    before = before.expanded(x.shape)
    if not axes:
        return before.reshaped(result.known_shape)
    start = np.asarray(fold.start(result.dtype)).astype(result.dtype)
    found = reduced(before, COMBINED[fold.combine], start, axes)
    return found.reshaped(result.known_shape)


@rule(regions.call)
def _call(writer: ModuleWriter, node: Node, operands: Sequence[Any]) -> list[Any]:
    callee = node.attrs["callee"]
    if callee in writer.calls:
        raise refuse(
            f"'{callee}' calls itself, and StableHLO has no recursion",
            node.location,
            "write it as a loop, with an array for what is still to do",
        )
    writer.calls.append(callee)
    place = writer.text.place
    graph = writer.graphs[callee]
    writer.bounds._enter(graph)
    found = writer.written(graph, operands)
    writer.text.place = place
    writer.calls.pop()
    return found
