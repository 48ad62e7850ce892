"""Which parts of a program become native kernels, and what these may do with memory."""
