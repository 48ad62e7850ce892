"""Reverse mode through conditionals, loops, calls, and the packs and stacks these leave behind.

A region is differentiated by itself, like a small graph: its backward pass is built at once, as a
template whose inputs are the cotangents of the region's outputs. What the template needs from
inside the forward region is packed there, or made again from what is packed (see
`autograph.transforms.reverse.residuals`); what it captures from outside is visible anyway and never
packed.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

import ops
from autograph.graph import derived
from autograph.graph.builder import Builder, copy_node, copy_nodes, current_builder, inline
from autograph.graph.control import as_number
from autograph.graph.graph import Constant, Graph, Node, Value, walk
from autograph.graph.rewrite import Env
from autograph.graph.wiring import Loop, loop_of
from autograph.transforms.analysis.activity import active_values, useful_values
from autograph.transforms.reverse import summing
from autograph.transforms.reverse.residuals import Residuals
from autograph.transforms.reverse.shares import shared_out
from autograph.transforms.reverse.tape import Step, Tape, add_cotangents, fit, instantiate
from autograph.transforms.simplify.simplify import simplify
from ops.control import regions
from ops.control.regions import PACK, STACK
from ops.core.lengths import split_shape
from ops.core.types import ArrayType, weak

SoFar = Callable[[Value], "Value | None"]  # see `Step`

INT = weak(int)
EMPTY_STACK = Constant(None, STACK)
ZERO_PACK = Constant(None, PACK)


class RegionVJP:
    """A region's forward pass, left open so that more can be added, and its backward template.

    Args:
        tape: the tape of the graph around it, for what is active.
        region: the original region, or a whole graph.
        env: maps original values to F's; extended.
        inputs: what takes the place of the region's inputs, made in ``builder``.
        builder: the builder of the forward region.
        wanted: the original values whose cotangents the template computes.
        results: for each output the value outside that it becomes: there are cotangents for those
            that are active.
        summed: those of ``wanted`` whose cotangents the template continues: it takes what they have
            so far, after the cotangents of ``seeds``.
        state: of a loop: those of ``inputs`` that the outputs become in the next trip.

    Attributes:
        outputs: the region's outputs, as values of F.
        seeds: positions of the outputs that have cotangents.
        template: the backward graph, from the cotangents of ``seeds`` and ``summed`` to those of
            ``wanted``.
        zero: for each of ``wanted`` whether its cotangent is zero.
        residuals: the values inside the forward region that the template refers to and that have
            to be packed.
        left: the outputs that the template refers to besides, each with the position of the state
            that it becomes: what one trip leaves, the next one packs.
    """

    def __init__(
        self,
        tape: Tape,
        region: Graph,
        env: Env,
        inputs: Sequence[Value],
        builder: Builder,
        wanted: Sequence[Value],
        results: Sequence[Value],
        free: Sequence[Value] = (),
        summed: Sequence[Value] = (),
        state: Sequence[Value] = (),
    ):
        env.update(zip(region.inputs, inputs))
        inner = Tape(tape.active, nested=True)
        pairs = enumerate(zip(region.outputs, results))
        self.seeds = [i for i, (v, r) in pairs if v in tape.active and r in tape.active]
        with builder:
            inner.forward(region, env)
            self.outputs = [env.get(v, v) for v in region.outputs]
            with Builder(f"{region.name}_backward") as backward:
                active = [region.outputs[i] for i in self.seeds]
                seeds = [(v, backward.input(v.type, d(v))) for v in active]
                outer = [env.get(v, v) for v in summed]
                seeds += [(v, backward.input(o.type, d(v))) for v, o in zip(summed, outer)]
                cotangents = inner.backward(seeds, wanted)
                self.zero = [ct is None for ct in cotangents]
                results = instantiate(cotangents, [env.get(v, v) for v in wanted])
                template = backward.finish(results)
        local = {*inputs, *(v for node in builder.nodes for v in node.outputs)}
        template = _with_lengths_first(template, local)
        chosen = Residuals(template, local, free, builder.native, _Lasting(builder))
        kept = chosen.compute(builder)
        self.template = chosen.rewritten(kept)
        self.state = state
        self.left = _left_to_next(kept.values(), self.outputs, state)
        self.residuals = [v for v in kept.values() if v not in self.left]

    def pack(self) -> Value:
        """Pack the residuals, in the current builder."""
        return regions.pack(*self.residuals) if self.residuals else ZERO_PACK

    def unpack(self, pack: Value) -> dict[Value, Value]:
        """What the residuals are in the current builder, taken from ``pack``."""
        if not self.residuals:
            return {}
        types = tuple(v.type for v in self.residuals)
        names = [v.name for v in self.residuals]
        builder = current_builder()
        unpacked = builder.add(regions.unpack, [pack], {"types": types}, types, names=names)
        return dict(zip(self.residuals, unpacked))

    def pull(self, cotangents: Sequence[Value], known: dict[Value, Value]) -> tuple[Value, ...]:
        """Add the template to the current builder.

        Args:
            known: the values of the forward region that it refers to.
        """
        return inline(self.template, cotangents, known)


def _left_to_next(
    kept: Iterable[Value], outputs: Sequence[Value], state: Sequence[Value]
) -> dict[Value, int]:
    """Which of the values that a trip of a loop keeps it leaves to the next one, and the positions
    of the states as which that one keeps them."""
    kept = {*kept}
    return {
        output: position
        for position, (output, entered) in enumerate(zip(outputs, state))
        if output in kept
        and entered in kept
        and output is not entered
        and output.type == entered.type
        and isinstance(output.type, ArrayType)
        and output.type.is_static
    }


class _Lasting:
    """Tells of values outside of a region whether they are there for as long as the function runs:
    its arguments, and what is made outside of all regions.

    Args:
        builder: that of the region.
    """

    def __init__(self, builder: Builder):
        self._builder = builder

    def __call__(self, value: Value) -> bool:
        if value.producer is None:
            return value in self._given
        return value.producer not in self._inner

    @functools.cached_property
    def _given(self) -> set[Value]:
        return set(self._builder.outermost.inputs)

    @functools.cached_property
    def _inner(self) -> set[Node]:
        """The nodes of the regions around it."""
        found: set[Node] = set()
        around = self._builder.parent
        while around is not None and around.parent is not None:
            found.update(around.nodes)
            around = around.parent
        return found


def _with_lengths_first(template: Graph, local: set[Value]) -> Graph:
    """The template with the lengths of the forward region's arrays taken before all else, also
    those that its regions take: so it need not keep the arrays."""
    asked = [n for n in walk(template) if n.op is ops.length and n.inputs[0] in local]
    if not asked:
        return template
    rest = _without(template, set(asked))
    return replace(rest, nodes=(*asked, *rest.nodes))


def _without(graph: Graph, nodes: set[Node]) -> Graph:
    """The graph without some of its nodes, those of regions included. It captures their results."""
    kept = tuple(
        # The results of others have to know them as their producers.
        replace(node, regions=tuple(_without(region, nodes) for region in node.regions))
        if node.regions
        else node
        for node in graph.nodes
        if node not in nodes
    )
    return Graph(graph.name, graph.inputs, kept, graph.outputs, graph.location)


def d(value: Value) -> str | None:
    """The name of the cotangent of ``value``, for printing."""
    return None if value.name is None else f"d_{value.name}"


def _active_captures(tape: Tape, node: Node) -> list[Value]:
    """The original values from outside that the node's regions use and that have cotangents."""
    return list(dict.fromkeys(v for r in node.regions for v in r.captures if v in tape.active))


