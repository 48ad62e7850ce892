"""Sums with products, by cuBLASLt in one call, and by a launch where it has none for them."""

import ctypes
import dataclasses
import os

import numpy as np
import pytest

import autograph as ag
from autograph.kernels.cuda import products
from autograph.kernels.cuda.plan import Added, Launch, Product
from autograph.kernels.cuda.printer import print_cuda
from autograph.kernels.cuda.products import CublasLt, Prepared, ProductError
from autograph.kernels.cuda.told import described
from autograph.kernels.ir import ir
from autograph.kernels.ir.builder import KernelBuilder
from autograph.kernels.selection.parts import select
from tests.kernels.cuda.cupy_stand_in import on_device, on_host
from tests.kernels.cuda.machine import ON_GPU, Unit, execute
from tests.kernels.cuda.shim import HostDevice
from tests.kernels.cuda.test_products import Bench, random_statement, statement

pytestmark = pytest.mark.usefixtures("products_of_the_library")
looks = pytest.mark.skipif(ON_GPU, reason="it looks at what the stand-in has done")
RNG = np.random.default_rng(0)


def drawn(*shapes, dtype="float32"):
    return [RNG.normal(size=shape).astype(dtype) for shape in shapes]


def into_a_part(x, w, b):
    y = np.zeros((60, 60), x.dtype)
    y[:, 10:50] = x @ w + b
    return y


X, W, B, R = (60, 30), (30, 40), (40,), (60, 40)
BATCH = (5, 60, 30)
# What is added, as rows so far apart: 0 for a vector.
ADDED = {
    "a vector": (lambda x, w, b: x @ w + b, (X, W, B), 0),
    "a vector, first": (lambda x, w, b: b + x @ w, (X, W, B), 0),
    "a matrix": (lambda x, w, r: x @ w + r, (X, W, R), 40),
    "rows of a batch": (lambda x, w, b: x @ w + b, (BATCH, W, B), 0),
    "a batch and a vector": (lambda x, w, b: x @ w + b, (BATCH, (5, *W), B), 0),
    "a batch and another": (lambda x, w, r: x @ w + r, (BATCH, (5, *W), (5, *R)), 40),
    "a vector times a matrix": (lambda x, w, b: x @ w + b, ((900,), (900, 1500), (1500,)), 1500),
    "a part of rows": (lambda x, w, r: x @ w + r[:, 7:47], (X, W, (60, 90)), 90),
    "a part of a vector": (lambda x, w, b: x @ w + b[3:43], (X, W, (50,)), 0),
    "a factor": (lambda x, w: x @ w + x, ((60, 60), (60, 60)), 60),
    "transposes": (lambda x, w, b: x.T @ w.T + b, ((30, 60), (40, 30), B), 0),
    "before another product": (lambda x, w, b, v: (x @ w + b) @ v, (X, W, B, (40, 50)), 0),
}
LEFT = {
    "more than a sum": (lambda x, w, b: np.tanh(x @ w + b), (X, W, B)),
    "the product as well": (lambda x, w, b: (lambda p: (p, p + b))(x @ w), (X, W, B)),
    "a column": (lambda x, w, b: x @ w + b[:, None], (X, W, (60,))),
    "a number": (lambda x, w: x @ w + np.float32(2), (X, W)),
    "a product": (lambda x, w: x @ w + x @ w, (X, W)),
    "a transpose": (lambda x, w, r: x @ w + r.T, (X, W, (40, 60))),
    "a difference": (lambda x, w, b: x @ w - b, (X, W, B)),
    "a part": (lambda x, w, r: (x @ w)[:50] + r, (X, W, (50, 40))),
    "another type": (lambda x, w, b: x @ w + b, (X, W, B)),
    "into a part": (into_a_part, (X, W, B)),
}


def planned(function, args):
    (kernel,) = select(ag.to_graph(function).graph(*args), host=False).kernels.values()
    return print_cuda(kernel)


def products_of(plan):
    return [step for step in plan.steps if isinstance(step, Product)]


@pytest.mark.parametrize("name", ADDED)
def test_what_the_library_adds(name):
    function, shapes, stride = ADDED[name]
    plan = planned(function, drawn(*shapes))
    first = products_of(plan)[0]
    assert first.sum.stride == stride
    assert not any(isinstance(step, Launch) for step in plan.steps)
    assert f"a product, with {first.sum.other.name} added" in described(plan)


@pytest.mark.parametrize("name", LEFT)
def test_what_a_launch_adds(name):
    function, shapes = LEFT[name]
    args = drawn(*shapes)
    if name == "another type":
        args[-1] = args[-1].astype("float64")
    assert not [step for step in products_of(planned(function, args)) if step.sum]


