"""The front end: a Python function in, a functional Python function in SSA form out.

The passes, each run once: `parse` (function object to gast tree), `desugar` (sugar to core),
`exits` (break, continue, return to structure and exit kinds), `ssa` (names to versions, control flow
to ``ops``), and `printer` and `load` (tree to text and to a function).
"""
