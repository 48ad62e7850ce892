"""Programs with for loops over ranges, arrays and whatever else can be iterated over."""

import numpy as np

from tests.language.corpus import check_program
from tests.support.oracle import Programs

programs = Programs()


@programs.test
def test_program(call):
    check_program(call)


@programs.smooth(np.array([1.0, -2.0, 0.5]), 1.5)
def horner(coefficients, x):
    y = 0.0
    for c in coefficients:
        y = y * x + c
    return y


@programs(10, 3)
@programs(10, 0)
@programs(3, 7)
def binomial(n, k):
    result = 1
    for i in range(k):
        result = result * (n - i) // (i + 1)
    return result


@programs(10, 2, -3)
@programs(0, 10, 4)
@programs(5, 5, 1)
@programs(3, 5, -1)
def range_of_any_step(start, stop, step):
    total, last = 0, -99
    for i in range(start, stop, step):
        total += i
        last = i
    return total, last


@programs(5)
@programs(0)
def target_after_loop(n):
    i = -1
    for i in range(n):
        pass
    return i


@programs(6)
def target_assigned_in_body(n):
    seen = 0
    for i in range(n):
        i = i * 2
        seen += i
    return seen, i


@programs(np.arange(12.0).reshape(4, 3))
def column_sums_by_rows(m):
    sums = np.zeros(3)
    for row in m:
        sums = sums + row
    return sums


@programs.smooth(
    np.array([[0.1, 0.2], [0.3, -0.4]]), np.array([[1.0, 0.0], [0.5, -1.0], [2.0, 1.0]])
)
def recurrent_net(w, inputs):
    h = np.zeros(2)
    for x in inputs:
        h = np.tanh(w @ h + x)
    return np.sum(h)


@programs(np.array([2.0, 7.0, 1.0, 8.0]))
def index_of_maximum(x):
    best, where = x[0], 0
    for i, v in enumerate(x):
        if v > best:
            best, where = v, i
    return best, where


@programs(np.array([2.0, 7.0, 1.0]), 5)
def enumerate_from(x, start):
    total = 0.0
    for i, v in enumerate(x, start):
        total += i * v
    return total


@programs.smooth(np.array([2.0, 7.0, 1.0]), np.array([1.0, 0.5, 0.25]))
def dot_by_zip(a, b):
    total = 0.0
    for x, y in zip(a, b):
        total += x * y
    return total


@programs(np.array([2.0, 7.0, 1.0]), np.array([1, 2, 3, 4]))
def zip_stops_at_the_shortest(a, b):
    total, count = 0.0, 0
    for i, (x, y) in enumerate(zip(a, b)):
        total += x * y * i
        count += 1
    return total, count


@programs.smooth(np.array([0.3, 0.2, 0.9]))
def reversed_discount(rewards):
    value = 0.0
    for r in reversed(rewards):
        value = r + 0.9 * value
    return value


@programs(5)
def reversed_range(n):
    digits = 0
    for i in reversed(range(1, n)):
        digits = digits * 10 + i
    return digits


@programs(np.array([1.0, -2.0, 3.0, -4.0]))
def filtered(x):
    total = 0.0
    for v in filter(lambda t: t > 0, x):
        total += v
    return total


@programs(np.array([1.0, -2.0, 3.0]))
def mapped(x):
    total = 0.0
    for v in map(lambda t: t * t, x):
        total += v
    return total


@programs.smooth({"first": np.array([1.0, 2.0]), "second": np.array([3.0])})
def over_a_dict(params):
    penalty = 0.0
    for name, value in params.items():
        weight = 2.0 if name == "first" else 1.0
        penalty += weight * np.sum(value * value)
    for value in params.values():
        penalty += np.sum(value)
    return penalty


@programs.smooth([(np.eye(2) * 0.5, np.ones(2)), (np.ones((2, 2)) * 0.1, np.zeros(2))], np.ones(2))
def over_a_list_of_layers(layers, x):
    for w, b in layers:
        x = np.tanh(w @ x + b)
    return np.sum(x)


@programs(np.array([[1, 2], [3, 4]]))
def trace_and_transpose(m):
    n = len(m)
    out = np.zeros((n, n), dtype=m.dtype)
    trace = 0
    for i in range(n):
        for j in range(n):
            out[j, i] = m[i, j]
            if i == j:
                trace += m[i, j]
    return out, trace


@programs(np.array([3, 1, 2]))
def repeated_by_data(counts):
    total = 0
    for c in counts:
        for k in range(c):
            total += k * c
    return total


@programs(7)
@programs(30)
def sieve(n):
    prime = np.ones(31, dtype=bool)
    prime[:2] = False
    for p in range(2, n + 1):
        if prime[p]:
            for multiple in range(p * p, n + 1, p):
                prime[multiple] = False
    return prime


@programs.smooth(np.array([1.0, 2.0, 4.0, 8.0]))
def trapezoid(y):
    area = 0.0
    for left, right in zip(y[:-1], y[1:]):
        area += 0.5 * (left + right)
    return area


@programs(np.array([1, 5, 2, 5]))
def last_position(x):
    found = -1
    for i in range(len(x) - 1, -1, -1):
        if x[i] == 5:
            found = i
            break
    else:
        found = -2
    return found


@programs("abcab", np.array([1.0, 2.0, 3.0]))
def over_a_string(word, values):
    total = 0.0
    for letter in word:
        total += values["abc".index(letter)]
    return total


@programs.smooth(0.3)
def tuple_of_functions(x):
    for f in (np.sin, np.cos, np.tanh):
        x = f(x) + x
    return x


@programs(np.arange(24.0).reshape(2, 3, 4))
def three_levels(a):
    total = 0.0
    for plane in a:
        for row in plane:
            for value in row:
                if value % 2 == 1:
                    continue
                total += value
    return total


@programs(np.array([0.5, 1.5, -0.5]))
def unpacked_rows(x):
    total = 0.0
    for a, (b, c) in [(x[0], (x[1], x[2])), (x[2], (x[0], x[0]))]:
        total += a * b - c
    return total
