"""Forward mode through conditionals, loops, calls, and the packs and stacks of reverse mode.

A structured node is built anew with the tangents of its results as further results, after the
others. Where paths join, every value that has a tangent on one of them has one on all, so zeros are
filled in.
"""

from __future__ import annotations

from collections.abc import Sequence

import ops
from autograph.graph import derived
from autograph.graph.builder import Builder, copy_node, copy_nodes, current_builder
from autograph.graph.graph import Graph, Node, Value
from autograph.graph.rewrite import Env
from autograph.graph.wiring import Loop, loop_of, wiring
from autograph.transforms.analysis.activity import active_values
from autograph.transforms.forward.engine import Forward, dotted
from autograph.transforms.reverse.regions import EMPTY_STACK, ZERO_PACK
from autograph.transforms.reverse.tape import add_cotangents, instantiate
from ops.control import regions
from ops.control.regions import PACK
from ops.core.lengths import split_shape
from ops.core.types import ArrayType


def _moving(forward: Forward, values: Sequence[Value]) -> list[int]:
    """The positions of the values that may have tangents."""
    return [i for i, v in enumerate(values) if v in forward.active]


def _instantiated(
    forward: Forward, values: Sequence[Value], positions: Sequence[int], env: Env
) -> list[Value]:
    """The tangents of the values at some positions, zeros where they have none."""
    wanted = [values[i] for i in positions]
    return instantiate(map(forward.tangent, wanted), [env.get(v, v) for v in wanted])


def _add(
    forward: Forward,
    node: Node,
    inputs: Sequence[Value],
    bodies: Sequence[Graph],
    moving: Sequence[int],
    env: Env,
    attrs: dict | None = None,
) -> None:
    """Add the new node, whose results are those of ``node`` and the tangents of those that move."""
    results = [*node.outputs, *(node.outputs[i] for i in moving)]
    names = [v.name for v in node.outputs] + [dotted(node.outputs[i]) for i in moving]
    types = [v.type for v in results]
    builder = current_builder()
    attrs = node.attrs if attrs is None else attrs
    added = builder.add(node.op, inputs, attrs, types, bodies, names, node.required)
    count = len(node.outputs)
    env.update(zip(node.outputs, added[:count]))
    forward.move([node.outputs[i] for i in moving], added[count:])


def cond(forward: Forward, node: Node, env: Env) -> None:
    """Also the rule of a checkpoint, which is like a conditional with one branch."""
    moving = _moving(forward, node.outputs)
    branches = []
    for region in node.regions:
        with Builder(region.name) as builder:
            forward.run(region, env)
            tangents = _instantiated(forward, region.outputs, moving, env)
            branches.append(builder.finish([*(env.get(v, v) for v in region.outputs), *tangents]))
    _add(forward, node, [env.get(v, v) for v in node.inputs], branches, moving, env)


def loop(forward: Forward, node: Node, env: Env) -> None:
    loop = loop_of(node)
    moving = _moving(forward, loop.state)
    bodies = [_test(test, moving, env) for test in wiring(node).tests]
    bodies.append(_body(forward, loop, moving, env))
    operands = [env.get(v, v) for v in node.inputs]
    operands += _instantiated(forward, loop.start, moving, env)
    _add(forward, node, operands, bodies, moving, env)


def _test(test: Graph, moving: Sequence[int], env: Env) -> Graph:
    """A loop's test of a state with tangents."""
    with Builder(test.name) as builder:
        env.update((v, builder.input(v.type, v.name)) for v in test.inputs)
        for i in moving:
            builder.input(test.inputs[i].type, dotted(test.inputs[i]))
        return builder.finish(copy_nodes(test.nodes, test.outputs, env))


def _body(forward: Forward, loop: Loop, moving: Sequence[int], env: Env) -> Graph:
    """A loop's body with tangents."""
    body = loop.body
    with Builder(body.name) as builder:
        env.update((v, builder.input(v.type, v.name)) for v in body.inputs)
        movers = [loop.state[i] for i in moving]
        forward.move(movers, [builder.input(v.type, dotted(v)) for v in movers])
        forward.run(body, env)
        tangents = _instantiated(forward, body.outputs, moving, env)
        return builder.finish([*(env.get(v, v) for v in body.outputs), *tangents])


