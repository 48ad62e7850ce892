"""Dynamic programming, sparse and integer programs, gathers and counts."""

from __future__ import annotations

import numpy as np

from benchmarks.programs.program import FEW, MANY, Program


def csr_product(starts, columns, values, x):
    y = np.zeros(len(starts) - 1)
    for i in range(len(y)):
        total = 0.0
        for k in range(starts[i], starts[i + 1]):
            total += values[k] * x[columns[k]]
        y[i] = total
    return y


def csr_arguments(n, draw=0):
    rng = np.random.default_rng((1, draw))
    counts = rng.permutation(np.arange(n) % 30)
    starts = np.concatenate(([0], np.cumsum(counts)))
    columns = rng.integers(0, n, starts[-1])
    return starts, columns, rng.random(starts[-1]), rng.random(n)


def nussinov(sequence):
    """The most pairs of bases in a folding without crossings."""
    n = len(sequence)
    table = np.zeros((n, n), dtype=np.int64)
    for i in range(n - 2, -1, -1):
        for j in range(i + 1, n):
            best = max(table[i, j - 1], table[i + 1, j])
            pairs = 1 if sequence[i] + sequence[j] == 3 else 0
            if i < j - 1:
                best = max(best, table[i + 1, j - 1] + pairs)
            for k in range(i + 1, j):
                best = max(best, table[i, k] + table[k + 1, j])
            table[i, j] = best
    return table


def bases(n, draw=0):
    return (np.random.default_rng((2, draw)).integers(0, 4, n),)


def floyd_warshall(lengths):
    paths = lengths.copy()
    for k in range(len(paths)):
        paths = np.minimum(paths, paths[:, k : k + 1] + paths[k])
    return paths


def graph_lengths(n):
    lengths = np.random.default_rng(3).integers(1, 1000, (n, n))
    np.fill_diagonal(lengths, 0)
    return (lengths,)


def edit_distance(first, second):
    rows, columns = len(first) + 1, len(second) + 1
    table = np.zeros((rows, columns), dtype=np.int64)
    table[:, 0] = np.arange(rows)
    table[0, :] = np.arange(columns)
    for i in range(1, rows):
        for j in range(1, columns):
            if first[i - 1] == second[j - 1]:
                table[i, j] = table[i - 1, j - 1]
            else:
                table[i, j] = 1 + min(table[i - 1, j], table[i, j - 1], table[i - 1, j - 1])
    return table[-1, -1]


def texts(n, draw=0):
    rng = np.random.default_rng((4, draw))
    return rng.integers(97, 107, n), rng.integers(97, 107, n + 20)


def knapsack(weights, prices, capacity):
    best = np.zeros(capacity + 1, dtype=np.int64)
    for weight, price in zip(weights, prices):
        for room in range(capacity, weight - 1, -1):
            with_it = best[room - weight] + price
            if with_it > best[room]:
                best[room] = with_it
    return best


def knapsack_arguments(n, draw=0):
    rng = np.random.default_rng((5, draw))
    return rng.integers(1, 50, n), rng.integers(1, 100, n), 20 * n


def weighted_histogram(x, weights, bins):
    low, high = np.min(x), np.max(x)
    counts = np.zeros(bins, dtype=np.int64)
    sums = np.zeros(bins)
    for i in range(len(x)):
        place = int((x[i] - low) / (high - low) * bins)
        if place == bins:
            place = bins - 1
        counts[place] += 1
        sums[place] += weights[i]
    return counts, sums


def weighted_histogram_arguments(n):
    rng = np.random.default_rng(6)
    return rng.random(n), rng.random(n), 100


def bincount_means(groups, x):
    counts = np.bincount(groups, minlength=50)
    sums = np.bincount(groups, weights=x, minlength=50)
    means = sums / np.maximum(counts, 1)
    return counts, x - means[groups]


def bincount_arguments(n):
    rng = np.random.default_rng(7)
    return rng.integers(0, 50, n), rng.random(n)


def nearest_centres(points, centres):
    distances = np.sum((points[:, None, :] - centres[None, :, :]) ** 2, axis=2)
    labels = np.argmin(distances, axis=1)
    moved = np.zeros_like(centres)
    for k in range(len(centres)):
        members = labels == k
        count = np.sum(members)
        if count > 0:
            moved[k] = np.sum(points * members[:, None], axis=0) / count
        else:
            moved[k] = centres[k]
    return labels, moved


def clusters(n):
    rng = np.random.default_rng(8)
    return rng.random((n, 3)), rng.random((12, 3))


def n_body(mass, position, velocity, dt, steps):
    position, velocity = position.copy(), velocity.copy()
    n = len(mass)
    for _ in range(steps):
        acceleration = np.zeros_like(position)
        for i in range(n):
            for j in range(n):
                if i != j:
                    apart = position[j] - position[i]
                    distance = np.sqrt(np.sum(apart**2) + 0.01)
                    acceleration[i] += mass[j] * apart / distance**3
        velocity += dt * acceleration
        position += dt * velocity
    return position, velocity


def n_body_arguments(n):
    rng = np.random.default_rng(9)
    return rng.random(n) + 0.5, rng.normal(size=(n, 3)), rng.normal(size=(n, 3)), 0.01, 10


