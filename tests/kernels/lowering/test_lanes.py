"""Functions of one lane, kept for kernels: they compute what Python does for each lane, under all
transforms."""

from dataclasses import replace

import numpy as np
import pytest

import autograph as ag
from autograph.api.machine import capabilities
from autograph.api.recording import recorded
from autograph.api.saving import loading
from autograph.graph.graph import walk
from autograph.kernels.native import available
from tests.kernels.lowering.lane_programs import (
    FUNCTIONS,
    X,
    counted,
    loops,
    newton,
    nodes_of,
    per_lane_count,
    with_breaks,
)
from tests.transforms.lanes import check_vmap

pytest.importorskip("llvmlite")
if not available():
    pytest.skip("there are no native kernels here", allow_module_level=True)


def refuse_lanes(monkeypatch):
    """Batch all functions, as if none of one lane could be a part of a kernel."""
    able = replace(capabilities(), refuses_lane=lambda *graphs: "this test wants it batched")
    monkeypatch.setattr(recorded, "capabilities", lambda: able)


@pytest.mark.costly
@pytest.mark.parametrize("native", [True, False])
@pytest.mark.parametrize("name", FUNCTIONS)
def test_values_and_derivatives(name, native, monkeypatch):
    if not native:
        refuse_lanes(monkeypatch)
    function = FUNCTIONS[name]
    check_vmap(lambda x: function(x), X, derivatives=name != "nested")


@pytest.mark.parametrize("size", [0, 1])
def test_few_lanes(size):
    x = X[:size]
    slope = ag.grad(newton)
    np.testing.assert_allclose(ag.vmap(newton)(x), [newton(v) for v in x])
    np.testing.assert_allclose(ag.vmap(slope)(x), [slope(v) for v in x])
    np.testing.assert_allclose(
        ag.grad(lambda x: np.sum(ag.vmap(newton)(x)))(x), [slope(v) for v in x]
    )
    ag.vmap(ag.vmap(newton))(np.ones((3, size)))
    ag.vmap(ag.vmap(newton))(np.ones((size, 3)))


def test_integers():
    starts = np.arange(1, 30)
    found = ag.vmap(counted)(starts)
    assert found.dtype == np.int64
    np.testing.assert_array_equal(found, [counted(int(n)) for n in starts])


def test_counts_of_each_lane():
    n = np.array([0, 3, 1, 7, 2])
    vmapped = ag.vmap(per_lane_count)
    assert len(nodes_of(vmapped, X, n)) == 1
    wanted = [per_lane_count(x, k) for x, k in zip(X, n)]
    np.testing.assert_allclose(vmapped(X, n), wanted)
    slope = ag.grad(per_lane_count)
    wanted = [slope(x, k) for x, k in zip(X, n)]
    np.testing.assert_allclose(ag.vmap(slope)(X, n), wanted)
    np.testing.assert_allclose(ag.grad(lambda x: np.sum(ag.vmap(per_lane_count)(x, n)))(X), wanted)


@pytest.mark.parametrize("transform", [ag.hessian, ag.jacfwd, ag.jacrev])
def test_jacobians(transform):
    def total(x):
        return np.sum(ag.vmap(newton)(x) ** 3)

    def by_hand(x):
        return np.sum(x**1.5)

    found = transform(total)(X)
    np.testing.assert_allclose(found, transform(by_hand)(X), rtol=1e-6, atol=1e-9)


def test_second_derivatives_of_each_lane():
    second = ag.grad(ag.grad(newton))
    np.testing.assert_allclose(ag.vmap(second)(X), [second(x) for x in X])
    (node,) = nodes_of(ag.vmap(second), X)
    assert len(loops(node)) >= 3


# -- what is the same in all lanes -----------------------------------------------------------------


def powers(x, a, table):
    n = 0
    while x < a:
        x = x * table[n % 3]
        n += 1
    return x * a


TABLE = np.array([2.0, 1.5, 3.0])


@pytest.mark.parametrize("a", [50.0, np.float32(50), np.array(50.0)])
def test_arguments_without_lanes(a):
    axes = (0, None, None)
    vmapped = ag.vmap(powers, axes)
    assert len(nodes_of(vmapped, X, a, TABLE)) == 1
    wanted = [powers(x, a, TABLE) for x in X]
    found = vmapped(X, a, TABLE)
    assert found.dtype == np.result_type(*wanted)
    np.testing.assert_allclose(found, wanted)


