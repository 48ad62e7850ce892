"""Functions of one lane, kept as they are: the nodes `ops.control.regions.lanes`.

Batching a loop that each lane leaves when it is done means to gather the lanes that are still in
it, again and again. A native kernel does better: each lane is an element, or a SIMD lane under a
mask, or a thread of a GPU, and runs the loop by itself, with its state in registers. For that the
graph of one lane has to last until code is generated::

    y = lanes(x, a, sizes=(1000,), axes=((0,), ()))
        lane(x, a)            the function
        batched(x, a)         the same for all lanes at once, by batching; see `settled`

The life of such a node:

    recording             `vmap` adds it, if it is worth it: `autograph.transforms.lanes.recording`
    transforms            vjp and jvp: `autograph.transforms.lanes.derivatives`. vmap: lanes of
                          lanes are more lanes
    `settled`             once all transforms are through, it gets its second region
    `expanded`            it becomes what is in its second region, where there are no kernels

Whether there is such a node is asked first, in `autograph.transforms.lanes.presence`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress

import ops
from autograph.graph.builder import Builder, copy_node, current_builder, inline
from autograph.graph.capabilities import Capabilities
from autograph.graph.graph import Graph, Module, Node, Value, label, walk
from autograph.graph.rewrite import Env, rewrite
from autograph.graph.wiring import lanes_of
from autograph.log import log
from autograph.transforms.analysis.divergence import varying_values
from autograph.transforms.analysis.flow import find_origins, is_fresh, memory_of
from autograph.transforms.batching.batched import at_once, batched, quietly
from autograph.transforms.batching.engine import Batch, CannotBatch, fit, strong
from autograph.transforms.batching.outlining import outlined
from autograph.transforms.lanes.bodies import body_of
from autograph.transforms.simplify.simplify import simplify
from ops.control import regions
from ops.core.lengths import lengths_of
from ops.core.types import ArrayType

Rule = Callable[[Node, Env], Sequence[Value]]  # what is in the place of such a node


def with_lanes(type: ArrayType, sizes: Sequence[int]) -> ArrayType:
    """The type of the results of a node whose lanes have results of a type."""
    return type._replace(shape=(*sizes, *type.shape), weak=False)


def add(
    lane: Graph,
    operands: Sequence[Value],
    axes: Sequence[tuple[int, ...]],
    sizes: tuple[int, ...],
) -> tuple[Value, ...]:
    """Add a node for a closed graph to the current builder."""
    attrs = {"sizes": sizes, "axes": tuple(axes)}
    types = [with_lanes(v.type, sizes) for v in lane.outputs]
    names = [v.name for v in lane.outputs]
    return current_builder().add(regions.lanes, operands, attrs, types, [lane], names)


# -- batching once more ----------------------------------------------------------------------------


def batch_node(batch: Batch, node: Node) -> None:
    """Lanes of lanes: the lanes outside are one more axis of lanes."""
    if not isinstance(batch.size, int) or batch.size == 0:
        _batch_expanded(batch, node)
        return
    if not any(v in batch.varying for v in node.inputs):
        copy_node(current_builder(), node, batch.env)
        return
    moving = [v in batch.varying for v in node.inputs]
    axes = [
        (*[0] * moves, *(axis + 1 for axis in own))
        for moves, own in zip(moving, node.attrs["axes"])
    ]
    operands = [batch.read(v) for v in node.inputs]
    # A number that now differs is no longer one of Python's outside, but still is in each lane.
    lane = without_numbers(lanes_of(node).lane, moving)
    results = add(lane, operands, axes, (batch.size, *node.attrs["sizes"]))
    for value, result in zip(node.outputs, results):
        batch.define(value, result)


def without_numbers(lane: Graph, flags: Sequence[bool]) -> Graph:
    """The graph with arrays for those of Python's numbers among its inputs that have flags, as an
    operand that differs from lane to lane is an array. Inside they still are Python's numbers."""
    if not any(flag and v.type.weak for v, flag in zip(lane.inputs, flags)):
        return lane
    with Builder(lane.name) as builder:
        args = []
        for value, flag in zip(lane.inputs, flags):
            type = value.type
            if flag and type.weak:
                number = builder.input(type.strong(), value.name)
                args.append(ops.cast(number, dtype=type.dtype.name, weak=True))
            else:
                args.append(builder.input(type, value.name))
        return builder.finish(inline(lane, args), lane.location)


def _batch_expanded(batch: Batch, node: Node) -> None:
    graph = expansion(node, nested=True)
    roots = [v for v, operand in zip(graph.inputs, node.inputs) if operand in batch.varying]
    varying = varying_values(graph, roots)
    batch.varying.update(varying)
    batch.env.update((v, batch.read(operand)) for v, operand in zip(graph.inputs, node.inputs))
    batch.run(graph)
    for value, output in zip(node.outputs, graph.outputs):
        copy = batch.read(output)
        if value in batch.varying and output not in varying:
            copy = batch.spread(copy)
        batch.define(value, copy)


# -- the way back ----------------------------------------------------------------------------------


