"""Loops that are left amid a trip, as jumps."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("llvmlite")

import autograph as ag
from autograph.kernels.ir import ir
from autograph.kernels.llvm import leaving
from autograph.kernels.passes.host import for_host


def fits(x, v, n):
    ok = True
    for k in range(n):
        if x[k] == v or abs(x[k] - v) == n - k:
            ok = False
            break
    return ok


def first_of_two(x, v, n):
    k, kind = 0, 0
    while k < n:
        if x[k] < v:
            if x[k] == 0:
                kind = 1
                break
            k += 2
        elif x[k] == v:
            kind = 2
            break
        else:
            k += 1
    return k, kind


def otherwise(x, v, n):
    for k in range(n):
        if x[k] > v:
            k += 10
        else:
            break
    else:
        return -1
    return k


def returned(x, v, n):
    for i in range(n):
        for j in range(i):
            if x[i] + x[j] == v:
                return i, j
    return -1, -1


def at_once(x, v, n):
    while n > 0:
        if x[0] == v:
            n = -n
            break
        n = 7
        break
    return n


def skipping(x, v, n):
    total = 0
    for k in range(n):
        if x[k] % 2 == 0:
            continue
        total += x[k]
        if total > v:
            break
        total += 1
    return total, k


def small_arrays(x, v, n):
    kept = np.zeros(3)
    for k in range(n):
        row = np.array([x[k], 2.0, kept[0]])
        kept = row + kept
        if np.sum(row) > v:
            break
    return kept, k


PROGRAMS = [fits, first_of_two, otherwise, returned, at_once, skipping, small_arrays]


@pytest.mark.parametrize("program", PROGRAMS)
def test_values_are_those_of_python(program):
    compiled = ag.to_graph(program)
    for seed in range(4):
        x = np.random.default_rng(seed).integers(0, 9, 12)
        for v in (0, 3, 8, 40):
            found, expected = compiled(x, v, 12), program(x, v, 12)
            if not isinstance(expected, tuple):
                found, expected = (found,), (expected,)
            for one, other in zip(found, expected, strict=True):
                assert type(one) is type(other)
                np.testing.assert_array_equal(one, other)


def loops(program):
    (kernel,) = ag.to_graph(program).kernels(np.arange(12), 3, 12).values()
    return [s for s in ir.walk(for_host(kernel.kernel).body) if isinstance(s, ir.While)]


@pytest.mark.parametrize("program", [fits, first_of_two, otherwise, at_once, skipping])
def test_a_break_is_a_jump(program):
    (loop,) = loops(program)
    assert leaving.ending(loop, loop.body.statements, loop.following) is not None


def test_both_loops_are_left_by_a_return():
    for loop in loops(returned):
        assert leaving.ending(loop, loop.body.statements, loop.following) is not None


def test_a_test_that_may_raise_is_made():
    """Python asks for the element before it asks whether it was found."""

    def search(x, v):
        k, found = 0, False
        while x[k] >= 0 and not found:
            if x[k] == v:
                found = True
                k = k + 5
            else:
                k += 1
        return k

    compiled, x = ag.to_graph(search), np.array([4, 3, 2, 1, -1, 0, 0, 0])
    assert compiled(x, 3) == search(x, 3)
    with pytest.raises(IndexError):
        compiled(x, 1)
