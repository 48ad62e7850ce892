"""CuPy with NCCL on the CPU: arrays of `tests.support.strict_device`, and calls of NCCL that are
checked argument by argument, for several threads or processes.

It shows that the calls are as documented, that they fit each other, and what numbers come of them.
It waits in each call, which NCCL does not, and knows nothing of speed.

The signatures are those of CuPy 14 (https://docs.cupy.dev/en/stable/reference/generated/
cupy.cuda.nccl.NcclCommunicator.html), the numbers those of nccl.h; `test_signatures` compares both
with a CuPy that finds NCCL.
"""

from __future__ import annotations

import contextlib
import functools
import itertools
import os
import pickle
import sys
import threading
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np

from tests.support import strict_device

SIGNATURES = {
    "allReduce": "intptr_t sendbuf, intptr_t recvbuf, size_t count, int datatype, int op, "
    "intptr_t stream",
    "reduce": "intptr_t sendbuf, intptr_t recvbuf, size_t count, int datatype, int op, int root, "
    "intptr_t stream",
    "broadcast": "intptr_t sendbuff, intptr_t recvbuff, size_t count, int datatype, int root, "
    "intptr_t stream",
    "reduceScatter": "intptr_t sendbuf, intptr_t recvbuf, size_t recvcount, int datatype, int op, "
    "intptr_t stream",
    "allGather": "intptr_t sendbuf, intptr_t recvbuf, size_t count, int datatype, intptr_t stream",
    "send": "intptr_t sendbuf, size_t count, int datatype, int peer, intptr_t stream",
    "recv": "intptr_t recvbuf, size_t count, int datatype, int peer, intptr_t stream",
}
RANGES = {"int": (-(2**31), 2**31), "size_t": (0, 2**64), "intptr_t": (-(2**63), 2**63)}
DATATYPES = {
    "INT8": (0, "int8"),
    "UINT8": (1, "uint8"),
    "INT32": (2, "int32"),
    "UINT32": (3, "uint32"),
    "INT64": (4, "int64"),
    "UINT64": (5, "uint64"),
    "FLOAT16": (6, "float16"),
    "FLOAT32": (7, "float32"),
    "FLOAT64": (8, "float64"),
}
# C's comparison, in which NaN is neither: what comes of it depends on the order.
OPERATIONS = {
    "SUM": (0, np.add),
    "PROD": (1, np.multiply),
    "MAX": (2, lambda a, b: np.where(a > b, a, b)),
    "MIN": (3, lambda a, b: np.where(a < b, a, b)),
}
_DTYPES = {code: np.dtype(name) for code, name in DATATYPES.values()}
_OPERATIONS = dict(OPERATIONS.values())