def mandelbrot(xs, ys, limit):
    counts = np.zeros((len(ys), len(xs)), dtype=np.int64)
    for i in range(len(ys)):
        for j in range(len(xs)):
            c = complex(xs[j], ys[i])
            z = 0j
            n = 0
            while n < limit and abs(z) <= 2.0:
                z = z * z + c
                n += 1
            counts[i, j] = n
    return counts


def mandelbrot_arguments(n, draw=0):
    return np.linspace(-2.0, 0.6, n) + 0.002 * draw, np.linspace(-1.2, 1.2, n), 50


def life(cells, generations):
    cells = cells.copy()
    for _ in range(generations):
        neighbours = np.zeros_like(cells)
        for i in (-1, 0, 1):
            for j in (-1, 0, 1):
                if i != 0 or j != 0:
                    neighbours += np.roll(np.roll(cells, i, axis=0), j, axis=1)
        born = (cells == 0) & (neighbours == 3)
        stays = (cells == 1) & ((neighbours == 2) | (neighbours == 3))
        cells = np.where(born | stays, 1, 0)
    return cells


def life_arguments(n):
    return np.random.default_rng(10).integers(0, 2, (n, n)), 20


def interpolate(x, knots, values):
    places = np.clip(np.searchsorted(knots, x) - 1, 0, len(knots) - 2)
    left, right = knots[places], knots[places + 1]
    share = (x - left) / (right - left)
    return (1.0 - share) * values[places] + share * values[places + 1]


def interpolate_arguments(n):
    rng = np.random.default_rng(11)
    return rng.random(n), np.linspace(0.0, 1.0, 300) ** 1.5, rng.random(300)


def viterbi(scores, transitions, emissions, seen):
    states, steps = len(scores), len(seen)
    before = np.zeros((steps, states), dtype=np.int64)
    scores = scores + emissions[:, seen[0]]
    for t in range(1, steps):
        ways = scores[:, None] + transitions
        before[t] = np.argmax(ways, axis=0)
        scores = np.max(ways, axis=0) + emissions[:, seen[t]]
    path = np.zeros(steps, dtype=np.int64)
    path[-1] = np.argmax(scores)
    for t in range(steps - 1, 0, -1):
        path[t - 1] = before[t, path[t]]
    return path


def viterbi_arguments(n, draw=0):
    rng = np.random.default_rng((12, draw))
    return rng.random(24), rng.random((24, 24)), rng.random((24, 10)), rng.integers(0, 10, n)


def one_hot_mixture(scores, table):
    """Winners as one-hot rows, repeated, tiled, and looked up."""
    winners = np.argmax(scores, axis=1)
    one_hot = np.zeros(scores.shape)
    one_hot[np.arange(len(winners)), winners] = 1.0
    looked_up = table[winners]
    repeated = np.repeat(looked_up, 3, axis=0)
    tiled = np.tile(one_hot @ table, (3, 1))
    return winners, repeated + tiled


def one_hot_arguments(n, draw=0):
    rng = np.random.default_rng((13, draw))
    return rng.random((n, 20)), rng.random((20, 16))


def collinear(points):
    """How many triples of points lie on a line."""
    count = 0
    n = len(points)
    for i in range(n):
        for j in range(i + 1, n):
            for k in range(j + 1, n):
                ax, ay = points[j] - points[i]
                bx, by = points[k] - points[i]
                if ax * by == ay * bx:
                    count += 1
    return count


def grid_points(n, draw=0):
    return (np.random.default_rng((14, draw)).integers(0, 20, (n, 2)),)


PROGRAMS = {
    "csr_product": Program("CSR product, 20000 rows", csr_product, csr_arguments, 20000, 20, FEW),
    "nussinov": Program("Nussinov, 120", nussinov, bases, 120, 12, MANY),
    "floyd_warshall": Program("Floyd-Warshall, 150", floyd_warshall, graph_lengths, 150, 10),
    "edit_distance": Program("edit distance, 400 x 420", edit_distance, texts, 400, 12, MANY),
    "knapsack": Program("knapsack, 100 of 2000", knapsack, knapsack_arguments, 100, 6, MANY),
    "weighted_histogram": Program(
        "histogram with weights, loop, 1e5",
        weighted_histogram,
        weighted_histogram_arguments,
        100_000,
        200,
    ),
    "bincount_means": Program(
        "means of groups, bincount, 3e5", bincount_means, bincount_arguments, 300_000, 300
    ),
    "nearest_centres": Program(
        "step of k-means, 20000 x 3, 12", nearest_centres, clusters, 20000, 40
    ),
    "n_body": Program("40 bodies, vectors, 10 steps", n_body, n_body_arguments, 40, 4),
    "mandelbrot": Program(
        "Mandelbrot, complex, 100 x 100", mandelbrot, mandelbrot_arguments, 100, 9, MANY
    ),
    "life": Program("game of life, 128 x 128, 20", life, life_arguments, 128, 9),
    "interpolate": Program(
        "interpolation, searchsorted, 2e5", interpolate, interpolate_arguments, 200_000, 50
    ),
    "viterbi": Program("Viterbi, 24 states, 400", viterbi, viterbi_arguments, 400, 8, MANY),
    "one_hot_mixture": Program(
        "argmax, one-hot, repeat, tile, 5000 x 20",
        one_hot_mixture,
        one_hot_arguments,
        5000,
        7,
        FEW,
    ),
    "collinear": Program("points on a line, 100", collinear, grid_points, 100, 8, MANY),
}
