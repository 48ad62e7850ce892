"""A rule for each kind of node, `rule(state, node)`; `autograph.kernels.lowering.dispatch` has the
table."""
