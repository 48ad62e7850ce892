"""Convolutions, by places or by features, whichever takes less time.

Each is a kernel of its own, which others call: its inner loops are worth all that LLVM can do, also
where the kernel around it is too large for that, and layers of one shape share it.
"""

from __future__ import annotations

import functools
import hashlib
import math
from types import ModuleType

from autograph.graph.graph import Node
from autograph.kernels.ir.builder import KernelBuilder
from autograph.kernels.ir.ir import Kernel
from autograph.kernels.ir.work import work
from autograph.kernels.lowering import reasons
from autograph.kernels.lowering.arrays import demand
from autograph.kernels.lowering.convolutions import features, positions
from autograph.kernels.lowering.convolutions.shape import Shape, shape_of_node
from autograph.kernels.lowering.state import State
from autograph.kernels.lowering.values import CannotLower, Memory

_MOST = 1 << 28  # bytes of memory of its own; the array library takes the batch in pieces


def convolve(state: State, node: Node) -> None:
    """Sums of products of a kernel with the windows of an array."""
    if state.serial:
        raise CannotLower(reasons.LANE_PRODUCT.of(node.location, op=node.op.name))
    (result,), (x, weights) = node.outputs, node.inputs
    shape = shape_of_node(node)
    way = min((positions, features), key=lambda way: way.work(shape))
    if way.nbytes(shape) > _MOST:
        raise CannotLower(reasons.of_product(node))
    given = demand.memory(state, x), demand.memory(state, weights)
    if state.shared.calls:
        routine = kernel_of(way, shape)
        target = state.places.allocate(shape.dtype, result.type.size, result.name)
        places = [(memory.buffer, memory.start) for memory in given]
        state.b.call(routine, places, [target.buffer], work(routine.body))
    else:
        target = state.places.give(result)
        way.convolve(state.b, shape, *given, target)
        state.b.written(target.buffer)
    state.env[result] = target


@functools.lru_cache(256)
def kernel_of(way: ModuleType, shape: Shape) -> Kernel:
    """A convolution as a kernel, of an array and what it is convolved with."""
    words = repr((way.__name__, shape)).encode()
    b = KernelBuilder(f"convolution_{hashlib.sha256(words).hexdigest()[:12]}")
    try:
        lengths = math.prod(window.length for window in shape.windows)
        x = b.input(shape.dtype, shape.images * shape.channels * lengths, "x")
        count = shape.groups * shape.features * shape.channels * math.prod(shape.sizes)
        weights = b.input(shape.dtype, count, "weights")
        y = b.output(shape.dtype, shape.images * shape.features * math.prod(shape.places), "y")
        way.convolve(b, shape, *(Memory(buffer, b.long(0)) for buffer in (x, weights, y)))
    except BaseException:
        b.close()
        raise
    return b.finish()
