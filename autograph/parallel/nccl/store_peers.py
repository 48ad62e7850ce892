"""Processes that know each other by a store."""

from __future__ import annotations

import atexit
import json
import os
from collections.abc import Callable
from typing import TypeVar

import numpy as np

from autograph.errors import CollectiveError
from autograph.parallel.mpi import reports
from autograph.parallel.mpi.calls import Call, Rendezvous
from autograph.parallel.mpi.post import Left, Stand
from autograph.parallel.mpi.session import time_limit
from autograph.parallel.nccl.store import Gone, Late, TcpStore

T = TypeVar("T")

# Of launchers of MPI, which is asked first: those of clusters set MASTER_ADDR as well.
_OF_MPI = ("OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMIX_RANK", "MPI_LOCALNRANKS")
_OF_STORE = ("MASTER_ADDR", "MASTER_PORT", "RANK", "WORLD_SIZE")


class StorePeers:
    """Some of the processes of a store; see `autograph.parallel.nccl.peers.Peers`.

    Before each collective they tell each other what they call, unless AUTOGRAPH_COLLECTIVE_GUARD
    is 0. What has NumPy arrays is not for them, but for `gather`, of what is small.
    """

    def __init__(self, store: TcpStore, members: tuple[int, ...], name: str = "world"):
        self._store = store
        self._name = name
        self._meetings = 0
        self._splits = 0
        self._guarded = os.environ.get("AUTOGRAPH_COLLECTIVE_GUARD", "") != "0"
        self._broken = ""
        self._last: Rendezvous | None = None
        self.members = members
        self.rank = members.index(store.rank)
        self.size = len(members)

    def run(self, entry: Rendezvous, function: Callable[[], T]) -> T:
        if self._guarded:
            self._rows(entry, b"")
        try:
            return function()
        except BaseException as error:
            self._broken = self._broken or _since(error, entry)
            raise

    def share(self, data: bytes) -> bytes:
        return self._rows(Rendezvous(Call("the start of NCCL", ""), ""), data)[0]

    def agree(self, digest: bytes, what: Call) -> bool:
        return len(set(self._rows(Rendezvous(what, "bytes"), digest))) == 1

    def barrier(self, what: Call) -> None:
        self._rows(Rendezvous(what, ""), b"")

    def gather(self, x: np.ndarray, what: Call) -> np.ndarray:
        """The arrays of all, along a new first axis."""
        entry = Rendezvous(what, f"{x.dtype}{list(x.shape)}")
        rows = self._rows(entry, np.ascontiguousarray(x).tobytes())
        return np.stack([np.frombuffer(row, x.dtype).reshape(x.shape) for row in rows])

    def split(self, color: int, key: int) -> StorePeers:
        own = json.dumps([color, key]).encode()
        rows = [json.loads(row) for row in self._rows(Rendezvous(Call("split", ""), ""), own)]
        self._splits += 1
        chosen = [(k, member) for (c, k), member in zip(rows, self.members) if c == color]
        name = f"{self._name}.{self._splits}:{color}"
        return StorePeers(self._store, tuple(member for _, member in sorted(chosen)), name)

    def _rows(self, entry: Rendezvous, data: bytes) -> list[bytes]:
        """What all give; each says with it what it calls.

        Raises:
            CollectiveError: they are elsewhere, or do not come.
        """
        if self._broken:
            raise reports.broken(entry.call, self._broken)
        own = json.dumps([entry.call.operator, entry.call.location, entry.operands]).encode()
        self._meetings += 1
        meeting, rank = f"{self._name}#{self._meetings}", self._store.rank
        try:
            found = self._store.gather(meeting, self.members, own + b"\n" + data)
        except Gone as gone:
            error = reports.died(entry, rank, gone.ranks, self._last)
            if not gone.died:
                how = [Left(each, "has ended", None, {}) for each in gone.ranks]
                error = reports.left(entry, rank, how)
            raise self._failed(entry, error) from None
        except Late as late:
            missing = dict.fromkeys(late.ranks)
            error = reports.late(entry, rank, self._store.limit, missing, self._last)
            raise self._failed(entry, error) from None
        said = [row.partition(b"\n") for row in found]
        if any(what != own for what, _, _ in said):
            stands = {}
            for member, (what, _, _) in zip(self.members, said):
                operator, location, operands = json.loads(what)
                call = Call(operator, location)
                stands[member] = Stand(member, self._name, self._meetings, call, operands)
            raise self._failed(entry, reports.different(stands, ()))
        self._last = entry
        return [rest for _, _, rest in said]

    def _failed(self, entry: Rendezvous, error: CollectiveError) -> CollectiveError:
        self._broken = _since(error, entry)
        return error


def _since(error: BaseException, entry: Rendezvous) -> str:
    return f"since a {type(error).__name__} in '{entry.call.operator}'"


_world: list[StorePeers] = []


def peers_of_environment() -> StorePeers | None:
    """All processes, if MASTER_ADDR, MASTER_PORT, RANK and WORLD_SIZE say of some, as torchrun sets
    them, and no launcher of MPI has started this one.

    Raises:
        CollectiveError: they are not there.
    """
    found = [os.environ.get(name, "") for name in _OF_STORE]
    if any(name in os.environ for name in _OF_MPI) or not all(found):
        return None
    if not _world:
        host, port, rank, size = found[0], *map(int, found[1:])
        if "TORCHELASTIC_RUN_ID" in os.environ:  # at its port torchrun itself may listen
            port += 1
        store = TcpStore(
            rank, size, host, int(os.environ.get("AUTOGRAPH_STORE_PORT", port)), time_limit()
        )
        atexit.register(store.close)
        _world.append(StorePeers(store, tuple(range(size))))
    return _world[0]
