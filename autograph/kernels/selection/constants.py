"""Array constants of functions that are called.

A kernel takes an array that is known when the function is recorded as an argument, since its
elements may be others in the next call. A function that a kernel calls, or that is built in there,
has no arguments of its own but those of the call: so functions take their array constants, and
those of what they call, as arguments, too.
"""

from __future__ import annotations

from collections.abc import Sequence

from autograph.graph.builder import current_builder
from autograph.graph.graph import Constant, Graph, Module, Node, Value, callees, walk
from autograph.graph.rewrite import Env, rewrite
from ops.control import regions


def with_constants_passed(module: Module) -> Module:
    """A program whose named functions without lanes take their array constants as arguments; the
    same if there are none."""
    graphs = module.graphs
    own = {name: _array_constants(graph) for name, graph in graphs.items()}
    if not any(own.values()):
        return module
    passed: dict[str, list[Constant]] = {}
    for name, graph in graphs.items():
        names = sorted({name, *callees(graph, graphs)})
        if not any(_has_lanes(graphs[n]) for n in names):
            passed[name] = list(dict.fromkeys(c for n in names for c in own[n]))

    def change(node: Node, env: Env) -> Sequence[Value] | None:
        if node.op is not regions.call or not passed.get(node.attrs["callee"]):
            return None
        operands = (*node.inputs, *passed[node.attrs["callee"]])
        return current_builder().copy(node, [env.get(v, v) for v in operands], [])

    changed = {
        name: rewrite(graph, change, captured=passed.get(name, ()))
        for name, graph in graphs.items()
    }
    return Module(rewrite(module.main, change), changed)


def _array_constants(graph: Graph) -> list[Constant]:
    """The array constants in a graph, its regions included."""
    values = [*graph.outputs]
    for node in walk(graph):
        values += [*node.inputs, *(v for region in node.regions for v in region.outputs)]
    return [v for v in dict.fromkeys(values) if isinstance(v, Constant) and v.is_array]


def _has_lanes(graph: Graph) -> bool:
    return any(node.op is regions.lanes for node in walk(graph))
