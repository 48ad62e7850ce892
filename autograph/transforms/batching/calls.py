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

import itertools
from collections.abc import Iterable, Sequence

import ops
from autograph.closure import closure
from autograph.graph import derived
from autograph.graph.builder import Builder, current_builder
from autograph.graph.graph import Graph, Node, Value, called, callees, walk
from autograph.graph.rewrite import Env
from autograph.transforms.analysis.divergence import is_count, varying_results, varying_values
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
    have_lanes = _results_with_lanes(callee, flags, batch.commuting)
    outputs = list(zip(node.outputs, have_lanes))
    types = [_with_axis(v.type, size) if has_lanes else v.type for v, has_lanes in outputs]
    names = [v.name for v in node.outputs]
    attrs = {**node.attrs, "callee": name}
    results = builder.add(regions.call, inputs, attrs, types, (), names, node.required)
    for (value, has_lanes), result in zip(outputs, results):
        if has_lanes:
            batch.varying.add(value)
        elif value in batch.varying:
            result = batch.spread(result)
        batch.define(value, result)


def _results_with_lanes(callee: str, flags: derived.Choice, commuting: bool) -> Iterable[bool]:
    """Which results of the graph that `for_lanes` makes have an axis for the lanes.

    Where passes are to be made of it, all of them.
    """
    if commuting or TOGETHER in flags:
        return itertools.repeat(True)
    return varying_results(callee, flags)


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

    It takes arguments with an axis for the lanes where there are ``flags``; which results have
    one, see `_results_with_lanes`.

    Args:
        size: how many lanes there are; None for a graph for any number.
    """
    # What passes leave is laid out otherwise where they have changed places with batching.
    name, is_new = derived.find(builder, callee, "lanes" if commuting else "vmap", flags, size)
    if not is_new:
        return name
    graph = builder.graphs[callee]
    roots = [v for v, flag in zip(graph.inputs, flags) if flag]
    varying = varying_values(graph, roots, commuting=commuting)
    have_lanes = _results_with_lanes(callee, flags, commuting)
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
            outputs = _merged(inner, env, graph, flags, origin, commuting, size, have_lanes)
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
            outputs = [
                fit(batch.with_lanes(v), _with_axis(v.type, size)) if flag else batch.read(v)
                for v, flag in zip(graph.outputs, have_lanes)
            ]
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
    have_lanes: Iterable[bool],
) -> list[Value]:
    """Lanes of lanes: the graph that ``graph`` was derived from, for as many lanes as there are in
    all.

    Args:
        env: what became of the inputs of ``graph``, which is that one for the lanes inside.
        flags: which inputs have lanes.
        origin: of ``graph``; its choice is which have lanes inside.
        size: how many lanes there are outside; None for any number.
        have_lanes: which results have an axis for the lanes outside.
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
    in_all = _results_with_lanes(origin.source, merged, commuting)
    inner_lanes = _results_with_lanes(origin.source, origin.choice, origin.kind == "lanes")
    which = list(zip(graph.outputs, in_all, have_lanes, inner_lanes))
    types = []
    for value, merges, _, inner in which:
        of_lane = value.type.shape[1 if inner else 0 :]
        types.append(ArrayType(value.type.dtype, (all_lanes, *of_lane)) if merges else value.type)
    results = current_builder().add(regions.call, operands, {"callee": callee}, types)
    outputs = []
    for result, (value, merges, flag, inner) in zip(results, which):
        if merges:
            result = ops.reshape(result, (*several, *lengths_of(result)[1:]))
            result = result if inner else _of_one_lane(result, 1, inside)
            result = result if flag else _of_one_lane(result, 0, outside)
        outputs.append(fit(result, _with_axis(value.type, size) if flag else value.type))
    return outputs


def _of_one_lane(value: Value, axis: int, count: Size) -> Value:
    """A value that is the same in all lanes of an axis, without it."""
    if not isinstance(count, int) or count == 0:
        raise CannotBatch("there may be no lane to tell what all of them have", None)
    return ops.subscript(value, (*[slice(None)] * axis, 0))


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
    have_now = _results_with_lanes(name, flags_inside, commuting=False)
    had = _results_with_lanes(origin.source, flags_inside, commuting=False)
    outputs = []
    for result, value, now, before in zip(results, graph.outputs, have_now, had):
        if isinstance(value.type, ArrayType):
            result = ops.swapaxes(result, 0, 1) if now else result
            if now and not before:
                result = _of_one_lane(result, 1, origin.size or 0)
            type = _with_axis(value.type, None)
            result = fit(result, type)
        if now < before or (now > before and not isinstance(value.type, ArrayType)):
            raise CannotBatch("what the lanes inside have is the same in all of them", None)
        outputs.append(result)
    return outputs


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
