"""Random numbers from keys: published vectors, statistics, compiled as eager, derivatives."""

import numpy as np
import pytest
import scipy.special
import scipy.stats

import autograph as ag
import ops
from ops import random
from ops.random.philox import bounded_bits, philox_rounds, random_blocks
from tests.support.oracle import assert_same

KEY = random.key(2024)


def words(*values):
    return [np.array([value], np.uint64) for value in values]


# The known answers of Random123, philox4x32 with 10 rounds.
VECTORS = [
    ("0 0 0 0", "0 0", "6627e8d5 e169c58d bc57ac4c 9b00dbd8"),
    (
        "ffffffff ffffffff ffffffff ffffffff",
        "ffffffff ffffffff",
        "408f276d 41c83b0e a20bc7c6 6d5451fd",
    ),
    (
        "243f6a88 85a308d3 13198a2e 03707344",
        "a4093822 299f31d0",
        "d16cfe09 94fdcceb 5001e420 24126ea1",
    ),
]


@pytest.mark.parametrize("counter, key, expected", VECTORS)
def test_published_vectors(counter, key, expected):
    counter, key, expected = (
        [int(v, 16) for v in text.split()] for text in (counter, key, expected)
    )
    assert [int(v[0]) for v in philox_rounds(words(*counter), words(*key))] == expected


def test_blocks_are_enciphered_counters():
    key = np.array([0, 0], np.uint32)
    first = random_blocks(key, 0, length=3, domain=0)
    np.testing.assert_array_equal(first[0], [0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8])
    np.testing.assert_array_equal(random_blocks(key, 1, length=2, domain=0), first[1:])
    wide = random_blocks(key, 2**40 + 3, length=1, domain=1)[0]
    expected = philox_rounds(words(3, 2**8, 0, 1), words(0, 0))
    np.testing.assert_array_equal(wide, np.concatenate(expected))
    keys = np.array([[[1, 2]], [[3, 4]]], np.uint32)
    batch = random_blocks(keys, np.array([5, 6, 7]), length=2, domain=0)
    for i in range(2):
        for j in range(3):
            alone = random_blocks(keys[i, 0], 5 + j, length=2, domain=0)
            np.testing.assert_array_equal(batch[i, j], alone)


def test_the_stream_does_not_change():
    """What a key gives stays the same from version to version."""
    np.testing.assert_array_equal(random.key(2**40 + 5), [5, 256])
    np.testing.assert_array_equal(random.key(-1), [2**32 - 1, 2**32 - 1])
    zero = random.key(0)
    np.testing.assert_array_equal(
        random.bits(zero, 4), [0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8]
    )
    np.testing.assert_array_equal(
        random.bits(zero, 2, np.uint64), [0xE169C58D6627E8D5, 0x9B00DBD8BC57AC4C]
    )
    np.testing.assert_array_equal(random.bits(zero, 5, np.uint8), [0xD5, 0xE8, 0x27, 0x66, 0x8D])
    np.testing.assert_array_equal(random.bits(zero, 3, np.uint16), [0xE8D5, 0x6627, 0xC58D])
    np.testing.assert_array_equal(
        random.split(zero), [[768504805, 323543615], [3914554339, 1359758665]]
    )
    np.testing.assert_array_equal(random.fold_in(zero, 5), [756223060, 3943452648])
    assert random.uniform(zero) == (0xE169C58D6627E8D5 >> 11) * 2.0**-53


def test_keys_differ():
    keys = [KEY, *random.split(KEY, 50), *(random.fold_in(KEY, i) for i in range(50))]
    assert len({tuple(key) for key in keys}) == 101
    assert random.split(KEY, (2, 3)).shape == (2, 3, 2)
    np.testing.assert_array_equal(random.split(KEY, (2, 3)).reshape(6, 2), random.split(KEY, 6))
    np.testing.assert_array_equal(random.split(KEY, 3), random.split(KEY, 6)[:3])
    assert not np.array_equal(random.fold_in(KEY, 1), random.split(KEY, 2)[1])


