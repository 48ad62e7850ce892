"""NCCL itself, with one process on one GPU: that it takes what it is given. What several do needs
several GPUs."""

import numpy as np
import pytest

from autograph.parallel.mpi.calls import Call
from autograph.parallel.nccl.communicator import NcclCommunicator
from autograph.parallel.nccl.store import TcpStore
from autograph.parallel.nccl.store_peers import StorePeers
from tests.parallel.nccl.test_collectives import NUMBERS, REAL, SHAPES, numbers

pytestmark = pytest.mark.gpu
WHAT = Call("psum", "train.py:12")


@pytest.fixture
def alone():
    cupy = pytest.importorskip("cupy", reason="CuPy is not installed")
    try:
        count = cupy.cuda.runtime.getDeviceCount()
    except cupy.cuda.runtime.CUDARuntimeError as error:
        pytest.skip(f"no CUDA device: {error}")
    if not count or not cupy.cuda.nccl.available:
        pytest.skip("no CUDA device, or no NCCL")
    store = TcpStore(0, 1, "localhost", 0, 20.0)
    yield cupy, NcclCommunicator(StorePeers(store, (0,)), cupy)
    store.close()


def same(found, expected):
    found = found.get()
    assert (found.dtype, found.shape) == (expected.dtype, expected.shape)
    np.testing.assert_array_equal(found, expected)


def test_all_collectives_of_all_dtypes(alone):
    cupy, c = alone
    for dtype in NUMBERS:
        for shape in SHAPES:
            host = numbers(dtype, shape, 0)
            x = cupy.asarray(host)
            same(c.sum([x], WHAT)[0], host)
            same(c.sum([x, x], WHAT)[1], host)
            same(c.sum_to(x, 0, WHAT), host)
            same(c.gather(x, WHAT), host[None])
            same(c.broadcast(x, 0, WHAT), host)
            same(c.scatter_sum(x[None], WHAT), host)
            same(c.exchange(x[None], WHAT), host[None])
            if dtype in REAL:
                same(c.max([x], WHAT)[0], host)
                same(c.min([x], WHAT)[0], host)
    c.barrier(Call("barrier", ""))


def test_nan_and_infinities(alone):
    cupy, c = alone
    for dtype in ("float16", "float32", "float64"):
        host = np.array([np.nan, -np.inf, np.inf, -0.0, 0.0, -1.5], dtype)
        same(c.max([cupy.asarray(host)], WHAT)[0], host)
        same(c.min([cupy.asarray(host)], WHAT)[0], host)