class Memory:
    """Meetings of threads."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._given: dict[str, dict[int, bytes]] = {}

    def __call__(self, rank: int, name: str, members: list[int], data: bytes) -> list[bytes]:
        with self._changed:
            given = self._given.setdefault(name, {})
            assert rank in members and rank not in given
            given[rank] = data
            self._changed.notify_all()
            assert self._changed.wait_for(lambda: len(given) == len(members), 20), name
            return [given[member] for member in members]


class State(threading.local):
    """Of a thread, as of a process with its GPU.

    Attributes:
        calls: of NCCL, by name.
        regions: memory whose pointer was asked for: (start, stop, whether it is contiguous).
        streams: what runs calls in order, and notes them while a stream is captured, as `Streams`
            of `tests.parallel.nccl.captured`; None: they run at once.
    """

    def __init__(self) -> None:
        self.device = 0
        self.meetings: Any = None
        self.depth = 0
        self.group: list[Any] = []
        self.calls: list[tuple[str, tuple]] = []
        self.regions: list[tuple[int, int, bool, Any]] = []
        self.synchronized = 0
        self.aborted = 0
        self.streams: Any = None


state = State()


class NcclError(RuntimeError):
    pass


def enter(rank: int, meetings: Any) -> None:
    """What a thread calls first."""
    state.__init__()
    state.device = rank
    state.meetings = meetings


def _data(array: strict_device.Array) -> Any:
    memory = array._data
    start = memory.ctypes.data
    state.regions.append((start, start + memory.nbytes, memory.flags.c_contiguous, memory))
    device = getattr(array, "device_id", state.device)
    return SimpleNamespace(ptr=start, device_id=device)


def _stream_number() -> int:
    if state.streams is not None:
        return state.streams.number()
    return 1000 + 10 * threading.get_native_id() + state.device


def _memory(pointer: int, count: int, dtype: np.dtype, written: bool = False) -> np.ndarray:
    """The numbers at a pointer, which lie in one contiguous array."""
    size = count * dtype.itemsize
    if state.streams is not None:
        return state.streams.memory(pointer, count, dtype)
    for start, stop, contiguous, memory in reversed(state.regions):
        if start <= pointer and pointer + size <= stop and stop > start:
            if not contiguous:
                continue
            assert memory.flags.writeable or not written
            assert pointer % dtype.itemsize == 0
            flat = memory.reshape(-1).view(np.uint8)[pointer - start : pointer - start + size]
            return flat.view(dtype)
    raise AssertionError(f"{count} numbers at {pointer} lie in no contiguous array")


def _checked(name: str, arguments: tuple) -> dict[str, int]:
    parameters = [text.strip().split() for text in SIGNATURES[name].split(",")]
    assert len(parameters) == len(arguments), f"{name} is given {len(arguments)} arguments"
    for (kind, parameter), value in zip(parameters, arguments):
        low, high = RANGES[kind]
        assert type(value) is int and low <= value < high, f"{name}: {parameter} is {value!r}"
    found = {parameter: value for (_, parameter), value in zip(parameters, arguments)}
    assert found["datatype"] in _DTYPES, f"{name}: datatype {found['datatype']}"
    assert found.get("op", 0) in _OPERATIONS
    assert found["stream"] == _stream_number(), f"{name}: not the current stream"
    return found


class NcclCommunicator:
    """One for each process and device."""

    def __init__(self, ndev: int, commId: bytes, rank: int):
        assert type(ndev) is int and type(rank) is int and 0 <= rank < ndev
        self._identity = _identity(commId)
        self._rank, self._size = rank, ndev
        self._numbers: dict[Any, itertools.count] = {}
        self.device = state.device
        rows = self._all((ndev, state.device), range(ndev))
        assert all(row[0] == ndev for row in rows)
        if len({row[1] for row in rows}) < ndev:
            raise NcclError(
                "NCCL_ERROR_INVALID_USAGE: invalid usage (run with NCCL_DEBUG=WARN for details)"
            )

    def _all(self, given: Any, members: Any) -> list[Any]:
        """What the members give to a meeting of theirs."""
        members = list(members)
        key = tuple(members)
        number = next(self._numbers.setdefault(key, itertools.count()))
        name = f"{self._identity} {key} {number}"
        rows = state.meetings(self._rank, name, members, pickle.dumps(given))
        return [pickle.loads(row) for row in rows]

    def abort(self) -> None:
        state.aborted += 1

    def __getattr__(self, name: str) -> Any:
        if name not in SIGNATURES:
            raise AttributeError(name)
        return functools.partial(self._call, name)

    def _call(self, name: str, *arguments: int) -> None:
        found = _checked(name, arguments)
        assert state.device == self.device, "another device is the current one"
        for parameter in ("root", "peer"):
            if not 0 <= found.get(parameter, 0) < self._size:
                raise NcclError(f"NCCL_ERROR_INVALID_ARGUMENT: {parameter}")
        assert found.get("peer") != self._rank, "a process sends to itself"
        assert state.depth or name not in ("send", "recv"), f"{name} is not in a group"
        state.calls.append((name, arguments))
        # "NCCL User Guide": whether a call is captured is the same in all processes, and of which
        # capture a graph is that is started.
        found["capture"] = 0 if state.streams is None else state.streams.capture()
        state.group.append((self, name, found))
        if not state.depth:
            _run_group()

    def run(self, name: str, found: dict[str, int]) -> None:
        dtype = _DTYPES[found["datatype"]]
        receive = found.get("recvbuf", found.get("recvbuff", 0))
        send = found.get("sendbuf", found.get("sendbuff", 0))
        if "peer" in found:
            self._pair(name, found, dtype, send or receive)
            return
        count = found.get("count", found.get("recvcount", 0))
        root = found.get("root")
        assert count > 0
        sizes = {"reduceScatter": (self._size, 1), "allGather": (1, self._size)}
        sending, receiving = sizes.get(name, (1, 1))
        if name == "broadcast" and self._rank != root:
            own = None
        else:
            own = _memory(send, sending * count, dtype).tobytes()
        same = (name, count, found["datatype"], found.get("op"), root, found["capture"])
        rows = self._all((same, own), range(self._size))
        assert all(row[0] == same for row in rows), rows
        given = [None if row[1] is None else np.frombuffer(row[1], dtype) for row in rows]
        if name == "broadcast":
            result = given[root]
        elif name == "allGather":
            result = np.concatenate(given)
        else:
            with np.errstate(all="ignore"):
                result = functools.reduce(_OPERATIONS[found["op"]], given)
            if name == "reduceScatter":
                result = result.reshape(self._size, count)[self._rank]
            elif name == "reduce" and self._rank != root:
                return
        _memory(receive, receiving * count, dtype, True)[...] = result

    def _pair(self, name: str, found: dict[str, int], dtype: np.dtype, pointer: int) -> None:
        here, there, count = self._rank, found["peer"], found["count"]
        ends = (here, there) if name == "send" else (there, here)
        memory = _memory(pointer, count, dtype, name == "recv")
        own = memory.tobytes() if name == "send" else None
        same = (ends, count, found["datatype"], found["capture"])
        rows = self._all((same, own), ends)
        assert rows[0][0] == rows[1][0], rows
        if name == "recv":
            memory[...] = np.frombuffer(rows[0][1], dtype)


def _run_group() -> None:
    group, state.group = state.group, []
    if state.streams is None:
        _run(group)
    else:
        state.streams.submit(functools.partial(_run, group))


def _run(group: list[Any]) -> None:
    collectives = [each for each in group if "peer" not in each[2]]
    pairs = [each for each in group if "peer" in each[2]]

    def ends(each: Any) -> tuple[int, int]:
        made, name, found = each
        pair = made._rank, found["peer"]
        return pair if name == "send" else pair[::-1]

    assert len(set(map(ends, pairs))) == len(pairs)
    for made, name, found in [*collectives, *sorted(pairs, key=ends)]:  # alike in all processes
        made.run(name, found)


def group_start() -> None:
    state.depth += 1


def group_end() -> None:
    assert state.depth > 0, "groupEnd without groupStart"
    state.depth -= 1
    if not state.depth:
        assert state.group, "a group of no calls"
        _run_group()


def _identity(unique: Any) -> str:
    if MODE["tuples"]:
        assert type(unique) is tuple and all(-128 <= number < 128 for number in unique)
        unique = bytes(number % 256 for number in unique)
    assert type(unique) is bytes and len(unique) == 128
    return unique.hex()


MODE = {"tuples": False}  # whether ids are tuples, as before CuPy 14


def get_unique_id() -> Any:
    found = os.urandom(128)
    return tuple(number - 256 * (number > 127) for number in found) if MODE["tuples"] else found


class Device:
    def __init__(self, number: int | None = None):
        self.id = state.device if number is None else number

    def __enter__(self) -> Device:
        self._before, state.device = state.device, self.id
        return self

    def __exit__(self, *given: Any) -> None:
        state.device = self._before


def modules() -> dict[str, ModuleType]:
    """The modules that are imported by the names of CuPy's."""
    nccl = ModuleType("cupy.cuda.nccl")
    numbers = {f"NCCL_{name}": code for name, (code, _) in {**DATATYPES, **OPERATIONS}.items()}
    vars(nccl).update(numbers)
    nccl.available = True
    nccl.NcclCommunicator, nccl.NcclError = NcclCommunicator, NcclError
    nccl.groupStart, nccl.groupEnd, nccl.get_unique_id = group_start, group_end, get_unique_id
    cuda = ModuleType("cupy.cuda")
    cuda.nccl, cuda.Device = nccl, Device

    def synchronize() -> None:
        state.synchronized += 1

    cuda.get_current_stream = lambda: SimpleNamespace(ptr=_stream_number(), synchronize=synchronize)
    cupy = ModuleType("cupy")
    cupy.__getattr__ = lambda name: getattr(strict_device, name)
    cupy.ndarray, cupy.cuda = strict_device.Array, cuda
    cupy.asarray = lambda x: x if isinstance(x, strict_device.Array) else on_device(x)
    return {"cupy": cupy, "cupy.cuda": cuda, "cupy.cuda.nccl": nccl}


def on_device(x: Any) -> strict_device.Array:
    return strict_device.Array(np.array(x, order="K"))


@contextlib.contextmanager
def stand_in(monkeypatch: Any) -> Any:
    """The modules, installed."""
    monkeypatch.setattr(strict_device.Array, "data", property(_data), raising=False)
    found = modules()
    for name, module in found.items():
        monkeypatch.setitem(sys.modules, name, module)
    yield found["cupy"]
