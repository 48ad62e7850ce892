"""Parts of complex arrays are where the whole is, if nothing else is there at the same time."""

import numpy as np
import pytest

pytest.importorskip("llvmlite")
from autograph.kernels.ir import ir
from autograph.kernels.ir.temporaries import TemporaryPlacement
from autograph.kernels.llvm import printer
from autograph.kernels.passes import copying, side_by_side
from tests.kernels.kernel_check import check, host_statements

RNG = np.random.default_rng(0)
N = 600


def draw(*shape):
    return RNG.normal(size=shape) + 1j * RNG.normal(size=shape)


Z, W, M = draw(N), draw(N), draw(24, 24) + 5 * np.eye(24)
B = draw(24, 12)


def added_up(z, w, m, b):
    """Both sums are in the arrays that the caller gets."""
    total, turned = np.zeros(len(z), dtype=np.complex128), np.zeros(len(z), dtype=np.complex128)
    for k in range(5):
        total += np.exp(w[k] - z)
        turned += np.exp(0.1 * w[k] + z)
    return total, turned


def solved(z, w, m, b):
    """The matrix is where LAPACK reads it, and so is the solution."""
    total = np.zeros(b.shape, dtype=np.complex128)
    for k in range(4):
        p = np.zeros(m.shape, dtype=np.complex128)
        for j in range(3):
            p += w[k] ** j * m
        total += w[k] * np.linalg.solve(p, b)
    return total


def transformed(z, w, m, b):
    for k in range(4):
        z = np.fft.fft(z * w) / len(z)
    return z


def read_often(z, w, m, b):
    """An argument is read where it is."""
    total = np.zeros(m.shape, dtype=np.complex128)
    for k in range(6):
        total = np.tanh(m.real) * total + m * w[k]
        total = total / (1 + np.max(np.abs(total)))
    return total


def polynomial(z, w, m, b):
    """A long loop is joined to the one that copies what it adds up."""
    total = np.zeros(len(z), dtype=np.complex128)
    for k in range(6):
        total += w[k] * z**k
    return total


def own_bytes(function):
    """The bytes of the arrays that a kernel has of its own, by those that it touches."""
    arrays = {}
    for s in host_statements(function, Z, W, M, B):
        for buffer in [s.buffer] if isinstance(s, ir.Load | ir.Store) else []:
            if buffer.kind == "temporary":
                arrays[buffer] = buffer.nbytes
    return sum(arrays.values())


@pytest.mark.parametrize("function", [added_up, solved, transformed, read_often, polynomial])
def test_as_python(function):
    check(function, Z, W, M, B, ulps=256, scale=1.0)


@pytest.mark.parametrize(
    "function, most",
    # Besides the matrix and the solution, of which the parts are not taken apart by one loop.
    [(added_up, 0), (polynomial, 0), (solved, 16 * (24 * 24 + 24 * 12 * 3))],
)
def test_arrays_are_spared(function, most, monkeypatch):
    found = own_bytes(function)
    assert found <= most
    if function is polynomial:
        monkeypatch.setattr(copying, "_FEW", 0)
    monkeypatch.setattr(side_by_side, "_taken", lambda *given: None)
    assert own_bytes(function) > found


# -- where both are needed -------------------------------------------------------------------------


def given_before_it_changes(z, w, m, b):
    """What the caller gets is a copy: the sum goes on."""
    total, kept = np.zeros(len(z), dtype=np.complex128), np.zeros(len(z), dtype=np.complex128)
    for k in range(6):
        total = total * w[k] + z
        if k == 3:
            kept = total * 1.0
    return kept, total


def in_one_branch(z, w, m, b):
    """A result that some trips write, of what each trip writes anew."""
    out = np.zeros(len(z), dtype=np.complex128)
    for k in range(8):
        row = z * w[k] + k
        if np.abs(w[k]) < 1.0:
            out[:] = row
        else:
            w[k] = row[0] / (1 + np.abs(row[0]))
    return out, w


def backwards(z, w, m, b):
    """The caller's elements are in another order."""
    total = np.zeros(len(z), dtype=np.complex128)
    for k in range(5):
        total = total + w[k] * z
    return total[::-1], np.conj(total)


def argument_changed(z, w, m, b):
    before = z * 1.0
    for k in range(4):
        z[:] = z * w[k] + before
    return before


def exchanged(z, w, m, b):
    for k in range(5):
        z, w = w * 0.5, z + w
        z[0], z[1] = z[1], z[0]
    return z, w


@pytest.mark.parametrize(
    "function", [given_before_it_changes, in_one_branch, backwards, argument_changed, exchanged]
)
def test_both_are_needed(function, monkeypatch):
    monkeypatch.setattr(side_by_side, "_SHARE", 0.01)  # however long it takes
    check(function, Z, W, M, B, kernels=None, ulps=256, scale=1.0)


# -- LAPACK's results ------------------------------------------------------------------------------


def test_results_of_lapack_are_where_its_operands_were(monkeypatch):
    """What marks a result as not there yet is not written over the operand."""
    plans = []

    class Noted(TemporaryPlacement):
        def __init__(self, *args):
            super().__init__(*args)
            plans.append(self)

    monkeypatch.setattr(printer, "TemporaryPlacement", Noted)

    def function(m, b):
        for _ in range(3):
            b = np.linalg.solve(m + b[:, :1], b) * 0.5
        return b

    check(function, M.real + 5 * np.eye(24), B.real, ulps=256, scale=1.0)
    assert any(
        {x.size, y.size} == {24 * 24, 24 * 12} for plan in plans for x, y in plan.overlapping
    )
