"""Nodes that only transforms ask for become what they compute.

A node of a custom derivative holds the function and its rules, for the transforms that the user may
still apply, and that of a checkpoint says what they are to compute again. Once a graph is about to
become a program none will come: the node is then the nodes of its first region, which computes its
results from its operands. What is ``saved`` is what was kept; it is not computed again.

What is computed again would be the same to simplification as what was computed before, were it not
for a mark. The code generator gets the graph without them.
"""

from __future__ import annotations

from collections.abc import Collection

from autograph.graph.builder import Builder
from autograph.graph.graph import Graph, Module, Value, walk
from ops import regions
from ops.registry import Op
from ops.structural import as_long_as

# The operators of which only the first region runs. Its inputs are the node's operands, and its
# outputs the node's results.
ERASED = frozenset({regions.custom_vjp, regions.custom_jvp, regions.checkpoint})

# Those whose result is one of their operands, and which that is. From there on it also stands for
# the first operand.
_OPERANDS: dict[Op, int] = {regions.saved: 1, regions.recompute: 0, as_long_as: 0}


def erase(module: Module) -> Module:
    """The module without nodes that only transforms ask for, also in its named graphs and in
    regions; itself if it has none."""
    return _without(module, {*ERASED, regions.saved, as_long_as})


def has_marks(module: Module) -> bool:
    """Whether something in the module is computed again."""
    graphs = (module.main, *module.graphs.values())
    return any(node.op is regions.recompute for graph in graphs for node in walk(graph))


def without_marks(module: Module) -> Module:
    """The simplified module without the marks of what is computed again."""
    return _without(module, {regions.recompute})


def _without(module: Module, ops: Collection[Op]) -> Module:
    main = _erased(module.main, ops)
    graphs = {name: _erased(graph, ops) for name, graph in module.graphs.items()}
    if main is module.main and all(graphs[name] is g for name, g in module.graphs.items()):
        return module
    return Module(main, graphs)


def _erased(graph: Graph, ops: Collection[Op]) -> Graph:
    if not any(node.op in ops for node in walk(graph)):
        return graph
    return _copy(graph, {}, ops)


def _copy(graph: Graph, env: dict[Value, Value], ops: Collection[Op]) -> Graph:
    with Builder(graph.name) as builder:
        env.update((v, builder.input(v.type, v.name)) for v in graph.inputs)
        _copy_nodes(builder, graph, env, ops)
        copy = builder.finish([env.get(v, v) for v in graph.outputs])
    copy.location = graph.location
    return copy


def _copy_nodes(
    builder: Builder, graph: Graph, env: dict[Value, Value], ops: Collection[Op]
) -> None:
    for node in graph.nodes:
        inputs = [env.get(v, v) for v in node.inputs]
        if node.op in ops and node.op in _OPERANDS:
            stands_for = inputs[_OPERANDS[node.op]]
            env.update((v, stands_for) for v in (*node.inputs[:1], *node.outputs))
            continue
        if node.op in ops:
            primal = node.regions[0]
            env.update(zip(primal.inputs, inputs))
            _copy_nodes(builder, primal, env, ops)
            env.update((v, env.get(o, o)) for v, o in zip(node.outputs, primal.outputs))
            continue
        types, names = [v.type for v in node.outputs], [v.name for v in node.outputs]
        bodies = [_copy(region, env, ops) for region in node.regions]
        env.update(
            zip(node.outputs, builder.add(node.op, inputs, node.attrs, types, bodies, names))
        )
        builder.nodes[-1].location = node.location
        builder.nodes[-1].required = node.required
