"""Whether the next contents of an array that a loop changes may be computed in the place of the
present ones."""

from __future__ import annotations

from autograph.graph.graph import Node, Value
from autograph.kernels.lowering.analysis.access import identity, through
from autograph.kernels.lowering.analysis.nodes import (
    PRODUCTS,
    is_elementwise,
    is_ordering,
    is_reduction,
    is_scan,
)
from autograph.kernels.lowering.analysis.plan import FusionPlan
from autograph.kernels.lowering.values import is_array, shape_of
from ops.core.inner_loops import call_inner_loop


def may_overwrite(plan: FusionPlan, old: Value, new: Value) -> bool:
    """Whether the next contents of an array may be computed in the place of the present ones: all
    that reads these comes earlier, or reads them where it computes the new."""
    node = new.producer
    if node not in plan.position or old in plan.outputs or is_reduction(node):
        return False
    at = plan.position[node]
    lazy = is_elementwise(node)
    pending = [old]
    seen: set[Value] = set()
    while pending:
        value = pending.pop()
        for user in plan.uses.get(value, ()):
            if user is node and lazy:
                continue
            if not (is_elementwise(user) or is_reduction(user)):
                if plan.position[user] >= at or _may_change_in_place(user, value):
                    return False
                continue
            (result,) = user.outputs
            if result in plan.in_memory or is_reduction(user):
                return False
            if result not in seen:
                seen.add(result)
                pending.append(result)
    return not lazy or _reads_in_step(plan, node, {old, *seen})


def _may_change_in_place(node: Node, value: Value) -> bool:
    """Whether a result of a node, which computes no elements one by one, may be in the memory of
    an array that it uses."""
    if node.op in PRODUCTS or node.op is call_inner_loop or is_scan(node) or is_ordering(node):
        return False
    sizes = [v.type.size for v in node.outputs if is_array(v) and v.type.is_static]
    return value.type.size in sizes


def _reads_in_step(plan: FusionPlan, node: Node, lazy: set[Value]) -> bool:
    """Whether a node reads some values only at the element that it computes."""
    wanted = [axis for axis in identity(shape_of(node.outputs[0])) if axis is not None]
    pending = [(node, identity(shape_of(node.outputs[0])))]
    while pending:
        reader, form = pending.pop()
        for i, value in enumerate(reader.inputs):
            if value not in lazy or not is_array(value):
                continue
            found = through(reader, i, form)
            if [axis for axis in found if axis is not None] != wanted:
                return False
            if value.producer in plan.position:
                pending.append((value.producer, found))
    return True
