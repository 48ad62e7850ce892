"""Batching of calls, and of what forward passes leave for backward passes.

call @f             call @f_vmap, a graph made once for each choice of arguments that differ; of
                    functions that are not recursive for each number of lanes, if it is known
call @f_vmap        where this is batched again: lanes of lanes become more lanes of f
call @f_fwd, @f_bwd where lanes go different ways: the passes of f_lanes, that is, of f for all
                    lanes. Lanes are independent, so the derivative for all lanes is the
                    derivative of the function for all lanes.
packs, stacks       what is packed has lanes if something in it differs
"""

from __future__ import annotations

from collections.abc import Sequence

import ops
from autograph.closure import closure
from autograph.graph import derived
from autograph.graph.builder import Builder, current_builder
from autograph.graph.graph import Graph, Node, Value, called, callees, walk
from autograph.graph.rewrite import Env
from autograph.transforms.analysis.divergence import is_count, varying_values
from autograph.transforms.batching.engine import NO_NAME, Batch, CannotBatch, Size, fit, strong
from autograph.transforms.forward.regions import differentiated as tangents_of
from autograph.transforms.reverse.regions import differentiated as reverse_of
from autograph.transforms.reverse.replay import both
from ops.control import regions
from ops.control.meshes import MeshAxis
from ops.core.lengths import RunLength, length, lengths_of
from ops.core.types import ArrayType, Type

# Behind the flags of a graph for lanes: all of them come to its calls. Then parts of a mesh may
# meet in it, which without this would be with some of their lanes.
TOGETHER = "together"

# What lanes change places with. Graphs of other kinds, such as those in low precision, are what
# there are derivatives of.
_COMMUTING = ("vmap", "lanes", "jvp", "fwd", "bwd", "recorded", "replayed")


def call(batch: Batch, node: Node) -> None:
    builder = current_builder()
    if batch.copies(node):
        return
    flags: derived.Choice = tuple(v in batch.varying for v in node.inputs)
    callee = node.attrs["callee"]
    name = size = None
    if batch.commuting:
        name = _commuted(builder, callee)
        if name is not None:
            flags = (True,) * len(flags)
    if name is None:
        if not any(flags):  # it has an effect
            flags = (True,) * len(flags)
        if batch.axis_name is not None and _meets(builder, callee):
            flags = (*flags, TOGETHER)
        size = _size_for(builder, callee, batch)
        name = for_lanes(builder, callee, flags, batch.commuting, size)
    inputs = []
    for value, flag in zip(node.inputs, flags):
        copy = batch.with_lanes(value) if flag else batch.read(value)
        inputs.append(fit(copy, _with_axis(value.type, size)) if flag else copy)
    types = [_with_axis(v.type, size) for v in node.outputs]
    names = [v.name for v in node.outputs]
    attrs = {**node.attrs, "callee": name}
    results = builder.add(regions.call, inputs, attrs, types, (), names, node.required)
    for value, result in zip(node.outputs, results):
        batch.varying.add(value)
        batch.define(value, result)


def _meets(builder: Builder, callee: str) -> bool:
    """Whether parts of a mesh meet in a named graph, or in one that it calls."""
    graphs = builder.graphs
    names = closure([callee], lambda name: called(graphs[name]))
    nodes = (node for name in names for node in walk(graphs[name]))
    return any(isinstance(node.attrs.get("axis_name"), MeshAxis) for node in nodes)


def _with_axis(type: Type, size: int | None) -> Type:
    """The type of values of a type, one for each of some lanes; of any number of them for None."""
    return ArrayType(type.dtype, (size, *type.shape)) if isinstance(type, ArrayType) else type


def _size_for(builder: Builder, callee: str, batch: Batch) -> int | None:
    """The number of lanes for which to make a variant of a named graph; None for one for any
    number, as a recursive function calls itself for fewer and fewer."""
    size = batch.size
    if isinstance(size, RunLength) or batch.commuting:
        return None
    return None if callee in callees(builder.graphs[callee], builder.graphs) else size


