"""Results that are new arrays in the user's program stay new arrays after simplification.

Simplification may find that a result equals an argument (``x * 1``) and return the argument itself.
Whoever changed the result in place would then change the argument. Such results are copied.
"""

from __future__ import annotations

from collections.abc import Collection

import ops
from autograph.graph.builder import Builder, inline
from autograph.graph.graph import Constant, Graph, Module, Value
from ops.types import ArrayType


def keep_results_apart(before: Module, after: Module, outside: Collection[int]) -> Module:
    """``after``, in which no output shares memory that it does not share in ``before``.

    Args:
        before, after: the module before and after simplification.
        outside: the identities of arrays from outside the function. Other array constants are new
            arrays in the user's program, and the module's own.
    """
    pairs = zip(_memory(before.main, outside), _memory(after.main, outside))
    suspicious = [
        i for i, (old, new) in enumerate(pairs) if new is not None and (old != new or _is_own(new))
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


def _is_own(memory: tuple) -> bool:
    """Whether it is a constant that the next call will need unchanged."""
    return memory[0] == "own array"


def _memory(graph: Graph, outside: Collection[int]) -> list[tuple | None]:
    """For each output what it shares memory with: an input, an array, an earlier output."""
    positions = {value: i for i, value in enumerate(graph.inputs)}
    seen: dict[Value, int] = {}
    shared: list[tuple | None] = []
    for i, value in enumerate(graph.outputs):
        root = _root(value)
        if not isinstance(root.type, ArrayType) or root.type.shape == ():
            shared.append(None)
        elif root in positions:
            shared.append(("input", positions[root]))
        elif isinstance(root, Constant) and id(root.data) in outside:
            shared.append(("array", id(root.data)))
        elif isinstance(root, Constant):
            shared.append(("own array", i))
        else:
            shared.append(("output", seen[root]) if root in seen else None)
            seen.setdefault(root, i)
    return shared


def _root(value: Value) -> Value:
    """The value whose memory ``value`` may be a view of."""
    while value.producer is not None and value.producer.op.view:
        value = value.producer.inputs[0]
    return value
