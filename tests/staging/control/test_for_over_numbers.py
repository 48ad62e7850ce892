"""`for` loops over lists of numbers that are known, which are long: loops of the program."""

import numpy as np

import autograph as ag
from tests.support.oracle import Programs

programs = Programs()
X = np.arange(1.0, 8.0)


@programs.test
def test_for_over_numbers(call):
    call.run()


@programs.smooth(X)
def pairs(x):
    places = [(0, i) for i in range(150)] + [(3, i) for i in range(150)]
    total = 0.0
    for a, b in places:
        total += x[a] * x[b % 7] * b
    return total


@programs(X)
def of_three_types(x):
    items = [(i, 0.5 * i, i > 3) for i in range(100)]
    for i, half, late in items:
        if late:
            continue
        x[i] += half
    return x, i, half, late, items[70]


@programs(X)
def element_that_is_assigned(x):
    numbers = [3 * i for i in range(100)]
    for n in numbers:
        if n == 60:
            numbers[90] = 7
        x[n % 7] += n
    return x, n, numbers


@programs(X)
def list_that_grows(x):
    numbers = list(range(100))
    for n in numbers:
        if len(numbers) < 120:
            numbers.append(n + 1)
        x[n % 7] += n
    return x, n, len(numbers), numbers


@programs(X)
def list_that_shrinks(x):
    numbers = [i for i in range(100)]
    total = 0
    for n in numbers:
        total += numbers.pop()
        x[n % 7] += 1
    return x, total, numbers


@programs(X)
@programs(X + 9.0)
def loop_that_ends_early(x):
    numbers = [0.5 * i for i in range(100)]
    for n in numbers:
        if n > x[0] * 10.0:
            break
        x[1] += n
    else:
        x[2] = -1.0
    return x, n


@programs(X)
@programs(X + 200.0)
def return_amid_the_loop(x):
    for n in [i for i in range(100)]:
        if x[n % 7] > 200.0:
            return n
    return -1


@programs(X)
def name_that_is_bound_anew(x):
    numbers = [i for i in range(100)]
    total = 0
    for n in numbers:
        numbers = [1, 2]
        total += n
    return total + x[0], numbers


@programs(X)
def loop_inside_of_another(x):
    numbers = [i for i in range(80)]
    for _ in range(3):
        for n in numbers:
            for m in numbers:
                x[n % 7] += m
    return x, numbers


@programs(X)
def numbers_that_are_lengths(x):
    for n in [1 + i % 3 for i in range(100)]:
        x[n] += np.ones(n).sum()
    return x


@programs(X)
def numbers_past_64_bits(x):
    total = 0
    for n in [2**i for i in range(80)]:
        total += n
    return total, x


@programs(X)
def numbers_of_two_types(x):
    total = x[0]
    for n in [i for i in range(80)] + [0.5]:
        total = total + n
    return total, n


def test_more_than_unroll_limit():
    def visible(heights):
        h, w = heights.shape
        border = [(0, j) for j in range(w)] + [(h - 1, j) for j in range(w)]
        seen = np.zeros((h, w), dtype=bool)
        for y, x in border:
            steps = max(abs(y - h // 2), abs(x - w // 2))
            for s in range(1, steps + 1):
                seen[h // 2 + (y - h // 2) * s // steps, w // 2 + (x - w // 2) * s // steps] = True
        return seen

    heights = np.zeros((300, 280))
    np.testing.assert_array_equal(ag.to_graph(visible)(heights), visible(heights))
