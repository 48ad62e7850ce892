"""Functions of one lane, kept as they are: the nodes `ops.regions.lanes`.

Batching a loop that each lane leaves when it is done means to gather the lanes that are still in
it, again and again. A native kernel does better: each lane is an element, or a SIMD lane under a
mask, or a thread of a GPU, and runs the loop by itself, with its state in registers. For that the
graph of one lane has to last until code is generated::

    y = lanes(x, a, sizes=(1000,), axes=((0,), ()))
        lane(x, a)            the function
        batched(x, a)         the same for all lanes at once, by batching; see `settled`

The life of such a node:

    recording             `vmap` adds it, if it is worth it: `autograph.transforms.lanes_recording`
    transforms            vjp and jvp: `autograph.transforms.lanes_derivatives`. vmap: lanes of
                          lanes are more lanes
    `settled`             once all transforms are through, it gets its second region
    `expanded`            it becomes what is in its second region, where there are no kernels
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress

import ops
from autograph.graph.builder import Builder, copy_node, current_builder, inline
from autograph.graph.graph import Graph, Module, Node, Value, walk
from autograph.kernels.eligible import refusal
from autograph.kernels.native.availability import available
from autograph.log import log
from autograph.transforms.batched import at_once, batched, quietly
from autograph.transforms.batching import (
    Batch,
    CannotBatch,
    fit,
    strong,
)
from autograph.transforms.erase import erase
from autograph.transforms.flow import find_origins, is_fresh
from autograph.transforms.lanes import varying_values
from autograph.transforms.outlining import all_inlined, outlined
from autograph.transforms.simplify import simplify
from ops import regions
from ops.lengths import lengths_of
from ops.types import ArrayType

Env = dict[Value, Value]
Rule = Callable[[Node, Env], None]  # adds something in place of a node to the current builder


def with_lanes(type: ArrayType, sizes: Sequence[int]) -> ArrayType:
    """The type of the results of a node whose lanes have results of a type."""
    return ArrayType(type.dtype, (*sizes, *type.shape))


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


def body_of(lane: Graph) -> Graph:
    """The graph that becomes the body of a kernel's loop: without calls, where they are not
    recursive, and without nodes that only transforms ask for."""
    inside = all_inlined(lane, current_builder().graphs)
    return simplify(erase(Module(inside)).main)


# -- batching once more ----------------------------------------------------------------------------


def _batch_node(batch: Batch, node: Node) -> None:
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
    lane = without_numbers(node.regions[0], moving)
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
        graph = builder.finish(inline(lane, args))
    graph.location = lane.location
    return graph


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


RULES = {"lanes": _batch_node}


# -- the way back ----------------------------------------------------------------------------------


def expansion(node: Node, nested: bool = False, how: Callable = batched) -> Graph:
    """What a node computes as operators on all lanes: a closed graph with the node's operands as
    inputs and its results as outputs, in memory of their own. Graphs that it calls are added to
    the module.

    Args:
        nested: whether this is batched again.
        how: a function of `autograph.transforms.batched`.
    """
    lane, *others = node.regions
    if others:
        return others[0]
    sizes = node.attrs["sizes"]
    with Builder(lane.name) as builder, builder.at(node.location):
        inputs = [builder.input(v.type, v.name) for v in node.inputs]
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
        graph = builder.finish(_own(graph))
    graph.location = lane.location
    return graph


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
        sources = _sources(output, origins)
        is_own = all(is_fresh(v) for v in sources) and taken.isdisjoint(sources)
        taken.update(sources)
        outputs.append(output if is_own else ops.copy(output))
    return outputs


def _sources(value: Value, origins: Mapping[Value, tuple[Value, ...]]) -> set[Value]:
    """The values of which one is in the memory where a value is."""
    found: set[Value] = set()
    met: set[Value] = set()
    pending = [value]
    while pending:
        value = pending.pop()
        if value in met:
            continue
        met.add(value)
        if value in origins:
            pending.extend(origins[value])
        elif value.producer is not None and value.producer.op.view:
            pending.append(value.producer.inputs[0])
        else:
            found.add(value)
    return found


def has_lanes(module: Module) -> bool:
    """Whether there is such a node anywhere in a module."""
    return any(
        node.op is regions.lanes
        for graph in (module.main, *module.graphs.values())
        for node in walk(graph)
    )


def settled(module: Module) -> Module:
    """The module with a second region in each node, where lanes can be batched at once, so that it
    is known what the node computes without the module's other graphs. Nodes that turn out to be no
    kernels are expanded.

    To be called while the derivatives in the module are still known as such, that is, before other
    passes rebuild its named graphs.
    """
    return _rebuilt(module, lambda name: _settle)


def expanded(module: Module, kernels: Collection[str] = ()) -> Module:
    """The module with operators on all lanes in place of such nodes.

    Args:
        kernels: the names of graphs that run natively. That they would be slow otherwise is no
            reason to warn.
    """
    return _rebuilt(module, lambda name: _quietly_expand if name in kernels else _expand)


def for_this_machine(module: Module) -> Module:
    """A module that another machine has settled, expanded if there are no kernels here."""
    return module if available() else expanded(module)


def _settle(node: Node, env: Env) -> None:
    if len(node.regions) > 1:
        copy_node(current_builder(), node, env)
        return
    builder = current_builder()
    lane = body_of(node.regions[0])
    why = refusal(lane)
    if why is not None:
        log.debug("%s: its lanes are no kernel, because %s", lane.name, why)
        _expand(node, env)
        return
    bodies = [lane]
    with suppress(CannotBatch):  # what becomes of it without a kernel will be told when it does
        bodies.append(simplify(expansion(node, how=at_once)))
    inputs = [env.get(v, v) for v in node.inputs]
    types, names = [v.type for v in node.outputs], [v.name for v in node.outputs]
    results = builder.add(node.op, inputs, node.attrs, types, bodies, names)
    builder.nodes[-1].location = node.location
    env.update(zip(node.outputs, results))


def _quietly_expand(node: Node, env: Env) -> None:
    _expand(node, env, quietly)


def _expand(node: Node, env: Env, how: Callable = batched) -> None:
    results = inline(expansion(node, how=how), [env.get(v, v) for v in node.inputs])
    for value, result in zip(node.outputs, results):
        if result.producer is not None:
            result.name = result.name or value.name
    env.update(zip(node.outputs, results))


def _rebuilt(module: Module, rule_of: Callable[[str], Rule]) -> Module:
    """The module with what a rule adds in place of each such node, the rule of the graph's name."""
    if not has_lanes(module):
        return module
    graphs = dict(module.graphs)
    with Builder(module.main.name) as builder:
        builder.graphs = graphs
        main = _copied(simplify(module.main), rule_of(module.main.name))
        done: dict[str, Graph] = {}
        while len(done) < len(graphs):  # expansions add graphs
            name = next(name for name in graphs if name not in done)
            done[name] = _copied(graphs[name], rule_of(name))
    return Module(main, done)


