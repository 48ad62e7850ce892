"""Loops in which comparisons of the index decide what is read become several loops."""

import numpy as np
import pytest

pytest.importorskip("llvmlite")
import autograph as ag
from autograph.kernels.ir import ir
from autograph.kernels.ir.builder import KernelBuilder
from autograph.kernels.ir.interpreter import interpret
from autograph.kernels.passes.splitting import split
from ops.core import kernels
from tests.kernels.kernel_check import check

X = np.random.default_rng(0).normal(size=(40, 70))
V = X.reshape(-1)

PROGRAMS = [
    lambda x: np.roll(x, 1, 1) + np.roll(x, -2, 1),
    lambda x: np.roll(x, (3, -5), (0, 1)) * x,
    lambda x: np.roll(np.roll(x, 1, 0), 1, 1) - np.roll(np.roll(x, -1, 0), -1, 1),
    lambda x: np.concatenate([x, 2 * x[:, :31], x[:, ::-1]], axis=1) + 1,
    lambda x: np.concatenate([x, x[:3]], axis=0) + 1,
    lambda x: np.pad(x * 2, 2) + 1,
    lambda x: np.pad(x * 2, ((1, 0), (3, 1)), mode="edge") + 1,
    lambda x: np.where(np.arange(70) < 11, x[:, ::-1], x) * 2,
    lambda x: np.where(np.arange(70) == 11, x[:, ::-1], np.exp(x)) * 2,
    lambda x: np.sum(np.roll(x, 5, 1) * x, axis=1) + np.sum(np.roll(x, 5, 1) * x),
    lambda x: np.hstack([x[:, 1:], x[:, :1]]) + np.vstack([x[:1], x[:-1]]),
]

SUMS = 9  # the program whose sums are rounded in another order than NumPy's


def changed_inside(x):
    y = x * 2
    y[1:-1, 1:-1] = x[2:, 1:-1] + x[:-2, 1:-1]
    y[:, 0] = 1
    y[:, -1] = y[:, 1]
    return y


def steps(x):
    for _ in range(3):
        x = x + 0.1 * (np.roll(x, 1, 1) + np.roll(x, -1, 1) - 2 * x)
    return x


@pytest.mark.parametrize("number", range(len(PROGRAMS)))
def test_arrays_made_of_parts(number):
    function = PROGRAMS[number]
    scale = 100.0 if number == SUMS else 1.0
    check(function, X, kernels=None, scale=scale)
    check(function, X.astype(np.float32), kernels=None, scale=scale)
    check(function, (X * 100).astype(np.int16), kernels=None)
    check(function, X.T.copy().T, kernels=None, scale=scale)


@pytest.mark.parametrize("function", [changed_inside, steps])
def test_stencils(function):
    check(function, X, scale=1.0)


def test_long_arrays_on_threads():
    x = np.random.default_rng(1).normal(size=300_001)
    check(lambda x: np.exp(np.roll(x, 7)) + np.roll(x, -1), x, scale=1.0)


def test_gradients():
    weights = np.linspace(-1.0, 1.0, V.size).reshape(X.shape)

    def loss(x):
        y = np.concatenate([np.roll(x, 3, 1)[:, 2:], x[:, :2] ** 2], axis=1)
        return np.sum(np.pad(y, 1)[2:, 2:] * weights * np.roll(x, 1, 0))

    ag.check_grads(loss, (X[:40, :70],), order=1)


def test_a_rolled_array_is_read_without_gathers():
    function = ag.to_graph(lambda x: np.roll(x, 1, 1) + np.roll(x, -1, 1))
    (kernel,) = function.kernels(X).values()
    assert "gather" not in kernel.text


def test_what_is_not_split_is_the_same_kernel():
    (kernel,) = ag.to_graph(lambda x: np.exp(x) + 1).kernels(X).values()
    assert split(kernel.kernel) is kernel.kernel


def _compared(function, slope, offset, count):
    """A kernel: what a comparison of a line decides, element by element."""
    b = KernelBuilder("compared")
    x, y = b.input("float64", 4 * count, "x"), b.output("float64", count, "y")
    with b.each(count) as i:
        test = b.compute(function, i * slope + offset, b.long(0))
        at = kernels.select(test, i, i + count)
        value = b.if_(test, lambda: (b.load(x, i * 2),), lambda: (b.load(x, 3 * count - i),))[0]
        b.store(y, i, b.load(x, at) + value)
    return b.finish()


@pytest.mark.parametrize("function", ["<", "<=", ">", ">=", "==", "!="])
def test_where_comparisons_change(function):
    count, given = 40, np.random.default_rng(2).normal(size=160)
    parts = set()
    for slope in (-3, -1, 1, 2):
        for offset in (-80, -41, -40, -39, -5, -1, 0, 1, 2, 7, 39, 40, 41, 120):
            kernel = _compared(function, slope, offset, count)
            found = split(kernel)
            loops = [s for s in ir.walk(found.body) if isinstance(s, ir.Each)]
            assert sum(int(s.count.value) for s in loops) == count
            parts.add(len(loops))
            results = [np.zeros(count), np.zeros(count)]
            for k, out in zip((kernel, found), results):
                interpret(k, [given], [out])
            assert np.array_equal(*results), (slope, offset)
    assert parts == ({1, 2} if function not in ("==", "!=") else {1, 2, 3})


