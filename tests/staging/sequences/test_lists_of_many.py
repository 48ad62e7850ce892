"""List comprehensions over many numbers that are only read as a whole are loops, where these give
what Python's lists have in them."""

import numpy as np
import pytest

import autograph as ag
from tests.support.oracle import Programs

programs = Programs()
X = np.random.default_rng(0).random(40)


@programs(X)
def arrays(x):
    windows = np.stack([x[i : i + 3] for i in range(38)], axis=1)
    joined = np.concatenate([x[i : i + 2] * i for i in range(38)])
    return np.array([x[i] * x[i - 1] for i in range(40)]), windows, joined


@programs(X)
def numbers(x):
    total = sum([x[i] for i in range(40)]), np.mean([x[i] * i for i in range(40)])
    far = max([abs(x[i] - x[0]) for i in range(40)]), min([x[i] for i in range(39, 2, -1)])
    return total, far, all([x[i] >= 0 for i in range(40)]), any([x[i] > 2 for i in range(40)])


@programs(X.astype(np.float32))
def singles(x):
    return np.array([x[i] * 2 for i in range(40)])


@programs(X.astype(np.float32))
def kinds_that_differ(x):
    by_index = np.array([x[i] if i < 35 else 0 for i in range(40)])
    middle = np.array([0 if i == 20 else x[i] for i in range(40)])
    return by_index, middle, np.array([(x[i], i) for i in range(40)])


@programs(X)
def floats_and_ints(x):
    return np.array([x[i] if x[i] > 0.5 else 0 for i in range(40)])


@programs((10 * X).astype(np.int32))
def ints_of_32_bits(x):
    return np.array([x[i] + 1 for i in range(40)]), np.array([int(x[i]) for i in range(40)])


@programs(X)
def known_numbers(x):
    scales = [1.0 + i for i in range(40)]
    shapes = sum([np.sum(np.ones(i % 3 + 1)) * x[i] for i in range(40)])
    return np.array([x[i] * scales[i] for i in range(40)]), shapes


@programs(X)
def effects(x):
    seen = []

    def value(i):
        seen.append(x[i])
        if i > 36:
            print(i)
        return x[i] * 2

    return np.array([value(i) for i in range(40)]), len(seen), seen[3]


@programs(X)
def changes(x):
    best = x * 1.0

    def value(i):
        best[i] = best[i - 1] + x[i]
        return best[i]

    return np.array([value(i) for i in range(40)]), best


@programs(X)
def what_is_kept(x):
    rows = [x[i : i + 2] for i in range(38)]
    rows[3] = "three"
    return rows[3], np.array([rows[i] for i in range(2)])


@programs(X)
def in_each_other(x):
    table = np.array([np.array([x[i] * x[j] for j in range(40)]) for i in range(40)])
    return table, sum([sum([x[i] - x[j] for j in range(35)]) for i in range(35)])


@programs(X)
def draws(x):
    rng = np.random.default_rng(3)
    return np.array([rng.normal() * x[i] for i in range(40)]), rng.normal()


@programs.test
def test_programs(call):
    call.run()


def test_lengths_that_differ_are_refused_as_without_a_loop():
    def ragged(x):
        return np.array([x[: i + 1] for i in range(40)])

    with pytest.raises(ValueError, match="inhomogeneous"):
        ragged(X)
    with pytest.raises(ValueError, match="same shape"):
        ag.to_graph(ragged)(X)


@pytest.mark.parametrize(
    "take",
    [
        lambda x: np.array([x[i] * x[i - 1] for i in range(400)]),
        lambda x: np.stack([x[i : i + 2] for i in range(398)]),
        lambda x: np.sum([x[i] * x[i - 1] for i in range(400)]),
        lambda x: sum([x[i] * x[i - 1] for i in range(len(x))]),
        lambda x: max([x[i] * x[i - 1] for i in range(len(x))]),
    ],
    ids=["array", "stack", "np.sum", "sum", "max"],
)
def test_many_numbers_are_a_loop(take):
    x = np.linspace(0.0, 0.1, 400)
    compiled = ag.to_graph(take)
    assert np.array_equal(compiled(x), take(x))
    assert len(str(compiled.graph(x)).splitlines()) < 40


def test_derivatives():
    def f(x):
        return np.sum(np.array([np.sin(x[i] * x[i - 1]) for i in range(100)]) ** 2)

    x = np.linspace(0.0, 1.0, 100)
    ag.check_grads(f, (x,), order=2)
    batch = np.stack([x, x + 0.5])
    assert np.allclose(ag.vmap(ag.grad(f))(batch)[1], ag.grad(f)(batch[1]))