def _bind(node: Node, outputs: Sequence[Value], env: Env) -> None:
    env.update(zip(node.outputs, outputs[len(outputs) - len(node.outputs) :]))


# -- cond ------------------------------------------------------------------------------------------


def cond(tape: Tape, node: Node, env: Env) -> Step:
    (predicate,) = (env.get(v, v) for v in node.inputs)
    wanted = _active_captures(tape, node)
    parts, forward = [], []
    for region in node.regions:
        builder = Builder(region.name)
        part = RegionVJP(tape, region, env, (), builder, wanted, node.outputs)
        with builder:
            forward.append(builder.finish([part.pack(), *part.outputs]))
        parts.append(part)
    names = [None, *(v.name for v in node.outputs)]
    types = [PACK, *(v.type for v in node.outputs)]
    pack, *outputs = current_builder().add(
        regions.cond, [predicate], node.attrs, types, forward, names
    )
    _bind(node, outputs, env)

    def pull(cotangents: Sequence[Value | None], so_far: SoFar) -> Iterable[tuple[Value, Value]]:
        cotangents = instantiate(cotangents, outputs)
        # What a branch does not change needs no zeros if there is a cotangent already.
        one_sided = [any(zero) for zero in zip(*(part.zero for part in parts))]
        before = [so_far(v) if flag else None for v, flag in zip(wanted, one_sided)]
        backward = []
        for part in parts:
            with Builder(part.template.name) as builder:
                seeds = [cotangents[i] for i in part.seeds]
                found = part.pull(seeds, part.unpack(pack))
                backward.append(builder.finish([*map(_added, before, found, part.zero)]))
        types = [v.type for v in wanted]
        names = [d(v) for v in wanted]
        results = current_builder().add(regions.cond, [predicate], {}, types, backward, names)
        return zip(wanted, results)

    return Step(node, pull, continues=True)