def test_gradients_by_arguments_without_lanes():
    def total(x, a, table):
        return np.sum(ag.vmap(powers, (0, None, None))(x, a, table))

    def by_hand(x, a, table):
        return sum(powers(v, a, table) for v in x)

    for i in range(3):
        found = ag.grad(total, i)(X, 50.0, TABLE)
        np.testing.assert_allclose(found, ag.grad(by_hand, i)(X, 50.0, TABLE))
    per_lane = ag.vmap(ag.grad(powers, (0, 1, 2)), (0, None, None))(X, 50.0, TABLE)
    by_lane = [ag.grad(powers, (0, 1, 2))(x, 50.0, TABLE) for x in X]
    for found, wanted in zip(per_lane, zip(*by_lane)):
        np.testing.assert_allclose(found, np.stack(wanted))


def test_gradients_by_a_large_table_are_scattered():
    table = np.linspace(1.1, 2.0, 500)

    def grown(x, table):
        i = 0
        while x < 30:
            x = x * table[i]
            i += 7
        return x

    def total(table):
        return np.sum(ag.vmap(grown, (0, None))(X, table))

    found = ag.grad(total)
    wanted = ag.grad(lambda table: sum(grown(x, table) for x in X))(table)
    np.testing.assert_allclose(found(table), wanted)
    # no array of 500 elements for each of the 5 lanes
    shapes = [v.type.shape for n in walk(found.graph(table).main) for v in n.outputs if is_array(v)]
    assert (5, 500) not in shapes


def is_array(value):
    return hasattr(value.type, "shape")


def test_what_all_lanes_share_is_computed_once():
    def function(x, matrix):
        shared = matrix @ matrix
        norm = np.sum(shared)
        while x < norm:
            x = x * 2
        return x, norm

    matrix = np.arange(400.0).reshape(20, 20)
    vmapped = ag.vmap(function, (0, None), (0, None))
    (node,) = nodes_of(vmapped, X, matrix)
    assert "matmul" not in [n.op.name for n in walk(node.regions[0])]
    found, norm = vmapped(X, matrix)
    np.testing.assert_allclose(found, [function(x, matrix)[0] for x in X])
    assert norm == np.sum(matrix @ matrix)


def test_results_are_the_same_in_all_lanes_or_arguments():
    def function(x, a):
        n = 0
        y = x
        for i in range(4):
            n = n + i
            y = y * a
            while y > 3:
                y = y / 2
        return x, y, n, a

    vmapped = ag.vmap(function, (0, None), (0, 0, None, None))
    x, y, n, a = vmapped(X, 1.5)
    np.testing.assert_array_equal(x, X)
    assert x is not X and not np.shares_memory(x, X)
    np.testing.assert_allclose(y, [function(v, 1.5)[1] for v in X])
    assert (n, a) == (6, 1.5)


def test_constants_from_outside_may_change():
    table = np.array([1.0, 2.0, 4.0])

    def function(x):
        i = 0
        while i < 3 and x > table[i]:
            i += 1
        return i

    vmapped = ag.vmap(function)
    np.testing.assert_array_equal(vmapped(X), [function(x) for x in X])
    table[:] = [0.0, 0.1, 3.0]
    np.testing.assert_array_equal(vmapped(X), [function(x) for x in X])


def test_values_captured_by_the_function():
    def outer(x, limit):
        def inner(v):
            while v < limit:
                v = v * 2
            return v

        return np.sum(ag.vmap(inner)(x)) * limit

    slope = ag.grad(outer, (0, 1))

    def by_hand(x, limit):
        total = 0.0
        for v in x:
            while v < limit:
                v = v * 2
            total = total + v
        return total * limit

    for found, wanted in zip(slope(X, 5.0), ag.grad(by_hand, (0, 1))(X, 5.0)):
        np.testing.assert_allclose(found, wanted)


# -- errors ----------------------------------------------------------------------------------------


def picky(x):
    while x > 1:
        x = x / 2
        if x > 2:
            raise ValueError("too much")
    return x


@pytest.mark.parametrize("native", [True, False])
def test_errors_of_lanes(native, monkeypatch):
    if not native:
        refuse_lanes(monkeypatch)
    vmapped = ag.vmap(lambda x: picky(x))
    np.testing.assert_allclose(vmapped(X[:4]), [picky(x) for x in X[:4]])
    with pytest.raises(ValueError, match="too much"):
        vmapped(X)
    slope = ag.grad(lambda x: np.sum(vmapped(x)))
    np.testing.assert_allclose(slope(X[:4]), [ag.grad(picky)(x) for x in X[:4]])
    with pytest.raises(ValueError, match="too much"):
        slope(X)
    with pytest.raises(ValueError, match="too much"):
        ag.grad(lambda x: np.sum(ag.checkpoint(vmapped)(x)))(X)