def expansion(node: Node, nested: bool = False, how: Callable = batched) -> Graph:
    """What a node computes as operators on all lanes: a closed graph with the node's operands as
    inputs and its results as outputs, in memory of their own. Graphs that it calls are added to
    the module.

    Args:
        nested: whether this is batched again.
        how: a function of `autograph.transforms.batching.batched`.
    """
    lane, batched_already = lanes_of(node)
    if batched_already is not None:
        return batched_already
    sizes = node.attrs["sizes"]
    with Builder(lane.name) as builder, builder.at(node.location):
        inputs = [builder.input(v.type, v.name) for v in node.inputs]
        if not sizes:  # one lane
            values = inline(outlined(lane) if nested else lane, inputs)
            outputs = [fit(v, result.type) for v, result in zip(values, node.outputs)]
            graph = builder.finish(outputs)
            return builder.finish(_own(graph), lane.location)
        args = [_on_one_axis(v, axes, sizes) for v, axes in zip(inputs, node.attrs["axes"])]
        flags = [bool(axes) for axes in node.attrs["axes"]]
        graph = outlined(lane) if nested else lane
        values, have_lanes = how(graph, args, flags, math.prod(sizes), None, nested)
        outputs = []
        for value, has_lanes, result in zip(values, have_lanes, node.outputs):
            if not has_lanes:
                value = strong(value, value.type.dtype) if value.type.weak else value
                value = ops.broadcast_to(value, (*sizes, *lengths_of(value)))
            elif len(sizes) > 1:
                value = ops.reshape(value, result.type.shape)
            outputs.append(fit(value, result.type))
        graph = builder.finish(outputs)
        return builder.finish(_own(graph), lane.location)


def _on_one_axis(value: Value, axes: Sequence[int], sizes: Sequence[int]) -> Value:
    """An operand with all lanes on its first axis, if it has any."""
    if not axes or len(sizes) == 1:
        return value
    rest = value.type.shape[len(axes) :]
    if len(axes) < len(sizes):
        known = [n if axis in axes else 1 for axis, n in enumerate(sizes)]
        value = ops.broadcast_to(ops.reshape(value, (*known, *rest)), (*sizes, *rest))
    return ops.reshape(value, (math.prod(sizes), *rest))


def _own(graph: Graph) -> list[Value]:
    """The outputs of a graph, copied where their memory may be that of others."""
    origins = find_origins(graph)
    taken: set[Value] = set()
    outputs = []
    for output in graph.outputs:
        sources, _ = memory_of(output, origins)
        is_own = all(is_fresh(v) for v in sources) and taken.isdisjoint(sources)
        taken.update(sources)
        outputs.append(output if is_own else ops.copy(output))
    return outputs


def settled(module: Module, capabilities: Capabilities) -> Module:
    """The module with a second region in each node, where lanes can be batched at once, so that it
    is known what the node computes without the module's other graphs. Nodes that turn out to be no
    kernels are expanded.

    To be called while the derivatives in the module are still known as such, that is, before other
    passes rebuild its named graphs.
    """
    return _rebuilt(module, lambda name: lambda node, env: _settle(node, env, capabilities))


def expanded(module: Module, kernels: Collection[str] = ()) -> Module:
    """The module with operators on all lanes in place of such nodes.

    Args:
        kernels: the names of graphs that run natively. That they would be slow otherwise is no
            reason to warn.
    """
    return _rebuilt(module, lambda name: _quietly_expand if name in kernels else _expand)


def _settle(node: Node, env: Env, capabilities: Capabilities) -> Sequence[Value]:
    lane, batched_already = lanes_of(node)
    if batched_already is not None:
        return copy_node(current_builder(), node, env)
    if not node.attrs["sizes"]:
        return _expand(node, env)
    lane = body_of(lane)
    why = capabilities.refuses_lane(lane, current_builder().graphs)
    if why is not None:
        log.debug("%s: its lanes are no kernel, because %s", lane.name, why)
        return _expand(node, env)
    bodies = [lane]
    with suppress(CannotBatch):  # what becomes of it without a kernel will be told when it does
        bodies.append(simplify(expansion(node, how=at_once)))
    return current_builder().copy(node, [env.get(v, v) for v in node.inputs], bodies)


def _quietly_expand(node: Node, env: Env) -> Sequence[Value]:
    return _expand(node, env, quietly)


def _expand(node: Node, env: Env, how: Callable = batched) -> Sequence[Value]:
    results = inline(expansion(node, how=how), [env.get(v, v) for v in node.inputs])
    for value, result in zip(node.outputs, results):
        if result.producer is not None:
            label(result, value.name)
    return results


def _rebuilt(module: Module, rule_of: Callable[[str], Rule]) -> Module:
    """The module with what a rule adds in place of each such node, the rule of the graph's name."""
    graphs = dict(module.graphs)
    with Builder(module.main.name) as builder:
        builder.graphs = graphs
        main = _changed(simplify(module.main), rule_of(module.main.name))
        done: dict[str, Graph] = {}
        while len(done) < len(graphs):  # expansions add graphs
            name = next(name for name in graphs if name not in done)
            done[name] = _changed(graphs[name], rule_of(name))
    return Module(main, done)


def _changed(graph: Graph, rule: Rule) -> Graph:
    if not any(node.op is regions.lanes for node in walk(graph)):
        return graph
    return rewrite(graph, lambda node, env: rule(node, env) if node.op is regions.lanes else None)