def test_bounded_integers_are_exact():
    rng = np.random.default_rng(0)
    high, low, span = rng.integers(0, 2**64, (3, 500), np.uint64)
    span[:5] = [1, 2, 2**64 - 1, 2**32, 2**63]
    expected = [(int(a) << 64 | int(b)) * int(c) >> 128 for a, b, c in zip(high, low, span)]
    zeros = np.zeros(500, np.uint64)
    assert [int(x) for x in bounded_bits(high, low, zeros, span)] == expected
    assert bounded_bits(high[0], low[0], np.int64(-3), np.int64(4)) in range(-3, 4)


# -- distributions ---------------------------------------------------------------------------------

N = 20000
CONTINUOUS = {
    "uniform": (lambda key, **o: random.uniform(key, N, **o), scipy.stats.uniform()),
    "uniform from -1 to 3": (
        lambda key, **o: random.uniform(key, N, minval=-1.0, maxval=3.0, **o),
        scipy.stats.uniform(-1, 4),
    ),
    "normal": (lambda key, **o: random.normal(key, N, **o), scipy.stats.norm()),
    "exponential": (lambda key, **o: random.exponential(key, N, **o), scipy.stats.expon()),
    "gumbel": (lambda key, **o: random.gumbel(key, N, **o), scipy.stats.gumbel_r()),
    "laplace": (lambda key, **o: random.laplace(key, N, **o), scipy.stats.laplace()),
    "logistic": (lambda key, **o: random.logistic(key, N, **o), scipy.stats.logistic()),
    "cauchy": (lambda key, **o: random.cauchy(key, N, **o), scipy.stats.cauchy()),
    "truncated normal": (
        lambda key, **o: random.truncated_normal(key, -0.5, 1.5, N, **o),
        scipy.stats.truncnorm(-0.5, 1.5),
    ),
    "truncated normal in a tail": (
        lambda key, **o: random.truncated_normal(key, 12.0, 13.0, N, **o),
        scipy.stats.truncnorm(12, 13),
    ),
    **{
        f"gamma {a}": (lambda key, a=a, **o: random.gamma(key, a, N, **o), scipy.stats.gamma(a))
        for a in (0.05, 0.7, 1.0, 3.0, 500.0)
    },
    "beta": (lambda key, **o: random.beta(key, 0.5, 2.0, N, **o), scipy.stats.beta(0.5, 2)),
    "chisquare": (lambda key, **o: random.chisquare(key, 3.0, N, **o), scipy.stats.chi2(3)),
    "lognormal": (lambda key, **o: random.lognormal(key, 0.5, N, **o), scipy.stats.lognorm(0.5)),
    "pareto": (lambda key, **o: random.pareto(key, 5.0, N, **o), scipy.stats.pareto(5)),
    "rayleigh": (
        lambda key, **o: random.rayleigh(key, 2.0, N, **o),
        scipy.stats.rayleigh(scale=2),
    ),
    "weibull": (
        lambda key, **o: random.weibull_min(key, 2.0, 1.5, N, **o),
        scipy.stats.weibull_min(1.5, scale=2),
    ),
    "t": (lambda key, **o: random.t(key, 3.0, N, **o), scipy.stats.t(3)),
}


@pytest.mark.parametrize("name", CONTINUOUS)
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_distributions(name, dtype):
    draw, distribution = CONTINUOUS[name]
    x = draw(KEY, dtype=dtype)
    assert (x.dtype, x.shape) == (dtype, (N,))
    assert np.all(np.isfinite(x))
    assert scipy.stats.kstest(x.astype(float), distribution.cdf).pvalue > 1e-3
    if distribution.var() < 10:
        assert abs(x.mean() - distribution.mean()) < 5 * distribution.std() / np.sqrt(N)


def test_uniform_stays_within():
    for dtype in (np.float16, np.float32, np.float64):
        x = random.uniform(KEY, 100000, dtype)
        assert x.dtype == dtype and x.min() >= 0 and x.max() < 1
        assert abs(x.astype(float).mean() - 0.5) < 0.005
    low, high = np.array([[-1.0], [0.5]]), np.array([2.0, 9.0, 7.0])
    x = random.uniform(KEY, (2, 3), minval=low, maxval=high)
    assert np.all((x >= low) & (x <= high))


def test_extreme_bits_give_finite_numbers():
    """With all bits set or none, the quantiles and logarithms are finite."""
    from ops.random import distributions

    for dtype in ("float32", "float64"):
        count = distributions._MANTISSA[dtype] - 1
        ends = np.array([0.5, 2**count - 0.5]) * 2.0**-count
        ends = ends.astype(dtype)
        assert np.all((ends > 0) & (ends < 1))
        assert np.all(np.isfinite(ops.special.ndtri(ends)))


