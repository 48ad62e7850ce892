"""Launching through CuPy: on a stand-in for it whose memory and launches are the shim's."""

import importlib
import inspect
import sys
import threading
from types import ModuleType, SimpleNamespace

import numpy as np
import pytest

from autograph.kernels.cuda import flag, launch, printer, products
from autograph.kernels.cuda.compile import Binary, Resources
from autograph.kernels.cuda.launch import GpuKernel
from autograph.kernels.cuda.plan import STATUS
from autograph.kernels.cuda.printer import print_cuda
from autograph.kernels.ir.builder import KernelBuilder
from autograph.kernels.ir.interpreter import GaveUp, interpret
from tests.kernels.cuda import hand_built as cuda_kernels
from tests.kernels.cuda.shim import HostDevice, Unit
from tests.kernels.cuda.streams import Cuda

PROCESSORS = 2


class StandIn:
    """CuPy on the CPU, for the launches of one kernel.

    Attributes:
        log: what was done, in order.
    """

    def __init__(self, printed):
        self.host = HostDevice(Unit([printed]), blocks=3 * PROCESSORS)
        self.entries = {entry.name: entry for entry in printed.entries}
        self.cuda = Cuda()
        self.stream = self.cuda.current = self.cuda.stream()
        self.log = self.cuda.log

    def modules(self):
        """The modules that `launch` imports."""
        runtime = SimpleNamespace(
            memsetAsync=self.memset,
            memcpyAsync=self.memcpy,
            streamQuery=self.cuda.query,
            memcpyDeviceToDevice="device",
            memcpyDeviceToHost="host",
            getDevice=lambda: 0,
            driverGetVersion=lambda: 0,
            hostAllocPortable=1,
            hostAllocMapped=2,
            streamCaptureModeThreadLocal=1,
        )
        device = lambda number=0: SimpleNamespace(
            id=0, compute_capability="90", attributes={"MultiProcessorCount": PROCESSORS}
        )
        cuda = SimpleNamespace(
            runtime=runtime,
            Device=device,
            get_current_stream=lambda: self.stream,
            alloc=lambda nbytes: SimpleNamespace(ptr=self.host.allocate(nbytes)),
            PinnedMemory=self.cuda.pinned,
            Stream=self.cuda.stream,
        )
        gemms = {"sgemm": self.gemm(np.float32), "dgemm": self.gemm(np.float64)}
        gemms["sgemmStridedBatched"] = self.batched(np.float32)
        gemms["dgemmStridedBatched"] = self.batched(np.float64)
        cublas = SimpleNamespace(
            CUBLAS_OP_N=0,
            CUBLAS_OP_T=1,
            CUBLAS_POINTER_MODE_HOST=0,
            getPointerMode=lambda handle: 0,
            setPointerMode=lambda handle, mode: None,
            **gemms,
        )
        driver = SimpleNamespace(occupancyMaxActiveBlocksPerMultiprocessor=lambda f, t, s: 3)
        return {
            "cupy": {"cuda": cuda, "empty": self.empty},
            "cupy.cuda": {},
            "cupy.cuda.function": {"Module": lambda: self},
            "cupy.cuda.device": {"get_cublas_handle": lambda: 5},
            "cupy_backends": {},
            "cupy_backends.cuda": {},
            "cupy_backends.cuda.api": {"driver": driver},
            "cupy_backends.cuda.libs": {"cublas": cublas},
        }

    # -- of arrays and memory ----------------------------------------------------------------------

    def array(self, data):
        """What stands in for a CuPy array."""
        data = np.ascontiguousarray(data)
        memory = self.host.allocate(data.nbytes)
        view = self.host.view(memory, data.dtype, data.size)
        view[:] = data.reshape(-1)
        array = SimpleNamespace(data=SimpleNamespace(ptr=memory), dtype=data.dtype, host=view)
        array.reshape = lambda shape: array
        return array

    def empty(self, size, dtype):
        return self.array(np.full(size, 99).astype(dtype))

    def memset(self, memory, value, nbytes, stream):
        assert value == 0
        work = lambda: self.host.clear(memory, nbytes)
        self.cuda.by_number(stream).submit(work, "clear")

    def memcpy(self, to, source, nbytes, kind, stream):
        self.cuda.memcpy(to, source, nbytes, f"to {kind}", stream)

    def gemm(self, dtype):
        """Matrices column by column, as cuBLAS has them."""

        def compute(handle, turn_a, turn_b, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc):
            def matrix(memory, rows, columns, stride):
                flat = self.host.view(memory, dtype, (columns - 1) * stride + rows)
                strides = (flat.itemsize, stride * flat.itemsize)
                return np.lib.stride_tricks.as_strided(flat, (rows, columns), strides)

            x = matrix(a, k, m, lda).T if turn_a else matrix(a, m, k, lda)
            y = matrix(b, n, k, ldb).T if turn_b else matrix(b, k, n, ldb)
            z = matrix(c, m, n, ldc)
            factors = [self.host.read(p, np.dtype(dtype), 1)[0] for p in (alpha, beta)]
            product = lambda: factors[0] * (x @ y) + (factors[1] * z if factors[1] else 0)
            self.cuda.forbid("cuBLAS")
            self.stream.submit(lambda: z.__setitem__(..., product()), "gemm")

        return compute

    def batched(self, dtype):
        """The same at steps in memory."""
        one = self.gemm(dtype)

        def compute(*given):
            *shape, alpha, a, lda, a_step, b, ldb, b_step, beta, c, ldc, c_step, count = given
            for k in range(count):
                x, y, z = (p + k * n * np.dtype(dtype).itemsize for p, n in
                           ((a, a_step), (b, b_step), (c, c_step)))  # fmt: skip
                one(*shape, alpha, x, lda, y, ldb, beta, z, ldc)

        return compute

    # -- of modules --------------------------------------------------------------------------------

    def load(self, cubin):
        assert cubin == b"cubin"

    def get_function(self, name):
        entry = self.entries[name]

        def call(grid, block, arguments, stream, enable_cooperative_groups=False):
            assert block == (entry.threads,)
            assert enable_cooperative_groups == entry.together
            assert all(isinstance(x, np.generic) for x in arguments)
            stream.submit(lambda: self.host.launch(entry, grid[0], arguments), (name, grid[0]))

        call.ptr = hash(name)
        return call


