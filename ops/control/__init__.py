"""Control flow as functions and as operators with regions; effects, exceptions as values, and what
happens across lanes."""
