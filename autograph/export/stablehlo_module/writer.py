"""From a graph to operations: each node by its rule, or by what its operator declares for kernels.

An array is a `HloTerm`. What a loop or branch keeps for its backward pass is a `KeptTerms`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from autograph.export.layouts import NOTHING
from autograph.export.stablehlo_module.kept import KeptTerms
from autograph.export.stablehlo_module.terms import HloTerm, StableHloFormat, known, reduced
from autograph.export.stablehlo_module.text import Text, refuse, static
from autograph.export.writer import ExportRules, GraphWriter
from autograph.graph.graph import Graph, Node
from ops.control import regions
from ops.core import kernels
from ops.core.kernels import Fold
from ops.core.types import ArrayType

RULES = ExportRules()
rule = RULES.enter


class ModuleWriter(GraphWriter):
    """Writes the nodes of graphs; see `GraphWriter`."""

    recursion = (
        "StableHLO has no recursion",
        "write it as a loop, with an array for what is still to do",
    )

    def __init__(self, text: Text, main: Graph, graphs: Mapping[str, Graph]):
        super().__init__(text, StableHloFormat(text), RULES, main, graphs)
        self.text = text

    def nothing(self) -> KeptTerms:
        return KeptTerms(NOTHING)

    def check(self, node: Node) -> None:
        for value in node.outputs:
            if isinstance(value.type, ArrayType) and not static(value.type):
                raise refuse(
                    f"the shape of the result of '{node.op.name}' is known only at run time",
                    self.text.place,
                    "make an array of a known shape, and say in another which elements count",
                )

    def found(self, node: Node, operands: Sequence[Any]) -> Any:
        fold = node.op.fold
        if fold is None or node.op in RULES or node.inputs[0].type.dtype.kind == "c":
            return super().found(node, operands)
        return folded(self, node, operands[0], fold)


rule(regions.call)(ModuleWriter.call)


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
