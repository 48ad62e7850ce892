"""Reverse mode: the tape of a forward pass, regions gone through backwards, what is kept for that,
and what is computed again instead."""

from ops.core.later import put_off

put_off(__name__, "budget", "checkpoint", "checkpointed_loops", "regions")
