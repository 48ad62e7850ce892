"""Arrays of which a few neighbouring rows are needed at a time: these only are kept, each in the
place of one that is not needed any more (storage folding: Ragan-Kelley et al., "Halide", 2013;
Lefebvre & Feautrier, "Automatic storage management for parallel programs", 1998).

Loops that follow each other, of which each goes over rows, run at the same time, as stages: in step
``t`` stage ``s`` does its row ``t - lag[s]``. A lag is as short as it may be for a stage to find
in the rows that it reads what the stages before it have written, and to write nothing that they
still read. So run a stencil of a stencil, and a table of dynamic programming whose last row is the
result.

Several arrays that one stage writes and another one reads are kept together: the squares and the
products of derivatives of an image, say, of which a filter takes means.

If all stages are loops of independent trips, the rows of the last one are cut into pieces, which
threads share. What a piece needs at its borders is computed for the next one as well.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from autograph.kernels.ir import ir, uses
from autograph.kernels.ir.ir import BOOL, LONG, Block, Buffer, Number, Operand, Statement, Var
from autograph.kernels.ir.work import in_lanes, work
from autograph.kernels.passes.affine import Facts
from autograph.kernels.passes.dependence import BufferGroups, accesses, is_understood
from autograph.kernels.passes.forms import Form, variable
from autograph.kernels.passes.strips import Places, may_run_before
from ops.core.records import dataclass

_LEAST_SAVED = 8  # times as large is an array as its rows that are kept
_MOST_BYTES = 1 << 18  # of the rows that each thread keeps
_MOST_AGAIN = 0.05  # of all work, for what is computed for two pieces
_LEAST_PIECES = 4  # and they are a multiple of it, for threads to have as many each
_MOST_PIECES = 32
_WORTH_THREADS = 20_000  # nanoseconds of loops, for threads to share them ...
_LITTLE = 0.2  # ... and of what other loops take
_ZERO = Number(0, LONG)


def in_windows(
    buffer: Buffer, places: Places, body: Block, kernel: ir.Kernel, facts: Facts
) -> Block | None:
    """The body with the loops that touch an array as stages; None if that may not be."""
    own, touching = list(body), places[buffer]
    loops = [k for k in touching if isinstance(own[k], ir.For | ir.Each)]
    if len(loops) < 2:
        return None
    first, last = touching[0], loops[-1]
    inside: list[ir.For | ir.Each] = []
    before: list[Statement] = []
    for k, s in enumerate(own[first : last + 1], first):
        if k in loops:
            assert isinstance(s, ir.For | ir.Each)
            if not _is_stage(s):
                return None
            inside.append(s)
        elif k not in touching and may_run_before(s, inside, kernel):
            before.append(s)
        else:
            return None
    after = [own[k] for k in touching if k > last]
    if not all(isinstance(s, ir.Load) for s in after):
        return None
    shared = _shared(places, body, inside)
    for row in _row_lengths(buffer, inside, facts):
        if any(b.size * row % buffer.size for b in shared):
            continue
        rows = {b: b.size * row // buffer.size for b in (buffer, *shared)}
        stages = [_Stage.of(s, rows, facts) for s in inside]
        known = [s for s in stages if s is not None]
        if len(known) < len(stages):
            continue
        window = _Window(buffer, rows, known, BufferGroups(kernel))
        made = window.made([s for s in after if isinstance(s, ir.Load)], facts)
        if made is not None:
            loop, reads = made
            rest = [reads.get(s, s) for s in own[last + 1 :]]
            return Block([*own[:first], *before, *loop, *rest])
    return None


def _is_stage(s: ir.For | ir.Each) -> bool:
    if not isinstance(s.count, Number) or not is_understood([s], own=True):
        return False
    if isinstance(s, ir.Each):
        return not s.reductions and s.flags is None and not uses.may_fail([s])
    return not s.state and s.freed is None and not uses.may_fail([s])


def _shared(places: Places, body: Block, stages: Sequence[Statement]) -> list[Buffer]:
    """The large arrays that several of these statements touch, and no others."""
    touched = [{b for b in uses.touched([s]) if b.kind == "temporary"} for s in stages]
    if len(set.union(*touched)) == sum(map(len, touched)):
        return []
    numbers = {k for k, s in enumerate(body) if any(s is x for x in stages)}
    return [b for b, touching in places.items() if numbers.issuperset(touching)]


def _row_lengths(buffer: Buffer, stages: Iterable[ir.For | ir.Each], facts: Facts) -> list[int]:
    """How many elements a row may have, the most first."""
    found: set[int] = set()
    for s in stages:
        for access in accesses([s], facts):
            if access.buffer is buffer and access.form is not None:
                steps = [access.form.of(s.index)]
                steps += [access.form.of(v) for v, _ in _quotients(access.form, s.index, facts)]
                found.update(n for n in steps if n is not None and n > 1)
    return sorted(found, reverse=True)[:3]


def _quotients(form: Form, index: Var, facts: Facts) -> Iterator[tuple[Var, int]]:
    """The variables of a form that are quotients of an index, with the divisors."""
    for var in form.variables:
        known = facts.quotient_of(var)
        if known is not None and known[0].same(variable(index)):
            yield var, known[1]


@dataclass(frozen=True, eq=False)
class _Stage:
    """A loop that goes over rows.

    Attributes:
        trips: how many of them are a row's.
        at: of each statement that touches an array, in which row that is, from the stage's own.
        written: the same of what is written.
    """

    loop: ir.For | ir.Each
    trips: int
    at: dict[ir.Load | ir.Store, int]
    written: frozenset[int]

    @property
    def rows(self) -> int:
        assert isinstance(self.loop.count, Number)
        return -(-int(self.loop.count.value) // self.trips)

    @property
    def least(self) -> int:
        return min(self.at.values())

    @property
    def most(self) -> int:
        return max(self.at.values())

    def is_computed(self, s: ir.Compute) -> int | None:
        """Whether a statement computes the number of the row, 0, or of the trip in it, 1, from the
        loop's index; else None."""
        x, *others = s.operands
        if x is not self.loop.index or len(others) != 1 or not isinstance(others[0], Number):
            return None
        n, trips = int(others[0].value), self.trips
        match s.function:
            case "quotient" if n == trips:
                return 0
            case "shift_right" if trips == 1 << n:
                return 0
            case "rest" if n == trips:
                return 1
            case "&" if n == trips - 1 and trips & n == 0:
                return 1
        return None

    @staticmethod
    def of(s: ir.For | ir.Each, rows: dict[Buffer, int], facts: Facts) -> _Stage | None:
        """A loop as a stage; None if it is none, or touches no array at all.

        Args:
            rows: how many elements a row has, of each array.
        """
        trips: int | None = None
        at: dict[ir.Load | ir.Store, int] = {}
        for access in accesses([s], facts):
            row = rows.get(access.buffer)
            if row is None:
                continue
            if access.form is None:
                return None
            step = access.form.of(s.index)
            quotients = list(_quotients(access.form, s.index, facts))
            if step and not quotients and step > 0 and row % step == 0:
                own, rest = row // step, access.form.plus(variable(s.index), -step)
                within = step * (own - 1)
            elif step == 0 and len(quotients) == 1 and access.form.of(quotients[0][0]) == row:
                (var, own), within = quotients[0], 0
                rest = access.form.plus(variable(var), -row)
            else:
                return None
            if trips not in (None, own):
                return None
            trips = own
            low, high = facts.least(rest), facts.greatest(rest) + within
            if low // row != high // row:
                return None
            at[access.statement] = low // row
        if trips is None or min(at.values()) < 0:
            return None
        written = frozenset(k for x, k in at.items() if isinstance(x, ir.Store))
        return _Stage(s, trips, at, written)


