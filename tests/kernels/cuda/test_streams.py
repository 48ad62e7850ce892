"""What the stand-in for streams and graphs refuses, as CUDA does."""

import ctypes

import numpy as np
import pytest

from tests.kernels.cuda.streams import FREED, Cuda, CudaError


@pytest.fixture
def cuda():
    return Cuda()


FORBIDDEN = {
    "cudaMalloc": lambda cuda, stream: cuda.held.append(cuda.alloc(10_000)),
    "cudaHostAlloc": lambda cuda, stream: cuda.pinned(64, 3),
    "cudaStreamQuery": lambda cuda, stream: cuda.query(stream.ptr),
    "cudaStreamSynchronize": lambda cuda, stream: stream.synchronize(),
    "a copy to the host": lambda cuda, stream: cuda.memcpy(0, 0, 0, "to host", stream.ptr),
    "a graph is launched": lambda cuda, stream: cuda.graph.launch(),
}


@pytest.mark.parametrize("what", FORBIDDEN)
def test_what_a_capture_does_not_allow(cuda, what):
    stream = cuda.current = cuda.stream(non_blocking=True)
    cuda.held = []
    stream.begin_capture()
    cuda.graph = stream.end_capture()
    FORBIDDEN[what](cuda, stream)
    stream.begin_capture()
    with pytest.raises(CudaError, match=what):
        FORBIDDEN[what](cuda, stream)
    with pytest.raises(CudaError, match="Invalidated"):
        stream.end_capture()
    FORBIDDEN[what](cuda, stream)


def test_the_legacy_stream_is_not_captured(cuda):
    with pytest.raises(CudaError, match="the legacy stream"):
        cuda.null.begin_capture()


def test_the_legacy_stream_waits_for_those_that_block(cuda):
    stream = cuda.stream()
    stream.begin_capture()
    with pytest.raises(CudaError, match="the legacy stream"):
        cuda.memset(0, 0, 0, cuda.null.ptr)


def test_a_capture_runs_nothing_and_a_graph_what_was_noted(cuda):
    memory = cuda.alloc(8)
    number = ctypes.c_int64.from_address(memory.ptr)
    stream = cuda.stream(non_blocking=True)
    number.value = 7
    stream.begin_capture()
    cuda.memset(memory.ptr, 0, 8, stream.ptr)
    graph = stream.end_capture()
    assert number.value == 7
    graph.launch()
    assert number.value == 0
    number.value = 8
    graph.launch(stream)
    assert number.value == 0


def test_memory_that_is_freed_is_garbage_and_goes_to_the_next(cuda):
    memory = cuda.alloc(800)
    address, array = memory.ptr, memory.array(np.float64, (100,))
    del memory
    array[:] = 1.0  # it holds the memory
    del array
    assert bytes((ctypes.c_char * 4).from_address(address)) == bytes([FREED] * 4)
    assert cuda.alloc(900).ptr == address  # of as many pages
