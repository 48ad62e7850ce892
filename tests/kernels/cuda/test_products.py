"""Products by cuBLASLt, on a stand-in that looks at each call, and as parts of graphs."""

import ctypes
import dataclasses
import logging
import os
import random

import numpy as np
import pytest

import autograph as ag
from autograph.errors import DeviceError
from autograph.kernels.cuda import products
from autograph.kernels.cuda.printer import print_cuda
from autograph.kernels.cuda.products import CublasLt, ProductError, Products
from autograph.kernels.ir import ir
from autograph.kernels.ir.builder import KernelBuilder
from tests.kernels.cuda import random_programs
from tests.kernels.cuda.cublaslt import Library, Result, loaded
from tests.kernels.cuda.cupy_stand_in import on_device, on_host
from tests.kernels.cuda.machine import ON_GPU
from tests.kernels.cuda.shim import HostDevice
from tests.kernels.cuda.streams import Cuda, CudaError

pytestmark = pytest.mark.usefixtures("products_of_the_library")
looks = pytest.mark.skipif(ON_GPU, reason="it looks at what the stand-in has done")
RNG = np.random.default_rng(0)


class Bench:
    """A device and the library, without kernels."""

    def __init__(self, **options):
        self.cuda = Cuda()
        self.cuda.current = self.cuda.stream(non_blocking=True)
        self.library = Library(self.cuda, **options)
        self.calls = CublasLt(loaded(self.library))
        self.products = Products(self.calls, 1 << 20)

    def multiply(self, s, a, b, c):
        """A product of arrays on the host, of which the third is changed."""
        places = tuple(x.ctypes.data for x in (a, b, c))
        made = self.products.prepared(s, *places)
        workspace = self.cuda.alloc(made.workspace)
        self.products.run(made, s, places, workspace.ptr, self.cuda.current.ptr)
        return made


def statement(dtype, rows, columns, inner, **changes):
    """A product with matrices without gaps; what changes is given."""
    b = KernelBuilder("product")
    buffers = [b.input(dtype, 10, name) for name in "xyz"]
    turned = changes.get("a_transposed", False), changes.get("b_transposed", False)
    strides = (rows if turned[0] else inner, inner if turned[1] else columns, columns)
    zero = b.long(0)
    made = ir.Multiply(*buffers, rows, columns, inner, zero, zero, zero, *strides)
    return dataclasses.replace(made, **changes)


def random_statement(rng):
    dtype = rng.choice(["float32", "float64"])
    rows, columns, inner = (int(n) for n in rng.integers(1, 9, 3))
    turned = {name: bool(rng.integers(2)) for name in ("a_transposed", "b_transposed")}
    s = statement(np.dtype(dtype), rows, columns, inner, **turned)
    gaps = [int(n) for n in rng.integers(0, 3, 3)]
    strides = [x + gap for x, gap in zip((s.a_stride, s.b_stride, s.c_stride), gaps)]
    batch = int(rng.choice([1, 1, 4]))
    sizes = [
        strides[0] * (inner if s.a_transposed else rows),
        strides[1] * (columns if s.b_transposed else inner),
        strides[2] * rows,
    ]
    steps = [n + int(rng.integers(3)) for n in sizes] if batch > 1 else [0, 0, 0]
    for i in range(2):
        steps[i] *= int(rng.integers(3) > 0)
    alpha, beta = rng.choice([1.0, -0.5]), rng.choice([0.0, 1.0, 2.0])
    s = dataclasses.replace(s, alpha=float(alpha), beta=float(beta), batch=batch)
    s = s.with_measures((rows, columns, inner, *strides, batch, *steps))
    arrays = [
        rng.normal(size=size + step * (batch - 1) + 3).astype(dtype)
        for size, step in zip(sizes, steps)
    ]
    return s, arrays, [int(n) for n in rng.integers(0, 3, 3)]


def test_random_products():
    """Of all strides, steps, starts and sides, with what lies between results left as it was."""
    rng, bench = np.random.default_rng(1), Bench()
    for _ in range(400):
        s, arrays, starts = random_statement(rng)
        x, y, z = (array[start:] for array, start in zip(arrays, starts))
        expected = arrays[2].copy()
        places = x.ctypes.data, y.ctypes.data, expected[starts[2] :].ctypes.data
        HostDevice(None).multiply(s, *places)
        bench.multiply(s, x, y, z)
        assert not bench.library.refused
        np.testing.assert_allclose(arrays[2], expected, rtol=1e-4, atol=1e-5)
    assert bench.library.alive.count("MatmulPreference") == 0


