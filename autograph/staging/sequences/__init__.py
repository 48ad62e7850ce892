"""Going through values, and picking from them.

Iterators, ranges and comprehensions; subscripts of arrays, and look-ups that the run decides."""
