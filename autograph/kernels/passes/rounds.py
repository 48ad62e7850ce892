"""Comparisons whose outcome is known, see `ranges`, again and again: whenever passes have changed
loops of a kernel.

Most loops are the same as after the round before. What is known of the integers in them still
holds, and they are not gone through again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Set

from autograph.kernels.ir import ir, uses
from autograph.kernels.ir.ir import Block, Operand, Statement, Var
from autograph.kernels.passes.affine import Facts
from autograph.kernels.passes.idle_state import without_idle_state
from autograph.kernels.passes.ranges import Outcomes
from ops.core.records import NamedTuple

_MORE = 2  # rounds that take what any trip leaves the same out of the state of one more loop


class _Settled(NamedTuple):
    """A loop or branch of the kernel's own as a round has left it.

    Attributes:
        statement: itself.
        content: see `_content`.
    """

    statement: Statement
    content: list[object]


class Rounds:
    """Takes out of a kernel what is known.

    Args:
        kernel: whose blocks these are.
    """

    def __init__(self, kernel: ir.Kernel):
        self._kernel = kernel
        given = (*kernel.inputs, *kernel.outputs)
        self._arrays = [x for x in given if isinstance(x, ir.Buffer)]
        self._facts: Facts | None = None  # after the last round
        # By the identities of statements: those of the last round, and which of them are as they
        # were.
        self._settled: dict[int, _Settled] = {}
        self._left: dict[int, _Settled] = {}
        self._renewed: set[Var] = set()  # integers and bools that loops give, which have changed

    def simplified(self, block: Block) -> tuple[Block, Facts]:
        """The kernel's block without what is known, and what is known. The block of the first round
        is left as it is; `Var` and `Buffer` objects are shared."""
        touched = dict.fromkeys(uses.touched(block))
        bases = {b.base for b in touched if b.base is not None}
        # These are there when the kernel begins, or it gives up.
        arrays = self._arrays + [b for b in touched if b.kind == "reserved"]
        ranges, found = self._changes(block, bases) or self._whole(block, bases, arrays)
        found = without_idle_state(found)
        for _ in range(_MORE):
            if not ranges.again:
                break
            ranges, found = self._whole(found, bases, arrays)
            found = without_idle_state(found)
        if ranges.trail is not None:
            ranges.facts.note_changes(None)
        self._facts = ranges.facts
        self._settled = dict(self._settle(found))
        return found, ranges.facts

    def _whole(
        self, block: Block, bases: Set[Operand], arrays: Iterable[ir.Buffer]
    ) -> tuple[Outcomes, Block]:
        """What is left of all of the block, of which nothing is known yet."""
        self._left = {}
        ranges = Outcomes(bases, Facts(self._kernel.symbols, arrays))
        return ranges, ranges.block(block)

    def _changes(self, block: Block, bases: Set[Operand]) -> tuple[Outcomes, Block] | None:
        """The same, but that only what has changed is gone through; None if that will not do."""
        if self._facts is None or self._kernel.symbols:  # of these more may be known by now
            return None
        self._left, self._renewed = {}, set()
        ranges = Outcomes(bases, self._facts, self._is_settled)
        found = ranges.block(block)
        return None if ranges.again or self._is_outdated(block, ranges) else (ranges, found)

    def _is_settled(self, s: Statement) -> bool:
        """Whether nothing about a statement of the kernel's own has changed since the last round.
        If something has, what was known of the integers in it is forgotten."""
        if not ir.blocks(s):
            return False
        found = self._settled.get(id(s))
        if found is not None and found.content == _content(s):
            self._left[id(s)] = found
            return True
        assert self._facts is not None
        self._facts.drop(
            v for x in ir.walk([s]) if type(x) is not ir.Store for v in uses.defined(x)
        )
        self._renewed.update(v for v in uses.results(s) if v.dtype.kind != "f")
        return False

    def _is_outdated(self, block: Block, ranges: Outcomes) -> bool:
        """Whether what was left as it is needs what something else stands for now, or of which
        other things are known."""
        defined = {v for s in block for v in uses.results(s)}
        lost = self._renewed | {v for v in defined if v in ranges.replaced}
        left = (s.statement for s in self._left.values())
        return bool(lost) and not lost.isdisjoint(uses.used(left))

    def _settle(self, block: Block) -> Iterator[tuple[int, _Settled]]:
        """What the statements of a kernel are after a round."""
        for s in block:
            if ir.blocks(s) and all(v.dtype.kind == "f" for v in uses.results(s)):
                yield id(s), self._left.get(id(s)) or _Settled(s, _content(s))


def _content(s: Statement) -> list[object]:
    """What tells whether passes have changed a statement. They change no statement that is in no
    other one, but put others in its place."""
    found = list(ir.walk([s]))
    return [*found, *(len(inner.statements) for x in ir.holding(found) for inner in ir.blocks(x))]
