"""Arrays that take each other's places from trip to trip.

``before, u = u, new`` copies whole arrays, whose old elements nobody needs any more. In as many
trips at once as it takes until all are where they began, each trip goes on in the memory where the
one before has left them, and nothing is copied. The trips that may remain copy, as it is written.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from autograph.kernels.ir import ir, uses
from autograph.kernels.ir.builder import KernelBuilder, block_apart
from autograph.kernels.ir.ir import Block, Buffer, Number, Operand, Statement
from autograph.kernels.ir.renaming import renamed
from autograph.kernels.passes.affine import Facts
from autograph.kernels.passes.copying import copying_loops
from autograph.kernels.passes.dependence import Dependences, is_understood
from autograph.kernels.passes.forms import Form
from autograph.kernels.passes.jam import Copier
from autograph.kernels.passes.replacing import replace_statements
from ops.core.symbolic_lengths import is_length

_MOST_STATEMENTS = 400  # of all trips that are written out
_MOST_TRIPS = 4  # until the arrays are where they began
_LEAST = 4  # trips of a loop that is worth it
_FEWEST, _MOST = 32, 1 << 22  # elements: fewer are soon copied, or stay in registers


def rotate(body: Block, dependences: Dependences) -> bool:
    """Change the loops of a kernel, in place, the inner ones first.

    Returns:
        Whether there was something to change.
    """
    touching = Counter(b for s in ir.walk(body) for b in uses.buffers(s))
    group = dependences.memory.group
    groups = Counter(map(group, touching))
    alone = {b for b in touching if groups[group(b)] == 1}

    def change(s: ir.For) -> list[Statement] | None:
        return _rotated(s, alone, touching, dependences)

    return replace_statements(body, ir.For, change, enters=lambda s: not isinstance(s, ir.Each))


def _rotated(
    s: ir.For, alone: set[Buffer], touching: Counter[Buffer], dependences: Dependences
) -> list[Statement] | None:
    """What comes in the place of a loop; None if it stays.

    Args:
        alone: buffers that share memory with no other.
        touching: how many statements of the kernel touch a buffer.
    """
    if s.freed is not None or (isinstance(s.count, Number) and s.count.value < _LEAST):
        return None
    trip = _Trip(s.body, alone, touching, dependences.facts)
    if not trip.copies or not is_understood(s.body):
        return None
    orders = trip.orders()
    if orders is None or len(orders) * sum(1 for _ in ir.walk(s.body)) > _MOST_STATEMENTS:
        return None
    with block_apart("rotation") as (builder, made):
        _write(builder, s, [trip.statements(now) for now in orders])
    return made.statements


class _Trip:
    """The statements of a trip.

    Attributes:
        copies: those that copy a whole array into another one, whose elements nobody needs after
            that: which one, and where from.
    """

    def __init__(self, body: Block, alone: set[Buffer], touching: Counter[Buffer], facts: Facts):
        self.facts = facts
        self.body = list(body)
        self.copies: dict[Statement, tuple[Buffer, Buffer]] = {}
        found = {s: pair for s in body if (pair := self.copied(s)) and alone.issuperset(pair)}
        inside = Counter(b for s in ir.walk(body) for b in uses.buffers(s)) if found else {}
        for s, (target, source) in found.items():
            if self.is_over(source, s, inside[source] == touching[source]):
                self.copies[s] = target, source

    def copied(self, s: Statement) -> tuple[Buffer, Buffer] | None:
        """Into which array a statement copies all of which other one."""
        found = copying_loops(s)
        if found is None:
            return None
        _, load, store = found
        target, source = store.buffer, load.buffer
        if not (_can_move(target) and _can_move(source)) or target is source:
            return None
        if target.dtype != source.dtype or target.size != source.size:
            return None
        read, to = self.facts.form(load.index), self.facts.form(store.index)
        if read is None or to is None or not read.same(to):
            return None
        return (target, source) if self.are_written([s], target) else None

    def is_over(self, buffer: Buffer, copying: Statement, only_here: bool) -> bool:
        """Whether what an array holds when it is copied is not read after that.

        Args:
            only_here: whether nothing else in the kernel touches it than this loop.
        """
        place = self.body.index(copying)
        after = self.are_written(self.body[place + 1 :], buffer)
        if after is None and only_here:  # the next trip begins with it
            after = self.are_written(self.body[:place], buffer)
        return after is True

    def are_written(self, statements: Iterable[Statement], buffer: Buffer) -> bool | None:
        """Whether statements write all elements of an array before they read any; None if they do
        neither."""
        written = np.zeros(buffer.size, bool)
        for s in statements:
            touching = [x for x in ir.walk([s]) if buffer in uses.buffers(x)]
            if any(not isinstance(x, ir.Store) for x in touching):
                return False
            if touching:
                self.mark(s, buffer, {}, written)
            if written.all():
                return True
        return None

    def mark(
        self, s: Statement, buffer: Buffer, counts: Mapping[Operand, int], written: np.ndarray
    ) -> None:
        """Mark the elements that a statement stores in each trip of the loops around it.

        Args:
            counts: how many these make, by their indices.
        """
        if isinstance(s, ir.Store) and s.buffer is buffer:
            places = _places(self.facts.form(s.index), counts, 4 * buffer.size)
            if places is not None:
                written[places] = True
        elif isinstance(s, ir.For | ir.Each):
            count = self.facts.form(s.count)
            if count is not None and not count.terms:
                for x in s.body:
                    self.mark(x, buffer, {**counts, s.index: count.constant}, written)

    def orders(self) -> list[dict[Buffer, Buffer]] | None:
        """In which memory each array is when trips begin, one after another until all are where
        they began; None if that are too many."""
        now = {b: b for pair in self.copies.values() for b in pair}
        found = [dict(now)]
        while True:
            for target, source in self.copies.values():
                now[target], now[source] = now[source], now[target]
            if now == found[0]:
                return found
            if len(found) == _MOST_TRIPS:
                return None
            found.append(dict(now))

    def statements(self, now: Mapping[Buffer, Buffer]) -> list[Statement]:
        """Those of a trip that begins with arrays in some memory."""
        now, made = dict(now), Block()
        for s in self.body:
            if s in self.copies:
                target, source = self.copies[s]
                now[target], now[source] = now[source], now[target]
            else:
                made.statements += renamed(Block([s]), now)
        return made.statements


def _can_move(buffer: Buffer) -> bool:
    return (
        buffer.kind in ("temporary", "output")
        and not is_length(buffer.size)
        and _FEWEST <= buffer.size <= _MOST
    )


def _places(index: Form | None, counts: Mapping[Operand, int], most: int) -> np.ndarray | None:
    """The values of an index; None if that depends on something else than how often loops have
    gone round, or if these are too many."""
    if index is None or not set(index.terms) <= set(counts) or math.prod(counts.values()) > most:
        return None
    found = np.array(index.constant)
    for variable, factor in index.terms.items():
        assert isinstance(variable, ir.Var)  # as loops have
        found = np.add.outer(found, factor * np.arange(counts[variable]))
    return found.ravel()


def _write(builder: KernelBuilder, s: ir.For, trips: Sequence[Sequence[Statement]]) -> None:
    """Add a loop over several trips at once, and one over those that remain."""
    b, many = builder, len(trips)
    rounds = b.compute("quotient", s.count, many)

    def all_trips(index: Operand, *state: Operand) -> tuple[Operand, ...]:
        first = b.compute("*", index, many)
        for k, statements in enumerate(trips):
            copy: dict[Operand, Operand] = dict(zip(s.state, state))
            copy[s.index] = b.compute("+", first, k)
            Copier(b).statements(Block(list(statements)), [copy])
            state = tuple(Copier.of(x, copy) for x in s.following)
        return state

    last = b.for_(rounds, s.init, all_trips)
    done = b.compute("*", rounds, many)
    rest = ir.Var(ir.LONG, "i")
    body = Block([ir.Compute(s.index, "+", (done, rest)), *s.body])
    left = b.compute("-", s.count, done)
    b.add(ir.For(rest, left, body, s.state, last, s.following, s.results))
