"""The stages, in their order."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass

from benchmarks.gpu import device

# The variable that tells a stage's processes when it is ended, in seconds since 1970.
ENDS = "AUTOGRAPH_STAGE_ENDS"


@dataclass(frozen=True)
class Stage:
    """A stage, which is a process of its own.

    Attributes:
        name: also of the module in this folder.
        seconds: after which it is ended.
        shows: what it tells.
    """

    name: str
    seconds: int
    shows: str


STAGES = (
    Stage("machine", 36, "versions and ceilings"),
    Stage("smoke", 30, "four programs beside Python, and Ctrl-C"),
    Stage("cases", 92, "the tests of CUDA kernels"),
    Stage("corpus", 74, "programs of the tests, and operators"),
    Stage("sanitizer", 50, "memory, races, barriers"),
    Stage("rows", 84, "programs beside other libraries"),
    Stage("choices", 34, "what is chosen for a GPU, and the other way"),
    Stage("overhead", 40, "launches, loops, grids"),
    Stage("samples", 40, "samples on the GPU"),
)


def end_of(name: str) -> float:
    """When a stage is ended, in seconds since 1970: as its processes are told, or, of one that is
    run by itself, after its limit from now on."""
    if ENDS in os.environ:
        return float(os.environ[ENDS])
    seconds = next(stage.seconds for stage in STAGES if stage.name == name)
    return time.time() + seconds * (device.LONGER if device.rehearsing() else 1)
