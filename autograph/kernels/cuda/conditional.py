"""Loops and branches of the host's as nodes of a graph: the device decides, and nobody waits.

CUDA has WHILE and IF nodes since 12.4 ("CUDA C++ Programming Guide", conditional graph nodes); CuPy
has no functions for them, `cuda.bindings` has. A kernel of one thread looks at the condition that
launches before it have left in memory, and sets what the node asks for; it looks at the flag of
`autograph.kernels.cuda.flag`, too, so that Ctrl-C ends a loop on the device, and at whether the
kernel has failed.

Where there is no `cuda.bindings`, or the driver is older, the host looks at each condition itself.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any, Protocol

import numpy as np

from autograph.kernels.cuda.helpers import TYPEDEFS
from autograph.kernels.cuda.plan import STATUS, STOP, Entry, Scratch
from autograph.kernels.cuda.stopping import STATUS_AT
from autograph.kernels.cuda.workspace import NotFixed

OLDEST_DRIVER = 12040

# Until CUDA 13 the functions that know what edges of a graph carry have numbers in their names, and
# those without take, and give, less.
_BEFORE_13 = {
    "cudaStreamGetCaptureInfo": "_v3",
    "cudaGraphAddNode": "_v2",
    "cudaStreamUpdateCaptureDependencies": "_v2",
}

# NVRTC has no header that declares it; `ptxas` knows the function.
DECLARATION = 'extern "C" __device__ void cudaGraphSetConditional(uint64 handle, uint32 value);'
DECIDE = Entry(
    "decide",
    [
        (Scratch("handle", "number"), "uint64"),
        (Scratch("condition", "kernel"), "const volatile bool *"),
        (Scratch("wanted", "number"), "int"),
        (STATUS, "volatile int *"),
        (STOP, "volatile int *"),
    ],
    threads=1,
)
TEXT = f"""{TYPEDEFS}
{DECLARATION}

