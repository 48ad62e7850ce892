"""How kernels put elements in order.

A few elements are compared and exchanged where they are, in pairs that are known beforehand: a
network. For more there are the functions by which NumPy sorts.

Where the order of equal elements shows, it is NumPy's. If it is to be the order in which they were,
there is one result. Otherwise it is what NumPy's function for the machine gives: a network is used
for places as long as no elements are equal.

What a partition leaves beside the places that it is asked for is up to the machine as well: it is
always NumPy's function.
"""

from __future__ import annotations

from autograph.graph.graph import Node
from autograph.kernels.ir import partitions
from autograph.kernels.ir.ir import DTYPES
from autograph.kernels.lowering.values import shape_of
from autograph.kernels.native import sorts
from ops.core.symbolic_lengths import is_length
from ops.order.sorting import SOME

_MOST = 16  # elements of a network
_MOST_IN_ORDER = 8  # of one that leaves equal elements in their order

_KINDS = {None: "quick", SOME: "quick", "quicksort": "quick", "heapsort": "heap"}


def kind_of(node: Node) -> str:
    """The algorithm, as in `ir.SortCall`."""
    if is_partition(node):
        return partitions.kind_of(node.attrs["kth"])
    return _KINDS.get(node.attrs["kind"], "stable")


def is_partition(node: Node) -> bool:
    """Whether only the elements at some places are those that sorting would put there."""
    return "kth" in node.attrs


def is_descending(node: Node) -> bool:
    """Whether the largest element comes first."""
    return node.attrs.get("descending", False)


def gives_places(node: Node) -> bool:
    """Whether the result is where elements were, not the elements."""
    return node.op.ordering is not None and node.op.ordering.places


def shows_order(node: Node) -> bool:
    """Whether the result tells equal elements from each other: zeros have signs."""
    return gives_places(node) or node.inputs[0].type.dtype.kind == "f"


def is_network(node: Node) -> bool:
    """Whether there are so few elements that a network puts them in order."""
    count = shape_of(node.inputs[0])[node.attrs["axis"]]
    if count is None or is_length(count) or is_partition(node):
        return False
    in_order = kind_of(node) == "stable" and shows_order(node)
    return count <= (_MOST_IN_ORDER if in_order else _MOST)


def may_call(node: Node) -> bool:
    """Whether a kernel has to call a function of NumPy's, or may have to."""
    unclear = gives_places(node) and kind_of(node) != "stable"
    return not is_network(node) or (unclear and shape_of(node.inputs[0])[node.attrs["axis"]] > 1)


def is_native(node: Node, in_process: bool = True) -> bool:
    """Whether a kernel can put the elements in order.

    Args:
        in_process: whether it may call functions of NumPy's.
    """
    value = node.inputs[0]
    if value.type.dtype not in DTYPES:
        return False
    if is_partition(node) and any(map(is_length, partitions.listed(node.attrs["kth"]))):
        return False
    if not may_call(node):
        return True
    name = "argsort" if gives_places(node) else "sort"
    return in_process and sorts.available(name, kind_of(node), value.type.dtype)
