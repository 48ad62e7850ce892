"""Large programs as kernels: long chains of operators, many results, and how they are compiled."""

import re
import sys

import numpy as np
import pytest

import autograph as ag
from autograph.kernels.ir import ir
from autograph.kernels.ir.builder import KernelBuilder
from autograph.kernels.llvm import Target, print_llvm
from autograph.kernels.llvm.effort import needs_little

pytest.importorskip("llvmlite")

FACTORS = [0.5 + 0.001 * k for k in range(250)]  # a loop over a list is written out

x, y = np.linspace(0.1, 1.0, 40), np.linspace(-1.0, 0.5, 40)


def chain(x, y):
    """Each result is used once."""
    for factor in FACTORS:
        x = x * factor + y
    for factor in FACTORS:
        x = x * factor - y
    return x


def skipping(x, y):
    """Each result is used by the next operator, and by a later one, in one order or the other."""
    a = b = c = d = x
    for factor in FACTORS:
        a, b, c, d = d * factor + a, a, b, c
    for factor in FACTORS:
        a, b, c, d = a * factor + d, a, b, c
    return a * y


def scalars(x, y):
    """A chain of numbers that waits for a sum."""
    total = np.sum(x)
    for factor in FACTORS:
        total = total * factor + 1.0
    for factor in FACTORS:
        total = total * factor - 1.0
    return total * y


def rolled(x, y):
    """Each element is read through all index maps before."""
    for factor in FACTORS:
        x = np.roll(x, 1) * factor + y
    return x


def in_a_branch(x, y):
    """A chain whose result one side of a conditional reads."""
    for factor in FACTORS:
        x = x * factor + y
    if np.sum(y) < 0.0:
        x = x + 1.0
    return x[3] * x


def many(x, y):
    return tuple([x * factor + y for factor in FACTORS])


PROGRAMS = [chain, skipping, scalars, rolled, in_a_branch, many]


@pytest.mark.costly
@pytest.mark.parametrize("program", PROGRAMS)
def test_large_programs_are_kernels(program):
    compiled = ag.to_graph(program)
    np.testing.assert_array_equal(compiled(x, y), program(x, y))
    assert compiled.kernels(x, y)


@pytest.mark.costly
@pytest.mark.parametrize("program", [chain, skipping, scalars, rolled])
def test_gradients_of_large_programs(program, monkeypatch):
    total = lambda x, y: np.sum(program(x, y))
    gradient = ag.grad(total)
    found = gradient(x, y)
    monkeypatch.setattr("autograph.api.machine.available", lambda: False)
    np.testing.assert_allclose(found, ag.grad(lambda x, y: np.sum(program(x, y)))(x, y), rtol=1e-12)


def test_chains_need_few_calls_in_each_other():
    compiled = ag.to_graph(chain)
    limit = sys.getrecursionlimit()
    graph = compiled.lower(x, y).graph
    depth = 0
    frame = sys._getframe()
    while frame is not None:
        depth, frame = depth + 1, frame.f_back
    sys.setrecursionlimit(depth + 350)
    try:
        from autograph.kernels.selection.parts import select

        assert select(graph).kernels
    finally:
        sys.setrecursionlimit(limit)


def _kernel(nested: bool, statements: int) -> ir.Kernel:
    b = KernelBuilder("kernel")
    out = b.output(ir.DOUBLE, 100)
    with b.each(10, "parallel") as row:
        with b.each(10) if nested else b.block() as column:
            total = b.cast(row, ir.DOUBLE)
            for k in range(statements):
                total = total * float(k + 2)
            b.store(out, row * 10 + column if nested else row, total)
    return b.finish()


def test_a_few_passes_do_for_plain_loops_and_very_large_kernels():
    assert not needs_little(_kernel(nested=True, statements=50))
    assert needs_little(_kernel(nested=False, statements=50))
    assert not needs_little(_kernel(nested=True, statements=1000))
    assert needs_little(_kernel(nested=True, statements=6000))


def _lanes(loops: int, sums: bool = False, statements: int = 20) -> set[str]:
    """The vectors of floats in the text of a kernel of so many loops, which follow each other."""
    b = KernelBuilder("kernel")
    out = b.output(ir.DOUBLE, 1000)
    for k in range(loops):
        reductions: list[ir.Reduction] = []
        with b.each(1000, reductions=reductions) as i:
            total = b.cast(i, ir.DOUBLE)
            for factor in range(statements):
                total = total * float(factor + k + 2)
            b.store(out, i, total)
            if sums:
                reductions.append(b.reduction("+", total, 0.0))
    target = Target.of("x86_64-unknown-linux-gnu", features="+avx2,+fma")
    return set(re.findall(r"<\d+ x double>", print_llvm(b.finish(), target)))


def test_loops_of_large_kernels_have_one_register():
    assert _lanes(2) == {"<8 x double>"}
    assert _lanes(60) == {"<4 x double>"}
    assert _lanes(3, statements=250) == {"<8 x double>"}  # no trip is done when the next one begins
    assert "<8 x double>" in _lanes(60, sums=True)  # results would have other roundings
