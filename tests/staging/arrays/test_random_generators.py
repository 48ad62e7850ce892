"""NumPy's generators inside converted functions: its own stream, drawn when the program runs."""

import copy
import gc
import logging
import random
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
import scipy.stats

import autograph as ag
from tests.support.oracle import assert_same, check_grad

POSITIVE = np.array([1.0, 2.0, 4.0])


def with_generator(function, *args, wrap=lambda rng: rng, kind=np.random.PCG64):
    """Check that three calls draw what Python draws, and leave the generator where Python does."""
    compiled = ag.to_graph(function)
    theirs, ours = (np.random.Generator(kind(7)) for _ in range(2))
    their_holder, our_holder = wrap(theirs), wrap(ours)
    for _ in range(3):
        expected = function(*copy.deepcopy(args), their_holder)
        assert_same(compiled(*copy.deepcopy(args), our_holder), expected, "result")
        assert ours.random() == theirs.random()


CONSTANT = [
    lambda rng: rng.random(),
    lambda rng: rng.random(3),
    lambda rng: rng.random((2, 3), dtype=np.float32),
    lambda rng: rng.random(dtype="f4"),
    lambda rng: rng.random(()),
    lambda rng: rng.standard_normal((2, 1)),
    lambda rng: rng.standard_exponential(3, np.float64, "inv"),
    lambda rng: rng.normal(1.0, 2.0),
    lambda rng: rng.normal([1.0, 2.0], size=(3, 2)),
    lambda rng: rng.uniform(-1, 1, 4),
    lambda rng: rng.integers(5),
    lambda rng: rng.integers(2, 9, (2, 2), np.int32),
    lambda rng: rng.integers([1, 10], endpoint=True),
    lambda rng: rng.exponential(2.0, size=2),
    lambda rng: rng.choice(5),
    lambda rng: rng.choice(5, (2, 2)),
    lambda rng: rng.choice(5, 3, False),
    lambda rng: rng.choice(3, 2, p=[0.1, 0.2, 0.7], shuffle=False),
    lambda rng: rng.choice([1.0, 3.0]),
    lambda rng: rng.permutation(6),
    lambda rng: rng.permutation([3.0, 1.0, 2.0]),
    lambda rng: rng.permuted(np.arange(6).reshape(2, 3), axis=1),
    lambda rng: (rng.poisson(3.0), rng.binomial(5, 0.4, 3), rng.geometric(0.3)),
    lambda rng: (rng.beta(1, 2), rng.gamma(2.0), rng.chisquare(3), rng.standard_t(4, 2)),
    lambda rng: (rng.dirichlet([1.0, 2.0], 3), rng.multinomial(5, [0.2, 0.8])),
    lambda rng: rng.multivariate_normal([0.0, 1.0], [[2.0, 0.1], [0.1, 1.0]]),
    lambda rng: (rng.weibull(2.0), rng.triangular(0, 1, 2), rng.vonmises(0, 1), rng.zipf(3)),
    lambda rng: [rng.random() for _ in range(3)],
    lambda rng: isinstance(rng, np.random.Generator),
    lambda rng: np.random.default_rng(rng).random(),
]


@pytest.mark.parametrize("function", CONSTANT)
def test_draws_of_known_parameters(function):
    with_generator(lambda x, rng: (x, function(rng)), 1.0)


TRACED = [
    lambda x, rng: rng.normal(x),
    lambda x, rng: rng.normal(x, x, (2, 3)),
    lambda x, rng: rng.normal(scale=x, size=3),
    lambda x, rng: rng.uniform(x, 2 * x + 1),
    lambda x, rng: rng.uniform(high=x),
    lambda x, rng: rng.exponential(x),
    lambda x, rng: (rng.gumbel(x, x), rng.laplace(x, x), rng.logistic(x, x)),
    lambda x, rng: (rng.lognormal(x, x), rng.rayleigh(x)),
    lambda x, rng: (rng.beta(x, 2.0), rng.gamma(x, x), rng.standard_gamma(x), rng.poisson(x)),
    lambda x, rng: rng.binomial(10, x / 10),
]


