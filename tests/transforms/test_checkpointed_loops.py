"""Loops that keep only some of their states: the same derivatives, for less memory."""

import contextlib
import io
import re
import tracemalloc

import numpy as np
import optree
import pytest

import autograph as ag
from autograph.errors import OptionError
from autograph.graph.graph import walk
from tests.transforms.programs import smooth_counted, smooth_uncounted

SPECS = ["sqrt", "log", 1, 3]
X = np.array([0.5, 1.3])


# -- programs --------------------------------------------------------------------------------------


def counted(x, n):
    for i in range(n):
        x = np.sin(x) * (1 + 0.1 * i)
    return np.sum(x * x)


def uncounted(x, n):
    made = 0
    while np.sum(x * x) > 0.2 and made < n:
        x = 0.9 * np.sin(x) + 0.01 * made
        made += 1
    return np.sum(x) * made


def over_an_array(x, n):
    total = 1.0
    for row in np.outer(np.arange(n) + 1.0, x):
        total = total * np.sum(np.cos(row)) + row[0]
    return total


def nested(x, n):
    for i in range(n):
        k = 0
        while k < i:
            x = x + 0.1 * np.sin(x)
            k += 1
        for _ in range(2):
            x = np.cos(x) * x
    return np.sum(x)


def early_exits(x, n):
    for i in range(n):
        if x[0] > 3.0:
            break
        if i == 2:
            continue
        x = x * 1.3 + 0.1 * i
        if np.sum(x) > 50.0:
            return np.sum(x) * i
    else:
        x = x * x
    return np.sum(x)


def state_of_many_kinds(x, n):
    i, up, small, names = 0, True, np.float32(1.0), np.zeros(2, int)
    while i < n:
        up = not up
        small = small * np.float32(0.5)
        names = names + i
        x = x * 1.1 if up else np.sin(x)
        i += 1
    return np.sum(x * names) * small


def in_place(x, n):
    y = np.zeros(6)
    y[:2] = x
    for i in range(n):
        y[i % 6] = np.sin(y[(i + 1) % 6]) + y[i % 6] * y[0]
    return np.sum(y)


def growing_list(x, n):
    rows, k = [x[0]], 0
    while k < n:
        rows.append(np.sin(rows[-1]) * x[1])
        k += 1
    return np.sum(np.array(rows) ** 2)


def history(x, n):
    rows = []
    for i in range(n):
        x = x * np.cos(x) + i
        rows.append(np.sum(x))
    return np.sum(np.array(rows) ** 2)


def other_results(x, n):
    y, z = x, x * 2.0
    for i in range(n):
        y, z = np.sin(y * z), z + y * i
    return np.sum(y)


def inner_function_checkpointed(x, n):
    @ag.checkpoint
    def trip(x, i):
        y = np.exp(-x * x)
        return y * np.sin(x) + i

    for i in range(n):
        x = trip(x, i)
    return np.sum(x)


def recursive(x, n):
    if n == 0:
        return np.sum(x)
    for _ in range(n):
        x = np.sin(x) * 1.1
    return recursive(x, n - 1) + np.sum(x)


PROGRAMS = [
    counted,
    uncounted,
    over_an_array,
    nested,
    early_exits,
    state_of_many_kinds,
    in_place,
    growing_list,
    history,
    other_results,
    inner_function_checkpointed,
    recursive,
]


def test_programs_are_those_of_python():
    for function in PROGRAMS:
        for n in (0, 1, 4):
            np.testing.assert_allclose(ag.to_graph(function)(X, n), function(X, n), rtol=1e-13)


def assert_same(found, expected, rtol=1e-14):
    for a, b in zip(optree.tree_leaves(found), optree.tree_leaves(expected), strict=True):
        assert type(a) is type(b)
        np.testing.assert_allclose(a, b, rtol=rtol, atol=0.0)


@pytest.mark.parametrize("loops", SPECS)
@pytest.mark.parametrize("function", PROGRAMS)
def test_the_gradient_is_the_same(function, loops):
    checkpointed = ag.checkpoint(function, loops=loops)
    plain, other = ag.value_and_grad(function), ag.value_and_grad(checkpointed)
    for n in (0, 1, 2, 5, 9):
        assert_same(other(X, n), plain(X, n))
    assert checkpointed(X, 3) == function(X, 3)


@pytest.mark.costly
@pytest.mark.parametrize("loops", ["sqrt", "log", 2])
@pytest.mark.parametrize("function", [early_exits, in_place, growing_list])
def test_second_derivatives(function, loops):
    checkpointed = ag.checkpoint(function, loops=loops)
    for n in (0, 1, 5):
        ag.check_grads(lambda x: checkpointed(x, n), (X,), order=2, modes=("fwd", "rev"))


