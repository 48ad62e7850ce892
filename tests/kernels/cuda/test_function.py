"""Programs with CUDA kernels, on a stand-in for CuPy: which run, and when CuPy's program does."""

import sys

import numpy as np
import pytest

import autograph as ag
from autograph.errors import DeviceError, MemoryLimitError, PerformanceWarning
from autograph.kernels.cuda import function, launch
from autograph.kernels.cuda.reported import reported
from benchmarks.gpu.device import anew
from tests.kernels.cuda import noted
from tests.kernels.cuda.cupy_stand_in import Array, on_device, on_host
from tests.kernels.cuda.machine import ON_GPU, PLACE


def softmax(x):
    e = np.exp(x - np.max(x, axis=1, keepdims=True))
    return e / np.sum(e, axis=1, keepdims=True)


def newton(a):
    x = a
    while abs(x * x - a) > 1e-10 * a:
        x = 0.5 * (x + a / x)
    return x


def close(found, expected):
    assert type(found) is Array and found.dtype == expected.dtype and found.shape == expected.shape
    np.testing.assert_allclose(on_host(found), expected, rtol=1e-12)


def test_a_kernel_runs(gpu):
    x = np.random.default_rng(0).standard_normal((40, 50))
    f = ag.to_graph(softmax)
    for _ in range(2):
        close(f(on_device(x)), softmax(x))
    assert gpu.launches == ["softmax_kernel"] * 2
    assert not gpu.copies


def test_gradients(gpu):
    x = np.random.default_rng(0).standard_normal(2000)
    loss = lambda x: np.sum(np.tanh(x) ** 2)
    close(ag.grad(loss)(on_device(x)), 2 * np.tanh(x) * (1 - np.tanh(x) ** 2))
    assert gpu.launches


def test_a_loop_in_each_lane_and_its_gradient(gpu):
    a = np.linspace(1.0, 9.0, 300)
    gradients = ag.vmap(ag.grad(newton))
    close(gradients(on_device(a)), gradients(a))
    assert gpu.launches == ["vmap_grad_newton_kernel"]
    assert gpu.copies == [20]  # the status, once


def test_several_results_and_numbers(gpu):
    f = ag.to_graph(lambda x, n: (x * n, np.sum(x) + n))
    x = np.arange(3000.0)
    product, total = f(on_device(x), 2.5)
    close(product, x * 2.5)
    close(total, np.asarray(np.sum(x) + 2.5))
    assert gpu.launches


def test_empty_arrays(gpu):
    f = ag.to_graph(lambda x: (np.exp(x), np.sum(x)))
    found, total = f(on_device(np.zeros((0, 3))))
    assert found.shape == (0, 3) and total == 0.0


def plainly(monkeypatch, gpu, x, *more):
    """Whether the program in CuPy's terms runs, for these arguments."""
    f = ag.to_graph(lambda x, *more: np.exp(x) * 2.0 + (more[0] if more else 0))
    f(on_device(np.ones((3, 4))), *more)
    before = len(gpu.launches)
    assert before
    expected = np.exp(on_host(x)) * 2.0 + (more[0] if more else 0)
    np.testing.assert_allclose(on_host(f(x, *more)), expected)
    return len(gpu.launches) == before


def test_arrays_that_do_not_fit_run_in_cupys_terms(monkeypatch, gpu):
    x = np.random.default_rng(0).standard_normal((3, 4))
    assert not plainly(monkeypatch, gpu, on_device(x))
    assert plainly(monkeypatch, gpu, on_device(x.T.copy()).T)  # columns lie together
    assert plainly(monkeypatch, gpu, on_device(np.tile(x, 2))[:, ::2])
    if ON_GPU:  # there is one device, and CuPy cannot read what is not aligned either
        return
    unaligned = np.zeros(8 * 12 + 1, "u1")[1:].view("f8").reshape(3, 4).view(Array)
    unaligned[...] = x
    assert plainly(monkeypatch, gpu, unaligned)
    elsewhere = on_device(x)
    elsewhere.device_id = 1
    assert plainly(monkeypatch, gpu, elsewhere)


@pytest.mark.parametrize("n", [2**63, -(2**63) - 1])
def test_integers_of_more_than_64_bits(gpu, n):
    value = ag.to_graph(lambda x, n: x * 2.0 + n)
    value(on_device(np.ones(3)), 5)
    before = len(gpu.launches)
    try:
        expected = np.ones(3) * 2.0 + n
    except OverflowError:
        expected = None
    if expected is None:
        with pytest.raises(OverflowError):
            value(on_device(np.ones(3)), n)
    else:
        np.testing.assert_array_equal(on_host(value(on_device(np.ones(3)), n)), expected)
    assert len(gpu.launches) == before


def test_what_gives_up_runs_in_cupys_terms(gpu):
    f = ag.to_graph(lambda x, i: np.exp(x[i]) * x[i])
    x, i = np.arange(5.0), np.array([1, -1, 4])
    close(f(on_device(x), on_device(i)), np.exp(x[i]) * x[i])
    assert gpu.launches
    if not ON_GPU:  # CuPy wraps such places around
        with pytest.raises(IndexError):
            f(on_device(x), on_device(i + 2))


