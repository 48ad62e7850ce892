"""Which of what was recorded in calls is worth a named graph, and may be one: what is much to
compile, and little to compute, and does nothing else."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from autograph.closure import closure
from autograph.graph.builder import current_builder
from autograph.graph.graph import Constant, Node, called, walk, walk_nodes
from autograph.graph.wiring import is_loop
from autograph.staging.calls.recursion import Recursion
from autograph.staging.ground.recorder import recorder
from ops.control.regions import call as named_call
from ops.control.regions import for_loop
from ops.core.symbolic_lengths import example_of
from ops.core.types import ArrayType

LARGE = 24  # nodes that are worth a name
_MUCH = 20_000  # elements that are computed, from which on the time to compile matters less
_OF_A_LOOP = 100  # trips, where only the run knows how many


def is_large(nodes: Sequence[Node]) -> bool:
    """Whether nodes take long to compile and not long to compute."""
    return sum(1 for _ in walk_nodes(nodes)) >= LARGE and _elements(nodes) <= _MUCH


def _elements(nodes: Iterable[Node]) -> float:
    """About how many elements are computed."""
    total = 0.0
    for node in nodes:
        most = 1
        for v in (*node.inputs, *node.outputs):
            if isinstance(v.type, ArrayType) and v.type.shape:
                most = max(most, example_of(v.type.size) if v.type.is_static else _MUCH)
        total += most
        trips = 1.0
        if is_loop(node):
            trips = _OF_A_LOOP
            if node.op is for_loop and isinstance(node.inputs[0], Constant):
                trips = float(node.inputs[0].data)
        total += trips * sum(_elements(region.nodes) for region in node.regions)
    return total


def calls_settled(nodes: Sequence[Node], may_show: bool = False) -> bool:
    """Whether the named graphs that nodes call, and those that they call, stay what they are and do
    nothing but compute their results. Those that transforms have made do stay; a recursive function
    may be recorded again, as long as one is being recorded.

    Args:
        may_show: whether they may print, too.
    """
    names = [node.attrs["callee"] for node in walk_nodes(nodes) if node.op is named_call]
    graphs = current_builder().graphs
    recursion = recorder().state(Recursion)
    recorded = {id(named.graph) for named in recursion.every if recursion.recording}
    for name in closure(names, lambda name: called(graphs.get(name))):
        graph = graphs.get(name)
        if graph is None or graph.captures or id(graph) in recorded:
            return False
        if any(has_effect(node, may_show) for node in walk(graph)):
            return False
    return True


def has_effect(node: Node, may_show: bool = False) -> bool:
    """Whether a node, what it calls aside, does more than to compute its results or to raise, or
    whether it depends on where it stands, as lanes do that meet.

    Args:
        may_show: whether it may print, too.
    """
    if node.op is named_call:
        return False
    return node.op.collective is not None or node.op.effect not in (
        (None, "raises", "shows") if may_show else (None, "raises")
    )
