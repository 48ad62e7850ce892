"""Collectives of NumPy arrays over MPI, by mpi4py, which is imported when first needed.

* `calls`: what the processes call, as it is compared and shown
* `datatypes`: how arrays are reduced and sent
* `communicator`: the collectives
* `guard`: before each, the processes agree on what it is
* `watch`: a thread that looks on while MPI has the process
* `post`: what processes tell each other beside collectives
* `deaths`: which processes of this machine have ended
* `endings`: a process that raises or leaves ends the others, and its error is shown once
* `reports`: the errors of all of these
* `world`: starts MPI
"""

from autograph.parallel.mpi.calls import Call
from autograph.parallel.mpi.communicator import Communicator, Traffic
from autograph.parallel.mpi.world import world

__all__ = ["Call", "Communicator", "Traffic", "world"]
