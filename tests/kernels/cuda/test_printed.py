"""Kernels as CUDA C, executed on the CPU, against the interpreter."""

import itertools

import numpy as np
import pytest

from autograph.errors import Location
from autograph.kernels.cuda import run
from autograph.kernels.cuda.printer import print_cuda
from autograph.kernels.ir import ir
from autograph.kernels.ir.builder import KernelBuilder
from autograph.kernels.ir.interpreter import GaveUp
from autograph.kernels.ir.ir import Number
from ops.core import kernels
from tests.kernels.cuda import hand_built as cuda_kernels
from tests.kernels.cuda.compare import assert_same, check, run_both
from tests.kernels.cuda.machine import Unit, execute

STEPS = ("a_step", "b_step", "c_step")


@pytest.fixture(scope="module")
def standard():
    """The kernels of `cuda_kernels`, compiled."""
    printed = {name: print_cuda(make()) for name, make in cuda_kernels.STANDARD.items()}
    return Unit(list(printed.values())), printed


@pytest.mark.costly
@pytest.mark.parametrize("name", cuda_kernels.STANDARD)
def test_standard_kernel(standard, name):
    unit, printed = standard
    inputs = cuda_kernels.arguments(printed[name].kernel)
    expected, found, _ = run_both(unit, printed[name], inputs)
    for x, y in zip(found, expected):
        single = x.dtype == np.float32
        np.testing.assert_allclose(x, y, rtol=1e-5 if single else 1e-14, atol=1e-6)


@pytest.mark.parametrize("name", ["mean", "normalised", "softmax", "collatz_each"])
def test_results_do_not_depend_on_the_grid_nor_on_the_order(standard, name):
    unit, printed = standard
    inputs = cuda_kernels.arguments(printed[name].kernel)
    outputs = []
    for blocks, seed in ((1, 1), (2, 2), (40, 3)):
        found = [np.zeros(x.size, x.dtype) for x in printed[name].kernel.outputs]
        execute(unit, printed[name], inputs, found, blocks=blocks, seed=seed)
        outputs.append(found)
    for other in outputs[1:]:
        for x, y in zip(outputs[0], other):
            assert x.tobytes() == y.tobytes()


@pytest.mark.parametrize("name", cuda_kernels.STANDARD)
def test_nothing_is_combined_in_an_order_that_changes(standard, name):
    """Sums go through shuffles, shared memory, and a second launch."""
    text = standard[1][name].text
    # But for how many blocks have arrived at a barrier.
    assert "atomic" not in text.replace("atomicAdd((int *)arrived, 1)", "")
    if name in ("mean", "normalised", "softmax", "collatz_each"):
        assert "__shfl_down_sync" in text and "_of_warps[" in text


def test_a_map_reads_well():
    b = KernelBuilder("hidden layer", Location("model.py", 12))
    x, bias = b.input("float32", 6000, "x"), b.input("float32", 100, "bias")
    out = b.output("float32", 6000, "out")
    with b.each(6000) as i:
        hidden = kernels.tanh(b.load(x, i) * 0.5 + b.load(bias, b.compute("rest", i, 100)))
        hidden.name = "hidden"
        b.store(out, i, hidden * hidden)
    text = print_cuda(b.finish()).text
    assert text.startswith("// hidden_layer, model.py:12\n")
    assert text.endswith(
        """\
extern "C" __global__ void __launch_bounds__(64, 1)
hidden_layer_kernel(
    const float *__restrict__ x,
    const float *__restrict__ bias,
    float *__restrict__ out)
{
    for (int i = blockIdx.x * 64 + threadIdx.x; i < 6000; i += gridDim.x * 64) {
        const float hidden = tanhf(x[i] * 0.5f + bias[i % 100]);
        out[i] = hidden * hidden;
    }
}
"""
    )


def test_names_are_made_valid_and_unique():
    b = KernelBuilder("norm")  # CUDA has a function of this name
    x, y = b.input("float32", 3, "for"), b.output("float32", 3, "größe")
    z = b.output("float32", 3, "exp")
    with b.each(3) as i:
        v = b.load(x, i, "2nd")
        w = kernels.exp(v)
        w.name = "x y"
        b.store(y, i, w)
        b.store(z, i, w + v)
    printed = print_cuda(b.finish())
    expected, found, _ = run_both(Unit([printed]), printed, [np.zeros(3, "f4")])
    np.testing.assert_allclose(found, expected, rtol=1e-6)


@pytest.mark.parametrize("count", [0, 1, 31, 32, 33, 1000, 1025, 5000])
def test_counts(count):
    b = KernelBuilder("counts")
    size = max(count, 1)
    x, y, total = b.input("int32", size), b.output("int32", size), b.output("int32", 1)
    sums: list = []
    with b.each(count, reductions=sums) as i:
        v = b.load(x, i)
        b.store(y, i, v + 1)
        sums.append(b.reduction("+", v, 0))
    b.store(total, 0, sums[0].out)
    check(b.finish(), np.arange(size, dtype="i4") * 1000003)


