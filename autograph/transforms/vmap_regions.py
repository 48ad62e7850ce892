"""Batching of conditionals, loops and calls, and of what they leave for backward passes.

Where all lanes go the same way, a structured node stays what it is, with lanes inside its regions.
Where they differ, only the lanes that take a branch run it, and only those that are still in a loop
run its body, *compacted* into smaller arrays:

    cond        yes = the lanes in which the predicate holds; if there are any, their operands are
                taken out, the branch runs for them, and their results are put in their places; the
                same for no. A branch that costs next to nothing is not worth that: both are
                computed, and `where` chooses.
    while_loop  the state is that of the lanes still in the loop. When some of them are done, their
                results are put in their places and they are left out of the state. So a lane that
                is done costs nothing, raises nothing, prints nothing, and no NaN comes from it, in
                any order of differentiation.
    for_loop    with different numbers of trips: such a while_loop.
    call @f     call @f_vmap, a graph made once for each choice of arguments that differ.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

import ops
from autograph.errors import BatchingError
from autograph.graph.builder import Builder, copy_node, current_builder
from autograph.graph.graph import Constant, Graph, Node, Value, walk
from autograph.graph.purity import is_speculatable
from autograph.transforms import derived
from autograph.transforms.batching import (
    SEVERAL,
    Batch,
    CannotBatch,
    fit,
    room,
    strong,
    taken,
)
from autograph.transforms.jvp_regions import differentiated as tangents_of
from autograph.transforms.lanes import is_count, varying_values
from autograph.transforms.vjp_regions import differentiated as reverse_of
from ops import regions
from ops.lengths import RunLength, length, lengths_of
from ops.types import ArrayType, weak

INT = weak(int)

# Operators that cost next to nothing, and neither warn nor raise, whatever they are given.
_HARMLESS = {
    *("add", "subtract", "multiply", "negative", "positive", "absolute", "sign", "square"),
    *("maximum", "minimum", "equal", "not_equal", "less", "less_equal", "greater"),
    *("greater_equal", "logical_and", "logical_or", "logical_not", "cast", "where"),
}
_FEW = 8  # so many of them

COLLECTIVES = ("all_gather", "psum_scatter", "axis_index")


def _copied(batch: Batch, node: Node) -> bool:
    """Whether the node is the same for all lanes; it is then copied."""
    if any(v in batch.varying for v in (*node.uses(), *node.outputs)):
        return False
    if any(_concerns_each_lane(n) for region in node.regions for n in walk(region)):
        return False
    copy_node(current_builder(), node, batch.env)
    return True


def _concerns_each_lane(node: Node) -> bool:
    return node.op.effect or node.op.name in COLLECTIVES


def _add(
    batch: Batch, node: Node, inputs: Sequence[Value], bodies: Sequence[Graph], names: Sequence
) -> tuple[Value, ...]:
    types = [batch.type(v) for v in node.outputs]
    builder = current_builder()
    added = builder.add(node.op, inputs, node.attrs, types, bodies, names)
    builder.nodes[-1].required = node.required
    return added


def _given(batch: Batch, value: Value, like: Value) -> Value:
    """A value, with lanes if ``like`` has them, and of its type."""
    copy = batch.with_lanes(value) if like in batch.varying else batch.read(value)
    return fit(copy, batch.type(like))


def _region(
    batch: Batch, region: Graph, results: Sequence[Value], name: str | None = None
) -> Graph:
    """A region for all lanes, whose outputs have lanes where ``results`` do."""
    with Builder(name or region.name) as builder:
        for value in region.inputs:
            batch.given(value, builder.input(batch.type(value), value.name))
        batch.run(region)
        outputs = [_given(batch, v, like) for v, like in zip(region.outputs, results)]
        return builder.finish(outputs)


# -- cond ------------------------------------------------------------------------------------------


def _cond(batch: Batch, node: Node) -> None:
    if _copied(batch, node):
        return
    (predicate,) = node.inputs
    if predicate not in batch.varying:
        branches = [_region(batch, region, node.outputs) for region in node.regions]
        names = [v.name for v in node.outputs]
        results = _add(batch, node, [batch.read(predicate)], branches, names)
        batch.env.update(zip(node.outputs, results))
        return
    batch.refuse_packs(node.outputs, node.location)
    holds = ops.not_equal(batch.read(predicate), 0)
    if predicate.type.dtype.kind == "b":
        holds = batch.read(predicate)
    if all(_is_cheap(region) for region in node.regions):
        _select(batch, node, holds)
    else:
        _partition(batch, node, holds)


def _is_cheap(region: Graph) -> bool:
    return len(region.nodes) <= _FEW and all(
        node.op.name in _HARMLESS and is_speculatable(node) for node in region.nodes
    )


def _select(batch: Batch, node: Node, holds: Value) -> None:
    """Compute both branches for all lanes, and choose."""
    for region in node.regions:
        batch.run(region)
    for result, x, y in zip(node.outputs, *(region.outputs for region in node.regions)):
        choices = []
        for v in (x, y):
            copy = batch.read(v)
            if isinstance(copy.type, ArrayType) and copy.type.weak:
                copy = strong(copy, result.type.dtype)
            elif copy.type.dtype != result.type.dtype:
                copy = ops.cast(copy, dtype=result.type.dtype.name, weak=False)
            choices.append(batch.aligned(copy, result.type.ndim) if v in batch.varying else copy)
        batch.define(result, ops.where(batch.aligned(holds, result.type.ndim), *choices))


def _partition(batch: Batch, node: Node, holds: Value) -> None:
    """Run each branch for the lanes that take it."""
    whole = [region for region in node.regions if not region.nodes]
    if whole:  # nothing is computed there: the lanes have the results already
        results = [_given(batch, v, like) for v, like in zip(whole[0].outputs, node.outputs)]
    else:
        results = [_room(batch, v) for v in node.outputs]
    for region, flags in zip(node.regions, (holds, ops.logical_not(holds))):
        if not region.nodes and whole[0] is region:
            continue
        lanes = _where(flags)
        with Builder(region.name) as builder:
            inner = batch.some(lanes, batch.taken(region.captures, lanes))
            inner.run(region)
            written = [_put(into, inner.read(v), lanes) for into, v in zip(results, region.outputs)]
            taken_branch = builder.finish(written)
        with Builder("nobody") as builder:
            nobody = builder.finish(results)
        results = current_builder().add(
            regions.cond,
            [ops.greater(length(lanes), 0)],
            {},
            [v.type for v in results],
            [taken_branch, nobody],
            [v.name for v in node.outputs],
        )
    for value, result in zip(node.outputs, results):
        batch.define(value, result)


def _where(flags: Value) -> Value:
    """The numbers of the lanes with a flag that is true."""
    return ops.nonzero_along(flags, axis=0)


def _room(batch: Batch, value: Value) -> Value:
    """Zeros for the results of all lanes."""
    if not value.type.is_static:
        raise CannotBatch(
            "lanes have arrays whose lengths only the run tells", current_builder().location
        )
    return room(batch.size, value.type)


def _put(into: Value, copy: Value, lanes: Value) -> Value:
    """``into`` with the results of some lanes, by number, or their common result."""
    if into.type.shape[1:].count(None):
        raise CannotBatch(
            "lanes have arrays whose lengths only the run tells", current_builder().location
        )
    if copy.type.weak:
        copy = strong(copy, into.type.dtype)
    elif copy.type.dtype != into.type.dtype:
        copy = ops.cast(copy, dtype=into.type.dtype.name, weak=False)
    return fit(ops.index_update(into, copy, lanes, index=SEVERAL), into.type)


# -- loops -----------------------------------------------------------------------------------------


def _while_loop(batch: Batch, node: Node) -> None:
    if _copied(batch, node):
        return
    test, body = node.regions
    if test.outputs[0] in batch.varying:
        _until_all_are_done(batch, node, test, body, node.inputs)
        return
    init = [_given(batch, v, like) for v, like in zip(node.inputs, body.inputs)]
    new_test = _region(batch, test, test.outputs)
    new_body = _region(batch, body, body.inputs)
    results = _add(batch, node, init, [new_test, new_body], [v.name for v in node.outputs])
    batch.env.update(zip(node.outputs, results))


def _for_loop(batch: Batch, node: Node) -> None:
    if _copied(batch, node):
        return
    (body,) = node.regions
    count, *init = node.inputs
    if count in batch.varying:
        _counted(batch, node, body, count, init)
        return
    init = [_given(batch, v, like) for v, like in zip(init, body.inputs[1:])]
    new_body = _region(batch, body, body.inputs[1:])
    names = [v.name for v in node.outputs]
    results = _add(batch, node, [batch.read(count), *init], [new_body], names)
    batch.env.update(zip(node.outputs, results))


def _counted(batch: Batch, node: Node, body: Graph, count: Value, init: Sequence[Value]) -> None:
    """A loop with another number of trips in each lane: ``while i < count``."""
    with Builder("test") as builder:
        index = builder.input(INT, body.inputs[0].name)
        for value in body.inputs[1:]:
            builder.input(value.type, value.name)
        test = builder.finish([ops.less(index, count)])
    batch.varying.update(test.outputs)
    batch.varying.update(t for t, s in zip(test.inputs, body.inputs) if s in batch.varying)
    with Builder(body.name) as builder:
        following = ops.add(body.inputs[0], 1)
        (step,) = builder.nodes
    counting = Graph(
        body.name,
        body.inputs,
        (*body.nodes, step),
        (following, *body.outputs),
        body.location,
    )
    _until_all_are_done(batch, node, test, counting, [Constant(0), *init], first=1)


def _until_all_are_done(
    batch: Batch,
    node: Node,
    test: Graph,
    body: Graph,
    init: Sequence[Value],
    first: int = 0,
) -> None:
    """A loop that lanes leave after different numbers of trips.

    Args:
        test, body: regions on the same state.
        init: the first state.
        first: how many parts of the state, the first ones, are not among the node's results.
    """
    batch.refuse_packs(body.inputs, node.location)
    state = body.inputs
    outer = dict.fromkeys(v for region in (test, body) for v in region.captures)
    captured = [v for v in outer if v in batch.varying]
    batch.refuse_packs(captured, node.location)
    start = [_given(batch, v, like) for v, like in zip(init, state)]
    results = [
        fit(batch.with_lanes(v), batch.with_axis(like.type))
        for v, like in zip(init[first:], state[first:])
    ]
    entering = _passes(batch, test, start)
    lanes = _where(entering)
    inner = batch.some(lanes)
    carried = [taken(c, lanes) if v in batch.varying else c for c, v in zip(start, state)]
    carried = [fit(c, inner.type(v)) for c, v in zip(carried, state)]
    brought = [fit(taken(batch.read(v), lanes), inner.type(v)) for v in captured]

    with Builder(test.name) as builder:
        here = builder.input(lanes.type, "lanes")
        for value in (*carried, *brought, *results):
            builder.input(value.type, value.name)
        any_left = builder.finish([ops.greater(length(here), 0)])

    names = [v.name for v in (*state, *captured, *node.outputs)]
    with Builder(body.name) as builder:
        here = builder.input(lanes.type, "lanes")
        now = [builder.input(c.type, v.name) for c, v in zip(carried, state)]
        given = [builder.input(c.type, v.name) for c, v in zip(brought, captured)]
        done = [builder.input(r.type, v.name) for r, v in zip(results, node.outputs)]
        inner = batch.some(here, dict(zip((*state, *captured), (*now, *given))))
        inner.run(body)
        following = [_given(inner, v, like) for v, like in zip(body.outputs, state)]
        holds = _passes(inner, test, following)
        with Builder("all_stay") as stay_builder:
            stay = stay_builder.finish([here, *following, *given, *done])
        with Builder("some_leave") as leave_builder:
            leaving, staying = _where(ops.logical_not(holds)), _where(holds)
            left = taken(here, leaving)
            done_now = [
                _put(d, taken(c, leaving) if v in batch.varying else c, left)
                for d, c, v in zip(done, following[first:], state[first:])
            ]
            kept = [
                fit(taken(c, staying), c.type) if v in batch.varying else c
                for c, v in zip((*following, *given), (*state, *captured))
            ]
            leave = leave_builder.finish([taken(here, staying), *kept, *done_now])
        types = [lanes.type, *(v.type for v in (*following, *given, *done))]
        new = current_builder().add(
            regions.cond, [ops.all(holds)], {}, types, [stay, leave], ["lanes", *names]
        )
        new_body = builder.finish(new)
    operands = [lanes, *carried, *brought, *results]
    new = current_builder().add(
        regions.while_loop,
        operands,
        node.attrs,
        [v.type for v in operands],
        [any_left, new_body],
        ["lanes", *names],
    )
    current_builder().nodes[-1].required = node.required
    for value, result in zip(node.outputs, new[len(new) - len(node.outputs) :]):
        batch.define(value, result)


def _passes(batch: Batch, test: Graph, state: Sequence[Value]) -> Value:
    """For each lane whether the test of a loop holds; the test is computed here."""
    batch.env.update(zip(test.inputs, state))
    batch.run(test)
    holds = batch.with_lanes(test.outputs[0])
    return holds if holds.type.dtype.kind == "b" else ops.not_equal(holds, 0)


# -- calls -----------------------------------------------------------------------------------------


def _call(batch: Batch, node: Node) -> None:
    if _copied(batch, node):
        return
    builder = current_builder()
    flags = tuple(v in batch.varying for v in node.inputs)
    callee = node.attrs["callee"]
    name = None
    if batch.commuting:
        name = _commuted(builder, callee)
        if name is not None:
            flags = (True,) * len(flags)
    if name is None:
        if not any(flags):  # it has an effect
            flags = (True,) * len(flags)
        name = for_lanes(builder, callee, flags, batch.commuting)
    inputs = []
    for value, flag in zip(node.inputs, flags):
        copy = batch.with_lanes(value) if flag else batch.read(value)
        inputs.append(_forget(copy) if flag else copy)
    types = [_unknown(v.type) for v in node.outputs]
    names = [v.name for v in node.outputs]
    results = builder.add(regions.call, inputs, {**node.attrs, "callee": name}, types, (), names)
    builder.nodes[-1].required = node.required
    for value, result in zip(node.outputs, results):
        batch.varying.add(value)
        batch.define(value, result)


def _unknown(type):
    """The type of values of a type, one for each of some lanes."""
    return ArrayType(type.dtype, (None, *type.shape)) if isinstance(type, ArrayType) else type


def _forget(copy: Value) -> Value:
    """An array with lanes of which nobody knows how many there are."""
    if not isinstance(copy.type, ArrayType):
        return copy
    return ops.refine(copy, shape=(None, *copy.type.shape[1:]))


def for_lanes(builder: Builder, callee: str, flags: tuple[bool, ...], commuting: bool) -> str:
    """The name of the graph that computes the named graph ``callee`` for lanes; it is added to the
    module if need be.

    It takes arguments with an axis for the lanes where there are ``flags``, and all its results
    have one: a caller can't know better while the callee is still being built.
    """
    # What passes leave is laid out otherwise where they have changed places with batching.
    name, is_new = derived.find(builder, callee, "lanes" if commuting else "vmap", flags)
    if not is_new:
        return name
    graph = builder.graphs[callee]
    roots = [v for v, flag in zip(graph.inputs, flags) if flag]
    varying = varying_values(graph, roots)
    with Builder(name) as inner:
        env = {
            v: inner.input(_unknown(v.type) if flag else v.type, v.name)
            for v, flag in zip(graph.inputs, flags)
        }
        arrays = [env[v] for v in roots if isinstance(v.type, ArrayType)]
        if not arrays:
            raise CannotBatch("it is called with what control flow left", graph.location)
        made_of = derived.origin(builder, callee)
        inside = made_of is not None and made_of[0] in ("vmap", "lanes")
        if inside and all(isinstance(v.type, ArrayType) for v in (*graph.inputs, *graph.outputs)):
            outputs = _merged(inner, env, graph, flags, *made_of[1:], commuting)
        elif inside and commuting:
            outputs = _swapped(inner, env, graph, *made_of[1:])
        else:
            like = arrays[0]
            batch = Batch(RunLength(length(like)), varying, None, env, commuting, like)
            for value in graph.inputs:
                batch.given(value, env[value])
            batch.run(graph)
            outputs = [fit(batch.with_lanes(v), _unknown(v.type)) for v in graph.outputs]
        derived.finish(builder, name, inner.finish(outputs))
    return name


def _merged(
    builder: Builder,
    env: dict[Value, Value],
    graph: Graph,
    flags: Sequence[bool],
    source: str,
    flags_inside: Sequence[bool],
    commuting: bool,
) -> list[Value]:
    """Lanes of lanes: the graph ``source`` for as many lanes as there are in all.

    Args:
        env: what became of the inputs of ``graph``, which is ``source`` for the lanes inside.
        flags, flags_inside: which inputs have lanes, and which have lanes inside.
    """
    named = [*zip(graph.inputs, flags, flags_inside)]
    (outside, *_) = (length(env[v]) for v, flag, _ in named if flag)
    (inside, *_) = (length(env[v], axis=1 if f else 0) for v, f, inner in named if inner)
    several = RunLength(outside), RunLength(inside)
    total = RunLength(ops.multiply(outside, inside))
    operands = []
    for value, flag, inner in named:
        copy = env[value]
        if flag or inner:
            rest = lengths_of(copy)[flag + inner :]
            if not (flag and inner):
                known = (several[0], 1) if flag else (1, several[1])
                if copy.type.weak:
                    copy = strong(copy, copy.type.dtype)
                copy = ops.broadcast_to(ops.reshape(copy, (*known, *rest)), (*several, *rest))
            copy = ops.reshape(copy, (total, *rest))
        operands.append(copy)
    merged = tuple(flag or inner for _, flag, inner in named)
    callee = for_lanes(builder, source, merged, commuting)
    types = [v.type for v in graph.outputs]
    results = current_builder().add(regions.call, operands, {"callee": callee}, types)
    outputs = []
    for result, value in zip(results, graph.outputs):
        apart = ops.reshape(result, (*several, *lengths_of(result)[1:]))
        outputs.append(fit(apart, _unknown(value.type)))
    return outputs


def _swapped(
    builder: Builder,
    env: dict[Value, Value],
    graph: Graph,
    source: str,
    flags_inside: Sequence[bool],
) -> list[Value]:
    """Lanes of lanes: the graph ``source``, a pass, for the lanes outside, and that for those
    inside. What a forward pass left cannot be repeated for each lane inside."""
    name = _commuted(builder, source)
    if name is None:
        name = for_lanes(builder, source, (True,) * len(flags_inside), commuting=True)
    callee = for_lanes(builder, name, tuple(flags_inside), commuting=False)
    operands = []
    for value, flag in zip(graph.inputs, flags_inside):
        swaps = flag and isinstance(value.type, ArrayType)
        operands.append(ops.swapaxes(env[value], 0, 1) if swaps else env[value])
    callee_types = builder.graphs[callee].output_types
    results = current_builder().add(regions.call, operands, {"callee": callee}, callee_types)
    return [
        fit(ops.swapaxes(r, 0, 1), _unknown(v.type)) if isinstance(v.type, ArrayType) else r
        for r, v in zip(results, graph.outputs)
    ]


def _commuted(builder: Builder, callee: str) -> str | None:
    """The forward or backward pass of a graph for all lanes, given the pass of that graph, or the
    derivative of one: the lanes are independent, so the derivative for all lanes is that of the
    graph for all lanes.

    None if ``callee`` is nothing of the kind.
    """
    made_of = derived.origin(builder, callee)
    if made_of is None:
        return None
    kind, source, active = made_of
    if kind in ("vmap", "lanes"):
        return for_lanes(builder, callee, (True,) * len(active), commuting=True)
    inner = _commuted(builder, source)
    if kind == "jvp":
        return None if inner is None else tangents_of(builder, inner, active)
    if inner is None:
        inner = for_lanes(builder, source, (True,) * len(active), commuting=True)
    forward, backward = reverse_of(builder, inner, active)
    return forward if kind == "fwd" else backward


# -- packs and stacks ------------------------------------------------------------------------------


def _container(batch: Batch, node: Node) -> None:
    """What is packed differs in all lanes, if it does in some: each array in it has lanes."""
    if _copied(batch, node):
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


# -- checkpoints, and functions with derivatives of their own --------------------------------------


def _checkpoint(batch: Batch, node: Node) -> None:
    if _copied(batch, node):
        return
    body = _region(batch, node.regions[0], node.outputs)
    names = [v.name for v in node.outputs]
    batch.env.update(zip(node.outputs, _add(batch, node, (), [body], names)))


def _custom_vjp(batch: Batch, node: Node) -> None:
    if _copied(batch, node):
        return
    primal, forward, backward = node.regions
    residuals = forward.outputs[len(node.outputs) :]
    bodies = [
        _region(batch, primal, node.outputs),
        _region(batch, forward, (*node.outputs, *residuals)),
    ]
    with Builder(backward.name) as builder:
        for value in backward.inputs:
            batch.given(value, builder.input(batch.type(value), value.name))
        batch.run(backward)
        arguments = [v for v in node.inputs if v.type.inexact]
        cotangents = []
        for ct, value in zip(backward.outputs, arguments):
            copy = batch.with_lanes(ct)
            if value not in batch.varying:  # all lanes have the same argument
                copy = ops.sum(copy, axis=0)
            cotangents.append(fit(copy, batch.type(value)))
        bodies.append(builder.finish(cotangents))
    _custom(batch, node, bodies)


def _custom_jvp(batch: Batch, node: Node) -> None:
    if _copied(batch, node):
        return
    primal, rule = node.regions
    tangents = [v for v in node.outputs if v.type.inexact]
    bodies = [
        _region(batch, primal, node.outputs),
        _region(batch, rule, (*node.outputs, *tangents)),
    ]
    _custom(batch, node, bodies)


def _custom(batch: Batch, node: Node, bodies: Sequence[Graph]) -> None:
    for body, region in zip(bodies, node.regions):
        body.location = region.location  # messages name it
    inputs = [batch.read(v) for v in node.inputs]
    names = [v.name for v in node.outputs]
    batch.env.update(zip(node.outputs, _add(batch, node, inputs, bodies, names)))


# -- collective operators --------------------------------------------------------------------------


def _all_gather(batch: Batch, node: Node) -> None:
    (value,) = node.inputs
    (output,) = node.outputs
    if node.attrs["axis_name"] == batch.axis_name:
        batch.define(output, batch.with_lanes(value))
        return
    _refuse_others(batch, node)
    if value not in batch.varying:
        copy_node(current_builder(), node, batch.env)
        return
    gathered = node.op.apply([batch.read(value)], node.attrs)  # the other lanes come first
    batch.define(output, ops.moveaxis(gathered, 1, 0))


def _psum_scatter(batch: Batch, node: Node) -> None:
    (value,) = node.inputs
    (output,) = node.outputs
    if node.attrs["axis_name"] == batch.axis_name:
        batch.define(output, ops.sum(batch.with_lanes(value), axis=0))
        return
    _refuse_others(batch, node)
    if value not in batch.varying:
        copy_node(current_builder(), node, batch.env)
        return
    rows_first = ops.moveaxis(batch.read(value), 0, 1)
    batch.define(output, node.op.apply([rows_first], node.attrs))


def _axis_index(batch: Batch, node: Node) -> None:
    if node.attrs["axis_name"] == batch.axis_name:
        size = batch.size
        numbers = np.arange(size) if isinstance(size, int) else None
        lanes = Constant(numbers) if numbers is not None else ops.positions(size.value)
        batch.define(node.outputs[0], lanes)
        return
    _refuse_others(batch, node)
    copy_node(current_builder(), node, batch.env)


def _refuse_others(batch: Batch, node: Node) -> None:
    if batch.axis_name is None:
        raise BatchingError(
            f"lanes of the axis {node.attrs['axis_name']!r} would meet at a place where only some "
            "of them come: in a branch, a loop or a recursive function",
            node.location,
            id="AG0544",
            fix="let them meet before or after it",
        )


RULES = {
    "cond": _cond,
    "while_loop": _while_loop,
    "for_loop": _for_loop,
    "call": _call,
    "pack": _container,
    "unpack": _container,
    "unpack_ct": _container,
    "push": _container,
    "pop": _container,
    "add_ct": _container,
    "checkpoint": _checkpoint,
    "custom_vjp": _custom_vjp,
    "custom_jvp": _custom_jvp,
    "all_gather": _all_gather,
    "psum_scatter": _psum_scatter,
    "axis_index": _axis_index,
}
