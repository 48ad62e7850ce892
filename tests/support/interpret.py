"""A reference interpreter: runs a graph node by node on ordinary values.

It is as simple as can be, so that it can be believed, and shares nothing with the compiler but the
operators' own evaluation.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autograph.graph.graph import Constant, Graph, Module, Node, Value
from ops.control import effects, regions


def interpret(target: Graph | Module, *args: Any, trace: list | None = None) -> tuple:
    """The outputs of a graph applied to ``args``.

    Args:
        target: a whole graph, or a module whose main graph is run.
        args: what its inputs are.
        trace: a list to which each ``check`` that runs adds its message, in order.
    """
    module = target if isinstance(target, Module) else Module(target)
    return _Run(module, trace if trace is not None else []).graph(module.main, args, {})


class _Run:
    def __init__(self, module: Module, trace: list):
        self.graphs = module.graphs
        self.trace = trace

    def graph(self, graph: Graph, args: Any, around: dict[Value, Any]) -> tuple:
        env = {**around, **dict(zip(graph.inputs, args))}
        for node in graph.nodes:
            env.update(zip(node.outputs, self.node(node, env)))
        return self.read(graph.outputs, env)

    def read(self, values: Any, env: dict[Value, Any]) -> tuple:
        return tuple(v.data if isinstance(v, Constant) else env[v] for v in values)

    def node(self, node: Node, env: dict[Value, Any]) -> tuple:
        args = self.read(node.inputs, env)
        if node.op is regions.cond:
            then, orelse = node.regions
            return self.graph(then if args[0] else orelse, (), env)
        if node.op is regions.while_loop:
            test, body = node.regions
            while self.graph(test, args, env)[0]:
                args = self.graph(body, args, env)
            return args
        if node.op is regions.for_loop:
            count, *state = args
            for i in range(count):
                state = self.graph(node.regions[0], (i, *state), env)
            return tuple(state)
        if node.op is regions.call:
            return self.graph(self.graphs[node.attrs["callee"]], args, {})
        if node.op is effects.check:
            self.trace.append(node.attrs["message"])
        result = node.op.evaluate(np, args, node.attrs)
        several = len(node.outputs) != 1 or node.op in (regions.unpack, regions.unpack_ct)
        return (result,) if not several else tuple(result or ())