def test_python_divides_by_zero_in_a_lane():
    def function(n):
        k = 0
        x = 0.0
        while k < n:
            x = x + 1 / (3 - k)
            k += 1
        return x

    vmapped = ag.vmap(function)
    n = np.array([0, 2, 3])
    np.testing.assert_allclose(vmapped(n), [function(int(k)) for k in n])
    with pytest.raises(ZeroDivisionError):
        vmapped(np.array([0, 5]))


# -- around ----------------------------------------------------------------------------------------


def test_in_loops_and_branches():
    def function(x, n):
        for _ in range(n):
            x = ag.vmap(newton)(x) + 0.1
        if n > 2:
            x = ag.vmap(with_breaks)(x)
        return np.sum(x)

    def by_hand(x, n):
        for _ in range(n):
            x = np.array([newton(v) for v in x]) + 0.1
        if n > 2:
            x = np.array([with_breaks(v) for v in x])
        return np.sum(x)

    f = ag.to_graph(function)
    for n in (0, 2, 4):
        np.testing.assert_allclose(f(X, n), by_hand(X, n))
        small = 1e-6 * np.eye(5)
        wanted = [(by_hand(X + d, n) - by_hand(X - d, n)) / 2e-6 for d in small]
        np.testing.assert_allclose(ag.grad(function)(X, n), wanted, rtol=1e-5, atol=1e-6)


@pytest.mark.slow
def test_in_a_loop_that_lanes_leave():
    """The lanes inside belong to those outside that are still in the loop."""

    def function(x):
        n = 0
        while x[0] < 30:
            x = ag.vmap(lambda v: newton(v) + 2 * v)(x)
            n += 1
        return np.sum(x), n

    rows = np.stack([X, X + 20, X + 40])
    wanted = [function(row) for row in rows]
    for found, lanes in zip(ag.vmap(function)(rows), zip(*wanted)):
        np.testing.assert_allclose(found, lanes)
    slope = ag.grad(lambda x: function(x)[0])
    np.testing.assert_allclose(ag.vmap(slope)(rows), [slope(row) for row in rows])


def test_in_a_recursive_function():
    def roots(n, x):
        if n <= 0:
            return x
        return roots(n - 1, ag.vmap(lambda v: deeper(3, newton(v)))(x)) + 1

    def deeper(n, x):
        return x if n <= 0 else deeper(n - 1, x * 1.1)

    def by_hand(n, x):
        return x if n <= 0 else by_hand(n - 1, np.array([deeper(3, newton(v)) for v in x])) + 1

    f = ag.to_graph(roots)
    for n in (0, 2):
        np.testing.assert_allclose(f(n, X), by_hand(n, X))
    found = ag.grad(lambda x: np.sum(f(2, x)))(X)
    wanted = ag.grad(lambda x: np.sum(by_hand(2, x)))(X)
    np.testing.assert_allclose(found, wanted)


def test_forward_over_reverse():
    hessian = ag.hessian(lambda v: np.sum(ag.vmap(newton)(v) ** 3))
    assert len(nodes_of(hessian, X)) == 2  # forward and backward, each with tangents
    rows = np.stack([X, X + 1])
    assert len(nodes_of(ag.vmap(hessian), rows)) == 2
    np.testing.assert_allclose(ag.vmap(hessian)(rows), [hessian(row) for row in rows])


def test_small_products():
    matrix = np.array([[1.0, 0.3], [-0.2, 1.2]])

    def spiral(x, matrix):
        v = np.array([x, 1.0])
        while np.sum(v * v) < 50:
            v = matrix @ v + 0.1
        return v

    vmapped = ag.vmap(spiral, (0, None))
    assert len(nodes_of(vmapped, X, matrix)) == 1
    np.testing.assert_allclose(vmapped(X, matrix), [spiral(x, matrix) for x in X])
    slope = ag.grad(lambda x, m: np.sum(spiral(x, m)), (0, 1))
    found = ag.vmap(slope, (0, None))(X, matrix)
    for some, wanted in zip(found, zip(*(slope(x, matrix) for x in X))):
        np.testing.assert_allclose(some, np.stack(wanted))


