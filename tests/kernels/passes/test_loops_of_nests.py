"""What nests of loops become: which loops are lanes, in registers, or shared by threads."""

import numpy as np
import pytest

import autograph as ag
from autograph.kernels.ir import ir
from autograph.kernels.ir.interpreter import interpret
from autograph.kernels.passes import nests
from autograph.kernels.passes.improving import improved
from tests.kernels.kernel_check import check
from tests.kernels.passes.nest_programs import (
    EXACT,
    A,
    B,
    C,
    against_the_diagonal,
    along_rows,
    by_elements,
    by_rows,
    down_the_diagonal,
    elements_of_any_number,
    factors,
    inner_columns,
    neighbours,
    rows_of_any_number,
    triangle_of_any_number,
    whole_arrays,
)


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
        rows_of_any_number,
        elements_of_any_number,
        triangle_of_any_number,
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
    assert "nest_programs.py:" in str(kernel)


def test_a_matrix_is_changed_where_it_is():
    found = loops(whole_arrays, A.copy(), B, C)
    stored = {s.buffer for s in found if isinstance(s, ir.Store) and s.buffer.kind == "temporary"}
    assert {b.size for b in stored} == {23}, "one row is kept, not the matrix"
