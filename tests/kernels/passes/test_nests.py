"""Nests of loops in another order, with several rows at once, compute what they computed before."""

import os
import signal
import threading
import time

import numpy as np
import pytest

pytest.importorskip("llvmlite")
import autograph as ag
from autograph.errors import AutographError
from autograph.kernels.ir.builder import KernelBuilder
from autograph.kernels.ir.interpreter import GaveUp, interpret
from autograph.kernels.passes.improving import improved
from tests.kernels.kernel_check import SOME, check
from tests.kernels.passes.nest_programs import (
    EXACT,
    PROGRAMS,
    A,
    B,
    C,
    by_elements,
    by_rows,
    elements_of_any_number,
    factors,
    rows_of_any_number,
    symmetric,
    triangle_of_any_number,
)
from tests.kernels.passes.random_nests import Nest
from tests.support.call_counts import count_calls


@pytest.mark.parametrize("function", PROGRAMS)
def test_elements_are_what_python_computes(function):
    check(function, A.copy(), B, C, ulps=EXACT)
    single = [x.astype(np.float32) for x in (A, B, C)]
    check(function, *single, ulps=EXACT)


@pytest.mark.costly
@pytest.mark.parametrize("function", [by_rows, by_elements, symmetric, factors])
def test_of_other_lengths(function):
    """One kernel for all lengths."""
    text = {
        by_rows: rows_of_any_number,
        by_elements: elements_of_any_number,
        symmetric: triangle_of_any_number,
        factors: triangle_of_any_number,
    }
    compiled = ag.to_graph(text[function])
    for n in (23, 5, 1, 40, 0, 2, 33):
        args = np.random.default_rng(n).normal(size=(3, n, n))
        expected = text[function](*args.copy())
        np.testing.assert_array_equal(compiled(*args.copy()), expected)


def test_matrices_that_are_one():
    """The result is one of the factors: rows that are written are read by others."""
    compiled = ag.to_graph(by_rows)
    for given in ((0, 0, 1), (0, 1, 0), (0, 0, 0)):
        arrays, plain = ([x.copy() for x in (A / 9, B)] for _ in range(2))
        compiled(*(arrays[k] for k in given))
        by_rows(*(plain[k] for k in given))
        np.testing.assert_array_equal(arrays, plain)


def test_sums_of_columns_stay_exact():
    """A sum whose order is open, of more numbers than are added up one by one."""
    x = np.random.default_rng(1).random((5000, 6)).astype(np.float32)

    def products(x):
        out = np.zeros((6, 6), np.float32)
        for i in range(6):
            for j in range(6):
                out[i, j] = np.sum(x[:, i] * x[:, j])
        return out

    exact = x.astype(np.float64).T @ x.astype(np.float64)
    np.testing.assert_allclose(ag.to_graph(products)(x), exact, rtol=3e-7)


@pytest.mark.costly
@pytest.mark.parametrize("part", range(3))
def test_random_nests(part):
    compared = sum(compare(seed) for seed in range(part * 12, part * 12 + 12))
    assert compared > 8


@pytest.mark.slow
@pytest.mark.parametrize("part", range(10))
def test_more_random_nests(part):
    for seed in range(1000 + part * 40, 1040 + part * 40):
        compare(seed)


def compare(seed):
    nest = Nest(seed)
    return agrees(nest, ag.to_graph(nest.function), nest.arguments)


def agrees(nest, compiled, arguments):
    """Whether there is a result, which is then asserted to be that of Python."""
    expected, wanted = None, None
    with np.errstate(all="ignore"):
        try:
            expected = nest.function(*arguments)
        except (IndexError, ValueError) as error:
            wanted = type(error)
        except OverflowError:  # floats that are not numbers, as integers
            return False
        try:
            found = compiled(*arguments)
        except AutographError:  # the program is refused, whatever the loops become
            return False
        except (IndexError, ValueError) as error:
            assert type(error) is wanted, nest.text
            return False
    assert expected is not None, nest.text
    for x, y in zip(found, expected):
        if nest.exact or y.dtype.kind != "f":
            np.testing.assert_array_equal(x, y, err_msg=nest.text)
            continue
        size = np.max(np.abs(y[np.isfinite(y)]), initial=1.0)
        near = {"rtol": 1e-3, "atol": 1e-3 * size} if y.itemsize == 4 else {"atol": 1e-9 * size}
        np.testing.assert_allclose(x, y, err_msg=nest.text, **near)
    return True


