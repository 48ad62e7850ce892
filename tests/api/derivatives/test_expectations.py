"""Derivatives of expectations: without a bias, by sums over all that may be drawn."""

import itertools

import numpy as np
import pytest

import autograph as ag
import ops
from ops.random.draws import marked

KEY = ops.random.key(0)


def drawn(u):
    """A number that counts as drawn from the uniform distribution."""
    return marked("uniform", u)


def expected(estimate, thresholds, p):
    """The mean of ``estimate(p, u)`` over uniform numbers u: the sum over the intervals between
    their thresholds, in which it is constant."""
    total = 0.0
    pieces = []
    for cuts in thresholds:
        ends = [0.0, *cuts, 1.0]
        pieces.append([((a + b) / 2, b - a) for a, b in itertools.pairwise(ends)])
    for chosen in itertools.product(*pieces):
        weight = np.prod([width for _, width in chosen])
        total = total + weight * np.asarray(estimate(p, np.array([u for u, _ in chosen])))
    return total


def slope(f, p, h=1e-5):
    return (f(p + h) - f(p - h)) / (2 * h)


def curvature(f, p, h=1e-3):
    return (f(p + h) - 2 * f(p) + f(p - h)) / h**2


def branches(p, us):
    total = p * p
    if drawn(us[0]) < p:
        total = total + 3.0 * p
    else:
        total = total * 2.0
    if p * p > drawn(us[1]):
        total = total**2
    return total


def nested(p, us):
    u, v = drawn(us[0]), drawn(us[1])
    if u < p:
        return 1.0 + p
    elif u < 2.0 * p:
        return 5.0 if v >= p else p
    return 2.0


def loops(p, us):
    total = 1.0
    for i in range(3):
        if drawn(us[i]) < p:
            total = total + p * i
        else:
            total = total * 3.0
    return total


def counted(p, us):
    count = 0
    while count < 3 and drawn(us[count]) < p:
        count += 1
    return count


def by_inversion(p, us):
    """A number between 0 and 3, as one draws it from a distribution function."""
    u, k, below = drawn(us[0]), 0, p * p
    while k < 3 and u > below:
        k += 1
        below = below + p * p * (1.0 + 0.25 * k)
    return k**2


def elements(p, us):
    return np.sum(np.where(drawn(us) < np.array([1.0, 2.0, 0.5]) * p, 3.0, p)) ** 2


def of_one(p, us):
    """One number, and several thresholds at once."""
    return np.sum(drawn(us[0]) > p * np.array([1.0, 2.0])) * (1.0 + p)


def parts(p, us):
    numbers, total = drawn(us), 0.0
    for i in range(3):
        if numbers[i] < p:
            total += 1.0 + i
    if numbers[0] < 2.0 * p:  # again: what is known of it counts
        total = total * total
    return total


def transformed(p, us):
    u = drawn(us[0])
    first = 1.0 if np.log(u) < np.log(p) else 2.0
    second = 1.0 if 1.0 - drawn(us[1]) * 2.0 > p else p
    third = 4.0 if drawn(us[2]) / -p < -0.5 else 3.0
    return first * second * third


def once(p, u):
    return 2.0 if drawn(u) < p else p


def called(p, us):
    return once(p, us[0]) * once(p * p, us[1])


def again(p, us, n):
    if n == 0:
        return 1.0
    if drawn(us[n - 1]) < p:
        return 2.0 * again(p, us, n - 1)
    return p + again(p, us, n - 1)


def recursive(p, us):
    return again(p, us, 3)


def lanes(p, us):
    return np.prod(ag.vmap(lambda u: once(p, u))(us))


def loops_in_lanes(p, us):
    def lane(u):
        k = 0
        while k < 2 and drawn(u[k]) < p:
            k += 1
        return k

    return np.sum(ag.vmap(lane)(us.reshape(2, 2))) ** 2


def checkpointed(p, us):
    return ag.checkpoint(called)(p, us)


def exits(p, us):
    total, i = 0.0, 0
    while True:
        u = drawn(us[i])
        i += 1
        if u >= 2.0 * p or i == 3:
            break
        if u < p:
            continue
        total += p + i
        if total > 3.0:
            return 10.0 * total
    return total


def exceptions(p, us):
    total = 1.0
    for u in drawn(us):
        try:
            if u < p:
                raise ValueError("small")
            total = total * 3.0
        except ValueError:
            total = total + p
    return total


def in_a_list(p, us):
    found = [1.0 if drawn(u) < p else p for u in us]
    return sum(found) * max(found)


