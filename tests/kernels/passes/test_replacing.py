"""Statements are replaced in place, the inner ones first."""

import dataclasses

from autograph.kernels.ir import ir
from autograph.kernels.ir.builder import KernelBuilder
from autograph.kernels.passes.replacing import is_no_vector, rebuild, replace_statements


def nested():
    """A loop in order around a loop of lanes, and around another one in order in a branch."""
    b = KernelBuilder("nested")
    x, out = b.input("float64", 8, "x"), b.output("float64", 8, "out")

    def row(i):
        with b.each(2) as j:
            b.store(out, j, b.load(x, i))
        b.if_(b.compute(">", i, 1), lambda: b.for_(3, (), column) and (), lambda: ())
        return ()

    def column(i):
        b.store(out, i, b.load(x, i))
        return ()

    b.for_(4, (), row)
    return b.finish()


def test_inner_ones_come_first():
    counts = []

    def change(s):
        counts.append(s.count.value)
        return [
            dataclasses.replace(s, count=ir.Number(1, ir.LONG)),
            ir.Check(ir.Number(True, ir.BOOL)),
        ]

    body = nested().body
    assert replace_statements(body, ir.For, change)
    assert counts == [3, 4]
    loops = [s for s in ir.walk(body) if isinstance(s, ir.For)]
    assert [s.count.value for s in loops] == [1, 1]
    assert sum(isinstance(s, ir.Check) for s in ir.walk(body)) == 2


def test_what_stays_and_what_is_not_entered():
    kept = [*ir.walk((kernel := nested()).body)]
    seen = []
    assert not replace_statements(kernel.body, (ir.For, ir.Each), seen.append, is_no_vector)
    assert [*ir.walk(kernel.body)] == kept
    assert [type(s) for s in seen] == [ir.Each, ir.For, ir.For]
    seen.clear()
    replace_statements(kernel.body, ir.For, seen.append, enters=lambda s: not isinstance(s, ir.If))
    assert [s.count.value for s in seen] == [4]


def test_what_comes_before_may_be_changed():
    def joined(made, s):
        if made and isinstance(made[-1], ir.Each) and isinstance(s, ir.Compute):
            made[-1] = s
            return True
        made.append(s)
        return False

    body = nested().body
    assert rebuild(body, joined)
    assert not any(isinstance(s, ir.Each) for s in ir.walk(body))
    assert not rebuild(body, joined)
