"""The function for one part of a mesh, for the parts to be lanes of one process, or processes.

What its types say of variance has served its purpose by then, and `vary` with it, which does
nothing. For lanes, the axes are those of `vmap` now, one inside the other; for processes, each runs
the graph, and `meet` takes the place of what brings parts together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, MutableMapping, Sequence
from typing import Any

import ops
from autograph.graph.builder import Builder, current_builder
from autograph.graph.graph import Graph, Node, Value, callees, walk
from autograph.graph.variance import axes_of
from autograph.graph.wiring import custom_vjp_of, linear_call_of
from autograph.settings import VERIFY
from autograph.transforms.analysis.invariance import verify_invariance
from ops.control import regions
from ops.control.collectives import (
    lane_number,
    lanes_gathered,
    lanes_summed,
    own_part,
    parts_gathered,
    vary,
    whole_of_process,
)
from ops.control.meetings import agree, meet, meet_in_sum
from ops.control.meshes import MeshAxis
from ops.core.types import ArrayType

# Bytes of an array that is summed by itself: to pack it costs a copy, not to do so the latencies of
# one more message, which are as long between some hundred processes.
LARGE = 2**18


def over_lanes(graph: Graph) -> Graph:
    """A graph like that for one part of a mesh, for one lane; so are those that it calls, which
    keep their names."""
    graphs = current_builder().graphs
    for name in callees(graph, graphs):
        graphs[name] = _copied_for_lanes(graphs[name], {})
    return _copied_for_lanes(graph, {})


def over_processes(graph: Graph) -> Graph:
    """The graph of a program that each process of a mesh runs; so are those that it calls, which
    keep their names.

    Raises:
        VerificationError: if AUTOGRAPH_VERIFY is 1, what its types say of variance is wrong.
    """
    graphs = current_builder().graphs
    if VERIFY:  # derivatives taken outside of functions for the mesh are in it by now
        verify_invariance(graph, graphs, every_value=True)
    for name in callees(graph, graphs):
        graphs[name] = _Meetings().copied(graphs[name], {})
    return _Meetings().copied(graph, {}, agrees=True)


def without_variance(names: Iterable[str]) -> None:
    """Let named graphs say nothing of variance."""
    graphs = current_builder().graphs
    for name in names:
        graphs[name] = copied(graphs[name], {})


def copied(graph: Graph, env: MutableMapping[Value, Value]) -> Graph:
    """A copy without variance, its captures read through ``env``."""
    return _copied(graph, env, added)


def _copied(
    graph: Graph,
    env: MutableMapping[Value, Value],
    add: Callable[[Node, MutableMapping[Value, Value]], Sequence[Value]],
) -> Graph:
    with Builder(graph.name) as builder:
        for value in graph.inputs:
            env[value] = builder.input(plain(value.type), value.name)
        for node in graph.nodes:
            with builder.at(node.location):
                env.update(zip(node.outputs, add(node, env)))
        return builder.finish([env.get(v, v) for v in graph.outputs], graph.location)


def added(
    node: Node,
    env: MutableMapping[Value, Value],
    copied: Callable[[Graph, MutableMapping[Value, Value]], Graph] = copied,
) -> Sequence[Value]:
    """What the results of a node become, added to the current builder.

    Args:
        copied: copies its regions.
    """
    inputs = [env.get(v, v) for v in node.inputs]
    if node.op in (vary, own_part, whole_of_process):
        return inputs
    return current_builder().add(
        lanes_gathered if node.op is parts_gathered else node.op,
        inputs,
        plain(node.attrs),
        [plain(v.type) for v in node.outputs],
        [copied(region, env) for region in node.regions],
        [v.name for v in node.outputs],
        node.required,
    )


def plain(content: Any) -> Any:
    """Attributes and types without the axes of a mesh."""
    if isinstance(content, ArrayType):
        return content.invariant()
    if isinstance(content, MeshAxis):
        return content.name
    if type(content) is dict:
        return {key: plain(item) for key, item in content.items()}
    return tuple(map(plain, content)) if type(content) is tuple else content


# -- lanes -----------------------------------------------------------------------------------------


def _copied_for_lanes(graph: Graph, env: MutableMapping[Value, Value]) -> Graph:
    return _copied(graph, env, _added_for_lanes)


def _added_for_lanes(node: Node, env: MutableMapping[Value, Value]) -> Sequence[Value]:
    backward = None
    if node.op is regions.custom_vjp:
        backward = custom_vjp_of(node).backward
    elif node.op is regions.linear_call:
        backward = linear_call_of(node).transpose

    def copied(region: Graph, env: MutableMapping[Value, Value]) -> Graph:
        body = _copied_for_lanes(region, env)
        return _given_once(node, body) if region is backward else body

    return added(node, env, copied)


def _given_once(node: Node, backward: Graph) -> Graph:
    """A user's rule for cotangents, where lanes have those of what is the same in all of them: such
    a cotangent is the same in all parts, and `vmap` adds what each lane gives. So one gives it."""
    arguments = [v for v in node.inputs if v.type.inexact]
    along = axes_of(*node.inputs, *node.outputs)
    if all(axes_of(v) == along for v in arguments):
        return backward
    with Builder(backward.name) as builder:
        builder.inputs, builder.nodes = [*backward.inputs], [*backward.nodes]
        cotangents = []
        for ct, value in zip(backward.outputs, arguments):
            for name in sorted(along - axes_of(value)):
                number = builder.apply(lane_number, (), {"axis_name": name})
                ct = ops.where(ops.equal(number, 0), ct, ops.zeros_like(ct))
            cotangents.append(ct)
        return builder.finish(cotangents, backward.location)


# -- processes -------------------------------------------------------------------------------------


class _Meetings:
    """Copies graphs with `meet` in place of the operators in which parts of a mesh meet.

    Sums that do not wait for each other are one: each is put off until its result is needed, and
    then all are added that wait. Large arrays are summed one by one, each of them in its own memory
    if that may be.
    """

    def copied(
        self, graph: Graph, env: MutableMapping[Value, Value], agrees: bool = False
    ) -> Graph:
        """A copy of a graph.

        Args:
            agrees: whether it begins by asking whether its inputs are the same in all processes.
        """
        with Builder(graph.name) as builder:
            waiting: list[Node] = []
            for value in graph.inputs:
                env[value] = builder.input(plain(value.type), value.name)
            if agrees:
                _add_agreement(graph, env)
            for node in graph.nodes:
                if node.op is lanes_summed and _is_of_mesh(node):
                    if self._waits(node, waiting):
                        self._add_sums(waiting, env)
                    waiting.append(node)
                    continue
                if self._waits(node, waiting) or _has_effect(node):
                    self._add_sums(waiting, env)
                with builder.at(node.location):
                    env.update(zip(node.outputs, self._added(node, env)))
            self._add_sums(waiting, env)
            return builder.finish([env.get(v, v) for v in graph.outputs], graph.location)

    def _waits(self, node: Node, waiting: Sequence[Node]) -> bool:
        """Whether a node uses sums that have been put off."""
        if not waiting:
            return False
        results = {v for other in waiting for v in other.outputs}
        used = [*node.inputs, *(v for region in node.regions for v in region.captures)]
        return any(v in results for v in used)

    def _add_sums(self, waiting: list[Node], env: MutableMapping[Value, Value]) -> None:
        """Add the sums that were put off, those along one axis as one, but for large arrays."""
        groups: dict[Any, list[Node]] = {}
        for node in waiting:
            own = node if _is_large(node.inputs[0]) else None
            groups.setdefault((node.attrs["axis_name"], own), []).append(node)
        for nodes in groups.values():
            operands = [env.get(v, v) for node in nodes for v in node.inputs]
            results = [v for node in nodes for v in node.outputs]
            with current_builder().at(nodes[0].location):
                env.update(zip(results, _met(nodes[0], operands, results)))
        waiting.clear()

    def _added(self, node: Node, env: MutableMapping[Value, Value]) -> Sequence[Value]:
        if _is_of_mesh(node):
            return _met(node, [env.get(v, v) for v in node.inputs], node.outputs)
        return added(node, env, self.copied)


def _add_agreement(graph: Graph, env: MutableMapping[Value, Value]) -> None:
    """Refuse inputs that are not the same in all processes, but for parts of divided arrays."""
    nodes = [*walk(graph)]
    divided = {v for node in nodes if node.op is own_part for v in node.inputs}
    same = [v for v in graph.inputs if v not in divided]
    if same:
        names = tuple(v.name or f"argument {i}" for i, v in enumerate(same))
        operands = [env[v] for v in same]
        attrs = {"program": f"{graph.name} {graph.location}", "names": names}
        current_builder().add(agree, operands, attrs, (), required=True)


def _is_of_mesh(node: Node) -> bool:
    return isinstance(node.attrs.get("axis_name"), MeshAxis)


def _is_large(value: Value) -> bool:
    type = value.type
    known = isinstance(type, ArrayType) and type.is_static
    return known and type.size * type.dtype.itemsize >= LARGE


def _has_effect(node: Node) -> bool:
    inside = (n for region in node.regions for n in walk(region))
    return any(n.op.effect is not None for n in (node, *inside)) or bool(node.regions)


def _met(node: Node, operands: Sequence[Value], results: Sequence[Value]) -> tuple[Value, ...]:
    attrs = dict(node.attrs)
    axis = attrs.pop("axis_name")
    types = tuple(plain(v.type) for v in results)
    where = "" if node.location is None else str(node.location)
    detail = tuple(attrs.get(name) for name in ("lane", "pairs") if name in attrs)
    new = {
        "kind": node.op.name,
        "axis": axis,
        "detail": detail[0] if detail else None,
        "where": where,
        "types": types,
    }
    op = meet_in_sum if node.op is lanes_summed and len(operands) == 1 else meet
    return current_builder().add(op, operands, new, types, (), [v.name for v in results])
