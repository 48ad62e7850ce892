"""Sorting and searching, in NumPy's order: NaN comes last."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from autograph.export.onnx_model.nodes import BOOL, LONG
from autograph.export.onnx_model.terms import Tensor
from autograph.export.onnx_model.writer import ModelWriter, rule
from autograph.graph.graph import Node
from ops.core import kernels
from ops.core.registry import REGISTRY

_SORTED = frozenset(np.dtype(d) for d in ["f4", "f8", "i4", "i8"])


def _top(x: Tensor, axis: int, largest: bool) -> Tensor:
    """The places of the elements in order; equal ones keep theirs."""
    size = x.made("Shape", dtype=LONG, start=axis, end=axis + 1)
    attrs = {"axis": axis, "largest": int(largest), "sorted": 1}
    _, places = x.nodes.many("TopK", [x.name, size.name], 2, **attrs)
    return Tensor(x.nodes, places, LONG)


def _order(x: Tensor, axis: int, downwards: bool) -> Tensor:
    numbers = x
    if x.dtype == np.uint64:
        numbers = (x ^ np.uint64(2**63)).cast(LONG)
    elif x.dtype not in _SORTED:
        numbers = x.cast(np.float32 if x.dtype.kind == "f" else LONG)
    if numbers.dtype.kind != "f":
        return _top(numbers, axis, downwards)
    missing = numbers.made("IsNaN", dtype=BOOL)
    order = _top(kernels.select(missing, np.inf, numbers), axis, downwards)
    late = missing.cast(np.int32).made("GatherElements", order, axis=axis)
    again = _top(late, axis, downwards)
    return order.made("GatherElements", again, axis=axis)


@rule(REGISTRY["argsort"])
def _argsort(writer: ModelWriter, node: Node, operands: Sequence[Any]) -> Tensor:
    return _order(operands[0], node.attrs["axis"], node.attrs["descending"])


@rule(REGISTRY["sort"])
def _sort(writer: ModelWriter, node: Node, operands: Sequence[Any]) -> Tensor:
    axis = node.attrs["axis"]
    order = _order(operands[0], axis, node.attrs["descending"])
    return operands[0].made("GatherElements", order, axis=axis)


@rule(REGISTRY["searchsorted"])
def _searchsorted(writer: ModelWriter, node: Node, operands: Sequence[Any]) -> Tensor:
    """How many elements come before a value: it is compared with all of them."""
    first, second = (v.type for v in node.inputs)
    dtype = np.result_type(first.dtype, second.dtype)
    a, v = (x.cast(dtype) for x in operands)
    v = v.unsqueezed([second.ndim])
    before = (a < v) if node.attrs["side"] == "left" else (a <= v)
    if dtype.kind == "f":  # NaN comes last
        missing, unknown = a.made("IsNaN", dtype=BOOL), v.made("IsNaN", dtype=BOOL)
        late = ~missing if node.attrs["side"] == "left" else (missing | ~missing)
        before = before | (unknown & late)
    number = before.cast(np.int32)
    axes = number.longs([second.ndim])
    return number.made("ReduceSum", axes, keepdims=0).cast(LONG)
