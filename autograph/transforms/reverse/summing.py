"""Reverse mode through loops that only add up, such as ``total += f(w, x[i])``.

The cotangent of a sum is that of each of its parts, the same in every trip. So the trips of the
backward pass may come in any order, and none needs what another one leaves::

    forward     for i: total = total + f(w, x[i])
    backward    for i: d_w = d_w + d_total * df/dw(w, x[i])

A trip of the backward pass computes what it needs of ``f`` again, rather than take it from a stack.
Where nobody asks for the sum itself, nothing is left of the forward loop. Derivatives of the
gradient, and lanes of it, then have no stacks either. It is done where ``f`` is short: what takes
long, like a loop, is kept rather than computed twice where the sum is asked for as well.
"""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Callable, Iterable, Mapping, Sequence

import ops
from autograph.graph.builder import Builder, copy_node, current_builder
from autograph.graph.graph import Constant, Graph, Node, Value, walk
from autograph.graph.rewrite import Env
from autograph.graph.wiring import is_loop, loop_of
from autograph.transforms.reverse.replay import keeps_nothing
from autograph.transforms.reverse.tape import Step, Tape, fit, instantiate
from ops.control import regions
from ops.core.types import ArrayType, is_type

_OTHER = -1  # of a value that depends on a sum in another way than by adding to it

_MOST_NODES = 40  # of a trip
_MOST_ELEMENTS = 64  # of what one of them computes

# Of values, to which sum something is added that depends on none; 0 and more are positions.
_Parts = dict[Value, int]


def only_adds_up(tape: Tape, node: Node) -> bool:
    """Whether trips of a loop change what has a cotangent by adding to it, and read none of it, and
    what they read is there in the backward pass: in another loop whole arrays might have to be kept
    for that, of which a trip reads an element."""
    if node.op is not regions.for_loop or tape.nested or not _is_short(loop_of(node).body):
        return False
    loop = loop_of(node)
    sums = {v: k for k, v in enumerate(loop.state) if v in tape.active}
    if not all(isinstance(v.type, ArrayType) for v in loop.state):
        return False
    found = _followed(loop.body, dict(sums))
    wanted = [sums.get(v) for v in loop.state]
    return [_part(v, found) for v in loop.body.outputs] == wanted


def _is_short(body: Graph) -> bool:
    """Whether a trip takes about as long as what it would leave on a stack."""
    nodes = list(walk(body))
    if len(nodes) > _MOST_NODES or not keeps_nothing(body):
        return False
    if any(is_loop(node) or node.op is regions.call for node in nodes):
        return False
    types = [v.type for node in nodes for v in node.outputs if isinstance(v.type, ArrayType)]
    return all(type.is_static and type.size <= _MOST_ELEMENTS for type in types)


def _part(value: Value, known: Mapping[Value, int]) -> int | None:
    return None if isinstance(value, Constant) else known.get(value)


def _followed(graph: Graph, known: _Parts) -> _Parts:
    """What of the values of a graph is a sum, with those that are known before."""
    for node in graph.nodes:
        parts = [_part(v, known) for v in node.inputs]
        captured = [_part(v, known) for region in node.regions for v in region.captures]
        if all(part is None for part in (*parts, *captured)):
            continue
        found: Sequence[int | None] = [_OTHER] * len(node.outputs)
        if node.op is ops.add and None in parts:
            (part,) = (p for p in parts if p is not None)
            found = [part if _keeps_type(node, parts.index(part)) else _OTHER]
        elif node.op is ops.subtract and parts[1] is None:
            found = [parts[0] if _keeps_type(node, 0) else _OTHER]
        elif node.op is regions.cond and parts == [None]:
            sides = [_outputs(region, known) for region in node.regions]
            found = [a if a == b else _OTHER for a, b in zip(*sides)]
        known.update((v, part) for v, part in zip(node.outputs, found) if part is not None)
    return known


def _keeps_type(node: Node, position: int) -> bool:
    return is_type(node.inputs[position].type, node.outputs[0].type)


def _outputs(region: Graph, known: _Parts) -> list[int | None]:
    found = _followed(region, dict(known))
    return [_part(v, found) for v in region.outputs]


def loop(tape: Tape, node: Node, env: Env) -> Step:
    """The loop as it is; the backward pass is another one."""
    parts = loop_of(node)
    copy_node(current_builder(), node, env)
    summed = [i for i, v in enumerate(parts.state) if v in tape.active]
    others = [i for i in range(len(parts.state)) if i not in summed]
    captured = [v for v in parts.body.captures if v in tape.active]

    def pull(
        cotangents: Sequence[Value | None], so_far: Callable[[Value], Value | None]
    ) -> Iterable[tuple[Value, Value]]:
        shaped = [env.get(node.outputs[i], node.outputs[i]) for i in summed]
        seeds = instantiate([cotangents[i] for i in summed], shaped)
        starts = [parts.start[i] for i in summed]
        if not captured:
            return zip(starts, seeds)
        before = instantiate(map(so_far, captured), [env.get(v, v) for v in captured])
        first = [env.get(parts.start[i], parts.start[i]) for i in others]
        names = [v.name for v in [parts.state[i] for i in others]]
        with Builder(f"{parts.body.name}_backward") as builder:
            known: Env = ChainMap({}, env)
            known.update((v, builder.input(v.type, v.name)) for v in parts.indices)
            known.update((v, env.get(s, s)) for v, s in zip(parts.state, parts.start))
            for i in others:
                known[parts.state[i]] = builder.input(parts.state[i].type, parts.state[i].name)
            sums = [builder.input(v.type, v.name) for v in before]
            inner = Tape(tape.active, nested=True)
            inner.forward(parts.body, known)
            given = [(parts.body.outputs[i], ct) for i, ct in zip(summed, seeds)]
            pairs = [(v, ct) for v, ct in given if v in tape.active]
            found = inner.backward([*pairs, *zip(captured, sums)], captured)
            following = [known.get(v, v) for v in (parts.body.outputs[i] for i in others)]
            added = [fit(v, x.type) for v, x in zip(instantiate(found, before), before)]
            body = builder.finish([*following, *added])
        results = current_builder().add(
            regions.for_loop,
            [env.get(v, v) for v in parts.operands] + first + before,
            node.attrs,
            [v.type for v in (*first, *before)],
            [body],
            [*names, *(v.name for v in before)],
        )
        return zip([*starts, *captured], [*seeds, *results[len(others) :]])

    return Step(node, pull, continues=True)