def for_lanes(
    builder: Builder,
    callee: str,
    flags: derived.Choice,
    commuting: bool,
    size: int | None = None,
) -> str:
    """The name of the graph that computes the named graph ``callee`` for lanes; it is added to the
    module if need be.

    It takes arguments with an axis for the lanes where there are ``flags``, and all its results
    have one: a caller can't know better while the callee is still being built.

    Args:
        size: how many lanes there are; None for a graph for any number.
    """
    # What passes leave is laid out otherwise where they have changed places with batching.
    name, is_new = derived.find(builder, callee, "lanes" if commuting else "vmap", flags, size)
    if not is_new:
        return name
    graph = builder.graphs[callee]
    roots = [v for v, flag in zip(graph.inputs, flags) if flag]
    varying = varying_values(graph, roots)
    with Builder(name) as inner:
        env = {
            v: inner.input(_with_axis(v.type, size) if flag else v.type, v.name)
            for v, flag in zip(graph.inputs, flags)
        }
        arrays = [env[v] for v in roots if isinstance(v.type, ArrayType)]
        if size is None and not arrays:
            raise CannotBatch("it is called with what control flow left", graph.location)
        origin = derived.origin(builder, callee)
        arrays_only = all(isinstance(v.type, ArrayType) for v in (*graph.inputs, *graph.outputs))
        if origin is not None and origin.kind in ("vmap", "lanes") and arrays_only:
            outputs = _merged(inner, env, graph, flags, origin, commuting, size)
        elif commuting and origin is not None and origin.kind == "vmap":
            outputs = _swapped(inner, env, graph, origin)  # otherwise it holds such a call
        else:
            like = arrays[0] if size is None else None
            lanes = RunLength(length(like)) if size is None else size
            axis = NO_NAME if TOGETHER in flags else None
            batch = Batch(lanes, varying, axis, env, commuting, like)
            for value in graph.inputs:
                batch.given(value, env[value])
            batch.run(graph)
            outputs = [fit(batch.with_lanes(v), _with_axis(v.type, size)) for v in graph.outputs]
        derived.finish(builder, name, inner, outputs)
    return name


def _merged(
    builder: Builder,
    env: Env,
    graph: Graph,
    flags: Sequence[bool],
    origin: derived.Origin,
    commuting: bool,
    size: int | None,
) -> list[Value]:
    """Lanes of lanes: the graph that ``graph`` was derived from, for as many lanes as there are in
    all.

    Args:
        env: what became of the inputs of ``graph``, which is that one for the lanes inside.
        flags: which inputs have lanes.
        origin: of ``graph``; its choice is which have lanes inside.
        size: how many lanes there are outside; None for any number.
    """
    named = [*zip(graph.inputs, flags, origin.choice)]
    (at, *_) = (env[v] for v, flag, _ in named if flag)
    outside = RunLength(length(at)) if size is None else size
    (at, axis), *_ = ((env[v], 1 if flag else 0) for v, flag, inner in named if inner)
    inside = RunLength(length(at, axis=axis)) if origin.size is None else origin.size
    several = outside, inside
    total, all_lanes = _product(outside, inside)
    operands = []
    for value, flag, inner in named:
        copy = env[value]
        if flag or inner:
            rest = lengths_of(copy)[flag + inner :]
            if not (flag and inner):
                known = (outside, 1) if flag else (1, inside)
                if copy.type.weak:
                    copy = strong(copy, copy.type.dtype)
                copy = ops.broadcast_to(ops.reshape(copy, (*known, *rest)), (*several, *rest))
            copy = ops.reshape(copy, (total, *rest))
        operands.append(copy)
    merged = tuple(flag or inner for _, flag, inner in named)
    callee = for_lanes(builder, origin.source, merged, commuting, all_lanes)
    types = [v.type._replace(shape=(all_lanes, *v.type.shape[1:])) for v in graph.outputs]
    results = current_builder().add(regions.call, operands, {"callee": callee}, types)
    outputs = []
    for result, value in zip(results, graph.outputs):
        apart = ops.reshape(result, (*several, *lengths_of(result)[1:]))
        outputs.append(fit(apart, _with_axis(value.type, size)))
    return outputs


