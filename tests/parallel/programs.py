"""Programs for one part of a mesh, each beside what it computes as a whole, in plain NumPy.

Each is given weights ``w`` of shape (4,), the same in all parts, and the rows of ``x``, of shape
(12, 4), that the part has. The mesh has an axis "data".
"""

from __future__ import annotations

import numpy as np

import autograph as ag
import ops

AXIS = "data"
PARTS = 3  # how many there are; what is computed as a whole may depend on it


def split(x):
    return np.split(x, PARTS)


def mean_loss(w, x):
    return ops.pmean(np.mean(np.tanh(x @ w) ** 2), AXIS)


def mean_loss_whole(w, x):
    return np.mean(np.tanh(x @ w) ** 2)


def regularised(w, x):
    return ops.pmean(np.mean(np.tanh(x @ w)), AXIS) + 0.5 * np.sum(w * w) * np.sin(w[0])


def regularised_whole(w, x):
    return np.mean(np.tanh(x @ w)) + 0.5 * np.sum(w * w) * np.sin(w[0])


def sum_used_again(w, x):
    total = ops.psum(np.sum(x @ w), AXIS)
    return ops.psum(np.sum(x @ w * total), AXIS) + total * w[1]


def sum_used_again_whole(w, x):
    total = np.sum(x @ w)
    return np.sum(x @ w * total) + total * w[1]


def branch_that_all_take(w, x):
    total = ops.psum(np.sum(x @ w), AXIS)
    if total > 0:
        return ops.psum(np.sum(np.sin(x @ w)), AXIS) * total
    return ops.psum(np.sum(np.cos(x @ w)), AXIS) + total


def branch_that_all_take_whole(w, x):
    total = np.sum(x @ w)
    if total > 0:
        return np.sum(np.sin(x @ w)) * total
    return np.sum(np.cos(x @ w)) + total


def branch_of_each(w, x):
    y = 0.0
    for row in x:
        if row @ w > 0:
            y = y + np.sum(w * w) * row[0]
        else:
            y = y - np.sin(w[1]) * row[1]
    return ops.psum(y, AXIS)


def branch_of_each_whole(w, x):
    return branch_of_rows(w, x)


def branch_of_rows(w, x):
    y = 0.0
    for row in x:
        if row @ w > 0:
            y = y + np.sum(w * w) * row[0]
        else:
            y = y - np.sin(w[1]) * row[1]
    return y


def only_weights_in_a_branch(w, x):
    if x[0, 0] > 0.1:
        y = np.sum(w**3)
    else:
        y = np.sum(np.cos(w))
    return ops.psum(y, AXIS)


def only_weights_in_a_branch_whole(w, x):
    total = 0.0
    for part in split(x):
        total = total + (np.sum(w**3) if part[0, 0] > 0.1 else np.sum(np.cos(w)))
    return total


def own_number_of_trips(w, x):
    y, n = w[0], 0
    while np.abs(y) < 2.0 + np.abs(x[0, 0]) and n < 20:
        y = y * 1.5 + w[1] * x[1, 1] + 0.1
        n += 1
    return ops.psum(y * n, AXIS)


def own_number_of_trips_whole(w, x):
    total = 0.0
    for part in split(x):
        y, n = w[0], 0
        while np.abs(y) < 2.0 + np.abs(part[0, 0]) and n < 20:
            y = y * 1.5 + w[1] * part[1, 1] + 0.1
            n += 1
        total = total + y * n
    return total


def until_all_agree(w, x):
    y = x @ w
    while ops.psum(np.sum(y * y), AXIS) > 0.5:
        y = y * 0.7 + 0.01 * ops.pmean(np.mean(y), AXIS) * w[2]
    return ops.psum(np.sum(y**3), AXIS)


def until_all_agree_whole(w, x):
    y = x @ w
    while np.sum(y * y) > 0.5:
        y = y * 0.7 + 0.01 * np.mean(y) * w[2]
    return np.sum(y**3)