@pytest.fixture
def stand_in(monkeypatch):
    """Makes the stand-in for a printed kernel."""

    def make(printed):
        made = StandIn(printed)
        for name, members in made.modules().items():
            module = ModuleType(name)
            module.__dict__.update(members)
            monkeypatch.setitem(sys.modules, name, module)
        resources = {name: Resources(10, 0, 0, 0) for name in made.entries}
        compiled = lambda text, architecture: Binary(b"cubin", architecture, resources)
        monkeypatch.setattr(launch, "binary", compiled)
        launch._functions.cache_clear()
        launch._resident.cache_clear()
        monkeypatch.setattr(flag, "_flags", threading.local())
        monkeypatch.setattr(products, "_by_device", {})
        monkeypatch.setattr(products, "load", lambda: None)
        return made

    yield make
    launch._functions.cache_clear()
    launch._resident.cache_clear()


def launched(stand_in, kernel, inputs):
    """The outputs of a kernel, those of the interpreter, and the log."""
    printed = print_cuda(kernel)
    gpu = stand_in(printed)
    given = [gpu.array(x) if isinstance(x, np.ndarray) else x for x in inputs]
    found = [x.host.copy() for x in GpuKernel(printed)(*given)]
    gpu.host.check()
    expected = [np.zeros(x.size, x.dtype) for x in kernel.outputs]
    for _, written in kernel.shared:
        expected[[x is written for x in kernel.outputs].index(True)][:] = inputs[0]
    interpret(kernel, inputs, expected)
    for x, y in zip(found, expected):
        np.testing.assert_allclose(x, y, rtol=1e-5, atol=1e-6)
    return gpu, given


def test_a_map_fills_the_device(stand_in):
    kernel = cuda_kernels.selu()
    gpu, _ = launched(stand_in, kernel, cuda_kernels.arguments(kernel))
    assert gpu.log == [("selu_kernel", 3 * PROCESSORS)]  # and nothing waits


def test_a_small_map_has_few_blocks(stand_in):
    kernel = cuda_kernels.broadcast(40, 4)
    gpu, _ = launched(stand_in, kernel, cuda_kernels.arguments(kernel))
    assert gpu.log == [("broadcast_kernel", 1)]


