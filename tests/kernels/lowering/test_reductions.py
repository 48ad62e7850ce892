"""Reductions, chains of reductions, index maps and products of matrices in kernels."""

from itertools import combinations

import numpy as np
import pytest

import autograph as ag
from autograph.kernels.ir import ir
from tests.kernels.kernel_check import SOME, check

pytest.importorskip("llvmlite")

LENGTHS = [1, 3, 15, 16, 17, 1000]


def normal(*shape, seed=0):
    return np.random.default_rng(seed).normal(size=shape)


# -- along axes ------------------------------------------------------------------------------------


@pytest.mark.parametrize("shape", [(4,), (3, 5), (2, 3, 4), (2, 1, 3, 2)], ids=str)
def test_all_combinations_of_axes(shape):
    ndim = len(shape)
    axes = [axis for n in range(1, ndim + 1) for axis in combinations(range(ndim), n)]

    def function(x):
        y = x * 2.0
        results = ()
        for axis in axes:
            results = (*results, np.sum(y, axis=axis), np.max(y, axis=axis, keepdims=True))
            results = (*results, np.mean(y * y, axis=axis, keepdims=True))
        return results

    check(function, normal(*shape), ulps=20, scale=4.0)


def statistics(x):
    y = x + 1
    return (
        np.sum(y),
        np.sum(y, axis=0),
        np.prod(y, axis=1),
        np.max(y, axis=0),
        np.min(y, axis=1, keepdims=True),
        np.all(y > 0, axis=0),
        np.any(y > 2, axis=1),
        np.mean(y, axis=0),
        np.mean(y),
    )


@pytest.mark.parametrize(
    "dtype",
    "bool int8 int16 int32 int64 uint8 uint32 uint64 float32 float64".split(),
)
def test_dtypes(dtype):
    x = np.random.default_rng(0).integers(0, 100, (4, 3)).astype(dtype)
    check(statistics, x, ulps=4)


def test_dtype_arguments():
    def function(x):
        y = x * 2
        return (
            np.sum(y, dtype=np.float64),
            np.sum(y, axis=0, dtype=np.int64),
            np.prod(y, axis=0, dtype=np.uint8),
            np.sum(y > 0),
            np.sum(y > 0, axis=1),
            np.mean(y > 0),
        )

    check(function, np.arange(-6, 6, dtype=np.int8).reshape(3, 4))


@pytest.mark.parametrize("shape", [(0,), (0, 3), (3, 0), (2, 0, 3), (1, 1), (1,)], ids=str)
def test_empty_and_single(shape):
    def function(x):
        y = x * 2.0
        return np.sum(y), np.prod(y, axis=0), np.sum(y, axis=-1, keepdims=True), np.any(y > 0), y

    check(function, np.ones(shape))


def test_extrema_of_nothing_raise():
    def function(x):
        y = x * 2.0
        return np.max(y, axis=1), np.sum(y)

    check(function, np.ones((0, 2)))
    with pytest.raises(ValueError):
        ag.to_graph(function)(np.ones((2, 0)))


def test_special_values():
    def function(x):
        y = x * 1.0
        return (
            np.max(y, axis=1),
            np.min(y, axis=1),
            np.sum(y, axis=1),
            np.max(y, axis=0),
            np.prod(y, axis=0),
            np.any(y, axis=0),
            np.all(y, axis=0),
        )

    rows = [[1, np.nan, 2], [np.inf, -np.inf, 0], [-np.inf, 1, 2], [np.nan] * 3, [0, 1e308, 1e308]]
    check(function, np.array(rows))
    rows[-1][1:] = [3e38, 3e38]
    check(function, np.array(rows, dtype=np.float32))


# -- chains of reductions --------------------------------------------------------------------------


def softmax(x):
    e = np.exp(x - np.max(x, axis=-1, keepdims=True))
    return e / np.sum(e, axis=-1, keepdims=True)


def layer_norm(x):
    mean = np.mean(x, axis=-1, keepdims=True)
    variance = np.mean((x - mean) ** 2, axis=-1, keepdims=True)
    return (x - mean) / np.sqrt(variance + 1e-5)


def log_sum_exp(x):
    top = np.max(x, axis=-1, keepdims=True)
    return np.log(np.sum(np.exp(x - top), axis=-1)) + top[..., 0]


def spread(x):
    return np.var(x, axis=-1) + 1.0, np.std(x, axis=-1), np.mean(x) - np.max(x)


def column_norm(x):
    y = (x - np.mean(x, axis=0)) / (np.std(x, axis=0) + 1.0)
    return y, np.sum(y * y, axis=0)


def cross_entropy(x):
    p = softmax(x)
    return -np.mean(np.log(p[:, 0] + 1e-9)), p


def rows_and_columns(x):
    y = x * 2.0
    r, c = np.sum(y, axis=1), np.sum(y, axis=0)
    return y - r[:, None] + c, np.max(r) + np.min(c), r, c


CHAINS = [softmax, layer_norm, log_sum_exp, spread, column_norm, cross_entropy, rows_and_columns]


