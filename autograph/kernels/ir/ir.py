"""The kernel IR: what native code computes, as loops over elements and statements on scalars.

A kernel reads and writes *buffers*: C-contiguous memory of elements of one dtype, addressed by the
number of an element. Everything else is a scalar: an SSA value (`Var`), defined once, or a `Number`
written in the kernel. Statements stand in blocks, in the order in which they run. Control flow is
structured, and passes values explicitly, as in MLIR's ``scf``: a loop has state, an ``If`` has
results.

================  ================================================================================
statement         meaning
================  ================================================================================
`Compute`         ``out = function(operands)``, without an effect: of `ops.core.kernels`
`Load`, `Store`   an element of a buffer
`For`             a loop of a known number of trips, in order, with state
`While`           a loop with a test before each trip, with state
`If`              one of two blocks
`Each`            a loop whose trips are independent of each other but for reductions; see below
`Announce`,       what a trip of an `Each` in order has stored, for later trips, and waiting for
`Await`           that
`Check`           the kernel gives up unless a condition holds
`Reserve`         memory that lasts until the kernel ends, for the residuals of loops
`Keep`            what a routine has reserved is free, but for what it gives
`Multiply`        a product of matrices, by the BLAS library
`RoutineCall`     a routine of the kernel's: another kernel, or the routine that it is in
`InnerLoopCall`   the loop of a generalised ufunc of NumPy's
`SortCall`        a function of NumPy's that sorts
`PythonCall`      a function of Python's
`Draw`            a distribution of NumPy's
================  ================================================================================

An `Each` says that its trips may run at once. ``mode`` says how: ``"vector"``, trips are lanes of a
SIMD register, or neighbouring threads of a block; ``"parallel"``, trips are given to threads of the
CPU, or to blocks of the GPU. A vector loop does not contain another `Each`, nor a `Multiply`; a
parallel one does not contain a parallel one. A parallel loop with ``flags`` is in order, for GPUs
only: its trips run at once, too, but begin one after the other, and one may wait for those before
it, and for no others. No `RoutineCall`, `Keep`, `InnerLoopCall`, `SortCall`, `PythonCall` or `Draw`
is in an `Each`.
Inside of a vector loop, `While`, `For`, `If` and `Check` are those of each lane: they run under a
mask, and a lane that left a loop keeps its state.
Buffers of the kind ``"local"`` are one per trip of the innermost `Each` around their `Local`
statement.

A kernel that gives up has done nothing that anyone can see, but for what it wrote to its outputs,
and for its calls of Python, of whose effects it is remembered how many there were
(`autograph.kernels.effects`).
The caller then runs something else, which raises the error that the user should see.

Integers wrap. Floats obey IEEE 754, each operation rounded by itself: printers must not contract
multiplications and additions, nor reorder or assume anything but in the reductions of `Each`.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from typing import Any

from autograph.errors import Location
from autograph.kernels.ir.calls import Draw as Draw
from autograph.kernels.ir.calls import InnerLoopCall as InnerLoopCall
from autograph.kernels.ir.calls import Multiply as Multiply
from autograph.kernels.ir.calls import PythonCall as PythonCall
from autograph.kernels.ir.calls import RoutineCall as RoutineCall
from autograph.kernels.ir.calls import SortCall as SortCall
from autograph.kernels.ir.operands import BOOL as BOOL
from autograph.kernels.ir.operands import DOUBLE as DOUBLE
from autograph.kernels.ir.operands import DTYPES as DTYPES
from autograph.kernels.ir.operands import INT as INT
from autograph.kernels.ir.operands import LONG as LONG
from autograph.kernels.ir.operands import MOST_BYTES as MOST_BYTES
from autograph.kernels.ir.operands import SINGLE as SINGLE
from autograph.kernels.ir.operands import UNKNOWN_SIZE as UNKNOWN_SIZE
from autograph.kernels.ir.operands import Buffer as Buffer
from autograph.kernels.ir.operands import Number as Number
from autograph.kernels.ir.operands import Operand as Operand
from autograph.kernels.ir.operands import Var as Var
from autograph.kernels.ir.operands import current as current
from autograph.kernels.ir.operands import innermost as innermost
from ops.core.records import dataclass


@dataclass(eq=False)
class Block:
    """Statements in order."""

    statements: list[Statement] = field(default_factory=list)

    def __iter__(self) -> Iterator[Statement]:
        return iter(self.statements)


@dataclass(eq=False)
class Compute:
    """``out = function(*operands)``.

    Functions are the names and symbols of `ops.core.kernels`, and besides:

    * ``cast``: ``operands[0]`` converted to ``out.dtype`` as NumPy does. A float out of the range
      of an integer, or NaN, gives what the machine's conversion gives (there is no trap).
    * ``add_checked``, ``subtract_checked``, ``multiply_checked`` of int64: the kernel gives up if
      the result overflows.

    All operands have one dtype, but for: ``select`` (a bool, then two of the dtype of ``out``),
    ``ldexp`` (a float and an int32), shifts (counts have the dtype of what is shifted).
    Comparisons, ``signbit``, ``isnan`` give bools; ``&``, ``|``, ``^``, ``~`` of bools are logical.
    The names of `Kernel.functions` are functions as well.
    ``multiply_high`` is for integers of 64 bits.
    ``exponent`` gives an int32, ``popcount`` a uint8, ``bits`` and ``from_bits`` the integer or
    float of the same width.
    """

    out: Var
    function: str
    operands: tuple[Operand, ...]
    location: Location | None = None


@dataclass(eq=False)
class Load:
    """``out = buffer[index]``. The index is an int64 that lies inside the buffer."""

    out: Var
    buffer: Buffer
    index: Operand


@dataclass(eq=False)
class Store:
    """``buffer[index] = value``."""

    buffer: Buffer
    index: Operand
    value: Operand


@dataclass(eq=False)
class Local:
    """Make a buffer of the kind ``"local"``, with undefined elements."""

    buffer: Buffer


@dataclass(frozen=True)
class Freed:
    """At the end of a trip, what was reserved since the loop began is used by nobody any more, but
    for the record that starts at ``newest``, if that is later, and those reserved before it.

    Attributes:
        newest: one of the next state; None if none of the loop's records is used any more.
        nbytes: at most so many bytes has that record: of lengths known only at run time, a number
            that is known when the kernel begins.
    """

    newest: Operand | None = None
    nbytes: int | Operand = 0


@dataclass(eq=False)
class For:
    """``for index in range(count)``, with state: ``state = init; ...: state = following``. The
    ``results`` are the state after the last trip, or ``init`` if there is none.

    Attributes:
        freed: what may be given back at the end of a trip, if that is known.
    """

    index: Var
    count: Operand
    body: Block
    state: tuple[Var, ...] = ()
    init: tuple[Operand, ...] = ()
    following: tuple[Operand, ...] = ()
    results: tuple[Var, ...] = ()
    freed: Freed | None = None


@dataclass(eq=False)
class While:
    """``state = init; while test(): body; state = following``. Both blocks see ``state``; the body
    also what the test computed, whose outcome is ``condition``, a bool. For ``freed`` see `For`.
    One that is ``brief`` makes a few trips, as a search in a table that is never full."""

    test: Block
    condition: Operand
    body: Block
    state: tuple[Var, ...]
    init: tuple[Operand, ...]
    following: tuple[Operand, ...]
    results: tuple[Var, ...]
    freed: Freed | None = None
    brief: bool = False


@dataclass(eq=False)
class If:
    """One of two blocks. ``results[i]`` is ``then_results[i]`` or ``else_results[i]``."""

    condition: Operand
    then: Block
    orelse: Block
    results: tuple[Var, ...] = ()
    then_results: tuple[Operand, ...] = ()
    else_results: tuple[Operand, ...] = ()


@dataclass(eq=False)
class Reduction:
    """Values of the trips of an `Each` combined, in an order that depends on the count alone.

    Attributes:
        out: the result; defined after the loop. ``start``, a number that changes nothing, if there
            is no trip.
        combine: ``"+"``, ``"*"``, ``"&"``, ``"|"``, ``"^"``, ``"min"``, ``"max"``. The extrema of
            floats are NaN if one of the values is.
        value: of one trip, defined in the body.
    """

    out: Var
    combine: str
    start: Number
    value: Operand


@dataclass(eq=False)
class Each:
    """``for index in range(count)`` with trips that may run at once. ``work`` estimates the time
    of a trip, in nanoseconds.

    Attributes:
        flags: of a loop in order: int32 that are 0 when it begins. Trips are counted in the first.
    """

    index: Var
    count: Operand
    body: Block
    mode: str
    reductions: tuple[Reduction, ...] = ()
    work: float = 1.0
    flags: Buffer | None = None


@dataclass(eq=False)
class Announce:
    """Let others know, in a loop in order, what this trip has stored before in memory of the
    kernel's. Each is announced once, at an index of its own, which is not 0. Of the statements
    inside a vector loop that is what the lane has stored, of those outside, what they have."""

    flags: Buffer
    index: Operand


@dataclass(eq=False)
class Await:
    """Wait until that is announced, by an earlier trip. It may be loaded afterwards."""

    flags: Buffer
    index: Operand


@dataclass(eq=False)
class Check:
    """Give up unless ``condition`` (in each lane that is active)."""

    condition: Operand
    location: Location | None = None


@dataclass(eq=False)
class Reserve:
    """``out``, an int64: where ``size`` bytes (a multiple of 8) start that nothing else uses until
    the kernel ends, or the trip of the outermost `Each` around it. It is never 0. Buffers of the
    kind ``"record"`` give access.

    With ``for_caller`` the memory, of any number of bytes, is the caller's afterwards, who gives it
    back by ``ag_give``.

    In a vector loop, a record whose base the loop's body defines is taken for one that a `Reserve`
    of the body made: printers interleave what the lanes have. One whose base is defined outside is
    what the outside reserved, the same for all lanes."""

    out: Var
    size: Operand
    for_caller: bool = False


@dataclass(eq=False)
class Keep:
    """Free what a routine that calls itself has reserved, and what those that it called have, but
    for some pieces, which may move: at the end of its body.

    Attributes:
        pieces: where each is, and how many bytes it has. It may be memory from before, too.
        outs: where they are then.
    """

    pieces: tuple[tuple[Operand, Operand], ...]
    outs: tuple[Var, ...]


Statement = (
    Compute
    | Load
    | Store
    | Local
    | For
    | While
    | If
    | Each
    | Announce
    | Await
    | Check
    | Reserve
    | Keep
    | Multiply
    | RoutineCall
    | InnerLoopCall
    | SortCall
    | PythonCall
    | Draw
)


@dataclass(eq=False)
class ScalarFunction:
    """A function of scalars, without an effect: what its body computes from its parameters. The
    body has no loads and stores."""

    parameters: tuple[Var, ...]
    body: Block
    result: Operand


@dataclass(eq=False)
class Kernel:
    """A native function.

    Attributes:
        name: an identifier.
        inputs: in the order of the caller's arguments: buffers of the kind ``"input"``, and `Var`
            for scalars.
        outputs: buffers of the kind ``"output"``; scalars are buffers of one element. Of an array
            whose length only the run knows there are two int64: its address, in memory that is the
            caller's from then on, and its length. They are 0 before.
        body: what it does.
        shared: pairs (input, output) that are the same memory.
        symbols: the inputs that are symbols of lengths, in the sizes of buffers, by their names.
        functions: that the body calls, by the names that its `Compute` statements have.
        routines: that the body and they themselves call, by the names that `RoutineCall` statements
            have. They have none of their own.
        changed: of a routine, the positions of outputs whose contents it begins with.
        recursive: of a routine, whether it calls itself, or others that do. Such calls may be
            nested as deeply as there is room for; then the kernel gives up.
        leaves_records: of such a routine, whether what it reserves is there until what calls it
            ends.
        examples: what scalars that are lengths are in the call for which the kernel is made: for
            estimates.
    """

    name: str
    inputs: tuple[Buffer | Var, ...]
    outputs: tuple[Buffer, ...]
    body: Block
    shared: tuple[tuple[Buffer, Buffer], ...] = ()
    symbols: Mapping[str, Var] = field(default_factory=dict)
    location: Location | None = None
    functions: Mapping[str, ScalarFunction] = field(default_factory=dict)
    routines: Mapping[str, Kernel] = field(default_factory=dict)
    changed: tuple[int, ...] = ()
    recursive: bool = False
    leaves_records: bool = False
    examples: Mapping[Operand, int] = field(default_factory=dict)

    def become(self, other: Kernel) -> None:
        """Be what another kernel is: of a routine that others called before it was known."""
        self.__dict__.update(other.__dict__)

    def with_no_routines(self) -> Kernel:
        """The kernel as a routine of one that has its routines."""
        return replace(self, routines={}) if self.routines else self

    def with_routines(self, change: Callable[[Kernel], Kernel]) -> Kernel:
        """The kernel with something else in the place of each of its routines."""
        if not self.routines:
            return self
        made = {name: change(routine) for name, routine in self.routines.items()}
        return replace(self, routines=made)


# Of the statements that have blocks, by their kinds: all passes come here, again and again.
_BLOCKS: dict[type, Callable[[Any], tuple[Block, ...]]] = {
    For: lambda s: (s.body,),
    Each: lambda s: (s.body,),
    While: lambda s: (s.test, s.body),
    If: lambda s: (s.then, s.orelse),
}

_no_blocks = _BLOCKS.keys().isdisjoint


def is_straight(block: Block) -> bool:
    """Whether no statement of a block has blocks: passes that change loops ask this first, as most
    statements stand in such blocks."""
    return _no_blocks(map(type, block.statements))


def holding(statements: Iterable[Statement]) -> list[Statement]:
    """Those of some statements that have blocks."""
    return [s for s in statements if type(s) in _BLOCKS]


def blocks(statement: Statement) -> tuple[Block, ...]:
    """The blocks in a statement."""
    of = _BLOCKS.get(type(statement))
    return () if of is None else of(statement)


def walk(statements: Iterable[Statement]) -> Iterator[Statement]:
    """Statements, such as those of a block, those of nested blocks after the one that holds
    them."""
    return itertools.chain.from_iterable(_runs(statements))


def _runs(statements: Iterable[Statement]) -> Iterator[Sequence[Statement]]:
    """The same in runs of neighbours, most of them all of a straight block: all passes come here,
    and what is said to each statement by itself takes as long as what they do."""
    whole = statements if isinstance(statements, Block) else Block(list(statements))
    around = [(whole, 0)]  # blocks, and from where on they are to be walked
    while around:
        block, start = around.pop()
        inside = block.statements
        if start == 0 and _no_blocks(map(type, inside)):
            yield inside
            continue
        for place in range(start, len(inside)):
            of = _BLOCKS.get(type(inside[place]))
            if of is not None:
                yield inside[start : place + 1]
                around.append((block, place + 1))
                around += [(inner, 0) for inner in reversed(of(inside[place]))]
                break
        else:
            yield inside[start:]


def walk_all(kernel: Kernel) -> Iterator[Statement]:
    """The statements of a kernel and of its routines; see `walk`."""
    for part in (kernel, *kernel.routines.values()):
        yield from walk(part.body)
