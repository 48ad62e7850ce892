"""Arrays with few elements along the last axis: what lanes read and write lies interleaved."""

import ctypes
import mmap
import sys

import numpy as np
import pytest

pytest.importorskip("llvmlite")
import autograph as ag
from autograph.kernels.ir.builder import KernelBuilder
from autograph.kernels.ir.interpreter import interpret
from autograph.kernels.llvm import print_llvm
from autograph.kernels.native import compiler
from tests.kernels.kernel_check import check
from tests.kernels.llvm.support import Native

SLOW = pytest.mark.slow
R = np.random.default_rng(0)
P, Q = R.normal(size=(301, 3)), R.normal(size=(301, 3))


def of_columns(p):
    out = np.empty_like(p)
    out[:, 0] = p[:, 1] * 2
    out[:, 1] = p[:, 2] - p[:, 0]
    out[:, 2] = p[:, 0] * p[:, 0]
    return out


def in_place(p):
    p[:, 0] = p[:, 1] + p[:, 2]
    p[:, 1] = p[:, 0] - p[:, 2]
    p *= 2


def turned(p):
    for _ in range(3):
        p = p[:, ::-1] * 0.5 + p
    return p


PROGRAMS = [
    (lambda p, q: np.cross(p, q), (P, Q)),
    (lambda p, q: np.stack([p[:, 0] + q[:, 1], p[:, 2] - q[:, 2]], axis=1), (P, Q)),
    (lambda p, q: np.concatenate([p, q], axis=1)[:, ::2] + 1.0, (P, Q)),
    (lambda p: p[:, ::-1] * 2, (P,)),
    (lambda p: p[::-1] * 2 + p[::-1], (P,)),
    (lambda p, q: p * q[:, 1:2] + q[0], (P, Q)),
    (lambda p: np.exp(p) / np.sum(np.exp(p), axis=1, keepdims=True), (P,)),
    (lambda p: p / np.linalg.norm(p, axis=1, keepdims=True), (P,)),
    (lambda p: (p > 0) & (p[:, :1] < p), (P,)),
    (lambda p: np.where(p > 0, p[:, 2:], p[:, :1]) + 0.5, (P,)),
    (lambda p, q: p[:, None, :] - q[None, :17, :], (P, Q)),
    (lambda p: np.transpose(p.reshape(7, 43, 3), (2, 0, 1)) * 2.0, (P,)),
    (lambda p: np.transpose(p.reshape(3, 7, 43), (1, 2, 0)) * 2.0, (P,)),
    (lambda p: p.reshape(43, 21)[:, 1::4] + p.reshape(43, 21)[:, :-1:4], (P,)),
    (lambda p: np.max(p, axis=1) - np.min(p, axis=1), (P,)),
    (of_columns, (P,)),
    (in_place, (P,)),
    (turned, (P,)),
]


@pytest.mark.parametrize("dtype", ["float64", pytest.param("float32", marks=SLOW), "uint8"])
@pytest.mark.parametrize("number", range(len(PROGRAMS)))
def test_short_last_axes(number, dtype):
    function, args = PROGRAMS[number]
    if np.dtype(dtype).kind in "iu":
        args = tuple((a * 10).astype(dtype) for a in args)
    with np.errstate(all="ignore"):
        check(function, *(a.astype(dtype) for a in args), kernels=None, scale=1.0)


@pytest.mark.parametrize("length", [2, 4, 5, 7, 8, 9])
@pytest.mark.parametrize("count", [9, 64, 1000])
def test_lengths_of_the_axis(length, count):
    x = R.normal(size=(count, length))
    check(lambda x: x[:, ::-1] + x * x[:, :1], x, scale=1.0)


def test_gradients():
    ag.check_grads(lambda p: np.sum(np.cross(p, p[:, ::-1]) * p[:, :1]), (P[:100],), order=1)


def test_nothing_is_scattered():
    (kernel,) = ag.to_graph(np.cross).kernels(P, Q).values()
    assert "scatter" not in kernel.text and "gather" not in kernel.text


def _moved(step, read, written, count, dtype):
    """A kernel: elements of pieces of memory, ``step`` long, moved to other places in these."""
    b = KernelBuilder("moved")
    x = b.input(dtype, step * count, "x")
    y = b.output(dtype, step * count, "y")
    with b.each(count) as i:
        for source, target in zip(read, written):
            b.store(y, i * step + target, b.load(x, i * step + source) + b.load(x, i * step))
    return b.finish()


def _before_the_end(x):
    """A copy of an array, behind which the process may not read."""
    page = mmap.PAGESIZE
    pages = -(-x.nbytes // page)
    memory = mmap.mmap(-1, (pages + 1) * page)
    whole = np.frombuffer(memory, np.uint8)
    protect = ctypes.CDLL(None).mprotect
    protect.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
    assert protect(whole.ctypes.data + pages * page, page, 0) == 0
    copy = whole[pages * page - x.nbytes : pages * page].view(x.dtype)
    copy[:] = x
    return copy


@pytest.mark.skipif(sys.platform != "linux", reason="protects a page of memory by Linux's mprotect")
@pytest.mark.parametrize("dtype", ["float64", pytest.param("float32", marks=SLOW), "uint8"])
@pytest.mark.parametrize("step", range(2, 9))
def test_steps(step, dtype):
    """The last element that is read is the last one of the array."""
    order = R.permutation(step)
    for read, written, count in [
        (order, R.permutation(step), 257),
        (order[:2], order[:2], 33),
        ([step - 1], [step - 1], 100),
        ([*order, *order], [*order, *order[::-1]], 100),
    ]:
        kernel = _moved(step, read, written, count, dtype)
        x = _before_the_end((R.normal(size=step * count) * 50).astype(dtype))
        expected = np.zeros(step * count, dtype)
        found = _before_the_end(expected)
        interpret(kernel, [x], [expected])
        assert Native(kernel).run((x,), [found]) == 0
        assert np.array_equal(found, expected), (read, written, count)


def test_stores_and_loads_of_the_same_memory_keep_their_order():
    count = 100
    b = KernelBuilder("ordered")
    x, y = b.input("float64", 2 * count, "x"), b.output("float64", 2 * count, "y")
    b.share(x, y)
    with b.each(count) as i:
        first = b.load(x, i * 2)
        b.store(y, i * 2, b.load(x, i * 2 + 1))
        again = b.load(x, i * 2)
        b.store(y, i * 2 + 1, first + again)
        b.store(y, i * 2, again - first)
    kernel = b.finish()
    given = R.normal(size=2 * count)
    expected, found = given.copy(), given.copy()
    interpret(kernel, [expected], [expected])
    assert Native(kernel).run((found,), [found]) == 0
    assert np.array_equal(found, expected)
    a, c = given[::2], given[1::2]
    assert np.array_equal(found[1::2], a + c) and np.array_equal(found[::2], c - a)


def test_elements_a_few_apart_are_shuffled():
    text = print_llvm(_moved(3, [2, 1, 0], [0, 1, 2], 1000, "float64"), compiler.target())
    assert "shufflevector" in text and "gather" not in text and "scatter" not in text
