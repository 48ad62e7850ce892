"""Recursive functions that change arrays, lists and objects on the way."""

import numpy as np
import pytest

import autograph as ag
from tests.support.oracle import Programs, check, compiled

programs = Programs()


@programs.test
def test_program(call):
    call.run()


@programs(np.zeros(5), 3)
@programs(np.zeros(5), 0)
def fill(a, n):
    def go(a, i, value):
        if i < n:
            a[i] = value
            go(a, i + 1, value * 2)

    go(a, 0, 1.0)
    return a.sum()


@programs(np.zeros(5), 3)
def changed_array_returned(a, n):
    def go(a, i):
        if i < n:
            a[i] = i
            return go(a, i + 1)
        return a

    b = go(a, 0)
    b[4] = 7  # b is a
    return a.sum(), b


@programs(np.zeros(5), 3)
def array_of_the_function_around_it(a, n):
    b = a * 2

    def go(i):
        if i < n:
            b[i] = i * 2.0
            go(i + 1)

    go(0)
    c = b.copy()
    go(1)
    b[0] = 9
    go(n - 1)
    return a, b, c


@programs(np.arange(4.0), 2)
def views_are_changed(x, n):
    def go(v, m):
        if m > 0:
            v[m] = v[m] * 2 + 1
            go(v, m - 1)

    go(x[1:], n)
    go(x[::-1], n)
    return x


@programs(np.arange(4.0), 2)
def two_arrays_in_turn(x, n):
    y = x * 10

    def go(a, b, m):
        if m > 0:
            a[m] = b[m - 1] + 1
            go(b, a, m - 1)

    go(x, y, n)
    return x, y


@programs(np.arange(5.0), 4)
@programs(np.arange(5.0), 0)
def reverse(a, n):
    def go(a, i, j):
        if i < j:
            kept = a[i]
            a[i] = a[j]
            a[j] = kept
            go(a, i + 1, j - 1)

    go(a, 0, n)


@programs(np.array([3.0, 1.0, 2.0, 5.0, 4.0]))
def quicksort(a):
    def partition(a, low, high):
        pivot, i = a[high], low
        for j in range(low, high):
            if a[j] < pivot:
                a[i], a[j] = a[j], a[i]
                i = i + 1
        a[i], a[high] = a[high], a[i]
        return i

    def sort(a, low, high):
        if low < high:
            p = partition(a, low, high)
            sort(a, low, p - 1)
            sort(a, p + 1, high)

    sort(a, 0, len(a) - 1)


@programs(3)
def permutations_by_exchange(n):
    a, seen = np.arange(3.0), np.zeros(1)

    def go(k):
        if k == 3:
            seen[0] = seen[0] * 7 + a[0] * 4 + a[1] * 2 + a[2]
        else:
            for i in range(k, 3):
                a[k], a[i] = a[i], a[k]
                go(k + 1)
                a[k], a[i] = a[i], a[k]

    go(0)
    return seen * n


@programs.smooth(np.array([0.3, -0.7, 1.1, 0.4]), 3)
def gradient_through_changes(x, n):
    a = x * 1.0

    def go(b, i):
        if i < n:
            b[i + 1] = b[i] * b[i + 1]
            go(b, i + 1)
            b[0] += b[i]

    go(a, 0)
    return np.sum(a * x)


@programs(np.arange(5.0), 4)
@programs(np.arange(5.0), 0)
def given_or_new_array(a, n):
    def go(a, n):
        if n == 0:
            return a
        return go(a, n - 1) + 1

    return go(a, n)


@programs(5)
def nonlocal_counter(n):
    count = 0

    def go(m):
        nonlocal count
        count += 1
        if m > 1:
            go(m - 1)
            go(m - 2)

    go(n)
    return count


@programs(5, 1.5)
def nonlocal_becomes_float(n, x):
    total = 0

    def go(m):
        nonlocal total
        if m > 0:
            total = total + x * m
            go(m - 1)

    go(n)
    return total