@pytest.mark.parametrize("function", CHAINS)
def test_chains(function):
    for length in LENGTHS:
        check(function, normal(3, length) * 3, ulps=20 + 4 * length, scale=4.0)
    check(function, normal(50, 4), ulps=100, scale=4.0)
    check(function, normal(3, 17).astype(np.float32), ulps=100, scale=4.0)


def test_chains_of_vectors():
    def function(x):
        y = np.exp(x - np.max(x))
        p = y / np.sum(y)
        return p, np.sum(p * np.log(p)), np.argmax(x) if False else np.var(x)

    for length in LENGTHS:
        check(function, normal(length), ulps=50, scale=1.0)


@pytest.mark.parametrize("shape", [(1, 1), (1, 300), (300, 1), (1000, 7), (7, 1000), (40, 40)])
def test_columns(shape):
    def function(x):
        y = np.tanh(x)
        return np.sum(y, axis=0), np.max(x, axis=0), np.mean(y, axis=0) + np.sum(x), y

    check(function, normal(*shape), ulps=4000, scale=1.0)


def test_many_rows():
    def function(x):
        y = np.tanh(x)
        return np.sum(y, axis=0), np.sum(y), softmax(y)

    check(function, normal(3000, 40), ulps=40, scale=1000.0)


def test_a_loop_over_reductions():
    def function(x):
        v = x[0] / 2.0
        for _ in range(6):
            w = np.sum(x * v, axis=1)
            v = w / np.sqrt(np.sum(w * w))
        return v, np.sum(v * np.sum(x * v, axis=1))

    check(function, normal(8, 8) + 3 * np.eye(8), ulps=200, scale=1.0)


# -- index maps ------------------------------------------------------------------------------------


def test_index_maps_in_chains():
    def function(x, i):
        y = x * 2.0
        return (
            y.T + 1.0,
            np.sum(y.T * 2.0, axis=0),
            y.reshape(4, 6) * np.arange(6.0),
            y.reshape(-1)[::-2] * 2.0,
            np.sum(y[::-1, 1::2] * y[:, ::2], axis=1),
            np.concatenate([y, y * 3.0], axis=0) + 1.0,
            np.concatenate([y[:, :2], y[:, 3:]], axis=1) * y[:, :5],
            np.stack([y, -y], axis=1) * 2.0,
            np.flip(y, 1) - np.roll(y, 2, axis=0) + np.roll(y, -1),
            y[[0, 2, 2]] * 2.0,
            y[:, [5, -1, 0]] + 1.0,
            y[np.arange(4), np.arange(4)] * 3.0,
            np.take(y, [1, 3], axis=1) * 2.0,
            np.take_along_axis(y, np.argsort(x, axis=1), axis=1) * 2.0,
            y[i] * y[:, i][:, None] + y[i, -1],
            np.repeat(y, 2, axis=1) * 2.0,
            np.tile(y, (2, 1)) + 1.0,
            np.pad(y, 1) * 2.0,
            np.diff(y, axis=0) * 2.0,
            np.broadcast_to(y[:1], (4, 6)) + y,
            np.expand_dims(y, 1) * y[None],
            np.squeeze(y[:1]) * 2.0,
            np.moveaxis(y.reshape(2, 2, 6), 0, -1) * 2.0,
            np.tril(y) * 2.0,
            np.diagonal(y[:, :4]) * 2.0,
            np.where(y > 0, y.reshape(6, 4).T.reshape(4, 6), 1.0),
        )

    x = np.arange(24.0).reshape(4, 6) % 7 - 3
    for i in (0, 3, -1):
        check(function, x, i, ulps=0, kernels=SOME)
        check(function, np.asfortranarray(x), i, ulps=0, kernels=SOME)


# -- products of matrices --------------------------------------------------------------------------

SHAPES = [
    ((3,), (3,)),
    ((2, 3), (3,)),
    ((3,), (3, 4)),
    ((2, 3), (3, 4)),
    ((1, 3), (3, 1)),
    ((1, 1), (1, 1)),
    ((5, 2, 3), (3, 4)),
    ((2, 3), (5, 3, 4)),
    ((5, 2, 3), (5, 3, 4)),
    ((5, 1, 2, 3), (4, 3, 2)),
    ((5, 2, 3), (3,)),
    ((3,), (5, 3, 4)),
    ((40, 50), (50, 30)),
    ((40, 50), (50,)),
    ((50,), (50, 30)),
    ((400,), (400,)),
    ((3, 20, 30), (3, 30, 20)),
    ((3, 20, 30), (30,)),
    ((20,), (3, 20, 30)),
    ((0, 3), (3, 4)),
    ((2, 0), (0, 4)),
    ((0,), (0,)),
]


@pytest.mark.parametrize("shapes", SHAPES, ids=str)
def test_products(shapes):
    def function(x, y):
        z = (x * 0.5) @ y
        return z + 1.0, z * z

    x, y = (normal(*shape, seed=i) for i, shape in enumerate(shapes))
    kernels = SOME if 0 in x.shape else "all"
    check(function, x, y, ulps=200, scale=1.0, kernels=kernels)
    check(function, x.astype(np.float32), y.astype(np.float32), ulps=200, scale=1.0, kernels=SOME)


