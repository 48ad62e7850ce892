"""Arrays that hold one number everywhere, or what another one holds, are not there."""

import numpy as np
import pytest

pytest.importorskip("llvmlite")
from autograph.kernels.ir import ir
from autograph.kernels.ir.builder import KernelBuilder
from autograph.kernels.ir.ir import Number
from autograph.kernels.passes.known_arrays import without_known_arrays
from tests.kernels.kernel_check import check, host_statements

RNG = np.random.default_rng(0)
CELLS = RNG.integers(0, 2, (24, 24))
GROUPS, VALUES = RNG.integers(0, 9, 500), RNG.normal(size=500)


def sums_of_neighbours(cells):
    """What is added up begins with zeros in each trip."""
    for _ in range(4):
        around = np.zeros_like(cells)
        for i in (-1, 0, 1):
            around += np.roll(cells, i, axis=0)
        cells = np.where(around == 2, 1, 0)
    return cells


def minus_zeros(cells):
    zeros = np.full(len(cells), -0.0)
    out = np.zeros(len(cells))
    for i in range(len(cells)):
        out[i] = zeros[i] + zeros[len(cells) - 1 - i]
    return out, 1.0 / out


def two_kinds(cells):
    row = np.zeros(24)
    out = np.zeros(24)
    for i in range(24):
        row[5] = 1.0
        out[i] = row[i] + cells[i, 0]
    return out


def counts_and_sums(groups, values):
    """The places of both are the same."""
    counts = np.bincount(groups, minlength=9)
    sums = np.bincount(groups, weights=values, minlength=9)
    return counts, sums / np.maximum(counts, 1)


@pytest.mark.parametrize("function", [sums_of_neighbours, minus_zeros, two_kinds])
def test_as_python(function):
    check(function, CELLS, ulps=0)


def test_counts_and_sums():
    check(counts_and_sums, GROUPS, VALUES, ulps=4)


def own_arrays(kernel):
    body = without_known_arrays(kernel)
    return {b for s in ir.walk(body) if isinstance(s, ir.Load) for b in [s.buffer]} - {
        *kernel.inputs
    }


def copies(store_between, read_between=False):
    """A kernel in which two arrays get the same elements."""
    b = KernelBuilder("copies")
    x, y = b.input("float64", 8, "x"), b.output("float64", 8, "y")
    one, other = b.temporary("float64", 8), b.temporary("float64", 8)
    with b.each(8) as i:
        value = b.load(x, i) * 2.0
        b.store(one, i, value)
        if read_between:
            b.store(y, i, b.load(other, i))
        b.store(other, i, value)
    if store_between:
        b.store(other, b.long(3), Number(1.0, "f8"))
    with b.each(8) as i:
        b.store(y, i, b.load(one, i) + b.load(other, i))
    kernel = b.finish()
    b.close()
    return kernel


@pytest.mark.parametrize("store_between, arrays", [(False, 1), (True, 2)])
def test_of_two_equal_arrays_one_is_read(store_between, arrays):
    assert len(own_arrays(copies(store_between))) == arrays


def test_an_array_that_is_read_between_two_stores_is_another():
    kernel = copies(False, read_between=True)
    assert len(own_arrays(kernel)) == 2


def made_of_a_number(x, step):
    """All elements are one number, which the run tells."""
    slopes = np.zeros(x.shape) * step / 0.25
    total, y = 0.0, x * 1.0
    while total < 3.0:
        y = y * 0.5 + slopes * np.roll(y, 1)
        total += 1.0 + abs(step)
    return y, total


def made_of_a_number_in_a_branch(x, step):
    slopes = np.zeros(x.shape)
    if step > 0.5:
        slopes[:] = np.sqrt(step) * 2.0
    total = 0.0
    for i in range(len(x)):
        total = total * slopes[i] + x[i]
    return total


@pytest.mark.parametrize("step", [0.5, -2.0, np.inf, np.nan])
def test_a_number_that_the_run_tells(step):
    check(made_of_a_number, VALUES, step, ulps=0)
    check(made_of_a_number_in_a_branch, VALUES, step, ulps=0)


def test_no_array_is_kept_of_a_number_that_the_run_tells():
    bytes_of = {
        s.buffer: s.buffer.nbytes
        for s in host_statements(made_of_a_number, VALUES, 0.5)
        if isinstance(s, ir.Load | ir.Store) and s.buffer.kind == "temporary"
    }
    assert sum(bytes_of.values()) <= 2 * VALUES.nbytes


def test_what_each_trip_computes_is_no_number_of_the_run():
    b = KernelBuilder("trips")
    x, y = b.input("float64", 8, "x"), b.output("float64", 8, "y")
    step, own = b.parameter("float64", "step"), b.temporary("float64", 8)
    with b.each(8) as i:
        b.store(own, i, step * b.load(x, i))
    with b.each(8) as i:
        b.store(y, i, b.load(own, i))
    kernel = b.finish()
    b.close()
    assert own_arrays(kernel) == {own}
