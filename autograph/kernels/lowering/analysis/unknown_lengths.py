"""Which nodes have to do with arrays whose lengths only the run knows, and which of these kernels
compute."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

import ops
from autograph.closure import closure
from autograph.graph.graph import Constant, Graph, Node, Value, walk
from autograph.graph.wiring import sources_of
from autograph.kernels.ir.ir import DTYPES
from autograph.kernels.lowering.analysis import orders
from autograph.kernels.lowering.analysis.nodes import is_static
from autograph.kernels.lowering.values import is_growing
from ops.control import regions
from ops.core.lengths import positions
from ops.core.registry import Elementwise

_UNSIGNED = np.dtype(np.uint64)  # those that no int64 holds

# Those of lists that grow.
LIST_OPERATORS = {ops.append_row, ops.drop_row, ops.no_rows, ops.refine}

# Those whose results may be of any length.
_ANY_LENGTH = {
    *LIST_OPERATORS,
    ops.broadcast_to,
    ops.concatenate,
    ops.full,
    ops.index_add,
    ops.nonzero_along,
    positions,
}

# Of those that are neither elementwise nor reductions, nor make elements of those in their place.
_NATIVE = {
    *_ANY_LENGTH,
    ops.getitem,
    ops.index_update,
    ops.length,
    ops.pad_zeros,
    ops.reshape,
    ops.transpose,
}


def has_unknown(node: Node) -> bool:
    """Whether a node has to do with lengths known only at run time."""
    is_cut = node.op is ops.index_update and _is_cut(node.attrs["index"])
    return is_cut or node.op is ops.find_row or not is_static(node)


def is_bounded(node: Node) -> bool:
    """Whether there is a bound for the lengths in a node known only at run time."""
    if any(entry[0] == "mask" for entry in node.attrs.get("index", ())):
        return False
    if node.op is regions.pack:
        return not any(map(is_growing, node.inputs))
    may_be_any = node.op in _ANY_LENGTH or (node.op is ops.reshape and not keeps_axes(node))
    if may_be_any or node.op is regions.unpack or node.regions:
        return not any(map(is_growing, node.outputs))
    return True


def keeps_axes(node: Node) -> bool:
    """Whether a change of shape only adds axes of length 1, or takes such away."""
    given, wanted = (v.type.shape for v in (node.inputs[0], node.outputs[0]))
    return sum(n != 1 for n in given) == sum(n != 1 for n in wanted)


def is_native(node: Node) -> bool:
    """Whether a kernel can compute a node that has to do with such lengths."""
    op = node.op
    if op in (regions.pack, regions.unpack):
        return True
    if node.regions or _changes_constant(node):
        return False
    if op in (ops.getitem, ops.index_add, ops.index_update):
        return all(_is_simple(entry) for entry in node.attrs["index"]) and _can_find(node)
    if op is ops.find_row:
        dtypes = (v.type.dtype for v in node.inputs)
        return node.outputs[0].type.shape == () and all(
            d in DTYPES and d != _UNSIGNED for d in dtypes
        )
    if op is ops.nonzero_along:
        given = node.inputs[0].type
        return (given.is_static or given.ndim == 1) and given.dtype in DTYPES
    if op is ops.searchsorted:
        common = np.result_type(*(v.type.dtype for v in node.inputs))
        return len(node.inputs[0].type.shape) == 1 and common in DTYPES
    if op in (ops.argmax, ops.argmin):
        ndim, axes = len(node.inputs[0].type.shape), node.attrs["axis"]
        return len(node.outputs[0].type.shape) == ndim - 1 and (ndim == 1 or axes is not None)
    if op.fold is not None:
        return op is ops.unbroadcast or bool(reduced_axes(node))
    if op is ops.roll:
        return node.attrs["axis"] is not None or len(node.inputs[0].type.shape) == 1
    if op is ops.convolve_full:
        return all(v.type.dtype.kind in "iuf" for v in (*node.inputs, *node.outputs))
    if op is ops.matmul:
        kinds = {v.type.dtype.kind for v in node.inputs}
        ndims = [len(v.type.shape) for v in node.inputs]
        return max(ndims) <= 2 and kinds <= set("iuf")
    if op.scan is not None:
        return all(v.type.dtype in DTYPES for v in (*node.inputs, *node.outputs))
    if op.ordering is not None:
        return len(node.inputs[0].type.shape) == 1 and orders.is_native(node)
    if isinstance(op, Elementwise):
        return bool(op.kernels)
    return op in _NATIVE or (op.aligned and op.element is not None and op.element_for is None)


def takes_part(node: Node) -> bool:
    """Whether a node reads one element of an array, or one row as in ``rows[i]``, and would do so
    of one of unknown lengths."""
    if node.op is not ops.getitem or not is_native(node):
        return False
    return not node.outputs[0].type.shape or (
        all(kind in ("arg", "int") for kind, *_ in node.attrs["index"])
        and not any(place.type.shape for place in node.inputs[1:])
    )


def looked_up(graphs: Mapping[str, Graph]) -> frozenset[Value]:
    """The lists in which something is looked for, and those that they have come from by changes of
    their rows: in memory beside the first column of what is looked through there is a table.

    Args:
        graphs: by the names by which they are called.
    """
    nodes = [node for graph in graphs.values() for node in walk(graph)]
    sources: dict[Value, Sequence[Value]] = {}
    for node in nodes:
        if node.regions:
            sources.update(sources_of(node))
        callee = graphs.get(node.attrs["callee"]) if node.op is regions.call else None
        if callee is not None:
            sources.update((v, (left,)) for v, left in zip(node.outputs, callee.outputs))
            for taken, given in zip(callee.inputs, node.inputs):
                sources[taken] = (*sources.get(taken, ()), given)

    def before(value: Value) -> Sequence[Value]:
        found = sources.get(value)
        if found is not None:
            return [v for v in found if is_growing(v)]
        node = value.producer
        if node is None or not (node.op in LIST_OPERATORS or node.op.updates):
            return ()
        return [v for v in node.inputs[:1] if is_growing(v)]

    searched = [node.inputs[0] for node in nodes if node.op is ops.find_row]
    return frozenset(closure([v for v in searched if is_growing(v)], before))


def is_but_the_first(node: Node) -> bool:
    """Whether a node gives a list without its first row, ``x[1:]``."""
    return (
        node.op is ops.getitem
        and node.attrs["index"] == (("slice", 1, None, None),)
        and is_growing(node.inputs[0])
    )


def changes_list(node: Node) -> bool:
    """Whether a node gives a list that it takes with rows changed, added or taken away."""
    rows = node.op in (ops.append_row, ops.drop_row, ops.refine) or is_but_the_first(node)
    return rows or node.op.updates


def may_be_where(value: Value, region: Graph, lists: Sequence[Value]) -> bool:
    """Whether a list that a region gives may lie where one of some lists from outside does: what
    adds rows to one of these, or writes to it, copies it before."""
    joined: dict[Value, Sequence[Value]] = {}
    for node in walk(region):
        if node.regions:
            joined.update(sources_of(node))

    def before(value: Value) -> Sequence[Value]:
        found = joined.get(value)
        if found is not None:
            return found
        node = value.producer
        if node is None:
            return ()
        if node.op is regions.call:
            return [v for v in node.inputs if is_growing(v) and v.type.dtype == value.type.dtype]
        is_part = node.op in (ops.drop_row, ops.refine) or is_but_the_first(node)
        return node.inputs[:1] if is_part else ()

    return any(v is one for v in closure([value], before) for one in lists)


def _changes_constant(node: Node) -> bool:
    """Whether a node changes an array constant, which is the caller's where a kernel is passed it.
    What only reads one, such as a row that is added to a list, reads an argument."""
    if node.op is ops.refine or not changes_list(node):  # the first copies it
        return False
    changed = node.inputs[0]
    return isinstance(changed, Constant) and changed.is_array


def _is_simple(entry: tuple) -> bool:
    match entry:
        case ("int", k):
            return isinstance(k, int)
        case (kind, *_):
            return kind in ("arg", "mask", "slice", "window", "none", "ellipsis")
    return False


def _can_find(node: Node) -> bool:
    """Whether the places are found that masks in a subscript select, and their axes are known."""
    kinds = [entry[0] for entry in node.attrs["index"]]
    if "mask" not in kinds:
        return True
    first = 1 if node.op is ops.getitem else 2
    masks = [node.inputs[first + e[1]].type for e in node.attrs["index"] if e[0] == "mask"]
    has_places = all(mask.shape and (mask.is_static or mask.ndim == 1) for mask in masks)
    return has_places and "ellipsis" not in kinds[: kinds.index("mask")]


def _is_cut(spec: Sequence[tuple]) -> bool:
    """Whether a subscript has bounds of slices known only at run time."""
    return any(
        entry[0] == "slice" and any(isinstance(b, tuple) for b in entry[1:]) for entry in spec
    )


def reduced_axes(node: Node) -> tuple[int, ...]:
    """The axes along which a reduction combines elements."""
    assert node.op.fold is not None
    return tuple(node.op.fold.axes(node.inputs[0].type, node.attrs))
