"""Recording operators as a graph, and running it node by node."""

import numpy as np

from autograph.graph.builder import Builder
from autograph.graph.graph import Constant
from ops.core.operands import operand_type


def record(function, args):
    """The graph of ``function`` on arguments of these types. Results that do not depend on the
    arguments become constants."""
    with Builder("case") as builder:
        inputs = [builder.input(operand_type(x)) for x in args]
        out = function(*inputs)
        return builder.finish(out if isinstance(out, (list, tuple)) else [out])


def fits(found, type):
    """Whether an array has a type, in which lengths may be unknown."""
    lengths = zip(found.shape, type.shape)
    return (
        found[::2] == type[::2]
        and found.ndim == type.ndim
        and all(n in (m, None) for m, n in lengths)
    )


def run(graph, args, visit=None):
    """The results of ``graph``; ``visit(node, operands, result)`` is called for each node."""
    values = dict(zip(graph.inputs, args))

    def read(value):
        return value.data if isinstance(value, Constant) else values[value]

    for node in graph.nodes:
        operands = [read(v) for v in node.inputs]
        out = node.op.evaluate(np, operands, node.attrs)
        results = [out] if len(node.outputs) == 1 else out
        for value, result in zip(node.outputs, results):
            assert fits(operand_type(result), value.type), (node, operand_type(result))
            values[value] = result
        if visit is not None:
            visit(node, operands, out)
    return [read(v) for v in graph.outputs]
