"""First trips of loops in order that do something else, written before their loops.

``if j == 0: d[i, j] = i`` and ``if j > 0: s += d[i, j - 1]`` decide in the first trip what all
others do not: without it a trip does the same each time, and what it reads of the trip before may
stay in a register (loop peeling; Bacon, Graham & Sharp, "Compiler transformations for
high-performance computing", 1994). Loops of independent trips are several for that, see
`splitting`.
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable, Iterable, Mapping, Sequence, Set

from autograph.closure import closure
from autograph.kernels.ir import ir, uses
from autograph.kernels.ir.builder import KernelBuilder
from autograph.kernels.ir.ir import BOOL, Block, Number, Operand, Statement, Var
from autograph.kernels.passes.affine import Facts
from autograph.kernels.passes.dependence import defined_in
from autograph.kernels.passes.forms import number, variable
from autograph.kernels.passes.jam import Copier

_MOST = 80  # statements of a loop that has a copy of its first trip
# Trips of a loop, where it is known how many: for fewer it is not worth that all that is known of
# the kernel is found anew, which takes as long as everything else where the kernel is large.
_LEAST = 4

_PLAIN = (ir.Compute, ir.Load, ir.Store, ir.Check, ir.If, ir.For)


def first_trips_apart(body: Block, facts: Facts) -> bool:
    """Write such first trips before their loops, in place, where loops are straight then. Returns
    whether there were any: then it may be done again, to loops in these."""
    return _Peeling(facts, body).block(body)


class _Peeling:
    """Writes first trips before their loops.

    Args:
        body: all of the kernel.
    """

    def __init__(self, facts: Facts, body: Block):
        self.facts = facts
        self.body = body

    @functools.cached_property
    def made(self) -> Mapping[Operand, ir.Compute]:
        """What computes scalars."""
        return {s.out: s for s in ir.walk(self.body) if type(s) is ir.Compute}

    def block(self, block: Block) -> bool:
        """Do it in a block, in place. Returns whether there were any."""
        changed = False
        apart: dict[int, list[Statement]] = {}  # by identities of loops
        for s in ir.holding(block.statements):
            if isinstance(s, ir.For) and (later := _known_later(s, self.facts)):
                apart[id(s)] = self.apart(s, later)
            elif isinstance(s, ir.For | ir.While | ir.If):
                for inner in ir.blocks(s):
                    changed |= self.block(inner)
        if apart:
            made = (apart.get(id(s), [s]) for s in block.statements)
            block.statements[:] = [x for statements in made for x in statements]
        return changed or bool(apart)

    def apart(self, loop: ir.For, later: Mapping[Operand, bool]) -> list[Statement]:
        """The first trip, and the loop of the others."""
        builder = KernelBuilder("first")
        try:
            with builder.block() as made:
                results = self.trips(builder, loop, later)
        finally:
            builder.close()
        *others, last = made.statements
        assert isinstance(last, ir.For | ir.If) and len(results) == len(last.results)
        return [*others, dataclasses.replace(last, results=loop.results)]

    def trips(
        self, b: KernelBuilder, loop: ir.For, later: Mapping[Operand, bool]
    ) -> Sequence[Operand]:
        """Add them, in a branch if there may be no trip."""
        count = self.facts.form(loop.count)
        if count is not None and self.facts.least(count) >= 1:
            return _both(b, loop, loop.count, later)
        trips = unless_negative(loop.count, self.made)
        return b.if_(
            b.compute(">", trips, 0),
            lambda: _both(b, loop, trips, later),
            lambda: loop.init,
            [v.name for v in loop.results],
        )


def unless_negative(count: Operand, made: Mapping[Operand, ir.Compute]) -> Operand:
    """The number that a count is, but where that is negative, and there is no trip.

    Args:
        made: what computes scalars.
    """
    s = made.get(count)
    if s is None or s.function != "select" or not _is_zero(s.operands[2]):
        return count
    test = made.get(s.operands[0])
    if test is None or test.function != ">" or not _is_zero(test.operands[1]):
        return count
    return test.operands[0] if test.operands[0] is s.operands[1] else count


def _is_zero(x: Operand) -> bool:
    return isinstance(x, Number) and x.value == 0


def _known_later(loop: ir.For, facts: Facts) -> dict[Operand, bool]:
    """The outcomes of the comparisons that decide what a trip reads or writes, and are known in all
    trips but the first; none if something else decides, too, or that has to stay in its loop."""
    if loop.freed is not None or ir.is_straight(loop.body):
        return {}
    statements = list(ir.walk(loop.body))
    if len(statements) > _MOST or not any(type(s) is ir.If for s in statements):
        return {}
    if not all(isinstance(s, _PLAIN) for s in statements):
        return {}
    loops = [loop, *(s for s in statements if isinstance(s, ir.For))]
    if any(s.freed is not None for s in loops):
        return {}
    if isinstance(loop.count, Number) and loop.count.value < _LEAST:
        return {}
    defined = {loop.index, *loop.state, *defined_in(loop.body)}
    if any(buffer.base in defined for buffer in uses.touched(statements)):
        return {}  # another one in each trip
    made: dict[Operand, ir.Compute] = {s.out: s for s in statements if type(s) is ir.Compute}
    own = [defined, *({x.index, *x.state, *defined_in(x.body)} for x in loops[1:])]
    found: dict[Operand, bool] = {}
    for operand in _deciding(statements):
        s = made.get(operand)
        known = [
            None if s is None else _outcome(s, x.index, of, facts) for x, of in zip(loops, own)
        ]
        if known[0] is not None:
            found[operand] = known[0]
        elif s is not None and s.function in _OUTCOMES and not any(x is not None for x in known):
            return {}
    return found


def _deciding(statements: Iterable[Statement]) -> set[Operand]:
    """The bools that decide what is read or written."""
    made: dict[Operand, tuple[Operand, ...]] = {}
    pending: list[Operand] = []
    for s in statements:
        if type(s) is ir.Compute and s.out.dtype == BOOL:
            made[s.out] = tuple(x for x in s.operands if x.dtype == BOOL)
        elif isinstance(s, ir.If):
            for result, *sides in zip(s.results, s.then_results, s.else_results):
                if result.dtype == BOOL:
                    made[result] = (s.condition, *sides)
            if any(isinstance(x, ir.Load | ir.Store) for x in ir.walk([s])):
                pending.append(s.condition)
    return closure(pending, lambda operand: made.get(operand, ()))


def _outcome(s: ir.Compute, index: Var, own: Set[Operand], facts: Facts) -> bool | None:
    """What a comparison gives in all trips but the first; None if that is not known, or if it is no
    comparison of what depends on the trip.

    Args:
        own: the scalars that the loop defines. What bounds them is made of the index of their own
            trip, and says nothing of the trip after it: ``j < i`` of a loop in this one.
    """
    if s.function not in _OUTCOMES:
        return None
    x, y = map(facts.form, s.operands)
    if x is None or y is None or index not in (difference := x.plus(y, -1)).variables:
        return None
    if any(v is not index and v in own for v in difference.variables):
        return None
    later = difference.replaced(index, variable(index).plus(number(1)))
    low, high = facts.least(later), facts.greatest(later)
    return next((known for known, holds in _OUTCOMES[s.function] if holds(low, high)), None)


_Holds = Callable[[int, int], bool]

# Outcomes of comparisons of two numbers, and when their difference, between two bounds, tells them.
_OUTCOMES: Mapping[str, Sequence[tuple[bool, _Holds]]] = {
    "==": [(False, lambda low, high: low > 0 or high < 0)],
    "!=": [(True, lambda low, high: low > 0 or high < 0)],
    "<": [(True, lambda low, high: high < 0), (False, lambda low, high: low >= 0)],
    ">=": [(False, lambda low, high: high < 0), (True, lambda low, high: low >= 0)],
    "<=": [(True, lambda low, high: high <= 0), (False, lambda low, high: low > 0)],
    ">": [(False, lambda low, high: high <= 0), (True, lambda low, high: low > 0)],
}


class _Later(Copier):
    """Copies trips in which the outcomes of some comparisons are known."""

    def __init__(self, builder: KernelBuilder, known: Mapping[Operand, bool]):
        super().__init__(builder)
        self.known = known

    def statement(self, s: Statement, copy: dict[Operand, Operand]) -> None:
        if isinstance(s, ir.Compute) and s.out in self.known:
            copy[s.out] = Number(self.known[s.out], BOOL)
        else:
            super().statement(s, copy)


def _both(
    b: KernelBuilder, loop: ir.For, count: Operand, later: Mapping[Operand, bool]
) -> Sequence[Operand]:
    """Add the first of so many trips, and the loop of the others."""
    names = [v.name for v in loop.state]

    def trip(copier: Copier, index: Operand, state: Sequence[Operand]) -> tuple[Operand, ...]:
        copy: dict[Operand, Operand] = {loop.index: index, **dict(zip(loop.state, state))}
        copier.statements(loop.body, [copy])
        return tuple(copy.get(x, x) for x in loop.following)

    first = trip(Copier(b), b.long(0), loop.init)
    rest, others = b.compute("-", count, 1), _Later(b, later)
    return b.for_(rest, first, lambda i, *state: trip(others, b.compute("+", i, 1), state), names)
