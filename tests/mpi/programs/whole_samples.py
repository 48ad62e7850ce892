"""The samples on as many processes as there are, compared with one process: value, gradient and
second order. Prints the name of each that is the same."""

import sys
import warnings

import autograph as ag
from autograph.parallel.mpi import world
from tests.parallel.sample_cases import CASES, check

warnings.simplefilter("ignore")
everyone = world()
for name in sys.argv[1:] or CASES:
    check(name, ag.Mesh.processes(**CASES[name].axes(everyone.size)))
    print(f"process {everyone.rank}: {name}", flush=True)
