"""Recursion: direct, mutual, tree-shaped, by closures, methods and lambdas."""

import functools

import numpy as np

import autograph as ag
from tests.support.oracle import Programs

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


@programs(5)
@programs(0)
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


@programs(np.array([1.0, 2.0, 3.0, 4.0]))
def recursion_on_static_shapes(x):
    if len(x) == 1:
        return x[0]
    return recursion_on_static_shapes(x[::2]) - recursion_on_static_shapes(x[1::2])


@programs.smooth(3.0)
@programs.smooth(0.4)
def recursion_on_floats(x):
    if x < 1:
        return x * x
    return recursion_on_floats(x / 2) + x


@programs(20)
@programs(0)
def recursion_with_tuples(n):
    def go(n, a, b):
        if n == 0:
            return a, b
        return go(n - 1, b, a + b)

    return go(n, 0, 1)


@programs((1.0, ((2.0, None, None)), (3.0, None, None)))
def recursion_on_a_tree(tree):
    if tree is None:
        return 0.0
    value, left, right = tree
    return value + recursion_on_a_tree(left) + recursion_on_a_tree(right)


@programs(3, 10, 4)
def hanoi(n, a, b):
    if n == 0:
        return 0
    return hanoi(n - 1, a, b) + 1 + hanoi(n - 1, b, a)


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


# -- functions of one code, one of which calls another ---------------------------------------------


def through_a_default(function):
    def apply(x, function=function):
        return function(x)

    return lambda x: apply(x)


def raises_on_every_path(x):
    print("start")
    if x > 0:
        raise KeyError("positive")
    else:
        raise ValueError(f"not positive: {x}")


def raises_at_its_end(x):
    print("start")
    if x > 0:
        print("positive")
    raise ValueError(x)


raises_in_both = through_a_default(through_a_default(raises_on_every_path))
raises_late = through_a_default(through_a_default(raises_at_its_end))


@programs(1.0)
@programs(-1.0)
def raises_on_every_path_through_defaults(x):
    return raises_in_both(x)


@programs(1.0)
@programs(-1.0)
def raises_at_its_end_through_defaults(x):
    return raises_late(x)


@programs(2)
@programs(7)
def raises_or_counts_down(n):
    if n > 3:
        print(n)
        raise ValueError(n)
    if n < 0:
        return n
    print("down", n)
    return raises_or_counts_down(n - 1)


# -- arrays that get smaller as a number counts down -----------------------------------------------


def restricted(u, h, levels):
    u = u.copy()
    u[1:-1] = 0.5 * (u[:-2] + u[2:] - h * h)
    if levels == 0:
        return u
    coarse = restricted(u[::2], 2 * h, levels - 1)
    fine = np.zeros_like(u)
    fine[::2] = coarse
    fine[1::2] = 0.5 * (coarse[:-1] + coarse[1:])
    return u + fine


@programs(np.linspace(0.0, 1.0, 17), 0.1, 0)
@programs(np.linspace(0.0, 1.0, 17), 0.1, 3)
def until_a_number_is_zero(u, h, levels):
    """Only the number ends the recursion: one level more, and nothing would fit any more."""
    return restricted(u, h, levels)


@programs(X, 2)
@programs(X, 1)
def halves_in_trees(x, depth):
    if depth == 0:
        return np.sum(x**2) / len(x)
    middle = len(x) // 2
    rest = x[middle:] - x[0]
    return halves_in_trees(x[:middle], depth - 1) - halves_in_trees(rest, depth - 1)


class Levels:
    def __init__(self, last):
        self.last = last

    def cycle(self, x, level):
        if level == self.last:
            return x * 0.5
        pairs = x.reshape(-1, 2)
        return x + np.repeat(self.cycle(pairs[:, 0] - pairs[:, 1], level + 1), 2)


@programs(X, 2)
@programs(X, 0)
def halves_by_a_method(x, last):
    return Levels(last).cycle(x, 0)
