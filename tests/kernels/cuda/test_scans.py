"""Running totals on a GPU: a block for each tile of a row, a thread for each chunk of a column."""

import re

import numpy as np
import pytest

import autograph as ag
import ops
from autograph.kernels.cuda import compile as nvrtc
from autograph.kernels.cuda.plan import Launch
from autograph.kernels.ir.ir import Number
from autograph.kernels.lowering.rules import gpu_scans
from tests.kernels.cuda.compare import run_both
from tests.kernels.cuda.cupy_stand_in import on_device, on_host
from tests.kernels.cuda.machine import ON_GPU, PLACE, Unit, execute
from tests.kernels.cuda.registers import ARCHITECTURES, kernel_of, used_by

LENGTHS = [128, 129, 640, 3840, 4096, 40_001]


@pytest.mark.costly
@pytest.mark.parametrize("length", LENGTHS)
def test_integers_are_the_same(gpu, length):
    x = np.random.default_rng(0).integers(-9, 9, length)
    f = ag.to_graph(lambda x: (np.cumsum(x), np.cumprod(x % 3 - 1), ops.cummax(x), ops.cummin(x)))
    before = len(gpu.launches)
    for found, expected in zip(f(on_device(x)), f(x)):
        np.testing.assert_array_equal(on_host(found), expected)
    assert len(gpu.launches) > before


@pytest.mark.parametrize("length", LENGTHS)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_floats_agree_to_rounding(gpu, length, dtype):
    x = np.random.default_rng(0).uniform(0, 1, length).astype(dtype)
    found = ag.to_graph(lambda x: np.cumsum(x * 2))(on_device(x))
    assert found.dtype == dtype
    tolerance = 1e-5 if dtype == np.float32 else 1e-13
    expected = np.cumsum(x.astype(float) * 2)
    np.testing.assert_allclose(on_host(found), expected, rtol=tolerance)


def test_rows_extrema_and_what_is_not_finite(gpu):
    x = np.random.default_rng(0).standard_normal((3, 4900))
    x[0, 700], x[1, 0], x[2, 1299] = np.nan, np.inf, -np.inf
    x[:, 40:90] = -0.0

    def program(x):
        return np.cumsum(x, axis=1), ops.cummax(x, 1), ops.cummin(x, 1)

    for found, expected in zip(ag.to_graph(program)(on_device(x)), program(x)):
        np.testing.assert_allclose(on_host(found), expected, rtol=1e-12, atol=1e-12)


def test_gradients(gpu):
    x = np.random.default_rng(0).standard_normal(1300)
    f = ag.grad(lambda x: np.sum(np.cumsum(x) ** 2))
    np.testing.assert_allclose(on_host(f(on_device(x))), f(x), rtol=1e-10)


def test_a_recurrence_stays_in_order(gpu):
    a, b = np.random.default_rng(0).uniform(0, 1, (2, 1300))
    f = ag.to_graph(ops.recurrence)
    np.testing.assert_array_equal(on_host(f(on_device(a), on_device(b))), f(a, b))


def test_totals_do_not_depend_on_the_grid():
    printed = kernel_of(np.cumsum, 5000, dtype=np.float32)
    x = np.random.default_rng(0).standard_normal(5000).astype(np.float32)
    unit, found = Unit([printed]), []
    for blocks, seed in ((1, 1), (3, 2), (50, 3)):
        found.append(np.zeros(5000, np.float32))
        execute(unit, printed, [x], [found[-1]], blocks=blocks, seed=seed)
    assert found[0].tobytes() == found[1].tobytes() == found[2].tobytes()


@pytest.fixture
def short_spans(monkeypatch):
    """Tiles of 256 elements, 16 of which are a span."""
    monkeypatch.setattr(gpu_scans, "_MOST", 1)
    monkeypatch.setattr(gpu_scans, "_SPAN", 16)


@pytest.mark.costly
@pytest.mark.parametrize("shape", [(20_001,), (3, 4400), (2, 4096), (5, 257)])
def test_blocks_look_back(short_spans, shape):
    """In one launch, whichever blocks start first, and however many run at once: floats have the
    same bits, and so have integers as NumPy's."""
    rng = np.random.default_rng(0)
    programs = {
        np.float32: lambda x: np.cumsum(x, axis=-1),
        np.float64: lambda x: np.cumprod(1 + x / 1e3, axis=-1),
        np.int64: lambda x: np.cumsum(x, axis=-1),
        np.int32: lambda x: ops.cummax(x, -1),
    }
    for dtype, program in programs.items():
        x = rng.uniform(0, 9, shape).astype(dtype)
        printed, expected = kernel_of(program, *shape, dtype=dtype), program(x)
        (step,) = printed.steps
        assert isinstance(step, Launch) and step.flags is not None
        unit, results = Unit([printed]), set()
        for blocks, seed in ((1, 1), (2, 2), (3, 3), (7, 4), (50, 5), (50, 6)):
            found = np.zeros(expected.size, expected.dtype)
            execute(unit, printed, [x], [found], blocks=blocks, seed=seed)
            results.add(found.tobytes())
        assert len(results) == 1
        if expected.dtype.kind == "i":
            np.testing.assert_array_equal(found, expected.reshape(-1))
        else:
            tolerance = 1e-5 if dtype == np.float32 else 1e-12
            exact = program(x.astype(float)).reshape(-1)
            np.testing.assert_allclose(found, exact, tolerance)