@pytest.mark.parametrize("adds", [True, False])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_both_ways(dtype, adds):
    """Whether the device adds or a launch does."""
    kernels, given, expected = [], [], []
    for function, shapes, _ in ADDED.values():
        given.append(drawn(*shapes, dtype=dtype))
        kernels.append(planned(function, given[-1]))
        expected.append(function(*given[-1]))
    unit, options = Unit(kernels), {} if ON_GPU else {"adds": adds}
    for kernel, args, y in zip(kernels, given, expected):
        found = np.empty(y.size, y.dtype)
        flat = [x.reshape(-1) for x in args]
        device = execute(unit, kernel, flat, [found], **options)
        np.testing.assert_allclose(found.reshape(y.shape), y, rtol=1e-4, atol=1e-4)
        if not ON_GPU:
            assert bool(device.launches) != adds


def test_results_in_the_memory_of_what_is_added():
    """The sum may replace what is added, but no factor, and nothing that lies elsewhere."""

    def plan(shared, other_start=0, same=True):
        b = KernelBuilder("sums")
        x, w = b.input(ir.SINGLE, 1600, "x"), b.input(ir.SINGLE, 1600, "w")
        r, y = b.input(ir.SINGLE, 1640, "r"), b.output(ir.SINGLE, 1640, "y")
        t, zero = b.temporary(ir.SINGLE, 1600), b.long(0)
        b.add(ir.Multiply(x, w, t, 40, 40, 40, zero, zero, zero, 40, 40, 40))
        b.written(t)
        with b.each(1600) as i:
            b.store(y, i, b.load(t, i) + b.load(r, i + other_start if other_start else i))
        kernel = b.finish()
        pairs = tuple({"x": (x, y), "w": (w, y), "r": (r, y)}[name] for name in shared)
        return products_of(print_cuda(dataclasses.replace(kernel, shared=pairs)))[0].sum

    assert plan("") is not None and plan("r") is not None and plan("", 40) is not None
    assert plan("x") is None and plan("w") is None and plan("r", 40) is None


# -- the library -----------------------------------------------------------------------------------


def run(bench, s, arrays, added):
    places = tuple(x.ctypes.data for x in arrays)
    made = bench.products.prepared(s, *places, added)
    assert made is not None
    workspace = bench.cuda.alloc(made.workspace)
    bench.products.run(made, s, places, workspace.ptr, bench.cuda.current.ptr, added)


def test_random_sums():
    """Of all strides, steps, starts and sides, with what lies between results left as it was."""
    rng, bench = np.random.default_rng(2), Bench()
    for k in range(300):
        s, arrays, starts = random_statement(rng)
        s = dataclasses.replace(s, beta=0.0)
        x, y, z = (array[start:] for array, start in zip(arrays, starts))
        stride = int(s.columns + rng.integers(3)) if k % 2 else 0
        step = int(stride * s.rows + rng.integers(3)) if stride and s.batch > 1 else 0
        memory = rng.normal(size=(s.rows + 1) * (s.columns + 3) * (s.batch + 1) + 3)
        other = memory.astype(z.dtype)[int(rng.integers(3)) :]
        expected, added = z.copy(), Added(other.ctypes.data, stride, step)
        places = x.ctypes.data, y.ctypes.data, expected.ctypes.data
        assert HostDevice(None).multiply(s, *places, added)
        run(bench, s, (x, y, z), added)
        np.testing.assert_allclose(z, expected, rtol=1e-4, atol=1e-5)


