"""A thread that looks on while MPI has the process.

In a blocking call of MPI no Python runs but in other threads. This one ends all processes if one of
them dies or stops there, and tells others where this process is while it computes.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from autograph.errors import CollectiveError
from autograph.parallel.mpi import reports
from autograph.parallel.mpi.session import Session

_PERIOD = 0.1  # seconds


class Onlooker(threading.Thread):
    """The thread.

    Args:
        session: MPI.
        fail: ends all processes with an error.
    """

    def __init__(self, session: Session, fail: Callable[[CollectiveError], None]):
        super().__init__(name="autograph-watch", daemon=True)
        self._session = session
        self._fail = fail
        self._over = threading.Event()
        self._many = session.mpi.Query_thread() == session.mpi.THREAD_MULTIPLE

    def run(self) -> None:
        """Look every tenth of a second."""
        session, seen = self._session, None
        waited, last = 0.0, time.monotonic()
        while not self._over.wait(_PERIOD):
            if self._many:
                session.post.receive()
            now, running = time.monotonic(), session.running
            waited = waited + min(now - last, 1.0) if running is seen else 0.0
            seen, last = running, now
            if running is None or session.post.failed:
                continue
            (entry,) = running
            dead = session.deaths.found()
            if dead:
                self._fail(reports.died(entry, session.rank, dead, entry))
            elif waited > session.limit:
                others = range(session.size)
                answers = session.ask(others) if self._many else {}
                silent = {rank: None for rank, answer in answers.items() if answer is None}
                self._fail(reports.late(entry, session.rank, waited, silent, entry))

    def stop(self) -> None:
        """End before MPI does."""
        self._over.set()
        self.join()
