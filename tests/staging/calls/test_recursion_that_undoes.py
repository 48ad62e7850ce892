"""Recursion that changes something, calls itself, and undoes the change: backtracking."""

import collections
import re

import numpy as np
import pytest

import autograph as ag
from tests.support.oracle import Programs, check, compiled
from tests.support.refusals import refused

programs = Programs()


@programs.test
def test_program(call):
    call.run()


def depth(n, path):
    if n == 0:
        return len(path)
    path.append(n)
    found = depth(n - 1, path)
    path.pop()
    return found


@programs(3)
@programs(0)
def list_given(n):
    return depth(n, []), depth(n, [1, 2])


@programs([1.0], 3)
def list_of_the_caller(path, n):
    return depth(n, path)


@programs(4)
def list_in_a_closure(n):
    path = []

    def go(n):
        if n == 0:
            return sum(path)
        path.append(n)
        found = go(n - 1)
        path.pop()
        return found

    return go(n), path


@programs(4)
def list_as_a_default(n):
    def go(n, path=[]):  # noqa: B006
        if n == 0:
            return len(path)
        path.append(n)
        found = go(n - 1)
        path.pop()
        return found

    return go(n)


OUTSIDE = []


def global_depth(n):
    if n == 0:
        return len(OUTSIDE)
    OUTSIDE.append(n)
    found = global_depth(n - 1)
    OUTSIDE.pop()
    return found


@programs(4)
def global_list(n):
    return global_depth(n)


@programs(4)
def element_set(n):
    def go(state, n):
        if n == 0:
            return state[1]
        old, state[1] = state[1], n
        found = go(state, n - 1)
        state[1] = old
        return found

    state = [0, 7, 0]
    return go(state, n), state


@programs(4)
def element_becomes_float(n):
    state = [0]

    def go(n):
        if n == 0:
            return state[0] * 1.0
        old, state[0] = state[0], n * 0.5
        found = go(n - 1)
        state[0] = old
        return found

    return go(n)


@programs(4)
def element_set_then_list_grown(n):
    state = [0]

    def go(n):
        if n == 0:
            return sum(state)
        state[0] += n
        found = go(n - 1)
        state[0] -= n
        state.append(n)
        found += 10 * go(n - 1)
        state.pop()
        return found

    return go(n), state


@programs(4)
def list_of_lists(n):
    state = [[1.0], [2.0]]

    def go(n):
        if n == 0:
            return state[0][0]
        old, state[0][0] = state[0][0], n * 1.0
        found = go(n - 1)
        state[0][0] = old
        return found

    return go(n), state


@programs(2)
def taken_from_the_front(n):
    state = [1.0, 2.0, 3.0]

    def go(n):
        if n == 0:
            return state[0]
        first = state.pop(0)
        found = go(n - 1)
        state.insert(0, first)
        return found

    return go(n)


@programs(4)
def turned_round(n):
    state = [1.0, 2.0, 3.0]

    def go(n):
        if n == 0:
            return state[0]
        state.reverse()
        found = go(n - 1)
        state.reverse()
        return found

    return go(n), go(n + 1)


@programs(4)
def dict_item_set(n):
    state = {"a": 1}

    def go(n):
        if n == 0:
            return state["a"]
        old = state["a"]
        state["a"] = n + old
        found = go(n - 1)
        state["a"] = old
        return found

    return go(n), state


class Walker:
    def __init__(self):
        self.depth = 0
        self.trail = [0.0]
        self.best = 0.0

    def deepest(self, n):
        if n == 0:
            return self.depth
        self.depth += 1
        found = self.deepest(n - 1)
        self.depth -= 1
        return found

    def walk(self, n, step):
        self.trail[0] += step
        if self.trail[0] > self.best:
            self.best = self.trail[0]
        if n > 0:
            self.walk(n - 1, step * 0.5)
            self.walk(n - 1, step * 2)
        self.trail[0] -= step


@programs(3)
def attributes(n):
    walker = Walker()
    walker.walk(n, 1.5)
    return walker.deepest(n), walker.best, walker.trail


@programs(4)
def array_attribute(n):
    walker = Walker()
    walker.depth = np.zeros(2)

    def go(walker, n):
        if n == 0:
            return np.sum(walker.depth)
        old = walker.depth
        walker.depth = walker.depth + n
        found = go(walker, n - 1)
        walker.depth = old
        return found

    return go(walker, n)


@programs(4)
def nonlocal_number(n):
    level = 0

    def go(n):
        nonlocal level
        if n == 0:
            return level
        level += 1
        found = go(n - 1)
        level -= 1
        return found

    return go(n)


@programs(4)
def nonlocal_array(n):
    level = np.zeros(2)

    def go(n):
        nonlocal level
        if n == 0:
            return np.sum(level)
        old, level = level, level + n
        found = go(n - 1)
        level = old
        return found

    return go(n)


@programs(4)
def arrays_changed_in_place(n):
    a = np.zeros(4)
    part = a[1:3]

    def go(n):
        if n == 0:
            return np.sum(a)
        old = part.copy()
        part[:] = n
        found = go(n - 1)
        part[:] = old
        return found

    return go(n), a


@programs(4)
def undone_by_finally(n):
    state = [0]

    def go(n):
        if n == 0:
            return state[0]
        old, state[0] = state[0], n
        try:
            return go(n - 1)
        finally:
            state[0] = old

    return go(n), state


@programs(4)
def changed_by_helpers(n):
    state = [0.0]

    def put(value):
        state[0] = value

    def go(n):
        if n == 0:
            return state[0]
        old = state[0]
        put(n * 1.0)
        found = go(n - 1)
        put(old)
        return found

    return go(n)