def test_a_reduction_has_two_stages(stand_in):
    kernel = cuda_kernels.mean(40_000)
    gpu, _ = launched(stand_in, kernel, cuda_kernels.arguments(kernel))
    assert gpu.log == [("mean_kernel", 157), ("mean_kernel2", 1)]


def test_loops_of_the_host_and_products(stand_in):
    kernel = cuda_kernels.recurrence(3)
    gpu, _ = launched(stand_in, kernel, cuda_kernels.arguments(kernel))
    assert [x if isinstance(x, str) else x[0] for x in gpu.log] == [
        "recurrence_kernel",
        *["gemm", "recurrence_kernel2"] * 3,
    ]


def test_blocks_that_wait_for_each_other_leave_the_last_condition(stand_in):
    kernel = cuda_kernels.power_iteration()
    gpu, _ = launched(stand_in, kernel, cuda_kernels.arguments(kernel))
    assert gpu.log.count("wait") == gpu.log.count("copy to host") == 1
    assert [x[0] for x in gpu.log if isinstance(x, tuple)].count("power_iteration_loop") == 1


def test_the_host_waits_for_conditions(stand_in, monkeypatch):
    monkeypatch.setattr(printer, "while_of_all_blocks", lambda *_: None)
    kernel = cuda_kernels.power_iteration()
    gpu, _ = launched(stand_in, kernel, cuda_kernels.arguments(kernel))
    assert gpu.log.count("wait") == gpu.log.count("copy to host") == 13


def test_scalars(stand_in):
    gpu, _ = launched(stand_in, cuda_kernels.collatz(), [837799])
    assert gpu.log == ["clear", ("collatz_kernel", 1), "copy to host", "wait"]  # it may not end


def test_status_is_read_once(stand_in):
    kernel = cuda_kernels.gather()
    gpu, given = launched(stand_in, kernel, cuda_kernels.arguments(kernel))
    assert gpu.log[-2:] == ["copy to host", "wait"]
    assert gpu.log.count("wait") == 1
    given[0].host[5] = 100
    with pytest.raises(GaveUp):
        GpuKernel(print_cuda(kernel))(*given)


def test_memory_that_is_shared(stand_in):
    kernel = cuda_kernels.in_place()
    x = np.arange(3000.0)
    gpu, given = launched(stand_in, kernel, [x])
    assert given[0].host[1] == 3.0  # the caller's own


def test_memory_that_is_shared_is_copied_while_it_may_fail(stand_in):
    b = KernelBuilder("careful")
    x, y = b.input("float64", 2000, "x"), b.output("float64", 2000, "y")
    b.share(x, y)
    with b.each(2000) as i:
        v = b.load(x, i)
        b.check(v >= 0)
        b.store(y, i, v + 1.0)
    gpu, given = launched(stand_in, b.finish(), [np.arange(2000.0)])
    assert given[0].host[1] == 1.0
    assert gpu.log[0] == "copy to device"


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_products_are_of_the_transposes(stand_in, turned, dtype):
    from autograph.kernels.ir import ir

    b = KernelBuilder("product")
    x, y, out = b.input(dtype, 20, "x"), b.input(dtype, 30, "y"), b.output(dtype, 24, "out")
    zero = b.long(0)
    strides = (4 if turned else 5, 6, 6)
    b.add(ir.Multiply(x, y, out, 4, 6, 5, zero, zero, zero, *strides, a_transposed=turned))
    generator = np.random.default_rng(0)
    inputs = [generator.standard_normal(n).astype(dtype) for n in (20, 30)]
    gpu, _ = launched(stand_in, b.finish(), inputs)
    assert gpu.log == ["gemm"]


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_batches_of_products(stand_in, dtype):
    from autograph.kernels.ir import ir

    b = KernelBuilder("batch")
    x, y, out = b.input(dtype, 60, "x"), b.input(dtype, 30, "y"), b.output(dtype, 72, "out")
    starts, strides = [b.long(0)] * 3, (5, 6, 6)
    b.add(ir.Multiply(x, y, out, 4, 6, 5, *starts, *strides, batch=3, a_step=20, c_step=24))
    generator = np.random.default_rng(0)
    launched(stand_in, b.finish(), [generator.standard_normal(n).astype(dtype) for n in (60, 30)])


