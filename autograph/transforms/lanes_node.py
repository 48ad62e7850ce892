"""Functions of one lane, kept as they are: the nodes `ops.regions.lanes`.

Batching a loop that each lane leaves when it is done means to gather the lanes that are still in
it, again and again. A native kernel does better: each lane is an element, or a SIMD lane under a
mask, or a thread of a GPU, and runs the loop by itself, with its state in registers. For that the
graph of one lane has to last until code is generated::

    y = lanes(x, a, sizes=(1000,), axes=((0,), ()))
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

import math
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress

import ops
from autograph.graph.builder import Builder, copy_node, current_builder, inline
from autograph.graph.graph import Constant, Graph, Module, Node, Value, walk
from autograph.graph.purity import is_speculatable
from autograph.kernels.eligible import refusal
from autograph.kernels.native.availability import available
from autograph.log import log
from autograph.transforms.batched import at_once, batched, quietly
from autograph.transforms.batching import (
    COLLECTIVES,
    Batch,
    CannotBatch,
    Size,
    fit,
    one_lane,
    strong,
)
from autograph.transforms.erase import erase
from autograph.transforms.flow import find_origins, is_fresh
from autograph.transforms.lanes import varying_values
from autograph.transforms.outlining import all_inlined, outlined
from autograph.transforms.simplify import simplify
from autograph.transforms.vmap_regions import is_cheap
from ops import effects, regions
from ops.lengths import lengths_of
from ops.registry import Elementwise
from ops.types import ArrayType

Env = dict[Value, Value]
Rule = Callable[[Node, Env], None]  # adds something in place of a node to the current builder

_RAISING = (effects.check, effects.fail)
_LOOPS = ("while_loop", "for_loop")


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
    body = simplify(erased(all_inlined(lane, current_builder().graphs)))
    roots = [v for v, operand in zip(body.inputs, operands) if operand in varying]
    if not _is_worth_it(body, roots):
        return None
    why = refusal(body)
    if why is not None:
        log.debug("%s: its lanes are no kernel, because %s", graph.name, why)
        return None
    env: Env = dict(zip(graph.inputs, args))
    builder = current_builder()
    for node in parts.outside:
        copy_node(builder, node, env)
    given = [env.get(v, v) for v in operands]
    axes = [(0,) if v in varying else () for v in operands]
    results = iter(add(lane, given, axes, (size,)))
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
        elif node.op.name in _LOOPS and any(
            v in varying for v in (*node.regions[-1].inputs, *node.outputs)
        ):
            return True
    return False


def erased(graph: Graph) -> Graph:
    """A graph without nodes that only transforms ask for."""
    return erase(Module(graph)).main


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
    lane = _with_numbers(node.regions[0], moving)
    results = add(lane, operands, axes, (batch.size, *node.attrs["sizes"]))
    for value, result in zip(node.outputs, results):
        batch.define(value, result)


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
    lane = simplify(erased(all_inlined(node.regions[0], builder.graphs)))
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
