"""Batching of conditionals, loops and other nodes with regions.

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
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import ops
from autograph.graph.builder import Builder, current_builder
from autograph.graph.graph import Constant, Graph, Node, Value
from autograph.graph.purity import is_speculatable
from autograph.graph.wiring import (
    CustomJVP,
    Loop,
    custom_jvp_of,
    custom_vjp_of,
    linear_call_of,
    loop_of,
    wiring,
)
from autograph.transforms.batching.engine import (
    SEVERAL,
    Batch,
    CannotBatch,
    fit,
    outer_values,
    strong,
    taken,
)
from ops.control import regions
from ops.core.lengths import length
from ops.core.registry import Elementwise
from ops.core.types import ArrayType, weak

INT = weak(int)

_FEW = 8  # operators


def _add(
    batch: Batch, node: Node, inputs: Sequence[Value], bodies: Sequence[Graph], names: Sequence
) -> tuple[Value, ...]:
    types = [batch.type(v) for v in node.outputs]
    builder = current_builder()
    return builder.add(node.op, inputs, node.attrs, types, bodies, names, node.required)


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
        return builder.finish(outputs, region.location)


# -- cond ------------------------------------------------------------------------------------------


def cond(batch: Batch, node: Node) -> None:
    if batch.copies(node):
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
    if all(is_cheap(region) for region in node.regions):
        _select(batch, node, holds)
    else:
        _partition(batch, node, holds)


def is_cheap(region: Graph) -> bool:
    """Whether a branch costs next to nothing, so that it may as well run for all lanes."""
    return len(region.nodes) <= _FEW and all(
        node.op.cheap and not node.op.view and is_speculatable(node) for node in region.nodes
    )


def _select(batch: Batch, node: Node, holds: Value) -> None:
    """Compute both branches for all lanes, and choose.

    A branch gets zeros from the lanes that don't take it. What they have may be NaN or infinite,
    and zero times the derivative there would be NaN.
    """
    for region, flags in zip(node.regions, (holds, ops.logical_not(holds))):
        inner = batch.within(_zeros_elsewhere(batch, region, flags), flags)
        inner.run(region)
        made = [v for v in region.outputs if v.producer in region.nodes]
        batch.env.update((v, inner.read(v)) for v in made)
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


def _zeros_elsewhere(batch: Batch, region: Graph, flags: Value) -> dict[Value, Value]:
    """What the nodes of a region read that differs between lanes, with zeros in those without a
    flag, if that may make a difference."""
    if all(_is_linear(node) for node in region.nodes):
        return {}
    own = {v for node in region.nodes for v in node.outputs}
    read = dict.fromkeys(v for node in region.nodes for v in node.inputs)
    return {
        v: fit(ops.where(batch.aligned(flags, v.type.ndim), batch.read(v), 0.0), batch.type(v))
        for v in read
        if v in batch.varying and v not in own and v.type.inexact
    }


def _is_linear(node: Node) -> bool:
    """Whether the derivative of a cheap operator is the same for all operands."""
    if node.op in (ops.add, ops.subtract, ops.multiply):
        return any(isinstance(v, Constant) and v.is_scalar for v in node.inputs)
    if isinstance(node.op, Elementwise):
        return not any(map(callable, node.op.partials))
    return node.op is ops.where


def _partition(batch: Batch, node: Node, holds: Value) -> None:
    """Run each branch for the lanes that take it."""
    whole = [region for region in node.regions if not region.nodes]
    if whole:  # nothing is computed there: the lanes have the results already
        results = [_given(batch, v, like) for v, like in zip(whole[0].outputs, node.outputs)]
    else:
        results = [batch.room(v) for v in node.outputs]
    for region, flags in zip(node.regions, (holds, ops.logical_not(holds))):
        if not region.nodes and whole[0] is region:
            continue
        lanes = _where(flags)
        with Builder(region.name) as builder:
            inner = batch.some(lanes, batch.taken(outer_values(region), lanes))
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


def _put(into: Value, copy: Value, lanes: Value) -> Value:
    """``into`` with the results of some lanes, by number, or their common result."""
    if into.type.shape[1:].count(None):
        raise CannotBatch(
            "lanes have arrays whose lengths are known only at run time", current_builder().location
        )
    if copy.type.weak:
        copy = strong(copy, into.type.dtype)
    elif copy.type.dtype != into.type.dtype:
        copy = ops.cast(copy, dtype=into.type.dtype.name, weak=False)
    return fit(ops.index_update(into, copy, lanes, index=SEVERAL), into.type)


# -- loops -----------------------------------------------------------------------------------------


def loop(batch: Batch, node: Node) -> None:
    if batch.copies(node):
        return
    loop, wires = loop_of(node), wiring(node)
    if any(v in batch.varying for v in wires.decides):
        if loop.test is None:
            _counted(batch, node, loop)
        else:
            _until_all_are_done(batch, node, loop.test, loop.body, loop.start)
        return
    operands = [batch.read(v) for v in loop.operands]
    operands += [_given(batch, v, like) for v, like in zip(loop.start, loop.state)]
    bodies = [_region(batch, test, test.outputs) for test in wires.tests]
    bodies.append(_region(batch, loop.body, loop.state))
    results = _add(batch, node, operands, bodies, [v.name for v in node.outputs])
    batch.env.update(zip(node.outputs, results))


def _counted(batch: Batch, node: Node, loop: Loop) -> None:
    """A loop with another number of trips in each lane: ``while i < count``."""
    body, (number,), (count,) = loop.body, loop.indices, loop.operands
    with Builder("test") as builder:
        index = builder.input(INT, number.name)
        for value in loop.state:
            builder.input(value.type, value.name)
        test = builder.finish([ops.less(index, count)])
    batch.varying.update(test.outputs)
    batch.varying.update(t for t, s in zip(test.inputs, body.inputs) if s in batch.varying)
    with Builder(body.name) as builder:
        following = ops.add(number, 1)
        (step,) = builder.nodes
    counting = replace(body, nodes=(*body.nodes, step), outputs=(following, *body.outputs))
    _until_all_are_done(batch, node, test, counting, [Constant(0), *loop.start], first=1)


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
    outer = dict.fromkeys(v for region in (test, body) for v in outer_values(region))
    captured = [v for v in outer if v in batch.varying]
    batch.refuse_packs(captured, node.location)
    start = [_given(batch, v, like) for v, like in zip(init, state)]
    results = [
        fit(ops.copy(batch.with_lanes(v)), batch.with_axis(like.type))
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
        node.required,
    )
    for value, result in zip(node.outputs, new[len(new) - len(node.outputs) :]):
        batch.define(value, result)


def _passes(batch: Batch, test: Graph, state: Sequence[Value]) -> Value:
    """For each lane whether the test of a loop holds; the test is computed here."""
    batch.env.update(zip(test.inputs, state))
    batch.run(test)
    holds = batch.with_lanes(test.outputs[0])
    return holds if holds.type.dtype.kind == "b" else ops.not_equal(holds, 0)


# -- checkpoints, and functions with derivatives of their own --------------------------------------


def checkpoint(batch: Batch, node: Node) -> None:
    if batch.copies(node):
        return
    bodies = [_region(batch, region, node.outputs) for region in node.regions]
    names = [v.name for v in node.outputs]
    batch.env.update(zip(node.outputs, _add(batch, node, (), bodies, names)))


def custom_vjp(batch: Batch, node: Node) -> None:
    if batch.copies(node):
        return
    custom = custom_vjp_of(node)
    bodies = [
        _region(batch, custom.primal, node.outputs),
        _region(batch, custom.forward, (*node.outputs, *custom.residuals)),
    ]
    bodies.append(_backward(batch, node, custom.backward))
    if custom.by_tangents is not None:
        bodies.append(_rule(batch, node, custom.by_tangents))
    _custom(batch, node, bodies)


def custom_jvp(batch: Batch, node: Node) -> None:
    if batch.copies(node):
        return
    custom = custom_jvp_of(node)
    bodies = [_region(batch, custom.primal, node.outputs), _rule(batch, node, custom)]
    _custom(batch, node, bodies)


def linear_call(batch: Batch, node: Node) -> None:
    if batch.copies(node):
        return
    call = linear_call_of(node)
    bodies = [_region(batch, call.function, node.outputs), _backward(batch, node, call.transpose)]
    _custom(batch, node, bodies)


def _backward(batch: Batch, node: Node, backward: Graph) -> Graph:
    """A region whose outputs are cotangents of the arguments."""
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
        return builder.finish(cotangents, backward.location)


def _rule(batch: Batch, node: Node, custom: CustomJVP) -> Graph:
    tangents = [v for v in node.outputs if v.type.inexact]
    return _region(batch, custom.rule, (*node.outputs, *tangents))


def _custom(batch: Batch, node: Node, bodies: Sequence[Graph]) -> None:
    inputs = [batch.read(v) for v in node.inputs]
    names = [v.name for v in node.outputs]
    batch.env.update(zip(node.outputs, _add(batch, node, inputs, bodies, names)))