def test_products_of_integers():
    def function(x, y):
        z = x @ y
        return z + 1, z * 2

    for dtype in (np.int8, np.int64, np.uint32, bool):
        x = (np.arange(12) % 5).astype(dtype).reshape(3, 4)
        check(function, x, x.T, kernels=SOME)
        check(function, x, x[0], kernels=SOME)


@pytest.mark.parametrize("n", [2, 40])
def test_products_of_transposes(n):
    def function(x, y):
        z = np.tanh(x)
        return (
            z.T @ y,
            z @ y.T,
            z.T @ y.T,
            (z @ y).T @ z,
            (x.T @ x + y) @ np.ones(n),
            np.sum(x.T @ y, axis=0),
            x[::-1] @ y[:, ::2],
            z[: n // 2] @ y,
        )

    x, y = normal(n, n), normal(n, n, seed=1)
    check(function, x, y, ulps=1000, scale=1.0, kernels=SOME)
    check(function, np.asfortranarray(x), y[::-1, ::-1], ulps=1000, scale=1.0, kernels=SOME)


def test_a_loop_of_products():
    def function(w, x, n):
        h = np.zeros(x.shape[1])
        for i in range(n):
            h = np.tanh(w @ h + x[i % 4])
        return h, w @ h

    for n in range(4):
        check(function, normal(6, 6) * 0.3, normal(4, 6), n, ulps=100, scale=1.0)
        check(function, normal(60, 60) * 0.1, normal(4, 60), n, ulps=100, scale=1.0)


NARROW = [(1000, 3), (70, 1), (63, 3), (257, 2, 4), (40, 5, 3), (129, 8)]


@pytest.mark.parametrize("shape", NARROW)
def test_totals_of_few_columns(shape):
    x = np.random.default_rng(3).normal(size=shape)
    whole = (x * 9).astype(np.int32)
    lead = tuple(range(len(shape) - 1))
    check(lambda x: (np.sum(x * 2.0, axis=lead), np.max(x + 1.0, axis=lead)), x, ulps=64, scale=30)
    check(lambda x: (np.sum(x + 1, axis=lead), np.min(x * 2, axis=lead)), whole)
    check(lambda x: np.sum(np.abs(x), axis=0) + np.sum(x > 0, axis=0), x, ulps=64, scale=30)
    check(lambda x: (x - x.mean(axis=0)).std(axis=0), x, ulps=64, scale=3)


def sums_by_label(x, labels):
    sums = np.zeros((4, x.shape[1]))
    for k in range(4):
        members = labels == k
        if np.sum(members) > 0:
            sums[k] = np.sum(x * members[:, None], axis=0) + x[members].mean(axis=0)
    return sums


def test_totals_of_few_columns_in_a_loop():
    rng = np.random.default_rng(4)
    check(sums_by_label, rng.normal(size=(300, 3)), rng.integers(0, 3, 300), ulps=64, scale=30)


@pytest.mark.parametrize("columns", [9, 12, 15, 16, 31, 40])
def test_places_in_short_rows(columns):
    x = np.random.default_rng(5).integers(0, 5, (400, columns)).astype(float)
    x[3, 2] = np.nan
    for f in (
        lambda x: np.argmin(x, axis=1),
        lambda x: np.argmax(x, axis=0),
        lambda x: np.max(x, axis=1),
        lambda x: np.argmin((x - 2.0) ** 2, axis=1),
    ):
        check(f, x, kernels=None)


def best_ways(scores, ways):
    """A place and an extremum of the same array, in both orders."""
    places = np.zeros((4, len(scores)), dtype=np.int64)
    for t in range(4):
        both = scores[:, None] + ways
        if t % 2:
            places[t], scores = np.argmax(both, axis=0), np.max(both, axis=0)
        else:
            low = np.min(both, axis=1)
            places[t], scores = np.argmin(both, axis=1), low
    return places, scores


@pytest.mark.parametrize("dtype", ["f8", "f4", "i4"])
@pytest.mark.parametrize("n", [2, 9, 24, 33])
def test_places_and_extrema(n, dtype):
    rng = np.random.default_rng(n)
    ways = rng.integers(-3, 3, (n, n)).astype(dtype)
    check(best_ways, rng.integers(-3, 3, n).astype(dtype), ways, kernels=None)
    if ways.dtype.kind == "f":
        ways[n // 2, n - 1] = np.nan
        check(best_ways, -ways[0], ways * -0.0, kernels=None, ulps=0)
        check(best_ways, ways[1], ways, kernels=None, ulps=0)


def test_a_place_and_an_extremum_are_found_together():
    def loads(function):
        (kernel,) = ag.to_graph(function).kernels(np.ones((30, 40))).values()
        return sum(isinstance(s, ir.Load) for s in ir.walk(kernel.kernel.body))

    def place(x):
        return np.argmax(x, axis=0)

    def largest(x):
        return np.max(x, axis=0)

    together = loads(lambda x: (np.argmax(x, axis=0), np.max(x, axis=0)))
    assert together < loads(place) + loads(largest)
