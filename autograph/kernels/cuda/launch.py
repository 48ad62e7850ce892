"""Running kernels on a GPU, through CuPy: memory from its pool, launches on its current stream.

CuPy 13 and 14 have what is used here; ``tests/kernels/cuda/test_launch.py`` compares with
what is installed.
"""

from __future__ import annotations

import contextlib
import ctypes
import functools
import threading
from collections.abc import Callable, Hashable, Iterator, Sequence
from typing import Any

import numpy as np

from autograph.kernels.cuda import conditional, inside
from autograph.kernels.cuda.compile import CompilationError, binary
from autograph.kernels.cuda.conditional import DECIDE, ConditionalNodes, Rehearsal
from autograph.kernels.cuda.flag import LANDING_BYTES, Flag, flag_of, wait
from autograph.kernels.cuda.graphs import Graphs
from autograph.kernels.cuda.plan import ALIGNMENT, Added, CudaKernel, Entry
from autograph.kernels.cuda.products import Products, by_cublas, products_of
from autograph.kernels.cuda.run import FIRST_ROOM, Full, run
from autograph.kernels.cuda.sized import Sizes
from autograph.kernels.cuda.use import captures
from autograph.kernels.cuda.workspace import NotFixed, Workspace
from autograph.kernels.ir import ir

_MOST_LINES = 16  # streams and threads for which a kernel keeps memory and graphs


class GpuKernel:
    """A kernel that runs on CuPy arrays.

    Args:
        plan: from `autograph.kernels.cuda.printer.print_cuda`.
    """

    def __init__(self, plan: CudaKernel):
        self.plan = plan
        self._room = FIRST_ROOM  # that was enough for the last call
        self._lines: dict[tuple[int, ...], tuple[GpuDevice, Graphs]] = {}

    def __call__(self, *inputs: Any) -> tuple[Any, ...]:
        """Run the kernel on the current device and stream.

        Args:
            inputs: CuPy arrays, C-contiguous, of the dtypes and sizes of the kernel's buffers, and
                numbers, those of symbols of lengths at the end.

        Returns:
            The outputs, flat. One that shares an input's memory is that input, or a copy, if the
            kernel may give up.

        Raises:
            GaveUp: a check failed.
            MemoryError: memory ran out.
            KeyboardInterrupt: the user wants the kernel to end. It has ended.
        """
        import cupy

        kernel = self.plan.kernel
        given = [x if isinstance(p, ir.Var) else x.data.ptr for p, x in zip(kernel.inputs, inputs)]
        sources = {written: shared for shared, written in kernel.shared}
        arrays, sizes = dict(zip(kernel.inputs, inputs)), Sizes(kernel, inputs)
        outputs = tuple(
            arrays[sources[x]].reshape(-1)
            if x in sources and not self.plan.may_fail
            else cupy.empty(sizes.elements(x), x.dtype)
            for x in kernel.outputs
        )
        self._run(cupy, given, [x.data.ptr for x in outputs])
        return outputs

    def _line(self, cupy: Any) -> tuple[GpuDevice, Graphs]:
        """What is made for the current stream, of this thread's."""
        stream = cupy.cuda.get_current_stream()
        key = threading.get_ident(), cupy.cuda.runtime.getDevice(), stream.ptr
        if key not in self._lines:
            if len(self._lines) >= _MOST_LINES:
                self._lines.pop(next(iter(self._lines)))
            off = "" if captures() else "AUTOGRAPH_CUDA_GRAPHS is 0"
            graphs = Graphs(self.plan, off, conditional.why_not(cupy))
            self._lines[key] = GpuDevice(self.plan.text), graphs
        return self._lines[key]

    def _run(self, cupy: Any, given: list[Any], places: list[int]) -> None:
        """Run it on what was made for the current stream, unless that is in use: by a call that
        Python has interrupted for this one."""
        device, graphs = self._line(cupy)
        program = inside.current.get()
        if program is not None:
            how = given, places, self._room, conditional.why_not(cupy)
            self._room = program.run(self.plan, device, *how)
            return
        if not device.workspace.begin():
            self._room = run(self.plan, GpuDevice(self.plan.text), given, places, self._room)
            return
        try:
            try:
                if graphs.run(device, given, places, self._room):
                    return
            except Full:
                self._room *= 2
            self._room = run(self.plan, device, given, places, self._room)
        finally:
            device.workspace.end()


