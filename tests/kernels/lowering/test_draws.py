"""Draws from NumPy's generators in loops: native, and NumPy's own numbers."""

import ctypes
import sys
import threading
import warnings

import numpy as np
import pytest

import autograph as ag
from autograph.errors import PerformanceWarning
from autograph.kernels.ir import draws
from autograph.kernels.native import orders, random

N = 300

# A draw of each distribution, with parameters known only at run time where there are any.
DRAWS = {
    "random": lambda rng, a: rng.random(),
    "uniform": lambda rng, a: rng.uniform(-2.0, 3.5),
    "uniform of the run": lambda rng, a: rng.uniform(-a, 2 * a),
    "standard_normal": lambda rng, a: rng.standard_normal(),
    "normal": lambda rng, a: rng.normal(1.5, 0.3),
    "normal of the run": lambda rng, a: rng.normal(a, 2 * a),
    "standard_exponential": lambda rng, a: rng.standard_exponential(),
    "exponential": lambda rng, a: rng.exponential(2.5) + rng.exponential(a),
    "laplace": lambda rng, a: rng.laplace(0.5, 2.0) + rng.laplace(a, a),
    "gumbel, logistic": lambda rng, a: rng.gumbel(0.5, 2.0) + rng.logistic(a, a),
    "lognormal": lambda rng, a: rng.lognormal(0.1, 0.2) + rng.lognormal(a, a),
    "rayleigh": lambda rng, a: rng.rayleigh(2.0) + rng.rayleigh(a),
    "cauchy": lambda rng, a: rng.standard_cauchy(),
    "gamma": lambda rng, a: rng.gamma(a, 2.0) + rng.gamma(0.5) + rng.standard_gamma(a),
    "beta": lambda rng, a: rng.beta(a, 2.0),
    "chisquare, t": lambda rng, a: rng.chisquare(a) + rng.standard_t(2 * a),
    "pareto, power, weibull": lambda rng, a: rng.pareto(3.0) + rng.power(a) + rng.weibull(a),
    "wald": lambda rng, a: rng.wald(a, 1.0),
    "poisson": lambda rng, a: rng.poisson(a) + rng.poisson(20.0 * a) + rng.poisson(),
    "geometric": lambda rng, a: rng.geometric(a / 2),
    "binomial": lambda rng, a: rng.binomial(10, a / 2) + rng.binomial(int(100 * a), 0.3),
    "integers": lambda rng, a: rng.integers(6) + rng.integers(-3, 4),
    "both ends": lambda rng, a: rng.integers(1, 9, endpoint=True),
    "integers of the run": lambda rng, a: rng.integers(int(10 * a)) + rng.integers(-int(9 * a), 4),
    "large integers": lambda rng, a: rng.integers(2**40) + rng.integers(-(2**63), 2**63 - 1) // 9,
    "unsigned integers": lambda rng, a: sum(
        rng.integers(low, high, dtype=np.uint64) / 3
        for low, high in ((0, 2**64), (5, 2**63), (2**63, 2**64))
    ),
    "small integers": lambda rng, a: rng.integers(0, 100, dtype=np.int32),
    "bytes": lambda rng, a: rng.integers(5, dtype=np.uint8) + 1.0,
    "choice": lambda rng, a: rng.choice(7) + rng.choice(np.array([1.5, 2.5, 4.0])),
    "weighted choice": lambda rng, a: rng.choice(3, p=[0.2, 0.5, 0.3]),
    "an order": lambda rng, a: (rng.permutation(9) * np.arange(9)).sum() + rng.permutation(1)[0],
    "an order of elements": lambda rng, a: rng.permutation(np.array([0.5, a, 2.5]))[1],
    "one of many": lambda rng, a: rng.choice(50, replace=False) + rng.choice(1, 1, False)[0],
    "some of many": lambda rng, a: (rng.choice(50, 7, replace=False) * np.arange(7)).sum(),
    "some, in order": lambda rng, a: rng.choice(9, (2, 3), False, shuffle=False)[1, 2],
    "all": lambda rng, a: (rng.choice(20, 20, replace=False) * np.arange(20)).sum(),
    "many": lambda rng, a: rng.choice(10_001, 201, False)[3],
    "many, in order": lambda rng, a: rng.choice(10_001, 501, False, shuffle=False)[3],
    "several": lambda rng, a: rng.random(3).sum() + rng.normal(size=4)[1],
    "several integers": lambda rng, a: rng.integers(0, 9, 5).sum(),
}  # fmt: skip


