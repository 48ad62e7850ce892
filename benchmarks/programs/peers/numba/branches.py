"""Integers, graphs and searches with numba."""

from __future__ import annotations

import numpy as np
from numba import prange

from benchmarks.programs import branches
from benchmarks.programs.peers.numba.maker import in_parallel, maker

NOTES = {
    "polygon_areas": "loops over polygons, in parallel, and corners, since its roll has no axes",
    "reflections": "rays in parallel",
}


def polygon_areas(corners, starts):
    found = np.zeros((len(starts) - 1, 3))
    for k in prange(len(starts) - 1):
        area = 0.0
        x = 0.0
        y = 0.0
        before = starts[k + 1] - 1
        for i in range(starts[k], starts[k + 1]):
            cross = corners[before, 0] * corners[i, 1] - corners[i, 0] * corners[before, 1]
            area += 0.5 * cross
            x += (corners[before, 0] + corners[i, 0]) * cross
            y += (corners[before, 1] + corners[i, 1]) * cross
            before = i
        found[k, 0] = area
        found[k, 1] = x / (6.0 * area)
        found[k, 2] = y / (6.0 * area)
    return found


CHANGED = {"polygon_areas": polygon_areas, "reflections": in_parallel(branches.reflections)}
NOT_COMPILED = {"strong_primes": "its integers wrap around"}
MAKERS = {
    name: maker(CHANGED.get(name, program.function), parallel=name in CHANGED)
    for name, program in branches.PROGRAMS.items()
    if name not in NOT_COMPILED
}
