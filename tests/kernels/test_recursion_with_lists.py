"""Functions that call themselves with lists of run-time length, as native functions."""

import ctypes

import numpy as np
import pytest

pytest.importorskip("llvmlite")

import autograph as ag
from autograph.kernels.native.runtime import runtime
from tests.kernels.kernel_check import assert_kernels, check

R = np.random.default_rng(0)

# -- a list that is changed, and changed back ------------------------------------------------------


def subsets(n):
    def go(i, path):
        if i == n:
            return 1 + sum(path)
        total = go(i + 1, path)
        path.append(i)
        total += go(i + 1, path)
        path.pop()
        return total

    return go(0, [])


def combinations(n, k):
    path = []

    def go(start):
        if len(path) == k:
            total = 0
            for v in path:
                total += v
            return total
        total = 0
        for i in range(start, n):
            path.append(i)
            total += go(i + 1)
            path.pop()
        return total

    return go(0)


def queens(n):
    columns = []

    def place(row):
        if row == n:
            return 1
        count = 0
        for c in range(n):
            safe = True
            for r in range(row):
                if columns[r] == c or abs(columns[r] - c) == row - r:
                    safe = False
                    break
            if safe:
                columns.append(c)
                count += place(row + 1)
                columns.pop()
        return count

    return place(0)


def countdown(n):
    if n == 0:
        return []
    found = countdown(n - 1)
    found.append(n)
    return found


def preorder(n):
    order = []

    def walk(i):
        if i < n:
            order.append(i)
            walk(2 * i + 1)
            walk(2 * i + 2)

    walk(0)
    return order


@pytest.mark.parametrize(
    ("function", "args"),
    [
        (subsets, (9,)),
        (combinations, (9, 4)),
        (queens, (6,)),
        (countdown, (30,)),
        (lambda x: preorder(int(x[0])), (np.array([40]),)),
    ],
)
def test_a_list_that_is_changed(function, args):
    check(function, *args)


# -- lists that are results ------------------------------------------------------------------------


def merge_sort(a):
    if len(a) <= 1:
        return a
    middle = len(a) // 2
    left, right = merge_sort(a[:middle]), merge_sort(a[middle:])
    merged = []
    i = j = 0
    while i < len(left) and j < len(right):
        if left[i] <= right[j]:
            merged.append(left[i])
            i += 1
        else:
            merged.append(right[j])
            j += 1
    merged.extend(left[i:])
    merged.extend(right[j:])
    return merged


