"""Transforms: passes that turn graphs into graphs.

Each takes ordinary graphs and gives ordinary graphs, so they compose in any order. Their engines
have all `rules` once the first of them runs, see `autograph.transforms.reverse.tape.fill_rules`.
"""

from ops.core.later import put_off

put_off(__name__, "custom_rules", "linear_calls")
