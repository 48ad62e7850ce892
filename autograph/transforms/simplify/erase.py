"""Nodes that only transforms ask for become what they compute.

A node of a custom derivative holds the function and its rules, for the transforms that the user may
still apply, and that of a checkpoint says what they are to compute again. Once a graph is about to
become a program none will come: the node is then the nodes of the region that runs, which computes
its results from its operands. What is ``saved`` is what was kept; it is not computed again.

What is computed again would be the same to simplification as what was computed before, were it not
for a mark. The code generator gets the graph without them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from autograph.graph.graph import Graph, Module, Node, Value, walk
from autograph.graph.rewrite import Env, rewrite, rewrite_nodes
from autograph.graph.wiring import wiring
from ops.control import regions
from ops.control.regions import Structured
from ops.core.registry import Op
from ops.random.draws import drawn
from ops.structure.identity import as_long_as


def erase(module: Module) -> Module:
    """The module without nodes that only transforms ask for, also in its named graphs and in
    regions; itself if it has none."""
    return _without(module, lambda op: op in (regions.saved, as_long_as, drawn) or not _runs(op))


def has_marks(module: Module) -> bool:
    """Whether something in the module is computed again."""
    graphs = (module.main, *module.graphs.values())
    return any(node.op is regions.recompute for graph in graphs for node in walk(graph))


def without_marks(module: Module) -> Module:
    """The simplified module without the marks of what is computed again."""
    return _without(module, lambda op: op is regions.recompute)


def _runs(op: Op) -> bool:
    return not isinstance(op, Structured) or op.runs


def _without(module: Module, is_erased: Callable[[Op], bool]) -> Module:
    main = _erased(module.main, is_erased)
    graphs = {name: _erased(graph, is_erased) for name, graph in module.graphs.items()}
    if main is module.main and all(graphs[name] is g for name, g in module.graphs.items()):
        return module
    return Module(main, graphs)


def _erased(graph: Graph, is_erased: Callable[[Op], bool]) -> Graph:
    if not any(is_erased(node.op) for node in walk(graph)):
        return graph

    def change(node: Node, env: Env) -> Sequence[Value] | None:
        if not is_erased(node.op):
            return None
        if node.op.stands_for is not None:
            # From here on it also stands for the first operand.
            operand = node.inputs[node.op.stands_for]
            result = env[node.inputs[0]] = env.get(operand, operand)
            return [result]
        wires = wiring(node)
        (region,) = wires.runs
        env.update((inside, env.get(v, v)) for inside, v in zip(region.inputs, wires.operands))
        rewrite_nodes(region.nodes, change, env)
        return [env.get(v, v) for v in region.outputs]

    return rewrite(graph, change)
