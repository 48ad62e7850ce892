"""The shim itself: it must find what it is there to find."""

import numpy as np
import pytest

from autograph.kernels.cuda.printer import print_cuda
from autograph.kernels.ir import ir
from autograph.kernels.ir.builder import KernelBuilder
from tests.kernels.cuda.in_c import in_c
from tests.kernels.cuda.machine import execute
from tests.kernels.cuda.shim import HostDevice, Unit


def run(text, seed=0, races=True):
    printed = in_c(text)
    found = [np.zeros(64, "i4")]
    execute(Unit([printed], races=races), printed, [], found, seed=seed)
    return found[0]


def test_threads_see_what_others_wrote_before_a_barrier():
    found = run(
        """
        __shared__ int y[64];
        y[threadIdx.x] = threadIdx.x;
        __syncthreads();
        x[threadIdx.x] = y[63 - threadIdx.x];
        """
    )
    assert found.tolist() == list(range(63, -1, -1))


def test_a_missing_barrier_shows():
    text = """
        __shared__ int y[64];
        y[threadIdx.x] = threadIdx.x;
        x[threadIdx.x] = y[63 - threadIdx.x];
        __syncthreads();
        """
    assert run(text, races=False).tolist() != list(range(63, -1, -1))


def test_shuffles_and_votes():
    found = run(
        """
        const int lane = threadIdx.x % 32;
        int t = __shfl_down_sync(0xffffffffu, lane, 16);
        t += 100 * __shfl_sync(0xffffffffu, (int)threadIdx.x, 5);
        const int any = __syncthreads_or(threadIdx.x == 40);
        const int warp = __any_sync(0xffffffffu, threadIdx.x == 40);
        x[threadIdx.x] = t + 10000 * any + 20000 * warp;
        """
    )
    lanes = np.arange(64) % 32
    down = np.where(lanes < 16, lanes + 16, lanes)
    warp = np.arange(64) // 32
    assert found.tolist() == (down + 100 * (5 + 32 * warp) + 10000 + 20000 * warp).tolist()


@pytest.mark.parametrize(
    "text",
    [
        "if (threadIdx.x < 3) __syncthreads();",
        "if (threadIdx.x < 3)\n__syncthreads();\nelse\n__syncthreads();",
        "if (threadIdx.x % 2) x[0] = __shfl_sync(0xffffffffu, 1, 0);",
        "if (threadIdx.x < 32) __syncwarp(); else __syncthreads();",
    ],
)
def test_threads_that_wait_in_vain(text):
    with pytest.raises(AssertionError, match="wait in vain"):
        run(text)


def test_shared_memory_starts_as_garbage():
    assert (run("__shared__ int y[64];\nx[threadIdx.x] = y[threadIdx.x];") == -0x34343435).all()


@pytest.mark.parametrize("place", [-1, 64])
def test_writing_outside_shows(place):
    with pytest.raises(AssertionError, match="written"):
        run(f"if (threadIdx.x == 0) x[{place}] = 5;")


def test_text_that_does_not_compile_is_an_error():
    with pytest.raises(RuntimeError, match="nothing"):
        run("nothing();")


def test_lanes_that_are_left_out_are_an_error():
    with pytest.raises(RuntimeError, match="left out"):
        run("x[threadIdx.x] = __shfl_sync(0xffffu, 1, 0);")


def test_kernels_of_one_name_share_a_unit():
    printed = []
    for factor in (2, 3):
        b = KernelBuilder("same")
        y = b.output("int64", 2000)
        with b.each(2000) as i:
            b.store(y, i, i * factor)
        printed.append(print_cuda(b.finish()))
    unit = Unit(printed)
    for kernel, factor in zip(printed, (2, 3)):
        found = [np.zeros(2000, "i8")]
        execute(unit, kernel, [], found)
        assert found[0].tolist() == list(range(0, 2000 * factor, factor))


def test_memory_is_garbage_at_first():
    device = HostDevice(Unit([]))
    memory = device.allocate(8)
    assert device.read(memory, ir.INT, 2).tolist() == [-0x54545455] * 2
