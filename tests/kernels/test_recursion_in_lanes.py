"""Functions that call themselves, in lanes: each lane calls them by itself."""

import numpy as np
import pytest

pytest.importorskip("llvmlite")

import autograph as ag
from autograph.codegen.trampoline import available_memory
from benchmarks.recursive.programs import quicksort
from tests.kernels.kernel_check import assert_kernels

NODES = 31
LEFT = np.array([2 * i + 1 if 2 * i + 1 < NODES else -1 for i in range(NODES)])
RIGHT = LEFT + (LEFT >= 0)
ROWS = np.random.default_rng(0).random((6, NODES))
XS = np.linspace(0.5, 1.5, 7)


def tree(value, i):
    if i < 0:
        return 0.0
    return np.tanh(value[i]) + 0.5 * (tree(value, LEFT[i]) + tree(value, RIGHT[i]))


def power(x, n):
    if n == 0:
        return 1.0
    half = power(x, n // 2)
    return half * half * (x if n % 2 else 1.0)


def steps(n, count):
    if n == 1:
        return count
    return steps(n // 2 if n % 2 == 0 else 3 * n + 1, count + 1)


def ackermann(m, n):
    if m == 0:
        return n + 1
    if n == 0:
        return ackermann(m - 1, 1)
    return ackermann(m - 1, ackermann(m, n - 1))


PROGRAMS = {
    "tree": (lambda v: tree(v, 0), (ROWS,)),
    "of different depths": (lambda n: steps(n, 0), (np.arange(1, 40),)),
    "power": (power, (XS, np.arange(7))),
    "two calls": (ackermann, (np.array([0, 1, 2, 2]), np.array([3, 4, 2, 3]))),
    "changes an array": (quicksort, (ROWS,)),
    "complex": (lambda z: power(z, 5), (XS + 1j,)),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_one_kernel_gives_what_each_lane_gives(name):
    function, lanes = PROGRAMS[name]
    compiled = ag.vmap(function)
    wanted = np.array([function(*lane) for lane in zip(*lanes)])
    found = compiled(*lanes)
    assert found.dtype == wanted.dtype
    np.testing.assert_allclose(found, wanted, rtol=1e-12)
    assert_kernels(compiled, lanes, 1)


@pytest.mark.costly
@pytest.mark.parametrize("change", [ag.grad, ag.jacfwd, lambda f: ag.grad(lambda v: f(v) ** 2)])
def test_derivatives(change):
    def value(v):
        return tree(v, 0)

    slope = change(value)
    compiled = ag.vmap(slope)
    wanted = [slope(v) for v in ROWS]
    np.testing.assert_allclose(compiled(ROWS), wanted, rtol=1e-12)
    assert_kernels(compiled, (ROWS,), 1)


def test_the_derivative_of_all_lanes():
    slope = ag.grad(lambda rows: np.sum(ag.vmap(lambda v: tree(v, 0))(rows) ** 2))
    one = ag.grad(lambda v: tree(v, 0) ** 2)
    np.testing.assert_allclose(slope(ROWS), [one(v) for v in ROWS], rtol=1e-12)
    assert_kernels(slope, (ROWS,), 1)


@pytest.mark.parametrize("twice", [ag.hessian, lambda f: ag.grad(ag.grad(f))])
def test_second_derivatives(twice):
    found = ag.vmap(twice(lambda x: power(x, 5)))(XS)
    np.testing.assert_allclose(found, 20 * XS**3, rtol=1e-12)


def test_lanes_of_lanes():
    rows = ag.vmap(ackermann, in_axes=(0, None))
    found = ag.vmap(rows, in_axes=(None, 0))(np.array([0, 1, 2]), np.array([1, 2]))
    wanted = [[ackermann(m, n) for m in (0, 1, 2)] for n in (1, 2)]
    np.testing.assert_array_equal(found, wanted)


def test_lanes_in_a_function_that_calls_itself():
    def total(n, x):
        if n == 0:
            return np.sum(x)
        return total(n - 1, ag.vmap(lambda v: power(v, 3))(x)) + n

    def by_hand(n, x):
        return np.sum(x) if n == 0 else by_hand(n - 1, x**3) + n

    f = ag.to_graph(total)
    for n in (0, 2):
        np.testing.assert_allclose(f(n, XS), by_hand(n, XS), rtol=1e-12)


def test_what_has_no_native_form_runs_in_lanes():
    def turned(rows):
        return rows if len(rows) < 2 else [*turned(rows[1:]), rows[0]]

    found = ag.vmap(lambda x: np.stack(turned([x[0], x[1], x[2]])))(ROWS)
    np.testing.assert_array_equal(found, ROWS[:, [2, 1, 0]])


def test_a_lane_that_raises():
    def down(n, x):
        if n < 0:
            raise ValueError("below")
        return x if n == 0 else down(n - 1, x * 1.5)

    with pytest.raises(ValueError, match="below"):
        ag.vmap(down)(np.array([1, 2, -1]), np.ones(3))


def test_what_a_lane_left_for_its_backward_pass_is_given_back():
    slope = ag.vmap(ag.grad(lambda x: power(x, 1000)))
    x = np.ones(200_000)
    slope(x[:1000])
    before = available_memory()
    np.testing.assert_allclose(slope(x), 1000.0)
    assert before is None or before - available_memory() < 200e6
