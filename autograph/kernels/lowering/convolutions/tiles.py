"""How many sums stay in registers.

In a step one vector is loaded and multiplied with several numbers, each of which is added to a sum
of its own. Six of them, of two registers each, leave room for what is multiplied among the 16
registers of AVX; with fewer, loading takes longer than multiplying (Goto and van de Geijn, "Anatomy
of High-Performance Matrix Multiplication", 2008).
"""

from __future__ import annotations

NANOSECONDS = 0.03  # of a product, about
VECTOR_BYTES = 64  # of a step
MOST_UNROLLED = 25  # places of a kernel, that are no loop

# How long a sum takes in a tile of so many, in parts of what it takes in a tile of six.
_COSTS = {6: 1.0, 5: 1.02, 4: 1.06, 3: 1.3, 2: 1.7, 1: 2.6}


def tile_of(count: int) -> int:
    """How many of ``count`` sums are computed at once."""
    return min((t for t in _COSTS if t <= count), key=lambda t: tiles(count, t) * t * _COSTS[t])


def tiles(count: int, tile: int) -> int:
    """How many tiles there are. The last one begins earlier, so that it ends with the last sum."""
    return -(-count // tile)


def padded(count: int) -> float:
    """About how many sums take as long as ``count`` do in tiles."""
    tile = tile_of(count)
    return tiles(count, tile) * tile * _COSTS[tile]
