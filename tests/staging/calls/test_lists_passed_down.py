"""Backtracking: lists that a recursion passes down, one longer in each call, and keeps where they
are wanted."""

import numpy as np
import pytest

import autograph as ag
from autograph.errors import MutationError, UnrollLimitError
from tests.support.oracle import Programs, check, check_grad
from tests.support.refusals import refused

programs = Programs()
X = np.array([3.0, 1.0, 2.0, 5.0])


def choose(i, path, xs, out):
    if i == len(xs):
        out.append(path)
        return
    choose(i + 1, path, xs, out)
    choose(i + 1, path + [xs[i]], xs, out)


@programs(np.arange(9))
@programs(np.arange(4))
def subsets(xs):
    out = []
    choose(0, [], xs, out)
    return len(out), sum(sum(path) for path in out)


def open_or_close(opened, closed, n, path, out):
    if opened == n and closed == n:
        out.append(path)
        return
    if opened < n:
        open_or_close(opened + 1, closed, n, path + [1], out)
    if closed < opened:
        open_or_close(opened, closed + 1, n, path + [-1], out)


@programs(3)
@programs(5)
@programs(1)
def parentheses(n):
    out = []
    open_or_close(0, 0, n, [], out)
    return out


def permute(path, rest, out):
    if not rest:
        out.append(path)
        return
    for i in range(len(rest)):
        permute(path + [rest[i]], rest[:i] + rest[i + 1 :], out)


@programs(np.arange(3))
@programs(np.arange(5))
def permutations(xs):
    out = []
    permute([], [int(x) for x in xs], out)
    return out


@programs(X)
@programs(X[:3])
@programs(X[::-1])
def best_path_of_a_closure(x):
    best, most = [], 0.0

    def go(i, path, weight):
        nonlocal best, most
        if weight > 7.0:
            return
        if weight > most:
            most, best = weight, path
        for j in range(i, min(len(x), i + 3)):
            go(j + 1, path + [j], weight + x[j])

    go(0, [], 0.0)
    return best, most


@programs(X)
@programs(X[:3])
@programs(X[::-1])
def copied_path_of_a_closure(x):
    best, most = [], 0.0

    def go(i, path, weight):
        nonlocal best, most
        if weight > 7.0:
            return
        if weight > most:
            most, best = weight, path[:]
        for j in range(i, min(len(x), i + 3)):
            go(j + 1, path + [x[j]], weight + x[j])

    go(0, [], 0.0)
    return best, most


class Search:
    def __init__(self, x):
        self.x, self.best, self.most = x, [], 0.0

    def go(self, i, path, weight):
        if weight > 7.0:
            return
        if weight > self.most:
            self.most, self.best = weight, path
        for j in range(i, min(len(self.x), i + 3)):
            self.go(j + 1, path + [j], weight + self.x[j])


@programs(X)
@programs(X[:3])
@programs(X[::-1])
def best_path_of_an_object(x):
    search = Search(x)
    search.go(0, [], 0.0)
    return search.best, search.most


@programs(3.0)
@programs(5.0)
def rebound_before_the_call(n):
    best = [0.5]

    def go(n, path):
        nonlocal best
        if n <= 0.0:
            return 0.0
        best = best + [n]
        return go(n - 1.0, path + [n]) + len(path) + len(best)

    return go(n, [1.0]), best


@pytest.mark.slow
@programs.test
def test_value(call):
    check(call.function, *call.args)


def heaviest(x):
    best, most = [], 0.0

    def go(i, path, weight):
        nonlocal best, most
        if len(path) == 2:
            if weight > most:
                most, best = weight, path[:]
            return
        for j in range(i, len(x)):
            go(j + 1, path + [x[j]], weight + x[j])

    go(0, [], 0.0)
    return most * most


@pytest.mark.slow
def test_gradient():
    check_grad(heaviest, X)


def test_that_a_list_may_be_known_by_two_names():
    def f(n):
        best = [0.5]

        def go(n):
            nonlocal best
            if n <= 0.0:
                return 0.0
            mine = best
            if n == 2.0:
                best = [n, 7.0]
            below = go(n - 1.0)
            best.append(n)
            return below + len(mine)

        return go(n), best

    assert "may be the same as another one that was changed" in refused(MutationError, f, 3.0)


def pick(n, path):
    if n <= 0.0:
        found = path if len(path) > 1 else [0.0]
        return found
    return pick(n - 1.0, path + [n])


def test_that_a_result_may_be_an_argument():
    def f(n):
        path = [n, 1.0]
        found = pick(n, path)
        path.append(5.0)
        return found

    assert "may be the same as another one that was changed" in refused(MutationError, f, 0.5)


def test_that_the_reason_is_told():
    def f(x):
        best, most = [], 0.0

        def go(i, path, weight):
            nonlocal best, most
            if weight > 15.0:
                return
            if weight > most:
                most, best = weight, path
            for j in range(i, min(len(x), i + 3)):
                longer = path + [j]
                go(j + 1, longer, weight + x[j])
                longer.append(77)

        go(0, [], 0.0)
        return best

    compiled = ag.to_graph(f, recording_limit=2000)
    with pytest.raises(UnrollLimitError, match=r"one by one, because:\n  \[AG0328\]"):
        compiled(np.arange(9.0))
