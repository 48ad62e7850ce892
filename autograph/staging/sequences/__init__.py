"""Going through values, and picking from them.

Iterators, ranges and comprehensions; subscripts of arrays, and look-ups that the run decides."""

from ops.core.later import put_off

put_off(__name__, "lookups", "subscripts", "walks")
