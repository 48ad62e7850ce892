"""Dicts of the caller's that get other keys as the run decides."""

from collections import defaultdict

import numpy as np
import pytest

import autograph as ag
from tests.support.oracle import Programs, check, compiled
from tests.support.refusals import refused

programs = Programs()


@programs.test
def test_program(call):
    call.run()


@programs({"a": 1}, 2.0)
@programs({"a": 1}, -2.0)
@programs({}, 2.0)
def new_key(d, x):
    if x > 0:
        d["b"] = x
    return len(d)


@programs({}, np.array([1.0, -1.0, 2.0]))
@programs({"pos": 2}, np.array([-1.0, -2.0]))
def counts_texts(d, xs):
    for x in xs:
        kind = "pos" if x > 0 else "neg"
        d[kind] = d.get(kind, 0) + 1
    return d


def count(d, key):
    d[key] = d.get(key, 0) + 1


@programs({}, np.array([1, 2, 1]))
@programs({5: 1}, np.array([5, 5]))
def counts_in_a_callee(d, xs):
    for x in xs:
        count(d, int(x))
    return max(d, key=d.get), d


@programs(8, {})
@programs(5, {3: 2})
def remembers(n, memo):
    def fib(n):
        if n in memo:
            return memo[n]
        if n < 2:
            return n
        memo[n] = fib(n - 1) + fib(n - 2)
        return memo[n]

    return fib(n)


@programs({1: 2.0, 2: 3.0, 5: 1.0}, np.array([2, 5]))
@programs({1: 2.0, 2: 3.0}, np.array([7]))
def deletes(d, keys):
    for key in keys:
        del d[key]
    return sum(d.values())


@programs([{"a": 1}, {"a": 1}], 1.0)
@programs([{"a": 1}, {"a": 1}], -1.0)
def in_a_list(dicts, x):
    if x > 0:
        dicts[0]["b"] = x
    return len(dicts[0]), len(dicts[1]), dicts[1]


@programs({1: 1}, {2: 2}, 3)
@programs({1: 1}, {2: 2}, 1)
def two_that_are_swapped(d, e, key):
    if key in d:
        d[key] += 1
    else:
        e[key] = 1
    d, e = e, d
    d[0] = 9
    return d, e


@programs({"a": 1, "b": 2}, 2.0)
@programs({"b": 1, "a": 2}, -2.0)
def order_of_keys(d, x):
    if x > 0:
        del d["a"]
    d["a"] = 7
    print(d, list(d))
    return list(d.items())


@programs({"a": 1.0}, 1.0)
@programs({"a": 1.0}, -1.0)
def key_error(d, x):
    if x > 0:
        d["b"] = 2.0
    return d["b"]


@programs({"a": 1, "b": [1]}, 2.0)
@programs({"a": 1, "b": [1]}, -2.0)
def options(d, x):
    return d["a"] + x if x > 0 else d["b"][0]


@programs({"a": 1, "b": 2}, 3)
@programs({"a": 1, "b": 2}, 99)
def backwards(d, k):
    merged = d | {"c": k}
    if k == 99:
        d.setdefault("y", k)
    else:
        d.setdefault("z", k)
    return list(reversed(merged)), list(reversed(merged.items())), merged.popitem()


def test_the_same_dict_twice():
    def function(d, e, x):
        if x > 0:
            d["new"] = x
        e["more"] = 3
        return d is e, len(d)

    found, wanted = {"a": 1}, {"a": 1}
    assert compiled(function)(found, found, 2.0) == function(wanted, wanted, 2.0)
    assert found == wanted


def test_the_dict_is_still_the_callers():
    def function(d, x):
        if x > 0:
            d["b"] = x
        return d

    given = {"a": 1}
    held = [given]
    result = compiled(function)(given, 2.0)
    assert result is given is held[0]
    assert list(given.items()) == [("a", 1), ("b", 2.0)]


def test_saved(tmp_path):
    def function(d, x):
        if x > 0:
            d["b"] = x
        return len(d)

    file = tmp_path / "function.ag"
    ag.to_graph(function).save(file, {"a": 1.0}, 2.0)
    given = {"a": 1.0}
    assert ag.load(file)(given, 3.0) == 2
    assert given == {"a": 1.0, "b": 3.0}


def test_what_holds_lists_is_refused():
    def function(d, x):
        if x > 0:
            d["last"] = [x]
        return len(d)

    assert "AG0314" in refused(ag.errors.BranchMismatchError, function, {"log": [1.0]}, 1.0)


def test_gradient_of_what_is_looked_up():
    def function(x):
        d = {"a": x}

        def put(d):
            if x > 0:
                d["b"] = x * x
            return d.get("b", 0.0) + d["a"]

        return put(d)

    assert ag.grad(function)(3.0) == 7.0
    assert ag.grad(function)(-3.0) == 1.0


def counted(d, xs):
    for x in xs:
        d[x] += 1
    return len(d)


@pytest.mark.parametrize("given", [defaultdict(int, {1: 1})])
def test_other_classes_are_as_they_were(given):
    check(counted, given, [1, 2])
