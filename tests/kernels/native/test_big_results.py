"""Results of kernels whose memory is kept for the next ones."""

import gc
import pickle
import sys
import tracemalloc

import numpy as np
import pytest

pytest.importorskip("llvmlite")

from autograph.kernels.native.entry import make
from autograph.kernels.native.runtime import runtime
from autograph.kernels.native.signature import Array
from tests.kernels.native.copying_kernels import F4, F8, copy_function, some
from tests.support.threads import in_threads


@pytest.fixture
def big():
    runtime().trim()
    shape = (200, 300)
    yield copy_function(make, Array(F8, shape), Array(F8, shape)), some(F8, shape)
    gc.collect()
    runtime().trim()


def test_big_results_are_ordinary_arrays(big):
    f, x = big
    y, ordinary = f(x), np.empty_like(x)
    assert y.base is None and y.flags.num == ordinary.flags.num
    assert np._core.multiarray.get_handler_name(y) == "autograph"
    assert sys.getrefcount(y) == sys.getrefcount(ordinary)
    assert sys.getsizeof(y) == sys.getsizeof(ordinary)
    assert np.array_equal(pickle.loads(pickle.dumps(y)), x)
    y += 1
    view = y[1:, ::2]
    del y
    assert np.array_equal(view, x[1:, ::2] + 1)
    line = copy_function(make, Array(F4, (20_000,)), Array(F4, (20_000,)))(np.ones(20_000, F4))
    assert line.flags.num == np.empty(20_000, F4).flags.num
    none = copy_function(make, Array(F4, (20_000, 0)), Array(F4, (20_000, 0)))
    assert none(np.ones((20_000, 0), F4)).shape == (20_000, 0)


def test_memory_of_big_results_is_used_again(big):
    f, x = big
    y = f(x)
    address = y.ctypes.data
    assert f(x).ctypes.data != address  # which is in use
    kept = runtime().memory_kept
    assert kept >= x.nbytes
    del y
    assert runtime().memory_kept >= kept + x.nbytes
    for _ in range(20):
        f(x)
    assert runtime().memory_kept <= 2 * 1.25 * x.nbytes


@pytest.mark.costly
@pytest.mark.parametrize("shape", [(100, 300), (200, 300), (1000, 1000), (0,), (1,)])
def test_big_results_can_be_resized(big, shape):
    f, x = big
    y = f(x)
    y.resize(shape, refcheck=False)
    expected = x.copy()
    expected.resize(shape, refcheck=False)
    assert np.array_equal(y, expected)


def test_big_results_are_traced(big):
    f, x = big
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        y = f(x)
        assert x.nbytes <= tracemalloc.get_traced_memory()[0] - before < x.nbytes + 10_000
        del y
        assert tracemalloc.get_traced_memory()[0] - before < 10_000
    finally:
        tracemalloc.stop()


def test_big_results_of_several_threads(big):
    f, x = big
    wrong = []

    def work(mark):
        mine = x + mark
        for _ in range(300):
            if not np.array_equal(f(mine), mine):
                wrong.append(mark)

    in_threads(work, range(4))
    assert wrong == []
