"""A rule for each kind of node, `rule(state, node)`; `autograph.kernels.lowering.dispatch` has the
table."""

from ops.core.later import put_off

put_off(
    __name__,
    *("branches", "calls", "convolutions", "draws", "inner_loops", "loops", "orders", "products"),
    *("scans", "sequences", "unknown", "writes"),
)