def test_an_algorithm_is_for_an_alignment_of_the_vector():
    """And not for another address that is aligned as well."""
    bench, s = Bench(), statement(ir.DOUBLE, 4, 6, 5)
    a, b, c = np.ones(20), np.ones(30), np.ones(24)
    memory = np.zeros(100)
    first = memory[-memory.ctypes.data % 256 // 8 :]
    for offset, asked in ((0, 1), (32, 1), (1, 2), (3, 2), (2, 3)):
        first[:] = np.arange(len(first))
        run(bench, s, (a, b, c), Added(first[offset:].ctypes.data, 0, 0))
        assert np.array_equal(c.reshape(4, 6), 5.0 + np.tile(first[offset : offset + 6], (4, 1)))
        assert bench.library.called.count("MatmulAlgoGetHeuristic") == asked
    bench.multiply(s, a, b, c)  # nothing is added to it
    assert np.array_equal(c, np.full(24, 5.0)) and not bench.library.refused


def test_vectors_that_the_stand_in_refuses():
    bench, s = Bench(), statement(ir.DOUBLE, 4, 6, 5)
    a, b, c, v = np.ones(20), np.ones(30), np.ones(24), np.ones(40)
    assert bench.products.prepared(s, *(x.ctypes.data for x in (a, b, c)), Added(0, 0, 0)) is None
    assert "no address" in bench.library.refused[-1]
    bench = Bench()
    v = v[-v.ctypes.data % 64 // 8 :]
    places = tuple(x.ctypes.data for x in (a, b, c))
    for promised, given, why in (
        (v.ctypes.data, v.ctypes.data + 8, "not aligned"),
        (c.ctypes.data, c.ctypes.data, "lies on an operand"),
    ):
        made = bench.products.prepared(s, *places, Added(promised, 0, 0))
        workspace, stream = bench.cuda.alloc(made.workspace), bench.cuda.current.ptr
        with pytest.raises(ProductError, match="status 7"):
            bench.products.run(made, s, places, workspace.ptr, stream, Added(given, 0, 0))
        assert why in bench.library.refused[-1]
    with pytest.raises(ProductError):  # the attribute is an address
        description = bench.calls.made("MatmulDesc", 70, 1)
        bench.calls.set("MatmulDesc", description, products._VECTOR_AT, ctypes.c_int32(1))


def test_the_real_library_knows_the_descriptors():
    """It needs no GPU for them."""
    name = os.environ.get("CUBLASLT_LIBRARY")
    real = CublasLt(ctypes.CDLL(name)) if name else products.load()
    if real is None:
        pytest.skip("cuBLASLt is not installed")
    s = statement(ir.SINGLE, 4, 5, 6)
    made = Prepared(real, s, Added(256, 0, 0))
    wrong = ((products._EPILOGUE, ctypes.c_int64(4)), (products._VECTOR_AT, ctypes.c_int32(1)))
    for attribute, value in wrong:
        with pytest.raises(ProductError, match="status 7"):
            real.set("MatmulDesc", made.description, attribute, value)
    assert Prepared(real, s, Added(256, 8, 0)).added is not made.result


# -- programs --------------------------------------------------------------------------------------


def layers(x, v, w, b, c):
    for _ in range(2):
        x = (x @ w + b) @ v + c
    return x


def loss(*args):
    return np.sum(layers(*args) ** 2)


LAYERS = ((64, 40), (48, 40), (40, 48), (48,), (40,))


@looks
@pytest.mark.parametrize("adds", [True, False])
def test_sums_are_part_of_a_graph(gpu, adds):
    """Or launches are, where there is no algorithm that adds a vector."""
    gpu.cublaslt.adds = adds
    args = drawn(*LAYERS, dtype="float64")
    f, given, expected = ag.to_graph(layers), [on_device(x) for x in args], layers(*args)
    first = on_host(f(*given))
    assert gpu.launches.count("a product") == 4
    # Besides them one copies an argument, and four say whether there was a trip.
    assert len(gpu.launches) == (4 + 5 if adds else 4 + 5 + 4)
    for _ in range(4):
        found = on_host(f(*given))
        assert found.tobytes() == first.tobytes()  # a graph is no other computation
        np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-9)
    assert [x for x in gpu.cuda.log if isinstance(x, tuple) and x[0] == "graph"]
    assert set(gpu.cublaslt.refused) <= {"there is no algorithm that adds a vector"}
    gpu.cublaslt.refused.clear()


@looks
def test_without_cublaslt_a_launch_adds(gpu):
    gpu.cublaslt = None
    args = drawn(*LAYERS, dtype="float64")
    found = on_host(ag.to_graph(lambda *x: layers(*x))(*[on_device(x) for x in args]))
    np.testing.assert_allclose(found, layers(*args), rtol=1e-9, atol=1e-9)
    assert gpu.launches.count("a product") == 4 and len(set(gpu.launches)) > 1


def test_gradients_and_any_length(gpu):
    gradient = lambda *args: ag.grad(loss, argnums=(1, 3, 4))(*args)
    f, compiled = ag.to_graph(lambda *args: layers(*args)), ag.to_graph(gradient)
    x, *weights = [a * 0.2 for a in drawn(*LAYERS, dtype="float64")]
    for rows in (64, 30, 50, 50, 50, 50):
        some = x[:rows]
        given = [on_device(a) for a in (some, *weights)]
        np.testing.assert_allclose(on_host(f(*given)), layers(some, *weights), rtol=1e-9, atol=1e-9)
        for found, y in zip(compiled(*given), gradient(some, *weights)):
            np.testing.assert_allclose(on_host(found), y, rtol=1e-8, atol=1e-8)


@looks
def test_of_any_length_as_well(gpu):
    """A number of rows that only the run knows."""
    f = ag.to_graph(lambda x, w, b: x @ w + b)
    _, w, b = drawn(X, W, B)
    for rows in (60, 30, 50):
        (x,) = drawn((rows, 30))
        gpu.launches.clear()
        found = on_host(f(on_device(x), on_device(w), on_device(b)))
        np.testing.assert_allclose(found, x @ w + b, rtol=1e-4, atol=1e-4)
        assert gpu.launches == ["a product"]
