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
from collections.abc import Sequence
from typing import Any

import numpy as np

from autograph.errors import CollectiveError
from autograph.parallel.mpi import reports
from autograph.parallel.mpi.calls import Rendezvous
from autograph.parallel.mpi.post import Stand
from autograph.parallel.mpi.session import Session

_SLOTS = 8  # agreements that may be under way at the same time
_SPINS = 64  # tries before the clock is looked at
_LOOK = 0.02  # seconds between looks at the other processes
_STEP = 1.0  # the most that counts as waited between two looks: a program may be stopped as a whole
_PATIENCE = 2.0  # seconds for the others to say what they have called


class Round:
    """One agreement: persistent requests save that MPI plans it anew each time."""

    __slots__ = (
        "_request",
        "_restart",
        "common",
        "entry",
        "number",
        "open",
        "own",
        "start",
        "test",
    )

    def __init__(self, mpi: Any, comm: Any):
        own, common = np.zeros(2, np.uint64), np.zeros(2, np.uint64)
        self.own, self.common = memoryview(own), memoryview(common)
        self.entry: Rendezvous | None = None
        self.number = 0
        self.open = False
        sent, received = (own, 2, mpi.UINT64_T), (common, 2, mpi.UINT64_T)
        self._request: Any = None
        self._restart = lambda: comm.Iallreduce(sent, received, mpi.BAND)
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

    def agreed(self) -> bool:
        """Whether all gave the same; after the reduction."""
        return self.common[0] == self.own[0] and self.common[1] == self.own[1]


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
        own = comm.Dup()
        self._slots = [Round(session.mpi, own) for _ in range(_SLOTS)]
        self._next = 0
        self.last: Rendezvous | None = None
        session.entered[name] = 0

    def agree(self, entry: Rendezvous) -> None:
        """Wait until all processes are here.

        Raises:
            CollectiveError: they are elsewhere, or do not come.
        """
        self.finish(self.begin(entry))

    def begin(self, entry: Rendezvous) -> Round:
        """Say what this process calls, and go on."""
        session = self._session
        if session.broken:
            raise reports.broken(entry.call, session.broken)
        number = self._next
        slot = self._slots[number % _SLOTS]
        if slot.open:
            self.finish(slot)
        self._next = session.entered[self.name] = number + 1
        session.last = entry.call
        session.threads.add(threading.get_ident())
        slot.entry, slot.number, slot.open = entry, number, True
        slot.own[0], slot.own[1] = entry.token, entry.inverse
        slot.start()
        return slot

    def finish(self, slot: Round) -> None:
        """Wait until all have said what they call.

        Raises:
            CollectiveError: they call something else, or do not come.
        """
        if not slot.open:
            return
        try:
            test = slot.test
            for _ in range(_SPINS):
                if test():
                    break
            else:
                self._wait(slot)
            slot.open = False
            if not slot.agreed():
                raise self._different(slot)
        except BaseException as error:
            self.give_up(slot.entry, error)
            raise
        self.last = slot.entry

    def give_up(self, entry: Rendezvous | None, error: BaseException) -> None:
        """An exception leaves a collective: this process is no longer where the others are."""
        where = "" if entry is None else f" in '{entry.call.operator}' at {entry.call.location}"
        self._session.broken = f"since a {type(error).__name__}{where}"

    def _wait(self, slot: Round) -> None:
        assert slot.entry is not None
        session, test = self._session, slot.test
        session.waiting = (self.name, slot.number, slot.entry)
        try:
            waited, last = 0.0, time.monotonic()
            look = last + _LOOK
            while not test():
                now = time.monotonic()
                waited, last = waited + min(now - last, _STEP), now
                if now >= look:
                    look = now + _LOOK
                    self._look(slot, slot.entry, waited)
                if waited > 0.1:
                    time.sleep(1e-3)
                elif waited > 0.005:
                    time.sleep(1e-4)
                else:
                    os.sched_yield()
        finally:
            session.waiting = None

    def _look(self, slot: Round, entry: Rendezvous, waited: float) -> None:
        """Look what has become of those that are missing."""
        session = self._session
        post = session.post
        post.receive()
        if post.failed:  # they are about to end all
            return
        gone = [
            post.left[rank]
            for rank in self.members
            if rank in post.left and post.left[rank].entered.get(self.name, 0) <= slot.number
        ]
        if gone:
            raise reports.left(entry, session.rank, gone)
        dead = session.deaths.found()
        if dead:
            raise reports.died(entry, session.rank, dead, self.last)
        if session.told_to_end:
            raise reports.told_to_end(entry, session.rank)
        for other in self._slots:
            if other.open and other is not slot and other.test() and not other.agreed():
                raise self._different(other)
        if waited > session.limit:
            error = self._late(slot, entry, waited)
            if not slot.test():  # meanwhile
                raise error

    def _different(self, slot: Round) -> CollectiveError:
        """The error where not all have called the same, after they have told each other what."""
        session, entry = self._session, slot.entry
        assert entry is not None
        post = session.post
        mine = Stand(session.rank, self.name, slot.number, entry.call, entry.operands)
        post.send(self.members, mine)
        stands = post.stands[self.name, slot.number]
        stands[session.rank] = mine
        end = time.monotonic() + _PATIENCE
        while len(stands) < len(self.members) and time.monotonic() < end:
            post.receive()
            time.sleep(1e-3)
        return reports.different(stands, set(self.members) - stands.keys())

    def _late(self, slot: Round, entry: Rendezvous, waited: float) -> CollectiveError:
        session = self._session
        answers = session.ask(self.members)
        here = (self.name, slot.number)
        missing = {
            rank: answer
            for rank, answer in answers.items()
            if answer is None or answer.waits != here
        }
        return reports.late(entry, session.rank, waited, missing, self.last)