def test_without_memory_the_program_runs_in_cupys_terms(gpu):
    a = np.linspace(1.0, 9.0, 300)
    gradients = ag.vmap(ag.grad(newton))
    gpu.memory = 20_000
    close(gradients(on_device(a)), gradients(a))
    assert not gpu.launches


@pytest.mark.skipif(ON_GPU, reason="CuPy itself has all of the memory there")
@pytest.mark.parametrize("kernels", ["0", "1"])
def test_without_any_memory_an_error_names_the_line(monkeypatch, kernels):
    with noted.stand_in(monkeypatch) as gpu:
        monkeypatch.setenv("AUTOGRAPH_CUDA_KERNELS", kernels)
        x = sys.modules["cupy"].asarray(np.ones((30, 40)))
        f = ag.to_graph(anew(softmax))
        gpu.memory = 1000
        with pytest.raises(MemoryLimitError, match="the GPU has no more memory") as caught:
            f(x)
        assert isinstance(caught.value, MemoryError)
        assert "e = np.exp(x" in str(caught.value) and "free_all_blocks" in str(caught.value)
        gpu.memory = None
        np.testing.assert_allclose(f(x).get(), softmax(np.ones((30, 40))))


def halved(x):
    while np.max(np.sort(x)) > 1.0:
        x = np.sort(x) * 0.5
    return x


def test_without_a_gpu_the_error_says_so():
    """Not that something was launched before."""
    said = "cudaErrorInsufficientDriver: CUDA driver version is insufficient for CUDA runtime"
    error = reported(RuntimeError(said), "", None)
    assert "CuPy finds no GPU that it can use: cudaErrorInsufficientDriver" in str(error)
    assert "backend='cupy'" in error.fix and "launched" not in str(error)


@pytest.mark.skipif(ON_GPU, reason="after an error of the device no other test could run")
@pytest.mark.parametrize("kernels", ["0", "1"])
def test_an_error_that_the_host_meets_names_the_line(monkeypatch, kernels):
    """Where it reads the condition of a loop, in CuPy's terms, of which no kernel tells."""
    with noted.stand_in(monkeypatch) as gpu:
        monkeypatch.setenv("AUTOGRAPH_CUDA_KERNELS", kernels)
        x = sys.modules["cupy"].asarray(np.arange(30.0))
        f = ag.to_graph(anew(halved))
        np.testing.assert_array_equal(f(x).get(), halved(np.arange(30.0)))
        gpu.cuda.failed = 700
        with pytest.raises(DeviceError, match="an error of the device: 700' where") as caught:
            f(x)
        assert "np.max(np.sort(x)) > 1.0" in str(caught.value)


def test_a_kernel_that_is_refused_is_said_once(gpu):
    gpu.refused = True
    f, x = ag.to_graph(softmax), np.ones((3, 4))
    with pytest.warns(PerformanceWarning, match="without a CUDA kernel.*refused$") as caught:
        for _ in range(3):
            close(f(on_device(x)), softmax(x))
    assert len(caught) == 1


def test_a_kernel_that_cannot_be_printed_is_said(monkeypatch, gpu):
    def refuse(kernel):
        raise NotImplementedError("'conjure' on CUDA")

    monkeypatch.setattr(function, "print_cuda", refuse)
    with pytest.warns(PerformanceWarning, match="'conjure' on CUDA"):
        close(ag.to_graph(softmax)(on_device(np.ones((3, 4)))), softmax(np.ones((3, 4))))


def grown(x):
    n = 0
    while x < np.float32(8) and n < 5:
        x = np.sin(x) * np.exp(x) + x if x > np.float32(2) else x * x + np.float32(0.75)
        n += 1
    return x


def test_lanes_keep_values_of_several_types(gpu):
    """Each lane has its own number of trips: where one keeps float32s, others keep links."""
    x = np.linspace(0.2, 5, 300, dtype="f4")
    gradients = ag.vmap(ag.grad(grown))
    found, expected = gradients(on_device(x)), gradients(x)
    assert gpu.launches == ["vmap_grad_grown_kernel"] and found.dtype == expected.dtype
    # NVIDIA's sine and exponential have other last bits, which the trips make larger.
    np.testing.assert_allclose(on_host(found), expected, rtol=1e-3 if PLACE else 1e-4)


@pytest.mark.skipif(ON_GPU, reason="after an error of the device no other test could run")
def test_an_error_of_the_device_names_the_line(monkeypatch, gpu):
    error = type(
        "CUDARuntimeError", (RuntimeError,), {"__module__": "cupy_backends.cuda.api.runtime"}
    )

    def fails(self, *given):
        raise error("cudaErrorIllegalAddress: an illegal memory access was encountered")

    monkeypatch.setattr(launch.GpuDevice, "launch", fails)
    with pytest.raises(DeviceError, match="IllegalAddress") as caught:
        ag.to_graph(softmax)(on_device(np.ones((3, 4))))
    assert isinstance(caught.value, RuntimeError)
    assert "def softmax" in str(caught.value) or "np.exp(x" in str(caught.value)
    assert "CUDA_LAUNCH_BLOCKING=1" in str(caught.value)