P = 0.3
CUTS = {
    branches: lambda p: [[p], [p * p]],
    nested: lambda p: [[p, 2 * p], [p]],
    loops: lambda p: [[p]] * 3,
    counted: lambda p: [[p]] * 3,
    by_inversion: lambda p: [np.cumsum([p**2, 1.25 * p**2, 1.5 * p**2])],
    elements: lambda p: [[p], [2 * p], [p / 2]],
    of_one: lambda p: [[p, 2 * p]],
    parts: lambda p: [[p, 2 * p], [p], [p]],
    transformed: lambda p: [[p], [(1 - p) / 2], [p / 2]],
    called: lambda p: [[p], [p * p]],
    recursive: lambda p: [[p]] * 3,
    lanes: lambda p: [[p]] * 2,
    loops_in_lanes: lambda p: [[p]] * 4,
    checkpointed: lambda p: [[p], [p * p]],
    exits: lambda p: [[p, 2 * p]] * 3,
    exceptions: lambda p: [[p]] * 2,
    in_a_list: lambda p: [[p]] * 2,
}
programs = pytest.mark.parametrize("f", CUTS, ids=lambda f: f.__name__)


def forwards_and_in_lanes(f):
    """What estimates the derivative in forward mode, and in each of two lanes."""

    def estimate(p, us):
        forward = ag.jvp(lambda p: ag.expectation(f)(p, us), (p,), (1.0,))[1]
        return forward, *ag.vmap(ag.score_gradient(f))(np.array([p, p]), np.stack([us, us]))

    return estimate


def mean_of(f):
    return lambda p: float(expected(ag.to_graph(f), CUTS[f](p), p))


@programs
def test_the_mean_of_all_estimates_is_the_derivative(f):
    found = expected(ag.score_gradient(f), CUTS[f](P), P)
    assert found == pytest.approx(slope(mean_of(f), P), rel=1e-7)


@pytest.mark.costly
@programs
def test_so_is_that_of_forward_mode_and_of_lanes(f):
    assert expected(forwards_and_in_lanes(f), CUTS[f](P), P) == pytest.approx(
        slope(mean_of(f), P), rel=1e-7
    )


@pytest.mark.costly
@pytest.mark.parametrize(
    "f", [f for f in CUTS if f is not loops_in_lanes], ids=lambda f: f.__name__
)
def test_so_is_that_of_second_derivatives(f):
    def estimate(p, us):
        return ag.grad(ag.score_gradient(f))(p, us), ag.hessian(ag.expectation(f))(p, us)

    found = expected(estimate, CUTS[f](P), P)
    assert found == pytest.approx(curvature(mean_of(f), P), rel=1e-5)


def test_any_baseline_keeps_the_mean():
    for baseline in (None, 7.0, lambda p, us: 3.0 * p):
        estimate = ag.score_gradient(lambda p, us, key: branches(p, us), baseline=baseline)
        found = expected(lambda p, us: estimate(p, us, KEY), CUTS[branches](P), P)
        assert found == pytest.approx(slope(mean_of(branches), P), rel=1e-7)


# -- draws from keys and generators ----------------------------------------------------------------


def is_near(estimates, wanted):
    """Whether a mean is what is wanted, within four standard errors."""
    estimates = np.asarray(estimates)
    error = np.std(estimates) / np.sqrt(len(estimates))
    return abs(np.mean(estimates) - wanted) < 4 * error


def estimates_of(f, p, count=100_000, **options):
    keys = ops.random.split(KEY, count)
    return ag.vmap(ag.score_gradient(f, **options), in_axes=(None, 0))(p, keys)


def trials(p, key):
    count = 1
    while ops.random.uniform(ops.random.fold_in(key, count)) >= p:
        count += 1
    return count


def test_a_geometric_stopping_time():
    assert is_near(estimates_of(trials, 0.4), -1 / 0.4**2)


