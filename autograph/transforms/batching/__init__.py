"""One lane to many: a graph's values for many lanes at once, the rules by kind of operator, and
those of control flow, calls and collectives."""
