"""Which values of a graph depend differentiably on some of its inputs.

Only these have cotangents. The analysis goes through regions, and through loops to a fixed point.
"""

from __future__ import annotations

from collections.abc import Iterable

from autograph.graph.graph import Graph, Node, Value
from ops.registry import Custom, Elementwise, Linear


def active_values(graph: Graph, roots: Iterable[Value]) -> set[Value]:
    """The values, those inside regions included, through which ``roots`` influence the outputs."""
    active = set(roots)
    _propagate(graph, active)
    return active


def _propagate(graph: Graph, active: set[Value]) -> None:
    for node in graph.nodes:
        rule = _STRUCTURED.get(node.op.name, _primitive)
        rule(node, active)


def _primitive(node: Node, active: set[Value]) -> None:
    if any(v in active and _passes(node, i) for i, v in enumerate(node.inputs)):
        active.update(v for v in node.outputs if v.type.inexact)


def _passes(node: Node, position: int) -> bool:
    """Whether the operator has a derivative by its argument at ``position`` that is not zero."""
    op = node.op
    if isinstance(op, Elementwise):
        return op.partials[position] is not None
    if isinstance(op, Linear):
        return callable(op.transposes) or op.transposes[position] is not None
    return isinstance(op, Custom) and op.differentiable


def _cond(node: Node, active: set[Value]) -> None:
    for region in node.regions:
        _propagate(region, active)
        _join(region.outputs, node.outputs, active)


def _loop(node: Node, active: set[Value]) -> None:
    body = node.regions[-1]
    state = body.inputs[len(body.inputs) - len(node.outputs) :]
    init = node.inputs[len(node.inputs) - len(node.outputs) :]
    _join(init, state, active)
    while True:
        _propagate(body, active)
        before = len(active)
        _join(body.outputs, state, active)
        if len(active) == before:
            break
    _join(state, node.outputs, active)


def _call(node: Node, active: set[Value]) -> None:
    if any(v in active for v in node.inputs):
        active.update(v for v in node.outputs if v.type.inexact)


def _join(sources: Iterable[Value], targets: Iterable[Value], active: set[Value]) -> None:
    active.update(t for s, t in zip(sources, targets) if s in active and t.type.inexact)


_STRUCTURED = {"cond": _cond, "while_loop": _loop, "for_loop": _loop, "call": _call}
