"""What processes tell each other beside collectives, by messages on a communicator of their own.

A process that waits in a collective reads them, one that ends writes and reads them, and for one
that computes the thread of `watch` does: so each learns where the others are without their help.
Messages are few and small, and nobody waits for one to be read.
"""

from __future__ import annotations

import threading
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from autograph.parallel.mpi.calls import Call


class Left(NamedTuple):
    """A process has come to its end.

    Attributes:
        how: in words.
        call: where it ended, or its last collective.
        entered: how many collectives it had entered, by the names of their communicators.
    """

    rank: int
    how: str
    call: Call | None
    entered: Mapping[str, int]


class Failed(NamedTuple):
    """A process has an error that ends all, and shows it if no lower rank has one, too."""

    rank: int


class Stand(NamedTuple):
    """What a process has called where the processes do not agree."""

    rank: int
    name: str  # of the communicator
    number: int  # of the collective there
    call: Call
    operands: str


class Asked(NamedTuple):
    """A process that has waited too long asks where the reader is."""

    rank: int


class Answer(NamedTuple):
    """Where a process is.

    Attributes:
        waits: the communicator and the number of the collective that it waits in.
        does: what, in words.
        call: what it waits in, or else the line of the user's that it runs.
    """

    rank: int
    waits: tuple[str, int] | None
    does: str
    call: Call | None


class Post:
    """What this process has been told by the others.

    Args:
        comm: of mpi4py, of all processes; each comes here.
        whereabouts: where this process is.
    """

    def __init__(self, comm: Any, whereabouts: Callable[[], Answer]):
        self._comm = comm.Dup()
        self._whereabouts = whereabouts
        self._lock = threading.RLock()
        self._sent: list[Any] = []  # requests hold what is being sent
        self.left: dict[int, Left] = {}
        self.failed: set[int] = set()
        self.stands: defaultdict[tuple[str, int], dict[int, Stand]] = defaultdict(dict)
        self.answers: dict[int, Answer] = {}

    def send(self, ranks: Iterable[int], message: NamedTuple) -> None:
        """Send a message to some processes, but not to this one."""
        with self._lock:
            self._sent = [request for request in self._sent if not request.Test()]
            for rank in ranks:
                if rank != self._comm.rank:
                    self._sent.append(self._comm.isend(message, rank))

    def send_all(self, message: NamedTuple) -> None:
        """Send a message to all others."""
        self.send(range(self._comm.size), message)

    def receive(self) -> None:
        """Read what has come, and answer what is asked."""
        with self._lock:
            while self._comm.iprobe():
                self._read(self._comm.recv())

    def _read(self, message: Any) -> None:
        if isinstance(message, Left):
            self.left[message.rank] = message
        elif isinstance(message, Failed):
            self.failed.add(message.rank)
        elif isinstance(message, Stand):
            self.stands[message.name, message.number][message.rank] = message
        elif isinstance(message, Asked):
            self.send([message.rank], self._whereabouts())
        elif isinstance(message, Answer):
            self.answers[message.rank] = message