def test_the_library_is_asked_once():
    bench = Bench()
    s = statement(ir.DOUBLE, 4, 5, 6)
    a, b, c = np.ones(24), np.ones(30), np.ones(20)
    for _ in range(3):
        bench.multiply(s, a, b, c)
    assert bench.library.called.count("MatmulAlgoGetHeuristic") == 1
    bench.multiply(dataclasses.replace(s, beta=1.0), a, b, c)  # which is no matter of its choice
    assert bench.library.called.count("MatmulAlgoGetHeuristic") == 1
    shifted = np.ones(33)[np.ones(33).ctypes.data % 16 // 8 + 1 :]
    bench.multiply(s, a, shifted[:30], c)
    assert bench.library.called.count("MatmulAlgoGetHeuristic") <= 2


def test_what_is_not_remembered_is_destroyed(monkeypatch):
    monkeypatch.setattr(products, "_MOST_ALGORITHMS", 3)
    bench = Bench()
    for n in range(1, 9):
        a = np.ones(n * n)
        bench.multiply(statement(ir.DOUBLE, n, n, n), a, a, np.ones(n * n))
    assert sorted(bench.library.alive) == ["MatmulDesc"] * 3 + ["MatrixLayout"] * 9


def test_what_is_larger_than_an_int_is_not_asked_about():
    bench = Bench()
    s = statement(ir.SINGLE, 2, 3, 4)
    for change in ({"rows": 2**31}, {"batch": 2**31, "c_step": 6}, {"inner": 0}):
        assert bench.products.prepared(dataclasses.replace(s, **change), 256, 256, 256) is None
    assert "MatmulDescCreate" not in bench.library.called


def wrong(bench, **changes):
    """A product after which something of it was changed."""
    s = statement(ir.DOUBLE, 4, 5, 6)
    a, b, c = (np.ones(n) for n in (24, 30, 20))
    places = [x.ctypes.data for x in (a, b, c)]
    made = bench.products.prepared(s, *places)
    workspace = bench.cuda.alloc(made.workspace)
    for name in changes.keys() & {"workspace", "left", "right", "result", "algorithm"}:
        setattr(made, name, changes[name])
    places = [x + changes.get("shift", 0) for x in places]
    stream = bench.cuda.current.ptr
    bench.products.run(made, s, tuple(places), changes.get("place", workspace.ptr), stream)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"workspace": 4999}, "bytes at"),
        ({"shift": 4}, "not aligned"),
        ({"place": 4096}, "no memory of the device's"),
        ({"left": ctypes.c_void_p(5)}, "no MatrixLayout"),
        ({"algorithm": products._Algorithm()}, "of nobody's"),
    ],
)
def test_what_the_stand_in_refuses(change, why):
    bench = Bench()
    with pytest.raises(ProductError, match="Matmul: status 7"):
        wrong(bench, **change)
    assert why in bench.library.refused[-1]


def test_layouts_that_the_stand_in_refuses():
    bench = Bench()
    a = np.ones(200)
    for changes, why in (
        ({"a_stride": 5}, "leading dimension"),
        ({"batch": 3, "c_step": 19, "a_step": 24, "b_step": 30}, "share memory"),
    ):
        s = dataclasses.replace(statement(ir.DOUBLE, 4, 5, 6), **changes)
        assert bench.products.prepared(s, *[a.ctypes.data] * 3) is None
        assert why in bench.library.refused[-1]
    with pytest.raises(ProductError):
        bench.calls.set("MatmulDesc", bench.calls.made("MatmulDesc", 68, 0), 3, ctypes.c_int64(1))
    with pytest.raises(ProductError):
        bench.calls.made("MatmulDesc", 68, 1)  # float32 that is scaled by float64