def _added(before: Value | None, ct: Value, is_zero: bool) -> Value:
    if before is None:
        return ct
    return before if is_zero else fit(add_cotangents(before, ct), before.type)


# -- loops -----------------------------------------------------------------------------------------


def loop(tape: Tape, node: Node, env: Env) -> Step:
    """The loop with a stack as its first state, before that the number of trips if only the run
    knows it; one that only adds up as it is."""
    if summing.only_adds_up(tape, node):
        return summing.loop(tape, node, env)
    parts = loop_of(node)
    counted = [INT] if parts.count is None else []
    builder = Builder(parts.body.name)
    index = [builder.input(v.type, v.name) for v in parts.indices]
    trips = [builder.input(type, "trips") for type in counted]
    stack = builder.input(STACK, "stack")
    state = [builder.input(v.type, v.name) for v in parts.state]
    part = _body(tape, parts, env, [*index, *state], builder, index)
    with builder:
        pushed = regions.push(stack, part.pack()) if part.residuals else stack
        body = builder.finish([*(ops.add(trip, 1) for trip in trips), pushed, *part.outputs])
    bodies = [*(_test(test, env) for test in parts.tests), body]
    count = [env.get(v, v) for v in parts.operands]
    init = [env.get(v, v) for v in parts.start]
    results = current_builder().add(
        node.op,
        [*count, *(Constant(0) for _ in counted), EMPTY_STACK, *init],
        node.attrs,
        [*counted, STACK, *(v.type for v in node.outputs)],
        bodies,
        [*("trips" for _ in counted), "stack", *(v.name for v in node.outputs)],
    )
    _bind(node, results, env)
    added = results[: len(results) - len(node.outputs)]
    number, stack = (*count, *added) if count else added
    if not part.residuals:  # what a loop around this one keeps is not the stack of nothing
        stack = EMPTY_STACK
    unwind = _Unwind(tape, node, env, part, number, stack, index)
    return Step(node, unwind.pull, continues=True)


def _test(test: Graph, env: Env) -> Graph:
    """The test of a loop with a number of trips and a stack."""
    with Builder(test.name) as builder:
        builder.input(INT, "trips")
        builder.input(STACK, "stack")
        env.update((v, builder.input(v.type, v.name)) for v in test.inputs)
        return builder.finish(copy_nodes(test.nodes, test.outputs, env))