@pytest.mark.parametrize("function", TRACED)
def test_draws_of_traced_parameters(function):
    with_generator(function, POSITIVE)
    if function is not TRACED[1] and function is not TRACED[2]:
        with_generator(function, 1.5)
        with_generator(function, np.float32(1.5))


def test_a_shape_without_dimensions():
    function = lambda x, rng: (rng.normal(x, 1.0, ()), rng.uniform(x, 2.0, size=()))
    with_generator(function, 1.5)


def test_traced_integers():
    function = lambda n, rng: (rng.integers(n), rng.integers(-n, n, 5), rng.integers(0, n + 1))
    with_generator(function, 9)
    with_generator(lambda n, rng: rng.random(n), 4)
    with_generator(lambda n, rng: rng.permutation(n), 4)


OF_UNKNOWN_LENGTH = [
    lambda k, x, rng: (rng.random(k), rng.random((k, 2)), rng.normal(size=(2, k)), rng.random()),
    lambda k, x, rng: (rng.normal(2.0, x[0], k), rng.uniform(-1.0, 1.0, size=k)),
    lambda k, x, rng: (rng.integers(0, 10, k), rng.exponential(x[1], (k,)), rng.poisson(3.0, k)),
    lambda k, x, rng: (rng.choice(5, size=k), rng.choice(x, k), rng.choice(3, k, p=x / x.sum())),
    lambda k, x, rng: rng.choice(2, size=k, replace=False),
]


@pytest.mark.parametrize("function", OF_UNKNOWN_LENGTH)
def test_as_many_as_only_the_run_knows(function):
    some = lambda x, rng: function(len(x[x > 1.5]), x, rng)
    for x in (POSITIVE, POSITIVE - 1.0, POSITIVE * 0.3):
        with_generator(some, x)


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (lambda k, rng: rng.random(-k), "negative dimensions are not allowed"),
        (lambda k, rng: rng.choice(1, k, replace=False), "larger sample than population"),
    ],
)
def test_numbers_that_only_the_run_knows_and_numpy_refuses(function, message):
    with pytest.raises(ValueError, match=message):
        ag.to_graph(lambda x, rng: function(np.sum(x > 1.5), rng))(
            POSITIVE, np.random.default_rng(0)
        )


def test_as_many_as_each_trip_knows():
    def residual(weights, seed):
        rng = np.random.default_rng(seed)
        for _ in range(4):
            copies = np.floor(len(weights) * weights).astype(int)
            places = np.repeat(np.arange(len(weights)), copies)
            rest = len(weights) - len(places)
            extra = np.minimum((rng.random(rest) * len(weights)).astype(int), len(weights) - 1)
            weights = weights[np.concatenate([places, extra])]
            weights = weights / weights.sum()
        return weights, rng.random()

    weights = np.array([0.4, 0.3, 0.2, 0.06, 0.04])
    assert_same(ag.to_graph(residual)(weights, 5), residual(weights, 5), "result")


def test_orders_and_choices_of_traced_arrays():
    def function(x, rng):
        chosen = rng.choice(x, 2), rng.choice(x, 2, axis=-1, replace=False), rng.choice(x)
        orders = rng.permutation(x), rng.permuted(x), rng.permutation(x, axis=x.ndim - 1)
        return chosen, orders, rng.permuted(x, axis=0)

    with_generator(function, POSITIVE)
    with_generator(function, np.arange(12.0).reshape(4, 3))
    with_generator(lambda x, rng: rng.choice(3, 5, p=x / np.sum(x)), POSITIVE)


def test_shuffle_changes_the_array():
    def function(x, rng):
        y = x.copy()
        rng.shuffle(y)
        rng.shuffle(x, axis=x.ndim - 1)
        return y

    with_generator(function, POSITIVE)
    with_generator(function, np.arange(12.0).reshape(4, 3))