def test_a_capture_creates_and_loads_nothing():
    bench = Bench()
    s, a, c = statement(ir.DOUBLE, 4, 4, 4), np.ones(16), np.ones(16)
    bench.cuda.alloc(5000)
    stream = bench.cuda.current
    stream.begin_capture()
    with pytest.raises(ProductError, match="status 13"):
        bench.multiply(s, a, a, c)
    assert "a kernel is loaded" in bench.library.refused[-1]
    with pytest.raises(CudaError, match="a kernel is loaded"):
        stream.end_capture()
    bench.multiply(s, a, a, c)
    stream.begin_capture()
    with pytest.raises(ProductError):
        Products(bench.calls, 0)


def test_the_real_library_knows_the_descriptors():
    """It needs no GPU for them: attributes, and how large each is."""
    name = os.environ.get("CUBLASLT_LIBRARY")
    real = CublasLt(ctypes.CDLL(name)) if name else products.load()
    if real is None:
        pytest.skip("cuBLASLt is not installed")
    assert ctypes.sizeof(products._Found) == ctypes.sizeof(Result) == 96
    for dtype in (ir.SINGLE, ir.DOUBLE):
        s = statement(dtype, 4, 5, 6, batch=3, a_step=24, c_step=20, a_transposed=True)
        made = products.Prepared(real, s)
        with pytest.raises(ProductError, match="status 7"):
            real.set("MatmulDesc", made.description, products._TURN_A, ctypes.c_int64(0))
        del made
    wishes = real.made("MatmulPreference")
    real.set("MatmulPreference", wishes, products._MOST_WORKSPACE, ctypes.c_uint64(5))
    for attribute in products._ALIGNMENTS:
        real.set("MatmulPreference", wishes, attribute, ctypes.c_uint32(16))
    real.destroy("MatmulPreference", wishes)


# -- programs --------------------------------------------------------------------------------------


def network(x, v, w):
    for _ in range(3):
        x = np.tanh(x @ w) @ v
    return x, np.sum(x)


def learned(x, v, w):
    y, total = network(x, v, w)
    return total + np.sum(y * y)


X, V, W = (RNG.normal(size=s).astype("f4") for s in ((64, 40), (48, 40), (40, 48)))
V, W = V * np.float32(0.1), W * np.float32(0.1)


def started(gpu):
    return [x[1] for x in gpu.cuda.log if isinstance(x, tuple) and x[0] == "graph"]


def same(found, expected, rtol=1e-4):
    for x, y in zip(found, expected):
        np.testing.assert_allclose(on_host(x), y, rtol=rtol, atol=1e-5)


@looks
def test_products_are_part_of_a_graph(gpu):
    f, given = ag.to_graph(network), [on_device(x) for x in (X, V, W)]
    first = [on_host(x) for x in f(*given)]
    before = len(gpu.launches)
    assert gpu.launches.count("a product") == 6
    for calls in range(4):
        found = [on_host(x) for x in f(*given)]
        for x, y, z in zip(found, first, network(X, V, W)):
            assert x.tobytes() == y.tobytes()  # a graph is no other computation
            np.testing.assert_allclose(x, z, rtol=1e-4, atol=1e-5)
        assert len(started(gpu)) == calls + 1
    assert len(gpu.launches) == 5 * before
    given[0][...] = 2 * X
    same(f(*given), network(2 * X, V, W))


@looks
def test_a_gradient_with_products_is_a_graph(gpu):
    f = ag.to_graph(ag.grad(learned, argnums=(1, 2)))
    given = [on_device(x) for x in (X, V, W)]
    expected = ag.grad(learned, argnums=(1, 2))(X, V, W)
    for _ in range(4):
        same(f(*given), expected, 1e-3)
    assert started(gpu)


@looks
def test_weights_that_move_are_copied(gpu):
    """A training step: what it returns is given to it again."""

    def step(v, w, x):
        dv, dw = ag.grad(learned, argnums=(1, 2))(x, v, w)
        return v - np.float32(1e-3) * dv, w - np.float32(1e-3) * dw

    f, state, expected = ag.to_graph(step), (on_device(V), on_device(W)), (V, W)
    x = on_device(X)
    for _ in range(10):
        state, expected = f(*state, x), step(*expected, X)
        same(state, expected, 1e-3)
    assert len(started(gpu)) >= 4


def chosen(x, w):
    for _ in range(2):
        if np.sum(x) > 0.0:
            x = np.tanh(x @ w)
        else:
            x = np.sin(x @ w.T) @ w
    return x, np.sum(x)