def of_any_length(x):
    y = x * 2
    y[:, 1:-1] = x[:, 2:] + x[:, :-2]
    z = np.where(np.arange(x.shape[1]) < 11, x[:, ::-1], x)
    w = np.where(np.arange(x.shape[1]) >= x.shape[1] - 3, 0.0, x)
    around = np.roll(x, 1, 1) - np.roll(x, -1, 1) + np.roll(x, 1, 0) + np.roll(x, -1, 0)
    return y, z, w, around, np.roll(x, 2, 1) + np.roll(x, -1), np.pad(x, 1) + 1


def steps_of_any_length(x):
    for _ in range(3):
        x = x.copy()
        x[2:-1] = 0.5 * (x[1:-2] + x[3:])
        x = x + 0.1 * (np.roll(x, 1) + np.roll(x, -1) - 2 * x)
    return x, np.concatenate([x[1:], x[:1]])


@pytest.mark.parametrize("axes", [1, 2])
def test_loops_of_unknown_length(axes):
    function = ag.to_graph(of_any_length if axes == 2 else steps_of_any_length)
    for n in (40, 43, 50, 70, 1, 2, 3, 4, 5, 11, 12, 31, 33, 64, 65, 66, 130):
        x = np.random.default_rng(n).normal(size=(n // 2 + 1, n) if axes == 2 else n)
        if axes == 1 and n < 3:
            continue  # which Python cannot compute
        for found, expected in zip(function(x), function.__wrapped__(x)):
            np.testing.assert_allclose(found, expected, rtol=1e-15, atol=1e-15)


def test_what_is_between_the_ends_of_a_loop_of_unknown_length():
    """There it is known that `np.roll` reads neighbours; near the ends it is asked."""
    function = ag.to_graph(lambda x: np.roll(x, 1, 1) - np.roll(x, -1, 1))
    for n in (40, 43, 50, 70):
        function(np.ones((3, n)))
    (native,) = function.kernels(np.ones((3, 71))).values()
    loops = [s for s in ir.walk(split(native.kernel).body) if isinstance(s, ir.Each)]
    (inner,) = (s for s in loops if s.mode == "vector")
    compared = [s for s in ir.walk(inner.body) if isinstance(s, ir.Compute)]
    assert not any(s.function in ("<", ">=", "select", "rest") for s in compared)


def bordered(x):
    out = np.zeros_like(x)
    out[1:-1, 2:-2] = x[2:, 2:-2] - x[:-2, 1:-3] * x[1:-1, 3:-1]
    return out


def ring(x):
    return np.roll(x, 1, axis=1) - 2.0 * x + np.roll(x, -1, axis=1)


def padded(x):
    return np.pad(x, ((0, 0), (1, 1))) * np.pad(x[:, 1:-1], ((0, 0), (2, 2)))


@pytest.mark.parametrize("function", [bordered, ring, padded])
def test_near_the_ends_of_rows_of_unknown_length(function):
    compiled = ag.to_graph(function)
    for length in (40, 50, 37, 6, 5, 4, 3, 2):
        x = np.random.default_rng(length).normal(size=(4, length))
        if function is not ring and length < 4:
            continue
        np.testing.assert_array_equal(compiled(x), function(x))


def test_rows_that_begin_and_end_with_an_element_of_their_own_have_no_loops_for_them():
    compiled = ag.to_graph(ring)
    for length in (40, 50):
        compiled(np.ones((4, length)))
    (kernel,) = compiled.kernels(np.ones((4, 60))).values()
    loops = [s for s in ir.walk(split(kernel.kernel).body) if isinstance(s, ir.For)]
    assert [s.count.value for s in loops] == [1, 1]
    assert not any(isinstance(x, ir.If) for s in loops for x in ir.walk(s.body))


def test_numbers_that_are_negated_decide():
    """``-n`` is no difference of two numbers."""
    b = KernelBuilder("negated")
    x, y, n = b.input("int64", 90), b.output("int64", 90), b.parameter("int64", "n")
    least = -n
    with b.each(n) as i:
        left = kernels.select(i > least + 9, b.load(x, i), b.long(7))
        b.store(y, i, kernels.select(i - 80 > least, left, left * 2))
    kernel = b.finish()
    for n in (0, 3, 90):
        outputs = [np.zeros(90, "i8"), np.zeros(90, "i8")]
        for found, made in zip(outputs, (kernel, split(kernel))):
            interpret(made, [np.arange(90), n], [found])
        np.testing.assert_array_equal(*outputs)
