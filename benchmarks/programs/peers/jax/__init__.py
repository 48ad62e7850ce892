"""JAX: whole arrays where that is how its users say it, else `jax.lax` for control flow."""

from __future__ import annotations

import numpy as np

from benchmarks.programs.peers.jax import derivatives, linear, spectral, tables
from benchmarks.programs.rows import branches

PACKAGE = "jax"
REFUSES: dict[str, str] = dict.fromkeys(branches.PROGRAMS, "not written: not what it is for")
NOTES = linear.NOTES | tables.NOTES | spectral.NOTES | derivatives.NOTES
MAKERS = linear.MAKERS | tables.MAKERS | spectral.MAKERS | derivatives.MAKERS

to_numpy = np.asarray
