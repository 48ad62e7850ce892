"""A step of training by processes with CuPy arrays, which becomes one graph with its collectives,
on the stand-ins of CuPy and NCCL. Started with RANK and the like set, and with what shall happen:

* "nothing": all processes capture, and start what they have captured
* "moves": one has its weights elsewhere in a call, which all let Python run then
* "refuses": one cannot capture, so that none does
* "late": what one would have captured, another has not yet
"""

import ctypes
import sys
from contextlib import AbstractContextManager

import numpy as np
import pytest

import autograph as ag
import ops
from autograph import P
from autograph.parallel.everyone import everyone
from autograph.parallel.mpi.calls import Call
from autograph.parallel.nccl.store import TcpStore
from tests.kernels.cuda.cupy_stand_in import installed, on_device, on_host
from tests.kernels.cuda.noted import NotingStandIn
from tests.kernels.cuda.test_graphs import started
from tests.parallel.nccl import stand_in

happens = sys.argv[1]
monkeypatch = pytest.MonkeyPatch()
gpu = installed(monkeypatch, kind=NotingStandIn)


class Streams:
    """NCCL's calls on the streams of the stand-in of CuPy."""

    def __init__(self) -> None:
        self._captures: list[object] = []

    def number(self) -> int:
        return gpu.cuda.current.ptr

    def memory(self, pointer, count, dtype):
        kind = ctypes.c_uint8 * (count * dtype.itemsize)
        return np.frombuffer(kind.from_address(pointer), dtype)

    def capture(self) -> int:
        """The number of the capture, from 1; 0 if there is none."""
        noted = gpu.cuda.current.noted
        if noted is None:
            return 0
        if not any(noted is x for x in self._captures):
            self._captures.append(noted)
        return len(self._captures)

    def submit(self, work) -> None:
        gpu.cuda.current.submit(work, "NCCL")


class Device(AbstractContextManager):
    id, compute_capability = 0, "90"

    def __init__(self, number=0):
        pass

    def __exit__(self, *given):
        pass


nccl = stand_in.modules()["cupy.cuda.nccl"]
cupy = sys.modules["cupy"]
cupy.cuda.nccl, cupy.cuda.Device = nccl, Device
sys.modules["cupy.cuda.nccl"] = nccl

mesh = ag.Mesh.processes(data=-1)
world = everyone()
what = Call("stand-in", "")
store = TcpStore(0, world.size, "localhost", 0, 30) if world.rank == 0 else None
(port, *_) = world.gather(np.array(store.port if store else 0), what)
store = store or TcpStore(world.rank, world.size, "localhost", int(port), 30)
stand_in.enter(world.rank, lambda rank, name, members, data: store.gather(name, members, data))
stand_in.state.streams = Streams()


def loss(w, x):
    return np.mean(np.tanh(x @ w) ** 2)


def step(w, x):
    value, slope = ag.value_and_grad(lambda w: ops.pmean(loss(w, x), "data"))(w)
    return w - 0.1 * slope, value


def step_of_all(w, x):
    value, slope = ag.value_and_grad(loss)(w, x)
    return w - 0.1 * slope, value


rng = np.random.default_rng(3)
W, X = rng.normal(size=(4,)), rng.normal(size=(12, 4))
run = ag.to_graph(ag.shard_map(step, mesh, (P(), P("data")), (P(), P())))
rows = ag.put(on_device(X), mesh, P("data"))
weights, other = on_device(W), on_device(W)
is_other = world.rank == 1

if happens == "refuses" and is_other:
    begin = type(gpu.cuda.null).begin_capture

    def refuses(self, mode=None):
        begin(self, mode)
        self.invalid = "something of another library's"

    monkeypatch.setattr(type(gpu.cuda.null), "begin_capture", refuses)

graphs = []
for k in range(8):
    given = weights
    if happens == "moves" and is_other and k in (4, 6):
        given = other
    if happens == "late" and is_other and k in (0, 1):
        given = on_device(W)  # elsewhere each time
    given[...] = W
    before = len(started(gpu))
    found, value = run(given, rows)
    graphs.append(len(started(gpu)) - before)
    expected, of_all = step_of_all(W, X)
    np.testing.assert_allclose(on_host(found), expected, rtol=1e-10)
    np.testing.assert_allclose(on_host(value), of_all, rtol=1e-10)
    W = expected

expected = {
    "nothing": [0, 0, 1, 1, 1, 1, 1, 1],
    "moves": [0, 0, 1, 1, 0, 1, 0, 1],
    "refuses": [0] * 8,
    "late": [0, 0, 0, 0, 1, 1, 1, 1],
}[happens]
assert graphs == expected, graphs
noted = [name for name, _ in stand_in.state.calls if name != "broadcast"]  # of an agreement
by_python = graphs.count(0) + 2  # a call is captured in three runs
if happens == "nothing":
    assert noted == ["allReduce"] * 2 * by_python, noted
told = [x for x in str(run.explain(weights, rows)).splitlines() if "as one graph" in x]
assert "yes" in told[0], told
store.close()
print(f"rank {world.rank}: {len(noted)} calls of NCCL, graphs: {graphs}")
