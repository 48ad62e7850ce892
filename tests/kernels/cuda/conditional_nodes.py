"""What stands for ``cuda.bindings.runtime``: conditional nodes in the graphs of `streams`.

Held to what "CUDA Runtime API" says of these functions: a node and its handle belong to the graph
that is captured; what a stream captures next follows the nodes that it is told to follow; a body is
captured on a stream that captures nothing else, and both begin and end.
"""

from __future__ import annotations

import ctypes
import enum
from types import ModuleType, SimpleNamespace
from typing import Any

from tests.kernels.cuda.streams import Cuda, Stream


class Kind(enum.IntEnum):
    cudaGraphCondTypeIf = 0
    cudaGraphCondTypeWhile = 1


class Cell:
    """A handle: the number of which kernels set."""

    def __init__(self, default: int, assigned: bool):
        self.number = ctypes.c_uint32(0xDDDD)
        self.default, self.assigned = default, assigned
        self.taken = False

    def __int__(self) -> int:
        return ctypes.addressof(self.number)

    def begin(self) -> None:
        """A graph is launched."""
        if self.assigned:
            self.number.value = self.default


class Node:
    """A loop or branch in a graph."""

    def __init__(self, cell: Cell, kind: Kind):
        self.cell, self.kind = cell, kind
        self.body: list[tuple[Any, str]] = []

    def __call__(self) -> None:
        if self.kind is Kind.cudaGraphCondTypeIf:
            if self.cell.number.value:
                self.run()
            return
        while self.cell.number.value:
            self.run()

    def run(self) -> None:
        for work, _ in self.body:
            work()


def runtime(cuda: Cuda, version: int = 13) -> ModuleType:
    """The module, for a device.

    Args:
        version: 12: functions with what edges carry have other names, and those without are there.
    """
    made = ModuleType("cuda.bindings.runtime")

    def stream_of(number: int) -> Stream:
        return cuda.by_number(number)

    begun = []

    def set_device(number):
        cuda.forbid("cudaSetDevice, which begins a runtime,")
        begun.append(number)
        return (0,)

    def info(number):
        assert begun, "the runtime has not begun when a stream is captured"
        stream = stream_of(number)
        assert stream.noted is not None, "it is not captured"
        assert not stream.apart, "what is captured next does not follow the node"
        last = stream.noted[-1:]
        return 0, 1, 7, stream.noted, last, None, len(last)

    def handle(graph, default, flags):
        cell = Cell(default, flags == 1)
        graph.append((cell.begin, "handle"))  # at the beginning, which is as good as before use
        return 0, cell

    def add(graph, before, edges, count, params):
        assert params.type == 13 and params.conditional.size == 1
        stream = next(s for s in cuda.capturing if s.noted is graph)
        assert before == graph[-1:] and count == len(before), "it does not follow what was captured"
        cell = params.conditional.handle
        assert not cell.taken, "a handle of another node"
        cell.taken = True
        node = Node(cell, params.conditional.type)
        params.conditional.phGraph_out = [node.body]
        graph.append((node, "conditional"))
        stream.apart = True
        return 0, graph[-1]

    def follow(number, nodes, edges, count, flags):
        stream = stream_of(number)
        assert flags == 1 and count == 1 and nodes[0] is stream.noted[-1]
        stream.apart = False
        return (0,)

    def begin(number, graph, before, edges, count, mode):
        stream = Stream.known[number]
        if stream.noted is not None or stream.legacy:
            return (1,)
        assert mode == 1 and not count
        stream.noted, stream.invalid = graph, None
        cuda.capturing.append(stream)
        return (0,)

    def end(number):
        stream = stream_of(number)
        graph, stream.noted = stream.noted, None
        cuda.capturing.remove(stream)
        return int(stream.invalid is not None), graph

    made.__dict__.update(
        cudaSetDevice=set_device,
        cudaStreamGetCaptureInfo=info,
        cudaGraphConditionalHandleCreate=handle,
        cudaGraphAddNode=add,
        cudaStreamUpdateCaptureDependencies=follow,
        cudaStreamBeginCaptureToGraph=begin,
        cudaStreamEndCapture=end,
        cudaGraphNodeParams=lambda: SimpleNamespace(type=None, conditional=SimpleNamespace()),
        cudaGraphNodeType=SimpleNamespace(cudaGraphNodeTypeConditional=13),
        cudaGraphConditionalNodeType=Kind,
        cudaGraphConditionalHandleFlags=SimpleNamespace(cudaGraphCondAssignDefault=1),
        cudaStreamUpdateCaptureDependenciesFlags=SimpleNamespace(
            cudaStreamSetCaptureDependencies=1
        ),
        cudaStreamCaptureMode=SimpleNamespace(cudaStreamCaptureModeThreadLocal=1),
    )
    if version == 12:
        made.cudaStreamGetCaptureInfo_v3 = info
        made.cudaGraphAddNode_v2 = add
        made.cudaStreamUpdateCaptureDependencies_v2 = follow

        def info_without_edges(stream):
            return tuple(x for i, x in enumerate(info(stream)) if i != 5)

        made.cudaStreamGetCaptureInfo = info_without_edges
        made.cudaGraphAddNode = lambda graph, before, count, params: add(
            graph, before, None, count, params
        )
        made.cudaStreamUpdateCaptureDependencies = lambda stream, nodes, count, flags: follow(
            stream, nodes, None, count, flags
        )
    return made
