"""Programs with comprehensions, generator expressions and generators."""

import numpy as np

from tests.language.corpus import check_program
from tests.support.oracle import Programs

programs = Programs()


@programs.test
def test_program(call):
    check_program(call)


def countdown(n):
    while n > 0:
        yield n
        n -= 1


def pairs(x):
    for i in range(len(x) - 1):
        yield x[i], x[i + 1]


@programs.smooth(np.array([1.0, 2.0, 3.0]))
def list_over_array(x):
    return sum([v * v for v in x])


@programs.smooth(np.array([1.0, 2.0, 3.0]))
def generator_into_sum(x):
    return sum(v * v for v in x)


@programs(np.array([1.0, 2.0, 3.0]))
def into_an_array(x):
    return np.array([np.sin(v) + i for i, v in enumerate(x)])


@programs(np.array([1.0, -2.0, 3.0]))
def any_and_all(x):
    return any(v < 0 for v in x), all(v < 5 for v in x)


@programs(np.array([[1.0, 2.0], [3.0, 4.0]]))
def nested(m):
    doubled = [[v * 2 for v in row] for row in m]
    return np.array(doubled)


@programs(np.array([1.0, 2.0]), np.array([3.0, 4.0]))
def two_fors(a, b):
    return np.array([x * y for x in a for y in b])


@programs(3)
def over_static_range(n):
    table = np.array([i * n for i in range(4)])
    return table


@programs({"a": 1.0, "b": 2.0})
def dict_comprehension(params):
    return {name: value * 2 for name, value in params.items() if name != "b"}


@programs(np.array([3.0, 1.0, 2.0]))
def max_with_key(x):
    pairs_ = [(v, -v) for v in x]
    return max([p[0] for p in pairs_]), min(p[1] for p in pairs_)


@programs(["a", "bb", "ccc"], 2.0)
def filtered_statics(words, x):
    lengths = [len(w) for w in words if len(w) > 1]
    return [x * n for n in lengths]


@programs(np.array([1.0, -2.0, 3.0]))
def filtered_by_data(x):
    return sum(v for v in x if v > 0)


@programs(np.array([1.0, -2.0, 3.0]))
def count_by_data(x):
    return len([v for v in x if v > 0])


@programs(np.array([1.0, 2.0, 3.0]))
def comprehension_variable_is_its_own(x):
    v = 10.0
    squares = [v * v for v in x]
    return v, sum(squares)


@programs(2.0)
def comprehension_reads_around_it(x):
    k = 3
    values = [x * k * j for j in range(3)]
    k = 5
    return values, k


@programs.smooth(np.array([1.0, 4.0, 9.0]))
def generator_function(x):
    total = 0.0
    for a, b in pairs(x):
        total += (b - a) * (b - a)
    return total


@programs(3)
@programs(0)
def generator_with_traced_end(n):
    total = 0
    for k in countdown(n):
        total = total * 10 + k
    return total


@programs(np.array([1.0, 4.0, 9.0]))
def generator_into_list(x):
    steps = list(b - a for a, b in pairs(x))
    return steps, sum(b * a for a, b in pairs(x))


@programs([(np.eye(2), np.ones(2)), (np.eye(2) * 2, np.zeros(2))], np.ones(2))
def parameters_updated(layers, x):
    return [(w - 0.1 * np.outer(b, x), b * 0.5) for w, b in layers]


@programs(np.array([1.0, 2.0, 3.0]), 2)
def slices(x, n):
    windows = [x[i : i + 2] for i in range(2)]
    return np.stack(windows), [w.sum() * n for w in windows]


@programs(np.array([0.5, 1.5]))
def zipped(x):
    w = [0.1, 0.2]
    return sum(a * b for a, b in zip(w, x))


@programs(np.array([5, 3, 8]))
def join_and_sort(x):
    ordered = sorted([v for v in x])
    return ordered[0], ordered[-1], [v for v in reversed(ordered)]


@programs.smooth(0.5)
def powers(x):
    return np.sum(np.array([x**k for k in range(1, 5)]))