@programs.smooth(1.3, 3)
def gradient_through_a_nonlocal(x, n):
    total = 0.0

    def go(m, y):
        nonlocal total
        if m > 0:
            total = total + y * x
            go(m - 1, y * 0.5)
            total = total * y

    go(n, x)
    return total


class Counter:
    def __init__(self):
        self.count = 0
        self.h = np.zeros(2)

    def go(self, m):
        self.count += 1
        if m > 0:
            self.h = self.h + m
            self.go(m - 1)
            self.h = self.h * 2


@programs(4)
def attributes(m):
    counter = Counter()
    counter.go(m)
    counter.go(m + 1)
    return counter.count, counter.h


@programs(5)
def list_appended_to(n):
    found = []

    def go(m):
        if m > 0:
            go(m - 1)
            found.append(m)

    go(n)
    return np.array(found)


@programs(5)
def list_given_and_appended_to(n):
    def go(found, m):
        if m > 0:
            go(found, m - 1)
            found.append(m * 1.5)

    found = [0.5]
    go(found, n)
    return sum(found)


@programs(5)
def list_elements_set(n):
    def go(parts, m):
        if m > 0:
            parts[0] = parts[0] + m
            go(parts, m - 1)

    parts = [0, 1]
    go(parts, n)
    return parts


@programs(5)
def dict_items_set(n):
    found = {"sum": 0, "product": 1.0}

    def go(m):
        if m > 0:
            found["sum"] += m
            go(m - 1)
            found["product"] *= 0.5

    go(n)
    return found


def same_array_twice(x, n):
    def go(a, b, m):
        if m > 0:
            a[m] = b[m - 1] + 1
            go(a, b, m - 1)

    go(x, x, n)
    return x


def array_that_is_also_captured(x, n):
    def go(a, m):
        if m > 0:
            a[m] = x[m - 1] + 1
            go(a, m - 1)

    go(x, n)
    return x


def captured_array_that_is_also_given(x, n):
    def go(a, m):
        if m > 0:
            x[m - 1] = x[m - 1] + 1
            go(a, m - 1)
            x[m] = a[m - 1]

    go(x, n)
    return x


def array_of_which_a_view_is_captured(x, n):
    part = x[1:]

    def go(a, m):
        if m > 0:
            a[m] = part[0] + 1
            go(a, m - 1)

    go(x, n)
    return x


@pytest.mark.parametrize(
    "function",
    [
        same_array_twice,
        array_that_is_also_captured,
        captured_array_that_is_also_given,
        array_of_which_a_view_is_captured,
    ],
)
def test_changes_to_what_has_two_names_are_refused(function):
    with pytest.raises(ag.errors.MutationError, match="under another name"):
        compiled(function)(np.arange(4.0), 2)


class Held:
    def __init__(self, array):
        self.array = array


@pytest.mark.parametrize("x", [1.0, 50.0])
def test_an_attribute_changed_in_place_and_assigned(x):
    def go(held, x):
        if x > 40:
            return 1.0
        held.array[2] += 1
        held.array = held.array * 2.0
        return x + go(held, x * 2 + 1.0)

    def some(a, x):
        held = Held(a * x)
        total = 0.0
        for _ in range(2):
            total += go(held, x)
        return total, held.array

    check(some, np.ones(4), x)


ROLLED = np.array([1.0, -2.0, 0.5])


def test_a_global_array_changed_in_place_and_assigned():
    global ROLLED

    def go(x, d=3):
        global ROLLED
        if d <= 0 or x > 40:
            return 1.0
        ROLLED[2] += 1
        ROLLED = np.append(ROLLED, ROLLED[0])[-3:]
        return x + go(x * 0.5 + 1.0, d - 1)

    def some(x):
        go(0.0)
        if x > 0.5:
            ROLLED[1] = go(1.0)
            for _ in range(2):
                go(x)
        return ROLLED

    found = []
    for function in (some, ag.to_graph(some)):
        for x in (1.0, 0.0):
            ROLLED = np.array([1.0, -2.0, 0.5])
            found.append((function(x).copy(), ROLLED.copy()))
    np.testing.assert_allclose(found[:2], found[2:])
