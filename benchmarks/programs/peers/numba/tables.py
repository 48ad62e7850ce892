"""Dynamic programming, sparse and integer programs with numba."""

from __future__ import annotations

import numpy as np
from numba import prange

from benchmarks.programs import tables
from benchmarks.programs.peers.numba.maker import in_parallel, maker

NOTES = {
    "life": "loops over cells, since its roll has no axes",
    "n_body": "vectors as three numbers",
}


def floyd_warshall(lengths):
    paths = lengths.copy()
    n = len(paths)
    for k in range(n):
        for i in prange(n):
            for j in range(n):
                paths[i, j] = min(paths[i, j], paths[i, k] + paths[k, j])
    return paths


def nearest_centres(points, centres):
    n, dimensions = points.shape
    labels = np.empty(n, dtype=np.int64)
    for i in prange(n):
        best, place = np.inf, 0
        for k in range(len(centres)):
            distance = 0.0
            for d in range(dimensions):
                distance += (points[i, d] - centres[k, d]) ** 2
            if distance < best:
                best, place = distance, k
        labels[i] = place
    moved = np.zeros_like(centres)
    counts = np.zeros(len(centres), dtype=np.int64)
    for i in range(n):
        counts[labels[i]] += 1
        for d in range(dimensions):
            moved[labels[i], d] += points[i, d]
    for k in range(len(centres)):
        if counts[k] > 0:
            moved[k] /= counts[k]
        else:
            moved[k] = centres[k]
    return labels, moved


def n_body(mass, position, velocity, dt, steps):
    position, velocity = position.copy(), velocity.copy()
    n = len(mass)
    for _ in range(steps):
        acceleration = np.zeros_like(position)
        for i in prange(n):
            for j in range(n):
                if i != j:
                    x = position[j, 0] - position[i, 0]
                    y = position[j, 1] - position[i, 1]
                    z = position[j, 2] - position[i, 2]
                    distance = np.sqrt(x * x + y * y + z * z + 0.01)
                    pull = mass[j] / distance**3
                    acceleration[i, 0] += pull * x
                    acceleration[i, 1] += pull * y
                    acceleration[i, 2] += pull * z
        velocity += dt * acceleration
        position += dt * velocity
    return position, velocity


def life(cells, generations):
    n, m = cells.shape
    cells = cells.copy()
    new = np.empty_like(cells)
    for _ in range(generations):
        for i in prange(n):
            above, below = (i - 1) % n, (i + 1) % n
            for j in range(m):
                left, right = (j - 1) % m, (j + 1) % m
                neighbours = (
                    cells[above, left]
                    + cells[above, j]
                    + cells[above, right]
                    + cells[i, left]
                    + cells[i, right]
                    + cells[below, left]
                    + cells[below, j]
                    + cells[below, right]
                )
                alive = neighbours == 3 or (neighbours == 2 and cells[i, j] == 1)
                new[i, j] = 1 if alive else 0
        cells, new = new, cells
    return cells


def interpolate(x, knots, values):
    out = np.empty_like(x)
    for i in prange(len(x)):
        place = min(max(np.searchsorted(knots, x[i]) - 1, 0), len(knots) - 2)
        left, right = knots[place], knots[place + 1]
        share = (x[i] - left) / (right - left)
        out[i] = (1.0 - share) * values[place] + share * values[place + 1]
    return out


def viterbi(scores, transitions, emissions, seen):
    states, steps = len(scores), len(seen)
    before = np.zeros((steps, states), dtype=np.int64)
    scores = scores + emissions[:, seen[0]]
    for t in range(1, steps):
        best = scores[0] + transitions[0]
        for i in range(1, states):
            for j in range(states):
                way = scores[i] + transitions[i, j]
                if way > best[j]:
                    best[j] = way
                    before[t, j] = i
        scores = best + emissions[:, seen[t]]
    path = np.zeros(steps, dtype=np.int64)
    path[-1] = np.argmax(scores)
    for t in range(steps - 1, 0, -1):
        path[t - 1] = before[t, path[t]]
    return path


def one_hot_mixture(scores, table):
    n = len(scores)
    winners = np.empty(n, dtype=np.int64)
    out = np.empty((3 * n, table.shape[1]))
    for i in prange(n):
        winners[i] = np.argmax(scores[i])
    for i in prange(3 * n):
        out[i] = table[winners[i // 3]] + table[winners[i % n]]
    return winners, out


def bincount_means(groups, x):
    counts = np.bincount(groups, minlength=50)
    sums = np.bincount(groups, weights=x, minlength=50)
    means = sums / np.maximum(counts, 1)
    out = np.empty_like(x)
    for i in prange(len(x)):
        out[i] = x[i] - means[groups[i]]
    return counts, out


def collinear(points):
    count = 0
    n = len(points)
    for i in prange(n):
        for j in range(i + 1, n):
            for k in range(j + 1, n):
                ax, ay = points[j, 0] - points[i, 0], points[j, 1] - points[i, 1]
                bx, by = points[k, 0] - points[i, 0], points[k, 1] - points[i, 1]
                if ax * by == ay * bx:
                    count += 1
    return count


MAKERS = {
    "csr_product": maker(in_parallel(tables.csr_product), parallel=True),
    "nussinov": maker(tables.nussinov),
    "floyd_warshall": maker(floyd_warshall),
    "edit_distance": maker(tables.edit_distance),
    "knapsack": maker(tables.knapsack),
    "weighted_histogram": maker(tables.weighted_histogram),
    "bincount_means": maker(bincount_means, parallel=True),
    "nearest_centres": maker(nearest_centres, parallel=True),
    "n_body": maker(n_body),
    "mandelbrot": maker(in_parallel(tables.mandelbrot), parallel=True),
    "life": maker(life, parallel=True),
    "interpolate": maker(interpolate, parallel=True),
    "viterbi": maker(viterbi),
    "one_hot_mixture": maker(one_hot_mixture, parallel=True),
    "collinear": maker(collinear, parallel=True),
}