# -- control flow ----------------------------------------------------------------------------------


def test_in_loops_and_branches():
    def function(x, rng):
        total = 0.0
        for _ in range(5):
            if rng.random() < 0.5:
                total += rng.normal(x, 2.0)
            else:
                total -= rng.uniform(x, x + 2)
        while rng.random() < 0.8:
            total += 1
        return total

    with_generator(function, 1.0)


def test_in_order_with_prints(capsys):
    def function(x, rng):
        for i in range(3):
            print(i, rng.random())
            if x > i:
                rng.random()  # nobody needs it, but the stream goes on
        return x

    with_generator(function, 1.5)
    lines = capsys.readouterr().out.splitlines()
    assert lines[:3] == lines[3:6]


def test_through_functions_methods_and_recursion():
    class Walker:
        def __init__(self, rng):
            self.rng, self.steps = rng, 0

        def step(self, x):
            self.steps += 1
            return x + self.rng.normal()

    def recursive(n, rng):
        return rng.random() if n == 0 else rng.random() + 2 * recursive(n - 1, rng)

    def function(n, rng):
        walker = Walker(rng)
        draw = rng.normal
        return walker.step(1.0), recursive(n, rng), list(map(rng.exponential, [1.0, 2.0])), draw(n)

    with_generator(function, 4)
    with_generator(lambda x, walker: walker.step(x), 1.0, wrap=Walker)
    nested = lambda x, parts: x + parts[0]["rng"].random() + parts[1].random()
    with_generator(nested, 1.0, wrap=lambda rng: ({"rng": rng}, rng))


def test_the_same_or_another_generator():
    function = lambda x, a, b: x + a.random() - 2 * b.random()
    compiled = ag.to_graph(function)
    for seeds in ((0, None), (0, 1), (2, None)):
        calls = []
        for call in (function, compiled):
            first = np.random.default_rng(seeds[0])
            second = first if seeds[1] is None else np.random.default_rng(seeds[1])
            calls.append((call(1.0, first, second), first.random(), second.random()))
        assert calls[0] == calls[1]


def messages(caplog, start):
    return [r.getMessage() for r in caplog.records if start in r.getMessage()]


def test_another_generator_at_each_call(caplog, quick_collections):
    """The graph is that of any generator; each call draws from its own, and keeps none."""
    caplog.set_level(logging.DEBUG, logger="autograph")
    functions = [
        lambda x, rng: x + rng.normal(),
        lambda x, rng: x * sum([rng.random() for _ in range(3)]),
        lambda x, rng: [rng, x, {"rng": rng}][2]["rng"].normal(x, 2.0, 3).sum(),
        unknown_trips,
        recursive,
    ]
    for function in functions:
        compiled = ag.to_graph(function)
        for seed in range(3):
            ours, theirs = np.random.default_rng(seed), np.random.default_rng(seed)
            assert_same(compiled(0.5, ours), function(0.5, theirs), "result")
            assert ours.random() == theirs.random()
            gc.collect()
            assert sys.getrefcount(ours) == sys.getrefcount(theirs)
        assert len(compiled._cache) == 1
    assert len(messages(caplog, "compiled for")) == len(functions)


def test_two_generators_swapped_and_the_same_one_twice(caplog):
    caplog.set_level(logging.DEBUG, logger="autograph")
    function = lambda a, b: (a is b, a.random(), 2 * b.random(), [b, a])
    compiled = ag.to_graph(function)
    ours, theirs = ([np.random.default_rng(seed) for seed in range(2)] for _ in range(2))
    for i, j in ((0, 1), (1, 0), (0, 0), (1, 1), (0, 1)):
        *found, returned = compiled(ours[i], ours[j])
        assert found == [*function(theirs[i], theirs[j])][:3]
        assert returned[0] is ours[j] and returned[1] is ours[i]
    assert len(compiled._cache) == 2
    assert messages(caplog, "recording again")[0].endswith(
        "because argument 'b' was Generator(PCG64), is the same as 'a'"
    )


