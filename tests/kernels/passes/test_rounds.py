"""Rounds in which a kernel is simplified: what has not changed is not gone through again."""

from __future__ import annotations

import pytest

from autograph.kernels.ir import ir
from autograph.kernels.ir.builder import KernelBuilder
from autograph.kernels.ir.ir import BOOL, DOUBLE, LONG, Block, Compute, Number
from autograph.kernels.passes.ranges import Outcomes
from autograph.kernels.passes.rounds import Rounds


def two_loops() -> ir.Kernel:
    """Two loops over the elements of arrays, the second one with a choice that the kernel makes
    before both."""
    b = KernelBuilder("two_loops")
    x, y = b.input(DOUBLE, 9, "x"), b.output(DOUBLE, 9, "y")
    n, m = b.parameter(LONG, "n"), b.parameter(LONG, "m")
    smaller = b.compute("<", n, m)
    for scale in (2.0, 3.0):
        with b.each(9) as i:
            value = b.load(x, i) * scale
            if scale == 3.0:
                value = b.compute("select", smaller, value, b.load(x, i))
            b.store(y, i, value)
    return b.finish()


@pytest.fixture
def gone_through(monkeypatch):
    """The statements that are gone through."""
    found = []
    statement = Outcomes.statement

    def noted(self, s, undo):
        found.append(s)
        return statement(self, s, undo)

    monkeypatch.setattr(Outcomes, "statement", noted)
    return found


def test_a_loop_that_has_not_changed_is_left_as_it_is(gone_through):
    kernel = two_loops()
    rounds = Rounds(kernel)
    body, _ = rounds.simplified(kernel.body)
    _, first, second = body
    second.body.statements.reverse()
    second.body.statements.reverse()  # what passes have taken apart and put together
    del gone_through[:]
    again, facts = rounds.simplified(body)
    assert [s for s in again][1:] == [first, second] and len(gone_through) == 1
    assert facts.greatest(facts.form(first.index)) == 8  # it is known as before


def test_a_loop_that_has_changed_is_gone_through(gone_through):
    kernel = two_loops()
    rounds = Rounds(kernel)
    body, _ = rounds.simplified(kernel.body)
    before, first, second = body
    load, *others = first.body
    moved = ir.Var(LONG, "moved")
    added = Compute(moved, "+", (first.index, Number(0, LONG)))
    first.body.statements[:] = [added, ir.Load(load.out, load.buffer, moved), *others]
    del gone_through[:]
    (_, changed, left), facts = rounds.simplified(body)
    assert left is second and changed is not first
    assert len(gone_through) == 2 + len(first.body.statements)
    assert next(s for s in changed.body if isinstance(s, ir.Load)).index is first.index
    assert facts.greatest(facts.form(first.index)) == 8


def test_the_order_of_statements_is_part_of_a_loop():
    kernel = two_loops()
    rounds = Rounds(kernel)
    body, _ = rounds.simplified(kernel.body)
    _, first, _ = body
    inner = first.body.statements
    inner.append(ir.If(body.statements[0].out, Block([inner.pop()]), Block(), (), (), ()))
    (_, changed, _), _ = rounds.simplified(body)
    assert changed is not first and isinstance(changed.body.statements[-1], ir.If)


def test_what_is_known_by_now_reaches_a_loop_that_has_not_changed():
    kernel = two_loops()
    rounds = Rounds(kernel)
    body, _ = rounds.simplified(kernel.body)
    compared, first, second = body
    assert any(s.function == "select" for s in second.body if isinstance(s, Compute))
    known = Compute(compared.out, "<", (Number(1, LONG), Number(2, LONG)))
    again, _ = rounds.simplified(Block([known, first, second]))
    *_, last = again
    assert not any(s is known for s in again)
    assert not any(compared.out is x for s in ir.walk(again) for x in getattr(s, "operands", ()))
    store = last.body.statements[-1]
    made = next(s for s in last.body if isinstance(s, Compute) and s.out is store.value)
    assert made.function == "*" and compared.out.dtype == BOOL
