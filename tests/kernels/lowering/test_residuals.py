"""What loops and branches leave for derivatives of derivatives: whole functions as one kernel."""

import types

import numpy as np
import pytest

pytest.importorskip("llvmlite")

import autograph as ag
import ops
from autograph.graph.builder import Builder
from autograph.graph.graph import Constant, walk
from autograph.kernels.ir import ir
from autograph.kernels.lowering.kernel import lower
from autograph.kernels.lowering.values import CannotLower
from ops.control import regions
from ops.control.regions import PACK, STACK
from ops.core.types import ArrayType
from tests.kernels.kernel_check import ALL, assert_kernels
from tests.kernels.llvm.support import check
from tests.kernels.lowering.residual_programs import (
    LONG,
    PLAIN,
    SUMS,
    X,
    branches,
    leaves_early,
    loop,
    pulls_in_a_loop,
    recurrent_list,
    three_pulls,
)
from tests.support.oracle import differences

VECTOR = ArrayType(np.dtype("float64"), (3,))
NUMBER = ArrayType(np.dtype("float64"))


def weighted(x):
    """A scalar in which all elements count."""
    return np.sum(x * np.cos(x + 0.3))


def second(function):
    def of_gradient(x):
        return weighted(ag.grad(function)(x))

    return ag.grad(of_gradient)


def product(function):
    def with_ones(x):
        return ag.hvp(function)(x, x * 0 + 1.0) * 1.0

    return ag.to_graph(with_ones)


def without_kernels(monkeypatch, transform, function, *args):
    """What NumPy's program gives."""
    # What is compiled is remembered by the function.
    again = types.FunctionType(
        function.__code__, function.__globals__, function.__name__, None, function.__closure__
    )
    with monkeypatch.context() as patch:
        patch.setenv("AUTOGRAPH_KERNELS", "0")
        compiled = transform(again)
        result = compiled(*args)
        assert not list(compiled.kernels(*args))
    return result


def close(found, expected, scale):
    """Up to the rounding of some hundred operations."""
    eps = np.finfo(np.asarray(expected).dtype).eps
    np.testing.assert_allclose(found, expected, rtol=300 * eps, atol=300 * eps * scale)


@pytest.mark.costly
@pytest.mark.parametrize("function", PLAIN + SUMS)
def test_second_derivatives(function, monkeypatch):
    same_without_kernels(monkeypatch, second, function)


@pytest.mark.slow
@pytest.mark.parametrize("transform", [ag.grad, product])
@pytest.mark.parametrize("function", PLAIN + SUMS)
def test_other_derivatives(function, transform, monkeypatch):
    same_without_kernels(monkeypatch, transform, function)


def same_without_kernels(monkeypatch, transform, function):
    compiled = transform(function)
    found = compiled(X)
    expected = without_kernels(monkeypatch, transform, function, X)
    assert type(found) is type(expected) and found.dtype == expected.dtype
    scale = np.max(np.abs(expected))
    if function.__name__ == "in_single":
        np.testing.assert_allclose(found, expected, rtol=3e-5, atol=3e-5 * scale)
    else:
        close(found, expected, scale)
    np.testing.assert_array_equal(compiled(X), found)
    assert_kernels(compiled, (X,), ALL)


@pytest.mark.parametrize("function", [branches, three_pulls])
def test_differences(function):
    (expected,) = differences(lambda x: weighted(ag.grad(function)(x)), (X,), 0)
    scale = np.max(np.abs(expected))
    np.testing.assert_allclose(second(function)(X), expected, rtol=1e-5, atol=1e-5 * scale)


@pytest.mark.costly
@pytest.mark.parametrize("function", [leaves_early, pulls_in_a_loop])
def test_lanes(function):
    same_in_lanes(second, function)


@pytest.mark.slow
@pytest.mark.parametrize("transform", [ag.grad, second])
@pytest.mark.parametrize("function", PLAIN + SUMS)
def test_more_lanes(function, transform):
    if function.__name__ != "in_single":
        same_in_lanes(transform, function)


def same_in_lanes(transform, function):
    x = np.linspace(0.6, 1.4, 11)[:, None] * X
    compiled = transform(function)
    found = ag.vmap(compiled)(x)
    expected = np.stack([compiled(row) for row in x])
    close(found, expected, np.max(np.abs(expected)))


