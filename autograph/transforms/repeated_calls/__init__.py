"""Calls of functions that came to the same become calls of one named graph.

What was recorded in a call stands among the nodes around it, one after the other. Where that of
several calls is the same, but for the values that are used there and for numbers, and is much, it
is put into a graph of its own, which each of the calls calls, given these. That changes nothing of
what is computed, whatever the functions were given, saw and changed while they were recorded, but
it is optimized, differentiated and compiled once. See `autograph.graph.shared` for what happens to
such graphs.

    noted                 where a call is, while it is recorded
    forms                 what is the same of nodes
    spans                 a call, and what it came to
    alike                 which calls are, and are worth a name
    named                 the graph with calls of named graphs
"""

from ops.core.later import put_off

put_off(__name__, "named")  # few programs call a function of some size twice
