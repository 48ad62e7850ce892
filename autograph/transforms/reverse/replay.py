"""A region run a second time: with the same results, and without its effects.

What is computed a second time must not print again, and a generator of random numbers gives other
numbers the second time. So the first run, the *recording*, keeps what the generators gave, and
whatever else a policy wants kept; the second, the *replay*, takes these instead.

A region that keeps nothing and has no effect is copied, both times. Otherwise:

    node          recording                       replay
    effect        the node; its results are kept  what was kept
    saved         the node; its results are kept  the node, under `ops.control.regions.saved`
    cond          each branch packs what it keeps a cond on the same predicate, with unpacking
    for_loop      pushes a pack a trip            the packs reversed, then a pack popped a trip
    while_loop    the same, and counts its trips  a for_loop over the count: the test is not run
    checkpoint    what its region keeps, as well  a checkpoint of the replayed region
    call @f       call @f_recorded, with a pack   call @f_replayed
    lanes         the node                        the node without checks

Both go through the region in the same order, so what is kept is a plain sequence of values.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from autograph.checkpoint_policies import Names, Policy
from autograph.errors import NonDifferentiableError
from autograph.graph import derived
from autograph.graph.builder import Builder, copy_node, copy_nodes, current_builder
from autograph.graph.graph import Constant, Graph, Node, Value, callees, walk
from autograph.graph.rewrite import Env, rewrite
from autograph.graph.wiring import is_loop, loop_of, wiring
from ops.control import regions
from ops.control.callbacks import io_callback
from ops.control.regions import PACK, STACK, Structured
from ops.core.types import ArrayType, Type, weak

INT = weak(int)
_EMPTY_STACK = Constant(None, STACK)
_MARKS = (regions.recompute, regions.saved)


def record(region: Graph, env: Env, policy: Policy) -> list[Value]:
    """Add the nodes of ``region`` to the current builder.

    Args:
        region: its inputs and captures are looked up in ``env``, which is extended.
        policy: what is kept, see `autograph.checkpoint_policies`; None keeps nothing.

    Returns:
        What is to be kept for `replay`, as values of the copy.
    """
    builder = current_builder()
    kept: list[Value] = []
    for node in region.nodes:
        with builder.at(node.location):
            if not _differs(node, policy):
                copy_node(builder, node, env)
            elif isinstance(node.op, Structured):
                kept += _RECORD.get(node.op, _record_whole)(node, env, policy)
            else:
                kept += copy_node(builder, node, env)
    return kept


def replay(region: Graph, env: Env, kept: Iterable[Value], policy: Policy) -> None:
    """Add the nodes of ``region`` to the current builder once more.

    Args:
        region, env, policy: as for `record`.
        kept: what that returned, as values to take here.
    """
    builder = current_builder()
    kept = iter(kept)
    for node in region.nodes:
        with builder.at(node.location):
            if not _differs(node, policy):
                copy_node(builder, node, env, required=False)  # it did not raise the first time
            elif isinstance(node.op, Structured):
                _REPLAY.get(node.op, _replay_whole)(node, env, kept, policy)
            elif node.op.effect:
                env.update(zip(node.outputs, kept))
            else:
                outputs = copy_node(builder, node, env)
                env.update((v, regions.saved(o, next(kept))) for v, o in zip(node.outputs, outputs))


def keeps_nothing(region: Graph) -> bool:
    """Whether a replay of the region is a copy of it, where nothing but effects is kept."""
    return not any(_differs(node, None) for node in region.nodes)


def may_run_again(graph: Graph) -> bool:
    """Whether a graph may run several times in place of once: it has no effects, unless it raises,
    which it does the first time."""
    effects = {node.op.effect for node in walk(graph)}
    calls = any(node.op is regions.call for node in walk(graph))
    return keeps_nothing(graph) or (not calls and effects <= {None, "", "raises"})


# -- what differs ----------------------------------------------------------------------------------


def _differs(node: Node, policy: Policy) -> bool:
    if node.op is regions.call:
        graphs = current_builder().graphs
        found = [node.attrs["callee"], *callees(_standing_for(node), _known(graphs))]
        return any(_differs_in(graphs[name], policy) for name in found if graphs[name] is not None)
    if node.op is regions.lanes:  # of what a lane computes nothing is kept
        policy = None
    if node.regions:
        return any(_differs_in(region, policy) for region in node.regions)
    return _is_special(node, policy)


def _differs_in(graph: Graph, policy: Policy) -> bool:
    return any(_is_special(node, policy) for node in walk(graph))


def _is_special(node: Node, policy: Policy) -> bool:
    if node.op.effect:
        return True
    if policy is None or isinstance(node.op, Structured) or node.op in _MARKS or not node.outputs:
        return False
    if not all(isinstance(v.type, ArrayType) for v in (*node.inputs, *node.outputs)):
        return False
    if isinstance(policy, Names):
        return any(policy.keeps(v.name) for v in node.outputs)
    return bool(policy(node.op.name, *(v.type for v in node.inputs)))


def _standing_for(node: Node) -> Graph:
    return Graph("call", node.inputs, (node,), node.outputs)


def _known(graphs: Mapping[str, Graph | None]) -> Mapping[str, Graph]:
    """The graphs; in place of those that are still being recorded, empty ones."""
    empty = Graph("unknown", (), (), ())
    return {name: graph or empty for name, graph in graphs.items()}


def kept_types(region: Graph, policy: Policy) -> list[Type]:
    """The types of what `record` returns."""
    types: list[Type] = []
    for node in region.nodes:
        if not _differs(node, policy):
            continue
        if node.op is regions.checkpoint:
            (region,) = wiring(node).runs
            types += kept_types(region, policy)
        elif is_loop(node):
            types += [STACK] if loop_of(node).test is None else [INT, STACK]
        elif not isinstance(node.op, Structured):
            types += [v.type for v in node.outputs]
        elif node.op in (regions.cond, regions.call):
            types.append(PACK)
    return types


# -- branches and checkpoints ----------------------------------------------------------------------


def _read(values: Iterable[Value], env: Env) -> list[Value]:
    return [env.get(v, v) for v in values]


def _add(
    node: Node,
    inputs: Sequence[Value],
    bodies: Sequence[Graph],
    extra: Sequence[Type],
    env: Env,
    attrs: dict | None = None,
) -> tuple[Value, ...]:
    """Add the new node, whose results are ``extra`` ones and those of ``node``."""
    count = len(extra)
    types = [*extra, *(v.type for v in node.outputs)]
    names = [None] * count + [v.name for v in node.outputs]
    builder = current_builder()
    attrs = node.attrs if attrs is None else attrs
    added = builder.add(node.op, inputs, attrs, types, bodies, names)
    env.update(zip(node.outputs, added[count:]))
    return added[:count]


def packed(kept: Sequence[Value]) -> Value:
    """A pack of what is kept."""
    return regions.pack(*kept) if kept else Constant(None, PACK)


def unpacked(
    pack: Value, types: Sequence[Type], names: Sequence[str | None] = ()
) -> tuple[Value, ...]:
    """What is in a pack of values of these types."""
    if not types:
        return ()
    attrs = {"types": tuple(types)}
    return current_builder().add(regions.unpack, [pack], attrs, types, (), names)


def _record_cond(node: Node, env: Env, policy: Policy) -> Sequence[Value]:
    branches = []
    for region in node.regions:
        with Builder(region.name) as builder:
            kept = record(region, env, policy)
            branches.append(builder.finish([packed(kept), *_read(region.outputs, env)]))
    return _add(node, _read(node.inputs, env), branches, [PACK], env)


def _replay_cond(node: Node, env: Env, kept: Iterator[Value], policy: Policy) -> None:
    pack = next(kept)
    branches = []
    for region in node.regions:
        with Builder(region.name) as builder:
            slots = unpacked(pack, kept_types(region, policy))
            replay(region, env, slots, policy)
            branches.append(builder.finish(_read(region.outputs, env)))
    _add(node, _read(node.inputs, env), branches, [], env)


def _record_checkpoint(node: Node, env: Env, policy: Policy) -> Sequence[Value]:
    (region,) = wiring(node).runs
    with Builder(region.name) as builder:
        kept = record(region, env, policy)
        body = builder.finish([*kept, *_read(region.outputs, env)])
    return _add(node, [], [body], [v.type for v in kept], env)


def _replay_checkpoint(node: Node, env: Env, kept: Iterator[Value], policy: Policy) -> None:
    (region,) = wiring(node).runs
    with Builder(region.name) as builder:
        count = len(kept_types(region, policy))
        replay(region, env, [next(kept) for _ in range(count)], policy)
        body = builder.finish(_read(region.outputs, env))
    _add(node, [], [body], [], env)


# -- loops -----------------------------------------------------------------------------------------


def _record_loop(node: Node, env: Env, policy: Policy) -> Sequence[Value]:
    """The loop with a stack as its first state, before that the number of trips if only the run
    knows it."""
    loop = loop_of(node)
    body = loop.body
    counted = [INT] if loop.count is None else []
    bodies = []
    for test in wiring(node).tests:
        with Builder(test.name) as builder:
            for type in (INT, STACK):
                builder.input(type)
            env.update((v, builder.input(v.type, v.name)) for v in test.inputs)
            bodies.append(builder.finish(copy_nodes(test.nodes, test.outputs, env)))
    with Builder(body.name) as builder:
        env.update((v, builder.input(v.type, v.name)) for v in loop.indices)
        trips = [builder.input(type, "trips") for type in counted]
        stack = builder.input(STACK, "kept")
        env.update((v, builder.input(v.type, v.name)) for v in loop.state)
        kept = record(body, env, policy)
        pushed = regions.push(stack, packed(kept)) if kept else stack
        trips = [trip + 1 for trip in trips]
        bodies.append(builder.finish([*trips, pushed, *_read(body.outputs, env)]))
    inputs = [
        *_read(loop.operands, env),
        *(Constant(0) for _ in counted),
        _EMPTY_STACK,
        *_read(loop.start, env),
    ]
    return _add(node, inputs, bodies, [*counted, STACK], env)


def _replay_loop(node: Node, env: Env, kept: Iterator[Value], policy: Policy) -> None:
    loop = loop_of(node)
    body = loop.body
    count = next(kept) if loop.count is None else env.get(loop.count, loop.count)
    types = kept_types(body, policy)
    stack = reverse(next(kept), count) if types else next(kept)
    with Builder(body.name) as builder:
        index = builder.input(INT, None if loop.index is None else loop.index.name)
        env.update((v, index) for v in loop.indices)
        rest = builder.input(STACK, "kept")
        env.update((v, builder.input(v.type, v.name)) for v in loop.state)
        slots: Sequence[Value] = ()
        if types:
            rest, pack = regions.pop(rest)
            slots = unpacked(pack, types)
        replay(body, env, slots, policy)
        again = builder.finish([rest, *_read(body.outputs, env)])
    types = [STACK, *(v.type for v in node.outputs)]
    names = [None, *(v.name for v in node.outputs)]
    operands = [count, stack, *_read(loop.start, env)]
    _, *results = current_builder().add(
        regions.for_loop, operands, node.attrs, types, [again], names
    )
    env.update(zip(node.outputs, results))


def reverse(stack: Value, count: Value) -> Value:
    """The ``count`` packs on top of a stack, as a stack in the other order."""
    with Builder("reverse") as builder:
        builder.input(INT, "i")
        rest, reversed_ = builder.input(STACK, "rest"), builder.input(STACK, "reversed")
        rest, top = regions.pop(rest)
        body = builder.finish([rest, regions.push(reversed_, top)])
    operands = [count, stack, _EMPTY_STACK]
    _, result = current_builder().add(regions.for_loop, operands, {}, [STACK, STACK], [body])
    return result


# -- calls -----------------------------------------------------------------------------------------


def _record_call(node: Node, env: Env, policy: Policy) -> Sequence[Value]:
    callee, _ = both(current_builder(), node.attrs["callee"], policy)
    return _add(node, _read(node.inputs, env), (), [PACK], env, {**node.attrs, "callee": callee})


def _replay_call(node: Node, env: Env, kept: Iterator[Value], policy: Policy) -> None:
    _, callee = both(current_builder(), node.attrs["callee"], policy)
    inputs = [next(kept), *_read(node.inputs, env)]
    _add(node, inputs, (), [], env, {**node.attrs, "callee": callee})


def both(builder: Builder, callee: str, policy: Policy) -> tuple[str, str]:
    """The names of the graphs that record and that replay the named graph ``callee``; they are
    added to the module if need be."""
    choice = () if policy is None else (policy,)
    recorded, is_new = derived.find(builder, callee, "recorded", choice)
    replayed, _ = derived.find(builder, callee, "replayed", choice)
    if not is_new:
        return recorded, replayed
    graph = builder.graphs[callee]
    with Builder(recorded) as inner:
        env = {v: inner.input(v.type, v.name) for v in graph.inputs}
        kept = record(graph, env, policy)
        outputs = [packed(kept), *_read(graph.outputs, env)]
        derived.finish(builder, recorded, inner, outputs)
    with Builder(replayed) as inner:
        pack = inner.input(PACK, "kept")
        env = {v: inner.input(v.type, v.name) for v in graph.inputs}
        replay(graph, env, unpacked(pack, kept_types(graph, policy)), policy)
        derived.finish(builder, replayed, inner, _read(graph.outputs, env))
    return recorded, replayed


# -- functions with rules of their own, and of one lane --------------------------------------------


def _record_whole(node: Node, env: Env, policy: Policy) -> Sequence[Value]:
    for region in node.regions:
        opaque = isinstance(node.op, Structured) and node.op.opaque
        effects = [n for n in walk(region) if n.op.effect and n.outputs] if opaque else []
        if any(n.op is io_callback for n in effects):
            raise NonDifferentiableError(
                "a function with a derivative of its own has a callback with effects, and would be "
                "computed twice: in a checkpointed function or loop, or for a Jacobian",
                node.location,
                id="AG0550",
                fix="call it outside of it and pass the result, or use ag.pure_callback",
            )
        if effects:
            raise NonDifferentiableError(
                "a function with a derivative of its own draws random numbers from a generator, "
                "and is called in a checkpointed function or loop",
                node.location,
                id="AG0550",
                fix="draw outside of it and pass the result, or draw with ops.random",
            )
    copy_node(current_builder(), node, env)
    return ()


def _replay_whole(node: Node, env: Env, kept: Iterator[Value], policy: Policy) -> None:
    ran = wiring(node).runs
    # What a rule raises is not known from the first time, when none was followed.
    again = [
        without_effects(region, env) if region in ran else _that_may_raise(region, env)
        for region in node.regions
    ]
    _add(node, _read(node.inputs, env), again, [], env)


def _replay_lanes(node: Node, env: Env, kept: Iterator[Value], policy: Policy) -> None:
    _add(node, _read(node.inputs, env), [*map(without_effects, node.regions)], [], env)


def _that_may_raise(graph: Graph, env: Env) -> Graph:
    """A graph of whose effects only exceptions are left."""
    return rewrite(
        graph, lambda node, _: () if node.op.effect and node.op.effect != "raises" else None, env
    )


def without_effects(graph: Graph, env: Env | None = None) -> Graph:
    """A graph without its effects, none of which has a result; a closed one, or one of which
    ``env`` says what the values are that it captures."""
    if env is None and not any(node.op.effect for node in walk(graph)):
        return graph
    return rewrite(graph, lambda node, env: () if node.op.effect else None, env)


# The others leave nothing.
_RECORD = {
    regions.cond: _record_cond,
    regions.while_loop: _record_loop,
    regions.for_loop: _record_loop,
    regions.call: _record_call,
    regions.checkpoint: _record_checkpoint,
}

_REPLAY = {
    regions.cond: _replay_cond,
    regions.while_loop: _replay_loop,
    regions.for_loop: _replay_loop,
    regions.call: _replay_call,
    regions.checkpoint: _replay_checkpoint,
    regions.lanes: _replay_lanes,
}
