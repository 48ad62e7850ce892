"""Neighbouring loops of the same few trips as one: what products and sums of small matrices in
loops are made of, whose elements stay in registers then.

``c = a @ b`` of complex numbers is four products and a sum of them. As one loop over rows and one
over columns each element of a factor is read once, the products are scalars, and sums of four
products, each of which waits for its last addition, are added up at the same time.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import TypeAlias

from autograph.kernels.ir import ir, uses
from autograph.kernels.ir.ir import Block, Number, Operand, Statement
from autograph.kernels.passes.copying import forward, in_step, is_same_count, substituted
from autograph.kernels.passes.dependence import Dependences, accesses, is_understood
from ops.core.records import NamedTuple

_FEW = 8  # trips
_MOST = 200  # statements of a loop that is made of two

# Statements before a loop among which one is looked for that it can be joined to: those of a long
# program, such as the steps of an optimiser written out, all read the same parameters.
_FARTHEST = 100


class _Facts(NamedTuple):
    """What is known of a statement and those in it.

    Attributes:
        loads, stores: the buffers from which is loaded and to which is stored.
        read, written: the memory that these are.
        used, results: the scalars that it uses, and that it defines for others.
        size: how many statements these are.
        is_understood, may_fail: see `dependence.is_understood` and `uses.may_fail`.
    """

    loads: set[ir.Buffer]
    stores: set[ir.Buffer]
    read: set[object]
    written: set[object]
    used: set[Operand]
    results: tuple[Operand, ...]
    size: int
    is_understood: bool
    may_fail: bool


_Known: TypeAlias = Callable[[Statement], _Facts]


class SmallLoops:
    """Makes one loop of two of few trips in order, where the second reads what the first reads or
    writes."""

    def __init__(self, dependences: Dependences):
        self.dependences = dependences

    def block(self, block: Block) -> bool:
        """Join the loops of a block, in place. Returns whether there were any. If one of them is no
        vector, then the others leave in memory what it takes into registers otherwise."""
        if ir.is_straight(block):
            return False
        changed = False
        made: list[Statement] = []
        known = functools.cache(self.facts)  # of what is done, which does not change any more
        small = [s for s in block if isinstance(s, ir.For) and _is_small(s)]
        if not all(map(self.are_lanes, small)):
            small = []
        for s in block:
            for inner in ir.blocks(s):
                changed |= self.block(inner)
            late: list[Statement] = []
            while isinstance(s, ir.For) and small:
                found = self.before(made, s, known)
                if found is None:
                    break
                place, waiting = found
                first, between = made[place], made[place + 1 :]
                assert isinstance(first, ir.For)
                made[place:] = [x for x in between if x not in waiting]
                late = [x for x in between if x in waiting] + late
                s = self.joined(first, s)
                changed = True
            made += [s, *late]
        block.statements[:] = made
        return changed

    def facts(self, s: Statement) -> _Facts:
        """What is known of a statement."""
        group, inside = self.dependences.memory.group, [*ir.walk([s])]
        loads, stores = uses.reads([s]), uses.writes([s])
        return _Facts(
            loads,
            stores,
            {group(b) for b in loads},
            {group(b) for b in stores},
            {x for inner in inside for x in uses.operands(inner)},
            uses.results(s),
            len(inside),
            is_understood([s]),
            uses.may_fail([s]),
        )

    def before(
        self, made: Sequence[Statement], second: ir.For, known: _Known
    ) -> tuple[int, set[Statement]] | None:
        """Where the loop is that a loop can be joined to, and what has to come after both."""
        if not _is_small(second):
            return None
        for place in range(len(made) - 1, max(len(made) - _FARTHEST, 0) - 1, -1):
            first = made[place]
            if not isinstance(first, ir.Local) and not known(first).is_understood:
                return None
            if (
                isinstance(first, ir.For)
                and _is_small(first)
                and self.is_worth(first, second, known)
            ):
                waiting = self.waiting(first, made[place + 1 :], second, known)
                if waiting is not None and in_step(first, second, self.dependences):
                    return place, waiting
        return None

    def is_worth(self, first: ir.For, second: ir.For, known: _Known) -> bool:
        """Whether a loop reads what another one of as many trips touches, but for the order of
        what they do: most pairs are none, which is asked before what stands between them is
        looked through."""
        one, other = known(first), known(second)
        if one.loads.isdisjoint(other.loads) and one.stores.isdisjoint(other.loads):
            return False
        if not is_same_count(first.count, second.count, self.dependences.facts):
            return False
        if not other.is_understood or one.size + other.size > _MOST:
            return False
        return not (one.may_fail or other.may_fail) and other.used.isdisjoint(one.results)

    def are_lanes(self, loop: ir.For) -> bool:
        """Whether the innermost loops without sums read and write neighbours, so that their trips
        become lanes of a vector: else LLVM does more with small loops."""
        facts = self.dependences.facts
        free = [s for s in ir.walk([loop]) if isinstance(s, ir.For) and not s.state]
        for s in free:
            if any(x in free for x in ir.walk(s.body)):
                continue
            places = [access.form for access in accesses(s.body, facts)]
            if any(form is None or form.of(s.index) not in (0, 1) for form in places):
                return False
        return True

    def waiting(
        self, first: ir.For, between: Sequence[Statement], second: ir.For, known: _Known
    ) -> set[Statement] | None:
        """What between two loops depends on the first one; None if the second depends on that."""
        late: list[Statement] = []
        behind = _Behind()
        behind.add(known(first))
        for s in between:
            if behind.is_needed_by(known(s)):
                late.append(s)
                behind.add(known(s))
        behind = _Behind()
        for s in late:
            behind.add(known(s))
        may_fail = any(known(s).may_fail for s in late)
        return None if may_fail or behind.is_needed_by(known(second)) else {*late}

    def joined(self, first: ir.For, second: ir.For) -> ir.For:
        """One loop, of two in step."""
        renamed: dict[Operand, Operand] = {second.index: first.index}
        body = Block([*first.body, *(substituted(s, renamed) for s in second.body)])
        self.block(body)
        found = forward(body, self.dependences)
        following = [renamed.get(x, x) for x in (*first.following, *second.following)]
        return ir.For(
            first.index,
            first.count,
            body,
            (*first.state, *second.state),
            (*first.init, *second.init),
            tuple(found.get(x, x) for x in following),
            (*first.results, *second.results),
        )


class _Behind:
    """What some statements define, read and write."""

    def __init__(self) -> None:
        self._results: set[Operand] = set()
        self._read: set[object] = set()
        self._written: set[object] = set()

    def add(self, facts: _Facts) -> None:
        """Let a statement be one of them."""
        self._results.update(facts.results)
        self._read |= facts.read
        self._written |= facts.written

    def is_needed_by(self, facts: _Facts) -> bool:
        """Whether another statement has to come after one of them."""
        return not (
            self._results.isdisjoint(facts.used)
            and self._written.isdisjoint(facts.written)
            and self._read.isdisjoint(facts.written)
            and self._written.isdisjoint(facts.read)
        )


def _is_small(s: ir.For) -> bool:
    return isinstance(s.count, Number) and s.count.value <= _FEW and s.freed is None
