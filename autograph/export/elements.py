"""Operators that say how one element of the result is computed: of all elements at once.

Where an element comes from another place, its index is known when the model is written, and so are
the places of all: a table of them, by which the operand is gathered.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from autograph.export.elementwise import LONG, is_term, result_of
from autograph.export.format import ExportFormat
from autograph.graph.graph import Node
from ops.core import kernels
from ops.core.types import ArrayType


def has_form(node: Node) -> bool:
    """Whether an operator says how its elements are computed."""
    op, types = node.op, [v.type for v in node.inputs]
    if op.element is None or len(node.outputs) != 1:
        return False
    if not all(isinstance(type, ArrayType) for type in types):
        return False
    if op.aligned and (node.inputs or node.outputs[0].type.is_static):
        return op.element_for is None or op.element_for(types, node.attrs)
    return op.has_element(types, node.attrs) and node.outputs[0].type.is_static


def element_of(form: ExportFormat, node: Node, operands: Sequence[Any]) -> Any:
    """What such an operator becomes."""
    types = [v.type for v in node.inputs]
    output = node.outputs[0].type
    assert node.op.element is not None
    shape = output.known_shape if output.is_static else ()
    index = tuple(
        form.known(np.arange(n).reshape([-1 if k == i else 1 for k in range(len(shape))]), LONG)
        for i, n in enumerate(shape)
    )

    whole = False  # whether an operand that has the shape of the result is part of it

    def read(i: int, place: tuple) -> Any:
        nonlocal whole
        if node.op.aligned:
            whole = whole or types[i].shape == output.shape
            return operands[i]
        return gathered(form, operands[i], types[i].known_shape, place)

    found = result_of(node.op.element(read, index, types, node.attrs), form, output.dtype)
    return found.expanded(shape) if shape and not whole else found


def gathered(form: ExportFormat, x: Any, shape: Sequence[int], place: Sequence[Any]) -> Any:
    """The elements of an array of a known shape at indices, which are in range or not needed."""
    if not shape or 0 in shape:
        return x if not shape else form.known(x.dtype.type(0))
    flat: Any = 0
    for i, n in zip(place, shape):
        inside = kernels.select(i < 0, 0, kernels.select(i >= n, n - 1, i)) if is_term(i) else i
        flat = flat * n + inside
    if is_term(flat) and flat.value is not None:
        table = flat.value
        if table.shape == tuple(shape) and np.array_equal(table.ravel(), np.arange(table.size)):
            return x
    return x.flattened().gathered(flat if is_term(flat) else np.asarray(flat))
