"""Loops of which a thread takes several trips at a time, to read and write 16 bytes at once."""

import re

import numpy as np
import pytest

import autograph as ag
from autograph.kernels.cuda import compile as nvrtc
from autograph.kernels.cuda import vectors
from autograph.kernels.cuda.printer import print_cuda
from autograph.kernels.ir.builder import KernelBuilder
from tests.kernels.cuda.compare import assert_same, check, run_both
from tests.kernels.cuda.cupy_stand_in import on_device, on_host
from tests.kernels.cuda.machine import ON_GPU, Unit, execute
from tests.kernels.cuda.programs import Program
from tests.kernels.cuda.registers import ARCHITECTURES, used_by

SIZES = [256, 257, 259, 1024, 3001]


@pytest.fixture(autouse=True)
def few(monkeypatch):
    """So that the loops of the tests are long enough."""
    monkeypatch.setattr(vectors, "MANY", 256)


def doubled(dtype, count, other=None, in_place=False):
    """``y = 2 * x``, or with another dtype, and the total of ``x``."""
    b = KernelBuilder("doubled")
    x, y = b.input(dtype, count, "x"), b.output(other or dtype, count, "y")
    total = b.output(dtype, 1, "total")
    if in_place:
        b.share(x, y)
    sums: list = []
    with b.each(count, reductions=sums, work=1e6) as i:
        v = b.load(x, i)
        b.store(y, i, b.cast(v + v, y.dtype))
        sums.append(b.reduction("+", v, 0, "sum"))
    b.store(total, 0, sums[0].out)
    return b.finish()


def widths(text):
    """How many elements are moved at once, wherever some are."""
    return [int(n) for n in re.findall(r"(?:load|store)_vector\(\w+?_(\d+)", text)]


