"""What measuring found: types, costs and work of compiled transforms that were not as promised."""

from __future__ import annotations

import time

import numpy as np
import pytest

import autograph as ag


def powers(x, n):
    """The backward pass uses the number of the trip."""
    total = 0.0
    for i in range(n):
        total = total + x**i
    return total


@pytest.mark.parametrize("x", [0.5, np.float64(0.5), np.float32(0.5)], ids=repr)
@pytest.mark.parametrize(
    "n", [4, np.int64(4), np.int32(4), np.uint8(4)], ids=lambda n: str(type(n))
)
def test_a_count_that_is_an_element_of_an_array(x, n):
    """Its type does not get into the numbers of trips, which are Python's."""
    first, second = ag.grad(powers)(x, n), ag.grad(ag.grad(powers))(x, n)
    assert type(first) is type(x) and type(second) is type(x)
    np.testing.assert_allclose([first, second], [1.0 + 2 * x + 3 * x * x, 2.0 + 6 * x], rtol=1e-6)
    looped = ag.grad(ag.checkpoint(powers, loops=2))(x, n)
    assert type(looped) is type(x) and looped == first


def _nested(levels, path):
    lines = ["def f(x):"]
    for level in range(levels):
        lines += ["    " * (level + 1) + f"if x > {level}.0:", "    " * (level + 2) + "x = x * 1.5"]
    path.write_text("\n".join([*lines, "    return x"]) + "\n")
    namespace = {}
    exec(compile(path.read_text(), str(path), "exec"), namespace)
    return namespace["f"]


def test_equal_code_is_not_compared(tmp_path):
    """A second function of the same text, as in a notebook's cell that runs again, is compiled as
    fast as the first: Python takes exponential time to compare code with deeply nested code."""
    first, second = (_nested(24, tmp_path / "nested.py") for _ in range(2))
    assert ag.to_graph(first)(0.5) == 0.75
    start = time.process_time()
    assert ag.to_graph(second)(0.5) == 0.75
    assert time.process_time() - start < 5.0


@pytest.mark.slow
def test_many_branches_in_lanes(tmp_path):
    """Lanes are taken from the state and put back at each branch, and again backward: what shares
    memory with what is not searched again for each of these views."""
    lines = ["import numpy as np", "def f(x):"]
    for i in range(96):
        lines += [f"    if x > {i}.0:", "        x = np.sin(x) * x"]
        lines += ["    else:", "        x = x * 0.9 + np.cos(x)"]
    path = tmp_path / "branches.py"
    path.write_text("\n".join([*lines, "    return x"]) + "\n")
    namespace = {}
    exec(compile(path.read_text(), str(path), "exec"), namespace)
    f, x = namespace["f"], np.linspace(0.1, 0.9, 3)
    start = time.process_time()
    found = ag.vmap(ag.grad(f))(x)
    assert time.process_time() - start < 12.0
    expected = [(f(v + 1e-6) - f(v - 1e-6)) / 2e-6 for v in x]
    np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-8)


def two_kinds_of_layers(w, b, x, n):
    for i in range(n):
        if i % 2 == 0:
            x = np.tanh(w @ x)
        else:
            x = np.tanh(x + b)
    return np.sum(x)


def twice_nested(w, b, x, n):
    for _ in range(n):
        while np.sum(x * x) > 0.1:
            x = np.tanh(w @ x) * 0.5
        x = x + b
    return np.sum(x)


@pytest.mark.parametrize("function", [two_kinds_of_layers, twice_nested])
def test_zeros_are_not_added_trip_by_trip(function):
    """What a loop reads has one sum of cotangents, which goes through the branches and loops in it:
    arrays of zeros start it, and no others are made."""
    rng = np.random.default_rng(0)
    args = rng.normal(size=(6, 6)), rng.normal(size=6), rng.normal(size=6), 4
    program = str(ag.grad(function, (0, 1)).program(*args))
    assert program.count("np.zeros") == 2
    loops = [line for line in program.splitlines() if line.startswith(" " * 8)]
    assert not any("np.zeros" in line for line in loops)
    ag.check_grads(lambda w, b, x: function(w, b, x, 4), args[:3], order=2, rtol=1e-4)