def test_a_count_that_is_a_parameter():
    b = KernelBuilder("counted")
    n, y, total = b.parameter("int64", "n"), b.output("int64", 5000), b.output("int64", 1)
    sums: list = []
    with b.each(n * 2, reductions=sums) as i:
        b.store(y, i, i * n)
        sums.append(b.reduction("+", i, 0))
    b.store(total, 0, sums[0].out)
    kernel = b.finish()
    printed = print_cuda(kernel)
    unit = Unit([printed])
    for n in (0, 1, 100, 2500):
        expected, found, device = run_both(unit, printed, [n])
        assert_same(found[0], expected[0])
        assert_same(found[1], expected[1])
        assert device.launches[0][1] == max(1, -(-2 * n // 512))  # threads take two at a time


def test_a_count_that_is_computed_on_the_device():
    b = KernelBuilder("counted")
    x, y = b.input("int64", 100), b.output("int64", 300)
    most: list = []
    with b.each(100, work=1e9, reductions=most) as i:
        most.append(b.reduction("max", b.load(x, i), 0))
    with b.each(300) as i:
        b.store(y, i, b.long(0))
    with b.each(most[0].out) as i:
        b.store(y, i, i + 1)
    check(b.finish(), np.arange(100) * 3)


def test_tables():
    b = KernelBuilder("tables")
    table = b.constant(np.array([1.5, -2.0, np.inf], "f4"), "coefficients")
    flags = b.constant(np.array([True, False]))
    y, z = b.output("float32", 2000), b.output("bool", 2000)
    with b.each(2000) as i:
        b.store(y, i, b.load(table, b.compute("rest", i, 3)))
        b.store(z, i, b.load(flags, b.compute("rest", i, 2)))
    text = check(b.finish())
    assert "static __device__ const float coefficients[3]" in text


def test_indices_are_int_where_they_fit():
    def text(count):
        b = KernelBuilder("indices")
        x, y = b.input("float32", count), b.output("float32", count)
        with b.each(count) as i:
            b.store(y, i, b.load(x, count - 1 - i))
        return print_cuda(b.finish()).text

    assert "for (int i = blockIdx.x" in text(2**20)
    large = text(2**33)
    assert "for (int64 i = (int64)blockIdx.x * 256 + threadIdx.x; i < 8589934592LL;" in large


def test_products_of_indices_do_not_overflow():
    b = KernelBuilder("products")
    y = b.output("int64", 2000)
    with b.each(2000) as i:
        b.store(y, i, (i * 2_000_000 + 5) * 3 - 7)
    check(b.finish())


def test_a_check_that_fails_gives_up(standard):
    unit, printed = standard
    kernel = printed["gather"].kernel
    indices, x = cuda_kernels.arguments(kernel)
    outputs = [np.zeros(o.size, o.dtype) for o in kernel.outputs]
    for wrong in (17, -18, 2**40, -(2**63)):
        indices[1234] = wrong
        with pytest.raises(GaveUp):
            execute(unit, printed["gather"], [indices, x], outputs)
    indices[1234] = -17
    execute(unit, printed["gather"], [indices, x], outputs)


def test_a_team_that_gives_up_does_not_go_on(standard):
    """What a loop has not stored, since a check failed, the next loop must not use as an index."""
    unit, printed = standard
    kernel = printed["gather_rows"].kernel
    indices, x = cuda_kernels.arguments(kernel)
    indices[77] = 2**40
    with pytest.raises(GaveUp):
        execute(unit, printed["gather_rows"], [indices, x], [np.zeros(1500, "f4")])


@pytest.mark.parametrize("x, y", [(2**62, 2**62), (-(2**63), 1), (2**32, 2**31), (-1, -(2**63))])
def test_overflow_gives_up(x, y):
    printed = print_cuda(cuda_kernels.sum_checked())
    with pytest.raises(GaveUp):
        execute(Unit([printed]), printed, [x, y], [np.zeros(3, "i8")])


@pytest.mark.parametrize("x, y", [(3, 4), (-3, 2**61), (2**62, -1), (2**31, 2**31)])
def test_no_overflow(x, y):
    check(cuda_kernels.sum_checked(), x, y)


def test_more_room_is_made(standard, monkeypatch):
    unit, printed = standard
    inputs = cuda_kernels.arguments(printed["newton_gradient"].kernel)
    monkeypatch.setattr(run, "FIRST_ROOM", 16)
    expected, found, device = run_both(unit, printed["newton_gradient"], inputs)
    np.testing.assert_allclose(found[0], expected[0], rtol=1e-14)
    assert len(device.launches) > 2  # 16, 32, 64 bytes ...


def test_memory_shared_with_an_input_is_its_own_while_it_may_fail(monkeypatch):
    """A second attempt starts from the same input."""
    b = KernelBuilder("again")
    x, y = b.input("int64", 2000, "x"), b.output("int64", 2000, "y")
    b.share(x, y)
    with b.each(2000) as i:
        b.store(y, i, b.load(x, i) + 1)
    with b.each(2000) as i:
        at = b.reserve(1000)
        kept = b.record("int64", 125, at, 0)
        b.store(kept, 124, b.load(y, i))
        b.store(y, i, b.load(kept, 124))
    printed = print_cuda(b.finish())
    monkeypatch.setattr(run, "FIRST_ROOM", 200)
    expected, found, device = run_both(Unit([printed]), printed, [np.arange(2000)])
    assert_same(found[0], expected[0])
    assert len(device.launches) > 2


def test_memory_reserved_outside_of_loops():
    """By one thread, and read by a grid."""
    b = KernelBuilder("kept")
    y = b.output("float64", 3000, "y")

    def push(k, last):
        at = b.reserve(24000 + 8)
        b.store(b.record("int64", 1, at, 0), 0, last)
        with b.each(3000) as i:
            b.store(b.record("float64", 3000, at, 8), i, b.cast(i * k, "float64"))
        return [at]

    (last,) = b.for_(3, [b.long(0)], push)
    before = b.load(b.record("int64", 1, last, 0), 0)
    with b.each(3000) as i:
        one, two = (b.load(b.record("float64", 3000, at, 8), i) for at in (last, before))
        b.store(y, i, one * 10.0 + two)
    check(b.finish())


def test_large_local_buffers_of_teams():
    """More than a block's shared memory."""
    b = KernelBuilder("large")
    x, y = b.input("float64", 5 * 7000, "x"), b.output("float64", 5 * 7000, "y")
    with b.each(5, "parallel", work=1e5) as row:
        kept = b.local("float64", 7000, "kept")
        with b.each(7000) as j:
            b.store(kept, j, b.load(x, row * 7000 + j))
        with b.each(7000) as j:
            b.store(y, row * 7000 + j, b.load(kept, 6999 - j))
    text = check(b.finish(), np.arange(35000.0), blocks=2)
    assert "kept_of_teams" in text


def test_parallel_loops_without_others_have_a_trip_for_each_thread():
    b = KernelBuilder("trips")
    y = b.output("int64", 3000)
    with b.each(3000, "parallel", work=50.0) as i:
        (total,) = b.for_(b.compute("rest", i, 5), [i], lambda k, t: [t + k])
        b.store(y, i, total)
    assert "threadIdx.x; i < 3000" in check(b.finish())


def test_reductions_of_teams():
    for length in (40, 700):  # of warps, of blocks
        b = KernelBuilder("teams")
        x, out = b.input("int32", 30 * length, "x"), b.output("int32", 2, "out")
        sums: list = []
        with b.each(30, "parallel", sums, 1e5) as row:
            inner: list = []
            with b.each(length, reductions=inner) as j:
                inner.append(b.reduction("max", b.load(x, row * length + j), -(2**31)))
            sums.append(b.reduction("+", inner[0].out, 0))
            sums.append(b.reduction("^", inner[0].out, 0))
        b.store(out, 0, sums[0].out)
        b.store(out, 1, sums[1].out)
        values = np.random.default_rng(0).integers(-1000, 1000, 30 * length).astype("i4")
        check(b.finish(), values)


def test_the_host_branches():
    b = KernelBuilder("branch")
    x, y = b.input("float64", 3000, "x"), b.output("float64", 3000, "y")
    sums: list = []
    with b.each(3000, reductions=sums) as i:
        sums.append(b.reduction("max", b.load(x, i), -np.inf))

    def scaled(factor):
        def fill():
            with b.each(3000) as i:
                b.store(y, i, b.load(x, i) * factor)
            return [Number(factor, "float64")]

        return fill

    (factor,) = b.if_(sums[0].out > 2.5, scaled(2.0), scaled(3.0))
    with b.each(3000) as i:
        b.store(y, i, b.load(y, i) + factor)
    kernel = b.finish()
    check(kernel, np.linspace(0, 2, 3000))
    check(kernel, np.linspace(0, 3, 3000))


@pytest.mark.parametrize("turned", list(itertools.product((False, True), repeat=2)), ids=str)
@pytest.mark.parametrize("alpha, beta", [(1.0, 0.0), (-0.5, 2.0)])
def test_products_of_matrices(turned, alpha, beta):
    b = KernelBuilder("product")
    a, c = b.input("float64", 60, "a"), b.output("float64", 60, "c")
    m = b.input("float64", 100, "m")
    with b.each(60) as i:
        b.store(c, i, b.cast(i, "float64"))
    strides = (4 if turned[0] else 5, 5 if turned[1] else 6, 7)
    starts = [b.long(k) for k in (2, 1, 3)]
    b.add(ir.Multiply(a, m, c, 4, 6, 5, *starts, *strides, *turned, alpha, beta))
    b.written(c)
    with b.each(60) as i:
        b.store(c, i, b.load(c, i) + 1.0)
    generator = np.random.default_rng(0)
    check(b.finish(), generator.standard_normal(60), generator.standard_normal(100))


def test_what_a_check_tells_holds_where_it_was_made():
    """Where it was not made, the index may be anything, and is not an int."""
    b = KernelBuilder("told")
    x, flag = b.parameter("int64", "x"), b.parameter("bool", "flag")
    out = b.output("int64", 2, "out")

    def small():
        b.check((x >= 0) & (x < 100))
        b.store(out, 0, x * 7)
        return []

    b.if_(flag, small)
    b.store(out, 1, x * 7)
    kernel = b.finish()
    text = check(kernel, 2**62 + 1, False)
    assert "out[0] = x * 7;" in text and "out[1] = multiply_int64(x, 7);" in text
    check(kernel, 99, True)


def column_totals():
    """A total of each column, row by row, as on a CPU."""
    b = KernelBuilder("columns")
    x, total = b.input("float64", 12 * 1100, "x"), b.output("float64", 1100, "total")
    with b.each(1100) as j:
        b.store(total, j, Number(0, "float64"))

    def add(row):
        with b.each(1100) as j:
            b.store(total, j, b.load(total, j) + b.load(x, row * 1100 + j))
        return []

    b.for_(12, (), add)
    with b.each(1100) as j:
        b.store(total, j, b.load(total, j) * 0.5)
    return b.finish()


def test_loops_over_columns_are_brought_outside():
    values = np.random.default_rng(0).standard_normal(13_200)
    text = check(column_totals(), values)
    assert text.count("__global__") == 1
    assert text.index("j < 12") > text.index("i < 1100")


def test_loops_that_read_other_columns_are_not():
    b = KernelBuilder("diffusion")
    x, y = b.output("float64", 5000, "x"), b.temporary("float64", 5000, "y")
    with b.each(5000) as i:
        b.store(x, i, b.cast(i * i, "float64"))

    def step(_):
        with b.each(5000) as i:
            b.store(y, i, b.load(x, i) + b.load(x, b.compute("rest", i + 1, 5000)))
        with b.each(5000) as i:
            b.store(x, i, b.load(y, i) * 0.5)
        return []

    b.for_(4, (), step)
    kernel = b.finish()
    printed = print_cuda(kernel)
    _, _, device = run_both(Unit([printed]), printed, [])
    assert [name for name, _ in device.launches] == ["diffusion_kernel", "diffusion_loop"]
    check(kernel)


def test_rows_of_few_elements_have_a_thread_each():
    b = KernelBuilder("points")
    x, y = b.input("float64", 3 * 2000, "x"), b.output("float64", 3 * 2000, "y")
    with b.each(2000, "parallel", work=100.0) as row:
        kept = b.local("float64", 3, "kept")
        total: list = []
        with b.each(3, reductions=total) as j:
            v = b.load(x, row * 3 + j)
            b.check(v == v)
            b.store(kept, j, v)
            total.append(b.reduction("max", v, -np.inf))
        with b.each(3) as j:
            b.store(y, row * 3 + j, b.load(kept, 2 - j) - total[0].out)
    text = check(b.finish(), np.random.default_rng(0).standard_normal(6000))
    assert "lane" not in text and "__syncthreads" not in text


def test_a_loop_whose_arrays_one_block_can_do_is_one_launch():
    """The block looks at the condition, and its lanes wait for each other after each part."""
    printed = print_cuda(cuda_kernels.power_iteration(3000))
    inputs = cuda_kernels.arguments(printed.kernel)
    expected, found, device = run_both(Unit([printed]), printed, inputs)
    for x, y in zip(found, expected):
        assert_same(x, y)
    assert [blocks for _, blocks in device.launches[1:]] == [1]


@pytest.mark.parametrize("a_step", [0, 20])
def test_batches_of_products(a_step):
    b = KernelBuilder("batch")
    a, m, c = b.input("float64", 60), b.input("float64", 90), b.output("float64", 72)
    zero = b.long(0)
    strides, steps = (5, 6, 6), (a_step, 30, 24)
    b.add(ir.Multiply(a, m, c, 4, 6, 5, *[zero] * 3, *strides, batch=3, **dict(zip(STEPS, steps))))
    b.written(c)
    generator = np.random.default_rng(0)
    check(b.finish(), generator.standard_normal(60), generator.standard_normal(90))