@programs(4)
def only_the_second_call_sees_it(n):
    state = []

    def go(n):
        if n == 0:
            return sum(state)
        found = go(n - 1)
        state.append(n)
        found += 10 * go(n - 1)
        state.append(n * 0.5)
        found += 100 * go(n - 1)
        state.pop()
        state.pop()
        return found

    return go(n), state


@programs(4)
@programs(5)
def two_functions_in_turn(n):
    state = []

    def even(n):
        if n == 0:
            return len(state)
        state.append(n)
        found = odd(n - 1)
        state.pop()
        return found

    def odd(n):
        if n == 0:
            return len(state) * 100
        state.append(n)
        state.append(n)
        found = even(n - 1) + 2 * even(n - 1)
        state.pop()
        state.pop()
        return found

    return even(n), odd(n), state


@programs(4)
def a_recursion_that_looks_on(n):
    state = []

    def total(i):
        return 0.0 if i < 1 else total(i - 1) + len(state)

    def go(n):
        if n == 0:
            return total(n + 3)
        state.append(n * 1.0)
        found = go(n - 1) + total(n)
        state.pop()
        return found

    return go(n), total(n), state


@programs(np.array([1.0, 2.0, 3.0, 4.0]), 5.0)
def subset_sums(x, target):
    def go(i, chosen):
        if i == len(x):
            return 1 if sum(chosen) == target else 0
        count = go(i + 1, chosen)
        chosen.append(x[i])
        count += go(i + 1, chosen)
        chosen.pop()
        return count

    return go(0, [])


@programs(3)
def combinations(n):
    chosen, found = [], []

    def go(i):
        if i == n:
            found.append(sum(chosen))
            return
        go(i + 1)
        chosen.append(i)
        go(i + 1)
        chosen.pop()

    go(0)
    return found


@programs([1.0, 5.0, 2.0], 0)
def permutations(items, k):
    total = 0.0
    if k == 3:
        return items[0] * 4 + items[1] * 2 + items[2]
    for i in range(k, 3):
        items[k], items[i] = items[i], items[k]
        total = total * 1.5 + permutations(items, k + 1)
        items[k], items[i] = items[i], items[k]
    return total


@programs(4, 0)
@programs(5, 0)
def queens(n, zero):
    def go(board, row):
        if row == n:
            return 1
        count = 0
        for column in range(n):
            safe = True
            for r in range(row):
                if board[r] == column or abs(board[r] - column) == row - r:
                    safe = False
            if safe:
                board[row] = column
                count += go(board, row + 1)
                board[row] = -1
        return count

    return go([-1] * 5, zero)


@programs(3)
def printed(n):
    path = []

    def go(n):
        print("depth", len(path), n)
        if n > 0:
            path.append(n)
            go(n - 1)
            path.pop()

    go(n)


@programs(3)
def looked_at_and_changed_between_calls(n):
    state, held = [1.0, 2.0], ([0.5], {"a": 1.5})

    def go(n):
        if n == 0:
            return state[0] + held[0][0]
        return go(n - 1) + state[1] * held[1]["a"]

    first = go(n)
    state[0] = 5.0
    second = go(n)
    held[1]["a"] = 7.0
    third = go(n)
    held[0].append(8.0)
    held[0].pop(0)
    return first, second, third, go(n)


@programs(4)
@programs(0)
def another_list_assigned(n):
    state = []

    def go(n):
        nonlocal state
        if n == 0:
            return len(state)
        old, state = state, [*state, n]
        found = go(n - 1)
        state = old
        return found

    return go(n)


def test_later_calls_use_what_was_recorded():
    def lengths(x, target):
        found = []

        def go(i, chosen):
            if i == len(x):
                if sum(chosen) == target:
                    found.append(len(chosen))
                return
            go(i + 1, chosen)
            chosen.append(x[i])
            go(i + 1, chosen)
            chosen.pop()

        go(0, [])
        return found

    def size(n):
        return len(str(compiled(lengths).graph(np.arange(n * 1.0), 5.0)))

    check(lengths, np.arange(7.0), 6.0)
    assert size(14) < 2.5 * size(7)


def product_along(x):
    chosen = []

    def go(i, n):
        if n == 0:
            product = 1.0
            for factor in chosen:
                product = product * factor
            return product
        chosen.append(x[i])
        found = go(i + 1, n - 1)
        chosen.pop()
        return found * x[i]

    return go(0, 2)


def test_under_transforms():
    x = np.array([1.5, -2.5, 0.5])
    expected = 2 * np.array([x[0] * x[1] ** 2, x[0] ** 2 * x[1], 0.0])
    assert np.allclose(ag.grad(product_along)(x), expected)
    lanes = np.stack([x, x * 2])
    assert np.allclose(ag.vmap(product_along)(lanes), [product_along(lane) for lane in lanes])
    _, tangent = ag.jvp(product_along, (x,), (np.ones(3),))
    assert np.allclose(tangent, np.sum(expected))


def key_deleted(n):
    state = {"b": 0}

    def go(n):
        if n == 0:
            return len(state)
        state["a"] = n
        found = go(n - 1)
        del state["a"]
        return found

    return go(n)


def items_in_a_deque(n):
    state = collections.deque()

    def go(n):
        if n == 0:
            return len(state)
        state.append(n)
        found = go(n - 1)
        state.pop()
        return found

    return go(n)


def items_in_a_set(n):
    state = set()

    def go(n):
        found = len(state)
        if n > 0:
            state.add(1)
            found = found + go(n - 1)
            state.discard(1)
        return found

    return go(n)


@pytest.mark.parametrize("function", [key_deleted, items_in_a_deque, items_in_a_set])
def test_states_of_different_structure_are_refused(function):
    assert re.search("AG0347|AG0314", refused(ag.errors.AutographError, function, 4))
