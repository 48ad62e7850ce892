"""Which batched functions are kept for one lane, and what of them is computed for all lanes.

A function is kept where there is control flow in which lanes differ, or a loop over what differs,
and a kernel of the machine can compute the rest (`autograph.graph.capabilities`). What is the same
in all lanes, and costs something, is computed outside. See `autograph.transforms.lanes.node` for
what becomes of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from autograph.errors import Location
from autograph.graph.builder import copy_nodes, current_builder, graph_of
from autograph.graph.capabilities import Capabilities
from autograph.graph.graph import Constant, Graph, Node, Value, calls_itself, walk
from autograph.graph.purity import is_speculatable
from autograph.graph.rewrite import Env
from autograph.graph.wiring import is_loop, loop_of
from autograph.log import log
from autograph.transforms.analysis.divergence import varying_values
from autograph.transforms.batching import regions as batched
from autograph.transforms.batching.engine import Size, one_lane
from autograph.transforms.lanes.bodies import body_of
from autograph.transforms.lanes.node import add, without_numbers
from ops.control import regions
from ops.core.registry import Elementwise
from ops.core.types import ArrayType


def kept_for_one_lane(
    graph: Graph,
    args: Sequence[Value],
    flags: Sequence[bool],
    size: Size,
    capabilities: Capabilities,
    axis_name: object,
) -> tuple[list[Value], list[bool]] | None:
    """Add a node for a graph applied to many lanes, if that is right for it; else do nothing.

    Args:
        graph, args, flags, size, capabilities, axis_name: as for `autograph.transforms.vmap.vmap`.

    Returns:
        (outputs, which of them have lanes), or None.
    """
    if not (capabilities.native and isinstance(size, int) and size > 0):
        return None
    if not any(node.regions or node.op is regions.call for node in graph.nodes):
        return None
    if not all(isinstance(v.type, ArrayType) for v in (*args, *graph.captures, *graph.outputs)):
        return None
    if any(node.op.collective for node in walk(graph)):
        return None
    varying = varying_values(graph, (v for v, flag in zip(graph.inputs, flags) if flag), axis_name)
    parts = _Parts(graph, varying)
    lane, operands = parts.lane()
    if not all(isinstance(v.type, ArrayType) for v in operands):  # what a pass outside has left
        return None
    body = body_of(lane)
    roots = [v for v, operand in zip(body.inputs, operands) if operand in varying]
    if not is_worth_it(body, roots):
        return None
    why = capabilities.refuses_lane(body, current_builder().graphs)
    if why is not None:
        log.debug("%s: its lanes are no kernel, because %s", graph.name, why)
        return None
    env: Env = dict(zip(graph.inputs, args))
    given = copy_nodes(parts.outside, operands, env)
    moving = [v in varying for v in operands]
    axes = [(0,) if moves else () for moves in moving]
    results = iter(add(without_numbers(lane, moving), given, axes, (size,)))
    outputs = []
    for value in graph.outputs:
        if value in parts.known or isinstance(value, Constant):
            outputs.append(env.get(value, value))
            continue
        result = next(results)
        same = value not in varying
        outputs.append(one_lane(result, Constant(0), value.type) if same else result)
    return outputs, [v in varying for v in graph.outputs]


class _Parts:
    """What of a graph is computed for each lane, and what outside, once.

    Attributes:
        outside, kept: its nodes.
        known: what is known outside: inputs that are the same in all lanes, and the results of
            ``outside``.
    """

    def __init__(self, graph: Graph, varying: set[Value]):
        self.graph = graph
        self.varying = varying
        self.outside: list[Node] = []
        self.kept: list[Node] = []
        self._may_raise = False  # one of those that are kept
        self.known = {v for v in (*graph.inputs, *graph.captures) if v not in varying}
        wanted = self._wanted()
        for node in graph.nodes:
            is_ready = all(v in self.known or _is_constant(v) for v in node.uses())
            is_safe = is_speculatable(node)
            # It runs before those that are kept, but the first to raise is still the first.
            if node in wanted and is_ready and (is_safe or not self._may_raise):
                self.outside.append(node)
                self.known.update(node.outputs)
            else:
                self.kept.append(node)
                self._may_raise |= not is_safe

    def _wanted(self) -> set[Node]:
        """The nodes to be computed outside: what is the same in all lanes if it costs something or
        is a result, and what that is made of."""
        wanted: set[Node] = set()
        needed = set(self.graph.outputs)
        for node in reversed(self.graph.nodes):
            if any(v in self.varying for v in (*node.uses(), *node.outputs)):
                continue
            if any(v in needed for v in node.outputs) or self._costs_something(node):
                wanted.add(node)
                needed.update(node.uses())
        return wanted

    def _costs_something(self, node: Node) -> bool:
        if any(n.op.effect not in (None, "raises") for n in _inside(node)):
            return False  # it happens in each lane
        if node.op.effect or node.regions or node.op is regions.call:
            return True
        if all(map(_is_constant, node.inputs)):
            return False
        return not isinstance(node.op, Elementwise) or any(v.type.shape for v in node.outputs)

    def lane(self) -> tuple[Graph, list[Value]]:
        """The graph for one lane, closed, and the values that it is to be applied to, as those of
        the original graph or from around it."""
        graph = self.graph
        outputs = [v for v in graph.outputs if not (v in self.known or isinstance(v, Constant))]
        return closed(graph.name, self.kept, outputs, graph.location)


def closed(
    name: str, nodes: Sequence[Node], outputs: Sequence[Value], location: Location | None
) -> tuple[Graph, list[Value]]:
    """A graph of some nodes that captures nothing, and the values that it is to be applied to."""
    used = dict.fromkeys(_used(nodes, outputs))
    own = {v for node in nodes for v in node.outputs}
    operands = [v for v in used if v not in own]
    return graph_of(name, operands, nodes, outputs, location), operands


def _inside(node: Node) -> Iterator[Node]:
    yield node
    for region in node.regions:
        yield from walk(region)


def _used(nodes: Iterable[Node], outputs: Iterable[Value]) -> Iterator[Value]:
    """The values that nodes refer to, but for those in regions and numbers."""
    for node in nodes:
        yield from (v for v in node.uses() if not _is_number(v))
        for region in node.regions:
            inside = (v for n in walk(region) for v in n.inputs)
            results = (v for n in (node, *walk(region)) for r in n.regions for v in r.outputs)
            yield from (v for v in (*inside, *results) if _is_array_constant(v))
    yield from outputs


def _is_constant(value: Value) -> bool:
    return isinstance(value, Constant)


def _is_number(value: Value) -> bool:
    return isinstance(value, Constant) and not value.is_array


def _is_array_constant(value: Value) -> bool:
    return isinstance(value, Constant) and value.is_array


def is_worth_it(lane: Graph, roots: Sequence[Value]) -> bool:
    """Whether lanes differ in a way that batching does not handle well: in control flow that is
    not just a choice, in what a loop computes, or in what a function is given that calls itself;
    or they do in what others compute that are called."""
    varying = varying_values(lane, roots)
    graphs = current_builder().graphs
    for node in walk(lane):
        if node.op is regions.cond and node.inputs[0] in varying:
            if not all(map(batched.is_cheap, node.regions)):
                return True
        elif node.op is regions.call and not calls_itself(node.attrs["callee"], graphs):
            callee = graphs[node.attrs["callee"]]
            given = [v for v, x in zip(callee.inputs, node.inputs) if x in varying]
            if is_worth_it(callee, given):
                return True
        elif is_loop(node) or node.op is regions.call:
            computed = loop_of(node).body.inputs if is_loop(node) else node.inputs
            if any(v in varying for v in (*computed, *node.outputs)):
                return True
    return False
