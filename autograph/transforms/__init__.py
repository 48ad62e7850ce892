"""Transforms: passes that turn graphs into graphs.

Each takes ordinary graphs and gives ordinary graphs, so they compose in any order. Whichever is
imported first, all have their `rules`.
"""

from autograph.transforms import rules as rules
