"""Loops in order whose short steps are too large for one block: all blocks run them, in one launch,
and wait for each other where there would be another launch.

A launch takes some microseconds, a barrier of all blocks about one. So it is done where no step
takes a GPU longer than that. The blocks have to run at once, which a cooperative launch promises
("CUDA C++ Programming Guide", grid synchronization): there are at most as many as the device has
room for (Gupta, Stuart, Owens, "A study of persistent threads style GPU programming for GPGPU
workloads", 2012; Xiao & Feng, "Inter-block GPU communication via fast barrier synchronization",
2010).

What would be a launch is a function here, see `autograph.kernels.cuda.entry`. Where results depend
on how many blocks there are, each block is as many as it takes, one after the other, so that
results are the same however many run.

After so many trips the host launches again, so that Ctrl-C is heard between two launches.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from autograph.kernels.cuda import helpers
from autograph.kernels.cuda.entry import TOGETHER, EntryPrinter
from autograph.kernels.cuda.expressions import CALLED
from autograph.kernels.cuda.module import CudaModule
from autograph.kernels.cuda.names import ScopedNames, identifier
from autograph.kernels.cuda.plan import (
    MOST_PARTS,
    STATUS,
    Count,
    Entry,
    HostStep,
    Launch,
    LaunchArgument,
    Repeat,
    RepeatWhile,
    Scratch,
)
from autograph.kernels.cuda.split import Piece, Segment
from autograph.kernels.ir import ir, uses
from autograph.kernels.ir.ir import INT, LONG, Buffer, Number, Var

_MOST_NS = 2.0**20  # of a loop of independent trips on a CPU; a GPU takes some microseconds
_MOST_TRIPS = 1024  # of a launch
_MANY = 1 << 20  # blocks
T = TypeVar("T")
Pieces = Sequence[Piece] | Sequence[HostStep]  # of a loop that is not printed yet


def of_all_blocks(module: CudaModule, loop: Repeat) -> Repeat | None:
    """A loop of the host's as one of a launch's, whose text is added to a module; None if its steps
    have to be launched."""
    return _printed(module, loop.steps, lambda made: made.repeat(loop))


def while_of_all_blocks(module: CudaModule, loop: RepeatWhile) -> Launch | None:
    """The same of a loop with a condition: a launch that leaves the last condition in memory, which
    is true after as many trips as a launch has."""
    if not loop.steps:  # whose barrier is between reading a condition and the next one
        return None
    return _printed(module, [*loop.test, *loop.steps], lambda made: made.repeat_while(loop))


def _printed(module: CudaModule, pieces: Pieces, loop: Callable[[_Together], T]) -> T | None:
    """What is made of a loop over pieces; None if they have to be launched."""
    segments = list(_segments(pieces))
    if not all(x is not None and _is_short(module, x) for x in segments):
        return None
    before = len(module.entries)
    try:
        return loop(_Together(module, pieces))
    except _HasOwnMemory:
        del module.entries[before:]
        return None


class _HasOwnMemory(Exception):
    """A block has memory of the device's."""


def _segments(pieces: Pieces) -> Iterator[Segment | None]:
    """What is launched in a loop; None for what cannot be in one of all blocks."""
    for piece in pieces:
        match piece:
            case Segment():
                yield piece
            case Repeat() if isinstance(piece.count, Number):
                yield from _segments(piece.steps)
            case _:
                yield None


def _is_short(module: CudaModule, segment: Segment) -> bool:
    """Whether a launch takes no longer than a barrier does. A check may fail: then a block leaves
    the function, as it would end, and all go on to the barrier."""
    every = [*segment.prologue, *segment.statements]
    loops = [s for s in ir.walk(every) if isinstance(s, ir.Each)]
    return not (
        module.stopping.may_stop(every)
        or any(b.kind == "record" for b in uses.touched(every))
        or any(s.flags is not None or _nanoseconds(s) > _MOST_NS for s in loops)
    )


def _nanoseconds(s: ir.Each) -> float:
    """How long a loop takes a CPU; for ever if known only at run time."""
    return int(s.count.value) * s.work if isinstance(s.count, Number) else math.inf


