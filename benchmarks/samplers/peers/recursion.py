"""Our sampler as it is printed, `samples/nuts.py`: trees are built by recursion."""

from __future__ import annotations

import functools

from benchmarks.samplers.peers import loops
from benchmarks.samplers.rows import NAMES
from samples.nuts import sampler

PACKAGE, REFUSES, NOTES, to_numpy = loops.PACKAGE, loops.REFUSES, loops.NOTES, loops.to_numpy
MAKERS = dict.fromkeys(NAMES, functools.partial(loops.chain, sampler=sampler))
