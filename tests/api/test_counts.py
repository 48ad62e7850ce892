"""Ints among the arguments that are lengths of what a function makes: compiled once for all."""

import numpy as np
import pytest

import autograph as ag
from tests.support.oracle import assert_same

COUNTS = (5, 6, 7, 12, 2, 33, 0, 1, 8)


def table(n):
    found = [0] * (n + 1)
    found[0] = 1
    for i in range(1, n + 1):
        found[i] = found[i - 1] * 3 % 1000007
    return found[n], len(found)


def primes(n):
    is_prime = [True] * (n + 1)
    for i in range(2, int(n**0.5) + 1):
        if is_prime[i]:
            for j in range(i * i, n + 1, i):
                is_prime[j] = False
    return [i for i, prime in enumerate(is_prime) if prime and i > 1]


def triangle(n):
    rows = [[0] * n for _ in range(n)]
    for i in range(n):
        for j in range(i):
            rows[i][j] = i * j
    return sum(sum(row) for row in rows)


def array(n):
    found = np.zeros((n, 3))
    for i in range(n):
        found[i] = i
    return found * n, n, n / 2, -n


def by_size(n):
    return np.ones(n) * (2.0 if n > 9 else 3.0 if n % 2 else 5.0)


def refused(n):
    return np.ones(n), np.ones((2, 3)).sum(axis=n % 2), f"{n} of them"


def steps(x, n):
    found = np.zeros(n + 1)
    found[0] = x
    for i in range(n):
        found[i + 1] = found[i] - 0.5 * np.sin(found[i])
    return found[n] ** 2


def compared(x, n):
    return x[:n].sum() if n < len(x) else np.zeros(n).sum() + x.sum()


@pytest.mark.parametrize("function", [table, primes, triangle, array, by_size, refused])
def test_as_python(function):
    f = ag.to_graph(function)
    for n in (*COUNTS, *COUNTS[::-1]):
        assert_same(f(n), function(n), function.__name__)


@pytest.mark.parametrize("function", [table, primes, triangle, array])
def test_the_third_form_is_for_all_others(function):
    f = ag.to_graph(function)
    for n in (5, 6, 7, 12, 33, 8, 64, 100):
        f(n)
    assert len(f.compiled_forms()) == 3


def test_a_number_that_has_to_be_known_is_known():
    f = ag.to_graph(refused)
    for n in (5, 6, 7, 8):
        assert_same(f(n), refused(n), str(n))
    assert len(f.compiled_forms()) == 4


def test_two_numbers_and_an_array():
    def f(x, n, m):
        return np.zeros((n, m)) + x[0], np.full(n, m), x * n

    compiled = ag.to_graph(f)
    for n, m, k in ((5, 5, 3), (6, 6, 4), (7, 7, 5), (8, 8, 6), (8, 9, 6), (9, 8, 9), (4, 4, 4)):
        x = np.arange(k * 1.0)
        for _ in range(2):  # the second one is quick
            assert_same(compiled(x, n, m), f(x, n, m), f"{n}, {m}, {k}")


def test_a_number_that_is_the_length_of_an_array():
    compiled = ag.to_graph(compared)
    for n, k in ((5, 5), (6, 6), (7, 7), (8, 8), (7, 9), (9, 7), (8, 8)):
        x = np.arange(k * 1.0)
        for _ in range(2):
            assert_same(compiled(x, n), compared(x, n), f"{n}, {k}")


def test_static_arguments_stay_static():
    f = ag.to_graph(table, static_argnums=0)
    for n in (5, 6, 7, 8):
        assert f(n) == table(n)
    assert len(f.compiled_forms()) == 4


def test_other_types_and_large_numbers():
    def f(n):
        return np.zeros(int(min(n, 4))) + n % 7

    compiled = ag.to_graph(f)
    for n in (5, 6, 7, 8, True, np.int64(9), 2**62 + 5, 2**70, 10):
        if n == 2**70:  # too large for a number known only at run time
            assert ag.to_graph(f)(n).shape == (4,)
            continue
        assert_same(compiled(n), f(n), str(n))


def test_derivatives():
    gradient, second = ag.grad(steps), ag.grad(ag.grad(steps))
    for n in (3, 4, 5, 6, 9):
        h = 1e-4
        central = (steps(0.7 + h, n) - steps(0.7 - h, n)) / (2 * h)
        np.testing.assert_allclose(gradient(0.7, n), central, rtol=1e-6)
        central = (gradient(0.7 + h, n) - gradient(0.7 - h, n)) / (2 * h)
        np.testing.assert_allclose(second(0.7, n), central, rtol=1e-5)
    lanes = np.array([0.1, 0.7])
    f = ag.vmap(steps, in_axes=(0, None))
    for n in (3, 4, 5, 6, 9):
        np.testing.assert_allclose(f(lanes, n), [steps(x, n) for x in lanes], rtol=1e-12)


def test_lists_and_arrays_that_are_changed():
    def f(xs, counts, n):
        room = [0] * n
        for v in xs:
            room[v % n] += 1
        counts[0] += n
        xs.append(n)
        return room

    compiled = ag.to_graph(f)
    for n in (5, 6, 7, 8, 9, 9, 8):
        ours, theirs = ([3, 8, 1], np.zeros(2, int)), ([3, 8, 1], np.zeros(2, int))
        assert_same(compiled(*ours, n), f(*theirs, n), str(n))
        assert_same(ours, theirs, str(n))


def test_a_number_beside_lists_that_are_packed():
    def knapsack(room, weights, values):
        best = [0] * (room + 1)
        for k in range(len(weights)):
            for w in range(room, weights[k] - 1, -1):
                best[w] = max(best[w], best[w - weights[k]] + values[k])
        return best[room]

    compiled, draw = ag.to_graph(knapsack), np.random.default_rng(0)
    weights, values = (draw.integers(1, 30, 60).tolist() for _ in range(2))
    for room in (20, 30, 12, 9, 44, 31, 25, 50):
        found = compiled(room, weights, values)
        assert_same(found, knapsack(room, weights, values), str(room))
    assert len(compiled.compiled_forms()) == 3


def test_equal_small_ints_are_one_object() -> None:
    def same(n, m):
        return n is m, np.zeros(n), np.zeros(m)

    compiled = ag.to_graph(same)
    for n, m in [(3, 4), (4, 5), (5, 6), (6, 7), (3, 3), (8, 8), (9, 8)]:
        assert compiled(n, m)[0] is (n == m)