@pytest.mark.parametrize("count", SIZES)
@pytest.mark.parametrize("dtype", ["float32", "float64", "int32", "int64", "uint8"])
def test_values(dtype, count):
    x = (np.arange(count) % 17 - 8 * (dtype[0] != "u")).astype(dtype)
    text = check(doubled(dtype, count), x)
    assert widths(text) == [16 // np.dtype(dtype).itemsize] * 2


def test_elements_of_several_sizes_are_as_many():
    text = check(doubled("float64", 1025, "float32"), np.arange(1025.0))
    assert widths(text) == [2, 2]


def test_in_place():
    text = check(doubled("float32", 999, in_place=True), np.arange(999, dtype="f4"))
    assert widths(text) == [4, 4]


def rows(dtype, count, columns):
    """Rows less their sum, through an array of the row."""
    b = KernelBuilder("rows")
    x, y = (f(dtype, count * columns, n) for f, n in ((b.input, "x"), (b.output, "y")))
    with b.each(count, "parallel", work=columns * 100.0) as row:
        kept = b.local(dtype, columns, "kept")
        sums: list = []
        with b.each(columns, reductions=sums) as j:
            v = b.load(x, row * columns + j)
            b.store(kept, j, v + v)
            sums.append(b.reduction("+", v, 0, "sum"))
        with b.each(columns) as j:
            b.store(y, row * columns + j, b.load(kept, j) - sums[0].out)
    return b.finish()


LONG = pytest.param(4096, 4, marks=pytest.mark.slow)


@pytest.mark.costly
@pytest.mark.parametrize("columns, width", [(128, 4), (96, 2), (66, 2), (1000, 4), LONG])
def test_rows(columns, width):
    """Each lane of a warp, or thread of a block, has some; and rows start where vectors may."""
    x = np.random.default_rng(0).integers(-9, 9, 40 * columns).astype("f4")
    assert set(widths(check(rows("float32", 40, columns), x))) == {width}


@pytest.mark.costly
@pytest.mark.parametrize("columns", [33, 127, 1001])
def test_rows_of_odd_lengths_do_not_start_where_vectors_may(columns):
    x = np.arange(40 * columns) % 19
    assert widths(check(rows("float32", 40, columns), x.astype("f4"))) == []


def one_loop(body, count=512, size=2048):
    """The text of a loop, whose results are those of the interpreter."""
    b = KernelBuilder("loop")
    x, y = b.input("float32", size, "x"), b.output("float32", size, "y")
    with b.each(size) as i:
        b.store(y, i, b.cast(i, "float32") + 0.0)
    with b.each(count, work=1e6) as i:
        body(b, x, y, i)
    text = check(b.finish(), np.arange(size, dtype="f4"))
    return text[text.rindex("__global__") :]


def test_multiples_of_a_vector_further_on():
    text = one_loop(lambda b, x, y, i: b.store(y, i + 1024, b.load(x, i + 4) + b.load(x, i)))
    assert widths(text) == [4, 4, 4]
    text = one_loop(lambda b, x, y, i: b.store(y, i, b.load(x, i + 2)))
    assert widths(text) == [2, 2]


def test_what_does_not_depend_on_the_trip_is_read_as_before():
    text = one_loop(lambda b, x, y, i: b.store(y, i, b.load(x, i) * b.load(x, 5)))
    assert widths(text) == [4, 4] and "x[5]" in text


@pytest.mark.parametrize(
    "body",
    {
        "an odd place": lambda b, x, y, i: b.store(y, i, b.load(x, i + 1)),
        "a place of its own": lambda b, x, y, i: b.store(y, i, b.load(x, i * 2)),
        "what another trip writes": lambda b, x, y, i: b.store(
            y, i, b.load(x, i) + b.load(y, i + 1024)
        ),
        "backwards": lambda b, x, y, i: b.store(y, i, b.load(x, 511 - i)),
        "a branch that keeps it inside": lambda b, x, y, i: b.store(
            y, i, b.if_(i >= 4, lambda: [b.load(x, i - 4)], lambda: [b.load(x, 3)])[0]
        ),
        "a store in a branch": lambda b, x, y, i: b.if_(
            i >= 4, lambda: (b.store(y, i, b.load(x, 3)), [])[1], lambda: []
        ),
        "a check": lambda b, x, y, i: (
            b.check(b.load(x, i) >= 0),
            b.store(y, i, b.load(x, i)),
        ),
        "a loop inside": lambda b, x, y, i: b.store(
            y, i, b.for_(3, [b.load(x, i)], lambda n, t: [t + t])[0]
        ),
    }.items(),
    ids=lambda x: x[0],
)
def test_other_loops_are_left_alone(body):
    assert widths(one_loop(body[1])) == []


def test_few_trips_are_for_as_many_threads():
    assert widths(print_cuda(doubled("float32", 255)).text) == []


@pytest.mark.parametrize("offset", [0, 1, 2, 3, 4])
def test_views(gpu, offset):
    """They may start anywhere; what is computed is the same to the bit."""
    x = np.random.default_rng(0).standard_normal(3004).astype("f4")
    f = ag.to_graph(lambda x: (2 * x + 1, np.sum(x)))
    given = on_device(x)[offset : offset + 3000]
    y, total = f(given)
    np.testing.assert_array_equal(on_host(y), 2 * x[offset : offset + 3000] + 1)
    aligned = f(on_device(x[offset : offset + 3000]))[1]
    assert on_host(total).tobytes() == on_host(aligned).tobytes()


def test_any_length(gpu):
    f = ag.to_graph(lambda x: x * x + 1)
    for n in (1000, 1001, 3, 1, 4098):
        x = np.random.default_rng(n).standard_normal(n).astype("f4")
        np.testing.assert_array_equal(on_host(f(on_device(x))), x * x + 1)


def test_sums_do_not_depend_on_the_grid():
    printed = print_cuda(doubled("float32", 5001))
    x = np.random.default_rng(0).standard_normal(5001).astype("f4")
    unit, found = Unit([printed]), []
    for blocks, seed in ((1, 1), (3, 2), (50, 3)):
        y, total = np.zeros(5001, "f4"), np.zeros(1, "f4")
        execute(unit, printed, [x], [y, total], blocks=blocks, seed=seed)
        found.append(total.tobytes())
    assert len(set(found)) == 1


@pytest.mark.costly
@pytest.mark.parametrize("reserves", [False, True])
def test_random_kernels(monkeypatch, reserves):
    """With vectors wherever they may be."""
    monkeypatch.setattr(vectors, "MANY", 1)
    made = [Program(seed, reserves=reserves) for seed in range(100, 112)]
    printed = [print_cuda(x.kernel) for x in made]
    assert any(widths(x.text) for x in printed)
    unit = Unit(printed)
    for program, each in zip(made, printed):
        for x, y in zip(*run_both(unit, each, program.inputs)[:2]):
            assert_same(y, x)


# -- planted mistakes ------------------------------------------------------------------------------


def planted(kernel, old, new):
    printed = print_cuda(kernel)
    assert old in printed.text
    printed.text = printed.text.replace(old, new)
    return printed


@pytest.mark.skipif(ON_GPU, reason="a GPU's context does not outlive it")
def test_a_vector_that_is_not_aligned_is_found(gpu):
    printed = planted(doubled("float32", 512), "aligned, 4", "true, 4")
    with pytest.raises(AssertionError, match="16 bytes at 0x"):
        execute_at(printed, 4)
    execute_at(printed, 16)


def execute_at(printed, nbytes):
    """Run a kernel on an array that starts some bytes further."""
    from autograph.kernels.cuda.run import run
    from tests.kernels.cuda.machine import Device

    device = Device(Unit([printed]))
    memory = device.put(np.zeros(600, "f4"))
    run(printed, device, [device.at(memory, nbytes)], [device.put(np.zeros(512, "f4")), memory])


@pytest.mark.skipif(ON_GPU, reason="the guards are not where a GPU would stop")
def test_a_vector_past_the_end_is_found():
    printed = planted(doubled("float32", 513), "aligned && left >= 4, left", "aligned, 4")
    with pytest.raises(AssertionError, match="written past the end"):
        run_both(Unit([printed]), printed, [np.zeros(513, "f4")])


@pytest.mark.skipif(ON_GPU, reason="what is past the end may be anything there")
def test_a_trip_past_the_end_is_found():
    printed = planted(doubled("int32", 513), ">= left) break;", ">= 4) break;")
    printed.text = printed.text.replace(
        "x + first, aligned && left >= 4, left", "x + first, aligned, 4"
    )
    expected, found, _ = run_both(Unit([printed]), printed, [np.ones(513, "i4")])
    assert found[1] != expected[1]


# -- what becomes of it ----------------------------------------------------------------------------


@pytest.mark.skipif(not nvrtc.available(), reason="CuPy or NVRTC is not installed")
@pytest.mark.parametrize("dtype, opcode", [("float32", "v4.f32"), ("float64", "v2.f64")])
def test_the_compiler_moves_16_bytes_at_once(dtype, opcode):
    code = nvrtc.ptx(print_cuda(doubled(dtype, 4096)).text, "sm_90")
    assert f"ld.global.nc.{opcode}" in code and f"st.global.{opcode}" in code
    code = nvrtc.ptx(print_cuda(rows(dtype, 40, 1024)).text, "sm_90")
    assert f"ld.shared.{opcode}" in code and f"st.shared.{opcode}" in code


@pytest.mark.costly
@pytest.mark.skipif(not nvrtc.available(), reason="CuPy or NVRTC is not installed")
@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_registers(architecture):
    """A multiprocessor holds half of the threads that it may have, at least."""
    for kernel in (
        doubled("float32", 2**22),
        doubled("float64", 2**22),
        rows("float32", 999, 1024),
    ):
        for entry, used in used_by(print_cuda(kernel), architecture):
            assert used.spilled == used.stack == 0, (entry.name, used)
            assert used.registers <= 2**16 // 1024, (entry.name, used)
