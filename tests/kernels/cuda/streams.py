"""Streams, graphs and memory of CUDA's on the CPU, held to its rules.

What "CUDA Runtime API" (stream management, graph management) and "CUDA C++ Programming Guide"
(CUDA graphs, mapped memory) say of the calls that are used here; CuPy's pool as its source has it.

* Work of a stream runs in order; the host need not wait for it (``asynchronous``).
* A stream that is captured runs nothing: it notes calls with their arguments. The legacy stream
  cannot be captured, nor one that is captured already.
* While a thread captures, it may neither allocate memory nor pin it, wait, ask whether a stream is
  done, copy to the host, nor call cuBLAS or cuSOLVER. Each is an error, after which the capture is
  invalid, and ending it is an error as well.
* A graph that is launched does what was noted, to the addresses that were noted.
* An event of a stream that is not captured is nothing that one that is may wait for, nor the other
  way round.
* Memory that is freed is garbage at once, and goes to who next asks for that size on the stream, of
  the same pool.
"""

from __future__ import annotations

import contextlib
import ctypes
import itertools
import queue
import threading
import weakref
from collections import defaultdict
from collections.abc import Callable, Iterator
from typing import Any, ClassVar

import numpy as np

FREED, FRESH = 0xDD, 0xAB
NOT_READY = 600  # cudaErrorNotReady
_devices, _streams = itertools.count(1), itertools.count(1)
_ROUNDED = 512  # bytes, to a multiple of which the pool rounds

# An error of the runtime's: CuPy's is recognised by its module.
CudaError = type(
    "CUDARuntimeError", (RuntimeError,), {"__module__": "cupy_backends.cuda.api.runtime"}
)
OutOfMemoryError = type("OutOfMemoryError", (MemoryError,), {"__module__": "cupy.cuda.memory"})


class Cuda:
    """A device.

    Attributes:
        null: the legacy stream.
        current: the current one.
        log: what was done, in order.
        left: bytes that may still be allocated; None: any.
        failed: the error that the device reports from now on, whatever it is asked; 0: none.
    """

    def __init__(self, asynchronous: bool = False):
        self.asynchronous = asynchronous
        self.failed = 0
        self.capturing: list[Stream] = []
        # Kernels outlive a test: what they keep for a stream must not be taken for one of the next.
        self.null = Stream(self, -next(_devices), legacy=True)
        self.current = self.null
        self.log: list[Any] = []
        self.left: int | None = None
        self._given: dict[int, int] = {}
        self._blocks: list[np.ndarray] = []  # which stay as long as graphs may refer to them
        self.pool = Pool(self)
        self.allocator = self.pool.malloc

    def stream(self, null: bool = False, non_blocking: bool = False) -> Stream:
        """What `cupy.cuda.Stream` makes."""
        self.forbid("cudaStreamCreate")
        return Stream(self, next(_streams), non_blocking)

    def forbid(self, what: str) -> None:
        """Note that a call was made that a capture does not allow.

        Raises:
            CudaError: there is one.
        """
        if self.capturing:
            for stream in self.capturing:
                stream.invalid = what
            raise CudaError(f"cudaErrorStreamCaptureUnsupported: {what} while a stream is captured")

    # -- memory ------------------------------------------------------------------------------------

    def alloc(self, nbytes: int) -> Memory:
        """What `cupy.cuda.alloc` gives: memory of the pool that is used."""
        return self.allocator(nbytes)

    @contextlib.contextmanager
    def using_allocator(self, allocator: Callable[[int], Memory]) -> Iterator[None]:
        """What `cupy.cuda.using_allocator` makes."""
        before, self.allocator = self.allocator, allocator
        try:
            yield
        finally:
            self.allocator = before

    def set_allocator(self, allocator: Callable[[int], Memory] | None) -> None:
        """``cupy.cuda.set_allocator``; without one, memory is CUDA's own, which nobody reuses."""
        self.allocator = allocator or (lambda nbytes: Pool(self).malloc(nbytes))

    def holds(self, place: int, nbytes: int) -> bool:
        """Whether there are that many bytes of memory that is allocated."""
        return any(x <= place and place + nbytes <= x + n for x, n in self._given.items())

    def pinned(self, nbytes: int, flags: int) -> Memory:
        """What `cupy.cuda.PinnedMemory` makes: the device can read it if it is mapped."""
        self.forbid("cudaHostAlloc")
        assert flags & 2, "memory that is not mapped"
        return Memory(np.full(nbytes + 256, FRESH, np.uint8), nbytes)

    def memset(self, memory: int, value: int, nbytes: int, stream: int) -> None:
        """``cudaMemsetAsync``."""
        work = lambda: ctypes.memset(memory, value, nbytes)
        self.by_number(stream).submit(work, "memset")

    def memcpy(self, to: int, source: int, nbytes: int, kind: str, stream: int) -> None:
        """``cudaMemcpyAsync``, of which one to the host is no part of a graph here: what nobody
        waits for, nobody may read."""
        if kind == "to host":
            self.forbid("a copy to the host")
        work = lambda: ctypes.memmove(to, source, nbytes)
        self.by_number(stream).submit(work, f"copy {kind}")

    def memcpy_and_wait(self, to: int, source: int, nbytes: int, kind: str) -> None:
        """``cudaMemcpy``, of the legacy stream."""
        self.forbid("cudaMemcpy")
        self.memcpy(to, source, nbytes, kind, self.null.ptr)
        self.null.synchronize()

    def query(self, stream: int) -> int:
        """``cudaStreamQuery``, of which CuPy gives the status, also that of an error."""
        return self.by_number(stream).status()

    def is_done(self) -> bool:
        """Whether all is done on the legacy stream."""
        return self.null.status() == 0

    def by_number(self, number: int) -> Stream:
        """The stream of that number, which is current or captured."""
        return next(s for s in (self.current, self.null, *self.capturing) if s.ptr == number)


