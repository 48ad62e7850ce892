"""numba: the programs as they are where it takes them, else the least that has to change. Loops
over rows that do not depend on each other are in parallel. It has no derivatives."""

from __future__ import annotations

import numpy as np

from benchmarks.programs.peers.numba import branches, linear, spectral, tables
from benchmarks.programs.rows import FORWARD, derivatives

PACKAGE = "numba"
REFUSES = dict.fromkeys(derivatives.PROGRAMS, "no derivatives") | dict.fromkeys(
    (f"{name} forward" for name in FORWARD), "not written, since there is no gradient"
)
REFUSES |= branches.NOT_COMPILED
NOTES = linear.NOTES | tables.NOTES | spectral.NOTES | branches.NOTES
MAKERS = linear.MAKERS | tables.MAKERS | spectral.MAKERS | branches.MAKERS

to_numpy = np.asarray
