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
from autograph.kernels.ir import ir
from autograph.kernels.ir.builder import KernelBuilder
from autograph.kernels.ir.interpreter import GaveUp, interpret
from autograph.kernels.passes import nests
from autograph.kernels.passes.improving import improved
from tests.kernels.kernel_check import SOME, check
from tests.kernels.passes.random_nests import Nest
from tests.support.call_counts import count_calls

A, B, C = np.random.default_rng(0).normal(size=(3, 23, 23))
EXACT = 0.0  # units in the last place: elements are computed in the order that is written


def by_rows(c, a, b):
    for i in range(23):
        for k in range(23):
            c[i] += 1.5 * a[i, k] * b[k]
    return c


def by_elements(c, a, b):
    for i in range(23):
        for j in range(23):
            for k in range(23):
                c[i, j] += a[i, k] * b[k, j]
    return c


def inner_columns(c, a, b):
    for k in range(23):
        for j in range(23):
            for i in range(23):
                c[i, j] -= a[i, k] * b[k, j]
    return c


def symmetric(c, a, b):
    for i in range(23):
        for j in range(23):
            total = 0.0
            for k in range(i):
                c[k, j] += b[i, j] * a[i, k]
                total += b[k, j] * a[i, k]
            c[i, j] = c[i, j] + b[i, j] * a[i, i] + total
    return c


def factors(a, b, c):
    for i in range(23):
        for j in range(i):
            for k in range(j):
                a[i, j] -= a[i, k] * a[k, j]
            a[i, j] /= a[j, j] + 10.0
        for j in range(i, 23):
            for k in range(i):
                a[i, j] -= a[i, k] * a[k, j]
    return a


def shortest(a, b, c):
    for k in range(23):
        for i in range(23):
            for j in range(23):
                a[i, j] = min(a[i, j], a[i, k] + a[k, j])
    return a


def backwards(c, a, b):
    for i in range(22, -1, -1):
        for k in range(22, 3, -2):
            c[i, ::-1] += a[i, k] * b[k]
    return c


def against_the_diagonal(a, b, c):
    for i in range(1, 23):
        for j in range(22):
            a[i, j] = a[i - 1, j + 1] + b[i, j]
    return a


def down_the_diagonal(a, b, c):
    for i in range(1, 23):
        for j in range(1, 23):
            a[i, j] = a[i - 1, j - 1] * 0.5 + b[i, j]
    return a


def down_columns(a, b, c):
    for j in range(23):
        for i in range(1, 23):
            a[i, j] += a[i - 1, j]
    return a


def along_rows(a, b, c):
    for i in range(23):
        for j in range(1, 23):
            a[i, j] += a[i, j - 1]
    return a


def neighbours(a, b, c):
    for i in range(1, 22):
        for j in range(1, 22):
            a[i, j] = (a[i - 1, j] + a[i, j - 1] + a[i, j + 1] + a[i + 1, j]) * 0.25
    return a


def written_for_others(a, b, c):
    for i in range(23):
        for j in range(23):
            a[j, i] = a[i, j] + b[i, 22 - j]
    return a


def one_row_for_all(a, b, c):
    for i in range(23):
        for j in range(23):
            a[7, j] = a[7, j] * 0.5 + b[i, j] * a[i, j]
    return a


def no_trips(a, b, c):
    for i in range(23):
        for j in range(i, 5):
            for k in range(j, 2):
                a[i, j] += b[i, k] * c[k, j]
    return a


def leaves_early(a, b, c):
    for i in range(23):
        for j in range(23):
            if b[i, j] > 1.5:
                break
            for k in range(23):
                a[i, j] += b[i, k] * c[k, j]
    return a


def with_a_row_that_changes(a, b, c):
    for i in range(23):
        row = a[i] * 2.0
        for k in range(23):
            a[i] = row - b[i, k] * a[k]
    return a


def whole_arrays(a, b, c):
    for k in range(23):
        a = np.minimum(a, a[:, k : k + 1] + a[k])
    return a


def whole_arrays_of_the_row_above(a, b, c):
    for k in range(1, 23):
        a[1:] = a[:-1] + a[k, k] - a[:-1, k : k + 1] * b[k]
    return a


PROGRAMS = [
    whole_arrays,
    whole_arrays_of_the_row_above,
    by_rows,
    by_elements,
    inner_columns,
    symmetric,
    factors,
    shortest,
    backwards,
    against_the_diagonal,
    down_the_diagonal,
    down_columns,
    along_rows,
    neighbours,
    written_for_others,
    one_row_for_all,
    no_trips,
    leaves_early,
    with_a_row_that_changes,
]


