"""Reductions along leading axes for a GPU: a thread for each column of each chunk of rows."""

import numpy as np
import pytest

import autograph as ag
from autograph.kernels.cuda import compile as nvrtc
from autograph.kernels.cuda.plan import Launch
from autograph.kernels.ir.ir import Number
from tests.kernels.cuda.cupy_stand_in import on_device, on_host
from tests.kernels.cuda.machine import Unit, execute
from tests.kernels.cuda.registers import ARCHITECTURES, kernel_of, used_by


def sums(x):
    return np.sum(x, axis=0)


def several(x):
    y = np.tanh(x) + 1
    return y, np.max(y, axis=0), np.min(x, axis=0), np.sum(x * x, axis=0)


def normalised(x):
    return (x - np.mean(x, axis=0)) / np.std(x, axis=0)


def signs(x):
    return np.any(x > 3.9, axis=0), np.all(x > -3.5, axis=0)


def planes(x):
    return np.sum(x.reshape(5, -1, x.shape[1]) * 2, axis=(0, 1))


PROGRAMS = [sums, several, normalised, signs, planes]


def launches(printed):
    """What the host launches, which is all that it does."""
    assert all(isinstance(step, Launch) for step in printed.steps)
    return [step for step in printed.steps if isinstance(step, Launch)]


def trips(printed):
    """How many trips the launches share out that do."""
    return [int(step.trips.value) for step in launches(printed) if isinstance(step.trips, Number)]


@pytest.mark.costly
@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize("shape", [(700, 100), (6400, 11), (640, 200)])
def test_columns(gpu, program, shape):
    x = np.random.default_rng(0).standard_normal(shape)
    f = ag.to_graph(program)
    for given in (x, x.astype(np.float32)):
        before = len(gpu.launches)
        found, expected = f(on_device(given)), program(given)
        assert len(gpu.launches) > before
        found = found if isinstance(found, tuple) else (found,)
        expected = expected if isinstance(expected, tuple) else (expected,)
        for y, z in zip(found, expected):
            assert y.dtype == z.dtype and y.shape == z.shape
            tolerance = 1e-4 if z.dtype == np.float32 else 1e-11
            np.testing.assert_allclose(on_host(y), z, rtol=tolerance, atol=tolerance)


def test_integers_and_nan(gpu):
    x = np.random.default_rng(0).integers(-100, 100, (1300, 70))
    f = ag.to_graph(lambda x: (np.sum(x, axis=0), np.max(x, axis=0), np.min(x, axis=0)))
    for found, expected in zip(f(on_device(x)), f(x)):
        np.testing.assert_array_equal(on_host(found), expected)
    y = x.astype(float)
    y[1299, 3] = y[0, 5] = y[700, 69] = np.nan
    for found, expected in zip(f(on_device(y)), f(y)):
        np.testing.assert_array_equal(on_host(found), expected)


def test_one_program_for_all_lengths(gpu):
    f = ag.to_graph(normalised)
    for n in (1100, 1200, 1301, 3, 2000):
        x = np.random.default_rng(n).standard_normal((n, 90))
        np.testing.assert_allclose(on_host(f(on_device(x))), normalised(x), rtol=1e-9, atol=1e-11)


@pytest.mark.parametrize("given", [(1301, 64), (64, 1301)])
def test_gradients(gpu, given):
    def loss(bias, x):
        return np.sum(np.tanh(x + bias) ** 2)

    x = np.random.default_rng(0).standard_normal(given)
    bias = np.linspace(-1, 1, given[1])
    f = ag.grad(loss)
    found = on_host(f(on_device(bias), on_device(x)))
    np.testing.assert_allclose(found, f(bias, x), rtol=1e-10, atol=1e-12)


def test_sums_do_not_depend_on_the_grid():
    printed = kernel_of(sums, 1300, 70, dtype=np.float32)
    x = np.random.default_rng(0).standard_normal(1300 * 70).astype(np.float32)
    found = []
    unit = Unit([printed])
    for blocks, seed in ((1, 1), (3, 2), (50, 3)):
        found.append(np.zeros(70, np.float32))
        execute(unit, printed, [x], [found[-1]], blocks=blocks, seed=seed)
    assert found[0].tobytes() == found[1].tobytes() == found[2].tobytes()
    np.testing.assert_allclose(found[0], x.reshape(1300, 70).sum(0), rtol=1e-4, atol=1e-4)


def test_threads_fill_a_gpu():
    """About as many as the largest has, none of which looks whether it is to end."""
    printed = kernel_of(normalised, 10**6, 100)
    means, columns, deviations, again, whole = trips(printed)
    assert min(means, deviations) > 250_000
    assert columns == again == 100  # a block adds the totals of a column
    assert whole == 10**6
    assert not printed.may_stop


def test_the_kernel_that_is_shown_is_that_of_a_gpu():
    x = np.zeros((1300, 70))
    (kernel,) = ag.to_graph(sums).kernels(x).values()
    assert kernel_of(sums, 1300, 70).text.split("\n", 1)[1] in kernel.cuda


def test_few_rows_are_not_cut():
    """Fewer than what is read and written more would be worth."""
    printed = kernel_of(sums, 64, 2**19, dtype=np.float32)
    assert trips(printed) == [2**19]


@pytest.mark.costly
@pytest.mark.skipif(not nvrtc.available(), reason="CuPy or NVRTC is not installed")
@pytest.mark.parametrize("architecture", ARCHITECTURES)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_registers(architecture, dtype):
    """A multiprocessor holds 2048 threads that add rows, with 32 registers for each."""
    printed = kernel_of(normalised, 10**6, 100, dtype=dtype)
    found = dict(used_by(printed, architecture))
    for entry, used in found.items():
        assert used.spilled == used.stack == 0 and used.shared <= 1024, (entry.name, used)
    for launch in launches(printed)[:3:2]:
        used = found[launch.entry]
        assert used.registers <= 2**16 // 2048, (launch.entry.name, used)
