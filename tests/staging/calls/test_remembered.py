"""Functions that remember their results: `functools.lru_cache` and `functools.cache`."""

import functools

import numpy as np
import pytest

import autograph as ag
from tests.support.oracle import Programs, check_grad

programs = Programs()


@functools.cache
def fibonacci(k):
    if k < 2:
        return k
    return fibonacci(k - 1) + fibonacci(k - 2)


@programs(80)
@programs(1)
def a_recursion_that_branches(n):
    return fibonacci(n)


@programs(3, 80)
@programs(0, 5)
def at_each_step_of_another_recursion(n, k):
    def step(n):
        found = fibonacci(k)
        return found if n <= 0 else found + step(n - 1)

    return step(n)


@programs(80.0)
@programs(0.0)
def of_a_number_that_the_run_finds(x):
    return fibonacci(int(x)), fibonacci(int(x) // 2)


@programs(13, 14)
@programs(0, 3)
def of_two_numbers(rows, columns):
    @functools.lru_cache(maxsize=1000)
    def paths(i, j):
        if i == 0 or j == 0:
            return 1
        return paths(i - 1, j) + paths(i, j - 1)

    return paths(rows, columns)


@programs([3, 34, 4, 12, 5, 2] * 5, 40)
@programs([3, 34], 2)
def over_a_list(weights, room):
    @functools.cache
    def best(i, room):
        if i == len(weights):
            return 0
        without = best(i + 1, room)
        if weights[i] > room:
            return without
        return max(without, weights[i] + best(i + 1, room - weights[i]))

    return best(0, room)


@programs(60)
def called_in_a_loop(n):
    @functools.cache
    def length(k):
        if k == 1:
            return 1
        return 1 + (length(k // 2) if k % 2 == 0 else length(3 * k + 1))

    longest = 0
    for i in range(1, n):
        longest = max(longest, length(i))
    return longest


class Steps:
    def __init__(self, first):
        self.first = first

    @functools.lru_cache(None)  # noqa: B019
    def ways(self, k):
        return self.first if k < 2 else self.ways(k - 1) * 0.5 + self.ways(k - 2)


@programs(60.0)
def of_methods(x):
    one, two = Steps(1.0), Steps(2.0)
    return one.ways(int(x)), two.ways(int(x))


@programs(50.0)
def through_another_function(x):
    @functools.cache
    def count(k):
        return 1 if k < 2 else both(k)

    def both(k):
        return count(k - 1) + count(k - 2)

    return count(int(x))


@programs(30.0, 1.5)
def numbers_of_two_types(x, y):
    @functools.cache
    def count(k):
        if k < 2:
            return 1
        return count(k - 1) + count(k - 2) if k % 2 == 0 else y + count(k - 1) + count(k - 2)

    return count(int(x))


@programs(9.0)
def what_no_dict_of_the_run_holds(x):
    @functools.cache
    def powers(k):
        return np.ones(2) if k < 1 else powers(k - 1) * 2.0

    return powers(int(x))


@programs(9.0)
@programs(-1.0)
def that_fails(x):
    @functools.cache
    def down(k):
        if k == 0:
            raise ValueError("the end")
        return k if k < 0 else down(k - 1) + down(k - 2)

    return down(int(x))


@programs.test
def test_remembered(call):
    call.run()


def test_each_result_is_computed_once():
    """Without a dict of results there would be 2**60 calls."""
    assert ag.to_graph(a_recursion_that_branches)(60) == 1548008755920
    assert "find_row" in str(ag.to_graph(a_recursion_that_branches).graph(60))


def test_a_derivative():
    def way(x):
        @functools.cache
        def value(k):
            if k < 2:
                return x
            return value(k - 1) * value(k - 2) * 0.9 + x

        n = 6 if x > 0 else 4
        return value(n)

    check_grad(way, 0.7)


def test_one_that_prints_is_refused():
    @functools.cache
    def shown(k):
        print(k)
        return k if k < 2 else shown(k - 1) + shown(k - 2)

    with pytest.raises(ag.errors.UnsupportedFunctionError, match="remembers its results"):
        ag.to_graph(lambda x: shown(int(x)))(5.0)
