"""Kernels as LLVM code against the interpreter: hand-built ones, one for each feature."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

pytest.importorskip("llvmlite")

from autograph.errors import Location
from autograph.kernels.ir import ir
from autograph.kernels.ir.builder import KernelBuilder
from autograph.kernels.llvm import Target, print_llvm
from ops.core import kernels
from tests.kernels.llvm.support import Native, check, host, same
from tests.kernels.random_kernels import RandomKernel

COUNTS = [0, 1, 7, 64, 1000]
# Registers of this machine's bytes, of 16, and of 32.
WIDTHS = [
    {},
    {"vector_bytes": 16, "masked_memory": False},
    {"vector_bytes": 32},
]


@pytest.fixture(params=range(len(WIDTHS)), ids=["host", "sse", "avx2"])
def target(request) -> Target:
    return replace(host(), **WIDTHS[request.param])


def ramp(count: int, dtype: str = "float32") -> np.ndarray:
    values = np.linspace(-3, 5, max(count, 1))[:count]
    return (values * (1 if np.dtype(dtype).kind == "f" else 9)).astype(dtype)


# -- functions -------------------------------------------------------------------------------------

SPECIAL = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.5,
    -0.5,
    1.5,
    2.5,
    -2.5,
    np.inf,
    -np.inf,
    np.nan,
    1e-40,
    3e38,
    7.3,
]
UNARY = {
    "f": "- fabs sqrt floor ceil trunc rint signbit isnan bits".split(),
    "i": "- ~ signbit".split(),
    "u": "- ~ popcount".split(),
    "b": ["~"],
}
BINARY = {
    "f": "+ - * / copysign min max == != < <= > >=".split(),
    "i": "+ - * & | ^ min max == != < <= > >= quotient rest shift_left shift_right".split(),
    "u": "+ - * & | ^ min max == != < <= > >= quotient rest shift_left shift_right".split(),
    "b": "& | ^ == !=".split(),
}


def pairs(dtype: np.dtype) -> tuple[np.ndarray, np.ndarray]:
    """All pairs of special values."""
    if dtype.kind == "b":
        values = np.array([False, True])
    elif dtype.kind == "f":
        values = np.array(SPECIAL, dtype)
    else:
        info = np.iinfo(dtype)
        edges = [info.max, info.max - 1, info.min, info.min + 1]
        values = np.array([0, 1, 2, 3, 7, 10, 100, *edges], dtype)
        if dtype.kind == "i":
            values = np.concatenate([values, -values[1:7]])
    x, y = np.meshgrid(values, values)
    return x.ravel(), y.ravel()


def applied(function: str, x, y):
    if function in ("quotient", "rest"):
        y = kernels.select(y == 0, ir.Number(3, y.dtype), y)
        if x.dtype.kind == "i":
            y = kernels.select(y == -1, ir.Number(-3, y.dtype), y)
    if function.startswith("shift"):
        y = y & (x.dtype.itemsize * 8 - 1)
    return x.__kernel__(function, (x, y))


@pytest.mark.parametrize("dtype", ir.DTYPES, ids=str)
def test_every_function_on_vectors_and_on_scalars(dtype, target):
    x_data, y_data = pairs(dtype)
    n = x_data.size
    b = KernelBuilder("functions")
    x, y = b.input(dtype, n, "x"), b.input(dtype, n, "y")
    x0, y0 = b.parameter(dtype), b.parameter(dtype)

    def results(p, q):
        yield from (p.__kernel__(f, (p,)) for f in UNARY[dtype.kind])
        yield from (applied(f, p, q) for f in BINARY[dtype.kind])
        yield kernels.select(p == q, p, q)

    with b.each(n) as i:
        for value in results(b.load(x, i), b.load(y, i)):
            b.store(b.output(value.dtype, n), i, value)
    for value in results(x0, y0):
        b.store(b.output(value.dtype, 1), 0, value)
    check(b.finish(), x_data, y_data, x_data[-2], y_data[-4], target=target)


@pytest.mark.parametrize("given", ir.DTYPES, ids=str)
def test_conversions(given, target):
    data = pairs(given)[0]
    if given.kind == "f":
        data = np.where(np.abs(data) < 100, np.abs(data), 7).astype(given)
    b = KernelBuilder("conversions")
    x = b.input(given, data.size, "x")
    with b.each(data.size) as i:
        for dtype in ir.DTYPES:
            b.store(b.output(dtype, data.size), i, b.cast(b.load(x, i), dtype))
    check(b.finish(), data, target=target)


@pytest.mark.skipif(not host().triple.startswith("x86_64"), reason="each machine has its own")
@pytest.mark.parametrize("given", ["float32", "float64"])
def test_conversions_out_of_range_give_what_numpy_gives(given):
    data = np.array([np.nan, np.inf, -np.inf, 1e10, -1e10, 1e20, -1e20, -1.0, -200.5], given)
    b = KernelBuilder("out_of_range")
    x = b.input(given, data.size, "x")
    for dtype in ("int32", "int64"):
        with b.each(data.size) as i:
            b.store(b.output(dtype, data.size), i, b.cast(b.load(x, i), dtype))
    check(b.finish(), data)


def test_negative_floats_become_unsigned_as_in_numpy():
    data = np.array([-1.0, -2.0, -200.5, 0.0, 255.0, 300.0] * 7)
    b = KernelBuilder("unsigned")
    x = b.input("float64", data.size, "x")
    for dtype in ("uint8", "uint16", "uint32", "uint64"):
        with b.each(data.size) as i:
            b.store(b.output(dtype, data.size), i, b.cast(b.load(x, i), dtype))
    check(b.finish(), data)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_fma_is_rounded_once(dtype, target):
    small = 2.0**-14 if dtype == "float32" else 2.0**-30
    x = np.array([1 + small, 1 - small, 1 + 3 * small], dtype).repeat(11)
    b = KernelBuilder("fma")
    p, q, r = (b.input(dtype, x.size) for _ in range(3))
    out = b.output(dtype, x.size)
    with b.each(x.size) as i:
        b.store(out, i, kernels.fma(b.load(p, i), b.load(q, i), b.load(r, i)))
    _, (found,) = Native(b.finish(), target)(x, x, -(x * x))
    exact = (x.astype("longdouble") ** 2 - (x * x).astype("longdouble")).astype(dtype)
    assert np.all(exact != 0) and same(found, exact)


def test_functions_of_c_are_called_for_each_lane():
    b = KernelBuilder("calls")
    x, y = b.input("float64", 37, "x"), b.output("float64", 37, "y")
    with b.each(37) as i:
        v = b.load(x, i)
        b.store(y, i, kernels.hypot(kernels.cbrt(v), kernels.ldexp(kernels.mantissa(v), 3)))
    data = ramp(37, "float64")
    _, (found,) = Native(b.finish())(data)
    expected = np.hypot(np.cbrt(data), np.ldexp(np.frexp(data)[0], 3))
    np.testing.assert_allclose(found, expected, rtol=1e-15)


# -- loads and stores ------------------------------------------------------------------------------


@pytest.mark.parametrize("count", COUNTS)
@pytest.mark.parametrize("dtype", ["bool", "int8", "uint16", "float32", "float64"])
def test_a_map_of_any_length(count, dtype, target):
    b = KernelBuilder("scale")
    x, y = b.input(dtype, count, "x"), b.output(dtype, count, "y")
    with b.each(count) as i:
        v = b.load(x, i)
        b.store(y, i, v == v if dtype == "bool" else v * 2 + 1)
    check(b.finish(), ramp(count, dtype), target=target)


@pytest.mark.parametrize("count", COUNTS)
def test_in_place(count, target):
    b = KernelBuilder("in_place")
    x, y = b.input("float32", count, "x"), b.output("float32", count, "y")
    b.share(x, y)
    with b.each(count) as i:
        b.store(y, i, b.load(x, i) * 2 + 1)
    native = Native(b.finish(), target)
    data = ramp(count)
    outputs = [data.copy()]
    assert native.run((data,), outputs) == 0
    assert same(outputs[0], data * 2 + 1)


def test_steps_through_memory(target):
    """Indices backwards, with a step, the same for all, from a table."""
    n = 45
    b = KernelBuilder("steps")
    x, table = b.input("float32", 3 * n, "x"), b.input("int64", n, "table")
    outputs = [b.output("float32", 3 * n) for _ in range(4)]
    with b.each(n) as i:
        b.store(outputs[0], n - 1 - i, b.load(x, i))
        b.store(outputs[0], i + n, b.load(x, n - 1 - i))
        b.store(outputs[0], i + 2 * n, b.load(x, 7))
        for k in range(3):
            b.store(outputs[1], i * 3 + k, b.load(x, i * 3 + (2 - k)))
        for k in range(3):
            b.store(outputs[2], b.load(table, i) + k * n, b.load(x, i + n))
            b.store(outputs[3], i + k * n, b.load(x, b.load(table, i) + n * k))
    order = np.random.default_rng(0).permutation(n)
    check(b.finish(), ramp(3 * n), order, target=target)


def test_constants_and_bools():
    b = KernelBuilder("tables")
    x = b.input("bool", 70, "x")
    table = b.constant(np.array([1.5, -0.0, np.nan, np.inf], "float32"))
    flags = b.constant(np.array([True, False, True, True]))
    y, z = b.output("float32", 70, "y"), b.output("bool", 70, "z")
    with b.each(70) as i:
        v = b.load(x, i)
        b.store(y, i, kernels.select(v, b.load(table, i & 3), b.load(table, 1)))
        b.store(z, i, b.load(flags, (i * 3) & 3) ^ v)
    check(b.finish(), np.arange(70) % 3 == 0)


def test_memory_that_holds_other_bytes_than_0_and_1_is_a_bool():
    b = KernelBuilder("odd_bools")
    x, y = b.input("bool", 70, "x"), b.output("int32", 70, "y")
    with b.each(70) as i:
        b.store(y, i, b.cast(b.load(x, i), "int32"))
    _, (found,) = Native(b.finish())((np.arange(70) % 5).astype("uint8").view(bool))
    assert np.array_equal(found, np.arange(70) % 5 != 0)


@pytest.mark.parametrize("size", [100, 5000])
def test_temporaries_share_memory_when_their_lives_do_not_overlap(size):
    b = KernelBuilder("chain")
    x, y = b.input("float64", size, "x"), b.output("float64", size, "y")
    last = x
    for k in range(5):
        following = b.temporary("float64", size) if k < 4 else y
        with b.each(size) as i:
            b.store(following, i, b.load(last, size - 1 - i) + k)
        last = following
    native = check(b.finish(), ramp(size, "float64"))
    blocks = -(-size * 8 // 64) * 64
    if size == 100:  # of larger ones there is one in the result, until that is written
        blocks *= 2
    assert (f"ag_take(i64 {blocks})" if size > 1000 else f"i64 {blocks}, align 64") in native.text


# -- reductions ------------------------------------------------------------------------------------


@pytest.mark.parametrize("count", COUNTS)
def test_reductions(count, target):
    b = KernelBuilder("reductions")
    f, i64, u8, flags = (b.input(d, count) for d in ("float32", "int64", "uint8", "bool"))
    reductions: list = []
    with b.each(count, reductions=reductions) as i:
        x, n, s, flag = (b.load(v, i) for v in (f, i64, u8, flags))
        reductions += [b.reduction("min", x, np.inf), b.reduction("max", x, -np.inf)]
        reductions += [b.reduction("+", n, 0), b.reduction("*", n | 1, 1)]
        reductions += [b.reduction("^", n, 0), b.reduction("max", n, -(2**63))]
        reductions += [b.reduction("min", s, 255), b.reduction("+", s, 0)]
        reductions += [b.reduction("&", flag, True), b.reduction("|", flag, False)]
        reductions += [b.reduction("+", i, 0)]
    for r in reductions:
        b.store(b.output(r.out.dtype, 1), 0, r.out)
    rng = np.random.default_rng(count)
    inputs = (
        rng.normal(size=count),
        rng.integers(-(2**62), 2**62, count),
        rng.integers(0, 256, count),
        rng.random(count) < 0.9,
    )
    check(b.finish(), *inputs, target=target)


@pytest.mark.parametrize("where", [0, 31, 63, 99])
def test_extrema_are_nan_if_one_element_is(where, target):
    data = ramp(100)
    data[where] = np.nan
    b = KernelBuilder("extrema")
    x = b.input("float32", 100, "x")
    reductions: list = []
    with b.each(100, reductions=reductions) as i:
        reductions.append(b.reduction("min", b.load(x, i), np.inf))
        reductions.append(b.reduction("max", b.load(x, i), -np.inf))
    for r in reductions:
        b.store(b.output("float32", 1), 0, r.out)
    check(b.finish(), data, target=target)


def summed(count: int, dtype: str, work: float = 0.1) -> ir.Kernel:
    b = KernelBuilder("sum")
    x, y = b.input(dtype, count, "x"), b.output(dtype, 1, "y")
    reductions: list = []
    with b.each(count, reductions=reductions, work=work) as i:
        reductions.append(b.reduction("+", b.load(x, i), 0))
    b.store(y, 0, reductions[0].out)
    return b.finish()


@pytest.mark.parametrize("count", [0, 1, 3, 1000, 4096, 4097, 1_000_003])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_sums_are_about_as_accurate_as_numpy(count, dtype, target):
    data = np.random.default_rng(count).random(count).astype(dtype)
    exact = np.sum(data.astype("longdouble"))
    _, (found,) = Native(summed(count, dtype), target)(data)
    assert abs(found[0] - exact) <= 4 * np.finfo(dtype).eps * max(exact, 1e-300)


def test_a_sum_does_not_depend_on_threads():
    data = np.random.default_rng(1).normal(size=1_000_003).astype("float32")
    results = set()
    native = Native(summed(data.size, "float32", work=1.0))
    assert "ag_parallel" in native.text
    for _ in range(20):
        status, (found,) = native(data)
        assert status == 0
        results.add(found.tobytes())
    assert len(results) == 1
    np.testing.assert_allclose(found[0], data.astype("float64").sum(), atol=1e-2)


# -- rows ------------------------------------------------------------------------------------------


def softmax(rows: int, columns: int, work: float) -> ir.Kernel:
    b = KernelBuilder("softmax")
    x, y = b.input("float32", rows * columns, "x"), b.output("float32", rows * columns, "y")
    with b.each(rows, mode="parallel", work=work) as row:
        start = row * columns
        highest: list = []
        with b.each(columns, reductions=highest) as j:
            highest.append(b.reduction("max", b.load(x, start + j), -np.inf))
        memory = b.local("float32", columns, "numerators")
        total: list = []
        with b.each(columns, reductions=total) as j:
            e = kernels.exp(b.load(x, start + j) - highest[0].out)
            b.store(memory, j, e)
            total.append(b.reduction("+", e, 0))
        with b.each(columns) as j:
            b.store(y, start + j, b.load(memory, j) / total[0].out)
    return b.finish()


@pytest.mark.parametrize("work", [1.0, 1e5])
@pytest.mark.parametrize("columns", [1, 10, 512, 20001])
def test_rows_in_parallel(columns, work):
    data = np.random.default_rng(0).normal(size=(9, columns)).astype("float32")
    status, (found,) = Native(softmax(9, columns, work))(data)
    assert status == 0
    e = np.exp(data - data.max(1, keepdims=True))
    expected = e / e.sum(1, keepdims=True)
    np.testing.assert_allclose(found.reshape(9, -1), expected, rtol=1e-5)


def test_chunks_of_threads_do_not_overlap_where_it_matters():
    """Lanes of one byte are the most; what is in place is done once."""
    n = 500_001
    b = KernelBuilder("bytes")
    x, y = b.input("uint8", n, "x"), b.output("uint8", n, "y")
    z, total = b.input("uint8", n, "z"), b.output("int64", 1, "total")
    w = b.output("uint8", n, "w")
    b.share(z, w)
    reductions: list = []
    with b.each(n, work=5.0, reductions=reductions) as i:
        v = b.load(x, i)
        b.store(y, i, v + 1)
        b.store(w, i, b.load(z, i) + v)
        reductions.append(b.reduction("+", b.cast(v, "int64"), 0))
    b.store(total, 0, reductions[0].out)
    kernel = b.finish()
    native = Native(kernel)
    assert "ag_parallel" in native.text
    data = np.random.default_rng(0).integers(0, 256, n).astype("uint8")
    outputs = [np.zeros(n, "uint8"), np.zeros(1, "int64"), data.copy()]
    assert native.run((data, data), outputs) == 0
    assert same(outputs[0], data + np.uint8(1)) and same(outputs[2], data + data)
    assert outputs[1][0] == data.sum(dtype="int64")


@pytest.mark.parametrize("work", [0.1, 1e4])
@pytest.mark.parametrize("mode", ["vector", "parallel"])
@pytest.mark.parametrize("trips", [0, 1, 7, 33, 64, 100])
def test_a_count_that_is_not_known_beforehand(mode, work, trips):
    b = KernelBuilder("some")
    n, x = b.parameter("int64", "n"), b.input("float32", 100, "x")
    y, total = b.output("float32", 100, "y"), b.output("int64", 1, "total")
    reductions: list = []
    with b.each(100) as i:
        b.store(y, i, ir.Number(0, "float32"))
    with b.each(n, mode=mode, work=work, reductions=reductions) as i:
        b.store(y, i, b.load(x, i) * 2)
        reductions.append(b.reduction("+", i * i, 0))
    b.store(total, 0, reductions[0].out)
    check(b.finish(), trips, ramp(100))


# -- products of matrices --------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("transposed", [(False, False), (True, False), (False, True)])
def test_products(dtype, transposed):
    m, n, k = 5, 4, 3
    b = KernelBuilder("product")
    x, y = b.input(dtype, m * k, "x"), b.input(dtype, k * n + 2, "y")
    z = b.output(dtype, m * n, "z")
    strides = (m if transposed[0] else k, k if transposed[1] else n, n)
    b.add(ir.Multiply(x, y, z, m, n, k, *map(b.long, (0, 2, 0)), *strides, *transposed, 0.5))
    rng = np.random.default_rng(0)
    inputs = rng.integers(-4, 5, m * k), rng.integers(-4, 5, k * n + 2)
    check(b.finish(), *inputs)


# -- other machines --------------------------------------------------------------------------------

MACHINES = {
    "aarch64-unknown-linux-gnu": ("neoverse-n1", "+neon", 16),
    "arm64-apple-darwin": ("apple-m1", "+neon", 16),
    "x86_64-unknown-linux-gnu": ("x86-64", "+sse2", 16),
    "x86_64-pc-windows-msvc": ("x86-64-v3", "+avx2,+fma", 32),
}


@pytest.mark.costly
@pytest.mark.parametrize("triple", MACHINES)
def test_code_for_other_machines(triple):
    """It is only compiled."""
    from llvmlite import binding

    binding.initialize_all_targets()
    binding.initialize_all_asmprinters()
    cpu, features, width = MACHINES[triple]
    target = Target.of(triple, cpu, features)
    assert target.vector_bytes == width
    machine = binding.Target.from_triple(triple).create_target_machine(
        cpu=cpu, features=features, opt=3, reloc="pic", codemodel="small"
    )
    for seed in range(6):
        kernel = RandomKernel(seed, 33, "parallel" if seed == 5 else "vector").kernel
        module = binding.parse_assembly(print_llvm(kernel, target))
        module.verify()
        options = binding.create_pipeline_tuning_options(speed_level=3)
        passes = binding.create_pass_builder(machine, options)
        passes.getModulePassManager().run(module, passes)
        assert len(machine.emit_object(module)) > 500


def test_the_text_has_the_users_names():
    b = KernelBuilder("named")
    x, y = b.input("float32", 64, "prices"), b.output("float32", 64, "doubled")
    with b.each(64) as i:
        b.store(y, i, b.load(x, i, "price") * 2)
    text = print_llvm(b.finish(), host())
    for name in ("@named(", "%prices = ", "%price = load", "%doubled = "):
        assert name in text


def test_comments_show_the_users_lines_to_readers_only():
    b = KernelBuilder("commented", Location(__file__, 1))
    x, y = b.input("float32", 64, "x"), b.output("float32", 64, "y")
    with b.each(64) as i:
        b.place = Location(__file__, 1)
        v = b.load(x, i) * 2
        b.place = Location(__file__, 3)
        b.store(y, i, v + 1)
    kernel = b.finish()
    assert "test_features" not in print_llvm(kernel, host())
    text = print_llvm(kernel, host(), comments=True)
    assert '; test_features.py:1: """Kernels as LLVM code' in text
    assert text.index("py:1: ") < text.index(" fmul ") < text.index("py:3") < text.index(" fadd ")
