"""Arrays of run-time length of which loops write elements: none is moved in each trip."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("llvmlite")
import autograph as ag
from autograph.kernels.ir import ir
from tests.kernels.kernel_check import check, copied

X = np.array([2, 0, 3, 1, 4])


def runs(x):
    out, k = np.zeros(x.sum(), dtype=np.int64), 0
    for i in range(len(x)):
        for _ in range(x[i]):
            out[k] = i
            k += 1
    return out


def in_branches(x):
    out, k = np.ones(x.sum(), dtype=np.int64), 0
    for i in range(len(x)):
        if x[i] > 1:
            out[k] = i
            k += 1
        elif x[i] == 1:
            out[k] += 5
    return out


def in_a_while(x):
    out, k = np.arange(x.sum()), 0
    while k < len(out) and out[k] < 8:
        out[k] = out[k] * 2 + out[k - 1]
        k += 1
    return out, k


def of_a_list(x):
    out = [x[0]]
    for i in range(len(x)):
        if x[i] > 0:
            out.append(x[i])
    for i in range(len(out) - 1):
        out[i] = out[i + 1] + i
    return np.array(out)


def moves(kernel: ir.Kernel) -> int:
    """How many times a loop may move a list to other memory."""
    loops = [s for s in ir.walk(kernel.body) if isinstance(s, ir.For | ir.While)]
    inside = {id(s): s for loop in loops for b in ir.blocks(loop) for s in ir.walk(b)}
    return sum(isinstance(s, ir.Reserve) for s in inside.values())


@pytest.mark.parametrize("function", [runs, in_branches, in_a_while])
def test_a_loop_that_only_writes_elements_never_moves_a_list(function):
    compiled = check(function, X)
    (text,) = compiled.kernels(*copied((X,))).values()
    assert moves(text.kernel) == 0


def test_what_a_list_grew_in_before_is_asked_once():
    compiled = check(of_a_list, X)
    (text,) = compiled.kernels(*copied((X,))).values()
    assert moves(text.kernel) == 1  # where it grows


def two_names(x):
    a = np.zeros(x.sum(), dtype=np.int64)
    b = a.copy()
    for i in range(len(x)):
        a[i] = x[i]
        b = a.copy()
        a[i + 1] = 7
    return a, b


def before_and_after(x):
    a = np.zeros(x.sum(), dtype=np.int64)
    before = a + 1
    for i in range(len(x)):
        a[i] = x[i] + before[i]
    after = a + 0
    for i in range(len(x)):
        a[i] += after[i + 1]
    return before, after, a


def no_trips(x):
    a = np.zeros(x.sum(), dtype=np.int64)
    for i in range(len(x) - 5):
        a[i] = 1
    return a, a.sum()


@pytest.mark.parametrize("function", [two_names, before_and_after, no_trips])
def test_what_else_has_elements_keeps_them(function):
    check(function, X, kernels=None)


def test_places_that_are_not_there_raise():
    def beyond(x):
        out, k = np.zeros(x.sum(), dtype=np.int64), 0
        for i in range(len(x)):
            for _ in range(x[i] + 1):
                out[k] = i
                k += 1
        return out

    with pytest.raises(IndexError, match="index 10 is out of bounds for axis 0 with size 10"):
        ag.to_graph(beyond)(X)


def test_a_list_that_is_filled_up_and_searched_is_one_kernel():
    @ag.to_graph
    def f(x, v):
        kept = [u for u in x if u > 0.2]
        kept += [v] * (9 - len(kept))
        return kept.index(v)

    assert f(np.array([0.25, 0.5, 0.75, 0.5, 0.125]), 0.5) == 1
    assert [form.is_kernel for form in f.compiled_forms()] == [True]
