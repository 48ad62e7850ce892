"""Where a result depends on an input through decisions alone: its derivative is zero, and a trap.

What a bisection finds depends on its parameter, but only through comparisons, each of which is
constant almost everywhere. So the program's derivative is zero, which nobody wants.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Collection, Sequence

from autograph.graph.graph import Graph, Node, Value, walk
from autograph.transforms.analysis.activity import moving_values, useful_values
from autograph.transforms.analysis.flow import find_needed
from ops.core.registry import Elementwise


def comparisons_alone(
    graph: Graph,
    roots: Collection[Value],
    outputs: Sequence[Value],
    draws: Callable[[Node], bool],
) -> list[tuple[Value, Node]]:
    """Those of ``roots``, inputs of the graph, on which the outputs depend through comparisons and
    through nothing that has a derivative, each with the first of these comparisons.

    Args:
        draws: tells the nodes that draw integers, which count as comparisons.
    """
    outputs = [v for v in outputs if v.type.inexact]
    smooth = useful_values(graph, outputs)
    rest = [v for v in roots if v not in smooth]
    if not rest or not outputs:
        return []
    needed = find_needed(dataclasses.replace(graph, outputs=tuple(outputs))).nodes
    decides = (node for node in walk(graph) if _is_comparison(node) or draws(node))
    candidates = [node for node in decides if node in needed]
    found = []
    for root in rest:
        moving = moving_values(graph, [root])
        first = next((n for n in candidates if any(v in moving for v in n.inputs)), None)
        if first is not None:
            found.append((root, first))
    return found


def _is_comparison(node: Node) -> bool:
    return isinstance(node.op, Elementwise) and node.outputs[0].type.dtype.kind == "b"
