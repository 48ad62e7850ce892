"""Calls that came to the same are calls of one named graph, whatever a function was given."""

import functools

import numpy as np
import pytest

import autograph as ag
from autograph.graph.graph import walk
from autograph.transforms.repeated_calls import alike
from tests.kernels import kernel_check

check = functools.partial(kernel_check.check, kernels=None)


def bends(v, d, scale=1.0):
    """Much to compile: branches and loops."""
    re = 1e3 * abs(v) * d * scale + 1e-9
    total = 0.0 * np.sin(v)
    for k, limit in enumerate((1.0, 3.0, 10.0, 30.0, 100.0, 300.0)):
        if re < limit:
            total = total + 24 / re * (1 + 0.1 * k * re**0.687) + k * np.log10(re + scale)
            for n in range(3):
                total = total - 0.01 * n * np.exp(-re / limit)
        else:
            total = total + 0.4 * k + np.tanh(re / limit) * 0.1
            if d > 0.02 * k:
                total = total * 1.1 + 6 / (1 + np.sqrt(re))
    return total * v * abs(v)


def bent(v, d, given):
    """With something else than numbers among the arguments."""
    scale = 1.0 if given is None else 2.0
    if isinstance(given, str):
        scale = float(len(given))
    elif isinstance(given, (list, tuple)):
        scale = given[0] * 0.5
    elif isinstance(given, dict):
        scale = given["scale"]
    elif callable(given):
        scale = given(v)
    return bends(v, d, scale)


class Fluid:
    def __init__(self, scale):
        self.scale = scale
        self.calls = 0

    def drag(self, v, d):
        self.calls += 1
        return bends(v, d, self.scale) * self.scale


def other_numbers(v, d):
    s = bends(v, d, 1.2)
    s = s + bends(v * 1.1, d + s * 1e-6, 1.3)
    s = s + bends(v * 1.2, d + s * 1e-6, 1.2)
    return s + bends(v * 1.3, d + s * 1e-6, 1.5)


def constants_first(v, d):
    s = bends(0.3, d)
    s = s + bends(0.4, d + s * 1e-6)
    return s + bends(0.5, d + s * 1e-6) + v


def of_a_method(v, d):
    fluid = Fluid(1.5)
    s = fluid.drag(v, d)
    s = s + fluid.drag(v * 1.1, d + s * 1e-6)
    return s + fluid.drag(v * 1.2, d + s * 1e-6) + fluid.calls


def of_several_objects(v, d):
    s = Fluid(1.5).drag(v, d)
    s = s + Fluid(1.6).drag(v * 1.1, d + s * 1e-6)
    s = s + Fluid(1.7).drag(v * 1.2, d + s * 1e-6)
    return s + Fluid(1.8).drag(v * 1.3, d + s * 1e-6)


def of_a_function(v, d):
    s = bent(v, d, np.cos)
    s = s + bent(v * 1.1, d + s * 1e-6, np.cos)
    return s + bent(v * 1.2, d + s * 1e-6, np.cos)


def of_a_function_inside(v, d):
    def inside(x, scale):
        return bends(x, d, scale) * v

    return inside(v, 1.0) + inside(v * 1.1, 1.1) + inside(v * 1.2, 1.2)


def of_lists(v, d):
    s = bent(v, d, [3.0, v])
    s = s + bent(v * 1.1, d + s * 1e-6, [2.5, v])
    return s + bent(v * 1.2, d + s * 1e-6, [2.0, v])


def of_dicts(v, d):
    s = bent(v, d, {"scale": 1.5})
    s = s + bent(v * 1.1, d + s * 1e-6, {"scale": 1.6})
    return s + bent(v * 1.2, d + s * 1e-6, {"scale": 1.7})


def of_texts(v, d):
    s = bent(v, d, "a")
    s = s + bent(v * 1.1, d + s * 1e-6, "b")
    return s + bent(v * 1.2, d + s * 1e-6, "c")


def of_nothing(v, d):
    s = bent(v, d, None)
    s = s + bent(v * 1.1, d + s * 1e-6, None)
    return s + bent(v * 1.2, d + s * 1e-6, None)


def that_catches(v, d):
    s = 0.0
    for k in [1.0, 1.1, 1.2, 1.3]:
        try:
            s = s + bends(v * k, d + s * 1e-6, k)
        except ZeroDivisionError:
            s = s - 1.0
    return s


def of_calls(v, d, scale):
    return bends(v, d, scale) + bends(v * 1.1, d, scale * 0.5) * scale


def inside_of_others(v, d):
    s = of_calls(v, d, 1.2)
    s = s + of_calls(v * 1.1, d + s * 1e-6, 1.3)
    return s + of_calls(v * 1.2, d + s * 1e-6, 1.4)


def in_loops_and_branches(v, d):
    s = bends(v, d, 1.2)
    for n in range(4):
        if s > 0.1 * n:
            s = s + bends(v * 1.1, d + s * 1e-6, 1.3) * 1e-3
        else:
            s = s - bends(v * 1.2, d, 1.4)
    return s


