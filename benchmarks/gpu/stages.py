"""The stages, in their order."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Stage:
    """A stage, which is a process of its own.

    Attributes:
        name: also of the module in this folder.
        seconds: after which it is ended.
        shows: what it tells.
        rehearses: whether it has a meaning where the GPU is a stand-in.
    """

    name: str
    seconds: int
    shows: str
    rehearses: bool = True


STAGES = (
    Stage("machine", 36, "versions and ceilings"),
    Stage("smoke", 30, "four programs beside Python, and Ctrl-C"),
    Stage("cases", 92, "the tests of CUDA kernels", rehearses=False),
    Stage("corpus", 74, "programs of the tests, and operators"),
    Stage("sanitizer", 50, "memory, races, barriers", rehearses=False),
    Stage("rows", 84, "programs beside other libraries"),
    Stage("choices", 34, "what is chosen for a GPU, and the other way"),
    Stage("overhead", 40, "launches, loops, grids"),
    Stage("samples", 40, "samples on the GPU", rehearses=False),
)


def seconds_of(name: str) -> int:
    """After how many seconds a stage is ended."""
    return next(stage.seconds for stage in STAGES if stage.name == name)