def test_lanes_of_lanes_share_what_is_the_same_along_an_axis():
    def escapes(cx, cy):
        x = y = 0.0
        n = 0
        while x * x + y * y < 4.0 and n < 50:
            x, y = x * x - y * y + cx, 2 * x * y + cy
            n += 1
        return n

    xs, ys = np.linspace(-2, 1, 7), np.linspace(-1, 1, 6)
    grid = ag.vmap(ag.vmap(escapes, (0, None)), (None, 0))
    (node,) = nodes_of(grid, xs, ys)
    assert node.attrs == {"sizes": (6, 7), "axes": ((1,), (0,))}
    assert len(grid.graph(xs, ys).main.nodes) == 1
    np.testing.assert_array_equal(grid(xs, ys), [[escapes(x, y) for x in xs] for y in ys])
    by_columns = ag.vmap(ag.vmap(escapes, (0, None)), (None, 0), 1)
    np.testing.assert_array_equal(by_columns(xs, ys), grid(xs, ys).T)


def test_custom_derivatives_in_lanes():
    @ag.custom_vjp
    def clipped(x):
        return x * 2.0

    clipped.defvjp(lambda x: (x * 2.0, x), lambda x, ct: (ct * 10.0 * x,))

    def function(x):
        while x < 5:
            x = clipped(x) + 1
        return x

    slope = ag.grad(function)
    assert len(nodes_of(ag.vmap(slope), X)) == 1
    np.testing.assert_allclose(ag.vmap(slope)(X), [slope(x) for x in X])
    total = ag.grad(lambda x: np.sum(ag.vmap(function)(x)))
    np.testing.assert_allclose(total(X), [slope(x) for x in X])


@pytest.mark.slow
def test_jacobians_in_reverse_mode():
    """A pass backwards for all rows is a part of the lane's kernel."""

    def roots(x):
        root = newton(x)
        return np.stack([root, root * x, x + 0.0 * root])

    jacobian = ag.vmap(ag.jacrev(roots))
    assert len(nodes_of(jacobian, X)) == 1
    np.testing.assert_allclose(jacobian(X), ag.vmap(ag.jacfwd(roots))(X), rtol=1e-9)
    np.testing.assert_allclose(jacobian(X), [ag.jacrev(roots)(x) for x in X], rtol=1e-12)
    many = lambda x: np.stack([newton(x) * k + x for k in range(20)])
    jacobian = ag.vmap(ag.jacrev(many))
    assert len(nodes_of(jacobian, X)) == len(jacobian.kernels(X)) == 1
    np.testing.assert_allclose(jacobian(X), ag.vmap(ag.jacfwd(many))(X), rtol=1e-9)
    second = lambda x: ag.jacrev(ag.jacrev(roots))(x)
    assert len(ag.vmap(second).kernels(X)) == 1
    wanted = [ag.jacfwd(ag.jacfwd(roots))(x) for x in X]
    np.testing.assert_allclose(ag.vmap(second)(X), wanted, rtol=1e-9, atol=1e-9)
    both = lambda x: {"a": np.stack([newton(x[0]), newton(x[1])]), "b": 2.0 * x[1]}
    rows = np.stack([X, X + 1.0], 1)
    found, wanted = (ag.vmap(way(both))(rows) for way in (ag.jacrev, ag.jacfwd))
    for key in wanted:
        np.testing.assert_allclose(found[key], wanted[key], rtol=1e-9, atol=1e-12)


@pytest.mark.filterwarnings("error:.*one lane after the other")
def test_saved_and_loaded(tmp_path):
    path = tmp_path / "newton.ag"
    ag.vmap(ag.grad(newton)).save(path, X)
    loaded = ag.load(path)
    wanted = [ag.grad(newton)(x) for x in X]
    np.testing.assert_allclose(loaded(X), wanted)
    second = ag.grad(lambda x: np.sum(loaded(x)))
    np.testing.assert_allclose(second(X), [ag.grad(ag.grad(newton))(x) for x in X])


def test_a_loaded_function_runs_without_kernels(tmp_path, monkeypatch):
    path = tmp_path / "newton.ag"
    ag.vmap(newton).save(path, X)
    monkeypatch.setattr(loading, "capabilities", lambda: replace(capabilities(), native=False))
    np.testing.assert_allclose(ag.load(path)(X), [newton(x) for x in X])
