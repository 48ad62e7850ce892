"""Which rule lowers a node, and the nodes of a graph in order."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import ops
from autograph.graph.graph import Graph, Node, Value
from autograph.kernels.lowering import reasons
from autograph.kernels.lowering.analysis.nodes import (
    is_elementwise,
    is_ordering,
    is_reduction,
    is_scan,
    makes_numbers,
)
from autograph.kernels.lowering.analysis.unknown_lengths import (
    has_unknown,
    is_native,
    takes_part,
)
from autograph.kernels.lowering.arrays import demand, growing, measured
from autograph.kernels.lowering.arrays.changes import buffers_written
from autograph.kernels.lowering.arrays.deferral import defer
from autograph.kernels.lowering.rules import (
    branches,
    calls,
    convolutions,
    effects,
    inner_loops,
    loops,
    orders,
    products,
    residuals,
    scans,
    sequences,
    unknown,
    writes,
)
from autograph.kernels.lowering.state import State
from autograph.kernels.lowering.values import (
    CannotLower,
    GrowingRows,
    Held,
    Measured,
    Memory,
    is_growing,
)
from ops.control import regions
from ops.core.inner_loops import call_inner_loop
from ops.core.registry import Op
from ops.signal.convolution import grouped_convolution
from ops.signal.sequences import convolve_full

Rule = Callable[[State, Node], None]


# Other operators than these are lowered by their kind; see `lower_node`. Modules of rules run when
# they are first needed.
RULES: dict[Op, Rule] = {
    regions.cond: lambda state, node: branches.cond(state, node),
    regions.while_loop: lambda state, node: loops.while_loop(state, node),
    regions.for_loop: lambda state, node: loops.for_loop(state, node),
    regions.call: lambda state, node: calls.call(state, node),
    regions.lanes: lambda state, node: calls.lanes(state, node),
    regions.pack: residuals.pack,
    regions.push: residuals.push,
    regions.pop: residuals.pop,
    regions.add_ct: residuals.add,
    regions.unpack: residuals.unpack,
    regions.unpack_ct: residuals.unpack_cotangent,
    ops.index_update: lambda state, node: writes.write(state, node),
    ops.index_add: lambda state, node: writes.write(state, node),
    ops.matmul: lambda state, node: products.multiply(state, node),
    call_inner_loop: lambda state, node: inner_loops.call(state, node),
    grouped_convolution: lambda state, node: convolutions.convolve(state, node),
    convolve_full: lambda state, node: sequences.convolve(state, node),
    ops.control.effects.check: effects.check,
    ops.control.effects.fail: effects.fail,
}


def lower_region(state: State, graph: Graph, targets: Sequence[Memory | None]) -> list[Held]:
    """Lower the nodes of a graph; see `autograph.kernels.lowering.state.block.LowerRegion`."""
    for value, target in zip(graph.outputs, targets):
        known = state.places.wanted(value) is not None
        if target is not None and not known and value.producer in state.plan.position:
            state.places.want(value, target)
    residuals.reserve_ahead(state, graph)
    for position, node in enumerate(graph.nodes):
        state.progress.position = position
        state.b.place = node.location
        if node not in state.progress.finished:
            lower_node(state, node)
    state.progress.position = len(graph.nodes)
    demand.flush(state)
    results: list[Held] = []
    for value, target in zip(graph.outputs, targets):
        if target is None and is_growing(value) and _waits(state, value):
            results.append(demand.as_measured(state, value))
        elif target is None and is_growing(value):
            results.append(growing.left(state, graph.outputs, value))
        elif target is None:
            results.append(demand.held(state, value))
        else:
            demand.put(state, value, target)
            results.append(target)
    for position, value in enumerate(graph.outputs):  # which may be in memory by now
        if isinstance(results[position], Measured):
            results[position] = demand.as_measured(state, value)
    return results


def _waits(state: State, value: Value) -> bool:
    """Whether an array of unknown lengths is not in memory, and who asked for it takes it so."""
    return state.leaves_measured and not isinstance(state.env.get(value), GrowingRows)


def lower_node(state: State, node: Node) -> None:
    """Let the rule for a node lower it."""
    state.shared.nodes_left -= 1
    if state.shared.nodes_left < 0:
        raise CannotLower(reasons.MANY.of(node.location, most=state.shared.most_nodes))
    if isinstance(node.op, regions.Container):  # it writes to no memory that something may read
        RULES[node.op](state, node)
    elif has_unknown(node) and not node.regions and node.op is not regions.call:
        _lower_unknown(state, node)
    elif takes_part(node) and isinstance(state.env.get(node.inputs[0]), Measured):
        _lower_unknown(state, node)  # of a row that lies where the others do
    elif node.op not in RULES and (is_reduction(node) or is_elementwise(node)):
        defer(state, node)
    else:
        held = state.env.get(node.inputs[0]) if node.op.updates else None
        written = buffers_written(state, node, held) if isinstance(held, Memory) else None
        if not (state.env.unsettled and makes_numbers(node)):
            measured.settle(state, written)  # before something is written
        _keep_read(state, node)
        if node.op in RULES:
            RULES[node.op](state, node)
        elif is_scan(node):
            scans.scan(state, node)
        elif is_ordering(node):
            orders.order(state, node)
        else:
            raise CannotLower(reasons.of_operator(node))


def _keep_read(state: State, node: Node) -> None:
    """See that what a node computes now is not where other nodes still read something else."""
    demand.keep_read(state, set(node.outputs), state.progress.position + 1)


def _lower_unknown(state: State, node: Node) -> None:
    """The same for a node that has to do with lengths known only at run time."""
    if not is_native(node):
        raise CannotLower(reasons.UNKNOWN.of(node.location))
    _keep_read(state, node)
    unknown.lower(state, node)
