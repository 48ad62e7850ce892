"""A kernel cut into launches.

What stands outside of the loops of independent trips is cut between those of them that are worth a
grid of blocks, and at products of matrices. Each piece is a `Segment`, and becomes a ``__global__``
function:

* ``"threads"``: an `Each` whose trips are given to the threads of a grid;
* ``"teams"``: an `Each` whose trips hold others, not too short, given to warps or blocks;
* ``"single"``: statements between, run by one block: by one thread if there is no `Each` in them.

Control flow around pieces becomes the host's. Scalars pass from piece to piece in memory, in
buffers of one element (*slots*); those that are computed from others without looking into what
changes are computed again where they are used. The results of the blocks of a grid, for a
reduction, are combined at the start of the segment that follows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from autograph.closure import closure
from autograph.kernels.cuda.plan import Branch, Product, Repeat, RepeatWhile, Scratch
from autograph.kernels.cuda.stopping import Stopping
from autograph.kernels.ir import ir, uses
from autograph.kernels.ir.ir import Buffer, Number, Operand, Reduction, Statement, Var

# An `Each` of so few trips, and nanoseconds in all, is run by one block; of more in a `For`, since
# each launch takes some microseconds, and of still more in a `While`, for whose condition the host
# would wait after each trip. A block takes 4096 elements of three arrays of float64, which are in
# the cache of the device, in some 1.5 microseconds: 8 for each thread, at 300 cycles, or 98 KB at
# 64 bytes in a cycle.
_FEW_TRIPS, _SHORT = 1024, 20_000.0
_PATIENCE = {ir.If: 1, ir.For: 4, ir.While: 8}
_FEW_ROWS = 4
_FEW_LANES = 4
MOST_LOCAL_BYTES = 1024  # of a thread's array, which is in slow memory if it is indexed


@dataclass(eq=False)
class Segment:
    """What one launch does.

    Attributes:
        kind: see above.
        statements: in order. Of ``"threads"`` and ``"teams"``, the `Each`.
        combined: reductions of the grid before this one, and its blocks' results.
        prologue: computes scalars anew, and loads those of other segments.
        partial: where a grid's blocks put their results.
        after_failure: whether a launch before may have failed.
    """

    kind: str
    statements: list[Statement] = field(default_factory=list)
    combined: tuple[tuple[Reduction, Scratch], ...] = ()
    prologue: list[Statement] = field(default_factory=list)
    partial: tuple[Scratch, ...] = ()
    after_failure: bool = False


Piece = Segment | Product | Repeat | RepeatWhile | Branch


def is_small(each: ir.Each, patience: int = 1) -> bool:
    """Whether one block does.

    Args:
        patience: how many times as much as usual it may be.
    """
    if not isinstance(each.count, Number):
        return False
    count = int(each.count.value)
    inner = [s for s in ir.walk(each.body) if isinstance(s, ir.Each)]
    if count > most_trips(each, patience):
        return False
    short = count * each.work <= patience * _SHORT
    return all(is_small(s, patience) for s in inner) and (short or (bool(inner) and patience == 1))


def most_trips(each: ir.Each, patience: int) -> int:
    """The most trips of a loop that one block is given."""
    return patience * (_FEW_ROWS if uses.has_each(each.body) else _FEW_TRIPS)


def is_thin(each: ir.Each) -> bool:
    """Whether the loops inside are so short that a thread runs them by itself."""
    inner = [s for s in ir.walk(each.body) if isinstance(s, ir.Each | ir.Reserve)]
    return all(
        isinstance(s, ir.Each) and isinstance(s.count, Number) and int(s.count.value) <= _FEW_LANES
        for s in inner
    )


def patience_with(s: ir.For | ir.While | ir.If) -> int:
    """How many times as much as usual a loop in control flow may be for one block."""
    return _PATIENCE[type(s)]


def is_coarse(s: Statement) -> bool:
    """Whether the host has to run a statement: control flow around a grid or a product."""
    if not isinstance(s, ir.For | ir.While | ir.If):
        return False
    patience = patience_with(s)
    return any(
        isinstance(x, ir.Multiply) or (isinstance(x, ir.Each) and not is_small(x, patience))
        for x in ir.walk([s])
    )


class Split:
    """The pieces of a kernel.

    Args:
        told: scalars among the kernel's inputs that the first launch leaves in memory for others.

    Attributes:
        pieces: what the host does, in order.
        segments: all of them.
        host: how scalars that the host needs follow from others.
        values: the slots that the host reads, by the scalar.
        indices: of the host's loops.
        stopping: which loops look whether the user wants the kernel to end.
        teller: the launch that does that, which is not among the pieces.
    """

    def __init__(self, kernel: ir.Kernel, told: Sequence[Var] = ()):
        self.segments: list[Segment] = []
        self.host: dict[Operand, ir.Compute] = {}
        self.values: dict[Operand, Buffer] = {}
        self.indices: list[Var] = []
        scalars = dict.fromkeys(x for x in kernel.inputs if isinstance(x, Var))
        self._parameters = scalars.keys() - set(told)
        self._given = [x for x in scalars if x in self._parameters]
        self._for_host: set[Operand] = set(kernel.symbols.values())
        self.teller = Segment("single")
        self._shared = {given for given, _ in kernel.shared}
        self._floating: dict[Operand, Statement] = {}  # computed wherever they are used
        self._slots: dict[Operand, Buffer] = {}
        self._owners: dict[Operand, Segment] = dict.fromkeys(told, self.teller)
        self._locals: list[ir.Local] = []
        self._products: list[ir.Multiply] = []
        self._pinned = self._needed_by_host(kernel.body)
        self.stopping = Stopping(kernel)
        self.pieces = self._pieces(kernel.body)
        self._settle_locals()
        for var in told:
            self._kept(var)
        for segment in self.segments:
            self._connect(segment)
        self._mark_failures(self.pieces, False)

    # -- cutting -----------------------------------------------------------------------------------

    def _pieces(self, statements: Iterable[Statement]) -> list[Piece]:
        pieces: list[Piece] = []
        open_ = Segment("single")

        def close() -> None:
            nonlocal open_
            if open_.combined or any(not self._floats(s) for s in open_.statements):
                pieces.append(open_)
                self.segments.append(open_)
            open_ = Segment("single")

        for s in statements:
            match s:
                case ir.Local():
                    self._locals.append(s)
                case ir.Each() if not is_small(s):
                    close()
                    kind = "teams" if uses.has_each(s.body) and not is_thin(s) else "threads"
                    partial = tuple(
                        Scratch(f"{r.out.name or 'parts'}_of_blocks", "block", r.out.dtype.itemsize)
                        for r in s.reductions
                    )
                    grid = Segment(kind, [s], partial=partial)
                    pieces.append(grid)
                    self.segments.append(grid)
                    self._note_host(s.count)
                    open_.combined = tuple(zip(s.reductions, partial))
                    self._owners.update((r.out, open_) for r in s.reductions)
                case ir.Multiply():
                    close()
                    self._products.append(s)
                    pieces.append(Product(s))
                    for x in uses.operands(s):
                        self._note_host(x, needed=True)
                case _ if is_coarse(s):
                    before, control = self._control(s)
                    open_.statements += before
                    close()
                    pieces.append(control())
                case _:
                    if self._floats(s):
                        self._floating[s.out] = s
                    else:
                        self._owners.update((var, open_) for var in uses.results(s))
                    open_.statements.append(s)
        close()
        return pieces

    def _control(self, s: ir.For | ir.While | ir.If) -> tuple[list[ir.Store], Callable[[], Piece]]:
        """What to store before the host's control flow, and what makes that."""
        if isinstance(s, ir.If):
            condition = Buffer(ir.BOOL, 1, "temporary", "condition")
            into = [self._slot(var) for var in s.results]

            def branch() -> Piece:
                then = self._pieces([*s.then, *_stores(into, s.then_results)])
                orelse = self._pieces([*s.orelse, *_stores(into, s.else_results)])
                return Branch(condition, then, orelse)

            return _stores([condition], [s.condition]), branch

        state = [self._slot(var, after) for var, after in zip(s.state, s.results)]

        def loop() -> Piece:
            if isinstance(s, ir.For):
                self._parameters.add(s.index)
                self.indices.append(s.index)
                self._note_host(s.count, needed=True)
                steps = self._pieces([*s.body, *_stores(state, s.following)])
                return Repeat(s.index, s.count, steps)
            condition = Buffer(ir.BOOL, 1, "temporary", "condition")
            test = self._pieces([*s.test, *_stores([condition], [s.condition])])
            body = self._pieces([*s.body, *_stores(state, s.following)])
            return RepeatWhile(test, condition, body, s.condition)

        return _stores(state, s.init), loop

    def _floats(self, s: Statement) -> bool:
        """Whether a scalar can be computed anew at any later place."""
        match s:
            case ir.Compute():
                return not s.function.endswith("_checked")
            case ir.Load():
                fixed = s.buffer.kind == "constant" or (
                    s.buffer.kind == "input" and s.buffer not in self._shared
                )
                return fixed and s.out not in self._pinned
        return False

    # -- scalars of other segments -----------------------------------------------------------------

    def _slot(self, *scalars: Var) -> Buffer:
        """The slot of a scalar, or of several that have it one after the other."""
        first = scalars[0]
        if first not in self._slots:
            slot = Buffer(first.dtype, 1, "temporary", f"{first.name or 'kept'}_at")
            self._slots.update(dict.fromkeys(scalars, slot))
        return self._slots[first]

    def _needed_by_host(self, body: ir.Block) -> set[Operand]:
        """The scalars on which starts of matrices and counts of the host's loops depend."""
        made = {s.out: s for s in ir.walk(body) if isinstance(s, ir.Compute)}
        pending: list[Operand] = []
        for s in ir.walk(body):
            if isinstance(s, ir.Multiply):
                pending += uses.operands(s)
            elif isinstance(s, ir.For) and is_coarse(s):
                pending.append(s.count)
        return closure(pending, lambda x: made[x].operands if x in made else ())

    def _note_host(self, operand: Operand, needed: bool = False) -> None:
        """Let the host compute a scalar, if it can, or if it has to: then it reads what it must."""
        if needed or self.is_known(operand):
            if isinstance(operand, Number):
                return
            if operand in self._parameters:
                self._for_host.add(operand)
                return
            s = self._floating.get(operand)
            if isinstance(s, ir.Compute):
                self.host[operand] = s
                for x in s.operands:
                    self._note_host(x, needed)
            else:
                self.values[operand] = self._kept(operand)

    def tellable(self) -> list[Var]:
        """The scalars among the kernel's inputs that several launches may need, and the host does
        not: with these in memory, launches are the same whatever they are."""
        several = len(self.pieces) != 1 or not isinstance(self.pieces[0], Segment)
        if self.values or not several:
            return []
        free = {x for s in self.segments for x in uses.free([*s.prologue, *s.statements])}
        return [x for x in self._given if x in free and x not in self._for_host]

    def is_known(self, operand: Operand) -> bool:
        """Whether the host can compute a scalar without looking into memory."""
        if isinstance(operand, Number) or operand in self._parameters:
            return True
        s = self._floating.get(operand)
        return isinstance(s, ir.Compute) and all(map(self.is_known, s.operands))

    def _kept(self, var: Var) -> Buffer:
        """The slot of a scalar that its segment defines."""
        if var not in self._slots:
            slot = self._slot(var)
            self._owners[var].statements += _stores([slot], [var])
        return self._slots[var]

    def _connect(self, segment: Segment) -> None:
        """Give a segment all scalars that it uses."""
        fixed = [s for s in segment.statements if not self._floats(s)]
        own = {s.out for s in segment.statements if self._floats(s)}
        defined = {var for s in fixed for var in uses.results(s)}
        defined |= {r.out for r, _ in segment.combined}
        pending = list(uses.free(fixed))
        needed: set[Var] = set()
        while pending:
            var = pending.pop()
            if var in needed or var in self._parameters or var in defined:
                continue
            needed.add(var)
            if var in self._floating:
                pending += [x for x in uses.operands(self._floating[var]) if isinstance(x, Var)]
            else:
                self._kept(var)
        zero = Number(0, ir.LONG)
        loaded = [var for var in self._slots if var in needed]
        computed = [s for var, s in self._floating.items() if var in needed and var not in own]
        segment.prologue = [ir.Load(var, self._slots[var], zero) for var in loaded] + computed
        segment.statements = [
            s for s in segment.statements if not self._floats(s) or s.out in needed
        ]

    # -- the rest ----------------------------------------------------------------------------------

    def _settle_locals(self) -> None:
        """Leave a small local buffer to the segment that has it to itself."""
        products = {b for s in self._products for b in (s.a, s.b, s.c)}
        for s in self._locals:
            users = [
                x
                for x in self.segments
                if s.buffer in uses.reads(x.statements) | uses.writes(x.statements)
            ]
            alone = len(users) == 1 and users[0].kind == "single" and s.buffer not in products
            if alone and s.buffer.nbytes <= MOST_LOCAL_BYTES:
                users[0].statements.insert(0, s)

    def _mark_failures(self, pieces: Sequence[Piece], failed: bool) -> bool:
        """Note which segments come after one that may fail; whether one of all these may."""
        for piece in pieces:
            match piece:
                case Segment():
                    piece.after_failure = failed
                    failed |= uses.may_fail(piece.statements)
                    failed |= self.stopping.may_stop(piece.statements)
                case Repeat():
                    failed = self._mark_loop(piece.steps, failed)
                case RepeatWhile():
                    failed = self._mark_loop([*piece.test, *piece.steps], failed)
                case Branch():
                    then = self._mark_failures(piece.then, failed)
                    failed = self._mark_failures(piece.orelse, failed) or then
        return failed

    def _mark_loop(self, pieces: Sequence[Piece], failed: bool) -> bool:
        return self._mark_failures(pieces, self._mark_failures(pieces, failed))


def _stores(slots: Sequence[Buffer], values: Sequence[Operand]) -> list[ir.Store]:
    zero = Number(0, ir.LONG)
    return [ir.Store(slot, zero, value) for slot, value in zip(slots, values)]
