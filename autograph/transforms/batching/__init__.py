"""One lane to many: a graph's values for many lanes at once, the rules by kind of operator, and
those of control flow, calls and collectives."""

from ops.core.later import put_off

put_off(__name__, "calls", "collectives", "regions")
