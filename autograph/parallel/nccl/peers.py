"""What processes with GPUs tell each other beside arrays: over MPI, or over a store."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, TypeVar

import numpy as np

from autograph.parallel.mpi import communicator as mpi
from autograph.parallel.mpi.calls import Call, Rendezvous

T = TypeVar("T")


class Peers(Protocol):
    """The processes along one or several axes of a mesh, on their CPUs.

    Attributes:
        rank: of this process, from 0.
        size: how many processes there are.
        members: their ranks among all processes.
    """

    rank: int
    size: int
    members: tuple[int, ...]

    def run(self, entry: Rendezvous, function: Callable[[], T]) -> T:
        """Call a function, once all processes are here with the same entry.

        Raises:
            CollectiveError: they are elsewhere, or do not come.
        """
        ...

    def share(self, data: bytes) -> bytes:
        """What the process with rank 0 gives, on all."""
        ...

    def agree(self, digest: bytes, what: Call) -> bool:
        """Whether all processes give the same bytes."""
        ...

    def barrier(self, what: Call) -> None:
        """Wait until all processes are here."""

    def split(self, color: int, key: int) -> Peers:
        """The processes that give the same colour, in the order of their keys."""
        ...


class MpiPeers:
    """Over MPI, with its guard; see `Peers`."""

    def __init__(self, communicator: mpi.Communicator):
        self._communicator = communicator
        self.rank = communicator.rank
        self.size = communicator.size
        self.members = communicator.members
        self.run = communicator.run
        self.agree = communicator.agree
        self.barrier = communicator.barrier

    def share(self, data: bytes) -> bytes:
        call = Call("the start of NCCL", "")
        length = self._communicator.broadcast(np.asarray(len(data)), 0, call)
        own = data if self.rank == 0 else bytes(int(length))
        return self._communicator.broadcast(np.frombuffer(own, np.uint8), 0, call).tobytes()

    def split(self, color: int, key: int) -> MpiPeers:
        return MpiPeers(self._communicator.split(color, key))