def quicksort(a):
    if len(a) <= 1:
        return a
    pivot = a[len(a) // 2]
    less = [v for v in a if v < pivot]
    same = [v for v in a if v == pivot]
    more = [v for v in a if v > pivot]
    return quicksort(less) + same + quicksort(more)


def inorder(tree, i):
    if i >= len(tree):
        return []
    return inorder(tree, 2 * i + 1) + [float(tree[i])] + inorder(tree, 2 * i + 2)


@pytest.mark.slow
def test_lists_that_are_results():
    x = R.random(200)
    check(lambda x: merge_sort([float(v) for v in x]), x)
    check(lambda x: quicksort([int(v) for v in x]), R.integers(0, 50, 200))
    check(inorder, R.random(60), 0)


def test_a_long_list_is_recorded_for_any_length():
    compiled = ag.to_graph(lambda x: merge_sort([float(v) for v in x]))
    graph = compiled.graph(R.random(200))
    assert str(graph).count("graph merge_sort") == 1


# -- lists that get longer on the way down ---------------------------------------------------------


def subset_sums(nums, target):
    def go(i, path, total):
        if i == len(nums):
            return 1 if total == target and len(path) > 0 else 0
        taken = go(i + 1, path + [int(nums[i])], total + int(nums[i]))
        return go(i + 1, path, total) + taken

    return go(0, [], 0)


def test_a_list_that_is_longer_in_each_call():
    nums = R.integers(1, 9, 10)
    check(subset_sums, nums, 12)


# -- lists of lists --------------------------------------------------------------------------------


def power_set(n):
    result, path = [], []

    def go(i):
        if i == n:
            result.append(path[:])
            return
        go(i + 1)
        path.append(i)
        go(i + 1)
        path.pop()

    go(0)
    return result


def power_set_of(nums):
    result = []

    def backtrack(start, path):
        result.append(list(path))
        for i in range(start, len(nums)):
            path.append(nums[i])
            backtrack(i + 1, path)
            path.pop()

    backtrack(0, [])
    return result


@pytest.mark.slow
def test_lists_of_lists():
    for function, argument in ((power_set, 6), (power_set_of, np.arange(9))):
        compiled = ag.to_graph(function)
        assert compiled(argument) == compiled(argument) == function(argument)
        assert_kernels(compiled, (argument,), 1)


# -- other names of a list -------------------------------------------------------------------------


def knapsack(weights, values, room, copy):
    n = len(weights)
    best, items, chosen = 0, [], []

    def go(i, weight, value):
        nonlocal best, items
        if weight > room:
            return
        if i == n:
            if value > best:
                best = value
                items = chosen.copy() if copy else chosen[:]
            return
        chosen.append(i)
        go(i + 1, weight + int(weights[i]), value + int(values[i]))
        chosen.pop()
        go(i + 1, weight, value)

    go(0, 0, 0)
    return best, items


@pytest.mark.parametrize("copy", [True, False])
def test_a_variable_of_an_enclosing_function_gets_another_list(copy):
    function = lambda weights, values: knapsack(weights, values, 40, copy)
    check(function, R.integers(1, 20, 9), R.integers(1, 50, 9))


def test_a_list_that_has_two_names_is_copied_before_it_is_changed():
    def prefixes(n):
        path = []

        def go(i):
            if i == n:
                return path.copy(), 0
            path.append(i)
            first, count = go(i + 1)
            path.pop()
            path.append(-i)
            count += len(first) + path[-1]
            path.pop()
            return first, count

        return go(0)

    check(prefixes, 9)


def test_what_a_trip_appends_to_a_copy():
    def function(d):
        best, rows = [1], [d]
        for i in range(d % 3):
            rows.append(d)
            if d < 5:
                best = rows.copy()
            best.append(i)
        return best, rows

    compiled = ag.to_graph(function)
    for d in (1, 2, 4, 5, 8, 0):
        assert compiled(d) == function(d)


# -- functions that call each other ----------------------------------------------------------------


def parsed(tokens):
    """Sums in brackets: -1 is a plus, -4 and -5 are brackets."""
    position, stack = 0, []

    def total():
        nonlocal position
        term()
        while position < len(tokens) and tokens[position] == -1:
            position += 1
            term()
            b = stack.pop()
            a = stack.pop()
            stack.append(a + b)

    def term():
        nonlocal position
        if tokens[position] == -4:
            position += 1
            total()
            position += 1
        else:
            stack.append(int(tokens[position]))
            position += 1

    total()
    return stack[0]


def parsed_without_stack(tokens):
    def total(position):
        found, position = term(position)
        while position < len(tokens) and tokens[position] == -1:
            more, position = term(position + 1)
            found += more
        return found, position

    def term(position):
        if tokens[position] == -4:
            found, position = total(position + 1)
            return found, position + 1
        return int(tokens[position]), position + 1

    return total(0)[0]


def test_a_recursive_parser():
    tokens = np.array([-4, 3, -1, -4, 4, -1, 5, -5, -5, -1, 7])
    check(parsed, tokens, kernels=None)
    check(parsed_without_stack, tokens)


# -- searching -------------------------------------------------------------------------------------


def test_what_has_been_seen():
    def reached(graph, start):
        seen = []

        def visit(u):
            if u in seen:
                return
            seen.append(u)
            for v in graph[u]:
                if v >= 0:
                    visit(int(v))

        visit(start)
        return seen

    graph = R.integers(-3, 30, (30, 3))
    check(reached, graph, 2, kernels=None)


# -- memory and exceptions -------------------------------------------------------------------------


def best_path(depth):
    def best(i, last):
        if i == 0:
            return [last]
        a, b = best(i - 1, last + 1), best(i - 1, last * 2 % 7)
        if sum(a) % 5 > sum(b) % 5:
            return a + [i]
        return b + [i]

    return best(depth, 1)


def test_what_calls_reserve_is_free_when_they_end():
    compiled = check(best_path, 8)
    limit = ctypes.c_int64.from_address(runtime().address("ag_arena_limit"))
    before = limit.value
    limit.value = 1 << 20  # in all they reserve some hundred times that
    try:
        assert len(compiled(17)) == 18
        assert compiled.kernels(17)
    finally:
        limit.value = before


def test_exceptions():
    def function(n, bad):
        path = []

        def go(i):
            if i == n:
                if len(path) == bad:
                    raise ValueError("bad")
                return len(path)
            total = go(i + 1)
            path.append(i)
            total += go(i + 1)
            path.pop()
            return total

        return go(0)

    compiled = check(function, 6, 99)
    for _ in range(3):
        with pytest.raises(ValueError, match="bad"):
            compiled(6, 4)
    assert compiled(6, 99) == function(6, 99)

    def beyond(n):
        def go(i, xs):
            return xs[0] if i == 0 else go(i - 1, xs) + xs[5]

        return go(n, [1, 2, 3])

    with pytest.raises(IndexError, match="list index out of range"):
        ag.to_graph(beyond)(4)


# -- derivatives -----------------------------------------------------------------------------------


@pytest.mark.slow
def test_derivatives():
    def squares(x):
        def go(i, found):
            if i == len(x):
                total = 0.0
                for v in found:
                    total = total * 0.5 + v
                return total
            if x[i] > 0.5:
                return go(i + 1, found + [x[i] * x[i]])
            return go(i + 1, found)

        return go(0, [])

    def paths(x):
        path = []

        def go(i):
            if i == len(x):
                return sum(path) ** 2 if path else 0.0
            total = go(i + 1)
            path.append(x[i] * 1.5)
            total = total + go(i + 1)
            path.pop()
            return total

        return go(0)

    x = R.random(4)
    for function in (squares, paths):
        ag.check_grads(function, (x,), order=2)
        found = ag.vmap(ag.grad(function))(np.stack([x, x * 0.9]))
        assert np.allclose(found[0], ag.grad(function)(x))
