"""Arrays each element of which a few cheap operations make of the element of another array at the
same place: what reads them computes it again (rematerialization: Briggs, Cooper & Torczon, 1992).

As ``1 - f`` beside ``f``, a mask ``labels == k`` that another loop reads, or the same numbers for
two uses. Nothing is kept for them then, and nothing written. That is done where all that reads such
an array can do without it, at few places, each element about once.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from autograph.kernels.ir import ir, uses
from autograph.kernels.ir.ir import Block, Buffer, Number, Operand, Statement, Var
from autograph.kernels.passes.affine import materialised
from autograph.kernels.passes.copying import OWN, Copied, CopiesRead, innermost
from autograph.kernels.passes.dependence import defined_in
from ops.core.records import dataclass

_LEAST_BYTES = 1 << 14  # of an array, for it to be worth it
_MOST_READS = 3  # in the text
_MOST_STEPS = 3  # from element to element
_CHEAP = frozenset(
    ("+", "-", "*", "&", "|", "^", "~", "<", "<=", ">", ">=", "==", "!=", "cast", "floor", "fabs")
)


def without_derived(body: Block, copies: CopiesRead) -> bool:
    """Compute such arrays where they are read, in place. Returns whether there were any.

    Args:
        copies: which knows what is written how often, and where an element of a copy comes from.
    """
    large = {b for b in copies.stores if b.kind == "temporary" and _is_large(b)}
    large = {b for b in large if copies.stores[b] == 1}
    if not large:
        return False
    for s in ir.walk(body):
        if not isinstance(s, ir.Load | ir.Store):
            large.difference_update(uses.buffers(s))
    return bool(large) and _Derived(body, copies, large).block(body)


def has_large(body: Block) -> bool:
    """Whether loops write arrays of which some may be such."""
    stores = (s for s in ir.walk(body) if isinstance(s, ir.Store))
    return any(s.buffer.kind == "temporary" and _is_large(s.buffer) for s in stores)


def _is_large(buffer: Buffer) -> bool:
    return isinstance(buffer.size, int) and buffer.nbytes >= _LEAST_BYTES


@dataclass(frozen=True)
class _Derivation:
    """How the elements of an array are made.

    Attributes:
        copied: which element of the other array is at which place.
        store: that writes the array.
        steps: from an element of the other array, ``copied.load.out``, to what is stored.
    """

    copied: Copied
    store: ir.Store
    steps: Sequence[ir.Compute]

    def read(self, load: ir.Load, computed: Sequence[Statement], index: Operand) -> list[Statement]:
        """What computes an element in the place of a load."""
        original = self.copied.load
        if not self.steps:
            return [*computed, ir.Load(load.out, original.buffer, index)]
        element = Var(original.out.dtype, original.out.name)
        now: dict[Operand, Operand] = {original.out: element}
        made: list[Statement] = [*computed, ir.Load(element, original.buffer, index)]
        for s in self.steps:
            out = load.out if s is self.steps[-1] else Var(s.out.dtype, s.out.name)
            made.append(ir.Compute(out, s.function, tuple(now.get(x, x) for x in s.operands)))
            now[s.out] = out
        return made


class _Derived:
    """Does without such arrays, of those that are asked for."""

    def __init__(self, body: Block, copies: CopiesRead, large: set[Buffer]):
        self.copies = copies
        self.facts = copies.facts
        self.group = copies.dependences.memory.group
        self.large = large
        self.reads: dict[Buffer, int] = {}
        for s in ir.walk(body):
            if isinstance(s, ir.Load):
                self.reads[s.buffer] = self.reads.get(s.buffer, 0) + 1

    def block(self, block: Block) -> bool:
        """Change a block, and those in it, in place."""
        if ir.is_straight(block):
            return False
        changed = False
        for place, statement in enumerate(block.statements):
            for inner in ir.blocks(statement):
                changed |= self.block(inner)
            while self.one(statement, block, place + 1):
                changed = True
        return changed

    def one(self, maker: Statement, around: Block, after: int) -> bool:
        """Do without an array that a loop makes.

        Args:
            around: the block that the loop stands in.
            after: the place in it of what follows the loop.
        """
        for inside, found in self.derivations(maker):
            loads = self.loads(found, around.statements[after:])
            if loads is None:
                continue
            self.replace(around, found, loads)
            buffer, original = found.copied.buffer, found.copied.load.buffer
            inside.statements[:] = [s for s in inside if s is not found.store]
            self.reads[original] = self.reads.get(original, 0) + len(loads)
            self.large.discard(buffer)
            return True
        return False

    def derivations(self, maker: Statement) -> Iterator[tuple[Block, _Derivation]]:
        """The arrays that a loop makes so, with the block that writes each."""
        nest = innermost(maker, self.facts)
        if nest is None:
            return
        block, counts = nest[0].body, nest[1]
        inside = defined_in(block)
        for s in block:
            if not isinstance(s, ir.Store) or s.buffer not in self.large:
                continue
            target = self.facts.form(s.index)
            made = self.made(s, block, inside)
            if target is None or made is None or target.variables & (inside - set(counts)):
                continue
            load, steps = made
            yield block, _Derivation(Copied(s.buffer, load, target, target, counts), s, steps)

    def made(
        self, store: ir.Store, block: Block, inside: set[Var]
    ) -> tuple[ir.Load, list[ir.Compute]] | None:
        """The element of another array that what is stored is made of, and how."""
        value, steps = store.value, list[ir.Compute]()
        made = {s.out: s for s in block if isinstance(s, ir.Compute)}
        while isinstance(value, Var):
            for s in block:
                if isinstance(s, ir.Load | ir.Store) and self.holds(s, value, store, block):
                    return ir.Load(value, s.buffer, s.index), steps[::-1]
            step = made.get(value)
            if step is None or step.function not in _CHEAP or len(steps) == _MOST_STEPS:
                return None
            own = [x for x in step.operands if isinstance(x, Var) and x in inside]
            if len(own) != 1:
                return None
            steps.append(step)
            (value,) = own
        return None

    def holds(self, s: ir.Load | ir.Store, value: Var, store: ir.Store, block: Block) -> bool:
        """Whether a value is the element of an array at the place where another one is stored,
        when the loop has run."""
        if s.buffer is store.buffer:
            return False
        mine, other = self.facts.form(store.index), self.facts.form(s.index)
        if mine is None or other is None or not mine.same(other):
            return False
        if isinstance(s, ir.Store):
            return s.value is value and s.buffer.kind in OWN and self.copies.stores[s.buffer] == 1
        if s.out is not value or s.buffer.kind in ("record", "local"):
            return False
        own = self.group(s.buffer)
        return all(self.group(b) != own for x in block for b in uses.written(x))

    def loads(self, found: _Derivation, after: Sequence[Statement]) -> set[ir.Load] | None:
        """The loads of an array; None if not all of them can do without it."""
        copied = found.copied
        loads = list[tuple[ir.Load, float]]()
        left = self.reads.get(copied.buffer, 0)
        is_narrower = copied.buffer.dtype.itemsize < copied.load.buffer.dtype.itemsize
        if not 0 < left <= (1 if is_narrower else _MOST_READS):  # it takes longer to read more
            return None
        for s in after:
            here = [*_loads(copied.buffer, [s], 1)]
            loads += here
            own = self.group(copied.load.buffer)
            if any(self.group(b) == own for x in ir.walk([s]) for b in uses.written(x)):
                return None
            if len(loads) == left:
                break
        if len(loads) != left:
            return None
        for load, trips in loads:
            form = self.facts.form(load.index)
            if trips > copied.buffer.size or self.copies.original(copied, form) is None:
                return None
        return {load for load, _ in loads}

    def replace(self, block: Block, found: _Derivation, loads: set[ir.Load]) -> None:
        """Change loads in a block, and in those in it, in place."""
        made: list[Statement] = []
        for s in block:
            if isinstance(s, ir.Load) and s in loads:
                place = self.copies.original(found.copied, self.facts.form(s.index))
                assert place is not None
                made += found.read(s, *materialised(place, self.facts))
                continue
            for inner in ir.blocks(s):
                self.replace(inner, found, loads)
            made.append(s)
        block.statements[:] = made


def _loads(
    buffer: Buffer, statements: Sequence[Statement], trips: float
) -> Iterator[tuple[ir.Load, float]]:
    """The loads of an array, each with how often it runs."""
    for s in statements:
        if isinstance(s, ir.Load) and s.buffer is buffer:
            yield s, trips
        times = trips
        if isinstance(s, ir.For | ir.Each):
            times *= int(s.count.value) if isinstance(s.count, Number) else math.inf
        elif isinstance(s, ir.While):
            times = math.inf
        for inner in ir.blocks(s):
            yield from _loads(buffer, inner.statements, times)