def test_other_bit_generators_are_compiled_for():
    compiled = ag.to_graph(lambda x, rng: x + rng.random())
    for kind in (np.random.PCG64, np.random.MT19937):
        for seed in range(2):
            expected = 1.0 + np.random.Generator(kind(seed)).random()
            assert compiled(1.0, np.random.Generator(kind(seed))) == expected
    assert len(compiled._cache) == 2


def test_a_generator_is_given_and_found_outside():
    function = lambda rng: (rng is Settings.rng, rng.random(), Settings.rng.random())
    compiled = ag.to_graph(function)
    for order in ((1, None, 2, None), (None, 3, None)):
        drawn = []
        for call in (function, compiled):
            Settings.rng = np.random.default_rng(0)
            given = [Settings.rng if s is None else np.random.default_rng(s) for s in order]
            drawn.append([call(rng) for rng in given])
        assert drawn[0] == drawn[1]


def test_a_generator_in_an_object_that_changes():
    def function(holder, rng):
        holder.rng, before = rng, holder.rng
        return before.random() - rng.random()

    compiled = ag.to_graph(function)
    for seed in range(2):
        given = [np.random.default_rng(seed) for _ in range(4)]
        ours, theirs = Settings(), Settings()
        ours.rng, theirs.rng = given[:2]
        assert compiled(ours, given[2]) == function(theirs, given[3])
        assert ours.rng is given[2]


def test_threads_draw_each_from_its_own():
    function = lambda rng: sum([rng.random() for _ in range(500)])
    compiled = ag.to_graph(function)
    with ThreadPoolExecutor(4) as pool:
        found = [*pool.map(compiled, map(np.random.default_rng, range(20)))]
    assert found == [function(np.random.default_rng(seed)) for seed in range(20)]


def test_gradients_with_another_generator_at_each_call():
    loss = lambda w, rng: np.sum(w * rng.normal(size=3) ** 2)
    for gradient in (ag.grad(loss), lambda w, rng: ag.vjp(lambda w: loss(w, rng), w)[1](1.0)[0]):
        for seed in range(3):
            draws = np.random.default_rng(seed).normal(size=3)
            found = gradient(2.0, np.random.default_rng(seed))
            assert found == pytest.approx(np.sum(draws**2), rel=1e-14)


RNG = np.random.default_rng(0)


def test_a_global_one():
    global RNG
    function = lambda x: x + RNG.random()
    compiled = ag.to_graph(function)
    for seed in (0, 1):
        drawn = []
        for call in (function, compiled):
            RNG = np.random.default_rng(seed)
            drawn.append([call(1.0) for _ in range(3)])
        assert drawn[0] == drawn[1]


class Settings:
    rng = np.random.default_rng(0)


@pytest.mark.parametrize(
    "function",
    [
        lambda x: x + Settings.rng.random(),
        lambda x: x + scipy.stats.norm.rvs(random_state=Settings.rng),
        lambda x: x + np.random.default_rng(Settings.rng).normal(),
        lambda x: x + np.random.default_rng(Settings.rng.bit_generator).normal(),
    ],
)
def test_an_attribute_of_a_class(function):
    compiled = ag.to_graph(function)
    for seed in (0, 1):
        drawn = []
        for call in (function, compiled):
            Settings.rng = np.random.default_rng(seed)
            drawn.append([call(1.0) for _ in range(3)])
        assert drawn[0] == drawn[1]


def test_a_bound_method_from_outside():
    ours, theirs = (np.random.default_rng(0) for _ in range(2))
    bound = ours.normal
    compiled = ag.to_graph(lambda x: x + bound())
    assert [compiled(1.0) for _ in range(3)] == [1.0 + theirs.normal() for _ in range(3)]