def test_normal_has_no_correlations():
    x = random.normal(KEY, (200, 200))
    for a, b in ((x[1:], x[:-1]), (x[:, 1:], x[:, :-1])):
        assert abs(np.mean(a * b)) < 0.025
    first, second = (random.normal(key, 40000) for key in random.split(KEY))
    assert abs(np.mean(first * second)) < 0.025


def test_bernoulli_and_rademacher():
    p = np.array([0.0, 0.2, 1.0])
    x = random.bernoulli(KEY, p, (N, 3))
    assert x.dtype == bool
    np.testing.assert_allclose(x.mean(0), p, atol=0.015)
    assert random.bernoulli(KEY, p).shape == (3,)
    assert set(random.rademacher(KEY, 100)) == {-1, 1}
    assert random.rademacher(KEY, 3, np.float32).dtype == np.float32


def test_dirichlet_and_multivariate_normal():
    alpha = np.array([0.5, 1.0, 3.0])
    x = random.dirichlet(KEY, alpha, (N,))
    np.testing.assert_allclose(x.sum(-1), 1)
    np.testing.assert_allclose(x.mean(0), alpha / alpha.sum(), atol=0.01)
    mean, cov = np.array([1.0, -2.0]), np.array([[2.0, 0.5], [0.5, 1.0]])
    y = random.multivariate_normal(KEY, mean, cov, (N,))
    np.testing.assert_allclose(y.mean(0), mean, atol=0.05)
    np.testing.assert_allclose(np.cov(y.T), cov, atol=0.06)
    assert random.multivariate_normal(KEY, mean, cov).shape == (2,)
    assert random.dirichlet(KEY, np.ones((4, 3))).shape == (4, 3)


@pytest.mark.parametrize("mean", [0.01, 0.7, 4.0, 9.9, 10.0, 33.0, 1e5])
def test_poisson(mean):
    x = random.poisson(KEY, mean, N)
    assert x.dtype == np.int64 and x.shape == (N,)
    distribution = scipy.stats.poisson(mean)
    edges = np.unique(distribution.ppf(np.linspace(0.02, 0.98, 12)))
    expected = np.diff([0, *distribution.cdf(edges), 1]) * N
    counts = np.histogram(x, [-1, *(edges + 0.5), np.inf])[0]
    used = expected > 0
    assert np.all(counts[~used] == 0)
    assert scipy.stats.chisquare(counts[used], expected[used]).pvalue > 1e-3


def test_poisson_of_odd_means():
    x = random.poisson(KEY, np.array([0.0, -1.0, np.nan, np.inf, 1e18]))
    np.testing.assert_array_equal(x[:4], [0, -1, -1, -1])
    assert abs(x[4] - 1e18) < 1e10
    assert random.poisson(KEY, 3, (2, 2), np.int32).dtype == np.int32
    with pytest.raises(TypeError):
        random.poisson(KEY, 3.0, dtype=float)


# -- integers, orders, choices ---------------------------------------------------------------------


def frequencies_fit(x, probabilities):
    counts = np.bincount(np.ravel(x), minlength=len(probabilities))
    return scipy.stats.chisquare(counts, np.asarray(probabilities) * np.size(x)).pvalue > 1e-3


def test_randint():
    x = random.randint(KEY, N, -3, 7)
    assert x.dtype == np.int64 and frequencies_fit(x + 3, np.full(10, 0.1))
    whole = random.randint(KEY, N, -(2**63), 2**63 - 1)
    assert scipy.stats.kstest(whole / 2.0**64 + 0.5, "uniform").pvalue > 1e-3
    unsigned = random.randint(KEY, 100, 0, np.uint64(2**64 - 1), np.uint64)
    assert unsigned.dtype == np.uint64 and unsigned.max() > 2**63
    small = random.randint(KEY, 1000, 0, 200, np.uint8)
    assert small.dtype == np.uint8 and small.max() < 200
    rows = random.randint(KEY, (2, 500), np.array([[0], [100]]), np.array([[10], [101]]))
    assert rows[0].max() == 9 and np.all(rows[1] == 100)
    assert random.randint(KEY, (), 5, 5) == 5
    with pytest.raises(TypeError):
        random.randint(KEY, 3, 0.0, 1.0)


