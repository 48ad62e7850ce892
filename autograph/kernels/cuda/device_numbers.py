"""Numbers of the device's that a kernel is given: arrays without axes, such as a loss.

On a CPU they are NumPy's scalars, passed by value. To pass them so to a GPU the host would have to
read them first, a transfer that nobody sees; so the kernel loads them itself.
"""

from __future__ import annotations

import dataclasses

from autograph.graph.graph import Graph
from autograph.kernels.ir import ir
from autograph.kernels.ir.ir import Block, Buffer, Kernel, Number, Var
from ops.core.types import ArrayType


def with_device_numbers(kernel: Kernel, graph: Graph) -> Kernel:
    """The kernel, whose inputs that are arrays without axes are buffers of one element.

    Args:
        graph: what it is made from.
    """
    inputs, loads = list(kernel.inputs), []
    for i, value in enumerate(graph.inputs):
        given = inputs[i]
        if isinstance(given, Var) and is_device_number(value.type):
            buffer = Buffer(given.dtype, 1, "input", given.name)
            loads.append(ir.Load(given, buffer, Number(0, ir.LONG)))
            inputs[i] = buffer
    if not loads:
        return kernel
    return dataclasses.replace(kernel, inputs=tuple(inputs), body=Block([*loads, *kernel.body]))


def is_device_number(type_: ArrayType) -> bool:
    """Whether a type is that of an array without axes, which is no number of Python's."""
    return not type_.shape and not type_.weak