def test_a_shared_bit_generator():
    """``default_rng`` of one goes on with its stream, as in NumPy."""
    ours, theirs = (np.random.PCG64(4) for _ in range(2))
    compiled = ag.to_graph(lambda x: x + np.random.default_rng(ours).random())
    other = np.random.Generator(theirs)
    assert [compiled(1.0) for _ in range(3)] == [1.0 + other.random() for _ in range(3)]


def test_deep_recursion_draws_once():
    def deep(n, rng):
        return 0.0 if n == 0 else rng.random() + deep(n - 1, rng)

    compiled = ag.to_graph(deep)
    ours, theirs = (np.random.default_rng(0) for _ in range(2))
    for _ in range(2):
        found = compiled(3000, ours)
        assert found == pytest.approx(np.sum(theirs.random(3000)), rel=1e-12)
        assert ours.random() == theirs.random()


def test_other_bit_generators():
    for kind in (np.random.MT19937, np.random.Philox, np.random.SFC64):
        with_generator(lambda x, rng: rng.normal(x, size=3) + rng.integers(3), 1.0, kind=kind)


def test_an_exception_leaves_the_draws_done():
    def function(x, rng):
        y = rng.random()
        if x > 0:
            raise ValueError(x)
        return y

    def bad_scale(x, rng):
        return rng.random() + rng.normal(0.0, -x)

    for body in (function, bad_scale):
        states = []
        for call in (body, ag.to_graph(body)):
            rng = np.random.default_rng(0)
            for _ in range(2):
                with pytest.raises(ValueError):
                    call(1.0, rng)
            states.append(rng.random())
        assert states[0] == states[1]


@pytest.mark.parametrize(
    "function, error",
    [
        (lambda x, rng: rng.normal(0.0, x), ValueError),
        (lambda x, rng: rng.uniform(0.0, x), ValueError),
        (lambda x, rng: rng.uniform(0.0, x * np.inf), OverflowError),
        (lambda x, rng: rng.exponential(x), ValueError),
        (lambda x, rng: rng.lognormal(0, x), ValueError),
        (lambda x, rng: rng.poisson(x), ValueError),
        (lambda x, rng: rng.normal(x, 1.0, "a"), TypeError),
        (lambda x, rng: rng.normal(x, np.ones(2), 3), ValueError),
        (lambda x, rng: rng.choice(3, 4, replace=False), ValueError),
        (lambda x, rng: rng.integers(3, 2), ValueError),
        (lambda x, rng: rng.nothing(x), AttributeError),
    ],
)
def test_errors(function, error):
    for call in (function, ag.to_graph(function)):
        with pytest.raises(error):
            call(-1.0, np.random.default_rng(0))


# -- gradients -------------------------------------------------------------------------------------


def test_gradients_by_location_and_scale():
    def function(loc, scale, seed):
        rng = np.random.default_rng(seed)
        total = 0.0
        for _ in range(3):
            total += rng.normal(loc, scale) ** 2 + rng.uniform(loc, loc + scale)
            total += rng.exponential(scale) * rng.gumbel(loc, scale) + rng.lognormal(loc, scale)
            total += rng.laplace(loc, scale) * rng.logistic(loc, scale) * rng.rayleigh(scale)
        return total

    check_grad(function, 0.3, 0.5, 5, argnums=(0, 1))


def test_gradient_of_a_given_generator_draws_once():
    def loss(w, rng):
        total = 0.0
        for _ in range(4):
            total += (w * rng.normal() - rng.uniform(0.0, w)) ** 2
        return total

    gradient = ag.grad(loss)
    for seed in range(3):
        rng = np.random.default_rng(seed)
        found = gradient(1.5, rng)
        ends = [loss(1.5 + step, np.random.default_rng(seed)) for step in (1e-6, -1e-6)]
        assert found == pytest.approx((ends[0] - ends[1]) / 2e-6, rel=1e-6)
        after = np.random.default_rng(seed)
        loss(1.5, after)
        assert rng.random() == after.random()


def unknown_trips(w, rng):
    total = w
    while rng.random() < 0.8:
        total = total * rng.uniform(0.5, w) + rng.normal(w, 0.1)
    return total


