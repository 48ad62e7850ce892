"""Reverse mode: the tape of a forward pass, regions gone through backwards, what is kept for that,
and what is computed again instead."""
