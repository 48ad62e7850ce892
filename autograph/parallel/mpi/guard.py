"""Before a collective all processes of a communicator agree on what it is.

Each gives a checksum of the operator, the line, and the types of the operands, to a reduction that
does not block, on a communicator of its own: bitwise ``and`` of the checksum and of its inverse,
which gives these back where, and only where, all are equal. While others are missing the process
looks what has become of them. Once all agree, MPI runs the collective itself in one blocking call,
which is faster, and which `watch` looks at.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from autograph.errors import CollectiveError
from autograph.parallel.mpi import reports
from autograph.parallel.mpi.calls import Rendezvous
from autograph.parallel.mpi.post import Stand
from autograph.parallel.mpi.session import Session

_SPINS = 64  # tries before the clock is looked at
_LOOK = 0.02  # seconds between looks at the other processes
_STEP = 1.0  # the most that counts as waited between two looks: a program may be stopped as a whole
_PATIENCE = 2.0  # seconds for the others to say what they have called


class _Round:
    """The reduction that they agree by: a persistent request saves that MPI plans it anew each
    time.

    Attributes:
        own, common: bytes, of this process and of all of them.
        start, test: begin, and tell whether it has come to its end.
    """

    __slots__ = ("_request", "_restart", "common", "own", "start", "test")

    def __init__(self, mpi: Any, comm: Any):
        own, common = np.zeros(2, np.uint64), np.zeros(2, np.uint64)
        self.own, self.common = own.data.cast("B"), common.data.cast("B")
        sent, received = (own, 2, mpi.UINT64_T), (common, 2, mpi.UINT64_T)
        self._request: Any = None
        self._restart: Callable[[], Any] = lambda: comm.Iallreduce(sent, received, mpi.BAND)
        try:
            self._request = comm.Allreduce_init(sent, received, mpi.BAND)
        except NotImplementedError:  # before MPI 4
            self.start, self.test = self._start, self._test
        else:
            self.start, self.test = self._request.Start, self._request.Test

    def _start(self) -> None:
        self._request = self._restart()

    def _test(self) -> bool:
        return bool(self._request.Test())


class Agreement:
    """What the processes of one communicator agree by.

    Args:
        session: MPI.
        comm: of mpi4py; this takes one of its own.
        name: of the communicator, the same on all of its processes.
        members: their ranks among all processes.
    """

    def __init__(self, session: Session, comm: Any, name: str, members: Sequence[int]):
        self._session = session
        self.name = name
        self.members = tuple(members)
        self._round = _Round(session.mpi, comm.Dup())
        self._next = 0
        self.last: Rendezvous | None = None
        session.entered[name] = 0

    def agree(self, entry: Rendezvous) -> None:
        """Wait until all processes are here.

        Raises:
            CollectiveError: they are elsewhere, or do not come.
        """
        session, both = self._session, self._round
        if session.broken:
            raise reports.broken(entry.call, session.broken)
        number = self._next
        self._next = session.entered[self.name] = number + 1
        session.last = entry.call
        session.threads.add(threading.get_ident())
        try:
            both.own[:] = entry.token
            both.start()
            test = both.test
            for _ in range(_SPINS):
                if test():
                    break
            else:
                self._wait(entry, number)
            if both.common != entry.token:
                raise self._different(entry, number)
        except BaseException as error:
            self.give_up(entry, error)
            raise
        self.last = entry

    def give_up(self, entry: Rendezvous, error: BaseException) -> None:
        """An exception leaves a collective: this process is no longer where the others are."""
        call = entry.call
        where = f" in '{call.operator}' at {call.location}"
        self._session.broken = f"since a {type(error).__name__}{where}"

    def _wait(self, entry: Rendezvous, number: int) -> None:
        session, test = self._session, self._round.test
        session.waiting = (self.name, number, entry)
        try:
            waited, last = 0.0, time.monotonic()
            look = last + _LOOK
            while not test():
                now = time.monotonic()
                waited, last = waited + min(now - last, _STEP), now
                if now >= look:
                    look = now + _LOOK
                    self._look(entry, number, waited)
                if waited > 0.1:
                    time.sleep(1e-3)
                elif waited > 0.005:
                    time.sleep(1e-4)
                else:
                    os.sched_yield()
        finally:
            session.waiting = None

    def _look(self, entry: Rendezvous, number: int, waited: float) -> None:
        """Look what has become of those that are missing."""
        session = self._session
        post = session.post
        post.receive()
        if post.failed:  # they are about to end all
            return
        gone = [
            post.left[rank]
            for rank in self.members
            if rank in post.left and post.left[rank].entered.get(self.name, 0) <= number
        ]
        if gone:
            raise reports.left(entry, session.rank, gone)
        dead = session.deaths.found()
        if dead:
            raise reports.died(entry, session.rank, dead, self.last)
        if session.told_to_end:
            raise reports.told_to_end(entry, session.rank)
        if waited > session.limit:
            error = self._late(entry, number, waited)
            if not self._round.test():  # meanwhile
                raise error

    def _different(self, entry: Rendezvous, number: int) -> CollectiveError:
        """The error where not all have called the same, after they have told each other what."""
        session, post = self._session, self._session.post
        mine = Stand(session.rank, self.name, number, entry.call, entry.operands)
        post.send(self.members, mine)
        stands = post.stands[self.name, number]
        stands[session.rank] = mine
        end = time.monotonic() + _PATIENCE
        while len(stands) < len(self.members) and time.monotonic() < end:
            post.receive()
            time.sleep(1e-3)
        return reports.different(stands, set(self.members) - stands.keys())

    def _late(self, entry: Rendezvous, number: int, waited: float) -> CollectiveError:
        session = self._session
        answers = session.ask(self.members)
        here = (self.name, number)
        missing = {
            rank: answer
            for rank, answer in answers.items()
            if answer is None or answer.waits != here
        }
        return reports.late(entry, session.rank, waited, missing, self.last)
