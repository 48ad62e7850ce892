"""Neighbouring loops of the same few trips as one: what products and sums of small matrices in
loops are made of, whose elements stay in registers then.

``c = a @ b`` of complex numbers is four products and a sum of them. As one loop over rows and one
over columns each element of a factor is read once, the products are scalars, and sums of four
products, each of which waits for its last addition, are added up at the same time.
"""

from __future__ import annotations

from collections.abc import Sequence

from autograph.kernels.ir import ir, uses
from autograph.kernels.ir.ir import Block, Number, Operand, Statement
from autograph.kernels.passes.copying import forward, in_step, is_same_count, substituted
from autograph.kernels.passes.dependence import Dependences, accesses, is_understood

_FEW = 8  # trips
_MOST = 200  # statements of a loop that is made of two


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
        small = [s for s in block if isinstance(s, ir.For) and _is_small(s)]
        if not all(map(self.are_lanes, small)):
            small = []
        for s in block:
            for inner in ir.blocks(s):
                changed |= self.block(inner)
            late: list[Statement] = []
            while isinstance(s, ir.For) and small:
                found = self.before(made, s)
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

    def before(
        self, made: Sequence[Statement], second: ir.For
    ) -> tuple[int, set[Statement]] | None:
        """Where the loop is that a loop can be joined to, and what has to come after both."""
        if not _is_small(second):
            return None
        for place in range(len(made) - 1, -1, -1):
            first = made[place]
            if not is_understood([first]) and not isinstance(first, ir.Local):
                return None
            if isinstance(first, ir.For) and _is_small(first) and self.is_worth(first, second):
                waiting = self.waiting(first, made[place + 1 :], second)
                if waiting is not None and in_step(first, second, self.dependences):
                    return place, waiting
        return None

    def is_worth(self, first: ir.For, second: ir.For) -> bool:
        """Whether a loop reads what another one of as many trips touches, but for the order of
        what they do: most pairs are none, which is asked before what stands between them is
        looked through."""
        facts = self.dependences.facts
        both = [first, second]
        touched = uses.reads(first.body) | uses.writes(first.body)
        if not touched & uses.reads(second.body):
            return False
        if not is_same_count(first.count, second.count, facts) or not is_understood(both):
            return False
        if sum(1 for _ in ir.walk(both)) > _MOST or uses.may_fail(both):
            return False
        return not {*first.results} & {*uses.used([second])}

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
        self, first: ir.For, between: Sequence[Statement], second: ir.For
    ) -> set[Statement] | None:
        """What between two loops depends on the first one; None if the second depends on that."""
        group = self.dependences.memory.group
        results: set[Operand] = set()
        read: set[object] = set()
        written: set[object] = set()

        def depends(s: Statement) -> bool:
            if results & uses.used([s]):
                return True
            here = {group(b) for b in uses.writes([s])}
            return bool(here & (read | written) or written & {group(b) for b in uses.reads([s])})

        def wait(s: Statement) -> None:
            results.update(uses.results(s))
            read.update(group(b) for b in uses.reads([s]))
            written.update(group(b) for b in uses.writes([s]))

        wait(first)
        late = []
        for s in between:
            if depends(s):
                late.append(s)
                wait(s)
        results, read, written = set(), set(), set()
        for s in late:
            wait(s)
        return None if uses.may_fail(late) or depends(second) else set(late)

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


def _is_small(s: ir.For) -> bool:
    return isinstance(s.count, Number) and s.count.value <= _FEW and s.freed is None
