"""Functions of one lane, kept as they are: the nodes `ops.regions.lanes`.

Batching a loop that each lane leaves when it is done means to gather the lanes that are still in
it, again and again. A native kernel does better: each lane is an element, or a SIMD lane under a
mask, or a thread of a GPU, and runs the loop by itself, with its state in registers. For that the
graph of one lane has to last until code is generated::

    y = lanes(x, a, size=1000, flags=(True, False))
        lane(x, a)            the function
        batched(x, a)         the same for all lanes at once, by batching; see `settled`

It is kept where there is control flow in which lanes differ, or a loop over what differs, and a
kernel can compute the rest (`autograph.kernels.eligible`). What is the same in all lanes, and costs
something, is computed outside.

The life of such a node:

    `kept_for_one_lane`   `vmap` adds it to a recording
    transforms            vjp and jvp: `autograph.transforms.lanes_derivatives`. vmap: lanes of
                          lanes are more lanes
    `settled`             once all transforms are through, it gets its second region
    `expanded`            it becomes what is in its second region, where there are no kernels
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

import ops
from autograph.graph.builder import Builder, copy_node, current_builder, inline
from autograph.graph.graph import Constant, Graph, Module, Node, Value, walk
from autograph.graph.purity import is_speculatable
from autograph.kernels.eligible import refusal
from autograph.kernels.native.availability import available
from autograph.transforms.batched import batched
from autograph.transforms.batching import (
    COLLECTIVES,
    Batch,
    Size,
    fit,
    one_lane,
    strong,
)
from autograph.transforms.erase import erase
from autograph.transforms.flow import find_origins, is_fresh
from autograph.transforms.lanes import varying_values
from autograph.transforms.outlining import inlined, outlined
from autograph.transforms.simplify import simplify
from autograph.transforms.vmap_regions import is_cheap
from ops import effects, regions
from ops.lengths import lengths_of
from ops.registry import Elementwise
from ops.types import ArrayType

Env = dict[Value, Value]

_RAISING = (effects.check, effects.fail)
_LOOPS = ("while_loop", "for_loop")


def with_lanes(type: ArrayType, size: int) -> ArrayType:
    """The type of the results of a node whose lanes have results of a type."""
    return ArrayType(type.dtype, (size, *type.shape))


def add(
    lane: Graph, operands: Sequence[Value], flags: Sequence[bool], size: int
) -> tuple[Value, ...]:
    """Add a node for a closed graph to the current builder."""
    builder = current_builder()
    attrs = {"size": size, "flags": tuple(flags)}
    types = [with_lanes(v.type, size) for v in lane.outputs]
    names = [v.name for v in lane.outputs]
    return builder.add(regions.lanes, operands, attrs, types, [lane], names)


# -- recording -------------------------------------------------------------------------------------


def kept_for_one_lane(
    graph: Graph, args: Sequence[Value], flags: Sequence[bool], size: Size, axis_name: object
) -> tuple[list[Value], list[bool]] | None:
    """Add a node for a graph applied to many lanes, if that is right for it; else do nothing.

    Args:
        graph, args, flags, size, axis_name: as for `autograph.transforms.vmap.vmap`.

    Returns:
        (outputs, which of them have lanes), or None.
    """
    if not (available() and isinstance(size, int) and size > 0):
        return None
    if not any(node.regions or node.op is regions.call for node in graph.nodes):
        return None
    if not all(isinstance(v.type, ArrayType) for v in (*args, *graph.captures, *graph.outputs)):
        return None
    if any(node.op.name in COLLECTIVES for node in walk(graph)):
        return None
    varying = varying_values(graph, (v for v, flag in zip(graph.inputs, flags) if flag), axis_name)
    parts = _Parts(graph, varying)
    lane, operands = parts.lane()
    body = simplify(erased(inlined(lane, current_builder().graphs)))
    roots = [v for v, operand in zip(body.inputs, operands) if operand in varying]
    if not _is_worth_it(body, roots) or refusal(body) is not None:
        return None
    env: Env = dict(zip(graph.inputs, args))
    builder = current_builder()
    for node in parts.outside:
        copy_node(builder, node, env)
    given = [env.get(v, v) for v in operands]
    results = iter(add(lane, given, [v in varying for v in operands], size))
    outputs = []
    for value in graph.outputs:
        if value in parts.known or isinstance(value, Constant):
            outputs.append(env.get(value, value))
            continue
        result = next(results)
        same = value not in varying
        outputs.append(one_lane(result, Constant(0), value.type) if same else result)
    return outputs, [v in varying for v in graph.outputs]


class _Parts:
    """What of a graph is computed for each lane, and what outside, once.

    Attributes:
        outside, kept: its nodes.
        known: what is known outside: inputs that are the same in all lanes, and the results of
            ``outside``.
    """

    def __init__(self, graph: Graph, varying: set[Value]):
        self.graph = graph
        self.varying = varying
        self.outside: list[Node] = []
        self.kept: list[Node] = []
        self.known = {v for v in (*graph.inputs, *graph.captures) if v not in varying}
        wanted = self._wanted()
        for node in graph.nodes:
            is_ready = all(v in self.known or _is_constant(v) for v in node.uses())
            if node in wanted and is_ready and self._may_go_before(node):
                self.outside.append(node)
                self.known.update(node.outputs)
            else:
                self.kept.append(node)

    def _may_go_before(self, node: Node) -> bool:
        """Whether a node may run before those that are kept: the first to raise still does."""
        return is_speculatable(node) or all(map(is_speculatable, self.kept))

    def _wanted(self) -> set[Node]:
        """The nodes to be computed outside: what is the same in all lanes if it costs something or
        is a result, and what that is made of."""
        wanted: set[Node] = set()
        needed = set(self.graph.outputs)
        for node in reversed(self.graph.nodes):
            if any(v in self.varying for v in (*node.uses(), *node.outputs)):
                continue
            if any(v in needed for v in node.outputs) or self._costs_something(node):
                wanted.add(node)
                needed.update(node.uses())
        return wanted

    def _costs_something(self, node: Node) -> bool:
        if any(n.op.effect and n.op not in _RAISING for n in _inside(node)):
            return False  # it happens in each lane
        if node.op.effect or node.regions or node.op is regions.call:
            return True
        if all(map(_is_constant, node.inputs)):
            return False
        return not isinstance(node.op, Elementwise) or any(v.type.shape for v in node.outputs)

    def lane(self) -> tuple[Graph, list[Value]]:
        """The graph for one lane, closed, and the values that it is to be applied to, as those of
        the original graph or from around it."""
        graph = self.graph
        outputs = [v for v in graph.outputs if not (v in self.known or isinstance(v, Constant))]
        used = dict.fromkeys(_used(self.kept, outputs))
        own = {v for node in self.kept for v in node.outputs}
        operands = [v for v in used if v not in own]
        with Builder(graph.name) as builder:
            env = {v: builder.input(v.type, v.name) for v in operands}
            for node in self.kept:
                copy_node(builder, node, env)
            lane = builder.finish([env.get(v, v) for v in outputs])
        lane.location = graph.location
        return lane, operands


def _inside(node: Node) -> Iterator[Node]:
    yield node
    for region in node.regions:
        yield from walk(region)


def _used(nodes: Iterable[Node], outputs: Iterable[Value]) -> Iterator[Value]:
    """The values that nodes refer to, but for those in regions and numbers."""
    for node in nodes:
        yield from (v for v in node.uses() if not _is_number(v))
        for region in node.regions:
            inside = (v for n in walk(region) for v in n.inputs)
            results = (v for n in (node, *walk(region)) for r in n.regions for v in r.outputs)
            yield from (v for v in (*inside, *results) if _is_array_constant(v))
    yield from outputs


def _is_constant(value: Value) -> bool:
    return isinstance(value, Constant)


def _is_number(value: Value) -> bool:
    return isinstance(value, Constant) and not value.is_array


def _is_array_constant(value: Value) -> bool:
    return isinstance(value, Constant) and value.is_array


def _is_worth_it(lane: Graph, roots: Sequence[Value]) -> bool:
    """Whether lanes differ in a way that batching does not handle well: in control flow that is
    not just a choice, or in what a loop computes."""
    varying = varying_values(lane, roots)
    for node in walk(lane):
        if node.op.name == "cond" and node.inputs[0] in varying:
            if not all(map(is_cheap, node.regions)):
                return True
        elif node.op.name in _LOOPS and any(v in varying for v in node.regions[-1].inputs):
            return True
    return False


def erased(graph: Graph) -> Graph:
    """A graph without nodes that only transforms ask for."""
    return erase(Module(graph)).main


# -- batching once more ----------------------------------------------------------------------------


def _batch_node(batch: Batch, node: Node) -> None:
    """Lanes of lanes: as many lanes as there are in all."""
    outer, inner = batch.size, node.attrs["size"]
    if not isinstance(outer, int) or outer == 0:
        _batch_expanded(batch, node)
        return
    builder = current_builder()
    if not any(v in batch.varying for v in node.inputs):
        copy_node(builder, node, batch.env)
        return
    operands, flags = [], []
    for value, flag in zip(node.inputs, node.attrs["flags"]):
        copy, moves = batch.read(value), value in batch.varying
        if flag or moves:
            rest = copy.type.shape[flag + moves :]
            if not (flag and moves):
                known = (outer, 1) if moves else (1, inner)
                copy = strong(copy, copy.type.dtype) if copy.type.weak else copy
                copy = ops.broadcast_to(ops.reshape(copy, (*known, *rest)), (outer, inner, *rest))
            copy = ops.reshape(copy, (outer * inner, *rest))
        operands.append(copy)
        flags.append(flag or moves)
    # A number that now differs is no longer one of Python's outside, but still is in each lane.
    results = add(_with_numbers(node.regions[0], flags), operands, flags, outer * inner)
    for value, result in zip(node.outputs, results):
        batch.define(value, ops.reshape(result, (outer, *value.type.shape)))


def _with_numbers(lane: Graph, flags: Sequence[bool]) -> Graph:
    """The graph with arrays for those of Python's numbers among its inputs that have flags."""
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


