"""Which rule lowers a node that has to do with lengths known only at run time."""

from __future__ import annotations

from collections.abc import Callable

import ops
from autograph.graph.graph import Node
from autograph.kernels.lowering.analysis.nodes import is_ordering, is_scan
from autograph.kernels.lowering.arrays import growing, lookups
from autograph.kernels.lowering.rules import (
    nonzero,
    orders,
    unknown_lengths,
    unknown_parts,
    unknown_products,
    unknown_scans,
    unknown_searches,
    unknown_sums,
)
from autograph.kernels.lowering.state import State
from autograph.kernels.lowering.values import Held
from ops.core.lengths import positions
from ops.core.registry import Op

# These give what the result is.
RULES: dict[Op, Callable[[State, Node], Held]] = {
    ops.index_update: unknown_parts.write,
    ops.index_add: unknown_parts.write,
    ops.getitem: unknown_parts.part,
    ops.full: unknown_lengths.filled,
    ops.broadcast_to: unknown_lengths.repeated,
    ops.concatenate: unknown_lengths.joined,
    ops.reshape: unknown_parts.reshaped,
    ops.transpose: unknown_parts.transposed,
    ops.roll: unknown_parts.rolled,
    ops.pad_zeros: unknown_parts.padded,
    ops.length: unknown_lengths.length,
    ops.argmax: unknown_sums.extremum,
    ops.argmin: unknown_sums.extremum,
    ops.searchsorted: unknown_searches.searched,
    ops.matmul: unknown_products.product,
    ops.convolve_full: unknown_products.convolved,
    ops.unbroadcast: unknown_sums.unbroadcast,
    positions: unknown_lengths.numbered,
    ops.nonzero_along: nonzero.places,
    ops.no_rows: lambda state, node: growing.empty(state),
    ops.append_row: growing.append,
    ops.drop_row: growing.drop,
    ops.refine: growing.refined,
    ops.find_row: lookups.find,
}


def lower(state: State, node: Node) -> None:
    """Let the rule for a node lower it."""
    rule = RULES.get(node.op)
    if is_ordering(node):
        rule = orders.of_unknown_length
    elif is_scan(node):
        rule = unknown_scans.running
    elif rule is None:
        rule = unknown_lengths.computed if node.op.fold is None else unknown_sums.reduced
    unknown_lengths.bind(state, node, rule(state, node))
