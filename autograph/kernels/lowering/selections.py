"""What a mask selects of an array, as in ``np.sum(x[mask])``, without an array of it.

Only the run knows how many elements ``x[mask]`` has. Where all that is made of them is reductions,
their number, and writes to the same places, whole arrays take their place: what is done with each
of the elements is done with all, and a reduction combines those for which the mask is true. So one
pass over memory is enough, whose lengths are known. The program in NumPy's terms stays what it is.

All uses of what a mask selects in a block are like that, or they all stay.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

import ops
from autograph.graph.builder import current_builder
from autograph.graph.graph import Constant, Graph, Node, Value, label, walk
from autograph.graph.rewrite import Env, rewrite
from autograph.kernels.ir.ir import DTYPES
from autograph.kernels.lowering.scalars import computed_in
from autograph.kernels.lowering.values import CannotLower
from ops.control.effects import check
from ops.core.registry import Elementwise
from ops.core.subscripts import indexed_shape
from ops.core.symbolic_lengths import is_below, is_same
from ops.core.types import ArrayType

_ALL: tuple = ("slice", None, None, None)


def selections(graph: Graph) -> dict[Node, Value]:
    """The nodes of a graph, regions included, that compute with what a mask selects, and which do
    so with whole arrays in a kernel; with the mask of each."""
    found = _of_block(graph)
    for node in walk(graph):
        for region in node.regions:
            found |= _of_block(region)
    return found


def with_whole_arrays(graph: Graph) -> Graph:
    """A graph in which these nodes compute with whole arrays."""
    masks = selections(graph)
    if not masks:
        return graph
    counts: dict[Value, Value] = {}

    def change(node: Node, env: Env) -> Sequence[Value] | None:
        if node not in masks:
            return None
        mask = env.get(masks[node], masks[node])
        given = [env.get(v, v) for v in node.inputs]
        (value,) = node.outputs
        if mask not in counts and _needs_count(node):
            counts[mask] = ops.cast(ops.sum(mask), dtype="int64", weak=True)
        with current_builder().at(node.location):
            result = _RULES[_kind(node)](node, mask, given, counts.get(mask))
        label(result, value.name)
        return [result]

    return rewrite(graph, change)


def _needs_count(node: Node) -> bool:
    fold = node.op.fold
    return node.op is ops.length or (fold is not None and fold.combine in ("min", "max"))


# -- which nodes -----------------------------------------------------------------------------------


def _of_block(graph: Graph) -> dict[Node, Value]:
    """The nodes of a block, but not of its regions, with their masks."""
    selected: dict[Value, Value] = {}  # the values whose first axis is what a mask selects
    counts: dict[Value, Value] = {}
    nodes: dict[Node, Value] = {}
    others: set[Value] = set()  # masks of which something else is done with what they select
    for node in graph.nodes:
        masks: set[Value] = set()
        captured = False
        if selected:  # as it is seldom
            masks = {selected[v] for v in node.uses() if v in selected}
            captured = any(v in selected for region in node.regions for v in region.captures)
        mask = next(iter(masks), None) if masks else _starts_with(node, counts)
        if mask is None:
            continue
        if len(masks) > 1 or captured or not _is_native(node, mask, selected, counts):
            others |= masks
            continue
        nodes[node] = mask
        (value,) = node.outputs
        if node.op is ops.length:
            counts[value] = mask
        elif not value.type.is_static:
            selected[value] = mask
    others |= {selected[v] for v in graph.outputs if v in selected}
    used = {mask for node, mask in nodes.items() if node.outputs[0].type.is_static}
    return {
        node: mask
        for node, mask in nodes.items()
        if (mask in used and mask not in others) or _writes_the_same(node)
    }


def _starts_with(node: Node, counts: Mapping[Value, Value]) -> Value | None:
    """The mask of a node that selects elements, or makes as many as were selected."""
    if node.op is ops.getitem and _is_selection(node, 0):
        return node.inputs[1]
    if node.op in (ops.broadcast_to, ops.full):
        return next((counts[v] for v in node.inputs[1:] if v in counts), None)
    return node.inputs[2] if _writes_the_same(node) else None


def _writes_the_same(node: Node) -> bool:
    """Whether a node writes the same for all that a mask selects, or adds the same to it."""
    if _KINDS.get(node.op) != "write" or not _is_selection(node, 1):
        return False
    given = node.inputs[1].type
    behind = len(_behind_the_mask(node.inputs[0].type, node.inputs[2].type, node.attrs["index"]))
    own = given.shape[len(given.shape) - behind - 1 : len(given.shape) - behind]
    return given.is_static and len(given.shape) <= behind + 1 and is_same(own, (1,) * len(own))


def _behind_the_mask(array: ArrayType, mask: ArrayType, index: Sequence[tuple]) -> tuple:
    """The shape of what is selected, but for its first axis."""
    return indexed_shape(array.shape[len(mask.shape) :], (), tuple(index[1:]))


def _is_selection(node: Node, behind: int) -> bool:
    """Whether a node reads or writes the same known part of what a mask selects along the first
    axes of an array.

    Args:
        behind: which operand the mask comes behind.
    """
    index, array = node.attrs["index"], node.inputs[0]
    if index[:1] != (("mask", 0),) or not _is_known(index[1:]):
        return False
    if len(node.inputs) != behind + 2 or isinstance(array, Constant):
        return False
    mask = node.inputs[behind + 1]
    return array.type.is_static and mask.type.is_static and not isinstance(mask, Constant)


def _is_native(
    node: Node, mask: Value, selected: Mapping[Value, Value], counts: Mapping[Value, Value]
) -> bool:
    """Whether a kernel does with whole arrays what a node does."""
    kind = _kind(node)
    if kind is None or len(node.outputs) != 1:
        return False
    values = (*node.inputs, *node.outputs)
    if not all(isinstance(v.type, ArrayType) and v.type.dtype in DTYPES for v in values):
        return False
    shape = node.outputs[0].type.shape
    if not node.outputs[0].type.is_static and (shape[0] is not None or None in shape[1:]):
        return False

    def fits(value: Value) -> bool:
        """Whether a value has as many elements as are selected, or the same for all of them."""
        given = value.type.shape
        if value in selected:
            return len(given) == len(shape)
        return value.type.is_static and (len(given) < len(shape) or is_same(given[:1], (1,)))

    if kind == "select":
        return _is_selection(node, 0) and not is_below(mask.type.size, 1)
    if kind == "elementwise":
        return all(map(fits, node.inputs)) and not _may_raise(node) and _has_kernel(node)
    if kind == "repeat":
        return _are_counts(node.inputs[1:], mask, counts) and fits(node.inputs[0])
    if kind == "reshape":
        return shape[:1] == (None,) and is_same(
            _behind(node.inputs[0]), (math.prod(node.outputs[0].type.known(range(1, len(shape)))),)
        )
    if kind == "part":
        return _is_part_of_each(node.attrs["index"]) and len(node.inputs) == 1
    if kind == "sum back":
        return shape[:1] == (1,) or _are_counts(node.inputs[1:], mask, counts)
    if kind == "fold":
        return "axis" in node.attrs and node.inputs[0] in selected
    if kind == "product":
        return all(v in selected and v.type.ndim == 1 for v in node.inputs)
    if kind == "count":
        return node.attrs["axis"] == 0
    array, value = node.inputs[:2]
    if array.type.dtype != value.type.dtype:
        return False
    if value not in selected:
        return _writes_the_same(node)
    if array in selected:
        behind = [e for e in node.attrs["index"][1:] if e[0] != "int"]
        fitting = value.type.ndim == len(behind) + 1 + array.type.ndim - len(node.attrs["index"])
        return _is_part_of_each(node.attrs["index"]) and len(node.inputs) == 2 and fitting
    if not _is_selection(node, 1) or node.inputs[2] is not mask:
        return False
    others = _behind_the_mask(array.type, mask.type, node.attrs["index"])
    return value.type.ndim == 1 + len(others)


def _kind(node: Node) -> str | None:
    """Which of the rules is for a node."""
    if node.op in _KINDS:
        return _KINDS[node.op]
    if node.op is ops.getitem:
        return "select" if ("mask", 0) in node.attrs["index"] else "part"
    if node.op.fold is not None:
        return "fold"
    by_element = node.op.aligned and node.op.element is not None and node.op.element_for is None
    if isinstance(node.op, Elementwise) or (by_element and not node.attrs):
        return "elementwise"
    return None


def _behind(value: Value) -> tuple[int]:
    """How many elements there are for each that is selected."""
    return (math.prod(value.type.known(range(1, value.type.ndim))),)


def _are_counts(values: Sequence[Value], mask: Value, counts: Mapping[Value, Value]) -> bool:
    """Whether some lengths are the one of what a mask selects."""
    return len(values) == 1 and counts.get(values[0]) is mask


def _is_part_of_each(index: Sequence[tuple]) -> bool:
    """Whether a subscript takes the same known part of all that is selected."""
    return index[:1] == (_ALL,) and ("ellipsis",) not in index and _is_known(index[1:])


def _is_known(index: Sequence[tuple]) -> bool:
    """Whether a subscript is of known numbers and bounds."""
    known = all(not isinstance(bound, tuple) for entry in index for bound in entry[1:])
    return known and all(e[0] in ("int", "slice", "ellipsis") for e in index)


def _may_raise(node: Node) -> bool:
    """Whether a node may raise for some elements, which might not be selected."""
    types = [v.type._replace(shape=()) for v in node.inputs]
    return node.op.may_raise(types, node.attrs)


def _has_kernel(node: Node) -> bool:
    if not isinstance(node.op, Elementwise):
        return True
    try:
        computed_in(node.op, tuple(v.type._replace(shape=()) for v in node.inputs))
    except CannotLower:
        return False
    return True


# -- what they become ------------------------------------------------------------------------------

# A rule is given a node, the mask, what the operands have become, and how many elements are
# selected, where that is needed. It gives what the result becomes.
_Rule = Callable[[Node, Value, Sequence[Value], Any], Value]


def _as_aligned(node: Node, given: Sequence[Value]) -> list[Value]:
    """Operands in shapes that are repeated along the axes of a mask as they were along the axis of
    what it selects."""
    found = []
    for before, value in zip(node.inputs, given):
        shape = before.type.shape
        if len(shape) == len(node.outputs[0].type.shape) and is_same(shape[:1], (1,)):
            value = ops.reshape(value, shape[1:])
        found.append(value)
    return found


def _computed(node: Node, mask: Value, given: Sequence[Value], count: Any) -> Value:
    return current_builder().apply(node.op, _as_aligned(node, given), node.attrs)


def _repeated(node: Node, mask: Value, given: Sequence[Value], count: Any) -> Value:
    shape = (*mask.type.shape, *node.outputs[0].type.shape[1:])
    if node.op is ops.full:
        return current_builder().apply(ops.full, given[:1], {**node.attrs, "shape": shape})
    return ops.broadcast_to(_as_aligned(node, given)[0], shape)


def _reshaped(node: Node, mask: Value, given: Sequence[Value], count: Any) -> Value:
    return ops.reshape(given[0], (*mask.type.shape, *node.outputs[0].type.shape[1:]))


def _part(node: Node, mask: Value, given: Sequence[Value], count: Any) -> Value:
    return current_builder().apply(ops.getitem, given, {"index": _of_whole_axes(node, mask)})


def _combined(node: Node, mask: Value, given: Sequence[Value], count: Any) -> Value:
    """A reduction along the axis of what is selected, or along others."""
    fold, result = node.op.fold, node.outputs[0].type
    more = mask.type.ndim - 1
    assert fold is not None  # it is a reduction
    own = fold.axes(node.inputs[0].type, node.attrs)
    axes = [axis + more for axis in own if axis]
    array = given[0]
    if 0 in own:
        axes = [*range(more + 1), *axes]
        array = ops.where(_spread(mask, array), array, _neutral(fold.combine, array.type.dtype))
        if fold.combine in ("min", "max"):
            message = f"zero-size array to reduction operation {node.op.name} which has no identity"
            current_builder().add(
                check,
                [ops.greater(count, 0)],
                {"error": "ValueError", "message": message},
                (),
                required=True,
            )
    if not axes:
        return array
    if node.op is ops.unbroadcast:
        found = ops.sum(array, axis=tuple(axes))
    else:
        attrs = {**node.attrs, "axis": tuple(axes), "keepdims": False}
        found = current_builder().apply(node.op, [array], attrs)
    shape = result.shape if 0 in own else (*mask.type.shape, *result.shape[1:])
    return found if is_same(found.type.shape, shape) else ops.reshape(found, shape)


def _neutral(combine: str, dtype: Any) -> Any:
    """What changes nothing in a reduction."""
    if combine in ("+", "|", "*", "&"):
        return dtype.type(combine in ("*", "&"))
    if dtype.kind == "b":
        return dtype.type(combine == "min")
    if dtype.kind == "f":
        return dtype.type(math.inf if combine == "min" else -math.inf)
    info = np.iinfo(dtype)
    return dtype.type(info.max if combine == "min" else info.min)


def _spread(mask: Value, array: Value) -> Value:
    """A mask with axes of length 1 behind its own, as many as an array has more."""
    more = array.type.ndim - mask.type.ndim
    return ops.reshape(mask, (*mask.type.shape, *(1,) * more)) if more else mask


def _product(node: Node, mask: Value, given: Sequence[Value], count: Any) -> Value:
    dtype = node.outputs[0].type.dtype
    x, y = (ops.astype(v, dtype) for v in given)
    return ops.sum(ops.where(mask, ops.multiply(x, y), dtype.type(0)))


def _written(node: Node, mask: Value, given: Sequence[Value], count: Any) -> Value:
    array, value = given[:2]
    index = _of_whole_axes(node, mask)
    if not node.inputs[0].type.is_static:
        return current_builder().apply(node.op, [array, value], {"index": index})
    before = _whole_part(array, index)
    if value.type.ndim > before.type.ndim - mask.type.ndim and _writes_the_same(node):
        value = ops.reshape(value, value.type.shape[1:])
    if node.op is ops.index_add:
        value = ops.add(before, value)
    after = ops.where(_spread(mask, before), value, before)
    if before is array:
        return after
    return current_builder().apply(ops.index_update, [array, after], {"index": index})


def _selected(node: Node, mask: Value, given: Sequence[Value], count: Any) -> Value:
    return _whole_part(given[0], _of_whole_axes(node, mask))


def _of_whole_axes(node: Node, mask: Value) -> tuple:
    """A subscript with all axes of a mask in the place of the mask, or of what it selects."""
    return (*(_ALL for _ in mask.type.shape), *node.attrs["index"][1:])


def _whole_part(array: Value, index: tuple) -> Value:
    """What a subscript selects, which may be all."""
    if all(e in (_ALL, ("ellipsis",)) for e in index):
        return array
    return current_builder().apply(ops.getitem, [array], {"index": index})


_KINDS = {
    ops.broadcast_to: "repeat",
    ops.full: "repeat",
    ops.reshape: "reshape",
    ops.length: "count",
    ops.matmul: "product",
    ops.cast: "elementwise",
    ops.unbroadcast: "sum back",
    ops.index_update: "write",
    ops.index_add: "write",
}

_RULES: dict[str | None, _Rule] = {
    "select": _selected,
    "elementwise": _computed,
    "repeat": _repeated,
    "reshape": _reshaped,
    "part": _part,
    "fold": _combined,
    "sum back": _combined,
    "product": _product,
    "count": lambda node, mask, given, count: count,
    "write": _written,
}
