"""Whether a function of one lane can be a part of a native kernel: its control flow becomes loops
and branches on scalars, and its arrays are small enough to lie next to them.

What is asked here is answered before the graph is lowered, by looking at its nodes, since batching
goes another way for what can be a kernel (see `autograph.transforms.lanes_node`). It is no promise:
lowering may still give up.
"""

from __future__ import annotations

from collections.abc import Iterator

from autograph.graph.graph import Constant, Graph, Node, Value
from autograph.kernels.ir import DTYPES
from autograph.kernels.lowering.expansions import expansion_of
from autograph.kernels.lowering.scalars import computed_in
from autograph.kernels.lowering.values import CannotLower
from ops import effects, regions
from ops.index_maps import is_plain
from ops.registry import Elementwise
from ops.types import ArrayType

# How many elements an array of one lane may have.
MOST_ELEMENTS = 64

# Operators on what forward passes leave for backward passes.
_CONTAINERS = {
    *(regions.pack, regions.unpack, regions.unpack_ct),
    *(regions.push, regions.pop, regions.add_ct),
}
_CONTROL_FLOW = {regions.cond, regions.while_loop, regions.for_loop}
# Nodes of which only the first region runs.
_FIRST_REGION = {regions.custom_vjp, regions.custom_jvp, regions.checkpoint}
_RAISING = {effects.check, effects.fail}
_WRITES = ("index_update", "index_add")


def refusal(graph: Graph) -> str | None:
    """Why a graph for one lane is no part of a kernel; None if it can be.

    Args:
        graph: a closed graph. Its inputs may be arrays of any length: they are read where they are.
    """
    for value in graph.inputs:
        found = _of_type(value, small=False)
        if found is not None:
            return found
    for node in _nodes(graph):
        found = _of_node(node)
        if found is not None:
            return found
    return next(filter(None, (_of_type(v) for v in graph.outputs)), None)


def _nodes(graph: Graph) -> Iterator[Node]:
    """The nodes of a graph that run, those of regions included."""
    for node in graph.nodes:
        yield node
        for region in node.regions[: 1 if node.op in _FIRST_REGION else None]:
            yield from _nodes(region)


def _of_type(value: Value, small: bool = True) -> str | None:
    type = value.type
    if not isinstance(type, ArrayType):
        return None
    if type.dtype not in DTYPES:
        return f"there are values of dtype {type.dtype.name}"
    if not type.is_static:
        return "there are arrays whose lengths only the run tells"
    if small and type.size > MOST_ELEMENTS:
        return f"there is an array of {type.size} elements in each lane"
    return None


def _of_node(node: Node) -> str | None:
    for value in node.inputs:
        if isinstance(value, Constant) and isinstance(value.data, tuple):
            return "it refers to what an earlier call left"
    for value in node.outputs:
        found = _of_type(value)
        if found is not None:
            return found
    op = node.op
    if op.expansion is not None:
        found = (_of_node(n) for n in expansion_of(node).nodes)
        return next((reason for reason in found if reason is not None), None)
    types = [v.type for v in node.inputs]
    if isinstance(op, Elementwise):
        is_native = _has_kernel(op, types)
    elif op.name in _WRITES:
        is_native = is_plain(node.attrs["index"])
    elif op.name == "matmul":
        is_native = _is_small_product(*types)
    elif op is regions.unpack_ct:
        is_native = len(types) == 1
    elif op in _CONTROL_FLOW or op in _CONTAINERS or op in _FIRST_REGION or op in _RAISING:
        is_native = True
    else:
        declared = op.fold is not None or op.scan is not None
        is_native = declared or op.has_element(types, node.attrs)
    return None if is_native else f"'{op.name}' of {', '.join(map(str, types))} has no kernel"


def _is_small_product(x: ArrayType, y: ArrayType) -> bool:
    """Whether a product of matrices is no work for a library, which takes those of all lanes."""
    columns = y.shape[-1] if y.ndim > 1 else 1
    return x.dtype == y.dtype and x.size * columns <= MOST_ELEMENTS


def _has_kernel(op: Elementwise, types: list[ArrayType]) -> bool:
    """Whether the operator has a kernel expression for the dtypes in which it computes."""
    try:
        computed_in(op, tuple(t._replace(shape=()) for t in types))
    except CannotLower:
        return False
    return True
