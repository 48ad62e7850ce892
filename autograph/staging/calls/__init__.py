"""Calls: what is converted when it is called, what stands for library functions, generators, and
recursive functions as named graphs."""

from ops.core.later import put_off

put_off(__name__, "attempted_calls", "remembered")