def _product(outside: Size, inside: Size) -> tuple[Size, int | None]:
    """How many lanes of lanes there are, and that number if it is known."""
    if isinstance(outside, int) and isinstance(inside, int):
        return outside * inside, outside * inside
    counts = [n.value if isinstance(n, RunLength) else n for n in (outside, inside)]
    return RunLength(ops.multiply(*counts)), None


def _swapped(
    builder: Builder,
    env: Env,
    graph: Graph,
    origin: derived.Origin,
) -> list[Value]:
    """Lanes of lanes: the graph that ``graph`` was derived from, a pass, for the lanes outside, and
    that for those inside. What a forward pass left cannot be repeated for each lane inside."""
    flags_inside = origin.choice
    name = _commuted(builder, origin.source)
    if name is None:
        name = for_lanes(builder, origin.source, (True,) * len(flags_inside), commuting=True)
    callee = for_lanes(builder, name, flags_inside, commuting=False, size=origin.size)
    operands = []
    for value, flag in zip(graph.inputs, flags_inside):
        swaps = flag and isinstance(value.type, ArrayType)
        operands.append(ops.swapaxes(env[value], 0, 1) if swaps else env[value])
    callee_types = builder.graphs[callee].output_types
    results = current_builder().add(regions.call, operands, {"callee": callee}, callee_types)
    return [
        fit(ops.swapaxes(r, 0, 1), _with_axis(v.type, None)) if isinstance(v.type, ArrayType) else r
        for r, v in zip(results, graph.outputs)
    ]


def _commuted(builder: Builder, callee: str) -> str | None:
    """The forward or backward pass of a graph for all lanes, given the pass of that graph, or the
    derivative or replay of one: the lanes are independent, so the derivative for all lanes is that
    of the graph for all lanes.

    None if ``callee`` is nothing of the kind.
    """
    made_of = derived.origin(builder, callee)
    if made_of is None:
        return None
    kind, source, active, _ = made_of
    if kind not in _COMMUTING:
        return None
    if kind in ("vmap", "lanes"):
        return for_lanes(builder, callee, (True,) * len(active), commuting=True)
    inner = _commuted(builder, source)
    if kind == "jvp":
        return None if inner is None else tangents_of(builder, inner, active)
    if inner is None:
        flags = (True,) * len(builder.graphs[source].inputs)
        inner = for_lanes(builder, source, flags, commuting=True)
    if kind in ("recorded", "replayed"):
        recorded, replayed = both(builder, inner, *active or (None,))
        return recorded if kind == "recorded" else replayed
    forward, backward = reverse_of(builder, inner, active)
    return forward if kind == "fwd" else backward


# -- packs and stacks ------------------------------------------------------------------------------


def container(batch: Batch, node: Node) -> None:
    """What is packed differs in all lanes, if it does in some: each array in it has lanes."""
    if batch.copies(node):
        return
    if batch.commuting:  # what is packed is laid out by the passes for all lanes
        raise CannotBatch("what a forward pass leaves is taken apart outside", node.location)
    operands = [batch.read(v) if is_count(v.type) else batch.with_lanes(v) for v in node.inputs]
    if any(is_count(v.type) and v in batch.varying for v in node.inputs):
        raise CannotBatch("a number that the backward pass needs differs", node.location)
    types = [batch.type(v) for v in node.outputs]
    attrs = {**node.attrs, "types": tuple(types)} if "types" in node.attrs else node.attrs
    if node.op is regions.unpack_ct and isinstance(batch.size, RunLength):
        lengths = iter(operands[1:])
        operands = [operands[0]]
        for value in node.outputs:
            if isinstance(value.type, ArrayType):
                operands.append(batch.size.value)
                operands += [next(lengths) for n in value.type.shape if n is None]
    names = [v.name for v in node.outputs]
    results = current_builder().add(node.op, operands, attrs, types, (), names)
    batch.env.update(zip(node.outputs, results))
