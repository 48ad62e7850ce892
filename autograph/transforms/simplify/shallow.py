"""Graphs that are nested no deeper than the text of a program may be.

Python's parser takes a hundred levels of indentation, and loops may stand in each other twenty
deep. A chain of ``elif`` in a function of lanes, or its derivative, is nested as deep as the chain
is long. Where control flow is nested too deep, the inner levels become named graphs, which programs
call as functions.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from autograph.graph.builder import Builder, current_builder
from autograph.graph.graph import Graph, Module, Node, Value, free_values
from autograph.graph.rewrite import Env, rewrite
from ops.control import regions

_LEVELS = 30  # of conditionals and loops; a level may take two of text
_LOOPS = 12


def shallow(module: Module) -> Module:
    """A module that computes the same and can be written as a program; the module itself if it
    can."""
    chosen: set[Node] = set()
    for graph in (module.main, *module.graphs.values()):
        _choose(graph, chosen)
    if not chosen:
        return module
    copier = _Copier(module, chosen)
    main = copier.graph(module.main)
    named = {name: copier.graph(graph) for name, graph in module.graphs.items()}
    return Module(main, {**named, **copier.graphs})


def _choose(graph: Graph, chosen: set[Node]) -> tuple[int, int]:
    """Collect the nodes that become functions. How many levels, and how many loops, stand in each
    other in the rest of the graph."""
    levels = loops = 0
    for node in graph.nodes:
        found = [_choose(region, chosen) for region in node.regions]
        if not found or node.op is regions.lanes:
            continue
        here = 1 + max(level for level, _ in found)
        loops_here = max(loop for _, loop in found) + (node.op is not regions.cond)
        if here >= _LEVELS or loops_here >= _LOOPS:
            chosen.add(node)
            continue
        levels, loops = max(levels, here), max(loops, loops_here)
    return levels, loops


class _Copier:
    """Copies graphs, with calls in the place of some nodes.

    Attributes:
        graphs: the functions that are called, by name.
    """

    def __init__(self, module: Module, chosen: set[Node]):
        self.graphs: dict[str, Graph] = {}
        self._chosen = chosen
        base = f"{module.main.name}_inner"
        names = (f"{base}_{n}" if n > 1 else base for n in itertools.count(1))
        self._names = (name for name in names if name not in module.graphs)

    def graph(self, graph: Graph) -> Graph:
        """A copy of a graph, with such calls."""
        return rewrite(graph, self._change)

    def _change(self, node: Node, env: Env) -> Sequence[Value] | None:
        if node not in self._chosen:
            return None
        operands = free_values((), [node], node.outputs)
        types, names = [v.type for v in node.outputs], [v.name for v in node.outputs]
        attrs = {"callee": self._function(node, operands)}
        inputs = [env.get(v, v) for v in operands]
        builder = current_builder()
        return builder.add(regions.call, inputs, attrs, types, (), names, node.required)

    def _function(self, node: Node, operands: Sequence[Value]) -> str:
        """The name of a new graph with a node in it, which takes what that needs."""
        name = next(self._names)
        with Builder(name) as builder:
            env = {v: builder.input(v.type, v.name) for v in operands}
            bodies = [rewrite(region, self._change, env) for region in node.regions]
            outputs = builder.copy(node, [env.get(v, v) for v in node.inputs], bodies)
            self.graphs[name] = builder.finish(outputs, node.location)
        return name