def totals(draw, rng, n, a):
    total, least = 0.0, np.inf
    for _ in range(n):
        x = draw(rng, a)
        total += x
        if x < least:
            least = x
    return total, least, rng.random()


def native(function, *args):
    """What a function gives in native code; there are no warnings that it has none."""
    with warnings.catch_warnings():
        warnings.simplefilter("error", PerformanceWarning)
        compiled = ag.to_graph(function)
        result = compiled(*args)
    loops = [
        k for k in compiled.kernels(*args).values() if "random_" in str(k) or "double" in str(k)
    ]
    assert loops
    assert "PyObject_Vectorcall" not in str(compiled.kernels(*args))
    return result


@pytest.mark.parametrize("name", DRAWS)
def test_given_generators(name):
    draw = DRAWS[name]

    def function(rng, n, a):
        return totals(draw, rng, n, a)

    ours, numpys = np.random.default_rng(5), np.random.default_rng(5)
    assert native(function, ours, N, 0.7) == function(numpys, N, 0.7)
    assert ours.bit_generator.state["state"] == numpys.bit_generator.state["state"]
    assert ours.integers(100) == numpys.integers(100)  # also the half that is left of 64 bits


@pytest.mark.parametrize("name", DRAWS)
def test_generators_that_the_function_makes(name):
    draw = DRAWS[name]

    def function(n, a):
        return totals(draw, np.random.default_rng(5), n, a)

    assert native(function, N, 0.7) == function(N, 0.7)


@pytest.mark.parametrize("kind", [np.random.MT19937, np.random.Philox, np.random.SFC64])
def test_other_bit_generators(kind):
    def walk(rng, n):
        x = 0.0
        for _ in range(n):
            x += rng.normal() if rng.random() < 0.5 else rng.integers(-3, 4)
        return x

    ours, numpys = (np.random.Generator(kind(3)) for _ in range(2))
    assert native(walk, ours, N) == walk(numpys, N)
    assert ours.random() == numpys.random()


def test_generators_of_a_derived_class():
    class Ones(np.random.Generator):
        def normal(self, loc=0.0, scale=1.0, size=None):
            return 1.0 + super().random()

    def walk(rng, n):
        x = 0.0
        for _ in range(n):
            x += rng.normal() - rng.random()
        return x

    compiled = ag.to_graph(walk)
    for kind in (np.random.Generator, Ones):
        ours, pythons = (kind(np.random.PCG64(3)) for _ in range(2))
        assert compiled(ours, 50) == walk(pythons, 50)
        assert ours.random() == pythons.random()


def test_generators_from_outside_and_of_objects():
    class Model:
        def __init__(self):
            self.rng = np.random.default_rng(9)

        def run(self, n):
            x = 0.0
            while x < n:
                x += self.rng.exponential(0.5)
            return x

    ours, pythons = Model(), Model()
    assert ag.to_graph(ours.run)(50.0) == pythons.run(50.0)
    assert ours.rng.random() == pythons.rng.random()


def test_a_list_that_begins_with_a_draw():
    """The loop goes on with an array of a length that only the run knows, made in its kernel."""

    def times(rng, most):
        found, total = [], 0.0
        if most > 0.0:
            found.append(rng.exponential(2.0))
        while len(found) > 0 and total < most:
            total += found.pop()
            found.append(rng.exponential(2.0))
            found.append(rng.random())
        return total, len(found)

    ours, numpys = np.random.default_rng(3), np.random.default_rng(3)
    compiled = ag.to_graph(times)
    assert compiled(ours, 30.0) == times(numpys, 30.0)
    assert ours.random() == numpys.random()
    assert "known_generator" not in str(compiled.program(ours, 30.0)).split("def times(")[1]


def test_distributions_that_do_not_allow_a_one():
    """The types of their draws are found with other parameters."""

    def total(rng, n, a, p):
        x = 0
        for _ in range(n):
            x += rng.logseries(a) + rng.zipf(a + 1.5) + rng.logseries(p)[1] + rng.zipf(1 + p)[0]
        return x, rng.random()

    ours, numpys, p = np.random.default_rng(3), np.random.default_rng(3), np.array([0.3, 0.6])
    assert ag.to_graph(total)(ours, 50, 0.4, p) == total(numpys, 50, 0.4, p)


