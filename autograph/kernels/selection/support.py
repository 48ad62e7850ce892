"""Which single nodes have a native form.

It is answered by looking at a node, not at its regions, and is no promise: lowering may still give
up.
"""

from __future__ import annotations

import math

from autograph.graph.graph import Constant, Node
from autograph.kernels.ir.ir import DTYPES
from autograph.kernels.lowering import reasons
from autograph.kernels.lowering.analysis import orders, unknown_lengths
from autograph.kernels.lowering.analysis.nodes import PRODUCTS, is_native_product
from autograph.kernels.lowering.complex_numbers import has_complex, nodes_for
from autograph.kernels.lowering.expansions import expansion_of
from autograph.kernels.lowering.reasons import NoKernel
from autograph.kernels.lowering.scalars import computed_in
from autograph.kernels.lowering.values import CannotLower
from autograph.kernels.native import inner_loops
from ops.control import regions
from ops.control.meetings import agree
from ops.control.regions import Container, Structured
from ops.core.index_maps import is_plain
from ops.core.inner_loops import call_inner_loop
from ops.core.memory import machine_memory
from ops.core.registry import Elementwise
from ops.core.symbolic_lengths import example_of
from ops.core.types import ArrayType, Type, UnknownLengthError
from ops.signal.sequences import convolve_full

# Of complex numbers: multiplications. Of more the library makes one product.
_MOST_OF_PRODUCT = 4096

CONTROL_FLOW = (regions.cond, regions.while_loop, regions.for_loop)


def refusal(node: Node) -> NoKernel | None:
    """Why a node is no part of a kernel; None if it can be. Its regions are not looked at."""
    if any(isinstance(v, Constant) and isinstance(v.data, tuple) for v in node.inputs):
        return reasons.EARLIER.of(node.location)
    for value in (*node.inputs, *node.outputs):
        found = _of_type(node, value.type)
        if found is not None:
            return found
    is_unknown = unknown_lengths.has_unknown(node) and not node.regions and not _is_expanded(node)
    if is_unknown and has_complex(node) and unknown_lengths.is_native(node):
        return _of_complex(node)
    if is_unknown:
        known = unknown_lengths.is_native(node) and (
            not isinstance(node.op, Elementwise)
            or _has_kernel(node.op, [v.type for v in node.inputs])
        )
        return None if known else of_unknown(node)
    op, types = node.op, [v.type for v in node.inputs]
    if op.inner_loops is not None:
        return None if _has_inner_loops(node) else reasons.of_operator(node)
    if has_complex(node) and not isinstance(op, (Structured, Container)) and op.expansion is None:
        return _of_complex(node)
    if op.expansion is not None:
        try:
            refusals = map(refusal, expansion_of(node).nodes)
        except UnknownLengthError:
            return of_unknown(node)
        return next((found for found in refusals if found is not None), None)
    if isinstance(op, Elementwise):
        is_native = _has_kernel(op, types)
    elif op.updates:
        is_native = is_plain(node.attrs["index"])
    elif op in PRODUCTS:
        is_native = is_native_product(node)
    elif op is regions.unpack_ct:
        is_native = len(types) == 1  # the others are lengths known only at run time
    elif op.ordering is not None:
        is_native = orders.is_native(node)
    elif op is convolve_full:
        is_native = all(t.dtype in DTYPES and t.shape != (0,) for t in types)
    elif op is agree:  # a kernel of what is around it would be looked for in halves
        is_native = False
    elif op in CONTROL_FLOW or op.effect == "raises" or isinstance(op, Container):
        is_native = True
    else:
        declared = op.fold is not None or op.scan is not None
        is_native = declared or op.has_element(types, node.attrs)
    if is_native:
        return None
    if op.updates:
        return reasons.UNKNOWN.of(node.location)
    return reasons.of_product(node) if op in PRODUCTS else reasons.of_operator(node)


def _has_inner_loops(node: Node) -> bool:
    """Whether loops of NumPy's compute a node, and are found."""
    if not node.op.has_inner_loops([v.type for v in node.inputs], node.attrs):
        return False
    nodes = expansion_of(node).nodes
    calls = [n.attrs for n in nodes if n.op is call_inner_loop]
    found = (inner_loops.available(a["ufunc"], a["types"], a["fails"]) for a in calls)
    others = (refusal(n) for n in nodes if n.op is not call_inner_loop)
    return all(found) and all(why is None for why in others)


def _of_complex(node: Node) -> NoKernel | None:
    """Why a node with complex numbers has no native form."""
    if node.op in PRODUCTS and math.prod(_sizes_of_product(node)) > _MOST_OF_PRODUCT:
        return reasons.of_product(node)
    try:
        return next((why for why in map(refusal, nodes_for(node)) if why is not None), None)
    except CannotLower as refused:
        return refused.why


def _sizes_of_product(node: Node) -> tuple[int, ...]:
    """The lengths over which the loops of a product would run."""
    x, y = (v.type for v in node.inputs[:2])
    columns = y.known_shape[-1:] if y.ndim > 1 else ()
    return (*x.known_shape, *columns, *y.known_shape[:-2])


def _is_expanded(node: Node) -> bool:
    return node.op.expansion is not None and not unknown_lengths.is_native(node)


def of_unknown(node: Node) -> NoKernel:
    """That it has to do with lengths known only at run time: what makes them so, if it does."""
    found = reasons.of_operator(node)
    if found.reason is not reasons.OPERATOR:
        return found
    return reasons.UNKNOWN.of(node.location)


def _of_type(node: Node, type: Type) -> NoKernel | None:
    if not isinstance(type, ArrayType):
        return None
    if type.dtype not in DTYPES and type.dtype.kind != "c":
        return reasons.DTYPE.of(node.location, dtype=type.dtype.name)
    if type.is_static and example_of(type.size) * type.dtype.itemsize > machine_memory():
        return reasons.MEMORY.of(node.location)
    return None


def _has_kernel(op: Elementwise, types: list[ArrayType]) -> bool:
    """Whether the operator has a kernel expression for the dtypes in which it computes."""
    try:
        computed_in(op, tuple(t._replace(shape=()) for t in types))
    except CannotLower:
        return False
    return True