class _Window:
    """Rows of arrays that are kept while stages run.

    Attributes:
        buffer: one of the arrays.
        rows: how many elements a row has, of each of them.
        lags: how many steps a stage is behind the first.
        kept: how many rows.
    """

    def __init__(
        self,
        buffer: Buffer,
        rows: dict[Buffer, int],
        stages: Sequence[_Stage],
        memory: BufferGroups,
    ):
        self.buffer = buffer
        self.rows = rows
        self.stages = stages
        self.memory = memory
        self.lags: list[int] = []
        for stage in stages:
            lag = 0
            for before, earlier in zip(stages, self.lags):
                if before.written or stage.written:
                    lag = max(lag, earlier + stage.most - before.least)
            self.lags.append(lag)
        last = max(lag - s.least for s, lag in zip(stages, self.lags))
        first = min(lag - s.most for s, lag in zip(stages, self.lags))
        self.kept = last - first + 1
        self.smaller: dict[Buffer, Buffer] = {}

    def made(
        self, after: Sequence[ir.Load], facts: Facts
    ) -> tuple[list[Statement], dict[Statement, Statement]] | None:
        """The stages as one loop, and what reads the array after them; None if that may not be."""
        own = self.rows[self.buffer]
        if self.kept * own * _LEAST_SAVED > self.buffer.size or self.is_mixed():
            return None
        is_free = all(isinstance(s.loop, ir.Each) for s in self.stages)
        if is_free and not after:
            found = self.in_pieces()
            return None if found is None else ([found], {})
        if is_free or self.are_worth_threads():
            return None
        self.make_smaller("temporary")
        reads: dict[Statement, Statement] = {}
        most = max(s.rows - 1 + s.most for s in self.stages)
        for s in after:
            form = facts.form(s.index)
            if form is None or form.terms:
                return None
            row, place = divmod(form.constant, own)
            if row + self.kept <= most:
                return None
            index = Number(row % self.kept * own + place, LONG)
            reads[s] = replace(s, buffer=self.smaller[self.buffer], index=index)
        ends = [(Number(0, LONG), Number(s.rows, LONG)) for s in self.stages]
        steps = max(s.rows + lag for s, lag in zip(self.stages, self.lags))
        step = Var(LONG, "step")
        return [ir.For(step, Number(steps, LONG), Block([*self.in_step(step, ends)]))], reads

    def are_worth_threads(self) -> bool:
        """Whether loops that threads may share take long, beside those in order."""
        free = in_order = 0.0
        for stage in self.stages:
            trips = stage.rows * stage.trips
            if isinstance(stage.loop, ir.Each):
                free += in_lanes(stage.loop.body) * trips
            else:
                in_order += work(stage.loop.body) * trips
        return free > max(_WORTH_THREADS, _LITTLE * in_order)

    def is_mixed(self) -> bool:
        """Whether a stage touches what another one writes, besides the arrays."""
        for k, stage in enumerate(self.stages):
            written = self.groups(uses.all_written([stage.loop]))
            for j, other in enumerate(self.stages):
                if j != k and written & self.groups(uses.touched([other.loop])):
                    return True
        return False

    def groups(self, buffers: Iterable[Buffer]) -> set[object]:
        return {self.memory.group(b) for b in buffers if b not in self.rows}

    def make_smaller(self, kind: str) -> None:
        """Have arrays for the rows that are kept."""
        for b, row in self.rows.items():
            self.smaller[b] = Buffer(b.dtype, self.kept * row, kind, b.name)

    # -- pieces ------------------------------------------------------------------------------------

    def in_pieces(self) -> ir.Each | None:
        """A loop over pieces of the last stage's rows; None if it is not worth it."""
        if self.kept * sum(n * b.dtype.itemsize for b, n in self.rows.items()) > _MOST_BYTES:
            return None
        *firsts, last = self.stages
        if last.written or not all(self.is_only_written(s) for s in firsts):
            return None
        borders = [(last.least - s.most, last.most - s.least) for s in firsts] + [(0, 0)]
        works = [in_lanes(s.loop.body) * s.trips for s in self.stages]
        again = sum(w * (high - low) for w, (low, high) in zip(works, borders))
        least = int(again / (_MOST_AGAIN * sum(works))) + 1
        count = min(last.rows // least, _MOST_PIECES) // _LEAST_PIECES * _LEAST_PIECES
        if not count:
            return None
        rows = -(-last.rows // count)
        count = -(-last.rows // rows)
        self.make_smaller("local")
        piece, begin = Var(LONG, "piece"), Var(LONG)
        body: list[Statement] = [
            *map(ir.Local, self.smaller.values()),
            ir.Compute(begin, "*", (piece, Number(rows, LONG))),
        ]
        ends: list[tuple[Operand, Operand]] = []
        for stage, (low, high) in zip(self.stages, borders):
            first, after = Var(LONG), Var(LONG)
            body += _sum(first, begin, low, "max", 0)
            body += _sum(after, begin, rows + high, "min", stage.rows)
            ends.append((first, after))
        starts = [low + lag for (low, _), lag in zip(borders, self.lags)]
        steps = [rows + high + lag for (_, high), lag in zip(borders, self.lags)]
        place, step = Var(LONG), Var(LONG, "step")
        whole = Var(LONG)
        inner: list[Statement] = [
            ir.Compute(whole, "+", (begin, place)),
            ir.Compute(step, "+", (whole, Number(min(starts), LONG))),
            *self.in_step(step, ends),
        ]
        body.append(ir.For(place, Number(max(steps) - min(starts), LONG), Block(inner)))
        block = Block(body)
        return ir.Each(piece, Number(count, LONG), block, "parallel", (), max(in_lanes(block), 0.2))

    def is_only_written(self, stage: _Stage) -> bool:
        """Whether a stage writes arrays, each row by itself, and nothing else."""
        own = {s.buffer for s in ir.walk(stage.loop.body) if isinstance(s, ir.Local)}
        written = {b for b in uses.all_written([stage.loop]) if b not in own}
        touched = {(s.buffer, k) for s, k in stage.at.items()}
        stored = {(s.buffer, k) for s, k in stage.at.items() if isinstance(s, ir.Store)}
        return written <= self.rows.keys() and touched == stored

    # -- a step ------------------------------------------------------------------------------------

    def in_step(self, step: Var, ends: Sequence[tuple[Operand, Operand]]) -> Iterator[Statement]:
        """What is done in a step.

        Args:
            ends: from which to which row each stage goes, the second not included.
        """
        for stage, lag, (first, after) in zip(self.stages, self.lags, ends):
            row, above, below, both = Var(LONG, "row"), Var(BOOL), Var(BOOL), Var(BOOL)
            yield ir.Compute(row, "-", (step, Number(lag, LONG)))
            yield ir.Compute(above, ">=", (row, first))
            yield ir.Compute(below, "<", (row, after))
            yield ir.Compute(both, "&", (above, below))
            yield ir.If(both, Block(list(self.of_row(stage, row))), Block(), (), (), ())

    def of_row(self, stage: _Stage, row: Var) -> Iterator[Statement]:
        """What a stage does for a row."""
        moves: dict[tuple[int, int], Operand] = {}
        for k, length in sorted({(k, self.rows[s.buffer]) for s, k in stage.at.items()}):
            at, place, slot, start = (Var(LONG) for _ in range(4))
            move = moves[k, length] = Var(LONG)
            yield ir.Compute(at, "+", (row, Number(k, LONG)))
            yield ir.Compute(place, "rest", (at, Number(self.kept, LONG)))
            yield ir.Compute(slot, "*", (place, Number(length, LONG)))
            yield ir.Compute(start, "*", (at, Number(length, LONG)))
            yield ir.Compute(move, "-", (slot, start))
        loop = stage.loop
        assert isinstance(loop.count, Number)
        count = int(loop.count.value)
        if stage.trips == 1 and not (isinstance(loop, ir.Each) and loop.mode == "vector"):
            yield ir.Compute(loop.index, "+", (row, _ZERO))
            yield from self.moved(loop.body, stage, moves, (row, _ZERO))
            return
        first, place = Var(LONG), Var(LONG)
        yield ir.Compute(first, "*", (row, Number(stage.trips, LONG)))
        trips: Operand = Number(stage.trips, LONG)
        if count % stage.trips:
            left, trips = Var(LONG), Var(LONG)
            yield ir.Compute(left, "-", (Number(count, LONG), first))
            yield ir.Compute(trips, "min", (left, Number(stage.trips, LONG)))
        begin = ir.Compute(loop.index, "+", (first, place))
        block = Block([begin, *self.moved(loop.body, stage, moves, (row, place))])
        if isinstance(loop, ir.Each) and loop.mode == "vector":
            yield replace(loop, index=place, count=trips, body=block)
        else:
            yield ir.For(place, trips, block)

    def moved(
        self,
        block: Iterable[Statement],
        stage: _Stage,
        moves: dict[tuple[int, int], Operand],
        numbers: tuple[Operand, Operand],
    ) -> Iterator[Statement]:
        """Statements that touch the rows that are kept in the place of all.

        Args:
            moves: how much further an element is, by the row in which it is and its length.
            numbers: of the stage's row, and of the trip in it.
        """
        given = stage, moves, numbers
        for s in block:
            if isinstance(s, ir.Compute):
                known = stage.is_computed(s)
                yield s if known is None else ir.Compute(s.out, "+", (numbers[known], _ZERO))
                continue
            if isinstance(s, ir.Load | ir.Store) and s.buffer in self.rows:
                place = Var(LONG)
                move = moves[stage.at[s], self.rows[s.buffer]]
                yield ir.Compute(place, "+", (s.index, move))
                yield replace(s, buffer=self.smaller[s.buffer], index=place)
                continue
            match s:
                case ir.For() | ir.Each():
                    s = replace(s, body=Block([*self.moved(s.body, *given)]))
                case ir.If():
                    then = Block([*self.moved(s.then, *given)])
                    s = replace(s, then=then, orelse=Block([*self.moved(s.orelse, *given)]))
            yield s


def _sum(out: Var, x: Operand, n: int, bound: str, by: int) -> list[Statement]:
    """``out = bound(x + n, by)``."""
    total = Var(LONG)
    return [
        ir.Compute(total, "+", (x, Number(n, LONG))),
        ir.Compute(out, bound, (total, Number(by, LONG))),
    ]