def recursive(w, rng):
    def deeper(n, v):
        return v if n == 0 else deeper(n - 1, v * rng.normal(w, 1.0) + 1)

    return deeper(5, w)


def unused_draws(w, rng):
    rng.random()
    if w > 0:
        rng.normal()
    return w * w


def branches(w, rng):
    total = 0.0
    for _ in range(4):
        if rng.random() < 0.5:
            total = total + np.sin(w * rng.normal())
        else:
            total = total * w
    return total


@pytest.mark.parametrize("function", [unknown_trips, recursive, unused_draws, branches])
@pytest.mark.parametrize("seed", [0, 1])
def test_derivatives_draw_as_the_function_does(function, seed):
    def at(f, w):
        rng = np.random.default_rng(seed)
        return f(w, rng), rng.random()

    gradient = ag.grad(function)
    second = ag.grad(gradient)
    forward = lambda w, rng: ag.jvp(lambda w: function(w, rng), (w,), (1.0,))[1]
    both = lambda w, rng: ag.value_and_grad(function)(w, rng)[1]
    for f, derivatives in ((function, (gradient, forward, both)), (gradient, (second,))):
        ends = [at(f, 1.3 + step)[0] for step in (1e-6, -1e-6)]
        expected = (ends[0] - ends[1]) / 2e-6
        for derivative in derivatives:
            found, after = at(derivative, 1.3)
            assert found == pytest.approx(expected, rel=1e-5, abs=1e-7)
            assert after == at(function, 1.3)[1]


def test_gradient_of_a_choice_and_an_order():
    def function(x, seed):
        rng = np.random.default_rng(seed)
        y = rng.permutation(x) * np.arange(3.0)
        rng.shuffle(y)
        return np.sum(y * y * rng.choice(x, 3))

    check_grad(function, POSITIVE, 3)


def test_derivatives_that_are_not_known_are_refused():
    for method in ("beta", "gamma"):
        gradient = ag.grad(lambda a, rng: getattr(rng, method)(a, 2.0))
        with pytest.raises(NotImplementedError, match=method):
            gradient(1.0, np.random.default_rng(0))


# -- refused ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "function",
    [
        lambda x, rng: rng.bit_generator.random_raw(),
        lambda x, rng: rng.spawn(1)[0].random(),
        lambda x, rng: rng.bytes(2),
        lambda x, rng: copy.deepcopy(rng).random(),
        lambda x, rng: rng.random(out=np.zeros(3)),
        lambda x, rng: rng.shuffle((x, x)),
        lambda x, rng: np.random.rand() + x,
        lambda x, rng: np.random.seed(3),
        lambda x, rng: np.random.Generator(np.random.PCG64(4)).random(),
        lambda x, rng: random.Random(3).random() + x,
    ],
)
def test_what_would_be_drawn_while_recording_is_refused(function):
    rng = np.random.default_rng(0)
    with pytest.raises(NotImplementedError):
        ag.to_graph(function)(1.0, rng)
    assert rng.random() == np.random.default_rng(0).random()


NORMAL = scipy.stats.norm(0.0, 2.0)
NORMAL.random_state = np.random.default_rng(0)


@pytest.mark.parametrize(
    "function",
    [
        lambda x, state: x + scipy.stats.norm.rvs(size=2),
        lambda x, state: x + NORMAL.rvs(2),
        lambda x, state: x + random.Random(3).random(),
    ],
)
def test_a_library_that_draws_while_recording_is_refused(function):
    with pytest.raises(NotImplementedError, match=r"draws random numbers|another result"):
        ag.to_graph(function)(1.0, np.random.RandomState(0))


def test_generators_from_outside_that_control_flow_chooses_are_refused():
    def function(x, a, b):
        rng = a if x > 0 else b
        return rng.random()

    with pytest.raises(ag.errors.AutographError):
        ag.to_graph(function)(1.0, np.random.default_rng(0), np.random.default_rng(1))
