"""Several trips of a loop at once, whose inner loops run together: unroll and jam.

The loop in it may be one trip longer or shorter in each trip than in the one before, as in loops
over pairs, ``for i: for j > i``: the elements that all rows of a group have run together, and so do
those that only some have (`Copier.triangle`).
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from autograph.kernels.ir import ir
from autograph.kernels.ir.builder import KernelBuilder, block_apart
from autograph.kernels.ir.ir import BOOL, LONG, Block, Number, Operand, Statement, Var

_Copies = Sequence[dict[Operand, Operand]]  # what stands for each scalar, in each of the trips

_ZERO, _TRUE = Number(0, LONG), Number(True, BOOL)

# What stands for this in a copy of a trip is the condition under which the trip stores.
_STORES = Var(BOOL, "stores")


@dataclasses.dataclass(frozen=True)
class Slope:
    """That a loop, ``each``, makes ``first + by * i`` trips in trip i of the loop around it.

    Attributes:
        by: 1 or -1.
    """

    each: ir.Each
    first: Operand
    by: int


def jammed(
    s: ir.For, rows: int, mode: str, work: float, slope: Slope | None = None
) -> list[Statement]:
    """A loop of independent trips in which ``rows`` of them run together, and before and after it
    those that remain.

    Args:
        mode: of the `Each` that the loop becomes; it stays in order if this is empty.
        work: of a trip.
        slope: of the loop in it, which must have no reductions or checks; None if all loops in it
            are as long in each trip.
    """
    with block_apart("jammed") as (builder, made):
        lead, usable = _usable(builder, s.count, rows, slope)
        whole, done, _ = in_groups(builder, usable, rows)
        begun = builder.compute("+", lead, done)
        rest = builder.compute("-", s.count, begun)
        for first, count, together in (
            (_ZERO, lead, 1),
            (lead, whole, rows),
            (begun, rest, 1),
        ):
            if not isinstance(count, Number) or count.value:
                _loop(builder, s, first, count, together, mode, work, slope)
    return made.statements


def _usable(
    builder: KernelBuilder, count: Operand, rows: int, slope: Slope | None
) -> tuple[Operand, Operand]:
    """Which trip is the first that may run beside others, and how many may: those whose inner loop
    has an element for each of the rows before them."""
    if slope is None:
        return _ZERO, count
    least = rows - 1
    if slope.by > 0:
        lead = builder.compute("max", builder.compute("-", least, slope.first), 0)
        lead = builder.compute("min", lead, count)
        return lead, builder.compute("-", count, lead)
    usable = builder.compute("max", builder.compute("-", slope.first, least - 1), 0)
    return _ZERO, builder.compute("min", usable, count)


def in_groups(
    builder: KernelBuilder, count: Operand, rows: int
) -> tuple[Operand, Operand, Operand]:
    """How many times ``rows`` trips there are, how many trips these are, and how many remain."""
    whole = builder.compute("quotient", count, rows)
    done = builder.compute("*", whole, rows)
    return whole, done, builder.compute("-", count, done)


def _loop(
    builder: KernelBuilder,
    s: ir.For,
    first: Operand,
    count: Operand,
    together: int,
    mode: str,
    work: float,
    slope: Slope | None,
) -> None:
    def trip(index: Operand) -> tuple[Operand, ...]:
        start = builder.compute("+", builder.compute("*", index, together), first)
        copies: list[dict[Operand, Operand]] = [
            {s.index: builder.compute("+", start, row)} for row in range(together)
        ]
        Copier(builder, slope if together > 1 else None).statements(s.body, copies)
        return ()

    if mode:
        with builder.each(count, mode, work=work * together) as index:
            trip(index)
    else:
        builder.for_(count, (), trip)


class Copier:
    """Copies statements for several trips."""

    def __init__(self, builder: KernelBuilder, slope: Slope | None = None):
        self.builder = builder
        self.slope = slope

    @staticmethod
    def of(operand: Operand, copy: dict[Operand, Operand]) -> Operand:
        return copy.get(operand, operand)

    def statements(self, block: Block, copies: _Copies) -> None:
        """Add the statements of a block for each of some trips, those of all before the next."""
        for s in block:
            match s:
                case ir.For():
                    self.loop(s, copies)
                case ir.Each():
                    self.each(s, copies)
                case _:
                    for copy in copies:
                        self.statement(s, copy)

    def statement(self, s: Statement, copy: dict[Operand, Operand]) -> None:
        b = self.builder
        match s:
            case ir.Compute():
                b.place = s.location
                given = tuple(self.of(x, copy) for x in s.operands)
                if s.function == "cast":
                    copy[s.out] = b.cast(given[0], s.out.dtype)
                else:
                    copy[s.out] = b.compute(s.function, *given)
            case ir.Load():
                copy[s.out] = b.load(s.buffer, self.of(s.index, copy), s.out.name)
            case ir.Store():
                self.store(s, copy)
            case ir.Check():
                b.place = s.location
                b.check(self.of(s.condition, copy))
            case ir.If():
                self.conditional(s, copy)
            case _:
                raise TypeError(f"{type(s).__name__} in a nest")

    def store(self, s: ir.Store, copy: dict[Operand, Operand]) -> None:
        def then() -> tuple[Operand, ...]:
            self.builder.store(s.buffer, self.of(s.index, copy), self.of(s.value, copy))
            return ()

        self.builder.if_(copy.get(_STORES, _TRUE), then)

    def conditional(self, s: ir.If, copy: dict[Operand, Operand]) -> None:
        def side(block: Block, results: Sequence[Operand]) -> tuple[Operand, ...]:
            own = dict(copy)
            self.statements(block, [own])
            return tuple(self.of(x, own) for x in results)

        found = self.builder.if_(
            self.of(s.condition, copy),
            lambda: side(s.then, s.then_results),
            lambda: side(s.orelse, s.else_results),
            [v.name for v in s.results],
        )
        copy.update(zip(s.results, found))

    def same(self, operand: Operand, copies: _Copies) -> bool:
        """Whether an operand is the same in all trips."""
        return isinstance(operand, Number) or len({self.of(operand, c) for c in copies}) == 1

    def loop(self, s: ir.For, copies: _Copies) -> None:
        if not self.same(s.count, copies):
            for copy in copies:
                self.loop(s, [copy])
            return

        def trip(index: Operand, *state: Operand) -> tuple[Operand, ...]:
            for k, copy in enumerate(copies):
                copy[s.index] = index
                copy.update(zip(s.state, state[k * len(s.state) :]))
            self.statements(s.body, copies)
            return tuple(self.of(x, copy) for copy in copies for x in s.following)

        init = [self.of(x, copy) for copy in copies for x in s.init]
        names = [v.name for v in s.state] * len(copies)
        count = self.of(s.count, copies[0])
        found = self.builder.for_(count, init, trip, names)
        for k, copy in enumerate(copies):
            copy.update(zip(s.results, found[k * len(s.results) :]))

    def each(self, s: ir.Each, copies: _Copies) -> None:
        if self.slope is not None and s is self.slope.each:
            self.triangle(s, copies, self.slope.by)
            return
        if not self.same(s.count, copies):
            for copy in copies:
                self.each(s, [copy])
            return
        reductions: list[ir.Reduction] = []
        count = self.of(s.count, copies[0])
        with self.builder.each(count, s.mode, reductions, s.work * len(copies)) as index:
            for copy in copies:
                copy[s.index] = index
            self.statements(s.body, copies)
            for r in s.reductions:
                for copy in copies:
                    value = self.of(r.value, copy)
                    new = self.builder.reduction(r.combine, value, r.start.value, r.out.name)
                    reductions.append(new)
                    copy[r.out] = new.out

    def triangle(self, s: ir.Each, copies: _Copies, by: int) -> None:
        """A loop that is one trip longer (``by`` is 1) or shorter (-1) in each copy than in the one
        before: first the elements that all copies have, then those that only some have. There each
        copy computes as many as the one that has the most, in its own loop, and stores its own.
        """
        b = self.builder
        most = len(copies) - 1
        counts = [self.of(s.count, copy) for copy in copies]
        work = s.work * len(copies)
        with b.each(counts[0 if by > 0 else -1], s.mode, work=work) as index:
            for k, copy in enumerate(copies):
                copy[s.index] = index if by > 0 else b.compute("+", index, most - k)
            self.statements(s.body, copies)
        with b.each(most, s.mode, work=work) as index:
            for k, copy in enumerate(copies):
                if by > 0:  # the last elements of each copy, of which the k last are its own
                    begin = b.compute("-", counts[0], most - k)
                    copy[s.index] = b.compute("+", index, begin)
                    copy[_STORES] = b.compute(">=", index, most - k)
                else:  # the first elements
                    copy[s.index] = index
                    copy[_STORES] = b.compute("<", index, most - k)
            self.statements(s.body, copies[1:] if by > 0 else copies[:-1])
        for copy in copies:
            del copy[_STORES]
