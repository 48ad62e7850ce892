"""Real and imaginary parts side by side in memory, as an operator of graphs that are lowered."""

from __future__ import annotations

from ops.core import kernels
from ops.core.op import Unlisted
from ops.core.types import ArrayType


def _infer(real: ArrayType, imag: ArrayType) -> tuple[ArrayType]:
    return (real._replace(shape=(*real.shape, 2)),)


# Each element of the operands is read for one of the result: both at the same time, where a loop
# goes over the elements of the operands.
interleave = Unlisted(
    "interleave",
    _infer,
    "",
    native=kernels.Element(
        lambda read, index, types, attrs: kernels.select(
            index[-1] == 0, read(0, index[:-1]), read(1, index[:-1])
        )
    ),
)
