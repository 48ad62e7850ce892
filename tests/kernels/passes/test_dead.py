"""What nothing needs is taken out of kernels, and what something needs is not."""

import numpy as np

from autograph.kernels.ir import ir
from autograph.kernels.ir.builder import KernelBuilder
from autograph.kernels.ir.interpreter import interpret


def stores(kernel):
    return [s.buffer.name for s in ir.walk(kernel.body) if isinstance(s, ir.Store)]


def run(kernel, x):
    out = np.zeros(len(x))
    interpret(kernel, [x], [out])
    return out


def doubled(reads):
    """A kernel that stores its argument in temporaries, one after the other, and reads one."""
    b = KernelBuilder("doubled")
    x, out = b.input("float64", 8, "x"), b.output("float64", 8, "out")
    kept = [b.temporary("float64", 8, f"kept_{k}") for k in range(3)]
    with b.each(8) as i:
        b.store(kept[0], i, b.load(x, i) * 2)
    with b.each(8) as i:
        b.store(kept[1], i, b.load(kept[0], i) + 1)
        b.store(kept[2], i, b.load(kept[1], i) + 1)
    with b.each(8) as i:
        b.store(out, i, b.load(kept[reads], i))
    return b.finish()


def test_what_is_stored_and_never_loaded():
    x = np.arange(8.0)
    assert stores(doubled(0)) == ["kept_0", "out"]
    assert stores(doubled(1)) == ["kept_0", "kept_1", "out"]
    assert stores(doubled(2)) == ["kept_0", "kept_2", "out"]  # what was just stored is known
    for reads in range(3):
        np.testing.assert_array_equal(run(doubled(reads), x), 2 * x + reads)


def test_loops_that_only_fill_what_is_never_loaded():
    b = KernelBuilder("nothing")
    x, out = b.input("float64", 8, "x"), b.output("float64", 8, "out")
    kept = b.temporary("float64", 8, "kept")
    with b.each(8) as i:
        b.store(kept, i, b.load(x, i))
    with b.each(8) as i:
        own = b.local("float64", 1, "own")
        b.store(own, 0, b.load(x, i))
        b.store(out, i, b.load(x, i) + 1)
    kernel = b.finish()
    assert stores(kernel) == ["out"]
    assert sum(isinstance(s, ir.Each) for s in ir.walk(kernel.body)) == 1
    assert not any(isinstance(s, ir.Local) for s in ir.walk(kernel.body))


def test_a_product_reads_its_operands():
    b = KernelBuilder("product")
    x, out = b.input("float64", 4, "x"), b.output("float64", 4, "out")
    kept = b.temporary("float64", 4, "kept")
    with b.each(4) as i:
        b.store(kept, i, b.load(x, i) * 2)
    zero = b.long(0)
    b.add(ir.Multiply(kept, x, out, 2, 2, 2, zero, zero, zero, 2, 2, 2))
    kernel = b.finish()
    assert stores(kernel) == ["kept"]
    x = np.arange(4.0)
    wanted = (2 * x.reshape(2, 2) @ x.reshape(2, 2)).ravel()
    np.testing.assert_array_equal(run(kernel, x), wanted)


def test_a_sum_in_memory_that_nobody_reads():
    b = KernelBuilder("sum")
    x, out = b.input("float64", 8, "x"), b.output("float64", 1, "out")
    kept = b.temporary("float64", 1, "kept")
    b.store(kept, 0, b.load(x, 0))
    b.for_(8, (), lambda i: b.store(kept, 0, b.load(kept, 0) + b.load(x, i)) or ())
    b.store(out, 0, b.load(x, 0))
    kernel = b.finish()
    assert stores(kernel) == ["out"]
