"""Lists whose first rows are taken away, and lists that are known before they are changed."""

import ctypes

import numpy as np
import pytest

pytest.importorskip("llvmlite")
import autograph as ag
from autograph.kernels.native.runtime import runtime
from tests.kernels.kernel_check import assert_same, check

X = np.linspace(0.1, 1.0, 4)


def waiting_times(arrivals, durations):
    """One server, and a queue before it."""
    t, i, j = 0.0, 0, 0
    queue, free_at = [], np.inf
    waits = np.zeros(len(arrivals))
    while j < len(arrivals):
        if i < len(arrivals) and arrivals[i] <= free_at:
            t = arrivals[i]
            queue.append(t)
            if len(queue) == 1:
                free_at = t + durations[j]
            i += 1
        else:
            t = free_at
            waits[j] = t - queue.pop(0)
            j += 1
            free_at = t + durations[j] if queue else np.inf
    return waits


def distances(starts, targets):
    """Breadth first, by neighbours in one array."""
    found = np.full(len(starts) - 1, -1)
    found[0] = 0
    queue = [0]
    while queue:
        u = queue.pop(0)
        for v in targets[starts[u] : starts[u + 1]]:
            if found[v] < 0:
                found[v] = found[u] + 1
                queue.append(v)
    return found


def deletions(x):
    """By other names of the same, down to no rows and up again."""
    rows, i, total = [x, 2 * x], 0, 0.0 * x
    while i < 30:
        if i % 4 != 3:
            rows.append(x * i)
        elif i % 8 == 3:
            del rows[0]
        else:
            total = total + rows[0] + len(rows)
            rows = rows[1:]
        while i > 25 and len(rows) > 0:
            total = total + rows.pop(0)
        i += 1
    return total, len(rows)


def read_before_it_moves(x):
    """What is computed from a list is what it was, wherever its rows are moved to afterwards."""
    rows, i, total = [x, 2 * x], 0, x * 0
    while i < 40:
        if len(rows) > 3:
            rows.pop(0)
            rows.pop(0)
            first, last = rows[0], rows[-1]
            rows.append(x * i)
            rows.append(x - i)
            rows.append(first + last)
            total = total + first * 3 + last
        else:
            rows.append(x + i)
        i += 1
    return total, np.array(rows)


def test_of_events():
    random = np.random.default_rng(0)
    for n in (1, 2, 50):
        arrivals = np.cumsum(random.exponential(1.0, n))
        check(waiting_times, arrivals, random.exponential(0.9, n + 1))


def test_breadth_first():
    targets = np.random.default_rng(1).integers(0, 30, 60)
    check(distances, np.arange(0, 61, 2), targets)


@pytest.mark.parametrize("function", [deletions, read_before_it_moves])
def test_other_changes(function):
    check(function, X)


def machine(codes, x):
    """Two queues, changed as a program says."""
    a, b = [x[0]], [0.0]
    total = 0.0
    for k in range(len(codes)):
        code, v = codes[k], x[k]
        if code < 3:
            a.append(v)
        elif code < 5:
            if len(a) > 0:
                total += a.pop(0)
        elif code == 5:
            b.append(2 * v)
            a.append(v)
        elif code == 6:
            if len(b) > 1:
                del b[0]
                total -= b[0]
        elif code == 7:
            if len(a) > 2:
                a[0] = v
                a[-1] = total
                total = a.pop(0) + a.pop()
        elif code == 8:
            rest = a[1:]
            a.append(v)
            total += len(rest) + (rest[-1] if len(rest) > 0 else 0.0)
        elif code == 9:
            y = np.sum(np.array(a[:3]))
            if len(a) > 0:
                a.pop(0)
            a.append(v)
            a.append(v + 1)
            total += y
        else:
            for step in range(3):
                if len(a) > 1:
                    total += 0.5 * a.pop(0)
                a.append(v + step)
    return total, np.array(a), np.array(b)


@pytest.fixture(scope="module")
def compiled_machine():
    return ag.to_graph(machine)


@pytest.mark.parametrize("seed", range(20))
def test_random_changes(compiled_machine, seed):
    random = np.random.default_rng(seed)
    share = random.random(11) ** 2
    codes = random.choice(11, 120, p=share / share.sum())
    x = random.normal(size=120)
    assert_same(compiled_machine(codes, x), machine(codes, x))
    assert list(compiled_machine.kernels(codes, x)) == ["machine"]


def test_a_queue_takes_no_more_memory_the_longer_it_is_used():
    """Its rows move back to the room that is free before them."""

    def function(n):
        queue, i, total = [0.0], 0, 0.0
        while i < n:
            queue.append(i * 0.5)
            if len(queue) > 3:
                total += queue.pop(0)
            i += 1
        return total

    compiled = check(function, 200)
    limit = ctypes.c_int64.from_address(runtime().address("ag_arena_limit"))
    before, limit.value = limit.value, 1_000_000
    try:
        assert compiled(200_000) == function(200_000)
    finally:
        limit.value = before


@pytest.mark.slow
@pytest.mark.costly
@pytest.mark.parametrize("rows", [False, True], ids=["numbers", "rows"])
def test_the_gradient_of_a_queue_that_is_copied_after_each_trip(rows):
    """A copy has no room before its first row: what moved there was over other memory."""

    def function(x, n):
        row = x[:2] if rows else x[0]
        queue, first = [row], row
        for i in range(n):
            for j in range(i):
                queue.append(x[:2] * j if rows else x[0] * j)
                queue.append(row)
                first = np.tanh(queue.pop(0))
            if len(queue) > 2:
                first = first * queue.pop(0)
        return np.sum(first * queue[-1])

    gradient, step = ag.grad(function), 1e-6
    for n in (7, 12):
        found = gradient(X, n)
        expected = [
            (function(X + step * d, n) - function(X - step * d, n)) / (2 * step) for d in np.eye(4)
        ]
        np.testing.assert_allclose(found, expected, rtol=1e-6, atol=1e-8)
    assert list(gradient.kernels(X, 7)) == ["grad_function"]


# -- lists that are known when the loop begins -----------------------------------------------------


def joined(u, v, n):
    """The number of groups that are left where pairs are joined."""
    parent = list(range(n))
    size = [1] * n
    groups = n
    for a, b in zip(u, v):
        while parent[a] != a:
            parent[a] = parent[parent[a]]
            a = parent[a]
        while parent[b] != b:
            b = parent[b]
        if a != b:
            if size[a] < size[b]:
                a, b = b, a
            parent[b] = a
            size[a] += size[b]
            groups -= 1
    return groups, np.array(parent), np.array(size)


def fewest_coins(coins, amount):
    fewest = [0] + [amount + 1] * amount
    for a in range(1, amount + 1):
        for c in coins:
            if c <= a and fewest[a - c] + 1 < fewest[a]:
                fewest[a] = fewest[a - c] + 1
    return fewest[amount]


def test_pairs_joined():
    random = np.random.default_rng(2)
    for n in (3, 300):
        check(joined, random.integers(0, n, 200), random.integers(0, n, 200), n, kernels=1)


@pytest.mark.parametrize("amount", [7, 400])
def test_fewest_coins(amount):
    check(fewest_coins, np.array([3, 7, 31]), amount, kernels=1)
