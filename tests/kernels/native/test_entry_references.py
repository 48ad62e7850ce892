"""What functions of kernels hold on to, and several threads that call one."""

import ctypes
import gc
import sys
import tracemalloc
import types
import weakref

import numpy as np
import pytest

pytest.importorskip("llvmlite")

from autograph.kernels.native.entry import make
from autograph.kernels.native.signature import (
    ALWAYS,
    NEVER,
    Alias,
    Array,
    KernelScalar,
    KernelSignature,
    LongFrom,
)
from tests.kernels.native.copying_kernels import F8, I8, PYTHON, copies, copy_function, slow
from tests.support.threads import in_threads

# -- references ------------------------------------------------------------------------------------


def test_references_to_arguments_and_results(entry):
    signature = KernelSignature(
        (Array(F8, (2,)), KernelScalar(F8)), (Array(F8, (2,)), KernelScalar(F8)), False
    )
    f = entry("f", copies([(0, 0, 16, True), (1, 1, 8, False)]), signature, slow)
    x, a = np.ones(2), np.float64(2.5)
    gc.collect()  # what tests before have left refers to dtypes, too
    count_x, count_a = sys.getrefcount(x), sys.getrefcount(a)
    count_dtype, count_type = sys.getrefcount(F8), sys.getrefcount(np.float64)
    kept = [f(x, a) for _ in range(100)]
    assert sys.getrefcount(x) == count_x and sys.getrefcount(a) == count_a
    assert all(sys.getrefcount(part) == sys.getrefcount(object()) + 2 for part in kept[0])
    kept.clear()
    assert abs(sys.getrefcount(F8) - count_dtype) <= 2
    assert abs(sys.getrefcount(np.float64) - count_type) <= 2


@pytest.mark.slow
def test_nothing_leaks(entry):
    many = 100_000 if entry is make else 5_000
    parameters = Array(F8, (2,)), KernelScalar(F8), KernelScalar(I8, PYTHON)
    results = (
        Array(F8, (2,)),
        KernelScalar(F8),
        KernelScalar(I8, PYTHON),
        Alias(0),
        Array(F8, (9000,)),
    )
    code = copies([(0, 0, 16, True), (1, 1, 8, False), (2, 2, 8, False)])
    f = entry("f", code, KernelSignature(parameters, results, single=False), lambda *_: None)
    gives_up = entry(
        "g", copies([], 1), KernelSignature(parameters, results, False), lambda *_: None
    )
    x, a = np.ones(2), np.float64(2.5)

    def calls(count):
        for i in range(count):
            f(x, a, 10**10 + i)
            f(x, 2.5, 1)
            gives_up(x, a, 10**10 + i)

    def growth():
        tracemalloc.start()
        try:
            gc.collect()
            before = tracemalloc.get_traced_memory()[0]
            calls(many)
            gc.collect()
            return tracemalloc.get_traced_memory()[0] - before
        finally:
            tracemalloc.stop()

    calls(100)
    # What leaks does so each time; the interpreter's own tables grow once in a while.
    assert any(growth() < 20_000 for _ in range(3))


def test_a_function_keeps_what_it_needs_and_no_longer():
    class Fallback:
        def __call__(self, *arguments):
            return arguments

    fallback = Fallback()
    alive = weakref.ref(fallback)
    f = copy_function(make, Array(F8, (2,)), Array(F8, (2,)), slow=fallback)
    fallback.function = f  # a cycle
    del fallback
    gc.collect()
    assert f(1) == (1,)
    assert np.array_equal(f(np.ones(2)), np.ones(2))
    del f
    gc.collect()
    assert alive() is None


def test_a_function_that_goes_while_it_runs():
    functions = []

    def fallback(*arguments):
        functions.clear()
        gc.collect()
        return "still here"

    functions.append(copy_function(make, KernelScalar(F8), KernelScalar(F8), slow=fallback))
    assert functions[0](None) == "still here"
    assert functions == []


def test_what_it_says_of_itself():
    f = copy_function(make, KernelScalar(F8), KernelScalar(F8))
    assert f.__name__ == "copy"
    assert "copy" in repr(f)


# -- threads ---------------------------------------------------------------------------------------


HELD = object()


@pytest.mark.parametrize(
    "long_from, released",
    [
        (ALWAYS, [True, True, True, True]),
        (NEVER, [False, False, False, False]),
        (LongFrom(1000, [1]), [False, False, True, True]),
        (LongFrom(1000, [0, 1]), [False, True, True, True]),
        (LongFrom(1001, [0, 1]), [False, False, False, True]),
    ],
)
def test_the_gil(long_from, released):
    """In the place of a kernel there is a function of Python's that says whether the GIL is held:
    then it returns 1, which is to give up."""
    address = ctypes.cast(ctypes.pythonapi.PyGILState_Check, ctypes.c_void_p).value
    number = KernelScalar(np.dtype("int64"), ("python",))
    signature = KernelSignature((number, number), (number,))
    code = types.SimpleNamespace(address=address, tiers=None)
    f = make("f", code, signature, lambda *args: HELD, long_from=long_from)
    calls = [(-5, 999), (1000, 3), (0, 1000), (2**60, 2**60)]
    assert [f(*call) is not HELD for call in calls] == released


def test_calls_from_several_threads():
    f = copy_function(make, Array(F8, (64,)), Array(F8, (64,)))
    wrong = []

    def work(mark):
        x = np.full(64, float(mark))
        for _ in range(2000):
            if not np.array_equal(f(x), x):
                wrong.append(mark)

    in_threads(work, range(4))
    assert wrong == []