class GpuDevice:
    """CuPy's current device and stream. Memory is an address; what is allocated is freed with this
    object, after which the stream may still use it, since the pool gives it to the same stream.

    Args:
        text: CUDA C of the entries.

    Attributes:
        workspace: what is allocated, and given again for the same.
    """

    def __init__(self, text: str):
        import cupy

        self._cupy = cupy
        self._runtime = cupy.cuda.runtime
        self._device = cupy.cuda.Device()
        self._stream = cupy.cuda.get_current_stream()
        architecture = f"sm_{self._device.compute_capability}"
        self._functions = _functions(text, self._device.id, architecture)
        self._is_captured = self._is_rehearsed = False
        self._for_bodies: list[Any] = []
        self._depth = 0
        self.workspace = Workspace(cupy.cuda.alloc)

    def allocate(self, nbytes: int, what: Hashable) -> int:
        """Memory from CuPy's pool."""
        return self.workspace.memory(nbytes, what)

    def clear(self, memory: int, nbytes: int) -> None:
        """Fill memory with zeros, on the stream."""
        if self._is_rehearsed:
            return
        self._runtime.memsetAsync(memory, 0, nbytes, self._stream.ptr)

    def copy(self, to: int, source: int, nbytes: int) -> None:
        """Copy memory, on the stream."""
        if self._is_rehearsed:
            return
        kind = self._runtime.memcpyDeviceToDevice
        self._runtime.memcpyAsync(to, source, nbytes, kind, self._stream.ptr)

    def at(self, memory: int, offset: int) -> int:
        """An address some bytes further."""
        return int(memory + offset)  # an offset may be of NumPy's

    def read(self, memory: int, dtype: np.dtype, count: int) -> np.ndarray:
        """Elements of memory. Waits for the stream.

        Raises:
            NotFixed: the stream is captured.
        """
        if self._is_captured or self._is_rehearsed:
            raise NotFixed("the host reads numbers of the device's")
        found, kind = np.empty(count, dtype), self._runtime.memcpyDeviceToHost
        if found.nbytes > LANDING_BYTES:  # into memory that is not pinned: the copy itself waits
            wait(self._cupy, self._stream)
            self._runtime.memcpyAsync(
                found.ctypes.data, memory, found.nbytes, kind, self._stream.ptr
            )
            self._stream.synchronize()
            return found
        landing = self._flag.landing
        self._runtime.memcpyAsync(landing, memory, found.nbytes, kind, self._stream.ptr)
        wait(self._cupy, self._stream)
        ctypes.memmove(found.ctypes.data, landing, found.nbytes)
        return found

    @property
    def _flag(self) -> Flag:
        return flag_of(self._cupy, self._device.id)

    def stop_flag(self) -> int:
        """Where kernels look whether they are to end."""
        return self._flag.address

    def end(self) -> None:
        """Let kernels end, and wait for that. The flag is left set if the user does not wait."""
        flag = self._flag
        flag.set()
        wait(self._cupy, self._stream)
        flag.clear()

    def most_blocks(self, entry: Entry) -> int:
        """As many blocks of an entry as the device holds."""
        return _resident(self._functions[entry.name], entry.threads, self._device.id)

    def launch(self, entry: Entry, blocks: int, arguments: Sequence[Any]) -> None:
        """Run an entry on the stream."""
        if self._is_rehearsed:  # it is loaded when it is asked about
            _resident(self._functions[entry.name], entry.threads, self._device.id)
            return
        given = tuple(x if isinstance(x, np.generic) else np.uint64(x) for x in arguments)
        how = {"enable_cooperative_groups": True} if entry.together else {}
        function = self._functions[entry.name]
        function((blocks,), (entry.threads,), given, stream=self._stream, **how)

    def capture(self, launch: Callable[[Callable[[int], Any]], None], decides: bool) -> Any:
        """A graph of what a function launches, on a stream of its own: the legacy stream cannot be
        captured. Calls that other threads make meanwhile are theirs. Before, all is rehearsed: a
        capture allows neither to allocate memory nor to load functions, and not all of them may
        have run yet.

        Args:
            decides: whether there are nodes that decide about loops or branches.

        Raises:
            NotFixed: something in it cannot be part of a graph.
            RuntimeError: CUDA refuses.
        """
        self.rehearse(launch, decides)
        stream, self._stream = self._stream, self._cupy.cuda.Stream(non_blocking=True)
        try:
            self._stream.begin_capture(mode=self._runtime.streamCaptureModeThreadLocal)
            try:
                with self.noting():
                    launch(functools.partial(ConditionalNodes, self))
            except BaseException:
                with contextlib.suppress(RuntimeError):  # it is invalid, and ends with this
                    self._stream.end_capture()
                raise
            return self._stream.end_capture()
        finally:
            self._stream = stream

    @contextlib.contextmanager
    def noting(self) -> Iterator[None]:
        """Launch on a stream that is captured: no memory may be allocated."""
        self._is_captured = self.workspace.fixed = True
        try:
            yield
        finally:
            self._is_captured = self.workspace.fixed = False

    def rehearse(self, launch: Callable[[Callable[[int], Any]], None], decides: bool) -> None:
        """Allocate and load what a function needs that launches; see `capture`."""
        self._is_rehearsed = True
        try:
            launch(lambda status: Rehearsal(self._deeper))
        finally:
            self._is_rehearsed = False
        if decides:
            conditional.prepare(self._device.id)
            _resident(self._decide, DECIDE.threads, self._device.id)

    def stream_number(self) -> int:
        """The stream, as CUDA has it."""
        return self._stream.ptr

    def decide(self, arguments: Sequence[Any]) -> None:
        """Launch the kernel that decides about a node of a graph."""
        given = tuple(x if isinstance(x, np.generic) else np.uint64(x) for x in arguments)
        self._decide((1,), (DECIDE.threads,), given, stream=self._stream)

    @functools.cached_property
    def _decide(self) -> Any:
        architecture = f"sm_{self._device.compute_capability}"
        try:
            return _functions(conditional.TEXT, self._device.id, architecture)[DECIDE.name]
        except CompilationError as error:  # an older NVRTC
            raise NotFixed(error.log) from error

    @contextlib.contextmanager
    def on_another_stream(self) -> Iterator[None]:
        """Launch on a stream that is captured by itself, for the body of a node."""
        before = self._stream
        with self._deeper() as stream:
            self._stream = stream
            try:
                yield
            finally:
                self._stream = before

    @contextlib.contextmanager
    def _deeper(self) -> Iterator[Any]:
        """The stream for the bodies of nodes that are as deep as those here. It is made when a
        launch is rehearsed: nobody says that it may be while another one is captured, or go."""
        if self._depth == len(self._for_bodies):
            self._for_bodies.append(self._cupy.cuda.Stream(non_blocking=True))
        self._depth += 1
        try:
            yield self._for_bodies[self._depth - 1]
        finally:
            self._depth -= 1

    def start(self, graph: Any) -> None:
        """Start a graph on the stream."""
        graph.launch(self._stream)

    @functools.cached_property
    def _products(self) -> Products | None:
        return products_of(self._device.id, self._device.compute_capability)

    def multiply(self, s: ir.Multiply, a: int, b: int, c: int, added: Added | None = None) -> bool:
        """A product, by cuBLASLt or, which no graph can have, by CuPy's cuBLAS; see
        `autograph.kernels.cuda.run.Device.multiply`.

        Raises:
            NotFixed: the stream is captured, and the product is cuBLAS's.
            ProductError: see `autograph.kernels.cuda.products`.
        """
        if not (s.rows and s.columns and s.batch):
            return True
        products = self._products
        made = products and products.prepared(s, a, b, c, added)
        if not (products and made):
            if added is not None:
                return False
            if self._is_captured or self._is_rehearsed:
                raise NotFixed("cuBLAS")
            by_cublas(s, a, b, c)
            return True
        workspace = self.allocate(made.workspace, "products") if made.workspace else 0
        if self._is_rehearsed:
            if made.has_run:
                return True
            # It loads what it needs when it runs, so it does, but leaves the result as it is.
            scratch = self._cupy.cuda.alloc(_extent(s) * s.c.dtype.itemsize + ALIGNMENT)
            c = scratch.ptr + c % ALIGNMENT
        products.run(made, s, (a, b, c), workspace, self._stream.ptr, added)
        return True


def _extent(s: ir.Multiply) -> int:
    """How many elements there are from the first of a product's results to the last."""
    rows, columns, _, _, _, stride, batch, _, _, step = (int(x) for x in s.measures())  # type: ignore[arg-type]
    return (batch - 1) * step + (rows - 1) * stride + columns


@functools.lru_cache(maxsize=4096)
def _resident(function: Any, threads: int, device: int) -> int:
    """How many blocks run at once on all multiprocessors."""
    import cupy
    from cupy_backends.cuda.api import driver

    each = driver.occupancyMaxActiveBlocksPerMultiprocessor(function.ptr, threads, 0)
    return max(each, 1) * cupy.cuda.Device(device).attributes["MultiProcessorCount"]


@functools.lru_cache(maxsize=512)
def _functions(text: str, device: int, architecture: str) -> dict[str, Any]:
    """The entries of a text, loaded on a device."""
    from cupy.cuda.function import Module

    made = binary(text, architecture)
    module = Module()
    try:
        module.load(made.cubin)
    except RuntimeError as error:  # what CuPy makes of an error of the driver
        raise CompilationError(str(error), text) from error
    return {name: module.get_function(name) for name in made.resources}