def test_what_tiles_of_an_other_span_have(short_spans):
    """As the interpreter computes them: the program is the same for both."""
    printed = kernel_of(np.cumsum, 256 * 40, dtype=np.float32)
    x = np.random.default_rng(0).standard_normal(256 * 40).astype("f4")
    expected, found, _ = run_both(Unit([printed]), printed, [x], blocks=4)
    assert found[0].tobytes() == expected[0].tobytes()


@pytest.mark.skipif(PLACE != "", reason="it is about the text, and a GPU does not tell")
def test_looking_back_without_fences_or_flags(short_spans):
    printed = kernel_of(np.cumsum, 256 * 20, dtype=np.float32)
    text, x = printed.text, np.ones(256 * 20, "f4")

    def run(changed, seed=0):
        printed.text = changed
        execute(Unit([printed]), printed, [x], [np.zeros(256 * 20, "f4")], blocks=3, seed=seed)

    run(text)
    fences = [m.start() for m in re.finditer("__threadfence", text)]
    assert len(fences) == 2  # in what announces, and in what waits
    for place in fences:
        with pytest.raises(AssertionError, match="race"):
            run(text[:place] + ";//" + text[place:])
    announcing = [m.start() for m in re.finditer(r"announce\(flags, ", text)]
    assert len(announcing) == 2  # a tile, and a span
    for place in announcing:
        with pytest.raises(AssertionError, match="wait in vain"):
            run(text[:place] + ";//" + text[place:])
    ordered = "taken = atomicAdd((int *)&flags[0], 1);"
    assert ordered in text
    by_place = "taken = flags[0] ? 99 : (int)blockIdx.x;"  # blocks that start in any order
    printed.steps[0].ordered = True  # as many as there are trips
    with pytest.raises(AssertionError, match="wait in vain"):
        for seed in range(20):
            run(text.replace(ordered, by_place), seed)


def test_looking_back_again_and_again(gpu, short_spans):
    """Flags are 0 when it begins: in a graph of CUDA's, and in loops of the host's."""
    f = ag.to_graph(lambda x: np.cumsum(np.cumsum(x) % 7))
    for n in range(5):
        x = np.arange(5000) % (9 + n)
        y = on_device(x)
        np.testing.assert_array_equal(on_host(f(y)), np.cumsum(np.cumsum(x) % 7))

    def several(x, n):
        for _ in range(n):
            x = np.cumsum(x) % 11
        return x

    g, h = ag.to_graph(several), lambda x: several(x, 3)
    for length in (300, 700, 20_000):  # one block has all trips, or the host launches each
        x = np.arange(length)
        for n in (2, 3):
            np.testing.assert_array_equal(on_host(g(on_device(x), n)), several(x, n))
        np.testing.assert_array_equal(on_host(ag.to_graph(h)(on_device(x))), h(x))


def test_blocks_that_may_give_up_are_not_waited_for():
    picked = kernel_of(lambda x: np.cumsum(x[np.minimum(np.abs(x).astype(int), 9)]), 10_000)
    assert picked.may_fail
    assert [step.flags for step in picked.steps if isinstance(step, Launch)] == [None] * 3


def test_blocks_fill_a_gpu():
    """And none of them looks whether it is to end, nor does the host wait."""
    printed = kernel_of(np.cumsum, 10**8, dtype=np.float32)
    launches = [step for step in printed.steps if isinstance(step, Launch)]
    counts = [int(x.trips.value) for x in launches if isinstance(x.trips, Number)]
    assert counts[0] > 20_000
    assert len(launches) == len(printed.steps) == 1 and not printed.may_stop
    rows = lambda x: np.cumsum(x, axis=1)
    assert len(kernel_of(rows, 65536, 1024, dtype=np.float32).steps) == 1


@pytest.mark.skipif(ON_GPU, reason="a GPU does not tell")
def test_a_missing_barrier_is_found():
    """Between any two of the loops of a tile. The next tile's elements are read by the threads that
    stored this one's."""
    printed = kernel_of(lambda x: np.cumsum(x, axis=1), 5, 512, dtype=np.float32)
    barrier = "__syncthreads();\n"
    places = [m.start() for m in re.finditer(re.escape(barrier), printed.text)]
    assert len(places) == 6
    text, x = printed.text, np.ones((5, 512), "f4")
    execute(Unit([printed]), printed, [x], [np.zeros(5 * 512, "f4")], blocks=1)
    for place in places[:-1]:
        printed.text = text[:place] + text[place + len(barrier) :]
        with pytest.raises(AssertionError, match="race"):
            execute(Unit([printed]), printed, [x], [np.zeros(5 * 512, "f4")], blocks=1)


