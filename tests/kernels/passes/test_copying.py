"""Copies of statements define scalars of their own."""

from autograph.kernels.ir import ir, uses
from autograph.kernels.ir.builder import KernelBuilder
from autograph.kernels.ir.ir import Var
from autograph.kernels.passes.copying import substituted


def test_what_a_loop_of_lanes_adds_up_is_defined_anew_as_well():
    b = KernelBuilder("summed")
    x, out = b.input("float64", 8, "x"), b.output("float64", 1, "out")
    reductions = []
    with b.each(8, reductions=reductions) as i:
        reductions.append(b.reduction("+", b.load(x, i), 0.0))
    b.store(out, 0, reductions[0].out)
    body = b.finish().body
    found = [s for s in body if isinstance(s, ir.Each | ir.Store)]
    become = {v: Var(v.dtype, v.name) for s in ir.walk(found) for v in uses.defined(s)}
    copied = [substituted(s, become) for s in found]
    assert not uses.free(copied)
    assert uses.results(copied[0]) == (become[reductions[0].out],)
