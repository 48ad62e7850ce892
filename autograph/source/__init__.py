"""The front end: a Python function in, a functional Python function in SSA form out.

The passes, each run once:

1. `parse`: function object to syntax tree;
2. `statements` and `desugar`: sugar to core, with `hoist`, `patterns`, `texts` and `displays`;
3. `exits`: break, continue and return to structure and exit kinds;
4. `ssa` and `renaming`: variables to versions, control flow to ``ops``, with the facts that
   `scopes`, `liveness` and `captures` find;
5. `printer` and `load`: tree to text, and to a function.
"""
