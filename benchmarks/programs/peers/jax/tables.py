"""Dynamic programming, sparse and integer programs with JAX."""

from __future__ import annotations

import jax
import jax.numpy as jnp
from jax import lax

from benchmarks.beside.rebound import rebound
from benchmarks.programs import tables
from benchmarks.programs.peers.jax.maker import maker

NOTES = {
    "csr_product": "a sum by segments of all products",
    "nussinov": "the best split of a pair as a maximum over a whole row, with a mask",
    "edit_distance": "a scan over rows, each a running minimum",
    "knapsack": "all rooms at once",
    "weighted_histogram": "all places at once, then sums by `at[].add`",
    "n_body": "all pairs at once",
    "mandelbrot": "all points at once in a `while_loop`, with a mask",
    "collinear": "first points in a loop, pairs of others at once",
}


def csr_product(starts, columns, values, x):
    rows = len(starts) - 1
    row = jnp.searchsorted(starts, jnp.arange(len(values)), side="right") - 1
    products = values * x[columns]
    return jax.ops.segment_sum(products, row, rows, indices_are_sorted=True)


def nussinov(sequence):
    n = len(sequence)
    places = jnp.arange(n)

    def element(j, table, i):
        splits = table[i] + jnp.roll(table[:, j], -1)
        best = jnp.max(jnp.where((places > i) & (places < j), splits, 0))
        best = jnp.maximum(best, jnp.maximum(table[i, j - 1], table[i + 1, j]))
        pairs = jnp.where(sequence[i] + sequence[j] == 3, 1, 0)
        paired = jnp.where(i < j - 1, table[i + 1, j - 1] + pairs, 0)
        return table.at[i, j].set(jnp.maximum(best, paired))

    def row(step, table):
        i = n - 2 - step
        return lax.fori_loop(i + 1, n, lambda j, table: element(j, table, i), table)

    return lax.fori_loop(0, n - 1, row, jnp.zeros((n, n), dtype=jnp.int64))


def floyd_warshall(lengths):
    def step(k, paths):
        return jnp.minimum(paths, paths[:, k][:, None] + paths[k])

    return lax.fori_loop(0, len(lengths), step, lengths)


def edit_distance(first, second):
    columns = jnp.arange(len(second) + 1)

    def row(before, letter):
        change = before[:-1] + (second != letter)
        best = jnp.minimum(before[1:] + 1, change)
        best = jnp.concatenate((before[:1] + 1, best))
        # An insertion costs one per column, so what is left is a running minimum.
        new = lax.cummin(best - columns) + columns
        return new, None

    return lax.scan(row, columns, first)[0][-1]


def knapsack(weights, prices, capacity):
    rooms = jnp.arange(capacity + 1)

    def item(best, each):
        weight, price = each
        moved = best[jnp.maximum(rooms - weight, 0)] + price
        return jnp.where(rooms >= weight, jnp.maximum(best, moved), best), None

    start = jnp.zeros(capacity + 1, dtype=jnp.int64)
    return lax.scan(item, start, (weights, prices))[0]


def weighted_histogram(x, weights, bins):
    low, high = jnp.min(x), jnp.max(x)
    places = jnp.minimum(((x - low) / (high - low) * bins).astype(jnp.int64), bins - 1)
    counts = jnp.zeros(bins, dtype=jnp.int64).at[places].add(1)
    return counts, jnp.zeros(bins).at[places].add(weights)


def bincount_means(groups, x):
    counts = jnp.bincount(groups, length=50)
    means = jnp.bincount(groups, weights=x, length=50) / jnp.maximum(counts, 1)
    return counts, x - means[groups]


def nearest_centres(points, centres):
    distances = jnp.sum((points[:, None, :] - centres[None, :, :]) ** 2, axis=2)
    labels = jnp.argmin(distances, axis=1)
    members = (labels[:, None] == jnp.arange(len(centres))).astype(points.dtype)
    counts = jnp.sum(members, axis=0)[:, None]
    return labels, jnp.where(counts > 0, members.T @ points / jnp.maximum(counts, 1.0), centres)


def n_body(mass, position, velocity, dt, steps):
    def step(_, state):
        position, velocity = state
        apart = position[None, :, :] - position[:, None, :]
        distance = jnp.sqrt(jnp.sum(apart**2, axis=2) + 0.01)
        pull = mass / distance**3
        velocity = velocity + dt * jnp.sum(pull[:, :, None] * apart, axis=1)
        return position + dt * velocity, velocity

    return lax.fori_loop(0, steps, step, (position, velocity))


def mandelbrot(xs, ys, limit):
    c = xs + 1j * ys[:, None]

    def going(state):
        n, inside, *_ = state
        return (n < limit) & jnp.any(inside)

    def step(state):
        n, inside, z, counts = state
        z = jnp.where(inside, z * z + c, z)
        return n + 1, inside & (jnp.abs(z) <= 2.0), z, counts + inside

    start = 0, jnp.ones(c.shape, dtype=bool), jnp.zeros_like(c), jnp.zeros(c.shape, dtype=jnp.int64)
    return lax.while_loop(going, step, start)[3]


def life(cells, generations):
    def step(_, cells):
        around = sum(
            jnp.roll(cells, (i, j), (0, 1))
            for i in (-1, 0, 1)
            for j in (-1, 0, 1)
            if (i, j) != (0, 0)
        )
        return ((around == 3) | ((cells == 1) & (around == 2))).astype(cells.dtype)

    return lax.fori_loop(0, generations, step, cells)


def viterbi(scores, transitions, emissions, seen):
    def forward(scores, letter):
        ways = scores[:, None] + transitions
        return jnp.max(ways, axis=0) + emissions[:, letter], jnp.argmax(ways, axis=0)

    def backward(state, before):
        return before[state], before[state]

    scores, before = lax.scan(forward, scores + emissions[:, seen[0]], seen[1:])
    last = jnp.argmax(scores)
    _, path = lax.scan(backward, last, before, reverse=True)
    return jnp.concatenate((path, last[None]))


def one_hot_mixture(scores, table):
    winners = jnp.argmax(scores, axis=1)
    repeated = jnp.repeat(table[winners], 3, axis=0)
    return winners, repeated + jnp.tile(jax.nn.one_hot(winners, scores.shape[1]) @ table, (3, 1))


def collinear(points):
    n = len(points)
    places = jnp.arange(n)

    def first(i, count):
        away = points - points[i]
        cross = away[:, None, 0] * away[None, :, 1] == away[:, None, 1] * away[None, :, 0]
        later = (places[:, None] > i) & (places[None, :] > places[:, None])
        return count + jnp.sum(cross & later)

    return lax.fori_loop(0, n, first, 0)


MAKERS = {
    "csr_product": maker(csr_product),
    "nussinov": maker(nussinov),
    "floyd_warshall": maker(floyd_warshall),
    "edit_distance": maker(edit_distance),
    "knapsack": maker(knapsack, static=(2,)),
    "weighted_histogram": maker(weighted_histogram, static=(2,)),
    "bincount_means": maker(bincount_means),
    "nearest_centres": maker(nearest_centres),
    "n_body": maker(n_body),
    "mandelbrot": maker(mandelbrot),
    "life": maker(life),
    "interpolate": maker(rebound(tables.interpolate, np=jnp)),
    "viterbi": maker(viterbi),
    "one_hot_mixture": maker(one_hot_mixture),
    "collinear": maker(collinear),
}
