"""Functions of one lane that are kept as they are, for kernels in which each lane has its own
control flow."""
