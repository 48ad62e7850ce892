"""The number of threads does not change a bit of the result, but where docs/kernels.md says so."""

import pytest

pytest.importorskip("llvmlite")

from autograph.kernels.native import blas
from tests.support.processes import file_of, printed

PROGRAM = """
import sys, zlib
import numpy as np
import autograph as ag

rng = np.random.default_rng(0)

def show(name, function, *args):
    results = ag.to_graph(function)(*args)
    results = results if isinstance(results, tuple) else (results,)
    print(name, *(zlib.crc32(np.ascontiguousarray(r).tobytes()) for r in results))

def array(*shape):
    return rng.standard_normal(shape).astype(dtype)

def turned(x):
    return np.ascontiguousarray(x.T)

def layers(w, v, x):
    return np.sum(np.tanh(x @ w) @ v + np.sum(x, axis=1, keepdims=True))
"""

PRODUCTS = """
for dtype in (np.float32, np.float64):
    for rows, columns, inner in SHAPES:
        a, b = array(rows, inner), array(inner, columns)
        name = f"{dtype.__name__} {rows} x {inner} x {columns}"
        show(name, lambda a, b: a @ b + 1, a, b)
        show(name + " b.T", lambda a, c: a @ c.T + 1, a, turned(b))
        show(name + " a.T", lambda a, b: a.T @ b + 1, turned(a), b)
    w, v, x = array(300, 200), array(200, 150), array(700, 300)
    gradient = ag.grad(layers, argnums=(0, 1, 2))
    show("gradient", lambda *args: gradient(*args), w, v, x)
"""

OTHERS = """
for dtype in (np.float32, np.float64):
    for shape in [(100_001,), (1, 300_000), (300_000, 1), (517, 611), (3, 200_000), (200_000, 3)]:
        x = array(*shape)
        name = f"{dtype.__name__} {shape}"
        show(name, lambda x: (np.sum(x), np.mean(x), np.max(x), np.std(x), np.prod(x)), x)
        show(name, lambda x: (np.sum(x, axis=0), np.sum(np.exp(x), axis=-1), np.cumsum(x)), x)
        show(name, ag.grad(lambda x: np.sum(np.sin(x) * np.mean(x)) / np.sum(x * x)), x)
        show(name, lambda x: ag.vmap(lambda row: np.sum(row * row) / (1 + np.sum(row)))(x), x)
    def steps(x):
        total = 0.0
        for _ in range(10):
            x = np.tanh(1.1 * x) + np.exp(-x * x)
            total = total + np.sum(x)
        return x, total

    show(f"{dtype.__name__} in a loop", steps, array(9_001))
x = rng.integers(-1000, 1000, (700, 900))
show("int64", lambda x: (np.sum(x), np.sum(x, axis=0), np.mean(x), np.any(x > 0, axis=1)), x)

def newton(a):
    x = a
    while abs(x * x - a) > 1e-12 * a:
        x = 0.5 * (x + a / x)
    return x

a = np.linspace(0.1, 100.0, 100_000)
show("loops", lambda a: ag.vmap(newton)(a), a)
show("loops", lambda a: ag.vmap(ag.grad(newton))(a), a)
"""

FEW = [(1500, 700, 300), (700, 1500, 200), (300, 300, 300), (1501, 33, 77)]
MANY = [
    (4000, 12, 90),
    (1500, 1500, 700),
    (2000, 65, 300),
    (257, 129, 511),
    (1000, 10, 1000),
    (7000, 64, 64),
]
MANY += [(9000, 5, 100), (128, 128, 128), (100, 100, 100), (96, 384, 512), (91, 90, 1000)]
MANY += [(512, 1024, 512), (20000, 10, 784), (1, 700, 900), (900, 1, 700), (130, 125, 127)]


def results(program, threads, tmp_path, **environment):
    """What a program prints with some number of threads."""
    path = file_of(tmp_path / "program.py", program, PROGRAM)
    environment["AUTOGRAPH_NUM_THREADS"] = str(threads)
    return printed("-W", "ignore", path, timeout=300, **environment).splitlines()


def compare(program, tmp_path, threads, **environment):
    wanted = results(program, 1, tmp_path, **environment)
    assert len(wanted) > 2
    for number in threads:
        assert results(program, number, tmp_path, **environment) == wanted, number


has_blas = pytest.mark.skipif(not blas.blas_available(), reason="NumPy has no BLAS library")


@pytest.mark.slow
@has_blas
def test_products(tmp_path):
    compare(f"SHAPES = {FEW}\n{PRODUCTS}", tmp_path, [3])


@has_blas
@pytest.mark.slow
@pytest.mark.parametrize("core", ["", "Haswell", "Zen", "Sandybridge", "Nehalem"])
def test_products_of_many_shapes(tmp_path, core):
    """With the code that OpenBLAS has for other processors, as well."""
    compare(f"SHAPES = {FEW + MANY}\n{PRODUCTS}", tmp_path, [2, 3, 4, 7], OPENBLAS_CORETYPE=core)


@pytest.mark.slow
def test_what_multiplies_no_matrices(tmp_path):
    compare(OTHERS, tmp_path, [2, 3, 4])
