"""MPI as this process has started it, with what looks after its processes."""

from __future__ import annotations

import contextlib
import ctypes
import faulthandler
import functools
import os
import sys
import sysconfig
import threading
import time
from collections.abc import Collection, Iterator
from types import FrameType
from typing import Any

from autograph import settings
from autograph.errors import MissingLibraryError
from autograph.parallel.mpi.calls import Call, Rendezvous
from autograph.parallel.mpi.deaths import Deaths
from autograph.parallel.mpi.post import Answer, Asked, Post

_PATIENCE = 1.0  # seconds that a process is given to say where it is
_TRIM_THRESHOLD, _MMAP_THRESHOLD = -1, -3  # of `mallopt`
_HERE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


class Session:
    """MPI, and what this process knows of the others.

    Attributes:
        mpi: the module of mpi4py.
        comm: of all processes, not that of the user's own calls.
        guarded: whether processes agree on what they call before each collective.
        limit: how many seconds a collective may wait.
        post: messages beside collectives.
        deaths: of processes of this machine.
        waiting: the communicator, the number and the collective that this process waits in until
            all are there.
        running: the collective that MPI is running, a new object each time.
        entered: how many collectives it has entered, by the names of their communicators.
        last: the last one.
        broken: why no more of them can run, if that is so.
        told_to_end: whether the launcher has sent SIGTERM.
        threads: those that have called collectives.
    """

    def __init__(self, mpi: Any):
        self.mpi = mpi
        self.comm = mpi.COMM_WORLD.Dup()
        self.rank: int = self.comm.rank
        self.size: int = self.comm.size
        self.guarded = os.environ.get("AUTOGRAPH_COLLECTIVE_GUARD", "") != "0"
        self.limit = time_limit()
        self.waiting: tuple[str, int, Rendezvous] | None = None
        self.running: tuple[Rendezvous] | None = None
        self.entered: dict[str, int] = {}
        self.last: Call | None = None
        self.broken = ""
        self.told_to_end = False
        self.threads: set[int] = set()
        self.main = threading.main_thread().ident
        self.post = Post(self.comm, self.whereabouts)
        self.deaths = Deaths(self.comm)

    def whereabouts(self) -> Answer:
        """Where this process is: in a collective, or on a line of the user's."""
        waiting, running = self.waiting, self.running
        if waiting is not None:
            name, number, entry = waiting
            return Answer(self.rank, (name, number), f"waits in {entry}", entry.call)
        if running is not None:
            return Answer(self.rank, None, f"is in {running[0]}", running[0].call)
        place = place_of(sys._current_frames().get(self.main or 0))
        return Answer(self.rank, None, f"runs {place.operator if place else 'something'}", place)

    def ask(self, ranks: Collection[int]) -> dict[int, Answer | None]:
        """Where other processes are, as far as they answer in a second."""
        others = [rank for rank in ranks if rank != self.rank]
        self.post.answers.clear()
        self.post.send(others, Asked(self.rank))
        end = time.monotonic() + _PATIENCE
        while time.monotonic() < end and not self.post.answers.keys() >= set(others):
            self.post.receive()
            time.sleep(0.001)
        return {rank: self.post.answers.get(rank) for rank in others}


@functools.cache
def _libraries() -> tuple[str, ...]:
    paths = sysconfig.get_paths()
    return (
        os.path.join(_HERE, ""),
        os.path.join(os.path.dirname(_HERE), "ops", ""),
        *(os.path.join(paths[name], "") for name in ("stdlib", "purelib", "platlib")),
        "<",
    )


def place_of(frame: FrameType | None) -> Call | None:
    """The innermost line of a program that is not in a library."""
    innermost = frame
    while frame is not None and frame.f_code.co_filename.startswith(_libraries()):
        frame = frame.f_back
    frame = frame or innermost
    if frame is None:
        return None
    return Call(frame.f_code.co_name, f"{frame.f_code.co_filename}:{frame.f_lineno}")


@contextlib.contextmanager
def limited() -> Iterator[None]:
    """While MPI starts no Python runs, and nobody tells of a process that has ended before: after
    as many seconds as a collective may wait the process ends, and shows where it was."""
    names = ("OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "MPI_LOCALNRANKS")  # of launchers
    if all(os.environ.get(name, "1") == "1" for name in names):
        yield
        return
    faulthandler.dump_traceback_later(time_limit(), exit=True)
    try:
        yield
    finally:
        faulthandler.cancel_dump_traceback_later()


def keep_memory() -> None:
    """Let glibc keep what is freed. MPI and programs take and free megabytes in turn; to ask the
    system for the same pages each time takes several times as long as a sum of 4 MB."""
    if any(name.startswith("MALLOC_") for name in os.environ):  # somebody knows better
        return
    with contextlib.suppress(OSError, AttributeError):  # of another C library
        library = ctypes.CDLL(None)
        library.mallopt(_MMAP_THRESHOLD, 32 * 2**20)  # the most that it takes
        library.mallopt(_TRIM_THRESHOLD, 256 * 2**20)


def time_limit() -> int:
    """How many seconds a collective may wait.

    Raises:
        OptionError: the variable of the environment is no such number.
    """
    return settings.number_from("AUTOGRAPH_COLLECTIVE_TIMEOUT", 300, 1)


def started_mpi() -> Any:
    """The module of mpi4py, which starts MPI when it is imported first.

    Raises:
        MissingLibraryError: there is no mpi4py, or it finds no MPI.
    """
    try:
        from mpi4py import MPI
    except (ImportError, RuntimeError) as error:
        reason = str(error).strip().partition("\n")[0]
        raise MissingLibraryError(
            f"several processes need MPI, which cannot be used ({reason})",
            id="AG0668",
            fix="pip install 'autograph-compiler[mpi]', then mpiexec -n 4 python script.py",
        ) from error
    if not MPI.Is_initialized():  # where mpi4py was told not to
        MPI.Init_thread(MPI.THREAD_MULTIPLE)
    with contextlib.suppress(NotImplementedError):
        MPI.COMM_WORLD.Set_errhandler(MPI.ERRORS_RETURN)
    return MPI
