"""What is known of a convolution."""

from __future__ import annotations

import math

import numpy as np

from autograph.graph.graph import Node
from autograph.kernels.ir.ir import Operand
from autograph.kernels.lowering.convolutions.geometry import WindowAxis
from autograph.kernels.lowering.values import shape_of
from ops.core import kernels
from ops.core.records import dataclass


@dataclass(frozen=True)
class Shape:
    """The lengths of a convolution of ``(groups, batch, channels, *lengths)`` with a kernel
    ``(groups, features, channels, *sizes)``, which gives ``(groups, batch, features, *places)``."""

    dtype: np.dtype
    groups: int
    batch: int
    channels: int
    features: int
    windows: tuple[WindowAxis, ...]

    @property
    def images(self) -> int:
        """How many arrays of channels there are."""
        return self.groups * self.batch

    @property
    def sizes(self) -> tuple[int, ...]:
        """Of the kernel along each axis."""
        return tuple(window.size for window in self.windows)

    @property
    def places(self) -> tuple[int, ...]:
        """Of the result along each axis."""
        return tuple(window.places for window in self.windows)

    @property
    def multiplications(self) -> int:
        """How many there are."""
        each = self.channels * math.prod(self.sizes)
        return self.images * self.features * math.prod(self.places) * each


def shape_of_node(node: Node) -> Shape:
    """The lengths of a node."""
    (result,), (x, kernel) = node.outputs, node.inputs
    groups, batch, channels, *lengths = shape_of(x)
    _, features, _, *sizes = shape_of(kernel)
    attrs = node.attrs
    windows = (
        WindowAxis(n, m, out, stride, low, dilation, kernel_dilation)
        for n, m, out, stride, (low, _), dilation, kernel_dilation in zip(
            lengths,
            sizes,
            shape_of(result)[3:],
            attrs["strides"],
            attrs["padding"],
            attrs["x_dilation"],
            attrs["kernel_dilation"],
        )
    )
    return Shape(result.type.dtype, groups, batch, channels, features, tuple(windows))


def smaller(x: Operand, most: int) -> Operand:
    """An operand, but at most a number."""
    return kernels.select(x < most, x, most)
