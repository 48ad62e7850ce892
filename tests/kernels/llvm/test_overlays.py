"""An array that a loop reads for the last time, and one that it writes, in the same memory."""

import random

import numpy as np
import pytest

from autograph.kernels.ir import overlays, temporaries
from autograph.kernels.ir.builder import KernelBuilder
from autograph.kernels.ir.ir import DOUBLE, Number
from autograph.kernels.ir.temporaries import TemporaryPlacement
from tests.kernels.llvm.support import check

ROWS, COLUMNS = 60, 43  # no multiple of a vector
SIZE = ROWS * COLUMNS
X = np.linspace(0.5, 1.5, SIZE)


@pytest.fixture(autouse=True)
def small_ones(monkeypatch):
    monkeypatch.setattr(temporaries, "_LEAST_OVERLAID", 1024)
    monkeypatch.setattr(overlays, "_LONG", 1)


def chain(step, arrays=3):
    """A kernel that makes arrays, each by ``step(b, old, new)`` of the one before; the last is the
    result."""
    b = KernelBuilder("chain")
    x, y = b.input("float64", SIZE, "x"), b.output("float64", SIZE, "y")
    old = b.temporary("float64", SIZE)
    with b.each(SIZE) as i:
        b.store(old, i, b.load(x, SIZE - 1 - i))
    for new in [*(b.temporary("float64", SIZE) for _ in range(arrays - 1)), y]:
        step(b, old, new)
        old = new
    return b.finish()


def elements(b, old, new):
    with b.each(SIZE) as i:
        b.store(new, i, b.load(old, i) * 0.5)


def pairs(b, old, new):
    """As complex numbers: both are read before both are written."""
    with b.each(SIZE // 2) as i:
        one, other = b.load(old, 2 * i), b.load(old, 2 * i + 1)
        b.store(new, 2 * i, one - other)
        b.store(new, 2 * i + 1, one + other)


def whole_rows(b, old, new):
    """Each row is read, and then, by another loop, read and written."""
    with b.each(ROWS, mode="parallel") as r:
        most = []
        with b.each(COLUMNS, reductions=most) as i:
            most.append(b.reduction("max", b.load(old, r * COLUMNS + i), -np.inf))
        with b.each(COLUMNS) as i:
            b.store(new, r * COLUMNS + i, b.load(old, r * COLUMNS + i) / most[0].out)


def other_elements(b, old, new):
    with b.each(SIZE) as i:
        b.store(new, i, b.load(old, SIZE - 1 - i) + b.load(old, i))


def too_late(b, old, new):
    """The second of a pair is read when the first is written."""
    with b.each(SIZE // 2) as i:
        b.store(new, 2 * i, b.load(old, 2 * i))
        b.store(new, 2 * i + 1, b.load(old, 2 * i) + b.load(old, 2 * i + 1))


def all_of_a_row(b, old, new):
    """Each element of a row is made of the row."""
    with b.each(ROWS, mode="parallel") as r:
        with b.each(COLUMNS) as i:

            def add(k, total):
                return (total + b.load(old, r * COLUMNS + k),)

            (total,) = b.for_(COLUMNS, (Number(0.0, DOUBLE),), add)
            b.store(new, r * COLUMNS + i, total * 0.125)


def some(b, old, new):
    """Elements that are not written stay what they were."""
    with b.each(SIZE) as i:
        value = b.load(old, i)

        def write():
            b.store(new, i, value)
            return ()

        b.if_(value > 0.0, write)


@pytest.mark.parametrize("step", [elements, pairs, whole_rows])
def test_arrays_are_written_over(step):
    kernel = chain(step)
    assert TemporaryPlacement(kernel).nbytes == 0  # all of them are where the result is
    check(kernel, X)


@pytest.mark.slow
@pytest.mark.parametrize("step", [other_elements, too_late, all_of_a_row, some])
def test_what_is_read_later_is_kept(step):
    kernel = chain(step)
    assert TemporaryPlacement(kernel).nbytes >= SIZE * 8
    check(kernel, X)


@pytest.mark.costly
@pytest.mark.parametrize("seed", range(6))
def test_chains(seed):
    draw = random.Random(seed)
    steps = [elements, pairs, whole_rows, other_elements, too_late, all_of_a_row]

    def step(b, old, new):
        draw.choice(steps)(b, old, new)

    check(chain(step, 6), X + seed)


def test_transforms_in_loops_share_memory():
    """What a Fourier transform is made of and gives is of no use to the next trip."""
    pytest.importorskip("llvmlite")
    import autograph as ag
    from autograph.kernels.passes.host import for_host

    @ag.to_graph
    def filtered(z):
        for _ in range(3):
            g = np.fft.fft(z)
            z = np.fft.ifft(g / (1.0 + np.abs(g)))
        return np.abs(z)

    z = np.exp(1j * np.arange(1024.0))
    (made,) = filtered.kernels(z).values()
    assert TemporaryPlacement(for_host(made.kernel)).nbytes <= 3 * z.nbytes
