"""Native kernels: their IR, how graphs become it, and how it becomes machine code."""