def _body(
    tape: Tape,
    loop: Loop,
    env: Env,
    inputs: Sequence[Value],
    builder: Builder,
    free: Sequence[Value] = (),
) -> RegionVJP:
    """A loop's body; its template gives the cotangents of the active state, then of the
    captures."""
    body = loop.body
    captured = [v for v in body.captures if v in tape.active]
    wanted = [*(v for v in body.inputs if v in tape.active), *captured]
    state = inputs[len(loop.indices) :]
    return RegionVJP(tape, body, env, inputs, builder, wanted, loop.state, free, captured, state)


class _Unwind:
    """The backward pass of a loop: as many trips as the forward loop made, popping one pack each.

    The state is the stack, the cotangents of the loop's active state, those of what the body
    captures, each with what it was before the loop and the sum of its parts, and what the trip has
    left that is reversed, where the one after it has kept that.
    """

    def __init__(
        self,
        tape: Tape,
        node: Node,
        env: Env,
        part: RegionVJP,
        count: Value,
        stack: Value,
        index: Sequence[Value],
    ):
        self.tape = tape
        self.node = node
        self.env = env
        self.part = part
        self.count = count
        self.stack = stack
        self.index = index

    def pull(
        self, cotangents: Sequence[Value | None], so_far: SoFar
    ) -> Iterable[tuple[Value, Value]]:
        node, part, tape = self.node, self.part, self.tape
        loop = loop_of(node)
        body, state = loop.body, loop.state
        active = [i for i, v in enumerate(state) if v in tape.active]
        captured = [v for v in body.captures if v in tape.active]
        # A state that is active inside the loop may be one whose result nobody differentiates.
        seeds = [cotangents[i] if node.outputs[i] in tape.active else None for i in active]
        shaped = [*(node.outputs[i] for i in active), *captured]
        init = instantiate([*seeds, *map(so_far, captured)], [self.env.get(v, v) for v in shaped])
        left = [self.env.get(node.outputs[i], node.outputs[i]) for i in part.left.values()]
        init += left
        number = as_number(self.count)
        names = [d(v) for v in (*(state[i] for i in active), *captured)]
        names += [v.name for v in left]
        with Builder(part.template.name) as builder:
            trip = builder.input(INT, "k")
            stack = builder.input(STACK, "stack")
            values = [builder.input(v.type, name) for v, name in zip(init, names)]
            state_cts, after = values[: len(active)], values[len(values) - len(left) :]
            sums = values[len(active) : len(values) - len(left)]
            known = {v: ops.subtract(ops.subtract(number, trip), 1) for v in self.index}
            rest, pack = regions.pop(stack) if part.residuals else (stack, ZERO_PACK)
            known.update(part.unpack(pack))
            known.update(zip(part.left, after))
            by_position = dict(zip(active, state_cts))
            given = [*(by_position[i] for i in part.seeds), *sums]
            fitted = [fit(v, like.type) for v, like in zip(given, part.template.inputs)]
            found = part.pull(fitted, known)
            sums = [fit(v, x.type) for v, x in zip(found[len(active) :], sums)]
            before = [known[part.state[i]] for i in part.left.values()]
            unwound = builder.finish([rest, *found[: len(active)], *sums, *before])
        _, *results = current_builder().add(
            regions.for_loop,
            [self.count, self.stack, *init],
            {},
            [STACK, *(v.type for v in init)],
            [unwound],
            ["stack", *names],
        )
        return zip([*(loop.start[i] for i in active), *captured], results)


# -- calls -----------------------------------------------------------------------------------------


def call(tape: Tape, node: Node, env: Env) -> Step:
    builder = current_builder()
    active = tuple(v in tape.active for v in node.inputs)
    inputs = [env.get(v, v) for v in node.inputs]
    forward, backward = differentiated(builder, node.attrs["callee"], active)
    types = [PACK, *(v.type for v in node.outputs)]
    pack, *outputs = builder.add(
        regions.call,
        inputs,
        {**node.attrs, "callee": forward},
        types,
        names=[None, *(v.name for v in node.outputs)],
    )
    _bind(node, outputs, env)
    wanted = [v for v in node.inputs if v in tape.active]

    def pull(cotangents: Sequence[Value | None]) -> Iterable[tuple[Value, Value]]:
        pairs = [(ct, v) for ct, v in zip(cotangents, outputs) if v.type.inexact]
        seeds = instantiate((ct for ct, _ in pairs), (v for _, v in pairs))
        results = current_builder().add(
            regions.call,
            [pack, *seeds],
            {"callee": backward},
            [v.type for v in wanted],
            names=[d(v) for v in wanted],
        )
        return zip(wanted, results)

    return Step(node, pull)


