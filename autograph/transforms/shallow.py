"""Graphs that are nested no deeper than the text of a program may be.

Python's parser takes a hundred levels of indentation, and loops may stand in each other twenty
deep. A chain of ``elif`` in a function of lanes, or its derivative, is nested as deep as the chain
is long. Where control flow is nested too deep, the inner levels become named graphs, which programs
call as functions.
"""

from __future__ import annotations

import itertools

from autograph.graph.builder import Builder, copy_node
from autograph.graph.graph import Graph, Module, Node, Value, free_values
from ops import regions

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
    main = copier.graph(module.main, {})
    named = {name: copier.graph(graph, {}) for name, graph in module.graphs.items()}
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

    def graph(self, graph: Graph, env: dict[Value, Value]) -> Graph:
        """A copy of a graph, its captures read through ``env``."""
        with Builder(graph.name) as builder:
            for value in graph.inputs:
                env[value] = builder.input(value.type, value.name)
            for node in graph.nodes:
                if node in self._chosen:
                    copy_node(builder, self._called(node), env)
                else:
                    self._copy(builder, node, env)
            copy = builder.finish([env.get(v, v) for v in graph.outputs])
        copy.location = graph.location
        return copy

    def _copy(self, builder: Builder, node: Node, env: dict[Value, Value]) -> None:
        inputs = tuple(env.get(v, v) for v in node.inputs)
        inner = tuple(self.graph(region, env) for region in node.regions)
        copy = Node(node.op, inputs, node.attrs, inner, (), node.location, node.required)
        copy.outputs = tuple(Value(v.type, v.name, copy) for v in node.outputs)
        builder.nodes.append(copy)
        env.update(zip(node.outputs, copy.outputs))

    def _called(self, node: Node) -> Node:
        """A call of a new graph with a node in it."""
        operands = free_values((), [node], node.outputs)
        name = next(self._names)
        with Builder(name) as builder:
            env = {v: builder.input(v.type, v.name) for v in operands}
            self._copy(builder, node, env)
            closed = builder.finish([env[v] for v in node.outputs])
        closed.location = node.location
        self.graphs[name] = closed
        attrs = {"callee": name}
        return Node(regions.call, operands, attrs, (), node.outputs, node.location, node.required)