SHAPES = [((1300, 70), 0), ((5, 700, 9), 1), ((600, 4, 3), 0), ((40, 3000), 0), ((2, 513, 2), 1)]


@pytest.mark.costly
@pytest.mark.parametrize("shape, axis", SHAPES)
def test_other_axes(gpu, shape, axis):
    x = np.random.default_rng(0).integers(-9, 9, shape)

    def program(x):
        totals = np.cumsum(x, axis=axis)
        return totals, np.cumprod(x % 3 - 1, axis=axis), ops.cummax(x, axis), ops.cummin(x, axis)

    f = ag.to_graph(program)
    for found, expected in zip(f(on_device(x)), program(x)):
        np.testing.assert_array_equal(on_host(found), expected)
    y = np.random.default_rng(1).standard_normal(shape)
    y.flat[77] = np.nan
    for found, expected in zip(f(on_device(y)), program(y)):
        np.testing.assert_allclose(on_host(found), expected, rtol=1e-9, atol=1e-9)


def test_gradients_along_columns(gpu):
    x = np.random.default_rng(0).standard_normal((700, 5))
    f = ag.grad(lambda x: np.sum(np.cumsum(np.tanh(x), axis=0) ** 2))
    np.testing.assert_allclose(on_host(f(on_device(x))), f(x), rtol=1e-9, atol=1e-9)


@pytest.mark.costly
@pytest.mark.parametrize("columns", [None, 3])
@pytest.mark.parametrize("lengths", [(2000, 3000, 700, 40_001, 2, 3), (3, 5, 2000, 2, 40_001)])
def test_one_program_for_all_lengths(gpu, columns, lengths):
    """Cut as for the length for which it was made, or not at all."""
    f = ag.to_graph(lambda x: (np.cumsum(x, axis=0), ops.cummax(x * 2, 0)))
    for n in lengths:
        x = np.random.default_rng(n).integers(-9, 9, (n, columns) if columns else n)
        before = len(gpu.launches)
        totals, most = f(on_device(x))
        assert len(gpu.launches) > before
        np.testing.assert_array_equal(on_host(totals), np.cumsum(x, axis=0))
        np.testing.assert_array_equal(on_host(most), np.maximum.accumulate(x * 2, axis=0))


def test_rows_of_any_number(gpu):
    f = ag.to_graph(lambda x: np.cumsum(x, axis=1))
    for n in (4, 5, 7, 300):
        x = np.random.default_rng(n).integers(-9, 9, (n, 600))
        np.testing.assert_array_equal(on_host(f(on_device(x))), np.cumsum(x, axis=1))


def test_threads_read_neighbouring_columns():
    """About 2**18 of them add a matrix of 100 columns, and as many as there are of 10**5."""
    printed = kernel_of(lambda x: np.cumsum(x, axis=0), 10**6, 100)
    launches = [step for step in printed.steps if isinstance(step, Launch)]
    counts = [int(x.trips.value) for x in launches if isinstance(x.trips, Number)]
    assert counts[0] == counts[-1] > 250_000
    assert len(launches) == len(printed.steps) <= 5 and not printed.may_stop
    assert "= i % 100;" in printed.text
    (whole,) = kernel_of(lambda x: np.cumsum(x, axis=0), 100, 10**5).steps
    assert isinstance(whole, Launch) and isinstance(whole.trips, Number)
    assert int(whole.trips.value) == 10**5


@pytest.mark.costly
@pytest.mark.skipif(not nvrtc.available(), reason="CuPy or NVRTC is not installed")
@pytest.mark.parametrize("architecture", ARCHITECTURES)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_registers(architecture, dtype):
    """A multiprocessor holds half of the threads that it may have, at least."""
    columns = lambda x: np.cumsum(x, axis=0)
    for printed in (
        kernel_of(np.cumsum, 10**8, dtype=dtype),
        kernel_of(columns, 10**6, 100, dtype=dtype),
    ):
        found = dict(used_by(printed, architecture))
        for entry, used in found.items():
            assert used.spilled == used.stack == 0, (entry.name, used)
            assert used.shared <= 3840 * np.dtype(dtype).itemsize + 4 * 1024, (entry.name, used)
        for launch in (printed.steps[0], printed.steps[-1]):  # those of all elements
            assert isinstance(launch, Launch)
            used = found[launch.entry]
            assert used.registers <= 2**16 // 1024, (launch.entry.name, used)