def test_the_status_is_a_scratch_of_its_own():
    printed = print_cuda(cuda_kernels.gather())
    given = [[x for x, _ in entry.parameters if x is STATUS] for entry in printed.entries]
    assert given == [[STATUS], [STATUS]]


SIGNATURES = {
    "cupy.cuda.function": ["Module.load(self, bytes cubin)", "Module.get_function(self, name)"],
    "cupy.cuda": [
        "alloc(size) -> MemoryPointer",
        "get_current_stream(",
        "PinnedMemory.__init__(self, size_t size, unsigned int flags=0)",
        "MemoryPool.malloc(self, size_t size) -> MemoryPointer",
        "MemoryPool.total_bytes(self)",
    ],
    "cupy.cuda.stream": [
        "_BaseStream.begin_capture(self, mode=None)",
        "_BaseStream.end_capture(self)",
        "_BaseStream.record(self, event=None)",
        "_BaseStream.wait_event(self, event)",
        "Stream.__init__(self, null=False, non_blocking=False, ptds=False",
    ],
    "cupy.cuda.graph": ["Graph.launch(self, stream=None)"],
    "cupy.cuda.device": ["get_cublas_handle() -> intptr_t"],
    "cupy_backends.cuda.api.driver": [
        "occupancyMaxActiveBlocksPerMultiprocessor"
        "(intptr_t func, int blockSize, size_t dynamicSMemSize) -> int"
    ],
    "cupy_backends.cuda.api.runtime": [
        "memcpyAsync(intptr_t dst, intptr_t src, size_t size, int kind, intptr_t stream)",
        "memsetAsync(intptr_t ptr, int value, size_t size, intptr_t stream)",
        *("getDevice() -> int", "streamQuery(intptr_t stream)"),
    ],
    "cupy_backends.cuda.libs.cublas": [
        *("getPointerMode(intptr_t handle) -> int", "setPointerMode(intptr_t handle, int mode)"),
        *(
            f"{kind}gemm(intptr_t handle, int transa, int transb, int m, int n, int k, "
            "size_t alpha, size_t A, int lda, size_t B, int ldb, size_t beta, size_t C, int ldc)"
            for kind in "sd"
        ),
        *(
            f"{kind}gemmStridedBatched(intptr_t handle, int transa, int transb, int m, int n, "
            "int k, size_t alpha, size_t A, int lda, long long strideA, size_t B, int ldb, "
            "long long strideB, size_t beta, size_t C, int ldc, long long strideC, int batchCount)"
            for kind in "sd"
        ),
    ],
}


@pytest.mark.parametrize("module", SIGNATURES)
def test_cupy_has_what_is_used(module):
    """Without a GPU: the signatures that CuPy's functions tell of."""
    pytest.importorskip("cupy", reason="CuPy is not installed")
    try:
        found = importlib.import_module(module)
    except ImportError as error:  # a library of CUDA's is not installed
        pytest.skip(str(error))
    for signature in SIGNATURES[module]:
        place = found
        for name in signature.split("(")[0].split("."):
            place = getattr(place, name)
        told = " ".join(place.__doc__.split())
        assert told.startswith(signature), told


def test_cupys_errors_are_those_that_are_caught():
    cupy = pytest.importorskip("cupy", reason="CuPy is not installed")
    assert issubclass(cupy.cuda.memory.OutOfMemoryError, MemoryError)
    assert issubclass(cupy.cuda.driver.CUDADriverError, RuntimeError)
    assert hasattr(cupy.cuda.MemoryPointer, "device_id")
    assert list(inspect.signature(cupy.cuda.using_allocator).parameters)[0] == "allocator"
    assert hasattr(cupy.cuda.Stream, "__enter__") and hasattr(cupy.cuda.Stream, "__exit__")
    assert cupy.cuda.runtime.memcpyDeviceToHost == 2
    assert cupy.cuda.runtime.hostAllocPortable == 1 and cupy.cuda.runtime.hostAllocMapped == 2
    assert cupy.cuda.runtime.streamCaptureModeThreadLocal == 1
    assert cupy.cuda.runtime.memcpyDeviceToDevice == 3
