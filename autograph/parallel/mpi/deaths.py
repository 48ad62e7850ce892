"""Which processes of this machine have ended, as the kernel tells.

A launcher ends all processes when one dies, after a quarter of a second or so, but cannot say what
the others were doing, and some take a process that leaves with status 0 for one that is done. Linux
tells at once of a process by its descriptor. Of processes on other machines only the launcher
knows.
"""

from __future__ import annotations

import contextlib
import os
import select
from pathlib import Path
from typing import Any


class Deaths:
    """The processes of a communicator that have ended.

    Args:
        comm: of mpi4py, of all processes; each comes here.
    """

    def __init__(self, comm: Any):
        mine = (_machine(), os.getpid())
        self._dead: set[int] = set()
        self._handles: dict[int, int] = {}
        self._poll = select.poll() if hasattr(os, "pidfd_open") else None
        for rank, (machine, process) in enumerate(comm.allgather(mine)):
            if rank != comm.rank and machine == mine[0]:
                self._look_at(rank, process)

    def _look_at(self, rank: int, process: int) -> None:
        if self._poll is None:
            return
        try:
            handle = os.pidfd_open(process)
        except ProcessLookupError:
            self._dead.add(rank)
        except OSError:  # an old kernel, or too many files
            return
        else:
            self._handles[handle] = rank
            self._poll.register(handle, select.POLLIN)

    def found(self) -> frozenset[int]:
        """The ranks of those that have ended, as far as they run on this machine."""
        if self._poll is not None and self._handles:
            for handle, _ in self._poll.poll(0):
                self._poll.unregister(handle)
                self._dead.add(self._handles.pop(handle))
                os.close(handle)
        return frozenset(self._dead)


def _machine() -> tuple[str, str]:
    """What tells where numbers of processes mean the same: the machine, and the container."""
    boot = namespace = ""
    with contextlib.suppress(OSError):
        boot = Path("/proc/sys/kernel/random/boot_id").read_text()
        namespace = os.readlink("/proc/self/ns/pid")
    return boot or os.uname().nodename, namespace