SHAPES = [(6, 6), (7, 7), (9, 9), (12, 12), (2, 2), (1, 1), (0, 0), (7, 9), (6, 8), (3, 16)]


def compare_lengths(seed):
    """A program that is compiled for one shape, then for any."""
    nest = Nest(seed, of_any_length=True)
    compiled = ag.to_graph(nest.function)
    return sum(agrees(nest, compiled, nest.arguments_of(*shape)) for shape in SHAPES)


@pytest.mark.costly
@pytest.mark.parametrize("part", range(2))
def test_random_nests_of_any_length(part):
    compared = sum(compare_lengths(seed) for seed in range(part * 4, part * 4 + 4))
    assert compared > 8


@pytest.mark.slow
@pytest.mark.parametrize("part", range(10))
def test_more_random_nests_of_any_length(part):
    for seed in range(2000 + part * 10, 2010 + part * 10):
        compare_lengths(seed)


# -- what may not change, and in what time ---------------------------------------------------------


def test_places_that_are_not_known_depend_on_everything():
    places = np.array([3, 3, 1, 0])

    def scattered(x, places):
        for i in range(4):
            for k in range(4):
                x[places[i], k] += x[i, k]
        return x

    check(scattered, A.copy(), places, ulps=EXACT)


def test_a_check_that_fails_in_a_nest():
    def beyond(a, b, c):
        for i in range(24):
            for j in range(23):
                a[i, j] += b[i, j]
        return a

    check(beyond, A.copy(), B, C, kernels=SOME)


def test_places_far_away_do_not_wrap():
    """A place is a form only if it fits into 64 bits."""
    b = KernelBuilder("far")
    x, start, y = b.input("f8", 4, "x"), b.parameter("i8", "start"), b.output("f8", 4, "y")

    def trip(i):
        index = b.compute("-", b.compute("+", start, i), start)
        b.store(y, index, b.load(x, index))
        return ()

    b.for_(4, (), trip)
    kernel = improved(b.finish())
    out = np.zeros(4)
    interpret(kernel, [np.arange(4.0), 2**63 - 2], [out])
    np.testing.assert_array_equal(out, np.arange(4.0))


def test_what_a_loop_checks_is_checked_if_the_loop_in_it_makes_no_trip():
    b = KernelBuilder("checked")
    x, n, y = b.input("f8", 4, "x"), b.parameter("i8", "n"), b.output("f8", 4, "y")

    def trip(k):
        b.check(k < 3)
        value = b.load(x, k)
        with b.each(n, "vector") as j:

            def add(t):
                b.store(y, j, b.load(y, j) + value)
                return ()

            b.for_(2, (), add)
        return ()

    b.for_(4, (), trip)
    kernel = b.finish()
    for changed in (kernel, improved(kernel)):
        with pytest.raises(GaveUp):
            interpret(changed, [np.ones(4), 0], [np.zeros(4)])


def test_ctrl_c_ends_a_nest():
    def long(c, a, b):
        for t in range(100000):
            for i in range(23):
                for k in range(23):
                    c[i] += a[i, k] * b[k] * t
        return c

    compiled = ag.to_graph(long)
    compiled.kernels(A, B, C)

    def interrupt():
        time.sleep(0.3)
        os.kill(os.getpid(), signal.SIGINT)

    thread = threading.Thread(target=interrupt)
    started = time.perf_counter()
    thread.start()
    with pytest.raises(KeyboardInterrupt):
        for _ in range(1000):
            compiled(A.copy(), B, C)
    assert time.perf_counter() - started < 30
    thread.join()