def test_long_arrays(monkeypatch):
    def pulled(x):
        y, pull = ag.vjp(loop, x)
        (a,) = pull(np.cos(y))
        (b,) = pull(a * y)
        return np.sum(a * b)

    for transform in (ag.grad, second):
        expected = without_kernels(monkeypatch, transform, pulled, LONG)
        found = transform(pulled)(LONG)
        close(found, expected, np.max(np.abs(expected)))
        assert_kernels(transform(pulled), (LONG,), ALL)


def test_a_list_of_steps(monkeypatch):
    xs = [X, X[::-1] * 0.5, X * X]

    def of_gradient(xs):
        return sum(weighted(g) for g in ag.grad(recurrent_list)(xs))

    expected = without_kernels(monkeypatch, ag.grad, of_gradient, xs)
    for found, wanted in zip(ag.grad(of_gradient)(xs), expected):
        close(found, wanted, 1.0)
    assert_kernels(ag.grad(of_gradient), (xs,), ALL)


# -- graphs ----------------------------------------------------------------------------------------


def lowered(graph):
    return lower(graph, "made_kernel")


def run(kernel, *inputs):
    """The outputs of a kernel as machine code, which are also those of the interpreter."""
    status, outputs = check(kernel, *inputs)(*inputs)
    assert status == 0
    return outputs


def test_a_zero_where_an_array_is_wanted():
    """Packs of one place, of which one holds an array and the other one nothing there."""
    with Builder("f") as builder:
        x, flag = builder.input(VECTOR, "x"), builder.input(ArrayType(np.dtype(bool)), "flag")
        branches = []
        for slots in ([x, Constant(None, PACK)], [Constant(None, PACK), x]):
            with Builder("branch") as branch:
                branches.append(branch.finish([regions.pack(*slots, cotangents=True)]))
        (pack,) = builder.add(regions.cond, [flag], {}, [PACK], branches)
        types = (VECTOR, VECTOR)
        a, b = builder.add(regions.unpack_ct, [pack], {"types": types}, types)
        graph = builder.finish([ops.add(a, 1.0), ops.multiply(b, 2.0)])
    kernel = lowered(graph)
    for flag, expected in ((True, [X + 1, X * 0]), (False, [X * 0 + 1, X * 2])):
        for found, wanted in zip(run(kernel, X, flag), expected):
            np.testing.assert_array_equal(found, wanted)


def test_a_value_where_none_is_wanted():
    with Builder("f") as builder:
        x, y = builder.input(VECTOR, "x"), builder.input(NUMBER, "y")
        pack = regions.pack(x, y, cotangents=True)
        types = (PACK, NUMBER)
        _, b = builder.add(regions.unpack_ct, [pack], {"types": types}, types)
        graph = builder.finish([ops.add(b, 1.0)])
    (found,) = run(lowered(graph), X, 2.0)
    assert found == 3.0


def test_a_sum_keeps_the_sign_of_zero():
    with Builder("f") as builder:
        x, y = builder.input(VECTOR, "x"), builder.input(VECTOR, "y")
        total = regions.add_ct(regions.pack(x), regions.pack(y))
        (found,) = builder.add(regions.unpack_ct, [total], {"types": (VECTOR,)}, [VECTOR])
        graph = builder.finish([ops.multiply(found, 1.0)])
    zeros = np.array([0.0, -0.0, -0.0])
    (found,) = run(lowered(graph), zeros, np.array([-0.0, -0.0, 0.0]))
    np.testing.assert_array_equal(np.signbit(found), [False, True, False])


def test_a_value_that_is_twice_in_a_pack():
    """It is computed in one of its places, and copied to the other."""
    with Builder("f") as builder:
        x = builder.input(VECTOR, "x")
        double = ops.multiply(x, 2.0)
        pack = regions.pack(double, ops.add(x, 1.0), double)
        types = (VECTOR,) * 3
        found = builder.add(regions.unpack, [pack], {"types": types}, types)
        graph = builder.finish([ops.negative(v) for v in found])
    for found, wanted in zip(run(lowered(graph), X), (-2 * X, -X - 1, -2 * X)):
        np.testing.assert_array_equal(found, wanted)


def test_a_pack_that_is_pushed_twice():
    with Builder("f") as builder:
        x = builder.input(VECTOR, "x")
        pack = regions.pack(x)
        stack = regions.push(regions.push(Constant(None, STACK), pack), pack)
        _, top = regions.pop(stack)
        (found,) = builder.add(regions.unpack, [top], {"types": (VECTOR,)}, [VECTOR])
        graph = builder.finish([ops.add(found, 1.0)])
    with pytest.raises(CannotLower, match="two places"):
        lowered(graph)


