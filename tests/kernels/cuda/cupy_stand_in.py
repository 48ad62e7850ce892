"""CuPy on the CPU, as far as programs with CUDA kernels use it: arrays of NumPy's under its name,
and kernels through the host's C++ compiler.

It shows that what Python does around kernels is right, and that the numbers are; not that memory is
where CuPy would have it. Where the tests run on a GPU (see `machine`) it is CuPy itself, which is
watched.
"""

from __future__ import annotations

import contextlib
import functools
import math
import sys
import threading
from collections.abc import Callable
from types import ModuleType, SimpleNamespace
from typing import Any, ClassVar

import numpy as np
import pytest

from autograph.kernels.cuda import conditional, flag, function, launch, printer, products
from autograph.kernels.cuda.plan import CudaKernel, Launch
from autograph.kernels.cuda.printer import print_cuda
from tests.kernels.cuda.conditional_nodes import runtime as runtime_of_nodes
from tests.kernels.cuda.cublaslt import Library, loaded
from tests.kernels.cuda.machine import ON_GPU, Unit
from tests.kernels.cuda.shim import HostDevice
from tests.kernels.cuda.shim import Unit as HostUnit
from tests.kernels.cuda.streams import Cuda, CudaError, Pool

PROCESSORS, RESIDENT = 2, 3


# The kernel that decides about nodes, with a handle that is an address.
_DECIDES = CudaKernel(
    None,  # type: ignore[arg-type]
    conditional.TEXT.replace(
        conditional.DECLARATION,
        "static void cudaGraphSetConditional(uint64 handle, uint32 value) "
        "{ *(volatile uint32 *)handle = value; }",
    ),
    [conditional.DECIDE],
    [Launch(conditional.DECIDE)],
    {},
    0,
    {},
)


class StandInArray(np.ndarray):
    """What stands for ``cupy.ndarray``. ``device_id`` may be set, as if the memory were there."""

    device_id = 0

    @property
    def data(self):
        return SimpleNamespace(ptr=self.ctypes.data, device_id=self.device_id)

    def get(self):
        return np.array(self)


if ON_GPU:
    from cupy import ndarray as Array
else:
    Array = StandInArray


def on_device(x):
    """A copy of an array of NumPy's on the device."""
    if ON_GPU:
        from cupy import array

        return array(x)
    kind = getattr(sys.modules.get("cupy"), "ndarray", None)
    return np.array(x).view(kind if _is_ours(kind) else StandInArray)


def _is_ours(kind) -> bool:
    return isinstance(kind, type) and issubclass(kind, StandInArray)


def on_host(x):
    """An array on the device as one of NumPy's."""
    assert isinstance(x, Array)
    return x.get()


