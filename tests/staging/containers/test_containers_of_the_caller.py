"""Lists, dicts and objects that a function is given, or finds outside, and changes."""

import numpy as np
import pytest

import autograph as ag
from autograph.errors import MutationError
from tests.staging.containers.test_containers import Mean, State
from tests.support.oracle import Programs

programs = Programs()


@programs([1.0, 2.0], 3.0)
@programs([1.0, 2.0], -3.0)
def changes_a_list_that_it_is_given(xs, v):
    if v > 0:
        xs[0] = v
    xs[1] += v
    return sum(xs)


@programs({"w": np.ones(3), "b": 1.0}, 3.0)
def changes_a_dict_that_it_is_given(p, v):
    for i in range(3):
        p["b"] += v * i
        p["w"] = p["w"] * v
    return p


@programs(Mean(), np.arange(3.0))
def changes_an_object_that_it_is_given(mean, xs):
    for x in xs:
        mean.add(x)
    return mean


@programs([1.0, 2.0], 3)
def lengthens_a_list_that_it_is_given(xs, n):
    i = 0
    while i < n:
        xs.append(float(i))
        i += 1
    return len(xs)


@programs({"rows": [np.zeros(2)]}, 2.0)
def changes_an_array_in_a_list_in_a_dict(p, v):
    p["rows"][0][0] = v
    p["rows"].append(p["rows"][0])
    return p["rows"][1] is p["rows"][0]


@programs.test
def test_containers_of_the_caller(call):
    call.run()


class Model:
    """Numbers and arrays of an object are arguments, not constants."""

    steps = 3

    def __init__(self):
        self.w = np.ones(2)
        self.calls = 0

    @ag.to_graph
    def forward(self, x):
        self.calls += 1
        for _ in range(self.steps):
            self.w = self.w * x
        return np.sum(self.w)


def test_a_method_that_changes_its_object():
    model, expected = Model(), 2.0
    for _ in range(3):
        expected *= 8.0
        assert model.forward(2.0) == expected
    assert model.calls == 3
    assert isinstance(model.w, np.ndarray)
    assert len(Model.forward._cache) == 1


def test_objects_of_one_class_share_a_graph():
    @ag.to_graph
    def total(state):
        return state.h + state.c

    assert total(State(1.0, 2.0)) + total(State(3.0, 4.0)) == 10.0
    assert len(total._cache) == 1


def test_a_new_object_at_each_call():
    @ag.to_graph
    def make(x):
        return State(x, x * 2)

    first, second = make(1.0), make(2.0)
    assert first == State(1.0, 2.0) and second == State(2.0, 4.0)


HISTORY: list = []


def test_a_list_from_outside_grows():
    @ag.to_graph
    def remember(x):
        if x > 0:
            HISTORY.append(x)
        else:
            HISTORY.append(0.0)
        return len(HISTORY)

    HISTORY.clear()
    assert [remember(1.0), remember(-1.0), remember(2.0)] == [1, 2, 3]
    assert HISTORY == [1.0, 0.0, 2.0]


def test_a_gradient_keeps_the_effects_of_the_function():
    class Loss:
        calls, last = 0, 0.0

        def __call__(self, x):
            self.calls += 1
            if x > 0:
                self.last = x * x
            return x * x

    loss = Loss()
    gradient = ag.grad(loss)
    assert (gradient(3.0), gradient(-1.0)) == (6.0, -2.0)
    assert (loss.calls, loss.last) == (2, 9.0)


def test_a_list_given_twice():
    @ag.to_graph
    def f(xs, ys):
        xs.append(1.0)
        return ys

    assert f([1.0], [1.0]) == [1.0]
    shared = [1.0]
    for count in (2, 3):
        assert f(shared, shared) is shared
        assert shared == [1.0] * count
    assert f([1.0], shared) is shared and len(shared) == 3

    @ag.to_graph
    def in_a_dict(xs, d):
        xs[0] = xs[0] + 1.0
        return d["a"][0]

    assert in_a_dict([1.0], {"a": [5.0]}) == 5.0
    assert in_a_dict(shared, {"a": shared}) == 2.0 == shared[0]


SHARED = [1.0, 2.0]


def test_an_argument_that_is_also_found_outside():
    @ag.to_graph
    def f(xs, v):
        xs[0] = v
        return SHARED[0] + xs[0]

    assert f([0.0], 3.0) == 4.0
    with pytest.raises(MutationError, match="finds outside"):
        f(SHARED, 3.0)
    assert SHARED == [1.0, 2.0]