def test_a_cotangent_of_another_type():
    with Builder("f") as builder:
        pack = regions.pack(builder.input(VECTOR, "x"), cotangents=True)
        (found,) = builder.add(regions.unpack_ct, [pack], {"types": (NUMBER,)}, [NUMBER])
        graph = builder.finish([ops.add(found, 1.0)])
    with pytest.raises(CannotLower, match="another type"):
        lowered(graph)


def test_what_is_cheap_is_not_kept():
    """Of a logistic function in a loop one array is kept, where NumPy's program keeps three; of a
    bit of the index nothing."""

    def f(x):
        for i in range(4):
            x = x / (1.0 + np.exp(-x))
            if (5 >> i) & 1 == 1:
                x = 2.0 * x
        return np.sum(x)

    x = np.linspace(-1.0, 1.0, 50)
    graph = ag.grad(f).graph(x)
    packs = [node for node in walk(graph.main) if node.op is regions.pack]
    assert [[str(v.type) for v in pack.inputs] for pack in packs] == [["f64[50]", "f64[50]"]]
    ag.check_grads(f, (x,), order=2)


def weighted_by_parts(x, n):
    """Parts of an array that is made once, taken in loops, which is changed after them."""
    matrices = np.exp(0.1 * x[:, None, None] * np.arange(16.0).reshape(4, 4))
    total = 0.0
    for i in range(n):
        for j in range(len(x)):
            v = matrices[j] @ (x[:4] * np.sin(x[i]))
            total += v @ v
    matrices[1] *= 2.0
    for j in range(len(x)):
        total += np.sum(matrices[j] @ np.cos(x[:4] * j))
    return total


def weighted_by_rows(x, n):
    """Parts of what each trip of the outer loop changes: these are kept."""
    rows = np.outer(x, np.arange(1.0, 5.0))
    total = 0.0
    for i in range(n):
        for j in range(len(x)):
            total += np.sum(np.sin(rows[j]) * x[j])
        rows[:, 1:] = np.cos(rows[:, :-1] + total)
    return total


@pytest.mark.slow
@pytest.mark.costly
@pytest.mark.parametrize("f", [weighted_by_parts, weighted_by_rows], ids=lambda f: f.__name__)
def test_parts_of_what_is_made_once_are_taken_again(f):
    x = np.linspace(0.1, 0.7, 5)
    assert_kernels(ag.grad(f), (x, 3), 1)
    (slopes,) = differences(f, (x, 3), 0)
    assert np.allclose(ag.grad(f)(x, 3), slopes, rtol=1e-5)
    ag.check_grads(lambda x: f(x, 3), (x,), order=2)


def test_parts_of_what_is_made_once_are_not_kept():
    report = str(ag.grad(weighted_by_parts).explain(np.linspace(0.1, 0.7, 5), 3))
    kept = report[report.index("residuals of") : report.index("\nprogram")]
    assert "f64[4]" in kept
    assert "f64[4,4]" not in kept


def chosen_products(x):
    """What a branch keeps for the way back, it keeps in a record of its own."""
    kept = np.zeros(len(x) + 1)
    kept[0] = 1.0
    for i in range(len(x)):
        total = 0.0
        for j in range(3):
            if (i >> j) & 1 == 1:
                total = total + kept[i - j] * x[i] * kept[j]
            total = total * x[i - 1] + 0.5
        kept[i + 1] = total
    return kept[-1]


def test_a_record_that_is_on_no_stack_has_no_link():
    x = np.linspace(0.3, 0.7, 6)
    g = ag.grad(chosen_products)
    graph = g.graph(x)
    pushed = {n.inputs[1] for n in walk(graph.main) if n.op is regions.push}
    packs = [n for n in walk(graph.main) if n.op is regions.pack]
    linked = [n.outputs[0] in pushed for n in packs]
    assert sorted(linked) == [False, True, True]
    (kernel,) = (k.kernel for k in g.kernels(x).values())
    assert kernel is not None
    sizes = [int(s.size.value) for s in ir.walk(kernel.body) if isinstance(s, ir.Reserve)]
    wanted = [8 * len(n.inputs) + 8 * link for n, link in zip(packs, linked)]
    assert sorted(sizes) == sorted(wanted)
    (slopes,) = differences(chosen_products, (x,), 0)
    assert np.allclose(g(x), slopes, rtol=1e-5)
    ag.check_grads(chosen_products, (x,), order=2)
