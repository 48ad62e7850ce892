"""The communicator of all processes, with which MPI starts."""

from __future__ import annotations

from autograph.parallel.mpi.communicator import Communicator
from autograph.parallel.mpi.endings import Endings
from autograph.parallel.mpi.session import Session, keep_memory, limited, started_mpi

_world: list[Communicator] = []


def world() -> Communicator:
    """All processes that ``mpiexec`` has started, one if it was not used.

    The first call starts MPI, and from then on a process that raises or leaves early ends the
    others. All processes make it.

    Raises:
        MissingLibraryError: there is no mpi4py, or it finds no MPI.
    """
    if not _world:
        with limited():
            session = Session(started_mpi())
            communicator = Communicator(session, session.comm, "world")
            endings = Endings(session)
        endings.install()
        if session.size > 1:
            keep_memory()
        _world.append(communicator)
    return _world[0]
