"""Results that are new arrays in the user's program stay new arrays after simplification.

Simplification may find that a result equals an argument (``x * 1``) and return the argument itself.
Whoever changed the result in place would then change the argument. Such results are copied.
"""

from __future__ import annotations

import ops
from autograph.graph.builder import Builder, inline
from autograph.graph.graph import Constant, Graph, Module, Value
from ops.types import ArrayType


def keep_results_apart(before: Module, after: Module) -> Module:
    """``after``, in which no output shares memory that it does not share in ``before``."""
    suspicious = [
        i
        for i, (old, new) in enumerate(zip(_memory(before.main), _memory(after.main)))
        if new is not None and old != new
    ]
    if not suspicious:
        return after
    main = after.main
    with Builder(main.name) as builder:
        inputs = [builder.input(v.type, v.name) for v in main.inputs]
        outputs = list(inline(main, inputs))
        for i in suspicious:
            outputs[i] = ops.copy(outputs[i])
        graph = builder.finish(outputs)
    graph.location = main.location
    return Module(graph, after.graphs)


def _memory(graph: Graph) -> list[object]:
    """For each output what it shares memory with: an input, an outside array, an earlier output."""
    positions = {value: i for i, value in enumerate(graph.inputs)}
    seen: dict[Value, int] = {}
    shared: list[object] = []
    for i, value in enumerate(graph.outputs):
        root = _root(value)
        if not isinstance(root.type, ArrayType) or root.type.shape == ():
            shared.append(None)
        elif root in positions:
            shared.append(("input", positions[root]))
        elif isinstance(root, Constant):
            shared.append(("array", id(root.data)))
        else:
            shared.append(("output", seen[root]) if root in seen else None)
            seen.setdefault(root, i)
    return shared


def _root(value: Value) -> Value:
    """The value whose memory ``value`` may be a view of."""
    while value.producer is not None and value.producer.op.view:
        value = value.producer.inputs[0]
    return value
