"""Products of matrices: given to threads in parts, vectors to the function for vectors."""

import ctypes
import os
import threading

import numpy as np
import pytest

pytest.importorskip("llvmlite")

import autograph as ag
from autograph.kernels.native import blas
from autograph.kernels.native.runtime import runtime
from tests.support.processes import file_of, printed

pytestmark = pytest.mark.skipif(not blas.blas_available(), reason="NumPy has no BLAS library")

KINDS = {"float32": (ctypes.c_float, "cblas_sgemm"), "float64": (ctypes.c_double, "cblas_dgemm")}


def multiply(a, b, c, alpha=1.0, beta=0.0, turned=(False, False), small=False):
    """``c = alpha * op(a) @ op(b) + beta * c`` by the function that kernels call."""
    kind, name = KINDS[str(c.dtype)]
    name = name.replace("_", "_small_") if small else name
    integer, pointer = ctypes.c_int64, ctypes.c_void_p
    types = [ctypes.c_int, ctypes.c_int, ctypes.c_int, integer, integer, integer, kind, pointer]
    types += [integer, pointer, integer, kind, pointer, integer]
    function = ctypes.CFUNCTYPE(None, *types)(runtime().symbols[name])
    inner = a.shape[0] if turned[0] else a.shape[1]
    strides = [x.strides[0] // x.itemsize for x in (a, b, c)]
    modes = [112 if t else 111 for t in turned]
    given = [101, *modes, *c.shape, inner, alpha, a.ctypes.data, strides[0], b.ctypes.data]
    function(*given, strides[1], beta, c.ctypes.data, strides[2])


@pytest.mark.parametrize("shape", [(1, 7, 5), (7, 1, 5), (3, 4, 5), (64, 48, 50), (40, 40, 125)])
@pytest.mark.parametrize("dtype", KINDS)
def test_small_products_have_the_same_bits(dtype, shape):
    rows, columns, inner = shape
    rng = np.random.default_rng(inner)
    for turned in [(False, False), (True, False), (False, True)]:
        a = matrix(rng, *((inner, rows) if turned[0] else (rows, inner)), dtype)
        b = matrix(rng, *((columns, inner) if turned[1] else (inner, columns)), dtype)
        large, small = (np.ones((rows, columns), dtype) for _ in range(2))
        multiply(a, b, large, 0.5, 2.0, turned)
        multiply(a, b, small, 0.5, 2.0, turned, small=True)
        np.testing.assert_array_equal(large, small)
    square = matrix(rng, 20, 30, dtype)
    large, small = (np.zeros((20, 20), dtype) for _ in range(2))
    multiply(square, square, large, turned=(False, True))
    multiply(square, square, small, turned=(False, True), small=True)
    np.testing.assert_array_equal(large, small)


def test_a_small_product_needs_no_threads(tmp_path):
    program = """
import numpy as np
import autograph as ag
from autograph.kernels.native import runtime

linked, plain = [], runtime.link_products
runtime.link_products = lambda name, used: linked.append(name) or plain(name, used)
for rows in (40, 400):
    x, w = np.linspace(0.0, 1.0, rows * 50).reshape(rows, 50), np.ones((50, 60))
    found = ag.to_graph(lambda x, w: np.tanh(x) @ w)(x, w)
    assert np.allclose(found, np.tanh(x) @ w)
    print(*linked, "ag_parallel" in runtime.runtime()._found)
"""
    path = file_of(tmp_path / "program.py", program)
    lines = printed(path, AUTOGRAPH_CACHE_DIR="").splitlines()
    assert lines == ["ag_small_dgemm False", "ag_small_dgemm ag_dgemm True"]


def matrix(rng, rows, columns, dtype, spare=3):
    """A matrix whose rows are apart."""
    return rng.standard_normal((rows, columns + spare)).astype(dtype)[:, :columns]


@pytest.mark.parametrize("turned", [(a, b) for a in (False, True) for b in (False, True)])
@pytest.mark.parametrize(
    "shape",
    [(1, 1, 1), (1, 7, 5), (7, 1, 5), (1, 900, 400), (900, 1, 400), (3, 4, 5), (64, 48, 100)]
    + [(700, 90, 80), (90, 700, 80), (513, 257, 129), (257, 1025, 64), (33, 2000, 50)],
)
@pytest.mark.parametrize("dtype", KINDS)
def test_products_are_numpys(dtype, shape, turned):
    rows, columns, inner = shape
    rng = np.random.default_rng(rows)
    a = matrix(rng, *((inner, rows) if turned[0] else (rows, inner)), dtype)
    b = matrix(rng, *((columns, inner) if turned[1] else (inner, columns)), dtype)
    whole = matrix(rng, rows, columns + 3, dtype, 0)
    before, c = whole.copy(), whole[:, :columns]
    product = (a.T if turned[0] else a) @ (b.T if turned[1] else b)
    tolerance = 30 * np.finfo(dtype).eps * inner**0.5
    multiply(a, b, c, turned=turned)
    np.testing.assert_allclose(c, product, rtol=tolerance, atol=10 * tolerance)
    np.testing.assert_array_equal(whole[:, columns:], before[:, columns:])
    multiply(a, b, c, alpha=0.5, beta=-2.0, turned=turned)
    np.testing.assert_allclose(c, -1.5 * product, rtol=tolerance, atol=30 * tolerance)


def gram(x):
    return np.dot(x.T, x) * 2.0


def itself(x, y):
    """Products of matrices and their transposes, alone, in a loop and of parts of others."""
    first = gram(x) + 1.0
    total = np.zeros((x.shape[0], x.shape[0]), dtype=x.dtype)
    for i in range(3):
        total = total * 0.5 + x @ x.T
    return first, total, (y[1] @ y[1].T) * first[0, 0], (x.T @ y[0].T) - first


@pytest.mark.parametrize("shape", [(70, 33), (33, 200), (300, 2)])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_a_matrix_times_its_transpose_has_numpys_bits(dtype, shape):
    rng = np.random.default_rng(0)
    x = rng.standard_normal(shape).astype(dtype)
    y = rng.standard_normal((2, *shape[::-1])).astype(dtype)
    compiled = ag.to_graph(itself)
    for found, expected in zip(compiled(x, y)[:3], itself(x, y)[:3]):
        np.testing.assert_array_equal(found, expected)
    np.testing.assert_allclose(compiled(x, y)[3], itself(x, y)[3], rtol=1e-3, atol=1e-3)


def library_threads():
    found = blas._blas()
    if not found.threads:
        pytest.skip("the library does not tell")
    return ctypes.CFUNCTYPE(ctypes.c_int)(found.threads)()


def test_the_library_has_its_threads_again():
    before = library_threads()
    rng = np.random.default_rng(0)
    a, b = (matrix(rng, 300, 300, "float32", 0) for _ in range(2))
    stop = threading.Event()

    def work():
        c = np.empty((300, 300), np.float32)
        while not stop.is_set():
            multiply(a, b, c)

    workers = [threading.Thread(target=work) for _ in range(4)]
    for worker in workers:
        worker.start()
    stop.wait(0.5)
    stop.set()
    for worker in workers:
        worker.join()
    assert library_threads() == before


def test_functions_with_products_of_all_kinds():
    @ag.to_graph
    def f(x, w, v, heads):
        y = np.tanh(x @ w)  # one matrix for a batch
        scores = heads @ np.swapaxes(heads, -1, -2)  # a batch each
        return np.sum(y @ v), np.sum(scores, axis=-1), np.mean(y, axis=(0, 1)) @ w

    rng = np.random.default_rng(1)
    x = rng.standard_normal((6, 100, 128))
    w, v = rng.standard_normal((128, 128)) / 10, rng.standard_normal(128)
    heads = rng.standard_normal((4, 3, 120, 70))

    def plain(x, w, v, heads):
        y = np.tanh(x @ w)
        scores = heads @ np.swapaxes(heads, -1, -2)
        return np.sum(y @ v), np.sum(scores, axis=-1), np.mean(y, axis=(0, 1)) @ w

    for result, wanted in zip(f(x, w, v, heads), plain(x, w, v, heads)):
        np.testing.assert_allclose(result, wanted, rtol=1e-10, atol=1e-10)


@pytest.mark.parametrize(
    "x_batch, y_batch", [((), (5,)), ((5,), ()), ((2, 1), (3,)), ((4, 1), (4, 3))]
)
def test_batches_that_broadcast(x_batch, y_batch):
    rng = np.random.default_rng(2)
    x, y = rng.standard_normal((*x_batch, 20, 30)), rng.standard_normal((*y_batch, 30, 10))
    f = ag.to_graph(lambda x, y: (x + 1.0) @ (y * 2.0) - 1.0)
    np.testing.assert_allclose(f(x, y), (x + 1.0) @ (y * 2.0) - 1.0, rtol=1e-12, atol=1e-12)
    g = ag.to_graph(lambda x, y: np.swapaxes(x, -1, -2) @ np.swapaxes(y, -1, -2) + 0.5)
    x, y = np.swapaxes(x, -1, -2).copy(), np.swapaxes(y, -1, -2).copy()
    wanted = np.swapaxes(x, -1, -2) @ np.swapaxes(y, -1, -2) + 0.5
    np.testing.assert_allclose(g(x, y), wanted, rtol=1e-12, atol=1e-12)


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
def test_a_process_forked_while_others_multiply(tmp_path):
    program = """
        import os, sys, threading, time
        import numpy as np
        import autograph as ag

        f = ag.to_graph(lambda x, y: np.tanh(x @ y) + 1.0)
        x = np.ones((400, 400))
        f(x, x)
        stop = False
        def work():
            while not stop:
                f(x, x)
        workers = [threading.Thread(target=work) for _ in range(3)]
        for worker in workers:
            worker.start()
        for _ in range(10):
            child = os.fork()
            if child == 0:
                ok = np.array_equal(f(x, x), f(x, x))
                os._exit(0 if ok else 1)
            _, status = os.waitpid(child, 0)
            assert status == 0, status
        stop = True
    """
    printed("-W", "ignore", "-X", "faulthandler", file_of(tmp_path / "forks.py", program))