@pytest.mark.parametrize("function", PROGRAMS)
def test_elements_are_what_python_computes(function):
    check(function, A.copy(), B, C, ulps=EXACT)
    single = [x.astype(np.float32) for x in (A, B, C)]
    check(function, *single, ulps=EXACT)


@pytest.mark.costly
@pytest.mark.parametrize("function", [by_rows, by_elements, symmetric, factors])
def test_of_other_lengths(function):
    """One kernel for all lengths."""
    text = {by_rows: _rows, by_elements: _elements, symmetric: _triangle, factors: _triangle}
    compiled = ag.to_graph(text[function])
    for n in (23, 5, 1, 40, 0, 2, 33):
        args = np.random.default_rng(n).normal(size=(3, n, n))
        expected = text[function](*args.copy())
        np.testing.assert_array_equal(compiled(*args.copy()), expected)


def _rows(c, a, b):
    for i in range(len(c)):
        for k in range(len(b)):
            c[i] += a[i, k] * b[k]
    return c


def _elements(c, a, b):
    for i in range(len(c)):
        for j in range(c.shape[1]):
            for k in range(len(b)):
                c[i, j] += a[i, k] * b[k, j]
    return c


def _triangle(c, a, b):
    for i in range(len(c)):
        for j in range(i, len(c)):
            for k in range(i):
                c[i, j] -= c[i, k] * c[k, j]
    return c


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


# -- what the loops become -------------------------------------------------------------------------


def loops(function, *args):
    """The statements of the one kernel of a function after the pass."""
    (kernel,) = ag.to_graph(function).kernels(*args).values()
    return improved_loops(kernel.kernel, args)


def improved_loops(kernel, args, symbols=()):
    """The statements of a kernel after the pass, which is held to what the kernel computes."""
    numbers = dict(zip(kernel.symbols, symbols))
    changed = improved(kernel)
    sizes = [b.size.at(numbers) if numbers else b.size for b in kernel.outputs]
    outputs, again = (
        [np.zeros(n, b.dtype) for n, b in zip(sizes, kernel.outputs)] for _ in range(2)
    )
    for k, out in ((kernel, outputs), (changed, again)):
        for given, written in kernel.shared:
            position = kernel.outputs.index(written)
            out[position][:] = args[kernel.inputs.index(given)].reshape(-1)
        interpret(k, (*args, *symbols), out)
    np.testing.assert_array_equal(outputs, again)
    return list(ir.walk(changed.body))


def loops_of_any_length(function):
    """The same of what a function is compiled to for any number of rows."""
    compiled = ag.to_graph(function)
    for n in (20, 21):
        compiled(*np.ones((3, n, n)))
    args = np.random.default_rng(0).normal(size=(3, 11, 11))
    (kernel,) = compiled.kernels(*args).values()
    assert list(kernel.kernel.symbols) == ["n"]
    return improved_loops(kernel.kernel, tuple(args), (11,))


def _inner_columns(c, a, b):
    n = len(c)
    for k in range(n):
        for j in range(n):
            for i in range(n):
                c[i, j] -= a[i, k] * b[k, j]
    return c


def _shortest(a, b, c):
    n = len(a)
    for k in range(n):
        for i in range(n):
            for j in range(n):
                a[i, j] = min(a[i, j], a[i, k] + a[k, j])
    return a


def _against_the_diagonal(a, b, c):
    n = len(a)
    for i in range(1, n):
        for j in range(n - 1):
            a[i, j] = a[i - 1, j + 1] + b[i, j]
    return a


def _backwards(a, b, c):
    n = len(a)
    for i in range(n):
        for j in range(n):
            a[n - 1 - i, n - 1 - j] = b[i, j] * 2.0
            c[-i, -j] += b[i, j]
    return a


def _along_rows(a, b, c):
    for i in range(len(a)):
        for j in range(1, len(a)):
            a[i, j] += a[i, j - 1]
    return a


def _cubes(a, b, c):
    n = len(a)
    u, v = np.zeros((n, n, n)), np.ones((n, n, n))
    for i in range(1, n - 1):
        for j in range(1, n - 1):
            for k in range(1, n - 1):
                u[i, j, k] = v[i - 1, j, k] + v[i, j + 1, k] * a[i, j] - v[i, j, k - 1]
    return u


