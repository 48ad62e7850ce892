"""Products of one row with weights of few bits, as sums over columns.

`ag.quantize` stores weights as integers, of which the program makes floats before a product. For
many rows that is little beside the product. For one row it is most of the work: floats are written
to memory and read again, four times as many bytes as the integers have. As a sum over columns the
product is a loop of a native kernel, which makes the floats where it needs them::

    y = x @ (numbers.astype("float32") * step)
    y = np.sum(x[:, None] * numbers.astype("float32"), axis=0) * step

Steps of groups of rows stay in the sum.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

import ops
from autograph.graph.graph import Constant, Graph, Module, Node, Value
from autograph.graph.rewrite import Env, rewrite
from autograph.transforms.simplify.simplify import simplified_after
from ops.core.records import NamedTuple

_LEAST = 4096  # weights of a product that is worth the trouble


class _Piece(NamedTuple):
    """Some rows of a matrix of weights.

    Attributes:
        numbers: integers, whose last axis has the columns, and the others the rows.
        step: what they are multiplied with.
    """

    numbers: Value
    step: Value


def as_sums(module: Module) -> Module:
    """The module with products of one row with weights of few bits as sums."""
    return simplified_after(module, _as_sums)


def _as_sums(graph: Graph) -> Graph:
    return rewrite(graph, _change) if _has_some(graph) else graph


def _has_some(graph: Graph) -> bool:
    return any(bool(_pieces(n)) or any(map(_has_some, n.regions)) for n in graph.nodes)


def _change(node: Node, env: Env) -> Sequence[Value] | None:
    pieces = _pieces(node)
    if not pieces:
        return None
    (result,) = node.outputs
    x, *_ = (env.get(v, v) for v in node.inputs)
    row, start, total = ops.reshape(x, (-1,)), 0, None
    for numbers, step in pieces:
        numbers, step = env.get(numbers, numbers), env.get(step, step)
        *rows, columns = numbers.type.known_shape
        of_columns = step.type.size in (1, columns) and step.type.shape[-1] in (1, columns)
        count = math.prod(rows)
        part = row if len(pieces) == 1 else ops.getitem(row, index=(_span(start, start + count),))
        weights = ops.cast(numbers, dtype=result.type.dtype)
        if not of_columns:
            weights = ops.multiply(weights, step)
        terms = ops.multiply(ops.reshape(part, (*rows, 1)), weights)
        found = ops.sum(terms, axis=tuple(range(len(rows))))
        if of_columns:
            found = ops.multiply(found, ops.reshape(step, (-1,)))
        total, start = found if total is None else ops.add(total, found), start + count
    return [ops.reshape(total, result.type.shape)]


def _span(start: int, stop: int) -> tuple:
    return ("slice", start, stop, None)


def _pieces(node: Node) -> Sequence[_Piece]:
    """The weights of a product of one row with many of few bits; nothing if it is another node."""
    if node.op is not ops.matmul:
        return ()
    x, weights = node.inputs
    if not (x.type.is_static and weights.type.is_static and weights.type.ndim == 2):
        return ()
    if math.prod(x.type.known_shape[:-1]) != 1 or weights.type.size < _LEAST:
        return ()
    product = weights.producer
    if product is not None and product.op is ops.reshape:  # groups of rows
        product = product.inputs[0].producer
    if product is None or product.op is not ops.multiply:
        return ()
    made, step = product.inputs[0].producer, product.inputs[1]
    if made is None or made.op is not ops.cast or made.inputs[0].type.dtype != np.int8:
        return ()
    numbers = made.inputs[0]
    if numbers.type.shape[-1] != weights.type.shape[-1] or not isinstance(step, Constant):
        return ()
    return _taken_apart(numbers, step)


def _taken_apart(numbers: Value, step: Constant) -> Sequence[_Piece]:
    """Numbers that are put together of others along their first axis, as those."""
    node = numbers.producer
    if node is None or node.op is not ops.concatenate or node.attrs["axis"] != 0:
        return (_Piece(numbers, step),)
    pieces, start = [], 0
    for part in node.inputs:
        count = part.type.known_shape[0]
        several = step.data.ndim == numbers.type.ndim and len(step.data) > 1
        own = Constant(step.data[start : start + count]) if several else step
        pieces.append(_Piece(part, own))
        start += count
    return pieces