# -- calls -----------------------------------------------------------------------------------------


def call(forward: Forward, node: Node, env: Env) -> None:
    if not forward.moves(node.inputs):
        copy_node(current_builder(), node, env)
        return
    flags = tuple(forward.tangent(v) is not None for v in node.inputs)
    callee = differentiated(current_builder(), node.attrs["callee"], flags)
    inputs = [env.get(v, v) for v in node.inputs]
    inputs += [t for v in node.inputs if (t := forward.tangent(v)) is not None]
    moving = [i for i, v in enumerate(node.outputs) if v.type.inexact]
    _add(forward, node, inputs, (), moving, env, {**node.attrs, "callee": callee})


def differentiated(builder: Builder, callee: str, active: tuple[bool, ...]) -> str:
    """The name of the graph that also computes tangents of the named graph ``callee``; it is added
    to the module if need be.

    It takes the arguments and the tangents of those that are ``active``, and gives the results and
    the tangents of all that are floating-point: a caller can't know which of them are zero while
    the callee is still being built. The name is taken before that, so that a recursive function
    finds it.
    """
    name, is_new = derived.find(builder, callee, "jvp", active)
    if not is_new:
        return name
    graph = builder.graphs[callee]
    roots = [v for v, flag in zip(graph.inputs, active) if flag]
    forward = Forward(active_values(graph, roots))
    with Builder(name) as inner:
        env = {v: inner.input(v.type, v.name) for v in graph.inputs}
        forward.move(roots, [inner.input(v.type, dotted(v)) for v in roots])
        forward.run(graph, env)
        outputs = [env.get(v, v) for v in graph.outputs]
        moving = [i for i, v in enumerate(graph.outputs) if v.type.inexact]
        tangents = _instantiated(forward, graph.outputs, moving, env)
        derived.finish(builder, name, inner, [*outputs, *tangents])
    return name


# -- packs and stacks ------------------------------------------------------------------------------


def pack(forward: Forward, node: Node, env: Env) -> None:
    copy_node(current_builder(), node, env)
    if forward.moves(node.inputs):
        tangents = [forward.tangent(v) for v in node.inputs]
        slots = [ZERO_PACK if t is None else t for t in tangents]
        forward.move(node.outputs, [regions.pack(*slots, **node.attrs)])


def unpack(forward: Forward, node: Node, env: Env) -> None:
    outputs = copy_node(current_builder(), node, env)
    tangent = forward.tangent(node.inputs[0])
    if tangent is None:
        return
    types = tuple(v.type if v.type.inexact else PACK for v in outputs)
    arrays = [v for v, type in zip(outputs, types) if isinstance(type, ArrayType)]
    _, lengths = split_shape(n for v in arrays for n in ops.lengths_of(v))
    operands = [tangent, *lengths]
    results = current_builder().add(regions.unpack_ct, operands, {"types": types}, types)
    forward.move(node.outputs, [r if v.type.inexact else None for r, v in zip(results, outputs)])


def push(forward: Forward, node: Node, env: Env) -> None:
    copy_node(current_builder(), node, env)
    if forward.moves(node.inputs):
        stack, pack = (forward.tangent(v) for v in node.inputs)
        stack = EMPTY_STACK if stack is None else stack
        pack = ZERO_PACK if pack is None else pack
        forward.move(node.outputs, [regions.push(stack, pack)])


def pop(forward: Forward, node: Node, env: Env) -> None:
    copy_node(current_builder(), node, env)
    tangent = forward.tangent(node.inputs[0])
    if tangent is not None:
        forward.move(node.outputs, regions.pop(tangent))


def add_ct(forward: Forward, node: Node, env: Env) -> None:
    copy_node(current_builder(), node, env)
    terms = [t for t in map(forward.tangent, node.inputs) if t is not None]
    if terms:
        total = terms[0] if len(terms) == 1 else add_cotangents(*terms)
        forward.move(node.outputs, [total])
