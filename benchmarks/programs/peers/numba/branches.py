"""Integers, graphs and searches with numba."""

from __future__ import annotations

import numpy as np
from numba import prange

from benchmarks.programs import branches
from benchmarks.programs.peers.numba.maker import maker

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


def reflections(starts, directions, centres, radii, bounces):
    paths = np.zeros(len(starts))
    hits = np.zeros(len(starts), dtype=np.int64)
    for r in prange(len(starts)):
        ox, oy, oz = starts[r]
        dx, dy, dz = directions[r]
        for _ in range(bounces):
            nearest = np.inf
            which = -1
            for s in range(len(radii)):
                lx = centres[s, 0] - ox
                ly = centres[s, 1] - oy
                lz = centres[s, 2] - oz
                along = lx * dx + ly * dy + lz * dz
                if along < 0.0:
                    continue
                aside = lx * lx + ly * ly + lz * lz - along * along
                if aside > radii[s] ** 2:
                    continue
                t = along - np.sqrt(radii[s] ** 2 - aside)
                if 1e-6 < t < nearest:
                    nearest = t
                    which = s
            if which < 0:
                break
            paths[r] += nearest
            hits[r] += 1
            ox += nearest * dx
            oy += nearest * dy
            oz += nearest * dz
            nx = (ox - centres[which, 0]) / radii[which]
            ny = (oy - centres[which, 1]) / radii[which]
            nz = (oz - centres[which, 2]) / radii[which]
            turn = 2.0 * (dx * nx + dy * ny + dz * nz)
            dx -= turn * nx
            dy -= turn * ny
            dz -= turn * nz
    return paths, hits


CHANGED = {"polygon_areas": polygon_areas, "reflections": reflections}
NOT_COMPILED = {"strong_primes": "its integers wrap around"}
MAKERS = {
    name: maker(CHANGED.get(name, program.function), parallel=name in CHANGED)
    for name, program in branches.PROGRAMS.items()
    if name not in NOT_COMPILED
}
