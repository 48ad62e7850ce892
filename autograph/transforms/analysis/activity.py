"""Which values of a graph depend differentiably on some of its inputs, and which outputs on them.

Only values that do both have cotangents. The analyses go through regions, and through loops to a
fixed point.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from autograph.graph.graph import Graph, Node, Value, walk
from autograph.graph.wiring import sources_of, spread, wiring
from ops.control import regions
from ops.control.regions import Structured
from ops.core.registry import Custom, Elementwise, Linear


def active_values(
    graph: Graph, roots: Iterable[Value], stops: Collection[Value] = ()
) -> set[Value]:
    """The values, those inside regions included, through which ``roots`` influence the outputs.

    Args:
        stops: results of operators that count as constants.
    """
    active = set(roots)
    _propagate(graph, active, stops)
    return active


def moving_values(
    graph: Graph, roots: Iterable[Value], stops: Collection[Value] = ()
) -> set[Value]:
    """`active_values`, and those of the tests of loops, from which nothing is differentiated."""
    moving = active_values(graph, roots, stops)
    for node in walk(graph):
        wires = wiring(node)
        state = [
            v for variable in wires.carried if variable.entered in moving for v in variable.tested
        ]
        for test in wires.tests:
            seeds = [*state, *(v for v in test.captures if v in moving)]
            moving |= active_values(test, seeds, stops)
    return moving


def useful_values(graph: Graph, outputs: Iterable[Value] | None = None) -> set[Value]:
    """The values, those inside regions included, that influence some of the graph's outputs, by
    default any, differentiably."""
    origins: dict[Value, tuple[Value, ...]] = {}
    for inner in walk(graph):
        origins.update(sources_of(inner))
        # What a loop gives is what its state is.
        origins.update((v.result, (v.entered,)) for v in wiring(inner).carried)
    useful: set[Value] = set()
    pending = list(graph.outputs if outputs is None else outputs)
    while pending:
        value = pending.pop()
        if value in useful or not value.type.inexact:
            continue
        useful.add(value)
        node = value.producer
        if node is not None and _is_opaque(node):
            pending.extend(node.uses())
        elif value in origins:
            pending.extend(origins[value])
        elif node is not None:
            pending.extend(v for i, v in enumerate(node.inputs) if passes(node, i))
    return useful


def _propagate(graph: Graph, active: set[Value], stops: Collection[Value]) -> None:
    for node in graph.nodes:
        if node.op is regions.call:
            _call(node, active)
        elif _is_opaque(node):
            _opaque(node, active)
        elif node.regions:
            spread(node, active, lambda region: _propagate(region, active, stops), _may_be_active)
        else:
            _primitive(node, active, stops)


def _is_opaque(node: Node) -> bool:
    return isinstance(node.op, Structured) and node.op.opaque


def _may_be_active(value: Value) -> bool:
    return value.type.inexact


def _primitive(node: Node, active: set[Value], stops: Collection[Value]) -> None:
    if any(v in active and passes(node, i) for i, v in enumerate(node.inputs)):
        active.update(v for v in node.outputs if v.type.inexact and v not in stops)


def passes(node: Node, position: int) -> bool:
    """Whether the operator has a derivative by its argument at ``position`` that is not zero."""
    op = node.op
    if isinstance(op, Elementwise):
        return op.partials[position] is not None
    if isinstance(op, Linear):
        if callable(op.transposes):
            return True
        # The operands of an index have none.
        return position < len(op.transposes) and op.transposes[position] is not None
    return isinstance(op, Custom) and op.differentiable


def _call(node: Node, active: set[Value]) -> None:
    if any(v in active for v in node.inputs):
        active.update(v for v in node.outputs if v.type.inexact)


def _opaque(node: Node, active: set[Value]) -> None:
    """A result may depend on a value from outside: there is no rule for that, which is refused."""
    if any(v in active for v in node.inputs) or any(closed_over(node, active)):
        active.update(v for v in node.outputs if v.type.inexact)


def closed_over(node: Node, active: Collection[Value]) -> Iterator[tuple[Graph, Value]]:
    """The active values from outside that the result of a custom derivative depends on, with the
    region through which it does: the function, or the rule that takes its place. To a linear call
    they are constants."""
    if node.op is regions.linear_call:
        return
    leaves = {inside for inside, _ in wiring(node).leaves}
    for region in node.regions:
        results = [v for v in region.outputs if v in leaves]
        for value in region.captures:
            if value in active and not active_values(region, [value]).isdisjoint(results):
                yield region, value
