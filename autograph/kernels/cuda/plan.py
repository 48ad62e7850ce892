"""What the host does to run a kernel: launches in order, products of matrices, and the control flow
around them.

`autograph.kernels.cuda.run` carries a plan out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from autograph.kernels.ir import ir
from autograph.kernels.ir.ir import Buffer, Operand, Var

ALIGNMENT = 256  # bytes, of each buffer
MOST_PARTS = 1024  # blocks whose results are combined


@dataclass(eq=False)
class Scratch:
    """Memory of a launch; it lasts until the run ends.

    Attributes:
        per: for each of what it is: ``"block"``; ``"lane"`` or ``"trip"``, for the threads or teams
            that reserve memory (see `autograph.kernels.cuda.reserved`); ``"kernel"``;
            ``"fixed"``, however many there are; ``"host"`` for memory that is there before.
        nbytes: for each block, or in all.
    """

    name: str
    per: str
    nbytes: int = 0


@dataclass(eq=False)
class Count:
    """An argument: how many blocks the launch had that filled a `Scratch`."""

    of: Scratch


STATUS = Scratch("status", "kernel")
STOP = Scratch("stop", "host")  # an int32 of the host's: not 0 if the user wants the kernel to end
KEPT, ROOMS, LANES = (Scratch("memory", per) for per in ("kernel", "trip", "lane"))
# The int64 that say how much memory each thread or team has, and how much the kernel has.
ROOM, KEPT_ROOM = Scratch("room", "number"), Scratch("kept_room", "number")

LaunchArgument = Buffer | Var | Scratch | Count


@dataclass(eq=False)
class Entry:
    """A ``__global__`` function.

    Attributes:
        parameters: what to pass, with its C type.
        threads: of a block.
        cooperative: whether threads wait for each other.
        together: whether all blocks wait for each other, so that all have to run at once.
    """

    name: str
    parameters: list[tuple[LaunchArgument, str]]
    threads: int
    cooperative: bool = False
    together: bool = False


@dataclass(eq=False)
class Launch:
    """Run an entry.

    Attributes:
        covers: whether trips are shared out to as many blocks as is good; else there is one.
        trips: how many there are, if the host knows.
        per_block: how many trips a block has at a time.
        ordered: the grid may depend on the number of trips alone, since what blocks compute is
            combined in their order.
        trips_at_once: of parallel loops that reserve memory, by a block.
        flags: int32 that are 0 when it begins: for trips in order, see `ir.Each`, or for blocks
            that wait for each other.
    """

    entry: Entry
    covers: bool = False
    trips: Operand | None = None
    per_block: int = 1
    ordered: bool = False
    trips_at_once: int = 1
    flags: Buffer | None = None

    @property
    def rooms(self) -> int:
        """How many rooms for what is reserved a block needs: 0 if nothing is."""
        given = {x for x, _ in self.entry.parameters}
        lanes = self.entry.threads if LANES in given else 0
        return max(lanes, self.trips_at_once if ROOMS in given else 0)


@dataclass(frozen=True, eq=False)
class Sum:
    """What is added to a product by the library, if it can.

    Attributes:
        statement: the product, with the sum as its result.
        other: what is added, from `start` on, its rows `stride` elements apart, and the matrices of
            a batch `step`; with a stride of 0 the same vector to each row.
        otherwise: adds it, once the product is there.
    """

    statement: ir.Multiply
    other: Buffer
    start: Operand
    stride: int
    step: int
    otherwise: Launch


@dataclass(eq=False)
class Product:
    """A product of matrices, by the array library.

    Attributes:
        sum: what follows, if that is a sum with it, see `autograph.kernels.cuda.sums`.
    """

    statement: ir.Multiply
    sum: Sum | None = None

    @property
    def buffers(self) -> list[Buffer]:
        """What is read and written."""
        s = self.statement
        also = [self.sum.statement.c, self.sum.other] if self.sum else []
        return [s.a, s.b, s.c, *also]


@dataclass(frozen=True)
class Added:
    """What a device adds to a product, see `Sum`.

    Attributes:
        place: where it starts.
    """

    place: Any
    stride: int
    step: int


@dataclass(eq=False)
class Repeat:
    """Steps for each value of an index, or for several values at once.

    Attributes:
        at_once: how many values.
        end: where those end that begin with the index.
    """

    index: Var
    count: Operand
    steps: list[HostStep]
    at_once: int = 1
    end: Var | None = None


@dataclass(eq=False)
class RepeatWhile:
    """Steps while others leave true in a buffer of one bool.

    Attributes:
        tested: the scalar of the kernel that is left there.
    """

    test: list[HostStep]
    condition: Buffer
    steps: list[HostStep]
    tested: Operand | None = None


@dataclass(eq=False)
class Branch:
    """One of two sequences of steps, by a buffer of one bool."""

    condition: Buffer
    then: list[HostStep]
    orelse: list[HostStep]


HostStep = Launch | Product | Repeat | RepeatWhile | Branch


@dataclass(eq=False)
class CudaKernel:
    """A kernel for CUDA.

    Attributes:
        kernel: what it computes.
        text: CUDA C of all entries.
        entries: the functions in the text.
        steps: what the host does.
        arena: where each buffer of the kernel's own starts in one allocation, in bytes.
        arena_bytes: the size of that.
        host: how scalars that the host computes follow from parameters and indices.
        values: buffers of one number that the host reads for a scalar.
        may_fail: whether a check may fail, or room run out, which the status says.
        sized: the buffers of the kernel's own of which only the run knows how large they are.
        may_stop: whether loops look whether the user wants the kernel to end; the status says
            whether one has left, and the host waits for the kernel.
        together: of loops of which all blocks run many trips in a launch the index or condition.
    """

    kernel: ir.Kernel
    text: str
    entries: list[Entry]
    steps: list[HostStep]
    arena: dict[Buffer, int]
    arena_bytes: int
    host: dict[Operand, ir.Compute]
    values: dict[Operand, Buffer] = field(default_factory=dict)
    may_fail: bool = False
    sized: Sequence[Buffer] = ()
    may_stop: bool = False
    teller: Launch | None = None
    together: frozenset[Operand] = frozenset()

    @property
    def told(self) -> set[LaunchArgument]:
        """The numbers that the teller is given: those that follow do not depend on them."""
        return {x for x, _ in self.teller.entry.parameters} if self.teller else set()
