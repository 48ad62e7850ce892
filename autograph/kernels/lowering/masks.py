"""What masks select, as the elements at the places where they are true.

Kernels find these places with one pass over a mask, and then read and write elements there.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

import ops
from autograph.graph.builder import current_builder
from autograph.graph.graph import Graph, Node, Value, label, walk
from autograph.graph.rewrite import Env, rewrite
from autograph.kernels.lowering.analysis.unknown_lengths import has_unknown, is_native
from ops.control.effects import check
from ops.core.symbolic_lengths import is_same

_AT_OPERANDS = (ops.getitem, ops.index_update, ops.index_add)


def with_places(graph: Graph) -> Graph:
    """A graph in which, regions included, no mask selects as many elements as only the run knows,
    but places do."""
    if not any(map(_is_to_change, walk(graph))):
        return graph
    made: dict[Hashable, Value] = {}

    def place(mask: Value, axis: int) -> Value:
        builder = current_builder()
        key = builder, mask, axis
        if key not in made:
            made[key] = builder.apply(ops.nonzero_along, [mask], {"axis": axis})
        return made[key]

    def change(node: Node, env: Env) -> Sequence[Value] | None:
        if not _is_to_change(node):
            return None
        operands = [env.get(v, v) for v in node.inputs]
        first = 1 if node.op is ops.getitem else 2
        spec: list[tuple] = []
        at = 0
        with current_builder().at(node.location):
            for entry in node.attrs["index"]:
                if entry[0] != "mask":
                    spec.append(_known_inside(node, entry, at, first))
                    at += entry[0] not in ("none", "bool")
                    continue
                mask = operands[first + entry[1]]
                _require_lengths(operands[0], mask, at)
                for axis in range(mask.type.ndim):
                    number = entry[1] if axis == 0 else len(operands) - first
                    found = place(mask, axis)
                    if axis == 0:
                        operands[first + number] = found
                    else:
                        operands.append(found)
                    spec.append(("arg", number, "distinct"))
                at += mask.type.ndim
            attrs = {**node.attrs, "index": tuple(spec)}
            result = current_builder().apply(node.op, operands, attrs, node.required)
        label(result, node.outputs[0].name)
        return [result]

    return rewrite(graph, change)


def _is_to_change(node: Node) -> bool:
    """Whether places stand for a mask, or may be known to be inside, in a node."""
    if node.op not in _AT_OPERANDS or not has_unknown(node) or not is_native(node):
        return False
    first = 1 if node.op is ops.getitem else 2
    return any(
        entry[0] == "mask" or _known_inside(node, entry, None, first) is not entry
        for entry in node.attrs["index"]
    )


def _known_inside(node: Node, entry: tuple, at: int | None, first: int) -> tuple:
    """An entry of a subscript of which it is known that its places are inside, and differ: they are
    where a vector that is as long as the array is not zero.

    Args:
        at: the axis that it is for; None if that is not known.
    """
    array = node.inputs[0].type
    if entry[0] != "arg" or len(entry) > 2 or array.ndim != 1 or at not in (None, 0):
        return entry
    found = node.inputs[first + entry[1]].producer
    if found is None or found.op is not ops.nonzero_along:
        return entry
    mask = found.inputs[0].type
    is_inside = mask.is_static and array.is_static and is_same(mask.shape, array.shape)
    return (*entry, "distinct") if is_inside else entry


def _require_lengths(array: Value, mask: Value, first: int) -> None:
    """Let a program fail in which a mask does not fit, where only the run knows."""
    lengths_of_mask: tuple[Any, ...] = mask.type.shape
    for axis, n in enumerate(lengths_of_mask):
        m = array.type.shape[first + axis]
        if n is None or m is None:
            lengths = (_length(x, k) for x, k in ((array, first + axis), (mask, axis)))
            message = "boolean index did not match indexed array"
            check(ops.equal(*lengths), error="IndexError", message=message)


def _length(value: Value, axis: int) -> Value | int:
    n = value.type.shape[axis]
    return current_builder().apply(ops.length, [value], {"axis": axis}) if n is None else n
