"""Recursion on lists whose lengths only the run knows, as results and as arguments: sorting."""

import time

import numpy as np
import pytest

import autograph as ag
from autograph.errors import ConcreteValueError, MutationError
from tests.support.oracle import Programs, check, check_grad
from tests.support.refusals import refused

programs = Programs()
X = np.array([3.0, 1.0, 2.0, 5.0, 4.0, 2.0])


def merge_by_popping(xs):
    if len(xs) <= 1:
        return xs
    m = len(xs) // 2
    a = merge_by_popping(xs[:m])
    b = merge_by_popping(xs[m:])
    out = []
    while a and b:
        out.append(a.pop(0) if a[0] < b[0] else b.pop(0))
    return out + a + b


def merge_from_the_end(xs):
    if len(xs) < 2:
        return xs
    a, b = merge_from_the_end(xs[: len(xs) // 2]), merge_from_the_end(xs[len(xs) // 2 :])
    out = []
    while a or b:
        if not b or (a and a[-1] > b[-1]):
            out.append(a.pop())
        else:
            out.append(b.pop())
    return out[::-1]


def merge_by_index(xs):
    if len(xs) <= 1:
        return xs
    m = len(xs) // 2
    a, b = merge_by_index(xs[:m]), merge_by_index(xs[m:])
    out, i, j = [], 0, 0
    while i < len(a) and j < len(b):
        if a[i] < b[j]:
            out.append(a[i])
            i += 1
        else:
            out.append(b[j])
            j += 1
    out.extend(a[i:])
    out.extend(b[j:])
    return out


def quick_sort(xs):
    if len(xs) <= 1:
        return xs
    p = xs[0]
    smaller = quick_sort([v for v in xs[1:] if v < p])
    return smaller + [p] + quick_sort([v for v in xs[1:] if v >= p])


def quick_sort_in_three(xs):
    if len(xs) <= 1:
        return xs
    p = xs[len(xs) // 2]
    left = [x for x in xs if x < p]
    middle = [x for x in xs if x == p]
    right = [x for x in xs if x > p]
    return quick_sort_in_three(left) + middle + quick_sort_in_three(right)


class Sorter:
    def sort(self, xs):
        if not xs:
            return xs
        first, rest = xs[0], xs[1:]
        low = [v for v in rest if v < first]
        return self.sort(low) + [first] + self.sort([v for v in rest if v >= first])


SORTS = [merge_by_popping, merge_from_the_end, merge_by_index, quick_sort, quick_sort_in_three]


@pytest.mark.costly
@pytest.mark.parametrize("sort", SORTS)
def test_sorting(sort):
    check(sort, X.tolist())
    check(lambda xs: sort([int(x) for x in xs]), X)
    check(lambda x: np.array(sort(list(x))), X)
    check(lambda x: sort(x.tolist()), X)


@programs(X)
def as_a_method(x):
    return Sorter().sort(x.tolist())


@programs(X, True)
@programs(X, False)
def in_a_branch(x, up):
    if up and x[0] > 1:
        y = quick_sort(list(x))
    else:
        y = list(x)
    return y[1] * 2, y


@programs(X.reshape(3, 2))
def in_a_loop(rows):
    total = 0.0
    for i in range(len(rows)):
        total += quick_sort(list(rows[i]))[0]
    return total


@programs(X, 2)
@programs(X, 4)
def quick_select(x, k):
    def select(xs, k):
        p = xs[0]
        low, high = [v for v in xs if v < p], [v for v in xs if v > p]
        if k < len(low):
            return select(low, k)
        if k >= len(xs) - len(high):
            return select(high, k - (len(xs) - len(high)))
        return p

    return select(list(x), k)


@programs(2.0, 0)
@programs(2.0, 3)
def new_or_given(x, n):
    def raised(xs, n):
        if n <= 0:
            return xs
        return raised([v + 1 for v in xs], n - 1)

    a = [x, 2 * x]
    return raised(a, n), a


@programs(2.0, 0)
@programs(2.0, 3)
def longer_than_one_from_outside(x, n):
    a = [x]

    def more(n):
        if n <= 0:
            return a
        return more(n - 1) + [x]

    return more(n), a


@programs(np.array([1.0, 4.0, 5.0]), np.array([2.0, 3.0, 7.0, 9.0]))
def merged(x, y):
    a, b, out = x.tolist(), y.tolist(), []
    while a and b:
        if a[0] < b[0]:
            out.append(a.pop(0))
        else:
            out.append(b.pop(0))
    while a:
        out.append(a.pop(0))
    return out, a, b


@programs.test
def test_programs(call):
    call.run()


def _weighted(sort):
    return lambda x: np.sum(np.array(sort(list(x))) * np.arange(5.0) ** 2)


@pytest.mark.parametrize("sort", [merge_by_popping, quick_sort])
def test_derivatives_and_lanes(sort):
    x = np.array([3.0, 1.0, 2.0, 5.0, 4.0])
    f = _weighted(sort)
    np.testing.assert_array_equal(check_grad(f, x, order=1), [4.0, 0.0, 1.0, 16.0, 9.0])
    out, tangent = ag.jvp(f, (x,), (np.ones(5),))
    assert (out, tangent) == (f(x), 30.0)
    lanes = np.stack([x, x[::-1], x**2])
    np.testing.assert_array_equal(ag.vmap(f)(lanes), [f(lane) for lane in lanes])


def _raised(xs, n):
    if n <= 0:
        return xs
    return _raised([v + 1 for v in xs], n - 1)


def change_the_result(x, n):
    a = [x]
    b = _raised(a, n)
    b[0] = 5.0
    return a


def change_the_argument(x, n):
    a = [x]
    b = _raised(a, n)
    a.append(5.0)
    return b


def change_what_was_outside(x, n):
    a = [x]

    def more(n):
        return a if n <= 0 else more(n - 1) + [x]

    b = more(n)
    a.append(5.0)
    return b


@pytest.mark.parametrize(
    "function", [change_the_result, change_the_argument, change_what_was_outside]
)
def test_whether_it_is_the_one_given_is_not_guessed(function):
    assert "AG0328" in refused(MutationError, function, 2.0, 1)


def list_by_path(x, n):
    a = [x]
    b = a if n <= 0 else [2 * x]
    return a is b


def dict_by_path(x, n):
    a = {"x": x}
    b = a
    if n > 0:
        b = {"x": 2 * x}
    return b is not a


def list_by_two_paths(x, n):
    a = [x]
    b = a if n <= 0 else [2 * x]
    c = b if n <= 1 else [3 * x]
    return a is c


def list_after_a_loop(x, n):
    b = a = [x]
    while n > 0:
        b = [v + 1 for v in b]
        n -= 1
    return a is b


@pytest.mark.parametrize(
    "function",
    [
        *(list_by_path, dict_by_path, list_by_two_paths, list_after_a_loop),
        lambda x, n: (lambda a: _raised(a, n) is a)([x]),
    ],
)
def test_which_container_it_is_is_not_guessed(function):
    assert "AG0310" in refused(ConcreteValueError, function, 2.0, 1)


@pytest.mark.slow
@pytest.mark.parametrize("sort", SORTS)
def test_time_for_many(sort):
    x = np.random.default_rng(0).normal(size=100)
    f = ag.to_graph(lambda x: sort(list(x)))
    begin = time.process_time()
    found = f(x)
    assert time.process_time() - begin < 10.0
    np.testing.assert_array_equal(found, np.sort(x))


def lists_of_one_length(x):
    rows = []
    for v in x:
        if v > -0.9:
            rows.append([int(v), float(v), 1.0])
    pairs = [(row[0], row[1]) for row in rows]
    by_list = sorted(pairs, key=lambda pair: [pair[0], -pair[1]])
    return sorted(rows), sorted(rows, reverse=True), by_list


def test_lists_are_ordered_as_tuples_are():
    check(lists_of_one_length, np.array([0.5, -1.0, 2.25, 2.0, -0.2]))