def test_permutation():
    orders = np.array([random.permutation(key, 3) for key in random.split(KEY, 1200)])
    _, counts = np.unique(orders, axis=0, return_counts=True)
    assert len(counts) == 6 and scipy.stats.chisquare(counts).pvalue > 1e-3
    x = np.arange(12.0).reshape(3, 4)
    moved = random.permutation(KEY, x, axis=1)
    np.testing.assert_array_equal(np.sort(moved, 1), x)
    assert len({tuple(np.argsort(row)) for row in moved}) == 1
    apart = random.permutation(KEY, x, axis=1, independent=True)
    np.testing.assert_array_equal(np.sort(apart, 1), x)
    np.testing.assert_array_equal(random.shuffle(KEY, x), random.permutation(KEY, x))
    assert random.permutation(KEY, 0).shape == (0,)
    with pytest.raises(np.exceptions.AxisError):
        random.permutation(KEY, x, axis=2)


def test_choice():
    p = np.array([0.1, 0.2, 0.7])
    assert frequencies_fit(random.choice(KEY, 3, N), np.full(3, 1 / 3))
    assert frequencies_fit(random.choice(KEY, 3, N, p=p), p)
    without = np.array([random.choice(key, 3, 2, False, p) for key in random.split(KEY, 1200)])
    assert np.all(without[:, 0] != without[:, 1])
    assert frequencies_fit(without[:, 0], p)
    x = np.arange(12.0).reshape(3, 4)
    assert random.choice(KEY, x, (2, 5), axis=1).shape == (3, 2, 5)
    assert sorted(random.choice(KEY, 5, 5, replace=False)) == [0, 1, 2, 3, 4]
    assert random.choice(KEY, x[0]) in x[0]
    with pytest.raises(ValueError, match="larger sample"):
        random.choice(KEY, 3, 4, replace=False)
    with pytest.raises(ValueError, match="match the shape"):
        random.choice(KEY, 4, 2, p=p)
    with pytest.raises(ValueError, match="greater than 0"):
        random.choice(KEY, 0, 2)


def test_categorical():
    logits = np.log(np.array([[0.1, 0.2, 0.7], [0.3, 0.3, 0.4]])) + 5
    x = random.categorical(KEY, logits, shape=(N, 2))
    for i in range(2):
        assert frequencies_fit(x[:, i], np.exp(logits[i] - 5))
    assert random.categorical(KEY, logits).shape == (2,)
    assert random.categorical(KEY, logits, axis=0).shape == (3,)
    never = random.categorical(KEY, np.array([0.0, -np.inf]), shape=(1000,))
    assert np.all(never == 0)
    with pytest.raises(ValueError):
        random.categorical(KEY, logits, shape=(3,))


# -- compiled --------------------------------------------------------------------------------------

DRAWS = {
    **{name: draw for name, (draw, _) in CONTINUOUS.items()},
    "split": lambda key: random.split(key, 3),
    "fold in": lambda key: random.fold_in(key, 7),
    "bits": lambda key: [random.bits(key, (2, 3), f"uint{n}") for n in (8, 16, 32, 64)],
    "randint": lambda key: random.randint(key, (2, 3), -5, 5),
    "permutation": lambda key: random.permutation(key, 6),
    "permuted": lambda key: random.permutation(key, np.arange(6.0).reshape(2, 3), 1, True),
    "choice": lambda key: random.choice(key, np.arange(4.0), (3,), p=np.full(4, 0.25)),
    "poisson": lambda key: random.poisson(key, np.array([0.5, 3.0, 40.0])),
    "choice without": lambda key: random.choice(key, 6, (2, 2), replace=False),
    "categorical": lambda key: random.categorical(key, np.zeros((2, 4))),
    "bernoulli": lambda key: random.bernoulli(key, 0.3, (5,)),
    "dirichlet": lambda key: random.dirichlet(key, np.ones(3)),
    "empty": lambda key: [random.normal(key, (0, 3)), random.bits(key, 0), random.split(key, 0)],
}