class Pool:
    """What `cupy.cuda.MemoryPool` makes."""

    def __init__(self, cuda: Cuda):
        self._cuda = cuda
        self._free: dict[tuple[int, int], list[np.ndarray]] = defaultdict(list)
        self._total = 0

    def total_bytes(self) -> int:
        """How much CUDA has given."""
        return self._total

    def malloc(self, nbytes: int) -> Memory:
        """Memory of the pool, for the current stream."""
        cuda, size = self._cuda, max(-(-nbytes // _ROUNDED), 1) * _ROUNDED
        free = self._free[cuda.current.ptr, size]
        if free:
            block = free.pop()
        else:
            cuda.forbid("cudaMalloc")
            if cuda.left is not None:
                cuda.left -= nbytes
                if cuda.left < 0:
                    raise OutOfMemoryError("there is no more")
            block = np.empty(size + 256, np.uint8)
            cuda._blocks.append(block)
            self._total += size
        if not cuda.capturing:  # after what others have launched who had it before
            cuda.current.do(lambda: block.fill(FRESH))
        memory = Memory(block, nbytes)
        cuda._given[memory.ptr] = nbytes
        weakref.finalize(memory, self._freed, block, memory.ptr, cuda.current.ptr, size)
        return memory

    def _freed(self, block: np.ndarray, place: int, stream: int, size: int) -> None:
        del self._cuda._given[place]
        # As for the device: what was launched before still finds there what it was given.
        self._cuda.current.submit(lambda: block.fill(FREED), "free", capture=False)
        self._free[stream, size].append(block)


class Memory:
    """Memory of a device's or pinned, aligned as CUDA aligns it; it is given back with this."""

    def __init__(self, block: np.ndarray, nbytes: int):
        self.block = block
        self.nbytes = nbytes
        self.ptr = -(-block.ctypes.data // 256) * 256

    def array(self, dtype: Any, shape: tuple[int, ...]) -> np.ndarray:
        """The memory as an array, which holds it."""
        self.__array_interface__ = {
            "data": (self.ptr, False), "shape": shape, "typestr": np.dtype(dtype).str, "version": 3
        }  # fmt: skip
        return np.asarray(self)


class Stream:
    """A stream. Work of an asynchronous device's is done by a thread."""

    known: ClassVar[weakref.WeakValueDictionary[int, Stream]] = weakref.WeakValueDictionary()

    def __init__(self, cuda: Cuda, number: int, non_blocking: bool = False, legacy: bool = False):
        self.cuda, self.non_blocking, self.legacy = cuda, non_blocking, legacy
        self.ptr = number
        self.apart = False  # whether a node was added that the next one does not follow yet
        Stream.known[number] = self
        self.noted: list[tuple[Callable[[], Any], str]] | None = None
        self.invalid: str | None = None
        self._queue: queue.Queue[Callable[[], Any]] = queue.Queue()
        self._pending = 0
        self._idle = threading.Condition()
        if cuda.asynchronous:
            threading.Thread(target=self._work, daemon=True).start()

    def _work(self) -> None:
        while True:
            self._queue.get()()
            with self._idle:
                self._pending -= 1
                self._idle.notify_all()

    def submit(self, work: Callable[[], Any], what: Any, capture: bool = True) -> None:
        """Do something after all that was submitted before, or note it."""
        if capture and self.noted is not None:
            assert not self.apart, "what is captured does not follow the node before"
            self.noted.append((work, what))
            return
        for other in self.cuda.capturing:
            if self.legacy and not other.non_blocking and capture:
                self.cuda.forbid("the legacy stream")
        self.cuda.log.append(what)
        self.do(work)

    def do(self, work: Callable[[], Any]) -> None:
        """Do something after all that was submitted before."""
        if not self.cuda.asynchronous:
            work()
            return
        with self._idle:
            self._pending += 1
        self._queue.put(work)

    def status(self) -> int:
        self.cuda.forbid("cudaStreamQuery")
        if self.cuda.failed:
            return self.cuda.failed
        if self._pending:
            return NOT_READY
        self.cuda.log.append("wait")
        return 0

    def synchronize(self) -> None:
        self.cuda.forbid("cudaStreamSynchronize")
        self.cuda.log.append("wait")
        with self._idle:
            self._idle.wait_for(lambda: not self._pending)
        if self.cuda.failed:
            raise CudaError(f"an error of the device: {self.cuda.failed}")

    def __enter__(self) -> Stream:
        self._before, self.cuda.current = self.cuda.current, self
        return self

    def __exit__(self, *given: Any) -> None:
        self.cuda.current = self._before

    def record(self) -> Event:
        event = Event(self.noted is not None)
        self.submit(event.reached.set, "event")
        return event

    def wait_event(self, event: Event) -> None:
        if event.captured != (self.noted is not None):
            for stream in self.cuda.capturing:
                stream.invalid = "an event"
            raise CudaError("cudaErrorStreamCaptureIsolation: an event of another stream")
        self.submit(event.reached.wait, "wait for an event")

    # -- graphs ------------------------------------------------------------------------------------

    def begin_capture(self, mode: int | None = None) -> None:
        if self.legacy:
            raise CudaError("cudaErrorStreamCaptureUnsupported: the legacy stream")
        if self.noted is not None:
            raise CudaError("cudaErrorIllegalState: it is captured already")
        self.noted, self.invalid = [], None
        self.cuda.capturing.append(self)

    def end_capture(self) -> Graph:
        if self.noted is None:
            raise CudaError("cudaErrorIllegalState: it is not captured")
        noted, self.noted = self.noted, None
        self.cuda.capturing.remove(self)
        if self.invalid:
            raise CudaError(f"cudaErrorStreamCaptureInvalidated: {self.invalid}")
        return Graph(self.cuda, noted)


class Event:
    """A point in the work of a stream."""

    def __init__(self, captured: bool):
        self.captured = captured
        self.reached = threading.Event()


class Graph:
    """What was noted."""

    def __init__(self, cuda: Cuda, nodes: list[tuple[Callable[[], Any], str]]):
        self.cuda, self.nodes = cuda, nodes

    def launch(self, stream: Stream | None = None) -> None:
        self.cuda.forbid("a graph is launched")
        (stream or self.cuda.current).submit(
            lambda: [work() for work, _ in self.nodes], ("graph", len(self.nodes))
        )
