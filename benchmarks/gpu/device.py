"""The GPU, as CuPy has it, or what stands for it in a rehearsal."""

from __future__ import annotations

import contextlib
import functools
import os
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FunctionType
from typing import Any

import numpy as np
import optree

ROOT = Path(__file__).resolve().parents[2]
REHEARSES = "AUTOGRAPH_REHEARSE_GPU"  # the variable that a rehearsal sets
_MOST_PROCESSES = 16
LONGER = 10  # times as long as a GPU may a CPU take, in a rehearsal


def rehearsing() -> bool:
    """Whether the GPU is a stand-in."""
    return os.environ.get(REHEARSES) == "1"


def cupy() -> Any:
    """CuPy, with the project's kernels turned on.

    Raises:
        SystemExit: there is no device.
    """
    os.environ["AUTOGRAPH_CUDA_KERNELS"] = "1"
    if rehearsing():
        _rehearse()
    try:
        import cupy
    except ImportError as error:
        raise SystemExit(
            f"{sys.executable} has no CuPy ({error}): pip install '.[cuda13]', or [cuda12]"
        ) from None
    try:
        count = cupy.cuda.runtime.getDeviceCount()
    except cupy.cuda.runtime.CUDARuntimeError as error:
        raise SystemExit(f"CuPy finds no GPU: {error}") from None
    if not count:
        raise SystemExit("CuPy finds no GPU")
    return cupy


def probe() -> None:
    """Compute something in CuPy's own terms, for which it compiles with NVIDIA's headers.

    Raises:
        SystemExit: there is no device, or CuPy cannot compute on it.
    """
    module = cupy()
    try:
        (module.arange(3.0) * 2.0).get()
    except Exception as error:
        first = f"{type(error).__name__}: {error}".partition("\n")[0]
        raise SystemExit(
            f"CuPy finds a GPU, but cannot compute there ({first}): pip install "
            "'cupy-cuda13x[ctk]', or 'cupy-cuda12x[ctk]', has what it compiles with"
        ) from None


def _rehearse() -> None:
    """Install the stand-in for CuPy. It is what the tests have on a CPU; those that are told to run
    on a GPU, and imported after this, find it as they would find CuPy. NVRTC begins before, since
    it asks CuPy itself where it is."""
    from autograph.kernels.cuda import compile as nvrtc

    nvrtc.available()
    place = os.environ.pop("AUTOGRAPH_TEST_CUDA", None)
    from tests.kernels.cuda.cupy_stand_in import rehearse

    rehearse()
    if place is not None:
        os.environ["AUTOGRAPH_TEST_CUDA"] = place
        for name in ("cupy_stand_in", "machine"):
            del sys.modules[f"tests.kernels.cuda.{name}"]


def processes() -> int:
    """How many may share the device: one for each core, since they compile most of the time, with
    a GiB of the device's memory for each."""
    cores = os.cpu_count() or 1
    if rehearsing():
        return cores
    import cupy

    nbytes = cupy.cuda.runtime.getDeviceProperties(0)["totalGlobalMem"]
    return max(min(cores, _MOST_PROCESSES, nbytes // 2**30), 1)


_STICKY = ("IllegalAddress", "ILLEGAL_ADDRESS", "MisalignedAddress", "MISALIGNED_ADDRESS",
           "LaunchFailure", "LAUNCH_FAILED", "HardwareStackError", "IllegalInstruction",
           "LaunchTimeout", "LAUNCH_TIMEOUT")  # fmt: skip


def is_lost(error: str) -> bool:
    """Whether after an error, of which this is the text, nothing that the process does on the
    device means anything."""
    return any(name in error for name in _STICKY)


def anew(f: Any) -> FunctionType:
    """A function that has not been compiled: those of the same code share what is."""
    code = f.__code__.replace()
    return FunctionType(code, f.__globals__, f.__name__, f.__defaults__, f.__closure__)


def on_device(tree: Any) -> Any:
    """Arguments with their arrays on the device."""
    import cupy

    return optree.tree_map(lambda x: cupy.asarray(x) if isinstance(x, np.ndarray) else x, tree)


def on_host(tree: Any) -> Any:
    """Results with their arrays on the host."""
    return optree.tree_map(lambda x: x.get() if hasattr(x, "get") else x, tree)


def wait() -> None:
    """Wait for all that was launched."""
    import cupy

    cupy.cuda.get_current_stream().synchronize()


def seconds(
    way: Callable[[], Any], finish: Callable[[], Any] = wait, enough: float = 0.05, rounds: int = 5
) -> float:
    """Seconds per call, of the fastest of some rounds. Calls are launched one after another, and
    the host waits at the end of a round.

    Args:
        way: what is timed. It has been called before.
        finish: waits for all calls.
        enough: about how long a round takes.
    """
    finish()
    start = time.perf_counter()
    way()
    finish()
    calls = max(1, min(1000, int(enough / max(time.perf_counter() - start, 1e-7))))
    found = []
    for _ in range(rounds):
        start = time.perf_counter()
        for _ in range(calls):
            way()
        finish()
        found.append((time.perf_counter() - start) / calls)
    return min(found)


@functools.cache
def _pool(byte: int) -> Any:
    """Memory that is full of a byte when it is given."""
    import cupy

    runtime, pool = cupy.cuda.runtime, cupy.cuda.MemoryPool()

    def allocate(nbytes: int) -> Any:
        memory = pool.malloc(nbytes)
        if nbytes:
            runtime.memsetAsync(memory.ptr, byte, nbytes, cupy.cuda.get_current_stream().ptr)
        return memory

    return allocate


def poisoned(byte: int) -> contextlib.AbstractContextManager:
    """Arrays are full of a byte before anything is written there, results as well: what reads them
    too early has other results with another byte."""
    import cupy

    return cupy.cuda.using_allocator(_pool(byte))


@contextlib.contextmanager
def launches() -> Iterator[list[str]]:
    """The names of the project's kernels that are launched, in order."""
    from autograph.kernels.cuda import launch

    made: list[str] = []
    original = launch.GpuDevice.launch

    def noted(self, entry, blocks, arguments):
        made.append(entry.name)
        original(self, entry, blocks, arguments)

    launch.GpuDevice.launch = noted  # type: ignore[method-assign]
    try:
        yield made
    finally:
        launch.GpuDevice.launch = original  # type: ignore[method-assign]