def what_loops_are(statements):
    return [
        (type(s).__name__, s.mode if isinstance(s, ir.Each) else len(s.state))
        for s in statements
        if isinstance(s, ir.For | ir.Each)
    ]


@pytest.mark.costly
@pytest.mark.parametrize(
    "function",
    [
        _rows,
        _elements,
        _triangle,
        _inner_columns,
        _shortest,
        _against_the_diagonal,
        _along_rows,
        _backwards,
        _cubes,
    ],
)
def test_loops_of_any_length_become_those_of_one(function, monkeypatch):
    for name in ("_WORTH_THREADS", "_MANY"):  # as if known lengths were long ones
        monkeypatch.setattr(nests, name, 0)
    found = loops_of_any_length(function)
    known = loops(function, *np.random.default_rng(0).normal(size=(3, 11, 11)))
    assert what_loops_are(found) == what_loops_are(known)
    checks, of_one = (sum(isinstance(s, ir.Check) for s in x) for x in (found, known))
    assert checks == of_one, "all places are inside"


@pytest.mark.costly
@pytest.mark.parametrize("function", [by_rows, by_elements])
def test_rows_of_a_product_run_together(function):
    found = loops(function, A.copy(), B, C)
    assert any(isinstance(s, ir.Each) and s.mode == "parallel" for s in found)
    assert max(len(s.state) for s in found if isinstance(s, ir.For)) == 4
    assert not any(isinstance(s, ir.Check) for s in found), "all places are inside"


@pytest.mark.parametrize("function", [against_the_diagonal, down_the_diagonal, neighbours])
def test_rows_that_depend_on_each_other_stay_in_order(function):
    found = loops(function, A.copy(), B, C)
    assert not any(isinstance(s, ir.Each) and s.mode == "parallel" for s in found)


@pytest.mark.parametrize("function", [along_rows, neighbours])
def test_elements_that_depend_on_each_other_stay_in_order(function):
    found = [s for s in loops(function, A.copy(), B, C) if isinstance(s, ir.Each)]
    found = [s.count for s in found if s.mode == "vector"]
    assert all(isinstance(n, ir.Number) and n.value == 23 * 23 for n in found), "only copies"


def rows_innermost(c, a, b):
    for k in range(23):
        for i in range(23):
            row = a[i, k]
            for j in range(23):
                c[i, j] += row * b[k, j]
    return c


def rows_of_other_trips(c, a, b):
    """Not in the other order: each trip of the outer loop reads a row that another one writes."""
    for k in range(1, 23):
        for i in range(23):
            for j in range(23):
                c[i, j] += c[k, j] * b[k, i]
    return c


@pytest.mark.costly
@pytest.mark.parametrize("function", [rows_innermost, inner_columns])
def test_loops_change_places_for_an_element_in_a_register(function):
    check(function, A.copy(), B, C, ulps=EXACT)
    found = [s for s in loops(function, A.copy(), B, C) if isinstance(s, ir.For) and s.state]
    assert found and all(not isinstance(x, ir.Store) for s in found for x in ir.walk(s.body))


def test_loops_that_need_each_other_do_not_change_places():
    check(rows_of_other_trips, A.copy(), B, C, ulps=EXACT)
    found = loops(rows_of_other_trips, A.copy(), B, C)
    assert not any(isinstance(s, ir.Each) and s.mode == "parallel" for s in found)


def test_elements_in_registers():
    inner = [s for s in loops(factors, A.copy(), B, C) if isinstance(s, ir.For) and s.state]
    inner = [s for s in inner if all(var.dtype == ir.DOUBLE for var in s.state)]
    assert len(inner) == 4  # of elements in strips, of four together, of those that remain
    assert not any(isinstance(s, ir.Store) for loop in inner for s in ir.walk(loop.body))


def test_nests_are_printed_with_their_lines():
    (kernel,) = ag.to_graph(factors).kernels(A.copy(), B, C).values()
    assert "test_nests.py:" in str(kernel)


def test_a_matrix_is_changed_where_it_is():
    found = loops(whole_arrays, A.copy(), B, C)
    stored = {s.buffer for s in found if isinstance(s, ir.Store) and s.buffer.kind == "temporary"}
    assert {b.size for b in stored} == {23}, "one row is kept, not the matrix"


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


def backwards(a):
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


@pytest.mark.parametrize("function", [orthogonal, backwards, next_rows])
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
