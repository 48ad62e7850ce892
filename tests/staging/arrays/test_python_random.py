"""The random numbers of Python's module `random`: the same draws, and the same state after them."""

import copy
import random

import numpy as np
import pytest

import autograph as ag
from autograph.errors import AutographError


def averaged(n):
    random.seed(7)
    total = 0.0
    for _ in range(n):
        total = total * 0.5 + random.random()
    return total


def listed(n):
    return [random.random() for _ in range(n)]


def estimated(n):
    inside = 0
    for _ in range(n):
        x, y = random.uniform(-1, 1), random.uniform(-1.0, 1.0)
        if x * x + y * y < 1:
            inside += 1
    return 4 * inside / n


def shuffled(n):
    xs = list(range(n))
    random.shuffle(xs)
    return xs


def each(n):
    return (
        *(random.randint(1, n), random.randrange(n), random.randrange(2, n, 3)),
        *(random.getrandbits(20), random.gauss(1.0, 2.0), random.gauss(0, 1)),
        *(random.normalvariate(0.5, 2), random.expovariate(2.0), random.choice([1, 2, 3])),
        *(random.betavariate(1.0, 2.0), random.triangular(), random.triangular(1, 5, 2)),
        *(random.gammavariate(2.0, 1.0), random.vonmisesvariate(0.0, 4.0)),
        *(random.paretovariate(3.0), random.weibullvariate(1.0, 2.0)),
    )


def chosen(n):
    xs = [0.5 * i for i in range(n)]
    total = 0.0
    for _ in range(n):
        total += random.choice(xs)
    return total


def sampled(n):
    xs = [0.5 * i for i in range(n)]
    first = random.sample(xs, 3), random.sample(range(1000), 5), random.sample(["a", "b", "c"], 2)
    total = 0.0
    for _ in range(n):
        a, b = random.sample(xs, k=2)
        total += a - 2.0 * b
    return first, total


def chosen_with_weights(n):
    xs = [0.5 * i for i in range(n)]
    first = random.choices(xs, k=3), random.choices("abc", [1, 2, n], k=n)
    return first, random.choices([1, 2.5, n], cum_weights=[1, 1.5, 4.0], k=2), random.choices(xs)


def walked(n, seed):
    random.seed(seed)
    place, path = 0, []
    while abs(place) < n:
        place += 1 if random.random() < 0.5 else -1
        path.append(place)
    return len(path), path[-1]


def with_seeds_of_other_kinds(n):
    random.seed("abc")
    first = random.random()
    random.seed(1.5)
    return first * n, random.random()


def between_nothing(n):
    return random.randint(n, 1)


def in_place(xs):
    random.shuffle(xs)
    return xs


def outcome(function, args):
    random.seed(123)
    try:
        result = function(*copy.deepcopy(args))
    except Exception as error:
        result = type(error), str(error)
    return result, random.getstate()


@pytest.mark.parametrize(
    "function, args",
    [
        *((averaged, (10,)), (averaged, (300,)), (listed, (5,)), (listed, (400,))),
        *((estimated, (1000,)), (shuffled, (10,)), (shuffled, (400,)), (each, (50,))),
        *((chosen, (300,)), (walked, (5, 3)), (walked, (9, 4))),
        *((sampled, (6,)), (sampled, (300,)), (chosen_with_weights, (5,))),
        *((with_seeds_of_other_kinds, (3,)), (between_nothing, (5,))),
        (in_place, (list(range(20)),)),
    ],
)
def test_draws_are_those_of_python(function, args):
    compiled = ag.to_graph(function)
    wanted = outcome(function, args)
    for _ in range(2):
        result, state = outcome(compiled, args)
        assert (result, state) == wanted
        assert repr(result) == repr(wanted[0])  # of the same types


def test_derivatives_by_what_draws_are_scaled_with():
    def f(x):
        return x * random.random() + x * x * random.gauss(0, 1) + random.gauss(x, 2 * x)

    random.seed(3)
    u, y, z = random.random(), random.gauss(0, 1), random.gauss(0, 1)
    random.seed(3)
    np.testing.assert_allclose(ag.grad(f)(2.0), u + 4 * y + 1 + 2 * z)


def test_expectations_know_of_the_draws():
    def below(p):
        return 1.0 if random.random() < p else 0.0

    random.seed(0)
    slope = ag.grad(ag.expectation(below))
    np.testing.assert_allclose(np.mean([slope(0.3) for _ in range(2000)]), 1.0, atol=0.2)


def test_nothing_to_choose_from():
    with pytest.raises(IndexError, match="Cannot choose from an empty sequence"):
        ag.to_graph(lambda n: random.choice([]) if n > 3 else 1)(5)
    with pytest.raises(IndexError, match="Cannot choose from an empty sequence"):
        ag.to_graph(lambda x: random.choice([v for v in x if v > 3.0]))(np.ones(3))


def test_what_is_refused():
    with pytest.raises(AutographError, match=r"random\.betavariate"):
        ag.grad(lambda x: random.betavariate(x, 2.0))(1.5)
    with pytest.raises(AutographError, match="each lane would draw"):
        ag.vmap(lambda x: x + random.random())(np.arange(3.0))
    with pytest.raises(AutographError, match="AG0405"):
        ag.to_graph(lambda n: random.Random(3).random() * n)(5)
    with pytest.raises(AutographError, match=r"random\.sample"):
        ag.to_graph(lambda n: random.sample([n, 2], 2, counts=[3, 1]))(5)


def test_nothing_to_sample_from():
    with pytest.raises(ValueError, match="Sample larger than population or is negative"):
        ag.to_graph(lambda n: random.sample(range(n), 3))(2)
    for weights, said in (([0.0, 0.0], "greater than zero"), ([1.0], "number of weights")):
        with pytest.raises(ValueError, match=said):
            ag.to_graph(lambda w: random.choices([1, 2], w))(weights)
    with pytest.raises(TypeError, match="both weights"):
        ag.to_graph(lambda x: random.choices([x, 2], [1, 2], cum_weights=[1, 2]))(1.5)