def test_draws_of_integers():
    logits = np.array([0.0, 1.0, 2.0])

    def softmax_mean(p):
        w = np.exp(p * logits)
        return w @ np.arange(3) / np.sum(w)

    def chosen(p, key):
        weights = ops.array([p, 2.0 * p, 1.0])
        return ops.random.choice(key, 3, p=weights / np.sum(weights)) ** 2

    def choice_mean(p):
        return (2 * p + 4) / (3 * p + 1)

    def without_replacement(p, key):
        weights = ops.array([p, 2.0 * p, 1.0])
        first, second = ops.random.choice(key, 3, (2,), replace=False, p=weights / np.sum(weights))
        return first - 2.0 * second

    def without_replacement_mean(p):
        w = np.array([p, 2 * p, 1.0]) / (3 * p + 1)
        pairs = itertools.permutations(range(3), 2)
        return sum(w[i] * w[j] / (1 - w[i]) * (i - 2 * j) for i, j in pairs)

    cases = [
        (lambda p, key: ops.random.poisson(key, p) ** 2, 1.3, lambda p: p + p * p),
        (lambda p, key: ops.random.categorical(key, p * logits), 0.4, softmax_mean),
        (chosen, 0.2, choice_mean),
        (without_replacement, 0.2, without_replacement_mean),
        (
            lambda p, key: np.sum(ops.random.bernoulli(key, p, (4,))) ** 2,
            0.3,
            lambda p: 4 * p * (1 - p) + 16 * p * p,
        ),
    ]
    for f, p, mean in cases:
        assert is_near(estimates_of(f, p), slope(mean, p))


def test_numbers_that_are_moved_and_scaled_are_held():
    from scipy.special import gammaincc
    from scipy.stats import norm

    def one(mean, key):
        x = mean + 2.0 * ops.random.normal(key)
        return x if x > 0.5 else -1.0

    def exact(mean):  # E[x; x > 1/2] - P(x <= 1/2)
        a = (0.5 - mean) / 2.0
        return mean * norm.sf(a) + 2.0 * norm.pdf(a) - norm.cdf(a)

    assert is_near(estimates_of(one, 0.2), slope(exact, 0.2))

    def scaled(width, key):
        x = width * ops.random.exponential(key)
        return 1.0 if x > 2.0 else 0.0

    assert is_near(estimates_of(scaled, 1.5), np.exp(-2 / 1.5) * 2 / 1.5**2)

    def shaped(a, key):
        x = ops.random.gamma(key, a)
        return 1.0 if x > 2.0 else 0.0

    assert is_near(estimates_of(shaped, 1.5, 5_000), slope(lambda a: gammaincc(a, 2.0), 1.5))


def test_every_distribution_that_is_compared_and_moved():
    from scipy import stats

    for name in ("normal", "logistic", "laplace", "cauchy", "gumbel"):
        scipys = getattr(stats, {"gumbel": "gumbel_r", "normal": "norm"}.get(name, name))
        draw = getattr(ops.random, name)
        compared = lambda t, key: 1.0 * (draw(key) < t)
        moved = lambda t, key: 1.0 * (t + draw(key) * 2.0 < 1.0)
        assert is_near(estimates_of(compared, 0.3, 50_000), scipys.pdf(0.3)), name
        assert is_near(estimates_of(moved, 0.3, 50_000), -scipys.pdf(0.35) / 2), name
    below = lambda t, key: 1.0 * (ops.random.exponential(key) < t)
    assert is_near(estimates_of(below, 0.3, 50_000), np.exp(-0.3))


def test_a_random_walk_in_a_loop_that_a_draw_ends():
    def walk(p, key):
        x, n = 0, 0
        while x < 1 and n < 4:
            x += 2 if ops.random.uniform(ops.random.fold_in(key, n)) < p else -1
            n += 1
        return n * p

    def exact(p, x=0, n=0):
        if x >= 1 or n == 4:
            return n
        return p * exact(p, x + 2, n + 1) + (1 - p) * exact(p, x - 1, n + 1)

    assert is_near(estimates_of(walk, 0.4), slope(lambda p: p * exact(p), 0.4))


def test_a_gibbs_sweep():
    def sweep(t, key):
        s = np.ones(3)
        for i in range(3):
            field = 0.0
            if i > 0:
                field += s[i - 1]
            if i < 2:
                field += s[i + 1]
            up = 1.0 / (1.0 + np.exp(-2.0 * t * field))
            s[i] = 1.0 if ops.random.bernoulli(ops.random.fold_in(key, i), up) else -1.0
        return np.sum(s) ** 2

    def exact(t, s=(1.0, 1.0, 1.0), i=0):
        if i == 3:
            return sum(s) ** 2
        field = (s[i - 1] if i > 0 else 0.0) + (s[i + 1] if i < 2 else 0.0)
        up = 1 / (1 + np.exp(-2 * t * field))
        first, second = ((*s[:i], x, *s[i + 1 :]) for x in (1.0, -1.0))
        return up * exact(t, first, i + 1) + (1 - up) * exact(t, second, i + 1)

    assert is_near(estimates_of(sweep, 0.3), slope(exact, 0.3))


