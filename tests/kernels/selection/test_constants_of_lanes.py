"""Constant arrays in functions of one lane are arguments of the kernel, and of the lanes in it:
what lanes are made of captures nothing, wherever in the kernel they are."""

import numpy as np
import pytest

import autograph as ag
import ops
from autograph.graph import control
from autograph.graph.builder import Builder
from autograph.graph.graph import Module, walk
from autograph.graph.verify import verify
from autograph.kernels.native import available
from autograph.kernels.selection.parts import select
from autograph.transforms.lanes.node import add
from ops.control import regions
from ops.core.types import array

pytest.importorskip("llvmlite")
if not available():
    pytest.skip("there are no native kernels here", allow_module_level=True)

WEIGHTS = np.array([0.5, 0.25])
X = np.array([0.35, 4.0, 2.5, 0.01, 9.0])


# -- graphs by hand --------------------------------------------------------------------------------


def lanes_in(place):
    """A module whose lanes hold a constant array, directly or within loops and branches."""
    weights = Builder().lift(WEIGHTS)

    def lanes(x):
        with Builder("lane") as builder:
            number = builder.input(array("f8"))
            lane = builder.finish([ops.multiply(number, ops.sum(weights))])
        return add(lane, [x], [(0,)], X.shape)

    with Builder("main") as builder:
        x = builder.input(array("f8", X.shape))
        (result,) = place(lanes, x)
        return Module(builder.finish([ops.sum(result)]))


def in_a_loop(lanes, x):
    return control.for_loop(3, lambda i, x: lanes(x), [x])


def in_loops(lanes, x):
    return control.for_loop(3, lambda i, x: in_a_loop(lanes, x), [x])


def in_a_loop_with_a_test(lanes, x):
    return control.while_loop(lambda x: ops.greater(ops.sum(x), 1.0), lanes, [x])


def in_a_branch(lanes, x):
    with Builder("then") as builder:
        then = builder.finish(lanes(x))
    with Builder("else") as builder:
        orelse = builder.finish([ops.negative(x)])
    found = ops.greater(ops.sum(x), 1.0)
    return builder.parent.add(regions.cond, [found], {}, [x.type], [then, orelse])


PLACES = [lambda lanes, x: lanes(x), in_a_loop, in_loops, in_a_loop_with_a_test, in_a_branch]


@pytest.mark.parametrize("place", PLACES)
def test_lanes_of_a_kernel_capture_no_constants(place):
    module = lanes_in(place)
    verify(module)
    selection = select(module)
    assert selection.kernels
    verify(selection.module)
    (node,) = (
        node
        for name in selection.kernels
        for node in walk(selection.module.graphs[name])
        if node.op is regions.lanes
    )
    assert [v.type.shape for v in node.inputs] == [X.shape, WEIGHTS.shape]


def test_what_lanes_are_at_once_captures_no_constants():
    """Not those either that are arguments of the kernel because of other nodes."""
    with Builder("main") as builder:
        x = builder.input(array("f8", X.shape))
        weights = builder.lift(WEIGHTS)
        with Builder("lane") as inside:
            number = inside.input(array("f8"))
            lane = inside.finish([ops.multiply(number, 0.75)])
        with Builder("batched") as inside:
            numbers = inside.input(x.type)
            at_once = inside.finish([ops.multiply(numbers, ops.sum(weights))])
        attrs = {"sizes": X.shape, "axes": ((0,),)}
        (result,) = builder.add(regions.lanes, [x], attrs, [x.type], [lane, at_once])
        other = ops.multiply(ops.sum(result), ops.sum(weights))
        module = Module(builder.finish([other]))
    verify(module)
    selection = select(module)
    assert selection.kernels
    verify(selection.module)


# -- the constant directions of Jacobians ----------------------------------------------------------


def halved(x):
    while abs(x) > 0.3:
        x = x * 0.5
    return x


def cube(x):
    return halved(x) ** 3


def pair(x):
    return np.stack([cube(x), x * halved(x)])


