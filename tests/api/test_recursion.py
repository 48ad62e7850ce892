"""Recursion: direct, mutual, tree-shaped, by closures, methods and lambdas; what it changes on the
way; and how deep it goes."""

import functools
import math
import traceback

import numpy as np
import pytest
from oracle import Programs, check, compiled

import autograph as ag
from autograph.codegen import trampoline

programs = Programs()
X = np.array([0.3, -0.7, 1.1, 0.4])


@programs.test
def test_recursion(call):
    call.run()


# -- one function ----------------------------------------------------------------------------------


@programs(5)
@programs(0)
def factorial(n):
    return 1 if n <= 1 else n * factorial(n - 1)


@programs(10)
def fibonacci(n):
    return n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)


@programs(2, 2)
def ackermann(m, n):
    if m == 0:
        return n + 1
    if n == 0:
        return ackermann(m - 1, 1)
    return ackermann(m - 1, ackermann(m, n - 1))


@programs(48, 36)
def greatest_common_divisor(a, b):
    return a if b == 0 else greatest_common_divisor(b, a % b)


@programs.smooth(1.1, 10)
@programs.smooth(1.1, 0)
def power_by_squaring(x, n):
    if n == 0:
        return 1.0
    if n % 2:
        return x * power_by_squaring(x, n - 1)
    half = power_by_squaring(x, n // 2)
    return half * half


@programs(np.array([1.0, 3.0, 5.0, 7.0]), 5.0)
@programs(np.array([1.0, 3.0, 5.0, 7.0]), 4.0)
def binary_search(a, wanted):
    def search(low, high):
        if low > high:
            return -1
        middle = (low + high) // 2
        if a[middle] == wanted:
            return middle
        if a[middle] < wanted:
            return search(middle + 1, high)
        return search(low, middle - 1)

    return search(0, len(a) - 1)


@programs(5, promoted=True)
@programs(0, promoted=True)
def accumulator_becomes_float(n):
    def go(n, accumulated):
        if n == 0:
            return accumulated
        return go(n - 1, accumulated * 0.5)

    return go(n, 1)


@programs(3)
def nothing_returned(n):
    def go(m):
        if m > 0:
            go(m - 1)

    return go(n)


@programs(3)
@programs(7)
def none_or_number(n):
    def go(m):
        if m == 5:
            return None
        if m == 0:
            return 1.0
        return go(m - 1)

    result = go(n)
    return 0.0 if result is None else result


@programs(4)
def prints_on_the_way(n):
    if n > 0:
        print(n)
        prints_on_the_way(n - 1)
        print(-n)


@programs(5)
def tuple_as_result(n):
    if n == 0:
        return 0, 1.0
    a, b = tuple_as_result(n - 1)
    return a + 1, b * 2


@programs(4, X)
def list_as_result(n, x):
    def go(n):
        if n == 0:
            return [x, x * 2]
        a, b = go(n - 1)
        return [b, a + 1]

    return go(n)


@programs(13)
@programs(1)
def list_that_grows_as_result(n):
    if n < 2:
        return [n]
    return list_that_grows_as_result(n // 2) + [n % 2]


# -- several functions -----------------------------------------------------------------------------


def is_even(n):
    if n == 0:
        return True
    return is_odd(n - 1)


def is_odd(n):
    if n == 0:
        return False
    return is_even(n - 1)


@programs(7)
@programs(6)
def two_functions(n):
    return is_even(n), is_odd(n)


@programs.smooth(1.5, 9)
@programs.smooth(1.5, 0)
def three_functions(x, n):
    def first(n, x):
        if n == 0:
            return x
        return second(n - 1, x * 1.1)

    def second(n, x):
        return third(n, x + 1) * 0.5

    def third(n, x):
        if n % 2 == 0:
            return first(n // 2, x)
        return second(n - 1, x - 0.1)

    return first(n, x)


@programs.smooth(1.3, 5)
def each_has_a_base_case(x, n):
    def f(n):
        return x if n == 0 else g(n - 1) * x

    def g(n):
        return x * x if n == 0 else f(n - 1) + np.sin(x)

    return f(n)


@programs.smooth(1.3, 4)
def inner_function_calls_outer(x, n):
    def outer(n, y):
        def inner(m, z):
            if m == 0:
                return y * z
            return inner(m - 1, z * 0.9) + outer(m - 1, z) * 0.1

        if n == 0:
            return y
        return inner(n, y) * x

    return outer(n, x * 2)


def applied_twice(f, x):
    return f(f(x))


@programs(4, 1.5)
def function_made_on_the_way(n, x):
    def go(m, y):
        if m == 0:
            return y
        return applied_twice(lambda z: z * 0.5 + y, go(m - 1, y + 1))

    return go(n, x)


# -- ways to be a function -------------------------------------------------------------------------


class Scaled:
    def __init__(self, scale):
        self.scale = scale

    def method(self, n):
        return self.scale if n == 0 else self.method(n - 1) * self.scale

    def __call__(self, n):
        return 1.0 if n == 0 else self(n - 1) * self.scale

    @staticmethod
    def static(n):
        return 1.0 if n == 0 else Scaled.static(n - 1) * 2

    @classmethod
    def of_class(cls, n):
        return 1.0 if n == 0 else cls.of_class(n - 1) * 3


@programs.smooth(1.5, 4)
def methods(x, n):
    scaled = Scaled(x)
    before = scaled.method(n) + scaled(n)
    scaled.scale = x * 2
    return before + scaled.method(n) + Scaled.static(n) + scaled.of_class(n)


@programs(4)
def lambda_function(n):
    f = lambda n: 1 if n <= 1 else n * f(n - 1)
    return f(n)


def geometric(first, n, scale=2.0):
    if n == 0:
        return first
    return functools.partial(geometric, first)(n - 1, scale=scale) * scale


@programs.smooth(1.5, 3)
def partial_defaults_and_keywords(x, n):
    return geometric(x, n) + geometric(x, n, scale=x) + geometric(n=n, first=x)


@programs(3, 1.0)
def keywords_only(n, x):
    def go(m, *, scale=2.0, **rest):
        if m == 0:
            return x * rest.get("shift", 1.0)
        return go(m - 1, scale=scale * 0.5, **rest) * scale

    return go(n) + go(n, shift=3.0) + go(m=n, scale=x)


@programs(3, 1.0)
def static_flag(n, x):
    def go(m, flag):
        if m == 0:
            return x if flag else -x
        return go(m - 1, not flag) * 2

    return go(n, True)


# -- captured values -------------------------------------------------------------------------------


@programs.smooth(1.3, 4)
def captured_traced_value(x, n):
    y = x * 2

    def go(m):
        if m == 0:
            return y
        return go(m - 1) * x + 0.1

    return go(n)


@programs.smooth(1.3, 4)
def captured_value_rebound_between_calls(x, n):
    k = x

    def go(m):
        if m == 0:
            return k
        return go(m - 1) * k + 0.1

    first = go(n)
    k = x * 3
    return first + go(n - 1)


@programs(2.0, 4)
def captured_constant_rebound_between_calls(x, n):
    k = 2

    def go(m):
        return x if m == 0 else go(m - 1) * k

    first = go(n)
    k = 3
    return first + go(n)


TABLE = np.array([1.0, 2.0])


def sum_of_table(m):
    return 0.0 if m == 0 else TABLE[0] + sum_of_table(m - 1)


@programs(3)
def global_array_changed_between_calls(n):
    first = sum_of_table(n)
    TABLE[0] = TABLE[0] + 5.0
    second = sum_of_table(n)
    TABLE[0] = TABLE[0] - 5.0
    return first, second


# -- loops and recursion ---------------------------------------------------------------------------


@programs(4)
def zero_trips_are_the_base_case(n):
    total = 1
    for i in range(n):
        total = total + zero_trips_are_the_base_case(i)
    return total


@programs(3)
def recursion_in_a_while_loop(n):
    total = 0
    while n > 0:
        n -= 1
        total += recursion_in_a_while_loop(n) + 1
    return total


@programs(10)
def loop_left_early_in_a_recursion(n):
    for i in range(n):
        if i * i > n:
            return i
        if loop_left_early_in_a_recursion(i) > 3:
            break
    return n


# -- static arguments ------------------------------------------------------------------------------


@programs.smooth(X)
def layers_by_number(x):
    weights = [np.eye(4) * 0.5 + 0.1, np.eye(4) * 0.3 - 0.2, np.ones((2, 4)) * 0.3]

    def go(k, h):
        if k == len(weights):
            return h
        return go(k + 1, np.tanh(weights[k] @ h))

    return np.sum(go(0, x))


@programs(np.array([5.0, 2.0, 8.0, 1.0, 9.0, 3.0, 7.0]))
def merge_sort(x):
    n = len(x)
    if n == 1:
        return x
    left, right = merge_sort(x[: n // 2]), merge_sort(x[n // 2 :])
    merged = np.zeros(n)
    i = j = 0
    for k in range(n):
        if j >= len(right) or (i < len(left) and left[i] <= right[j]):
            merged[k] = left[i]
            i += 1
        else:
            merged[k] = right[j]
            j += 1
    return merged


@programs(np.arange(100.0))
def sum_of_ever_fewer_elements(x):
    if len(x) == 0:
        return 0.0
    return x[0] + sum_of_ever_fewer_elements(x[1:])


@programs(np.array([1.0, -2.0, 3.0, -4.0]))
def sum_of_positive_elements(x):
    if len(x) == 0:
        return 0.0
    if x[0] > 0:
        return x[0] + sum_of_positive_elements(x[1:])
    return sum_of_positive_elements(x[1:])


def test_branching_recursion_on_smaller_arrays_has_one_graph_for_each_length():
    module = ag.to_graph(sum_of_positive_elements).graph(np.ones(40))
    assert len(module.graphs) <= 40


class Node:
    def __init__(self, value, rest):
        self.value = value
        self.rest = rest


def sum_of_nodes(node):
    if node is None:
        return 0.0
    return node.value + sum_of_nodes(node.rest)


@programs.smooth(1.5)
def linked_list(x):
    return sum_of_nodes(Node(x, Node(x * 2, Node(3.0, None))))


# -- changes in place ------------------------------------------------------------------------------


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


@programs.smooth(X, 3)
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


# -- depth -----------------------------------------------------------------------------------------


def sum_below(x, n):
    return 0.0 if n == 0 else x * n + sum_below(x, n - 1)


def sines(x, n):
    return x if n == 0 else np.sin(sines(x, n - 1)) + x


def sines_by_loop(x, n):
    y = x
    for _ in range(n):
        y = np.sin(y) + x
    return y


DEEP = 100_000


def test_depth():
    assert compiled(sum_below)(0.5, DEEP) == 0.5 * DEEP * (DEEP + 1) / 2


def test_depth_of_functions_that_call_each_other():
    assert compiled(two_functions)(DEEP) == (True, False)


def test_depth_of_gradients():
    f, g = sines, sines_by_loop
    for depth in (DEEP, DEEP // 10):
        f, g = ag.grad(f), ag.grad(g)
        assert f(0.3, depth) == pytest.approx(g(0.3, depth), rel=1e-12)


def test_cotangents_of_packs_are_added_at_any_depth():
    def f(x, n):
        return x if n == 0 else f(x, n - 1) * x

    def twice(x, n):
        return ag.grad(f)(x, n) * f(x, n) + f(x, n)

    n, x = 5_000, 1.0 + 1e-6
    found = ag.grad(ag.grad(twice))(x, n)
    k = n + 1  # twice is k x^(2k - 1) + x^k
    expected = k * (2 * k - 1) * (2 * k - 2) * x ** (2 * k - 3) + k * (k - 1) * x ** (k - 2)
    assert found == pytest.approx(expected, rel=1e-9)


def test_what_is_printed_is_printed_once_however_deep(capsys):
    def f(n):
        if n % 1000 == 0:
            print(n)
        return 0 if n == 0 else f(n - 1) + 1

    assert ag.to_graph(f)(5000) == 5000
    assert capsys.readouterr().out.split() == ["5000", "4000", "3000", "2000", "1000", "0"]


def without_end(n):
    if n == -1:
        return 0
    return 1 + without_end(n + 1)  # here


def test_recursion_without_an_end(monkeypatch):
    monkeypatch.setattr(trampoline, "_MOST", 50_000)
    with pytest.raises(RecursionError) as caught:
        compiled(without_end)(1)
    assert isinstance(caught.value, ag.errors.RecursionDepthError)
    assert "'without_end' calls itself too deeply" in str(caught.value)
    assert "return 1 + without_end(n + 1)  # here" in str(caught.value)


def test_recursion_ends_when_the_memory_gets_short(monkeypatch):
    available = iter(range(10_000_000, 0, -1_000_000))
    monkeypatch.setattr(trampoline, "available_memory", lambda: next(available))
    with pytest.raises(ag.errors.RecursionDepthError, match="4096 of its calls"):
        compiled(without_end)(1)


def test_available_memory():
    available = trampoline.available_memory()
    assert available is None or available > 1_000_000


def test_static_recursion_without_an_end():
    def f(x, n):
        return f(x[None], n) + 1

    with pytest.raises(ag.errors.UnrollLimitError, match="recorded one by one"):
        ag.to_graph(f)(X, 1)


def test_static_recursion_deeper_than_python_allows_the_recorder():
    def f(x, k):
        return x if k == 0 else f(x + np.ones(k)[0], k - 1)

    check(lambda x: f(x, 200), 1.0)


def test_an_error_deep_inside_names_its_line():
    def f(x, n):
        if n == 0:
            return math.sqrt(x)  # here
        return f(x, n - 1) + 1.0

    with pytest.raises(ValueError, match="math domain error") as caught:
        ag.to_graph(f)(-1.0, 5000)
    assert "return math.sqrt(x)  # here" in "".join(traceback.format_exception(caught.value))
