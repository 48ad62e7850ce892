"""Array constants that a program owns are copied when it returns them.

``np.arange(3)`` with known arguments is a constant of the graph, made once. In the user's program
it is a new array at each call, which may be changed afterwards.
"""

from __future__ import annotations

from collections.abc import Collection

import numpy as np

import ops
from autograph.graph.builder import Builder, inline
from autograph.graph.graph import Constant, Module, Value
from autograph.transforms.analysis.flow import root


def copy_own_constants(module: Module, outside: Collection[int]) -> Module:
    """The module, whose results never share memory with its own array constants.

    Args:
        outside: the identities of arrays from outside the function, which results may share.
    """
    main = module.main

    def is_own(value: Value) -> bool:
        source = root(value)
        return (
            not _is_element(value)
            and isinstance(source, Constant)
            and isinstance(source.data, np.ndarray)
            and id(source.data) not in outside
        )

    if not any(map(is_own, main.outputs)):
        return module
    with Builder(main.name) as builder:
        inputs = [builder.input(v.type, v.name) for v in main.inputs]
        outputs = inline(main, inputs)
        results = [ops.copy(v) if is_own(v) else v for v in outputs]
        graph = builder.finish(results, main.location)
    return Module(graph, module.graphs)


def _is_element(value: Value) -> bool:
    """Whether a value is an element of an array, which NumPy gives as a number: no view."""
    node = value.producer
    if node is None or node.op is not ops.getitem or value.type.shape != ():
        return False
    return ("ellipsis",) not in node.attrs["index"]