def scales(x):
    """What `halved` multiplies each element by."""
    scale = np.ones_like(x)
    while np.any(abs(x * scale) > 0.3):
        scale = np.where(abs(x * scale) > 0.3, scale * 0.5, scale)
    return scale


# Functions of a number, and what they are of each element.
FUNCTIONS = {
    "hessian": (ag.hessian(cube), lambda x: 6 * x * scales(x) ** 3),
    "jacrev of one result": (ag.jacrev(cube), lambda x: 3 * x**2 * scales(x) ** 3),
    "jacrev": (
        lambda x: np.sum(ag.jacrev(pair)(x)),
        lambda x: 3 * x**2 * scales(x) ** 3 + 2 * x * scales(x),
    ),
    "jacfwd": (
        lambda x: np.sum(ag.jacfwd(pair)(x)),
        lambda x: 3 * x**2 * scales(x) ** 3 + 2 * x * scales(x),
    ),
    "jacfwd by two": (
        lambda x: ag.jacfwd(lambda v: cube(v[0]) * v[1])(np.stack([x, 2.0 * x]))[0],
        lambda x: 6 * x**3 * scales(x) ** 3,
    ),
    "jvp of jacrev": (
        lambda x: ag.jvp(ag.jacrev(cube), (x,), (1.0,))[1],
        lambda x: 6 * x * scales(x) ** 3,
    ),
}


def in_a_for_loop(lanes):
    def function(x):
        for _ in range(2):
            x = np.sin(lanes(x) + x)
        return x

    return function


def in_a_while_loop(lanes):
    def function(x):
        y = x
        while np.sum(x) > 1.0:
            x = 0.05 * np.sin(lanes(x)) + 0.5 * x
            y = y + x
        return y

    return function


def in_nested_loops(lanes):
    def function(x):
        for i in range(3):
            if i % 2 == 0:
                for _ in range(2):
                    x = np.sin(lanes(x) + x)
            else:
                x = x * 0.9
        return x

    return function


def in_a_recursion(lanes):
    def again(x, n):
        if n <= 0:
            return x
        return again(np.sin(lanes(x) + x), n - 1) * 1.5

    return lambda x: again(x, 2)


def called_in_a_loop(lanes):
    inner = ag.to_graph(lambda x: np.cos(lanes(x)) * x)

    def function(x):
        for _ in range(2):
            x = inner(x) + 0.1
        return x

    return function


def lanes_in_lanes(lanes):
    """The lanes inside are parts of those outside."""
    loop = in_a_for_loop(lanes)
    return lambda x: np.sum(ag.vmap(loop)(np.stack([x, 0.5 * x])), axis=0)


AROUND = [
    in_a_for_loop,
    in_a_while_loop,
    in_nested_loops,
    in_a_recursion,
    called_in_a_loop,
    lanes_in_lanes,
]


@pytest.mark.costly
@pytest.mark.parametrize("around", AROUND)
@pytest.mark.parametrize("name", FUNCTIONS)
def test_jacobians_in_lanes(name, around):
    function, by_hand = FUNCTIONS[name]
    lanes, wanted = around(ag.vmap(function)), around(by_hand)
    np.testing.assert_allclose(of_kernels(lanes), wanted(X), rtol=1e-9)
    steps = 1e-6 * np.eye(len(X))
    slopes = [np.sum(wanted(X + step) - wanted(X - step)) / 2e-6 for step in steps]
    found = of_kernels(ag.grad(lambda x: np.sum(lanes(x))))
    np.testing.assert_allclose(found, slopes, rtol=1e-5, atol=1e-6)
    moved = of_kernels(lambda x: ag.jvp(lanes, (x,), (np.ones_like(x),))[1])
    np.testing.assert_allclose(np.sum(moved), np.sum(slopes), rtol=1e-5)


def of_kernels(function):
    """What a function gives, parts of which are kernels, and keep the rules of graphs."""
    compiled = ag.to_graph(function)
    stages = compiled.stages(X)
    assert stages["kernels"].after.kernels
    for name in ("kernels", "expand", "unnest"):
        verify(stages[name].after.module)
    return compiled(X)
