"""A loop of the scalar language: each element goes on until its own test is false."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from autograph.export.onnx_model.nodes import BOOL, LONG, Nodes
from autograph.export.onnx_model.terms import Term, known, select


def repeated(
    nodes: Nodes, test: Callable, body: Callable, state: Sequence[Any]
) -> tuple[Term, ...]:
    """The state after ``while test(*state): state = body(*state)`` of each element."""
    dtype = next(x.dtype for x in state if isinstance(x, Term))
    start = [x if isinstance(x, Term) else known(nodes, x, dtype) for x in state]
    total = None
    for x in start:  # all get the shape that they have together
        zero = x.cast(bool).cast(LONG).made("Mul", nodes.constant(0))
        total = zero if total is None else total.made("Add", zero)
    assert total is not None
    shape = total.shape().name
    start = [x.expanded(shape) for x in start]

    def going(state: Sequence[Term]) -> str:
        small = test(*state).cast("int32")
        return nodes.one("Cast", nodes.one("ReduceMax", small.name, keepdims=0), to=to_bool)

    to_bool = nodes.element_type(BOOL)
    first = going(start)
    inner = [Term(nodes, nodes.new(), x.dtype) for x in start]
    with nodes.subgraph() as scope:
        own = test(*inner)
        new = [y if isinstance(y, Term) else known(nodes, y, dtype) for y in body(*inner)]
        kept = [select(own, y, x).expanded(x.shape().name) for x, y in zip(inner, new)]
        again = going(kept)
        outputs = [nodes.described(again, BOOL, ())]
        outputs += [nodes.described(x.name, x.dtype, None) for x in kept]
        inputs = [nodes.described(nodes.new("trip"), LONG, ())]
        inputs += [nodes.described(nodes.new("again"), BOOL, ())]
        inputs += [nodes.described(x.name, x.dtype, None) for x in inner]
        graph = nodes.graph("each", scope, inputs, outputs)
    given = ["", first, *(x.name for x in start)]
    found = nodes.many("Loop", given, len(start), body=graph)
    return tuple(Term(nodes, name, x.dtype) for name, x in zip(found, start))
