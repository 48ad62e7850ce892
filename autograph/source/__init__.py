"""The front end: a Python function in, a functional Python function in SSA form out.

The passes, each run once:

1. `tree.parse`: function object to syntax tree;
2. `desugar`: sugar to core;
3. `ssa.exits`: break, continue and return to structure and exit kinds;
4. `ssa`: variables to versions, control flow to ``ops``, with the facts that `tree.scopes`,
   `ssa.liveness` and `ssa.captures` find;
5. `tree.printer`, `conversion` and `load`: tree to text, to code, and to a function.
"""

from ops.core.later import put_off

put_off(__name__, "resumption")