def expansion(node: Node, nested: bool = False) -> Graph:
    """What a node computes as operators on all lanes: a closed graph with the node's operands as
    inputs and its results as outputs, in memory of their own. Graphs that it calls are added to
    the module.

    Args:
        nested: whether this is batched again.
    """
    lane, *others = node.regions
    if others:
        return others[0]
    size, flags = node.attrs["size"], node.attrs["flags"]
    with Builder(lane.name) as builder, builder.at(node.location):
        args = [builder.input(v.type, v.name) for v in node.inputs]
        graph = outlined(lane) if nested else lane
        values, have_lanes = batched(graph, args, flags, size, None, nested)
        outputs = []
        for value, has_lanes, result in zip(values, have_lanes, node.outputs):
            if not has_lanes:
                value = strong(value, value.type.dtype) if value.type.weak else value
                value = ops.broadcast_to(value, (size, *lengths_of(value)))
            outputs.append(fit(value, result.type))
        graph = builder.finish(outputs)
        graph = builder.finish(_own(graph))
    graph.location = lane.location
    return graph


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
    """The module with a second region in each node, so that it is known what the node computes
    without the module's other graphs; those that turn out to be no kernels are expanded.

    To be called while the derivatives in the module are still known as such, that is, before other
    passes rebuild its named graphs.
    """
    return _rebuilt(module, _settle)


