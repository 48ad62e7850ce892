"""Array constants that a program owns are copied when it returns them.

``np.arange(3)`` with known arguments is a constant of the graph, made once. In the user's program
it is a new array at each call, which may be changed afterwards.
"""

from __future__ import annotations

from collections.abc import Collection

import numpy as np

import ops
from autograph.graph.builder import Builder, inline
from autograph.graph.graph import Constant, Graph, Module, Value
from autograph.transforms.analysis.flow import OriginMap, memory_of, root


def copy_own_constants(module: Module, outside: Collection[int]) -> Module:
    """The module, whose results never share memory with its own array constants: neither as these,
    nor as what a branch, a loop without trips or a call gives.

    Args:
        outside: the identities of arrays from outside the function, which results may share.
    """
    main = _with_copies(module.main, outside)
    graphs = {name: _with_copies(graph, outside) for name, graph in module.graphs.items()}
    same = main is module.main and all(graphs[name] is module.graphs[name] for name in graphs)
    return module if same else Module(main, graphs)


def _with_copies(graph: Graph, outside: Collection[int]) -> Graph:
    def is_own(source: Value) -> bool:
        return (
            isinstance(source, Constant)
            and isinstance(source.data, np.ndarray)
            and id(source.data) not in outside
        )

    results = [value for value in graph.outputs if not _is_element(value)]
    straight = {value for value in results if is_own(root(value))}
    origins: OriginMap = {}
    joined = {
        source
        for value in results
        if value not in straight
        for source in memory_of(value, origins)[0]
        if is_own(source)
    }
    if not straight and not joined:
        return graph
    with Builder(graph.name) as builder:
        inputs = [builder.input(v.type, v.name) for v in graph.inputs]
        env = {source: builder.lift(ops.copy(source)) for source in joined}
        outputs = inline(graph, inputs, env)
        copied = [ops.copy(v) if old in straight else v for old, v in zip(graph.outputs, outputs)]
        return builder.finish(copied, graph.location)


def _is_element(value: Value) -> bool:
    """Whether a value is an element of an array, which NumPy gives as a number: no view."""
    node = value.producer
    if node is None or node.op is not ops.getitem or value.type.shape != ():
        return False
    return ("ellipsis",) not in node.attrs["index"]