def counted(v, d, n):
    total = bends(v * n, d) + v / (n + 1)
    for k in range(n):
        total = total + np.sin(total + k) * n
    return total if n < total else total * 1.5


def of_ints(v, d):
    s = counted(v, d, 1) + counted(v * 1.1, d, 2)
    return s + counted(v * 1.2, d + s * 1e-6, 4) * counted(v, d, 2)


def of_numbers_that_only_the_run_knows(v, d):
    s = float(bends(v, d, 0.9))
    s = s + float(bends(v * 1.1, d, 1.0 + abs(s)))
    return s + bends(v * 1.2, d, 1.1) * bends(v, d, abs(s) + 0.5) + bends(v, d, 1.1)


def telling(v, d, scale):
    found = bends(v, d, scale)
    if found > 0.3:
        print("much")
    return found


def that_print(v, d):
    s = telling(v, d, 1.1) + telling(v * 1.1, d, 1.2)
    print("then")
    return s + telling(v * 1.2, d + s * 1e-6, 1.3)


def telling_twice(v, d, scale):
    return telling(v, d, scale) + telling(v * 0.5, d, scale * 0.5)


def that_call_what_prints(v, d):
    s = telling_twice(v, d, 1.1) + telling_twice(v * 1.1, d, 1.2)
    return s + telling_twice(v * 1.2, d, 1.3)


def down(v, d, depth):
    if depth <= 0:
        return v * 0.5
    s = bends(v, d, 1.2) + bends(v * 1.1, d, 1.3) * 1e-3
    return s * 0.1 + down(v * 0.9, d, depth - 1) + down(v * 0.8, d, depth - 2)


def in_recursion(v, d):
    return down(v, d, 3 if v > 0.0 else 2) + bends(v, d, 1.4)


PROGRAMS = (
    other_numbers,
    constants_first,
    of_a_method,
    of_several_objects,
    of_a_function,
    of_a_function_inside,
    of_lists,
    of_dicts,
    of_texts,
    of_nothing,
    that_catches,
    inside_of_others,
    in_loops_and_branches,
    of_ints,
    of_numbers_that_only_the_run_knows,
    that_print,
    that_call_what_prints,
    in_recursion,
)
PLACES = [tuple(map(np.float64, at)) for at in ((0.31, 0.05), (-1e-3, 0.2), (1.2, 0.5))]
AT = PLACES[0]

several = pytest.mark.parametrize("program", PROGRAMS)


def copies(graph):
    """How many copies of what `bends` does there are in a module."""
    nodes = [node for one in (graph.main, *graph.graphs.values()) for node in walk(one)]
    return sum(node.op.name == "tanh" for node in nodes) / 6


@several
def test_it_is_there_once(program):
    assert copies(ag.to_graph(program).graph(*AT)) == 1


@several
def test_values_are_pythons(program):
    for at in PLACES:
        check(program, *at)


@several
def test_bits_are_those_of_copies(program, monkeypatch):
    shared = ag.to_graph(program)
    found = [shared(*at) for at in PLACES]
    monkeypatch.setattr(alike, "_MUCH", 10**9)

    @ag.to_graph
    def pasted(v, d):
        return program(v, d)

    expected = [pasted(*at) for at in PLACES]
    assert [(type(x), x) for x in found] == [(type(x), x) for x in expected]


@pytest.mark.costly
@several
def test_derivatives(program):
    ag.check_grads(program, AT, order=2, modes=("rev",), rtol=1e-3)
    first, second = ag.grad(program, argnums=(0, 1))(*AT)
    found = ag.jvp(program, AT, (np.float64(1.0), np.float64(0.5)))[1]
    np.testing.assert_allclose(found, first + 0.5 * second, rtol=1e-11)


@pytest.mark.costly
@several
def test_lanes(program):
    vs = np.array([0.1, 0.31, -0.45])
    found = ag.vmap(program, (0, None))(vs, 0.05)
    np.testing.assert_allclose(found, [program(v, 0.05) for v in vs], rtol=1e-12)
    found = ag.vmap(ag.grad(program), (0, None))(vs, 0.05)
    expected = [ag.grad(program)(v, 0.05) for v in vs]
    np.testing.assert_allclose(found, expected, rtol=1e-11)


def test_a_gradient_has_it_once():
    graphs = ag.grad(other_numbers, argnums=(0, 1)).graph(*AT).graphs
    assert sum("_fwd" in name for name in graphs) == 1


def test_arrays_of_single_precision_stay_what_they_are():
    def rows(x, scale):
        y = np.sin(x) * scale
        for k in (1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0):
            y = np.where(y < scale, np.sin(y) * scale + k, np.exp(-y * y)) - x * scale + 0.1
        return y

    def several(x):
        y = rows(x, 0.3) + rows(x + 1.0, 0.4)
        return y + rows(y, 0.5) + rows(y, 0.6)

    x = np.linspace(-1.0, 1.0, 5, dtype=np.float32)
    assert len(ag.to_graph(several).graph(x).graphs) == 1
    check(several, x)
