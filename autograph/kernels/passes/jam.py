"""Several trips of a loop at once, whose inner loops run together: unroll and jam."""

from __future__ import annotations

from collections.abc import Sequence

from autograph.kernels.ir import ir
from autograph.kernels.ir.builder import KernelBuilder
from autograph.kernels.ir.ir import Block, Number, Operand, Statement

_Copies = Sequence[dict[Operand, Operand]]  # what stands for each scalar, in each of the trips


def jammed(s: ir.For, rows: int, mode: str, work: float) -> list[Statement]:
    """A loop of independent trips in which ``rows`` of them run together, and after it one of those
    that remain.

    Args:
        mode: of the `Each` that the loop becomes; it stays in order if this is empty.
        work: of a trip.
    """
    builder = KernelBuilder("jammed")
    try:
        with builder.block() as made:
            whole, done, rest = in_groups(builder, s.count, rows)
            for first, count, together in ((0, whole, rows), (done, rest, 1)):
                if not isinstance(count, Number) or count.value:
                    _loop(builder, s, first, count, together, mode, work)
    finally:
        builder.close()
    return made.statements


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
    first: Operand | int,
    count: Operand,
    together: int,
    mode: str,
    work: float,
) -> None:
    def trip(index: Operand) -> tuple[Operand, ...]:
        start = builder.compute("+", builder.compute("*", index, together), first)
        copies: list[dict[Operand, Operand]] = [
            {s.index: builder.compute("+", start, row)} for row in range(together)
        ]
        Copier(builder).statements(s.body, copies)
        return ()

    if mode:
        with builder.each(count, mode, work=work * together) as index:
            trip(index)
    else:
        builder.for_(count, (), trip)


class Copier:
    """Copies statements for several trips."""

    def __init__(self, builder: KernelBuilder):
        self.builder = builder

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
                b.store(s.buffer, self.of(s.index, copy), self.of(s.value, copy))
            case ir.Check():
                b.place = s.location
                b.check(self.of(s.condition, copy))
            case ir.If():
                self.conditional(s, copy)
            case _:
                raise TypeError(f"{type(s).__name__} in a nest")

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
