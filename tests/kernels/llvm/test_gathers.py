"""Elements here and there, by gathers and scatters and one by one."""

from dataclasses import replace

import numpy as np
import pytest

pytest.importorskip("llvmlite")
from autograph.kernels.ir.builder import KernelBuilder
from autograph.kernels.llvm import Target, print_llvm
from tests.kernels.llvm.support import check, host

RANDOM = np.random.default_rng(0)


def looked_up(dtype, count=100):
    """``y[39 - place[i]] = table[place[i]]``, where several trips may write the same element."""
    b = KernelBuilder("looked_up")
    place = b.input("int64", count, "place")
    table, y = b.input(dtype, 40, "table"), b.output(dtype, 40, "y")
    with b.each(40) as i:
        b.store(y, i, b.load(table, 0))
    with b.each(count) as i:
        at = b.load(place, i)
        b.store(y, at * -1 + 39, b.load(table, at))
    return b.finish()


@pytest.mark.parametrize("slow", [True, False])
@pytest.mark.parametrize("dtype", ["float64", "float32", "int64", "uint8", "bool"])
@pytest.mark.parametrize("count", [100, 96, 3])
def test_elements_apart(dtype, slow, count):
    inputs = [RANDOM.integers(0, 40, count), RANDOM.integers(0, 2, 40).astype(dtype)]
    check(looked_up(dtype, count), *inputs, target=replace(host(), slow_gathers=slow))


def test_which_machines_are_slow():
    assert Target.of("x86_64-unknown-linux-gnu", "znver4").slow_gathers
    assert not Target.of("x86_64-unknown-linux-gnu", "skylake-avx512").slow_gathers
    kernel = looked_up("float64")
    fast, slow = (print_llvm(kernel, replace(host(), slow_gathers=slow)) for slow in (False, True))
    assert "masked.gather" in fast and "masked.scatter" in fast
    assert slow.count("extractelement") > fast.count("extractelement")