def expanded(module: Module) -> Module:
    """The module with operators on all lanes in place of such nodes."""
    return _rebuilt(module, lambda node, env: _inline_expansion(node, env))


def _settle(node: Node, env: Env) -> None:
    if len(node.regions) > 1:
        copy_node(current_builder(), node, env)
        return
    builder = current_builder()
    lane = simplify(erased(inlined(node.regions[0], builder.graphs)))
    if refusal(lane) is not None:
        _inline_expansion(node, env)
        return
    both = [lane, simplify(expansion(node))]
    inputs = [env.get(v, v) for v in node.inputs]
    types, names = [v.type for v in node.outputs], [v.name for v in node.outputs]
    results = builder.add(node.op, inputs, node.attrs, types, both, names)
    builder.nodes[-1].location = node.location
    env.update(zip(node.outputs, results))


def _inline_expansion(node: Node, env: Env) -> None:
    results = inline(expansion(node), [env.get(v, v) for v in node.inputs])
    for value, result in zip(node.outputs, results):
        if result.producer is not None:
            result.name = result.name or value.name
    env.update(zip(node.outputs, results))


def _rebuilt(module: Module, rule) -> Module:
    """The module with what a rule adds in place of each such node."""
    if not has_lanes(module):
        return module
    graphs = dict(module.graphs)
    with Builder(module.main.name) as builder:
        builder.graphs = graphs
        main = _copied(simplify(module.main), rule)
        done: dict[str, Graph] = {}
        while len(done) < len(graphs):  # expansions add graphs
            name = next(name for name in graphs if name not in done)
            done[name] = _copied(graphs[name], rule)
    return Module(main, done)


def _copied(graph: Graph, rule) -> Graph:
    if not any(node.op is regions.lanes for node in walk(graph)):
        return graph
    return _copy(graph, {}, rule)


def _copy(graph: Graph, env: Env, rule) -> Graph:
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


def _copy_outer(node: Node, env: Env, rule) -> None:
    """A node with such nodes in its regions."""
    builder = current_builder()
    bodies = [_copy(region, env, rule) for region in node.regions]
    inputs = [env.get(v, v) for v in node.inputs]
    types, names = [v.type for v in node.outputs], [v.name for v in node.outputs]
    env.update(zip(node.outputs, builder.add(node.op, inputs, node.attrs, types, bodies, names)))
    builder.nodes[-1].required = node.required
