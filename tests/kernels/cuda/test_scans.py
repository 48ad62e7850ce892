"""Running totals of long rows on a GPU: a thread for each chunk of a row."""

import numpy as np
import pytest

import autograph as ag
import ops
from autograph.kernels.cuda import compile as nvrtc
from autograph.kernels.cuda.plan import Launch
from autograph.kernels.cuda.printer import print_cuda
from autograph.kernels.ir.ir import Number
from autograph.kernels.selection.parts import select
from tests.kernels.cuda.cupy_stand_in import on_device, on_host, stand_in
from tests.kernels.cuda.machine import Unit, execute

LENGTHS = [512, 513, 640, 4096, 40_001]


@pytest.fixture
def gpu(monkeypatch):
    with stand_in(monkeypatch) as made:
        yield made


def kernel_of(program, *shape, dtype=np.float32):
    """A program's kernel for a GPU, printed."""
    graph = ag.to_graph(program).graph(np.zeros(shape, dtype))
    (kernel,) = select(graph, host=False).kernels.values()
    return print_cuda(kernel)


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
    x = np.random.default_rng(0).standard_normal((3, 1300))
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
    printed = kernel_of(np.cumsum, 5000)
    x = np.random.default_rng(0).standard_normal(5000).astype(np.float32)
    unit, found = Unit([printed]), []
    for blocks, seed in ((1, 1), (3, 2), (50, 3)):
        found.append(np.zeros(5000, np.float32))
        execute(unit, printed, [x], [found[-1]], blocks=blocks, seed=seed)
    assert found[0].tobytes() == found[1].tobytes() == found[2].tobytes()


def test_threads_fill_a_gpu():
    """And none of them looks whether it is to end, nor does the host wait."""
    printed = kernel_of(np.cumsum, 10**8)
    launches = [step for step in printed.steps if isinstance(step, Launch)]
    counts = [int(x.trips.value) for x in launches if isinstance(x.trips, Number)]
    assert counts[0] == counts[-1] > 250_000
    assert len(launches) == len(printed.steps) == 5 and not printed.may_stop


@pytest.mark.skipif(not nvrtc.available(), reason="CuPy or NVRTC is not installed")
@pytest.mark.parametrize("architecture", ["sm_80", "sm_90", "sm_100"])
def test_registers(architecture):
    """A multiprocessor holds half of the threads that it may have, at least."""
    if architecture not in nvrtc.architectures():
        pytest.skip(f"this NVRTC does not know {architecture}")
    for dtype in (np.float32, np.float64):
        printed = kernel_of(np.cumsum, 10**8, dtype=dtype)
        for name, used in nvrtc.compile_cuda(printed.text, architecture).resources.items():
            assert used.spilled == used.stack == used.shared == 0, (name, used)
            assert used.registers <= 2**16 // 1024, (name, used)
