"""The frameworks that are compared, one module each; see `benchmarks.kernels.peers` for what a
module has. No module here may import one of another framework."""
