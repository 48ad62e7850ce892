"""Which values of a graph differ from lane to lane when some of its inputs do.

The others are computed once for all lanes. The analysis goes through regions, and through loops to
a fixed point. Where lanes take different branches, or leave a loop after different numbers of
trips, all results differ; but a state that is the same in all lanes that are still in the loop,
like the number of the trip, stays one value inside.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from autograph.graph.builder import current_builder
from autograph.graph.graph import Graph, Node, Value, walk
from autograph.graph.wiring import (
    CustomJVP,
    custom_jvp_of,
    custom_vjp_of,
    linear_call_of,
    spread,
    wiring,
)
from ops.control import regions
from ops.control.callbacks import io_callback
from ops.core.lengths import length
from ops.core.registry import Op
from ops.core.types import ArrayType, Type


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
        rule = _RULES.get(node.op) or _rule_for(node)
        rule(node, varying, axis_name)


def _rule_for(node: Node) -> Callable:
    if node.regions:
        return _with_regions
    return _collective if node.op.collective else _primitive


def _primitive(node: Node, varying: set[Value], axis_name: object) -> None:
    if any(v in varying for v in node.inputs):
        varying.update(node.outputs)


def _each_lane(node: Node, varying: set[Value], axis_name: object) -> None:
    """What has effects is done for each lane, and may give something else each time."""
    varying.update(node.outputs)


def _length(node: Node, varying: set[Value], axis_name: object) -> None:
    """Lengths are those of each lane."""


def is_count(type: Type) -> bool:
    """Whether it is the type of Python's ints. Those in packs, numbers of trips and lengths, are
    the same in all lanes: what a pack holds cannot be seen where it is taken apart."""
    return isinstance(type, ArrayType) and type.weak and type.dtype.kind == "i"


def _unpack(node: Node, varying: set[Value], axis_name: object) -> None:
    if node.inputs[0] in varying:
        varying.update(v for v in node.outputs if not is_count(v.type))


def _collective(node: Node, varying: set[Value], axis_name: object) -> None:
    if node.attrs["axis_name"] != axis_name:
        _primitive(node, varying, axis_name)
    elif node.op.collective == "each":
        varying.update(node.outputs)


def _with_regions(node: Node, varying: set[Value], axis_name: object) -> None:
    wires = wiring(node)

    def within(region: Graph) -> None:
        _propagate(region, varying, axis_name)

    spread(node, varying, within)
    for variable in wires.carried:
        _join([variable.entered] * len(variable.tested), variable.tested, varying)
    for test in wires.tests:
        within(test)
    if any(v in varying for v in wires.decides):  # lanes go different ways
        varying.update(node.outputs)


def _call(node: Node, varying: set[Value], axis_name: object) -> None:
    """A callee may be in the making: each of its results may depend on each argument."""
    if any(v in varying for v in node.inputs) or does_more(node.attrs["callee"]):
        varying.update(node.outputs)


def does_more(name: str) -> bool:
    """Whether a named graph, or one that it calls, does for each lane more than to compute and to
    raise: it prints, calls back, draws, or lanes meet in it."""
    graphs = current_builder().graphs
    pending, seen = [name], set()
    while pending:
        name = pending.pop()
        if name in seen or name not in graphs:
            continue
        seen.add(name)
        for node in walk(graphs[name]):
            if node.op.effect not in (None, "raises") or node.op.collective is not None:
                return True
            if node.op is regions.call:
                pending.append(node.attrs["callee"])
    return False


def _custom_vjp(node: Node, varying: set[Value], axis_name: object) -> None:
    custom = custom_vjp_of(node)
    _custom(node, custom.primal, custom.forward, custom.results, varying, axis_name)
    _join(custom.residuals, custom.taken, varying)
    if any(v in varying for v in node.outputs):
        varying.update(custom.seeds)
    _propagate(custom.backward, varying, axis_name)
    if custom.by_tangents is not None:
        _by_tangents(node, custom.by_tangents, varying, axis_name)


def _custom_jvp(node: Node, varying: set[Value], axis_name: object) -> None:
    custom = custom_jvp_of(node)
    _by_tangents(node, custom, varying, axis_name)


def _linear_call(node: Node, varying: set[Value], axis_name: object) -> None:
    """If something does that is given to it or captured, its results do, and those of the
    transpose."""
    function, transpose = linear_call_of(node)
    if any(v in varying for v in (*node.inputs, *function.captures, *transpose.captures)):
        varying.update((*node.outputs, *transpose.inputs))
    _join(node.inputs, function.inputs, varying)
    for region in (function, transpose):
        _propagate(region, varying, axis_name)


def _by_tangents(node: Node, custom: CustomJVP, varying: set[Value], axis_name: object) -> None:
    _join([v for v in node.inputs if v.type.inexact], custom.tangents, varying)
    results = custom.rule.outputs
    _custom(node, custom.primal, custom.rule, results, varying, axis_name)


def _custom(
    node: Node,
    primal: Graph,
    rule: Graph,
    results: Sequence[Value],
    varying: set[Value],
    axis_name: object,
) -> None:
    """If one of the results varies, by whichever region, all do; what a region computes of values
    that are the same in all lanes is still computed once."""
    for region in (primal, rule):
        _join(node.inputs, region.inputs, varying)
        _propagate(region, varying, axis_name)
    if any(v in varying for v in (*primal.outputs, *results)):
        varying.update(node.outputs)


def _join(sources: Iterable[Value], targets: Iterable[Value], varying: set[Value]) -> None:
    varying.update(t for s, t in zip(sources, targets) if s in varying)


_RULES: dict[Op, Callable] = {
    length: _length,
    regions.unpack: _unpack,
    regions.call: _call,
    regions.lanes: _primitive,
    regions.custom_vjp: _custom_vjp,
    regions.custom_jvp: _custom_jvp,
    regions.linear_call: _linear_call,
    io_callback: _each_lane,
}
