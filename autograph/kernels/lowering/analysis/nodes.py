"""What lowering asks of a single node."""

from __future__ import annotations

import ops
from autograph.graph.graph import Constant, Graph, Node, walk
from autograph.graph.purity import refuses_an_int
from autograph.graph.wiring import all_run, lanes_of
from autograph.kernels.ir.ir import DOUBLE, SINGLE
from autograph.kernels.lowering.values import shape_of
from ops.control import regions
from ops.core.registry import Elementwise
from ops.core.types import ArrayType
from ops.signal.convolution import grouped_convolution

# Products of many numbers for each element.
PRODUCTS = (ops.matmul, grouped_convolution)


def regions_in_kernels(node: Node) -> tuple[Graph, ...]:
    """The regions of a node that a kernel computes: of a function of lanes, that of one lane."""
    return (lanes_of(node).lane,) if node.op is regions.lanes else all_run(node)


def is_elementwise(node: Node) -> bool:
    """Whether an element of the node's only result can be computed by itself."""
    if isinstance(node.op, Elementwise):
        return bool(node.op.kernels)
    types = [v.type for v in node.inputs]
    return len(node.outputs) == 1 and node.op.has_element(types, node.attrs)


def is_reduction(node: Node) -> bool:
    """Whether the node combines elements along axes."""
    return node.op.fold is not None


def is_scan(node: Node) -> bool:
    """Whether the node computes totals one after the other along an axis."""
    return node.op.scan is not None


def is_ordering(node: Node) -> bool:
    """Whether the node puts elements in order along an axis."""
    return node.op.ordering is not None


def may_raise(node: Node) -> bool:
    """Whether the node may raise when it runs, so that it has to."""
    return node.op.may_raise([v.type for v in node.inputs], node.attrs) or refuses_an_int(node)


def makes_numbers(node: Node) -> bool:
    """Whether a node is a branch that makes numbers alone, and so writes to no memory."""
    if node.op is not regions.cond:
        return False
    inner = [node, *(n for region in node.regions for n in walk(region))]
    if any(n.op is regions.call or (n.regions and n.op is not regions.cond) for n in inner):
        return False
    types = (v.type for n in inner for v in n.outputs)
    return all(isinstance(type, ArrayType) and type.shape == () for type in types)


def is_static(node: Node) -> bool:
    """Whether the node has nothing to do with lengths known only at run time."""
    for value in (*node.inputs, *node.outputs):  # not by `all`: every node is asked often
        type = value.type
        if isinstance(type, ArrayType) and None in type.shape:
            return False
    return True


def is_native_product(node: Node) -> bool:
    """Whether kernels compute a product, or a convolution: of arrays of one dtype, with elements;
    convolutions of floats."""
    dtypes = {v.type.dtype for v in (*node.inputs, *node.outputs)}
    sizes = [n for v in node.inputs for n in shape_of(v)]
    constants = any(isinstance(v, Constant) and not v.is_array for v in node.inputs)
    if node.op is grouped_convolution and (
        not dtypes <= {SINGLE, DOUBLE} or 0 in shape_of(node.outputs[0])
    ):
        return False
    return len(dtypes) == 1 and 0 not in sizes and not constants
