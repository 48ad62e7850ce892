"""The warning that float32 became float64 because of one NumPy scalar."""

import warnings

import numpy as np
import pytest

import autograph as ag
from autograph.errors import WideningWarning

X = np.ones(3, np.float32)


def warned(call):
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        call()
    return [w for w in found if issubclass(w.category, WideningWarning)]


def line_of(text):
    with open(__file__, encoding="utf-8") as file:
        return next(i for i, line in enumerate(file, 1) if text in line)


def test_a_step_that_is_fed_its_own_results():
    @ag.to_graph
    def step(w, rate):
        y = w * 2
        return y - rate * w  # the first step

    w = X

    def train():
        nonlocal w
        for i in range(5):
            w = step(w, 1e-3 * np.cos(i / 10))

    (warning,) = warned(train)
    assert w.dtype == np.float64
    assert "argument 'w' is f32[3], and f64[3] in the next call: 'rate'" in str(warning.message)
    assert (warning.filename, warning.lineno) == (__file__, line_of("# the first step"))
    assert not warned(train)


def test_parameters_in_containers_and_gradients():
    def loss(params, x):
        return np.sum((params["w"] * x) ** 2)

    @ag.to_graph
    def step(params, rate):
        gradient = ag.grad(loss)(params, X)
        return ag.tree.map(lambda p, g: p - rate * g, params, gradient)  # of a tree

    def train():
        params = {"w": X}
        for i in range(3):
            params = step(params, np.float64(0.1))

    (warning,) = warned(train)
    assert warning.lineno == line_of("# of a tree")


def test_a_loop():
    @ag.to_graph
    def loop(w, n):
        for i in range(n):
            rate = 1e-3 * np.cos(i / 10)
            w = w - rate * X  # in a loop
        return w

    (warning,) = warned(lambda: loop(X, 4))
    assert "'w' in this loop is f32[3], and f64[3] from the first trip on" in str(warning.message)
    assert warning.lineno == line_of("# in a loop")


def shrinks_itself(w, n):
    for _ in range(n):
        w = w - np.float64(1e-3) * w  # shrinks itself
    return w


def known_number_of_trips(w, n):
    for i in range(4):
        w = w * np.cos(i / 10)  # known number of trips
    return w


def while_loop(w, n):
    i = 0
    while i < n:
        w = w * np.cos(i / 10)  # while loop
        i += 1
    return w


def by_another_variable(w, n):
    for i in range(n):
        step = np.cos(i / 10) * X  # by another variable
        if i > 1:
            step = 2.0 * step
        w = w - step
    return w


def parameters_in_a_loop(w, n):
    params = {"w": w}
    for i in range(n):
        gradient = ag.grad(lambda p: np.sum(p["w"] ** 2))(params)
        update = lambda p, g: p - 1e-3 * np.cos(i / 10) * g  # parameters in a loop
        params = ag.tree.map(update, params, gradient)
    return params["w"]


def container_that_changes(w, n):
    params = {"w": w}
    for i in range(n):
        params["w"] = np.cos(i / 10) * params["w"]  # container that changes
    return params["w"]


@pytest.mark.parametrize(
    "loop",
    [
        shrinks_itself,
        known_number_of_trips,
        while_loop,
        by_another_variable,
        parameters_in_a_loop,
        container_that_changes,
    ],
)
@pytest.mark.parametrize("transform", [ag.to_graph, lambda f: ag.grad(lambda w, n: f(w, n)[0])])
def test_loops(loop, transform):
    (warning,) = warned(lambda: transform(loop)(X, 4))
    assert "is f32[3], and f64[3] from the first trip on" in str(warning.message)
    assert warning.lineno == line_of(f"# {loop.__name__.replace('_', ' ')}")


@pytest.mark.parametrize("rate", [0.1, np.float32(0.1)])
def test_what_keeps_the_dtype(rate):
    step = ag.to_graph(lambda w, rate: w - rate * w)

    def train():
        w = X
        for _ in range(3):
            w = step(w, rate)
        assert w.dtype == np.float32

    assert not warned(train)


def test_what_is_meant():
    widened = ag.to_graph(lambda w: w.astype(np.float64) * np.float64(2.0))
    assert not warned(lambda: widened(widened(X)))
    by_array = ag.to_graph(lambda w, v: w + v)
    assert not warned(lambda: by_array(by_array(X, np.ones(3)), np.ones(3)))

    @ag.to_graph
    def loop(w, n):
        w = w.astype(np.float64)
        for _ in range(n):
            w = w - np.float64(0.5) * X
        return w

    assert not warned(lambda: loop(X, 3))

    @ag.to_graph
    def sums(w, v, n):
        for _ in range(n):
            twice = np.float64(2.0) * X
            w = w + v
        return w, twice

    assert not warned(lambda: sums(X, np.ones(3), 3))