@pytest.mark.slow
@pytest.mark.costly
@pytest.mark.parametrize("loops", ["sqrt", "log", 2])
def test_third_derivatives(loops):
    def known(x):
        for i in range(4):
            x = np.sin(x) * (1 + 0.1 * i)
        return x

    def unknown(x):
        i = 0
        while x > 0.3 and i < 4:
            x = np.sin(x) * (1 - 0.1 * i)
            i += 1
        return x

    for function in (known, unknown):
        plain, other = function, ag.checkpoint(function, loops=loops)
        for _ in range(3):
            plain, other = ag.grad(plain), ag.grad(other)
            np.testing.assert_allclose(other(1.1), plain(1.1), rtol=1e-12)


@pytest.mark.parametrize("loops", SPECS)
def test_counts_that_are_elements_of_arrays(loops):
    def f(x, counts):
        for i in range(counts[0]):
            x = np.sin(x) * (1 + i)
        for i in range(2, counts[1], 3):
            x = np.cos(x) * i
        return np.sum(x)

    checkpointed = ag.checkpoint(f, loops=loops)
    for counts in (np.array([5, 9]), np.array([3, 4], np.int32), np.array([0, -1])):
        assert_same(ag.grad(checkpointed)(X, counts), ag.grad(f)(X, counts))


@pytest.mark.slow
@pytest.mark.costly
@pytest.mark.parametrize("loops", SPECS)
def test_derivatives_by_a_python_number_are_python_numbers(loops):
    def newton(a):
        x = a
        while abs(x * x - a) > 1e-9:
            x = 0.5 * (x + a / x)
        return x

    gradient = ag.grad(ag.checkpoint(newton, loops=loops))
    for derivative in (gradient, ag.grad(gradient), ag.grad(ag.grad(gradient))):
        assert type(derivative(2.0)) is float
        assert type(derivative(np.float64(2.0))) is np.float64


@pytest.mark.parametrize("loops", ["sqrt", "log", 2])
@pytest.mark.parametrize("function", [counted, uncounted])
def test_forward_and_reverse_mode_in_any_order(function, loops):
    def hvp(f):
        def gradient(x):
            return ag.grad(f)(x, 6)

        return lambda x, v: ag.jvp(gradient, (x,), (v,))[1]

    def slope(f):
        def at(x):
            return f(x, 6)

        return ag.grad(lambda x, v: ag.jvp(at, (x,), (v,))[1])

    v = np.array([0.3, -1.0])
    checkpointed = ag.checkpoint(function, loops=loops)
    for derivative in (hvp, slope):
        expected = derivative(function)(X, v)
        np.testing.assert_allclose(derivative(checkpointed)(X, v), expected, rtol=1e-12)


@pytest.mark.parametrize("loops", SPECS)
def test_every_lane_of_a_batch(loops):
    checkpointed = ag.checkpoint(uncounted, loops=loops)
    xs = np.array([[0.1, 0.2], [0.7, 1.0], [2.0, 1.0]])
    found = ag.vmap(ag.grad(lambda x: checkpointed(x, 9)))(xs)
    np.testing.assert_allclose(found, [ag.grad(uncounted)(x, 9) for x in xs], rtol=1e-12)
    lanes = ag.vmap(lambda x: checkpointed(x, 9))
    np.testing.assert_allclose(ag.grad(lambda xs: np.sum(lanes(xs)))(xs), found, rtol=1e-12)


def test_eager_vjp():
    checkpointed = ag.checkpoint(counted, loops=3)
    value, pull = ag.vjp(checkpointed, X, 8)
    assert value == counted(X, 8)
    assert_same(pull(1.0)[0], ag.grad(counted)(X, 8))
    assert_same(pull(1.0)[0], ag.grad(counted)(X, 8))


# -- effects ---------------------------------------------------------------------------------------


def noisy(x, n, rng):
    for i in range(n):
        x = np.sin(x) * rng.normal()
        if x[0] > 0:
            print("up", i)
            x = x * rng.uniform(size=2)
    while np.sum(x * x) > 0.1 and rng.uniform() < 0.9:
        assert np.sum(x) < 100
        x = x * rng.uniform()
    return np.sum(x)


def traced_call(function, *args):
    """What a function returns and prints, and what its generator gives afterwards."""
    rng, printed = np.random.default_rng(5), io.StringIO()
    with contextlib.redirect_stdout(printed):
        result = function(*args, rng)
    return result, printed.getvalue(), rng.uniform()


@pytest.mark.costly
@pytest.mark.parametrize("loops", SPECS)
def test_effects_happen_once(loops):
    checkpointed = ag.checkpoint(noisy, loops=loops)
    expected = traced_call(ag.value_and_grad(noisy), X, 6)
    assert "up" in expected[1]
    found = traced_call(ag.value_and_grad(checkpointed), X, 6)
    assert found[1:] == expected[1:]
    assert_same(found[0], expected[0])

    def second(function):
        return ag.grad(lambda x, n, rng: np.sum(np.cos(ag.grad(function)(x, n, rng))))

    found, expected = traced_call(second(checkpointed), X, 6), traced_call(second(noisy), X, 6)
    assert found[1:] == expected[1:]
    np.testing.assert_allclose(found[0], expected[0], rtol=1e-12)


