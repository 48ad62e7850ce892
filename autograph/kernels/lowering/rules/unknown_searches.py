"""Places of elements in sorted vectors of which only the run knows how long they are."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from autograph.graph.graph import Node
from autograph.kernels.ir.ir import Operand
from autograph.kernels.lowering.arrays import demand, measured
from autograph.kernels.lowering.state import State
from autograph.kernels.lowering.values import Measured
from ops.core import kernels
from ops.order.searching import is_before


def searched(state: State, node: Node) -> Operand | Measured:
    """``np.searchsorted``, by halving what is left."""
    b, (vector, keys), (result,) = state.b, node.inputs, node.outputs
    dtype = np.result_type(vector.type.dtype, keys.type.dtype)

    def place(given: Measured, key: Operand) -> Operand:
        key = b.cast(key, dtype)

        def halve(first: Operand, last: Operand) -> tuple[Operand, Operand]:
            middle = kernels.shift_right(first + last, 1)
            x = b.cast(given.element((middle,)), dtype)
            before = is_before(x, key, node.attrs["side"])
            return kernels.select(before, middle + 1, first), kernels.select(before, last, middle)

        limits = (b.long(0), given.lengths[0])
        found, _ = b.while_(limits, lambda first, last: first < last, halve)
        return b.cast(found, result.type.dtype)

    given = demand.as_measured(state, vector)
    if not keys.type.shape:
        return place(given, demand.scalar(state, keys))
    asked = demand.as_measured(state, keys)
    searched_in = measured.kept(state, vector, given)

    def element(index: Sequence[Operand]) -> Operand:
        return place(searched_in, asked.element(index))

    reads = searched_in.reads | asked.reads
    return Measured(asked.lengths, asked.most, element, reads, is_dear=True, is_plain=False)
