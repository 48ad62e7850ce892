"""numba: the programs as they are where it takes them, else the least that has to change. Loops
over rows that do not depend on each other are in parallel. It has no derivatives."""

from __future__ import annotations

import numpy as np

from benchmarks.programs.peers.numba import linear, spectral, tables
from benchmarks.programs.peers.numba.maker import maker
from benchmarks.programs.rows import FORWARD, branches, derivatives

PACKAGE = "numba"
REFUSES = dict.fromkeys(derivatives.PROGRAMS, "no derivatives") | dict.fromkeys(
    (f"{name} forward" for name in FORWARD), "not written, since there is no gradient"
)
REFUSES["strong_primes"] = "its integers wrap around"
NOTES = linear.NOTES | tables.NOTES | spectral.NOTES
MAKERS = linear.MAKERS | tables.MAKERS | spectral.MAKERS
MAKERS |= {
    name: maker(program.function)
    for name, program in branches.PROGRAMS.items()
    if name not in REFUSES
}

to_numpy = np.asarray
