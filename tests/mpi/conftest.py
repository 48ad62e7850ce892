"""Without mpi4py and a launcher these tests are not collected."""

from tests.mpi.launch import MPIEXEC

collect_ignore_glob = [] if MPIEXEC else ["test_*.py"]
