"""The libraries that are compared, a module or package each; see `benchmarks.kernels.peers` for
what one has. No module of a library may import another library."""
