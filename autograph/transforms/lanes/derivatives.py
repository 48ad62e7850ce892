"""Derivatives of functions of one lane, see `autograph.transforms.lanes.node`.

Lanes are independent, so the derivative for all lanes is the derivative for each lane:

    jvp   y, y_dot = lanes { the region with tangents }
    vjp   F:  y = lanes { the region }
          B:  ct_x = lanes { the region again, with residuals; backwards }

Nothing is kept for the backward pass but the operands: what a lane leaves for it would have to lie
in memory, for each trip of each loop, where computing it again leaves it in the cache. The
cotangent of an operand that is the same in all lanes is the sum of those of the lanes. Where such
an operand is large, so that all these would not fit into memory, the node is batched instead.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

import ops
from autograph.graph.builder import Builder, copy_node, current_builder
from autograph.graph.capabilities import MOST_LANE_ELEMENTS
from autograph.graph.graph import Graph, Node, Value
from autograph.graph.rewrite import Env
from autograph.graph.wiring import lanes_of
from autograph.transforms.analysis.activity import active_values, useful_values
from autograph.transforms.batching.outlining import outlined
from autograph.transforms.forward.engine import Forward, dotted
from autograph.transforms.lanes.node import add, expansion
from autograph.transforms.reverse.regions import d
from autograph.transforms.reverse.replay import without_effects
from autograph.transforms.reverse.tape import Step, Tape
from ops.core.types import ArrayType


def jvp(forward: Forward, node: Node, env: Env) -> None:
    lane, axes = lanes_of(node).lane, node.attrs["axes"]
    moving = [i for i, v in enumerate(node.inputs) if forward.tangent(v) is not None]
    inner = Forward(active_values(lane, [lane.inputs[i] for i in moving]))
    with Builder(lane.name) as builder:
        known = {v: builder.input(v.type, v.name) for v in lane.inputs}
        roots = [lane.inputs[i] for i in moving]
        inner.move(roots, [builder.input(v.type, dotted(v)) for v in roots])
        inner.run(lane, known)
        tangents = [inner.tangent(v) for v in lane.outputs]
        moved = [k for k, t in enumerate(tangents) if t is not None]
        outputs = [known.get(v, v) for v in lane.outputs]
        outputs += [t for t in tangents if t is not None]
        body = builder.finish(outputs, lane.location)
    operands = [env.get(v, v) for v in node.inputs]
    operands += [t for v in node.inputs if (t := forward.tangent(v)) is not None]
    results = add(body, operands, [*axes, *(axes[i] for i in moving)], node.attrs["sizes"])
    count = len(node.outputs)
    env.update(zip(node.outputs, results))
    forward.move([node.outputs[k] for k in moved], results[count:])


def vjp(tape: Tape, node: Node, env: Env) -> Step:
    axes, sizes = node.attrs["axes"], node.attrs["sizes"]
    all_axes = tuple(range(len(sizes)))
    wanted = [i for i, v in enumerate(node.inputs) if v in tape.active]
    if any(_is_large(node.inputs[i].type, axes[i], sizes) for i in wanted):
        return _vjp_of_expansion(node, env, wanted)
    inputs = [env.get(v, v) for v in node.inputs]
    copy_node(current_builder(), node, env)

    def pull(cotangents: Sequence[Value | None]) -> Iterable[tuple[Value, Value]]:
        seeded = [k for k, ct in enumerate(cotangents) if ct is not None]
        body, found = _backward(lanes_of(node).lane, wanted, seeded)
        seeds = [ct for ct in cotangents if ct is not None]
        results = add(body, [*inputs, *seeds], [*axes, *(all_axes for _ in seeds)], sizes)
        for i, result in zip(found, results):
            shared = tuple(axis for axis in all_axes if axis not in axes[i])
            yield node.inputs[i], ops.sum(result, axis=shared) if shared else result

    return Step(node, pull)


def _is_large(type: ArrayType, axes: Sequence[int], sizes: Sequence[int]) -> bool:
    """Whether an operand is the same in several lanes and has many elements."""
    if len(axes) == len(sizes):
        return False
    return math.prod(type.known(range(len(axes), type.ndim))) > MOST_LANE_ELEMENTS


def _backward(lane: Graph, wanted: Sequence[int], seeded: Sequence[int]) -> tuple[Graph, list[int]]:
    """The graph that takes the operands of ``lane`` and cotangents of some of its outputs, by
    position, to the cotangents of some operands; and which of those are not zero.

    Derivatives in it are calls of named graphs, like those of functions with control flow that are
    differentiated in a batched function; `autograph.transforms.vmap` tells why.
    """
    calling = outlined(without_effects(lane))  # in the forward pass they were checked
    roots = [calling.inputs[i] for i in wanted]
    chosen = [calling.outputs[k] for k in seeded]
    inner = Tape(active_values(calling, roots) & useful_values(calling, chosen))
    with Builder(f"{lane.name}_backward") as builder:
        known = {v: builder.input(v.type, v.name) for v in calling.inputs}
        seeds = [builder.input(v.type.strong(), d(v)) for v in (lane.outputs[k] for k in seeded)]
        inner.forward(calling, known)
        cotangents = inner.backward(zip(chosen, seeds), roots)
        found = [i for i, ct in zip(wanted, cotangents) if ct is not None]
        outputs = [ct for ct in cotangents if ct is not None]
        return builder.finish(outputs, lane.location), found


def _vjp_of_expansion(node: Node, env: Env, wanted: Sequence[int]) -> Step:
    graph = expansion(node)
    roots = [graph.inputs[i] for i in wanted]
    inner = Tape(active_values(graph, roots) & useful_values(graph))
    known = {v: env.get(o, o) for v, o in zip(graph.inputs, node.inputs)}
    inner.forward(graph, known)
    env.update((v, known.get(o, o)) for v, o in zip(node.outputs, graph.outputs))

    def pull(cotangents: Sequence[Value | None]) -> Iterable[tuple[Value, Value | None]]:
        results = inner.backward(zip(graph.outputs, cotangents), roots)
        return zip((node.inputs[i] for i in wanted), results)

    return Step(node, pull)