def trained_inside(w, x):
    def loss(w, x):
        return ops.pmean(np.mean(np.tanh(x @ w) ** 2), AXIS)

    for _ in range(4):
        w = w - 0.3 * ag.grad(loss)(w, x)
    return loss(w, x)


def trained_inside_whole(w, x):
    def loss(w):
        return np.mean(np.tanh(x @ w) ** 2)

    for _ in range(4):
        w = w - 0.3 * ag.grad(loss)(w)
    return loss(w)


def trained_until_small(w, x):
    def loss(w, x):
        return ops.pmean(np.mean(np.tanh(x @ w) ** 2), AXIS)

    n = 0
    g = ag.grad(loss)(w, x)
    while np.sum(g * g) > 1e-2 and n < 6:
        w = w - 0.3 * g
        g = ag.grad(loss)(w, x)
        n = n + 1
    return loss(w, x) + n * w[0]


def trained_until_small_whole(w, x):
    def loss(w):
        return np.mean(np.tanh(x @ w) ** 2)

    n = 0
    g = ag.grad(loss)(w)
    while np.sum(g * g) > 1e-2 and n < 6:
        w = w - 0.3 * g
        g = ag.grad(loss)(w)
        n = n + 1
    return loss(w) + n * w[0]


def in_place(w, x):
    out = np.zeros(len(x))
    kept = w.copy()
    for i in range(len(x)):
        out[i] = x[i] @ kept
        kept[0] = kept[0] * 0.9 + w[1]
    return ops.psum(np.sum(out**2), AXIS) + kept[0]


def in_place_whole(w, x):
    total = 0.0
    for part in split(x):
        kept = w.copy()
        for i in range(len(part)):
            total = total + (part[i] @ kept) ** 2
            kept[0] = kept[0] * 0.9 + w[1]
    return total + kept[0]


def in_containers(w, x):
    state = {"w": w, "x": x, "n": 0}
    history = []
    while state["n"] < 3:
        step = ops.pmean(np.mean(state["x"] @ state["w"]), AXIS)
        state["w"] = state["w"] - 0.1 * step
        state["x"] = state["x"] * 0.9
        state["n"] += 1
        history.append(step)
    return history[0] * history[-1] + ops.psum(np.sum(state["x"] * state["w"]), AXIS)


def in_containers_whole(w, x):
    history = []
    for _ in range(3):
        step = np.mean(x @ w)
        w = w - 0.1 * step
        x = x * 0.9
        history.append(step)
    return history[0] * history[-1] + np.sum(x * w)


def _power(w, x, n):
    if n == 0:
        return np.sum(w * w)
    return ops.pmean(np.mean(x @ w), AXIS) * _power(w * 0.9, x, n - 1)


def recursion_of_all(w, x):
    return _power(w, x, 3) + w[0]


def recursion_of_all_whole(w, x):
    product = 1.0
    for _ in range(3):
        product = product * np.mean(x @ w)
        w = w * 0.9
    return product * np.sum(w * w) + w[0] / 0.9**3


def _halved(y, w):
    return y * w[0] if abs(y) < 0.3 else _halved(y * 0.5 + 0.01 * w[1], w)


def recursion_of_each(w, x):
    return ops.psum(_halved(x[0] @ w, w) * x[1, 1], AXIS)


def recursion_of_each_whole(w, x):
    total = 0.0
    for part in split(x):
        y = part[0] @ w
        while abs(y) >= 0.3:
            y = y * 0.5 + 0.01 * w[1]
        total = total + y * w[0] * part[1, 1]
    return total


def moved_around(w, x):
    n = ops.axis_size(AXIS)
    before = ops.ppermute(x, AXIS, [(i, (i + 1) % n) for i in range(n)])
    gathered = ops.all_gather(x @ w, AXIS)
    rows = ops.psum_scatter(gathered * np.sin(w[0]), AXIS)
    return ops.psum(np.sum((x * before) @ w) + np.sum(rows * rows), AXIS)


