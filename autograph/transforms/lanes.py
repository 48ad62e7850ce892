"""Which values of a graph differ from lane to lane when some of its inputs do.

The others are computed once for all lanes. The analysis goes through regions, and through loops to
a fixed point. Where lanes take different branches, or leave a loop after different numbers of
trips, all results differ; but a state that is the same in all lanes that are still in the loop,
like the number of the trip, stays one value inside.
"""

from __future__ import annotations

from collections.abc import Iterable

from autograph.graph.graph import Graph, Node, Value


def varying_values(graph: Graph, roots: Iterable[Value], axis_name: object = None) -> set[Value]:
    """The values, those inside regions included, that may differ between lanes.

    Args:
        roots: the inputs, and captured values, that do.
        axis_name: what collective operators call the lanes.
    """
    varying = set(roots)
    _propagate(graph, varying, axis_name)
    return varying


def _propagate(graph: Graph, varying: set[Value], axis_name: object) -> None:
    for node in graph.nodes:
        rule = _RULES.get(node.op.name, _primitive)
        rule(node, varying, axis_name)


def _primitive(node: Node, varying: set[Value], axis_name: object) -> None:
    if any(v in varying for v in node.inputs):
        varying.update(node.outputs)


def _length(node: Node, varying: set[Value], axis_name: object) -> None:
    """Lengths are those of each lane."""


def _all_gather(node: Node, varying: set[Value], axis_name: object) -> None:
    if node.attrs["axis_name"] != axis_name:
        _primitive(node, varying, axis_name)


def _axis_index(node: Node, varying: set[Value], axis_name: object) -> None:
    if node.attrs["axis_name"] == axis_name:
        varying.update(node.outputs)


def _psum_scatter(node: Node, varying: set[Value], axis_name: object) -> None:
    if node.attrs["axis_name"] == axis_name:
        varying.update(node.outputs)
    else:
        _primitive(node, varying, axis_name)


def _cond(node: Node, varying: set[Value], axis_name: object) -> None:
    for region in node.regions:
        _propagate(region, varying, axis_name)
        _join(region.outputs, node.outputs, varying)
    if node.inputs[0] in varying:
        varying.update(node.outputs)


def _loop(node: Node, varying: set[Value], axis_name: object) -> None:
    *tests, body = node.regions
    first = len(node.inputs) - len(node.outputs)
    state = body.inputs[first:]
    _join(node.inputs[first:], state, varying)
    while True:
        _propagate(body, varying, axis_name)
        before = len(varying)
        _join(body.outputs, state, varying)
        if len(varying) == before:
            break
    _join(state, node.outputs, varying)
    for test in tests:
        _join(state, test.inputs, varying)
        _propagate(test, varying, axis_name)
    ends = tests[0].outputs if tests else node.inputs[:first]
    if any(v in varying for v in ends):
        varying.update(node.outputs)


def _call(node: Node, varying: set[Value], axis_name: object) -> None:
    """A callee may be in the making: each of its results may depend on each argument."""
    if any(v in varying for v in node.inputs):
        varying.update(node.outputs)


def _join(sources: Iterable[Value], targets: Iterable[Value], varying: set[Value]) -> None:
    varying.update(t for s, t in zip(sources, targets) if s in varying)


_RULES = {
    "length": _length,
    "all_gather": _all_gather,
    "psum_scatter": _psum_scatter,
    "axis_index": _axis_index,
    "cond": _cond,
    "while_loop": _loop,
    "for_loop": _loop,
    "call": _call,
}