@looks
def test_a_product_that_has_not_run_is_loaded_before_the_capture(gpu):
    """Of the side of a branch that was not taken; its result is written nowhere."""
    x, w = np.abs(RNG.normal(size=(50, 40))), np.abs(RNG.normal(size=(40, 40))) * 0.05
    f, given = ag.to_graph(chosen), [on_device(x), on_device(w)]
    for _ in range(4):
        same(f(*given), chosen(x, w))
    assert started(gpu)
    given[0][...] = -x
    same(f(*given), chosen(-x, w))


def picked(x, w, places):
    for k in places:
        x = np.tanh(x @ w[k])
    return x, np.sum(x)


def picked_loss(x, w, places):
    y, total = picked(x, w, places)
    return total + np.sum(y * y)


@pytest.mark.costly
@looks
@pytest.mark.parametrize("lt", [True, False])
def test_the_host_does_not_wait_for_places(gpu, lt):
    """Of matrices that an array of indices tells, and of those that a trip leaves for its way
    back: a launch copies them."""
    if not lt:
        gpu.cublaslt = None
    x, w = RNG.normal(size=(20, 30)), RNG.normal(size=(5, 30, 30)) * 0.1
    places = np.array([3, 1, 4, 1, 0])
    gradient = lambda x, w, places: ag.grad(picked_loss, argnums=(0, 1))(x, w, places)
    for function in (picked, gradient):
        f, given = ag.to_graph(lambda *x: function(*x)), [on_device(a) for a in (x, w, places)]
        gpu.cuda.log.clear()
        same(f(*given), function(x, w, places), 1e-9)
        assert gpu.launches.count("a product") >= 5 and gpu.cuda.log.count("wait") <= 1
        for _ in range(3):
            same(f(*given), function(x, w, places), 1e-9)
        assert bool(started(gpu)) == lt
        given[2][1] = 2
        same(f(*given), function(x, w, np.array([3, 2, 4, 1, 0])), 1e-9)


@looks
def test_the_host_does_not_wait_for_places_with_arrays_of_any_length(gpu):
    gradient = lambda x, v, w: ag.grad(learned, argnums=(1, 2))(x, v, w)
    f, weights = ag.to_graph(gradient), (on_device(V), on_device(W))
    for rows in (64, 32, 50, 50, 50, 50):
        x = np.resize(X, (rows, 40))
        gpu.cuda.log.clear()
        given = on_device(x)
        same(f(given, *weights), gradient(x, V, W), 1e-3)
        assert gpu.cuda.log.count("wait") <= 1


MAPS = (
    "x = np.tanh(x @ w[0] * a)",
    "x = x + np.sin(x @ w[k]) * a",
    "x = np.tanh(x @ w[places[j]])",
    "x = (x @ w[places[k]].T) * a",
    "x = np.tanh((w[1] @ x.T).T)",
    "x = x - np.mean(x @ w[j % 4], axis=0)",
    "x = np.concatenate([x[2:] @ w[k], x[:2]])",
    "x = np.cos(x) * a",
)
AROUND = ("for j in range(3):", "for j in places:", "for j in range(k):", "if a > 0.4:",
          "if np.sum(x) > 0.0:")  # fmt: skip


def random_function(seed):
    """Products in loops and branches, of parts of arrays that the caller's numbers tell, too."""
    head = ("def f(x, w, places, a, k):", "j = 0")
    end = "np.sum(x * x) * a + np.sum(x)"
    return random_programs.text(random.Random(seed), head, MAPS, AROUND, end)


@pytest.mark.costly
@pytest.mark.parametrize("seed", range(6))
def test_random_programs(gpu, seed, tmp_path, monkeypatch):
    """And their gradients, by cuBLASLt and by cuBLAS."""
    function = random_programs.loaded(random_function(seed), tmp_path)
    gradient = lambda *given: ag.grad(function, argnums=(0, 1))(*given)
    rng = np.random.default_rng(seed)
    x, w = rng.normal(size=(22, 24)), rng.normal(size=(4, 24, 24)) * 0.2
    places = rng.integers(0, 4, 4)
    if seed % 3 == 2:
        monkeypatch.setenv("AUTOGRAPH_CUBLASLT", "0")
    compiled = [ag.to_graph(lambda *given: function(*given)), ag.to_graph(gradient)]
    on = [on_device(array) for array in (x, w, places)]
    for call in range(8):
        a, k = float(rng.uniform(0.2, 0.8)), int(rng.integers(0, 4))
        numbers = (0.5, 2) if call < 3 else (a, k)
        if call == 4:  # from here on it is compiled for any length
            x = x[: 13 + seed % 3]
            on[0] = on_device(x)
        same([compiled[0](*on, *numbers)], [function(x, w, places, *numbers)], 1e-8)
        same(compiled[1](*on, *numbers), gradient(x, w, places, *numbers), 1e-7)