@pytest.mark.parametrize("name", DRAWS)
def test_compiled_as_eager(name):
    draw = DRAWS[name]
    assert_same(ag.to_graph(lambda key: draw(key))(KEY), draw(KEY), "result")
    made = ag.to_graph(lambda seed: draw(random.key(seed)))
    assert_same(made(2024), draw(KEY), "result")
    known = ag.to_graph(lambda x: (draw(random.key(2024)), x))
    assert_same(known(1.0)[0], draw(KEY), "result")


def test_keys_in_loops_and_branches():
    def walk(seed, n, x):
        key = random.key(seed)
        for i in range(n):
            key, now = random.split(key)
            if x[0] > 0:
                x = x + random.normal(now, (3,))
            else:
                x = x - random.uniform(random.fold_in(now, i), (3,), minval=x, maxval=9.0)
        return x, key

    for n in (0, 1, 20):
        x = np.array([0.1, 0.2, 0.3])
        assert_same(ag.to_graph(walk)(3, n, x), walk(3, n, x), "result")


def test_a_new_array_each_time():
    @ag.to_graph
    def function(x):
        noise = random.normal(random.key(1), (3,))
        noise[0] = x
        return noise

    first = function(1.0)
    first[:] = 0
    np.testing.assert_array_equal(function(2.0)[1:], random.normal(random.key(1), (3,))[1:])


# -- derivatives -----------------------------------------------------------------------------------


def test_derivatives_by_bounds():
    def function(low, high):
        draws = random.uniform(KEY, 5, minval=low, maxval=high)
        return np.sum(draws**2) + np.sum(random.truncated_normal(KEY, low, high, 4) ** 2)

    for argnum in (0, 1):
        args = [-0.3, 1.2]
        slope = ag.grad(function, argnums=argnum)(*args)
        ends = []
        for step in (1e-6, -1e-6):
            moved = list(args)
            moved[argnum] += step
            ends.append(function(*moved))
        assert slope == pytest.approx((ends[0] - ends[1]) / 2e-6, rel=1e-6)


@pytest.mark.parametrize("a", [0.05, 0.6, 1.0, 2.5, 40.0, 3000.0])
def test_derivative_of_gamma_by_concentration(a):
    """That of the quantile function, at the probability of what was drawn."""
    draws = random.gamma(KEY, np.full(20, a))
    found = ag.grad(lambda a: np.sum(random.gamma(KEY, a * np.ones(20)) * np.arange(20.0)))(a)
    p = scipy.special.gammainc(a, draws)
    q = scipy.special.gammaincc(a, draws)
    step = a * 1e-4

    def quantile(a):
        below, above = scipy.special.gammaincinv(a, p), scipy.special.gammainccinv(a, q)
        return np.where(p < 0.5, below, above)

    wide = (quantile(a + step) - quantile(a - step)) / (2 * step)
    near = (quantile(a + step / 2) - quantile(a - step / 2)) / step
    expected = np.sum((4 * near - wide) / 3 * np.arange(20.0))
    assert found == pytest.approx(expected, rel=1e-6)
    with pytest.raises(NotImplementedError, match="second derivative"):
        ag.grad(ag.grad(lambda a: random.gamma(KEY, a)))(a)


def test_gamma_of_odd_concentrations():
    draws = random.gamma(KEY, np.array([0.0, np.inf, np.nan, -1.0, 1e-300, 1e300]))
    np.testing.assert_array_equal(np.isnan(draws), [False, False, True, True, False, False])
    assert draws[0] == 0 and draws[1] == np.inf and draws[4] > 0
    assert random.gamma(KEY, np.float32(2), dtype=np.float32).dtype == np.float32


# -- errors ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "call, error",
    [
        (lambda: random.key(1.5), TypeError),
        (lambda: random.key(2**64), OverflowError),
        (lambda: random.normal(np.zeros(2), 3), TypeError),
        (lambda: random.normal(random.split(KEY), 3), TypeError),
        (lambda: random.normal(KEY, -1), ValueError),
        (lambda: random.normal(KEY, 3, int), TypeError),
        (lambda: random.bits(KEY, 3, np.int32), TypeError),
        (lambda: random.fold_in(KEY, 1.0), TypeError),
        (lambda: random.normal(KEY, (2, "a")), TypeError),
    ],
)
def test_errors(call, error):
    with pytest.raises(error):
        call()
