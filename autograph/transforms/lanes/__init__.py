"""Functions of one lane that are kept as they are, for kernels in which each lane has its own
control flow."""

from ops.core.later import put_off

put_off(__name__, "derivatives")