def test_what_is_given_up_is_drawn_again():
    """The kernel is given up after some draws, and NumPy's program begins again."""

    def grown(rng, n):
        x = 1
        for _ in range(n):
            x = x * (2 + rng.integers(0, 3))
        return int(x > 0), rng.random()

    def python_ints(rng, n):
        x = 1
        for _ in range(n):
            x = x * (2 + int(rng.integers(0, 3)))
        return x, rng.random()

    ours, numpys = np.random.default_rng(1), np.random.default_rng(1)
    assert ag.to_graph(python_ints)(ours, 200) == python_ints(numpys, 200)
    assert ours.random() == numpys.random()
    ours, numpys = np.random.default_rng(1), np.random.default_rng(1)
    assert ag.to_graph(grown)(ours, 20) == grown(numpys, 20)


def test_what_is_not_allowed_is_numpys_error():
    def drawn(rng, n, a):
        x = 0.0
        for i in range(n):
            x += rng.gamma(a - i, 1.0)
        return x

    ours, numpys = np.random.default_rng(1), np.random.default_rng(1)
    with pytest.raises(ValueError, match="shape < 0"):
        ag.to_graph(drawn)(ours, 10, 3.5)
    with pytest.raises(ValueError, match="shape < 0"):
        drawn(numpys, 10, 3.5)
    assert ours.random() == numpys.random()

    def chosen(rng, n, p):
        x = 0
        for _ in range(n):
            x += rng.choice(2, p=p)
        return x

    compiled = ag.to_graph(chosen)
    p = np.array([0.25, 0.75])
    assert compiled(np.random.default_rng(2), N, p) == chosen(np.random.default_rng(2), N, p)
    with pytest.raises(ValueError, match=r"(?i)probabilities do not sum to 1"):
        compiled(np.random.default_rng(2), N, np.array([0.25, 0.5]))
    with pytest.raises(ValueError, match=r"(?i)probabilities are not non-negative"):
        compiled(np.random.default_rng(2), N, np.array([-0.25, 1.25]))


def test_errors_of_the_program_leave_generators_where_they_were():
    def hit(rng, n):
        for i in range(n):
            if rng.random() > 0.95:
                raise ValueError(f"hit at {i}")
        return 0

    ours, pythons = np.random.default_rng(4), np.random.default_rng(4)
    with pytest.raises(ValueError, match="hit at") as found:
        ag.to_graph(hit)(ours, 1000)
    with pytest.raises(ValueError, match="hit at") as wanted:
        hit(pythons, 1000)
    assert str(wanted.value) in str(found.value)
    assert ours.random() == pythons.random()


def test_draws_that_python_does_beside_native_ones():
    """What has no native form is drawn by a call of Python, from the same generator."""

    def shuffled(rng, n):
        x, total = np.arange(5.0), 0.0
        for _ in range(n):
            x = rng.permuted(x)
            total += x[0] * rng.random() + rng.permutation(4)[1]
        return total, x

    def alike(a, b):
        return a[0] == b[0] and np.array_equal(a[1], b[1])

    ours, numpys = np.random.default_rng(6), np.random.default_rng(6)
    assert alike(ag.to_graph(shuffled)(ours, 50), shuffled(numpys, 50))
    assert ours.random() == numpys.random()
    ours, numpys = np.random.RandomState(6), np.random.RandomState(6)

    def legacy(rng, n):
        total = 0.0
        for _ in range(n):
            total += rng.rand() + rng.randn() + rng.randint(5)
        return total

    assert ag.to_graph(legacy)(ours, 50) == legacy(numpys, 50)
    assert ours.rand() == numpys.rand()


def test_one_generator_as_two_arguments():
    def both(a, b, n):
        x = 0.0
        for _ in range(n):
            x += a.random() - 2 * b.random()
        return x

    ours, numpys = np.random.default_rng(8), np.random.default_rng(8)
    assert ag.to_graph(both)(ours, ours, N) == both(numpys, numpys, N)
    assert ours.random() == numpys.random()


def test_recursion():
    def tree(rng, depth):
        if depth == 0 or rng.random() < 0.1:
            return 1
        return tree(rng, depth - 1) + tree(rng, depth - 1)

    ours, pythons = np.random.default_rng(3), np.random.default_rng(3)
    assert ag.to_graph(tree)(ours, 9) == tree(pythons, 9)
    assert ours.random() == pythons.random()