def differentiated(builder: Builder, callee: str, active: tuple[bool, ...]) -> tuple[str, str]:
    """The names of F and B of the named graph ``callee``, which are added to the module if need be.

    Both names are taken before either body is built, so that a recursive function finds them.
    """
    forward, is_new = derived.find(builder, callee, "fwd", active)
    backward, _ = derived.find(builder, callee, "bwd", active)
    if not is_new:
        return forward, backward
    graph = shared_out(simplify(builder.graphs[callee]))
    roots = [v for v, flag in zip(graph.inputs, active) if flag]
    marked = active_values(graph, roots) & useful_values(graph)
    # Whoever calls passes a cotangent for every differentiable result: it can't know better while
    # the callee is still being built.
    marked.update(v for v in graph.outputs if v.type.inexact)
    outer = Builder(forward)
    inputs = [outer.input(v.type, v.name) for v in graph.inputs]
    part = RegionVJP(Tape(marked), graph, {}, inputs, outer, roots, graph.outputs)
    with outer:
        derived.finish(builder, forward, outer, [part.pack(), *part.outputs])
    with Builder(backward) as back:
        pack = back.input(PACK, "residuals")
        seeds = [back.input(graph.outputs[i].type, d(graph.outputs[i])) for i in part.seeds]
        derived.finish(builder, backward, back, part.pull(seeds, part.unpack(pack)))
    return forward, backward


# -- packs and stacks ------------------------------------------------------------------------------


def pack(tape: Tape, node: Node, env: Env) -> Step:
    packed = [env.get(v, v) for v in node.inputs]
    copy_node(current_builder(), node, env)
    types = tuple(v.type if v in tape.active else PACK for v in node.inputs)

    def pull(cotangents: Sequence[Value]) -> Iterable[tuple[Value, Value]]:
        builder = current_builder()
        arrays = [v for v, type in zip(packed, types) if isinstance(type, ArrayType)]
        _, lengths = split_shape(n for v in arrays for n in ops.lengths_of(v))
        attrs = {"types": types}
        operands = [*cotangents, *lengths]
        return zip(node.inputs, builder.add(regions.unpack_ct, operands, attrs, types))

    return Step(node, pull)


def unpack(tape: Tape, node: Node, env: Env) -> Step:
    copy_node(current_builder(), node, env)

    def pull(cotangents: Sequence[Value | None]) -> Iterable[tuple[Value, Value]]:
        slots = [ZERO_PACK if ct is None else ct for ct in cotangents]
        return zip(node.inputs, [regions.pack(*slots, cotangents=True)])

    return Step(node, pull)


def push(tape: Tape, node: Node, env: Env) -> Step:
    copy_node(current_builder(), node, env)
    return Step(node, lambda cotangents: zip(node.inputs, regions.pop(cotangents[0])))


def pop(tape: Tape, node: Node, env: Env) -> Step:
    copy_node(current_builder(), node, env)

    def pull(cotangents: Sequence[Value | None]) -> Iterable[tuple[Value, Value]]:
        rest, top = cotangents
        rest = EMPTY_STACK if rest is None else rest
        top = ZERO_PACK if top is None else top
        return zip(node.inputs, [regions.push(rest, top)])

    return Step(node, pull)


def add_ct(tape: Tape, node: Node, env: Env) -> Step:
    copy_node(current_builder(), node, env)
    return Step(node, lambda cotangents: [(v, cotangents[0]) for v in node.inputs])
