"""At which element an array is read when an element of another one is computed.

A *form* says it, as far as it has to be known: for each axis of the array that is read, the axis of
the loops whose index it is read at, or None if the axis has length 1. ``ANY`` is every other way.
"""

from __future__ import annotations

from collections.abc import Sequence

import ops
from autograph.graph.graph import Constant, Node, Value
from autograph.kernels.lowering.analysis import pairs
from autograph.kernels.lowering.analysis.nodes import is_elementwise, is_static
from autograph.kernels.lowering.values import shape_of

Form = tuple[int | None, ...]

ANY: Form = (-1,)


def identity(shape: Sequence[int]) -> Form:
    """Each axis at its own index."""
    return tuple([None if n == 1 else axis for axis, n in enumerate(shape)])


def through(node: Node, operand: int, form: Form) -> Form:
    """How a node reads an operand where its result is read in a certain way."""
    shape = shape_of(node.inputs[operand])
    if not shape:
        return ()
    if form == ANY:
        return ANY
    if node.op.aligned:
        own = form[len(form) - len(shape) :]
        if 1 not in shape:
            return own
        return tuple([None if n == 1 else axis for axis, n in zip(own, shape)])
    result = shape_of(node.outputs[0])
    match node.op:
        case pairs.interleave:
            return form[:-1]
        case ops.index_update | ops.index_add if operand == 0:
            return form
        case ops.transpose:
            axes = node.attrs["axes"]
            return tuple(form[axes.index(axis)] for axis in range(len(shape)))
        case ops.reshape:
            long = [axis for axis, n in zip(form, result) if n != 1]
            if [n for n in shape if n != 1] == [n for n in result if n != 1]:
                remaining = iter(long)
                return tuple(None if n == 1 else next(remaining) for n in shape)
    return ANY


def is_aligned(node: Node, operand: int) -> bool:
    """Whether a node reads an operand's elements in the order of its result, each once."""
    if not shape_of(node.inputs[operand]):
        return True
    form = identity(shape_of(node.outputs[0]))
    found = through(node, operand, form)
    return found != ANY and [a for a in found if a is not None] == [
        a for a in form if a is not None
    ]


def reads_every_element(node: Node, operand: int) -> bool:
    """Whether a node reads each element of an operand, once or repeatedly."""
    if 0 in shape_of(node.outputs[0]):
        return is_aligned(node, operand)
    if operand == 0 and any(node.op is op for op in (ops.repeat, ops.tile, ops.roll)):
        return is_static(node)
    return through(node, operand, identity(shape_of(node.outputs[0]))) != ANY


def peeled(value: Value) -> tuple[Value, bool]:
    """What an operand of a product is, or is the transpose of, and which of both."""
    node = value.producer
    if isinstance(value, Constant) or node is None or node.op is not ops.transpose:
        return value, False
    axes = node.attrs["axes"]
    last = len(axes) - 1
    if last >= 1 and axes == (*range(last - 1), last, last - 1):
        return node.inputs[0], True
    return value, False


def under_views(value: Value) -> Value:
    """The array that one is, or is a view of, whose elements are read where they are."""
    node = value.producer
    while not isinstance(value, Constant) and node is not None and node.is_view:
        if len(node.outputs) != 1 or not is_elementwise(node) or not is_static(node):
            break
        value = node.inputs[0]
        node = value.producer
    return value
