"""Loops and branches of a function that is no kernel as a whole, as functions of one lane.

A function with a call of a library, like `numpy.linalg.solve`, is computed for all lanes at once.
That must not hold for a loop before the call that each lane leaves when it is done: by itself it is
a kernel. It is put into a node of lanes without an axis, so that there is one lane::

    z = while_loop(x)            z = lanes(x, sizes=(), axes=((),))
    y = solve(a, z)                  lane(x) = while_loop(x)
                                 y = solve(a, z)

Batching adds the axis, as it does for lanes of lanes; differentiating the function before that
gives a node of lanes again, see `autograph.transforms.lanes.derivatives`, in place of what each
trip leaves for the way back. Where no lanes come, the node becomes the loop again
(`autograph.transforms.lanes.node.settled`).
"""

from __future__ import annotations

from collections.abc import Sequence

import ops
from autograph.graph.builder import copy_node, current_builder
from autograph.graph.capabilities import Capabilities
from autograph.graph.graph import Graph, Node, Value, walk
from autograph.graph.rewrite import Env, rewrite
from autograph.transforms.analysis.divergence import varying_values
from autograph.transforms.batching.outlining import all_inlined, outlined
from autograph.transforms.lanes.bodies import body_of
from autograph.transforms.lanes.node import add
from autograph.transforms.lanes.recording import closed, is_worth_it
from ops.control import regions
from ops.control.regions import Container
from ops.core.types import ArrayType


def outlined_for_lanes(graph: Graph, capabilities: Capabilities) -> Graph:
    """A graph that is differentiated inside a batched function: with its parts as functions of one
    lane if it is none as a whole, and what else there is of control flow in a named graph."""
    if _has_control_flow(graph) and capabilities.native:
        whole = body_of(graph)
        graphs = current_builder().graphs
        if is_worth_it(whole, whole.inputs) and capabilities.refuses_lane(whole, graphs):
            roots = [v for v in (*graph.inputs, *graph.captures) if isinstance(v.type, ArrayType)]
            graph = _divided(graph, roots, None, capabilities) or graph
    return outlined(graph)


def divided(
    graph: Graph, flags: Sequence[bool], capabilities: Capabilities, axis_name: object
) -> Graph:
    """A graph that is batched, with its parts as functions of one lane, those of graphs that it
    calls included; itself if there are none.

    Args:
        flags: which of its inputs have lanes.
    """
    if not (capabilities.native and _has_control_flow(graph)):
        return graph
    inside = all_inlined(graph, current_builder().graphs)
    if inside is not graph and any(isinstance(n.op, Container) for n in walk(inside)):
        inside = graph  # forward and backward passes may change places with lanes as calls only
    roots = [v for v, flag in zip(inside.inputs, flags) if flag]
    return _divided(inside, roots, axis_name, capabilities) or graph


def _has_control_flow(graph: Graph) -> bool:
    return any(node.regions or node.op is regions.call for node in graph.nodes)


def _divided(
    graph: Graph, roots: Sequence[Value], axis_name: object, capabilities: Capabilities
) -> Graph | None:
    """The graph with its parts as functions of one lane; None if it has none."""
    varying = varying_values(graph, roots, axis_name)
    parts: list[Node] = []

    def change(node: Node, env: Env) -> Sequence[Value] | None:
        if node.op is regions.lanes:
            return copy_node(current_builder(), node, env)
        results = _lane(node, env, varying, capabilities) if node.regions else None
        if results is not None:
            parts.append(node)
        return results

    changed = rewrite(graph, change)
    return changed if parts else None


def _lane(
    node: Node, env: Env, varying: set[Value], capabilities: Capabilities
) -> Sequence[Value] | None:
    """The results of a node as those of a function of one lane; None if it is no kernel."""
    if any(n.op.collective for region in node.regions for n in walk(region)):
        return None
    lane, operands = closed(node.op.name, [node], node.outputs, node.location)
    if not all(isinstance(v.type, ArrayType) for v in (*operands, *node.outputs)):
        return None
    body = body_of(lane)
    roots = [v for v, operand in zip(body.inputs, operands) if operand in varying]
    graphs = current_builder().graphs
    if not is_worth_it(body, roots) or capabilities.refuses_lane(body, graphs) is not None:
        return None
    results = add(lane, [env.get(v, v) for v in operands], [()] * len(operands), ())
    return [
        ops.cast(result, dtype=v.type.dtype.name, weak=True) if v.type.weak else result
        for v, result in zip(node.outputs, results)
    ]
