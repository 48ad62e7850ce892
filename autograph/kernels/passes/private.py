"""Arrays of which each trip of a loop reads only what it has written before: trips that have memory
of their own for them do not depend on each other through them (Tu & Padua, "Automatic array
privatization", 1993). ``inside`` of ``inside = (radii >= a[k]) & (radii < b[k])`` is one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from dataclasses import replace

from autograph.kernels.ir import ir, uses
from autograph.kernels.ir.ir import LONG, Block, Buffer, Var
from autograph.kernels.ir.renaming import renamed
from autograph.kernels.passes.copying import Copied, CopiesRead
from autograph.kernels.passes.dependence import Dependences, defined_in
from autograph.kernels.passes.forms import Form, number, variable

_MOST_BYTES = 1 << 22  # of all such arrays of a trip


def private_buffers(loop: ir.For, kernel: Block, dependences: Dependences) -> set[Buffer]:
    """The arrays of which trips of a loop may have one each: nothing else in the kernel reads
    them."""
    inside, everywhere = _uses(loop.body), _uses(kernel)
    found = {
        b
        for b in uses.writes(loop.body)
        if b.kind == "temporary" and inside[b] and inside[b] == everywhere[b]
    }
    if found:
        reads = _Reads(dependences, found)
        reads.block(loop.body, [])
        found = reads.private
    return found if sum(b.nbytes for b in found) <= _MOST_BYTES else set()


def _uses(block: Block) -> Counter[Buffer]:
    """How many statements do something else with buffers than to store an element."""
    return Counter(
        b for s in ir.walk(block) if not isinstance(s, ir.Store) for b in uses.buffers(s)
    )


def with_own(body: Block, private: Collection[Buffer]) -> Block:
    """The body of a loop whose trips have arrays of their own, in the order in which it touches
    them: the text of a kernel is to be the same in each process."""
    touched = dict.fromkeys(b for s in ir.walk(body) for b in uses.buffers(s))
    own = {b: Buffer(b.dtype, b.size, "local", b.name) for b in touched if b in private}
    return Block([*(ir.Local(b) for b in own.values()), *renamed(body, own)]) if own else body


class _Reads:
    """Finds reads of what a trip may not have written.

    Attributes:
        private: the arrays without such reads, of those that are asked for.
    """

    def __init__(self, dependences: Dependences, asked: set[Buffer]):
        self.facts = dependences.facts
        self.copies = CopiesRead(Block(), dependences)
        self.private = set(asked)

    def block(self, block: Block, before: list[Copied]) -> list[Copied]:
        """What is written after a block, of what was before. Elements are those for which a
        `Copied` has a target."""
        written = list(before)
        for s in block:
            match s:
                case ir.Load() if s.buffer in self.private:
                    if not self.is_written(s, written):
                        self.private.discard(s.buffer)
                case ir.Store() if s.buffer in self.private:
                    place = self.facts.form(s.index)
                    if place is not None:
                        load = ir.Load(Var(s.buffer.dtype), s.buffer, s.index)
                        written.append(Copied(s.buffer, load, place, place, {}))
                case ir.For() | ir.Each():
                    written += self.loop(s, written)
                case ir.While():
                    self.block(s.body, self.block(s.test, written))
                case ir.If():
                    then = self.block(s.then, written)[len(written) :]
                    orelse = self.block(s.orelse, written)[len(written) :]
                    inner = defined_in([s])
                    written += [
                        c
                        for c in then
                        if inner.isdisjoint(_outer(c)) and any(_same(c, x) for x in orelse)
                    ]
        return written

    def is_written(self, load: ir.Load, written: list[Copied]) -> bool:
        places = [self.facts.form(load.index)]
        anywhere = Var(LONG)
        self.facts.add(anywhere, [number(0)], [number(load.buffer.size - 1)])
        places.append(self.facts.form(anywhere))
        return any(
            c.buffer is load.buffer and self.copies.original(c, place) is not None
            for c in written
            for place in places
        )

    def loop(self, s: ir.For | ir.Each, before: list[Copied]) -> list[Copied]:
        """What all trips of a loop together have written."""
        inside = self.block(s.body, before)[len(before) :]
        count = self.facts.form(s.count)
        if count is None:
            return []
        inner = defined_in(s.body)
        every = [replace(c, counts={**c.counts, s.index: count}) for c in inside]
        return [c for c in every if inner.isdisjoint(_outer(c))]


def _outer(copied: Copied) -> set[Var]:
    """The variables that what is written depends on, but for the indices of its own loops."""
    forms: list[Form] = [copied.target, *copied.counts.values()]
    return {v for form in forms for v in form.variables} - set(copied.counts)


def _same(a: Copied, b: Copied) -> bool:
    """Whether two loops write the same elements."""
    if a.buffer is not b.buffer or len(a.counts) != len(b.counts):
        return False
    target = b.target
    for own, other in zip(a.counts, b.counts):
        if not a.counts[own].same(b.counts[other]):
            return False
        target = target.replaced(other, variable(own))
    return a.target.same(target)
