"""The stages, in their order."""

from __future__ import annotations

from dataclasses import dataclass

from benchmarks.gpu import device

LONGER = 10  # times as long as a GPU may a CPU take, in a rehearsal


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


def seconds_of(name: str) -> int:
    """After how many seconds a stage is ended."""
    seconds = next(stage.seconds for stage in STAGES if stage.name == name)
    return seconds * LONGER if device.rehearsing() else seconds
