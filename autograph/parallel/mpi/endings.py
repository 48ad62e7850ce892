"""How a process ends: one that raises or leaves early ends the others, and its error is shown once.

Without this an exception in one process ends that one alone: MPI waits at its end for the others,
and these wait in a collective for it. What ends a process is found by Python's own hooks, so that
programs are started as any others are.

Of several processes that fail at about the same time, the lowest rank shows its error: each tells
the others before it shows anything, one that has been told before says nothing, and of those that
told each other at the same time all do that hear of a lower rank.
"""

from __future__ import annotations

import atexit
import functools
import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from types import FrameType, TracebackType
from typing import Any, NoReturn

from autograph.errors import CollectiveError
from autograph.parallel.mpi import reports
from autograph.parallel.mpi.calls import Call
from autograph.parallel.mpi.post import Failed, Left
from autograph.parallel.mpi.session import Session, place_of
from autograph.parallel.mpi.watch import Onlooker

_WINDOW = 0.1  # seconds in which another process may say that it fails, too
_PATIENCE = 3.0  # seconds that another process is given to show its error and end all
_PROMPT = 0.2  # seconds for all to come to their ends, before one says that it has left
_GRACE = 0.5  # seconds between the death of a process and its being told, at the end


class Endings:
    """The hooks of one process, and what they do.

    Args:
        session: MPI.
    """

    def __init__(self, session: Session):
        self._session = session
        self._process = os.getpid()  # children of it have the hooks, too
        self._ending = threading.Lock()
        self._exit: tuple[Any, Call | None] | None = None  # of `sys.exit`
        self._goodbye = session.comm.Dup()
        self._watch = Onlooker(session, self.fail)

    def install(self) -> None:
        """Set the hooks, and start the thread that looks on."""
        sys.excepthook = self._on_exception(sys.excepthook)
        threading.excepthook = self._on_thread(threading.excepthook)
        sys.exit = self._on_exit(sys.exit)
        atexit.register(self.leave)
        is_main = threading.current_thread() is threading.main_thread()
        if is_main and signal.getsignal(signal.SIGTERM) is signal.SIG_DFL:
            signal.signal(signal.SIGTERM, self._on_sigterm)
        self._watch.start()

    # -- errors ------------------------------------------------------------------------------------

    def fail(self, error: CollectiveError) -> None:
        """End all processes by an error that no code can be given."""

        def show() -> None:
            text = f"{type(error).__module__}.{type(error).__name__}: {error}\n"
            sys.stderr.write(text)

        self._end_all(show)

    def _end_all(self, show: Callable[[], Any]) -> None:
        """Show an error, unless another process shows its own, and end all processes."""
        session = self._session
        self._ending.acquire()  # for good: other threads, such as that of `watch`, stay here
        if self._is_first():
            sys.stdout.flush()
            sys.stderr.write(f"rank {session.rank} of {session.size} ends all processes:\n")
            show()
            sys.stderr.flush()
        else:
            time.sleep(_PATIENCE)
        session.mpi.COMM_WORLD.Abort(1)

    def _is_first(self) -> bool:
        """Whether the error of this process is the one to be shown."""
        session = self._session
        post = session.post
        post.receive()
        if post.failed:
            return False
        post.send_all(Failed(session.rank))
        end = time.monotonic() + _WINDOW
        while time.monotonic() < end:
            post.receive()
            if any(rank < session.rank for rank in post.failed):
                return False
            time.sleep(1e-3)
        return True

    def _alone(self) -> bool:
        """Whether there is nobody to be told: one process, or a child of it."""
        return (
            self._session.size == 1
            or os.getpid() != self._process
            or self._session.mpi.Is_finalized()
        )

    def _on_exception(self, before: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(before)
        def hook(
            kind: type[BaseException], error: BaseException, trace: TracebackType | None
        ) -> None:
            if self._alone():
                before(kind, error, trace)
            else:
                self._end_all(lambda: before(kind, error, trace))

        return hook

    def _on_thread(self, before: Callable[..., Any]) -> Callable[..., Any]:
        """The error of a thread ends it alone, in Python; but the others wait for a collective."""

        @functools.wraps(before)
        def hook(arguments: Any) -> None:
            fails = issubclass(arguments.exc_type, Exception)
            used = threading.get_ident() in self._session.threads
            if self._alone() or not (fails and used):
                before(arguments)
            else:
                self._end_all(lambda: before(arguments))

        return hook

    def _on_sigterm(self, number: int, frame: FrameType | None) -> None:
        """The launcher ends a process: if it waits in a collective, it says what for."""
        if self._ending.locked() and os.getpid() == self._process:
            return
        if self._session.waiting is not None and not self._alone():
            self._session.told_to_end = True
            return
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        os.kill(os.getpid(), signal.SIGTERM)

    # -- the end of the program --------------------------------------------------------------------

    def _on_exit(self, before: Callable[..., NoReturn]) -> Callable[..., NoReturn]:
        @functools.wraps(before)
        def exit(status: Any = None, /) -> NoReturn:
            self._exit = (status, place_of(sys._getframe(1)))
            before(status)

        return exit

    def _left(self) -> Left:
        session = self._session
        entered = dict(session.entered)
        if self._exit is None:
            how = "came to the end of its program"
            how += f", after {session.last.operator}" if session.last else ""
            return Left(session.rank, how, session.last, entered)
        status, place = self._exit
        return Left(session.rank, f"sys.exit({status!r})", place, entered)

    def leave(self) -> None:
        """Wait until all have come to their ends, as MPI does, but tell those that wait for us."""
        if self._alone():
            return
        session = self._session
        request, start = self._goodbye.Ibarrier(), time.monotonic()
        told, seen = False, 0.0
        while not request.Test():
            now = time.monotonic()
            session.post.receive()
            if not told and now - start > _PROMPT:
                session.post.send_all(self._left())
                told = True
            dead = session.deaths.found()
            seen = seen or (now if dead else 0.0)
            if dead and not session.post.failed and now - seen > _GRACE:
                self.fail(reports.died(None, session.rank, dead, None))
            time.sleep(1e-4 if now - start < 0.01 else 1e-3 if now - start < 1.0 else 1e-2)
        self._watch.stop()