# -- memory ----------------------------------------------------------------------------------------


def peak(function, x, *args):
    """The most memory that a call takes, in arrays like ``x``."""
    function(x, *args)
    tracemalloc.start()
    try:
        function(x, *args)
        return tracemalloc.get_traced_memory()[1] / x.nbytes
    finally:
        tracemalloc.stop()


@pytest.mark.costly
@pytest.mark.numpy_program("tracemalloc does not see the memory of kernels")
@pytest.mark.parametrize("function", [smooth_counted, smooth_uncounted])
def test_memory_is_bounded(function):
    x = np.linspace(0.0, 1.0, 5000)
    assert peak(ag.grad(function), x, 400) > 400
    few = 8  # for what is worked with
    for k in (1, 4, 10):
        assert peak(ag.grad(ag.checkpoint(function, loops=k)), x, 100) < k + few
    root, logarithm = (ag.grad(ag.checkpoint(function, loops=s)) for s in ("sqrt", "log"))
    for n in (100, 400):
        assert peak(root, x, n) < 3 * np.sqrt(n) + few
        assert peak(logarithm, x, n) < np.log2(n) + 2 + few


@pytest.mark.numpy_program("tracemalloc does not see the memory of kernels")
def test_memory_of_second_derivatives_is_bounded():
    x = np.linspace(0.0, 1.0, 5000)

    def second(function):
        return ag.grad(lambda x, n: np.sum(np.cos(ag.grad(function)(x, n))))

    assert peak(second(smooth_counted), x, 150) > 300
    root, few = (second(ag.checkpoint(smooth_counted, loops=s)) for s in ("sqrt", 3))
    assert peak(root, x, 150) < 150
    assert peak(few, x, 60) < 60


def test_a_snapshot_is_apart_from_what_changes_in_place():
    """An array that the loop changes in place is copied for a snapshot, not at each trip."""
    lines = str(ag.grad(ag.checkpoint(in_place, loops=2)).program(X, 5)).splitlines()
    copies = [line for line in lines if "np.array(" in line or ".copy()" in line]
    assert sum("snapshots = pushed(snapshots, " in line for line in copies) == 2
    states = [line for line in copies if re.match(r" *(\w+) = \1\.copy\(\)", line)]
    assert [len(line) - len(line.lstrip()) for line in states] == [8]  # once for each trip reversed
    arrays = str(ag.grad(ag.checkpoint(counted, loops=2)).program(X, 5))
    assert "np.array(" not in arrays and ".copy()" not in arrays


# -- which loops -----------------------------------------------------------------------------------


def specs(graph):
    return [node.attrs.get("checkpoint") for node in walk(graph) if "loop" in node.op.name]


def test_all_loops_of_a_function_and_of_those_it_calls():
    def helper(x):
        while np.sum(x) > 1.0:
            x = 0.5 * x
        return x

    @ag.to_graph
    def f(x, n):
        @ag.checkpoint(loops="sqrt")
        def inner(x):
            for _ in range(n):
                x = helper(x)
            return x

        x = inner(x)
        for _ in range(n):
            x = np.sin(x)
        return x

    assert specs(f.graph(X, 3).main) == ["sqrt", "sqrt", None]
    assert "checkpoint='sqrt'" in str(f.graph(X, 3))


def test_inner_calls_may_say_otherwise():
    @ag.checkpoint(loops=4)
    def outer(x, n):
        @ag.checkpoint(loops="log")
        def inner(x):
            for _ in range(n):
                x = np.sin(x)
            return x

        for _ in range(n):
            x = inner(x) + x
        return np.sum(x)

    assert specs(ag.to_graph(outer).graph(X, 3).main) == [4, "log"]
    expected = ag.grad(lambda x: outer.__wrapped__(x, 3))(X)
    np.testing.assert_allclose(ag.grad(outer)(X, 3), expected, rtol=1e-13)


def test_a_recursive_function_is_recorded_for_both():
    def walked(x, n):
        for _ in range(n):
            x = np.sin(x)
        return x if n <= 0 else walked(x, n - 1)

    def f(x, n):
        return np.sum(walked(x, n) + ag.checkpoint(walked, loops=3)(x, n))

    module = ag.to_graph(f).graph(X, 3)
    found = {spec for graph in module.graphs.values() for spec in specs(graph)}
    assert found == {None, 3}
    assert ag.to_graph(f)(X, 3) == f(X, 3)


def test_without_a_policy_only_the_loops_are_checkpointed():
    text = str(ag.value_and_grad(ag.checkpoint(lambda x: np.exp(np.sin(x)), loops=3)).program(1.0))
    assert text.count("np.exp") == text.count("np.sin") == 1


@pytest.mark.parametrize("loops", ["cube", 0, -1, 2.0, True])
def test_other_loops_are_refused(loops):
    with pytest.raises(OptionError, match="AG0551"):
        ag.checkpoint(counted, loops=loops)