class StandIn:
    """The modules, and what was done.

    Attributes:
        launches: the names of entries, in order.
        copies: to the host, in bytes.
        cuda: the device, with its streams.
        cublaslt: the library that multiplies; None: CuPy's cuBLAS does.
        plans: of all kernels, by their text: compiled functions are kept from test to test.
    """

    plans: ClassVar[dict[str, Any]] = {}
    array: ClassVar[type[StandInArray]] = StandInArray

    def __init__(self, asynchronous: bool = False) -> None:
        self.launches: list[str] = []
        self.copies: list[int] = []
        self.cuda = Cuda(asynchronous)
        self.cublaslt: Library | None = Library(
            self.cuda, lambda: self.launches.append("a product")
        )
        self.refused = False  # whether the kernels' text is refused

    def printed(self, kernel: Any) -> Any:
        plan = print_cuda(kernel)
        self.plans[plan.text] = plan
        return plan

    def functions(self, text: str, device: int, architecture: str) -> dict[str, Any]:
        assert (device, architecture) == (0, "sm_90")
        if self.refused:
            raise launch.CompilationError("refused", text)
        plan = self.plans[text] if text != conditional.TEXT else _DECIDES
        unit = (HostUnit if plan is _DECIDES else Unit)([plan])
        host = HostDevice(unit, blocks=PROCESSORS * RESIDENT)

        def entry_function(entry):
            def call(grid, block, arguments, stream, enable_cooperative_groups=False):
                assert block == (entry.threads,)
                assert enable_cooperative_groups == entry.together
                stream.submit(lambda: run(grid[0], arguments), entry.name)

            def run(blocks, arguments):
                self.launches.append(entry.name)
                host.launch(entry, blocks, arguments)

            return call

        return {entry.name: entry_function(entry) for entry in plan.entries}

    @property
    def memory(self) -> int | None:
        """What is left, in bytes, of what may be allocated; None: any."""
        return self.cuda.left

    @memory.setter
    def memory(self, nbytes: int | None) -> None:
        self.cuda.left = nbytes

    def load_cublaslt(self) -> products.CublasLt | None:
        return self.cublaslt and products.CublasLt(loaded(self.cublaslt))

    def by_cublas(self, s: Any, *places: int) -> None:
        def run():
            self.launches.append("a product")
            HostDevice(None).multiply(s, *places)

        self.cuda.forbid("cuBLAS")
        self.cuda.current.submit(run, "a product")

    def memcpy(self, to, source, nbytes, kind, stream):
        if kind == "to host":
            self.copies.append(nbytes)
        self.cuda.memcpy(to, source, nbytes, kind, stream)

    def empty(self, shape, dtype=float):
        """Of the pool, where memory that is freed is reused."""
        dtype, lengths = np.dtype(dtype), tuple(map(int, np.atleast_1d(shape)))
        made = self.cuda.alloc(math.prod(lengths) * dtype.itemsize)
        return made.array(dtype, lengths).view(self.array)

    def modules(self) -> dict[str, ModuleType]:
        cupy = ModuleType("cupy")
        cupy.__getattr__ = lambda name: self.function_of_numpy(name)
        cupy.ndarray = self.array
        cupy.asarray = self.asarray
        cupy.asnumpy = np.array
        cupy.empty = self.empty
        runtime = SimpleNamespace(
            memsetAsync=self.cuda.memset,
            memcpyAsync=self.memcpy,
            memcpy=self.cuda.memcpy_and_wait,
            streamQuery=self.cuda.query,
            memcpyDeviceToDevice="on device",
            memcpyDeviceToHost="to host",
            memcpyHostToDevice="to the device",
            hostAllocPortable=1,
            hostAllocMapped=2,
            streamCaptureModeThreadLocal=1,
            getDevice=lambda: 0,
            getDeviceCount=lambda: 1,
            getDeviceProperties=lambda number: {
                "name": b"a stand-in",
                "major": 9,
                "minor": 0,
                "multiProcessorCount": PROCESSORS,
                "totalGlobalMem": 0,
            },
            runtimeGetVersion=lambda: 0,
            driverGetVersion=lambda: 13000,
            CUDARuntimeError=CudaError,
        )
        device = SimpleNamespace(id=0, compute_capability="90")
        cupy.cuda = SimpleNamespace(
            runtime=runtime,
            Device=lambda number=0: device,
            get_current_stream=lambda: self.cuda.current,
            alloc=self.cuda.alloc,
            PinnedMemory=self.cuda.pinned,
            Stream=self.cuda.stream,
            MemoryPool=lambda: Pool(self.cuda),
            using_allocator=self.cuda.using_allocator,
            set_allocator=self.cuda.set_allocator,
        )
        return {"cupy": cupy, "cuda.bindings.runtime": runtime_of_nodes(self.cuda)}

    @staticmethod
    def asarray(x, dtype=None, order=None):
        """The same array, if it is one on the device as it is wanted."""
        if isinstance(x, StandInArray) and dtype in (None, x.dtype) and order is None:
            return x
        return np.array(x, dtype, order=order or "K").view(StandInArray)

    @staticmethod
    def function_of_numpy(name: str) -> Any:
        """A function of NumPy's whose arrays are those of the stand-in."""
        if name.startswith("__"):
            raise AttributeError(name)
        found = getattr(np, name)
        if isinstance(found, type) or not callable(found):
            return found

        @functools.wraps(found, updated=())
        def call(*args, **kwargs):
            result = found(*args, **kwargs)
            if not isinstance(result, np.generic | np.ndarray):
                return result
            return np.asarray(result).view(StandInArray)

        if isinstance(found, np.ufunc):
            call.at = found.at
        return call


@contextlib.contextmanager
def stand_in(monkeypatch, asynchronous=False):
    """CuPy's stand-in, installed, with kernels turned on.

    Args:
        asynchronous: whether the host goes on while it computes, as with a GPU.
    """
    if ON_GPU:
        from tests.kernels.cuda.gpu import watched

        yield watched(monkeypatch)
        return
    yield installed(monkeypatch, asynchronous)


def rehearse() -> StandIn:
    """CuPy's stand-in, installed for as long as the process lasts, before tests are imported that
    print kernels themselves."""
    monkeypatch = pytest.MonkeyPatch()
    made = installed(monkeypatch)
    monkeypatch.setattr(printer, "print_cuda", made.printed)
    return made


def installed(
    monkeypatch, asynchronous: bool = False, kind: Callable[[bool], StandIn] = StandIn
) -> StandIn:
    """CuPy's stand-in, or one like it."""
    made = kind(asynchronous)
    for name, module in made.modules().items():
        monkeypatch.setitem(sys.modules, name, module)
    monkeypatch.setenv("AUTOGRAPH_CUDA_KERNELS", "1")
    monkeypatch.setattr(launch, "_functions", made.functions)
    monkeypatch.setattr(flag, "_flags", threading.local())
    monkeypatch.setattr(launch, "_resident", lambda *given: PROCESSORS * RESIDENT)
    monkeypatch.setattr(products, "_by_device", {})
    monkeypatch.setattr(products, "load", made.load_cublaslt)
    monkeypatch.setattr(launch, "by_cublas", made.by_cublas)
    monkeypatch.setattr(function, "print_cuda", made.printed)
    return made
