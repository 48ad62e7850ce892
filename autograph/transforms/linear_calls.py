"""Linear functions that come with their transpose: the derivatives of a ``linear_call``.

The derivative of a linear function is the function itself, applied to tangents, and its transpose,
applied to cotangents, which is linear too and has the function as its transpose. So derivatives of
all orders are the same two regions, copied, and none needs to know how they compute what they do:
by iterations, say, of which nobody would want the derivative.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from autograph.graph.builder import copy_graph, copy_node, current_builder
from autograph.graph.graph import Graph, Node, Value
from autograph.graph.rewrite import Env
from autograph.graph.wiring import linear_call_of
from autograph.transforms.forward.engine import Forward
from autograph.transforms.reverse.tape import Cotangents, Step, Tape, instantiate


def vjp(tape: Tape, node: Node, env: Env) -> Step:
    copy_node(current_builder(), node, env)
    call = linear_call_of(node)
    transposed = call.transpose, call.function

    def pull(cotangents: Cotangents) -> Iterable[tuple[Value, Value]]:
        seeds = instantiate(cotangents, [env.get(v, v) for v in node.outputs])
        return zip(node.inputs, _called(node, transposed, seeds, node.inputs, env))

    return Step(node, pull)


def jvp(forward: Forward, node: Node, env: Env) -> None:
    copy_node(current_builder(), node, env)
    if not forward.moves(node.inputs):
        return
    inputs = [env.get(v, v) for v in node.inputs]
    tangents = instantiate(map(forward.tangent, node.inputs), inputs)
    forward.move(node.outputs, _called(node, linear_call_of(node), tangents, node.outputs, env))


def _called(
    node: Node, regions: Sequence[Graph], args: Sequence[Value], results: Sequence[Value], env: Env
) -> tuple[Value, ...]:
    """A call like that of the node, of other arguments, with results like those given."""
    copies = [copy_graph(region, dict(env)) for region in regions]
    types = [v.type for v in results]
    return current_builder().add(node.op, args, node.attrs, types, copies)