@looks
def test_without_the_library_cublas_multiplies_and_nothing_is_captured(gpu, caplog):
    gpu.cublaslt = None
    f, given = ag.to_graph(lambda *x: network(*x)), [on_device(x) for x in (X, V, W)]
    with caplog.at_level(logging.DEBUG, "autograph"):
        for _ in range(4):
            same(f(*given), network(X, V, W))
    assert gpu.launches.count("a product") == 24 and not started(gpu)
    (said,) = [r.message for r in caplog.records if "not captured as a graph" in r.message]
    assert "cuBLAS" in said and not gpu.cuda.capturing


@looks
def test_the_setting(gpu, monkeypatch):
    monkeypatch.setenv("AUTOGRAPH_CUBLASLT", "0")
    f, given = ag.to_graph(lambda *x: network(*x)), [on_device(x) for x in (X, V, W)]
    for _ in range(3):
        same(f(*given), network(X, V, W))
    assert not gpu.cublaslt.called and not started(gpu)


@looks
def test_where_there_is_no_algorithm_cublas_multiplies(gpu):
    gpu.cublaslt.knows = False
    f, given = ag.to_graph(lambda *x: network(*x)), [on_device(x) for x in (X, V, W)]
    for _ in range(3):
        same(f(*given), network(X, V, W))
    assert not started(gpu) and gpu.launches.count("a product") == 18
    assert set(gpu.cublaslt.refused) == {"there is no algorithm"}
    gpu.cublaslt.refused.clear()


@looks
def test_an_error_of_the_library_names_the_line(gpu):
    gpu.cublaslt.status = 13
    with pytest.raises(DeviceError, match="cublasLtMatmul: status 13") as caught:
        ag.to_graph(lambda *x: network(*x))(*[on_device(x) for x in (X, V, W)])
    assert "CUDA_LAUNCH_BLOCKING=1" in str(caught.value)


@looks
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_batches_and_transposes(gpu, dtype):
    def attention(q, k, v):
        for _ in range(2):
            scores = q @ np.swapaxes(k, 1, 2)
            q = np.tanh(scores) @ v
        return q, np.sum(q)

    q, k, v = (RNG.normal(size=(6, n, 24)).astype(dtype) * 0.1 for n in (30, 20, 20))
    q, k, v = (x.astype(dtype) for x in (q, k, v))
    f, given = ag.to_graph(attention), [on_device(x) for x in (q, k, v)]
    for _ in range(4):
        same(f(*given), attention(q, k, v))
    assert started(gpu)


def test_what_is_copied():
    """Operands at places that the device knows, unless a product is over before they are copied."""

    def kernel(rows, size, at_known):
        b = KernelBuilder("picked")
        x, w = b.input(ir.SINGLE, rows * size, "x"), b.input(ir.SINGLE, 4 * size * size, "w")
        places, out = b.input(ir.LONG, 3, "places"), b.output(ir.SINGLE, rows * size, "out")

        def trip(i):
            k = i if at_known else b.load(places, i)
            zero, start = b.long(0), k * (size * size)
            strides = (size, size, size)
            b.add(ir.Multiply(x, w, out, rows, size, size, zero, start, zero, *strides))
            b.written(out)
            return []

        b.for_(3, [], trip)
        return print_cuda(b.finish())

    assert not kernel(4, 100, True).arena and not kernel(4, 100, True).values
    copied = kernel(4, 100, False)
    assert [x.size for x in copied.arena] == [10_000] and not copied.values
    assert kernel(4, 3000, False).values  # 36 MB, each of which is used four times
    assert not kernel(400, 3000, False).values