def metropolis(t, key):
    """Two steps of a chain whose thresholds are random."""
    x = 0.0
    for i in range(2):
        step, accept = ops.random.split(ops.random.fold_in(key, i))
        y = x + (1.5 if ops.random.bernoulli(step) else -1.5)
        if np.log(ops.random.uniform(accept)) < t * (x * x - y * y):
            x = y
    return x * x


def test_a_metropolis_step_whose_threshold_is_random():
    def exact(t, x=0.0, i=0):
        if i == 2:
            return x * x
        total = 0.0
        for y in (x - 1.5, x + 1.5):
            a = min(1.0, np.exp(t * (x * x - y * y)))
            total += 0.5 * (a * exact(t, y, i + 1) + (1 - a) * exact(t, x, i + 1))
        return total

    assert is_near(estimates_of(metropolis, 0.3), slope(exact, 0.3))


def test_numpys_generators():
    def draws(p, rng):
        n = 0
        while rng.random() < p:
            n += 1
        return n + rng.poisson(p) + rng.binomial(3, p) + rng.geometric(0.5 + p)

    rng, estimate = np.random.default_rng(0), ag.score_gradient(draws)
    found = [estimate(0.3, rng) for _ in range(4_000)]
    assert is_near(found, 1 / 0.7**2 + 1 + 3 - 1 / 0.8**2)


# -- samples and baselines -------------------------------------------------------------------------


def money(p, key):
    total = 10.0
    for i in range(3):
        if ops.random.bernoulli(ops.random.fold_in(key, i), p):
            total = total * 2.0
        else:
            total = total - 5.0 * p
    return total


def test_the_value_is_the_mean_of_the_runs():
    value, _ = ag.value_and_grad(ag.expectation(money, samples=50))(0.3, KEY)
    runs = ag.vmap(money, in_axes=(None, 0))(0.3, ops.random.split(KEY, 50))
    assert value == np.mean(runs)
    assert ag.expectation(money)(0.3, KEY) == money(0.3, KEY)
    assert ag.expectation(money, samples=50)(0.3, key=KEY) == np.mean(runs)


def test_integers_and_booleans_have_means():
    both = ag.expectation(lambda p, key: (ops.random.bernoulli(key, p), "x"), samples=1000)
    found, text = both(0.3, KEY)
    assert found == pytest.approx(0.3, abs=0.06) and text == "x"


def test_the_others_are_a_baseline_without_a_bias_that_varies_less():
    plain = estimates_of(money, 0.3, 20_000, samples=10, baseline=None)
    others = estimates_of(money, 0.3, 20_000, samples=10)
    wanted = slope(lambda p: exact_money(p), 0.3)
    assert is_near(plain, wanted) and is_near(others, wanted)
    assert np.std(others) < 0.8 * np.std(plain)


def exact_money(p, total=10.0, i=0):
    if i == 3:
        return total
    return p * exact_money(p, 2 * total, i + 1) + (1 - p) * exact_money(p, total - 5 * p, i + 1)


def test_second_derivatives_with_the_others_as_baseline():
    keys = ops.random.split(KEY, 20_000)
    second = ag.grad(ag.score_gradient(money, samples=4))
    assert is_near(ag.vmap(second, (None, 0))(0.3, keys), curvature(exact_money, 0.3))


def test_several_arguments_and_nested_ones():
    def f(a, p, key):
        return a["x"] * ops.random.bernoulli(key, p)

    gradient = ag.score_gradient(f, argnums=(0, 1), samples=50_000)
    by_a, by_p = gradient({"x": 2.0}, 0.25, KEY)
    assert by_a["x"] == pytest.approx(0.25, abs=0.02) and by_p == pytest.approx(2.0, abs=0.05)


def test_an_auxiliary_result_of_every_sample():
    def f(p, key):
        heads = ops.random.bernoulli(key, p)
        return 1.0 * heads, heads

    gradient, heads = ag.score_gradient(f, has_aux=True, samples=1000)(0.5, KEY)
    assert heads.shape == (1000,) and gradient == pytest.approx(1.0, abs=0.2)


def test_derivatives_by_what_is_captured():
    def outer(a):
        inner = ag.score_gradient(
            lambda p, key: a * a * ops.random.bernoulli(key, p * a), samples=100_000
        )
        return inner(0.3, KEY)

    assert ag.grad(outer)(1.2) == pytest.approx(3 * 1.2**2, rel=0.03)


def test_float32():
    def f(p, key):
        return np.float32(2.0) if ops.random.uniform(key, dtype=np.float32) < p else p

    found = estimates_of(f, np.float32(0.3))
    assert found.dtype == np.float32
    assert is_near(found.astype(float), 2 + 1 - 2 * 0.3)