def _copied(graph: Graph, rule: Rule) -> Graph:
    if not any(node.op is regions.lanes for node in walk(graph)):
        return graph
    return _copy(graph, {}, rule)


def _copy(graph: Graph, env: Env, rule: Rule) -> Graph:
    with Builder(graph.name) as builder:
        env.update((v, builder.input(v.type, v.name)) for v in graph.inputs)
        for node in graph.nodes:
            with builder.at(node.location):
                if node.op is regions.lanes:
                    rule(node, env)
                elif not any(n.op is regions.lanes for r in node.regions for n in walk(r)):
                    copy_node(builder, node, env)
                else:
                    _copy_outer(node, env, rule)
        copy = builder.finish([env.get(v, v) for v in graph.outputs])
    copy.location = graph.location
    return copy


def _copy_outer(node: Node, env: Env, rule: Rule) -> None:
    """A node with such nodes in its regions."""
    builder = current_builder()
    bodies = [_copy(region, env, rule) for region in node.regions]
    inputs = [env.get(v, v) for v in node.inputs]
    types, names = [v.type for v in node.outputs], [v.name for v in node.outputs]
    env.update(zip(node.outputs, builder.add(node.op, inputs, node.attrs, types, bodies, names)))
    builder.nodes[-1].required = node.required
