"""Why a function is recorded again, in words."""

import functools
import types

import numpy as np
import pytest

import autograph as ag
from autograph.staging.border.retracing import (
    Binding,
    Guard,
    change,
    differences,
    each_once,
    in_words,
    summary,
)


class Body:
    def __repr__(self):
        raise AssertionError("no method of the user's is called")


def told(now, before, static=()):
    """What distinguishes a call with some arguments from one with others, by name."""
    now, before = (summary(list(a), list(a.values()), static) for a in (now, before))
    return differences(now, [before])


@pytest.mark.parametrize(
    "before, now, says",
    [
        (1.0, 2, "argument 'x' was float, is int"),
        (np.zeros(3), np.zeros(4), "argument 'x' was f64[3], is f64[4]"),
        (np.zeros(3), np.zeros(3, "f4"), "argument 'x' was f64[3], is f32[3]"),
        (np.float64(1), np.array(1.0), "argument 'x' was f64[], is f64[] (an array)"),
        ("a", "b", "argument 'x' was 'a', is 'b'"),
        (None, 1.0, "argument 'x' was None, is float"),
        (len, max, "argument 'x' was len, is max"),
        (np.sin, np.cos, "argument 'x' is another ufunc object"),
        (True, False, "argument 'x' was True, is False"),
    ],
)
def test_one_argument(before, now, says):
    assert told({"x": now}, {"x": before}).startswith(says)


@pytest.mark.parametrize("before, now", [(1.0, 2.0), (np.zeros(3), np.ones(3))])
def test_other_numbers_are_no_reason(before, now):
    same_arguments = "the arguments are nested in another way"
    assert told({"x": now}, {"x": before}) == same_arguments


def test_numbers_that_are_part_of_the_signature():
    assert told({"n": 3}, {"n": 2}, static={0}) == "argument 'n' was 2, is 3"


def test_a_number_that_was_no_part_of_the_signature_before():
    before = summary(["n"], [2], set())
    now = summary(["n"], [3], {0})
    assert differences(now, [before]) == "the arguments are nested in another way"


def test_several_arguments():
    says = told({"x": 1, "y": 2.0, "w": 1}, {"x": 1.0, "y": 2.0, "z": 3})
    assert says == (
        "argument 'x' was float, is int, there is no argument 'z', there is a new argument 'w': int"
    )


def test_the_earlier_call_that_is_most_alike():
    earlier = [summary("xy", [1.0, 2], ()), summary("xy", [1, 2.0], ()), summary("xy", "ab", ())]
    assert differences(summary("xy", [1, 2], ()), earlier) == "argument 'y' was float, is int"


def test_of_two_that_are_as_much_alike_the_later_one():
    earlier = [summary("x", ["a"], ()), summary("x", ["b"], ())]
    assert differences(summary("x", ["c"], ()), earlier) == "argument 'x' was 'b', is 'c'"


def test_the_first_call():
    assert differences(summary("x", [1.0], ()), []) == ""


def test_generators_that_are_the_same():
    g = np.random.default_rng(0)
    shared, own = summary("ab", [g, g], ()), summary("ab", [g, np.random.default_rng(0)], ())
    assert shared["b"].text == "the same as 'a'"
    assert differences(shared, [own]) == "argument 'b' was Generator(PCG64), is the same as 'a'"


@pytest.mark.parametrize(
    "value, text",
    [
        (1.5, "float"),
        (np.float32(1), "f32[]"),
        (np.zeros((2, 3)), "f64[2,3]"),
        (np.array(1.0), "f64[] (an array)"),
        (True, "True"),
        ("text", "'text'"),
        ("a" * 50, "'aaaaaaaaaaaa...aaaaaaaaaaaaa'"),
        (range(3), "range(0, 3)"),
        (None, "None"),
        (Body, "Body"),
        (Body(), "Body object"),
        (len, "len"),
        (functools.partial(len), "partial object"),
        ([1], "list object"),
        (np.datetime64("2000-01-01"), "2000-01-01"),
    ],
)
def test_in_words(value, text):
    assert in_words(value) == text


def test_change():
    assert change("1", "2") == "was 1, is 2"
    assert change("a list", "a list") == "is another a list, or holds others"


def test_guards():
    holder = types.SimpleNamespace(scale=2.0)
    binding = Binding({}, "scale", 2.0)
    guard = Guard("scale", lambda: holder.scale, lambda: holder.scale == 2.0, binding)
    assert guard() and guard.name == "scale" and guard.binding is binding
    holder.scale = 3.0
    assert not guard() and guard.present() == 3.0
    assert guard.described() == "scale: 2.0"
    assert str(guard) == "'scale' was 2.0, is 3.0"


def scaled(x):
    return np.sin(x) * 2.0


def test_guards_do_not_grow_with_calls():
    """A function was looked up once more for each place that calls it: thousands of guards for a
    network of some layers, a millisecond at each call."""

    def once(x):
        return scaled(x)

    def often(x):
        for _ in range(20):
            x = scaled(x)
        for _ in range(20):
            x = x + scaled(x)
        return scaled(scaled(scaled(scaled(x))))

    numbers = []
    for function in (once, often):
        lowered = ag.to_graph(function).lower(1.0)
        numbers.append(len(lowered.traced.guards))
    assert numbers[1] <= numbers[0] + 3  # of `range`, which only one of them calls


def test_guards_do_not_grow_with_uses_of_indexed_tools():
    """All that `np.c_` holds was compared at each call, once for each call of a function that uses
    it: milliseconds in programs that move frames of robots."""

    def moved(x):
        return np.r_[np.c_[np.eye(3), x], np.mgrid[:1, :4][1] * x[0]][np.s_[:, 1:]]

    def often(x):
        return sum(moved(x * i) for i in range(20))

    numbers = []
    for function in (moved, often):
        lowered = ag.to_graph(function).lower(np.arange(3.0))
        numbers.append(len(lowered.traced.guards))
    assert numbers[1] <= numbers[0] + 10


def test_guards_that_ask_the_same_are_one():
    place = {"x": 1, "y": 1}

    def guard(name, value):
        return Guard(name, lambda: place[name], lambda: True, Binding(place, name, value))

    first, second, third = object(), object(), object()
    guards = [guard("x", first), guard("x", second), guard("x", first), guard("y", first)]
    free = [Guard("z", lambda: third, lambda: True) for _ in range(2)]
    assert list(each_once([*guards, *free])) == [guards[0], guards[1], guards[3], *free]