def moved_around_whole(w, x):
    parts = split(x)
    before = np.concatenate([parts[-1], *parts[:-1]])
    rows = PARTS * (x @ w) * np.sin(w[0])
    return np.sum((x * before) @ w) + np.sum(rows * rows)


def extremes(w, x):
    y = x @ w
    high, low = ops.pmax(np.max(y), AXIS), ops.pmin(np.min(y), AXIS)
    return (high - low) ** 2 + ops.broadcast(y[0], AXIS, 1) * w[2]


def extremes_whole(w, x):
    y = x @ w
    return (np.max(y) - np.min(y)) ** 2 + y[len(x) // PARTS] * w[2]


def gathered_invariant(w, x):
    y = ops.all_gather(np.sin(x @ w), AXIS, tiled=True, invariant=True)
    return np.sum(y[1:] * y[:-1]) * w[0]


def gathered_invariant_whole(w, x):
    y = np.sin(x @ w)
    return np.sum(y[1:] * y[:-1]) * w[0]


def transposed(w, x):
    n = ops.axis_size(AXIS)
    y = ops.all_to_all(np.outer(np.arange(1.0, n + 1), x[0] * w), AXIS, 0, 0)
    return ops.psum(np.sum(y * y * x[1]), AXIS)


def transposed_whole(w, x):
    parts = split(x)
    total = 0.0
    for i, part in enumerate(parts):
        for other in parts:
            total = total + np.sum(((i + 1.0) * other[0] * w) ** 2 * part[1])
    return total


def by_number(w, x):
    scale = w[ops.axis_index(AXIS)]
    return ops.psum(np.sum(x) * scale**2, AXIS)


def by_number_whole(w, x):
    sums = np.array([np.sum(part) for part in split(x)])
    return np.sum(sums * w[:PARTS] ** 2)


def number_in_a_branch(w, x):
    y = np.sum(np.sin(x @ w))
    if x[0, 0] > -0.3:
        y = y * w[0] * (1 + ops.axis_index(AXIS))
    return ops.psum(y, AXIS)


def number_in_a_branch_whole(w, x):
    total = 0.0
    for i, part in enumerate(split(x)):
        y = np.sum(np.sin(part @ w))
        total = total + (y * w[0] * (1 + i) if part[0, 0] > -0.3 else y)
    return total


def number_in_a_loop(w, x):
    y = x[0] @ w
    while y < 3.0:
        y = 1.5 * y * y + 0.5 + ops.axis_index(AXIS) * w[1] ** 2
    return ops.psum(y * x[1, 1], AXIS)


def number_in_a_loop_whole(w, x):
    total = 0.0
    for i, part in enumerate(split(x)):
        y = part[0] @ w
        while y < 3.0:
            y = 1.5 * y * y + 0.5 + i * w[1] ** 2
        total = total + y * part[1, 1]
    return total


def _halved_by_number(y, w):
    if abs(y) < 0.3:
        return y * w[0]
    return _halved_by_number(y * 0.5 + 0.01 * w[1] * ops.axis_index(AXIS), w)


def number_in_a_recursion(w, x):
    return ops.psum(_halved_by_number(x[0] @ w, w) * x[1, 1], AXIS)


def number_in_a_recursion_whole(w, x):
    total = 0.0
    for i, part in enumerate(split(x)):
        y = part[0] @ w
        while abs(y) >= 0.3:
            y = y * 0.5 + 0.01 * w[1] * i
        total = total + y * w[0] * part[1, 1]
    return total


def maybe_none(w, x):
    best = None
    for row in x:
        y = row @ w
        if y > 0.2 and (best is None or y > best):
            best = y
    if best is None:
        best = w[0] * 0.0
    return ops.psum(best * best, AXIS)


def maybe_none_whole(w, x):
    total = 0.0
    for part in split(x):
        best = None
        for row in part:
            y = row @ w
            if y > 0.2 and (best is None or y > best):
                best = y
        total = total + (0.0 if best is None else best * best)
    return total


NAMES = sorted(name for name in globals() if f"{name}_whole" in globals())