extern "C" __global__ void __launch_bounds__(1, 1)
decide(uint64 handle, const volatile bool *condition, int wanted, volatile int *status,
    volatile int *stop)
{{
    if (*stop) status[{STATUS_AT}] = 1;
    const bool ended = status[0] | status[1] | status[{STATUS_AT}];
    cudaGraphSetConditional(handle, !ended && *condition == (wanted != 0));
}}
"""


class CapturedStream(Protocol):
    """A device whose stream is captured."""

    def stream_number(self) -> int:
        """The stream."""

    def decide(self, arguments: list[Any]) -> None:
        """Launch `DECIDE`."""

    def stop_flag(self) -> int:
        """Where kernels look whether they are to end."""

    def on_another_stream(self) -> Any:
        """A context in which launches go to another stream, which is not captured yet."""


def why_not(cupy: Any) -> str:
    """Why there are no such nodes; nothing if there are."""
    try:
        importlib.import_module("cuda.bindings.runtime")
    except ImportError:
        return "the host looks at a condition, since cuda.bindings is not installed"
    if cupy.cuda.runtime.driverGetVersion() < OLDEST_DRIVER:
        return "the host looks at a condition, since the driver is older than CUDA 12.4"
    return ""


def prepare(device: int) -> None:
    """Let `cuda.bindings` be ready for a device, before a stream is captured.

    It has a runtime of its own beside CuPy's, which begins with the first call, and has a current
    device of its own ("CUDA Runtime API", initialization): while a stream is captured it is too
    late for the one, and the other would be the first device.

    Raises:
        NotFixed: it has an error.
    """
    _call(importlib.import_module("cuda.bindings.runtime"), "cudaSetDevice", device)


def _call(runtime: Any, name: str, *given: Any) -> Any:
    """What a function of the runtime's returns besides its error.

    Raises:
        NotFixed: there is an error.
    """
    older = f"{name}{_BEFORE_13.get(name, '')}"
    try:
        function = getattr(runtime, older if hasattr(runtime, older) else name)
        error, *found = function(*given)
    except (AttributeError, TypeError) as problem:  # of another version of `cuda.bindings`
        raise NotFixed(f"{name}: {problem}") from problem
    if int(error):
        raise NotFixed(f"{name}: {error}")
    return found


class Rehearsal:
    """Goes once through loops, and through both sides of branches.

    Args:
        deeper: a context in which what is launched would be in the body of a node.
    """

    def __init__(self, deeper: Callable[[], AbstractContextManager[None]]):
        self._deeper = deeper

    def repeat_while(self, condition: int, trip: Callable[[], None]) -> None:
        """A loop."""
        with self._deeper():
            trip()

    def branch(self, condition: int, then: Callable[[], None], orelse: Callable[[], None]) -> None:
        """Both sides."""
        with self._deeper():
            then()
            orelse()


class ConditionalNodes:
    """Adds nodes to the graph that a device captures.

    Args:
        status: where the kernel's status is.
    """

    def __init__(self, device: CapturedStream, status: int):
        self._device, self._status = device, status
        self._runtime: Any = importlib.import_module("cuda.bindings.runtime")

    def repeat_while(self, condition: int, trip: Callable[[], None]) -> None:
        """A loop.

        Args:
            condition: where a bool is, which was stored before.
            trip: launches the body, and what stores the bool again.
        """
        handle = self._handle()
        self._decide(handle, condition, True)

        def body() -> None:
            trip()
            self._decide(handle, condition, True)

        kinds = self._runtime.cudaGraphConditionalNodeType
        self._add(handle, kinds.cudaGraphCondTypeWhile, body)

    def branch(self, condition: int, then: Callable[[], None], orelse: Callable[[], None]) -> None:
        """Two sides, of which one runs: both are decided before."""
        handles = self._handle(), self._handle()
        for handle, wanted in zip(handles, (True, False)):
            self._decide(handle, condition, wanted)
        kinds = self._runtime.cudaGraphConditionalNodeType
        for handle, side in zip(handles, (then, orelse)):
            self._add(handle, kinds.cudaGraphCondTypeIf, side)

    def _call(self, name: str, *given: Any) -> Any:
        return _call(self._runtime, name, *given)

    def _captured(self) -> tuple[Any, list[Any], Any]:
        """The graph that the stream is captured into, and the nodes that the next one follows."""
        found = self._call("cudaStreamGetCaptureInfo", self._device.stream_number())
        if len(found) != 6:
            raise NotFixed(f"cudaStreamGetCaptureInfo: {len(found)} results of another version")
        _, _, graph, nodes, edges, count = found
        return graph, list(nodes or ())[:count], list(edges or ())[:count] or None

    def _handle(self) -> Any:
        """What a node asks: 0 at each launch of the graph, until it is set."""
        graph, _, _ = self._captured()
        flags = self._runtime.cudaGraphConditionalHandleFlags.cudaGraphCondAssignDefault
        (handle,) = self._call("cudaGraphConditionalHandleCreate", graph, 0, int(flags))
        return handle

    def _decide(self, handle: Any, condition: int, wanted: bool) -> None:
        number, flag = np.uint64(int(handle)), self._device.stop_flag()
        self._device.decide([number, condition, np.int32(wanted), self._status, flag])

    def _add(self, handle: Any, kind: Any, body: Callable[[], None]) -> None:
        """Add a node after all that was captured, and let what comes follow it."""
        runtime, stream = self._runtime, self._device.stream_number()
        graph, before, edges = self._captured()
        params = runtime.cudaGraphNodeParams()
        params.type = runtime.cudaGraphNodeType.cudaGraphNodeTypeConditional
        params.conditional.handle = handle
        params.conditional.type = kind
        params.conditional.size = 1
        (node,) = self._call("cudaGraphAddNode", graph, before, edges, len(before), params)
        replace = runtime.cudaStreamUpdateCaptureDependenciesFlags.cudaStreamSetCaptureDependencies
        self._call("cudaStreamUpdateCaptureDependencies", stream, [node], None, 1, int(replace))
        mode = runtime.cudaStreamCaptureMode.cudaStreamCaptureModeThreadLocal
        inside = params.conditional.phGraph_out[0]
        with self._device.on_another_stream():
            other = self._device.stream_number()
            self._call("cudaStreamBeginCaptureToGraph", other, inside, None, None, 0, mode)
            try:
                body()
            finally:
                self._call("cudaStreamEndCapture", other)
