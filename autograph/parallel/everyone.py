"""All processes of the program, and what their arrays meet by: NumPy's by MPI, CuPy's by NCCL."""

from __future__ import annotations

import functools
from typing import TypeAlias

from autograph.backends import cupy
from autograph.errors import MeshError
from autograph.parallel.mpi.calls import Call
from autograph.parallel.mpi.communicator import Communicator
from autograph.parallel.mpi.world import world
from autograph.parallel.nccl.communicator import NcclCommunicator
from autograph.parallel.nccl.peers import MpiPeers
from autograph.parallel.nccl.store_peers import StorePeers, peers_of_environment

# Processes as a mesh knows them.
Processes: TypeAlias = Communicator | StorePeers


def everyone() -> Processes:
    """All processes that a launcher has started, of MPI or like torchrun; one if none has.

    Raises:
        MissingLibraryError: there is no mpi4py, or it finds no MPI.
        CollectiveError: the processes that the launcher says are not there.
    """
    return peers_of_environment() or world()


def of_hosts(processes: Processes, what: Call) -> Communicator:
    """What has collectives of NumPy arrays.

    Raises:
        MeshError: there is no MPI between the processes.
    """
    if isinstance(processes, Communicator):
        return processes
    raise MeshError(
        f"'{what.operator}' is given NumPy arrays, but the processes were not started by mpiexec",
        what.place,
        id="AG0676",
        fix="give it CuPy arrays, or start by: mpiexec -n 4 python script.py",
    )


@functools.cache
def of_gpus(processes: Processes) -> NcclCommunicator:
    """What has collectives of CuPy arrays, made when first asked for.

    Raises:
        MissingLibraryError: CuPy does not find NCCL.
    """
    peers = MpiPeers(processes) if isinstance(processes, Communicator) else processes
    return NcclCommunicator(peers, cupy.module())