class _Together:
    """Prints the loop.

    Attributes:
        passed: the parameters: of each argument the name and the type.
        fixed: for results of blocks, memory for so many.
        blocks: the most that have something to do.
    """

    def __init__(self, module: CudaModule, pieces: Pieces):
        self.module = module
        segments = [x for x in _segments(pieces) if x is not None]
        every = [s for x in segments for s in (*x.prologue, *x.statements)]
        self.written = {module.memory(b) for b in uses.writes(every)}
        base = identifier(module.kernel.name, "kernel").removesuffix("_kernel")
        self.name = module.names.new(f"{base}_loop")
        self.lines: list[str] = []
        self.names = ScopedNames(CALLED | module.names.taken() | {"passed", "block"})
        self.passed: dict[LaunchArgument, tuple[str, str]] = {}
        self.indices: dict[Var, str] = {}
        self.fixed: dict[Scratch, tuple[Scratch, int]] = {}
        self.blocks = 1
        self.arrived = Buffer(INT, 1, "temporary", "arrived")

    def repeat(self, loop: Repeat) -> Repeat:
        """The loop of launches that are left."""
        first, last = Var(LONG, "first"), Var(LONG, "last")
        start, end = self.parameter(first, "int64"), self.parameter(last, "int64")
        self.over(loop.index, start, end, loop.steps, 1)
        return Repeat(first, loop.count, [self.launch()], _MOST_TRIPS, last)

    def repeat_while(self, loop: RepeatWhile) -> Launch:
        """A launch of many trips."""
        trip = self.names.new("trip", root=True)
        self.line(f"for (int {trip} = 0;; {trip}++) {{", 1)
        self.pieces(loop.test, 2)
        condition = self.parameter(loop.condition, "const bool *")
        self.line(f"if (!*{condition} || {trip} == {_MOST_TRIPS}) break;", 2)
        self.pieces(loop.steps, 2)
        self.line("}", 1)
        return self.launch()

    def launch(self) -> Launch:
        """A launch of what was printed."""
        self.module.entries.append(self.text())
        given = [(x, kind) for x, (_, kind) in self.passed.items()]
        entry = Entry(self.name, given, TOGETHER, cooperative=True, together=True)
        return Launch(entry, covers=True, trips=Number(self.blocks, LONG), flags=self.arrived)

    def text(self) -> str:
        """The function."""
        declared = [
            f"{kind}{name}" if kind.endswith("*") else f"{kind} {name}"
            for name, kind in self.passed.values()
        ]
        parameters = ",\n    ".join(declared)
        head = f'extern "C" __global__ void __launch_bounds__({TOGETHER}, 1)\n{self.name}('
        body = "\n".join(["    int passed = 0;", *self.lines])
        return f"{head}\n    {parameters})\n{{\n{body}\n}}\n"

    def parameter(self, argument: LaunchArgument, kind: str) -> str:
        """The name of a parameter for an argument."""
        if argument not in self.passed:
            name = getattr(argument, "name", None)
            self.passed[argument] = self.names.new(name, "n", root=True), kind
        name, known = self.passed[argument]
        if known.startswith("const ") and not kind.startswith("const "):
            self.passed[argument] = name, kind
        return name

    def line(self, text: str, depth: int) -> None:
        self.lines.append("    " * depth + text)

    def over(self, index: Var, start: str, end: str, pieces: Pieces, depth: int) -> None:
        """A loop over pieces."""
        self.names.enter()
        name = self.indices[index] = self.names.new(index.name, "i")
        self.line(f"for (int64 {name} = {start}; {name} < {end}; {name}++) {{", depth)
        self.pieces(pieces, depth + 1)
        self.line("}", depth)
        self.names.leave()

    def pieces(self, pieces: Pieces, depth: int) -> None:
        """Pieces, after each of which all blocks wait."""
        for piece in pieces:
            if isinstance(piece, Repeat):
                assert isinstance(piece.count, Number)
                count = str(int(piece.count.value))
                self.over(piece.index, "0", count, piece.steps, depth)
                continue
            assert isinstance(piece, Segment)
            self.line(self.run(piece), depth)
            self.module.expressions.call(helpers.TOGETHER)
            arrived = self.parameter(self.arrived, "volatile int *")
            self.line(f"wait_for_blocks({arrived}, passed += gridDim.x);", depth)

    def run(self, segment: Segment) -> str:
        """A call of what would be launched."""
        launch = EntryPrinter(self.module, segment, self.written).launch()
        block, blocks, count, head = "blockIdx.x", "gridDim.x", _MANY, ""
        if not launch.covers:
            block, blocks, count = "0", "1", 1
            alone = "" if launch.entry.threads > 1 else " && threadIdx.x == 0"
            head = f"if (blockIdx.x == 0{alone}) "
        elif isinstance(launch.trips, Number):
            count = max(-(-int(launch.trips.value) // launch.per_block), 1)
        if launch.ordered:
            count = min(count, MOST_PARTS)
            block, blocks = "block", str(count)
            head = f"for (unsigned int block = blockIdx.x; block < {count}; block += gridDim.x) "
        self.blocks = max(self.blocks, count)
        for scratch in segment.partial:
            self.fixed[scratch] = Scratch(scratch.name, "fixed", scratch.nbytes * count), count
        given = [self.given(x, kind) for x, kind in launch.entry.parameters]
        return f"{head}{launch.entry.name}({', '.join([*given, block, blocks])});"

    def given(self, argument: LaunchArgument, kind: str) -> str:
        """What a function is given for an argument."""
        match argument:
            case Var() if argument in self.indices:
                return self.indices[argument]
            case Count():
                return str(self.fixed[argument.of][1])
            case Scratch() if argument in self.fixed:
                return self.parameter(self.fixed[argument][0], kind)
            case Scratch() if argument is not STATUS:
                raise _HasOwnMemory
        return self.parameter(argument, kind)