def test_threads_with_generators_of_their_own():
    @ag.to_graph
    def mean(rng, n):
        total = 0.0
        for _ in range(n):
            total += rng.standard_normal()
        return total

    wanted = [mean.__wrapped__(np.random.default_rng(k), 20000) for k in range(4)]
    found = [None] * 4

    def run(k):
        found[k] = [mean(np.random.default_rng(k), 20000) for _ in range(5)]

    threads = [threading.Thread(target=run, args=(k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [[x] * 5 for x in wanted]


def test_threads_with_the_same_generators_the_other_way_round():
    """No thread waits for a generator that another one has, which waits for the first one's."""

    def forth(a, b, n):
        total = 0.0
        for _ in range(n):
            total += a.random() - b.random()
        return total

    def back(a, b, n):
        total = 0.0
        for _ in range(n):
            total += b.random() + a.random()
        return total

    one, other = np.random.default_rng(1), np.random.default_rng(2)
    pairs = (ag.to_graph(forth), one, other), (ag.to_graph(back), other, one)
    for function, *generators in pairs:
        function(*generators, 3)

    def run(function, a, b):
        for _ in range(3000):
            function(a, b, 300)

    threads = [threading.Thread(target=run, args=pair, daemon=True) for pair in pairs]
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(300)
    finally:
        sys.setswitchinterval(interval)
    assert not any(thread.is_alive() for thread in threads)


def test_gradients_with_noise():
    def path(x, rng, n):
        for _ in range(n):
            x = x + 0.1 * x * rng.normal(0.0, 1.0)
        return x

    def python(x):
        return path(x, np.random.default_rng(1), 50)

    gradient = ag.grad(path)(1.5, np.random.default_rng(1), 50)
    eps = 1e-6
    np.testing.assert_allclose(gradient, (python(1.5 + eps) - python(1.5 - eps)) / (2 * eps), 1e-6)


def test_arrays_are_shuffled():
    def function(rng, x, y, n):
        total = 0.0
        for _ in range(n):
            rng.shuffle(x)
            rng.shuffle(y)
            total = total * 0.5 + x[0] - x[4] + y[1, 2]
        return total, rng.random()

    x, y = np.linspace(0.0, 1.0, 11), np.arange(12.0).reshape(4, 3)
    ours, numpys = (np.random.default_rng(5), x.copy(), y.copy()), [np.random.default_rng(5), x, y]
    compiled = ag.to_graph(function)
    assert compiled(*ours, N) == function(*numpys, N)
    assert np.array_equal(ours[1], x) and np.array_equal(ours[2], y)
    assert "PyObject_Vectorcall" not in str(compiled.kernels(*ours, N))


def test_an_order_that_is_not_used_is_drawn():
    def function(rng, n):
        for _ in range(n):
            rng.permutation(6)
            rng.choice(30, 5, replace=False)
        return rng.random()

    assert ag.to_graph(function)(np.random.default_rng(5), N) == function(
        np.random.default_rng(5), N
    )


def test_orders_of_another_numpy_are_drawn_by_it(monkeypatch):
    monkeypatch.setattr(orders, "are_numpys", lambda: False)

    def function(rng, n):
        total = 0
        for _ in range(n):
            total += rng.permutation(6)[2]
        return total, rng.random()

    compiled = ag.to_graph(function)
    assert compiled(np.random.default_rng(5), 50) == function(np.random.default_rng(5), 50)
    assert "random_interval" not in str(compiled.kernels(np.random.default_rng(5), 50))


@pytest.mark.parametrize("last", [0, 1, 2, 7, 8, 2**31, 2**32 - 1, 2**32, 2**40 + 3])
def test_numbers_of_an_interval_are_those_of_numpys_function(last):
    library = random._library()
    if library is None:
        pytest.skip("NumPy does not show its functions")
    draw = library.random_interval
    draw.restype, draw.argtypes = ctypes.c_uint64, (ctypes.c_void_p, ctypes.c_uint64)
    ours, numpys = np.random.default_rng(5), np.random.default_rng(5)
    for _ in range(50):
        assert draws.at_most(ours, last) == draw(random.place_of(numpys.bit_generator), last)
    assert ours.bit_generator.state == numpys.bit_generator.state


def test_python_draws_as_many_as_only_a_trip_knows():
    def total(x, seed):
        rng = np.random.default_rng(seed)
        s = 0.0
        for i in range(len(x)):
            s += np.sum(rng.random(len(x[x > x[i]]))) + rng.normal()
        return s

    x = np.linspace(0.0, 1.0, 20)
    np.testing.assert_allclose(ag.to_graph(total)(x, 3), total(x, 3), rtol=1e-13)