def test_memory_of_each_trip_is_not_read_after_the_loop():
    """Lanes that keep something each, of which one element is copied out."""

    def orbit(y, t):
        r = (y[0] ** 2 + y[1] ** 2) ** 1.5
        return np.stack([y[2], y[3], -y[0] / r, -y[1] / r])

    def last(y):
        return ag.odeint(orbit, y, np.linspace(0.0, 1.0, 3))[-1][0]

    start = np.array([1.0, 0.0, 0.0, 0.5])
    np.testing.assert_allclose(ag.jacfwd(last)(start), ag.grad(last)(start), rtol=1e-6)


def test_what_a_check_guards_is_not_read_before_it():
    """Far outside of the array there is no memory to read."""

    def far(x, y):
        for t in range(100):
            for i in range(50):
                x[t * 1_000_000_000] += y[i]
        return x

    with pytest.raises(IndexError):
        ag.to_graph(far)(np.zeros(6), np.ones(50))


def orthogonal(a):
    a = a.copy()
    n = a.shape[1]
    q, r = np.zeros_like(a), np.zeros((n, n))
    for k in range(n):
        r[k, k] = np.sqrt(np.sum(a[:, k] * a[:, k]))
        q[:, k] = a[:, k] / r[k, k]
        for j in range(k + 1, n):
            r[k, j] = np.dot(q[:, k], a[:, j])
            a[:, j] -= q[:, k] * r[k, j]
    return q, r


def turned_columns(a):
    a = a.copy()
    n = a.shape[1]
    s = np.zeros(n)
    for j in range(1, n):
        x = a[:, j]
        s[j] = np.dot(x, x[::-1])
        a[:, j] = x[::-1] * s[j] + x
    return a, s


def next_rows(a):
    a = a.copy()
    n = a.shape[1]
    s = np.zeros(n)
    for j in range(1, n):
        x = a[:, j].copy()
        s[j] = np.dot(x, x)
        a[1:, j] = x[:-1] * s[j]
        a[:-1, j] += x[1:]
    return a, s


@pytest.mark.parametrize("function", [orthogonal, turned_columns, next_rows])
@pytest.mark.parametrize("shape", [(12, 9), (40, 33), (3, 2)])
def test_columns_that_are_read_and_changed(function, shape):
    """A copy of a column is still needed where other elements of it are read than are written."""
    a = np.random.default_rng(0).random(shape)
    check(function, a, kernels=None, ulps=64, scale=10.0)


def forwards(table, start, sequences):
    total = 0.0
    for sequence in sequences:
        state = start
        for place in sequence:
            state = np.log(np.sum(np.exp(state[:, None] + table), axis=0)) + table[:, place]
        total = total + np.sum(state)
    return total


def test_the_work_for_many_nests_grows_as_their_number():
    rng = np.random.default_rng(0)
    table, start = rng.normal(size=(5, 5)), rng.normal(size=5)

    def work(count):
        sequences = [rng.integers(0, 5, 3 + k) for k in range(count)]
        (kernel,) = ag.grad(forwards).kernels(table, start, sequences).values()
        return count_calls(lambda: improved(kernel.kernel))["call"]

    less, more = work(4), work(16)
    assert more <= 4.2 * less, f"{less} calls become {more}"


def convolved(x, w):
    rows, columns = x.shape[2] - 2, x.shape[3] - 2
    windows = [x[:, :, i : i + rows, j : j + columns] for i in range(3) for j in range(3)]
    return np.einsum("ncpyx,cop->noyx", np.stack(windows, axis=2), w.reshape(*w.shape[:2], 9))


def pooled(x):
    n, c, rows, columns = x.shape
    return np.max(np.max(x.reshape(n, c, rows // 2, 2, columns // 2, 2), axis=3), axis=4)


def network(w, x):
    y = pooled(convolved(x, w[:18].reshape(1, 2, 3, 3)))
    return np.sum(np.tanh(pooled(convolved(y, w[18:90].reshape(2, 4, 3, 3)))))


def test_the_work_for_places_in_arrays():
    """That they stay in 64 bits is found at once by the ends of each index: 548,000 calls of Python
    functions it took to look for the greatest of each."""
    (kernel,) = ag.grad(network).kernels(np.ones(90), np.ones((3, 1, 18, 18))).values()
    assert count_calls(lambda: improved(kernel.kernel))["call"] < 110_000
